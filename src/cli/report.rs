//! `gavel report`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::context::Context;
use super::exit::Exit;
use crate::auction::PartyId;
use crate::ledger::{AuditError, ShillOptions, ShillTally, each};
use crate::output::views::shill::ShillView;
use crate::output::{Format, Tone, units};
use crate::store::{Dossier, Scope};

/// Look for patterns over many auctions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel report shill
  gavel report shill --from export/ --format csv > patterns.csv")]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

#[derive(Debug, Subcommand)]
enum ReportCommand {
    Shill(ShillArgs),
}

/// Rank sellers' bidders, and bidders, by the traces that shill bidding leaves
///
/// A shill bids for the seller, to raise the price and not to win. Nothing here proves it: a
/// collector of one seller's wares and a beginner who always bids too low look alike. The counts
/// stand beside each score, so that you know where to look; replay --explain tells each auction.
///
/// Pairs: seller and bidder that meet more often than the seller's share of all auctions would
/// have it. Bidders: over all sellers. Only closed auctions with a bid count, and only who was in
/// at least --min-auctions of them. It needs no maxima: a public export gives the same scores;
/// only how often a bidder's maximum set the price (2nd) is not known there.
#[derive(Debug, Args)]
#[command(after_help = SHILL_EXAMPLES, after_long_help = shill_help())]
struct ShillArgs {
    /// Read an exported folder, also a public one, instead of the database
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Leave out who was in fewer auctions
    #[arg(long, value_name = "N", default_value_t = 3,
        value_parser = clap::value_parser!(u64).range(1..))]
    min_auctions: u64,
    /// List so many pairs, and so many bidders
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Pairs with this seller only, however often they meet
    #[arg(long, value_name = "SELLER")]
    seller: Option<PartyId>,
}

const SHILL_EXAMPLES: &str = "\
Examples:
  gavel report shill
  gavel report shill --seller alice --min-auctions 5
  gavel report shill --from public/ --format json";

/// The examples, and what the figures mean.
fn shill_help() -> String {
    format!("{SHILL_EXAMPLES}\n\n{SHILL_FIGURES}")
}

const SHILL_FIGURES: &str = "\
Score:
  from 0 to 10, the weighted mean of ratings from 0 to 1:
  alpha    weight 9  how many of the seller's auctions the bidder is in (pairs)
  beta     weight 2  how many of the bids in them are the bidder's
  gamma    weight 5  how seldom the bidder wins
  delta    weight 2  how soon the bidder bids after another
  epsilon  weight 2  how little the bids raise the price
  zeta     weight 2  how early the bidder begins
  delta, epsilon and zeta compare the bidders of one auction, from the lowest
  to the highest, and are averaged; a rating that cannot be had is left out.
  After J. Trevathan and W. Read, Detecting Shill Bidding in Online English
  Auctions (2009), with proxy bids: what raises the price is the price.

Columns:
  in/of    auctions the bidder was in, of how many of this seller (or of all)
  share    of the bidder's auctions, those of this seller
  expect   of all auctions, those of this seller
  2nd      how often the bidder's maximum set the price
  void     bids of the bidder that were voided; json and csv tell after how
           many of them the price fell, and the bidder's own raises
  late     auctions with a bid of the bidder in the last minute";

/// Reads all and tells.
pub(crate) async fn run(args: ReportArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let ReportCommand::Shill(args) = args.command;
    let mut tally = ShillTally::default();
    let take = |dossier: &Dossier| -> Result<(), AuditError> {
        tally.add(dossier);
        Ok(())
    };
    let mut store = None;
    let origin = ctx.origin(args.from.as_deref(), &mut store).await?;
    each(origin, &Scope::All, take).await?;
    let options = ShillOptions {
        min_auctions: args.min_auctions,
        top: args.top,
        seller: args.seller,
    };
    let report = tally.into_report(&options);
    tell(&ShillView::new(&report, options.min_auctions), ctx)?;
    Ok(Exit::DONE)
}

fn tell(view: &ShillView, ctx: &mut Context) -> anyhow::Result<()> {
    match ctx.ui.format() {
        Format::Json => ctx.ui.object(view)?,
        Format::Csv => {
            let both: Vec<_> = view.pairs.iter().chain(&view.of_bidders).cloned().collect();
            ctx.ui.csv(&both)?;
        }
        Format::Table => {
            let pairs = units::count(count(view.pairs.len()), "pair");
            ctx.ui
                .line(Tone::Good, &format!("{pairs} of seller and bidder"))?;
            ctx.ui.list(&view.pairs)?;
            let bidders = units::count(count(view.of_bidders.len()), "bidder");
            ctx.ui.line(Tone::Plain, "")?;
            ctx.ui
                .line(Tone::Good, &format!("{bidders} over all sellers"))?;
            ctx.ui.list(&view.of_bidders)?;
        }
    }
    ctx.ui.note(&view.summary());
    ctx.ui
        .note("counts, not verdicts: gavel replay --explain ID tells an auction bid by bid");
    Ok(())
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
