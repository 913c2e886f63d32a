//! `gavel history`.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use super::show::not_found;
use crate::auction::AuctionId;
use crate::output::Listing;
use crate::output::views::history::Narrator;
use crate::store::Contract as _;

/// How many entries are read at once.
const PAGE: u32 = 1_000;

/// Show what happened in an auction, as the public may see it
///
/// Prices, and bidders by aliases in the order of their first bids; never a maximum, the reserve
/// or a bidder's name. A ledger may show that someone leads whose maximum is still hidden.
/// Actions are told with who acted and why; a closed auction's last line is its result.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel history 7731
  gavel history 7731 --format csv > history.csv")]
pub(crate) struct HistoryArgs {
    /// The auction
    #[arg(value_name = "ID")]
    auction_id: AuctionId,
}

/// Tells it.
pub(crate) async fn run(args: HistoryArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let Some(row) = store.auction_get(args.auction_id).await? else {
        let now = store.now().await?;
        not_found(ctx, args.auction_id, now);
        return Ok(Exit::REFUSED);
    };
    let mut narrator = Narrator::new(row.terms.currency);
    let mut listing = Listing::begin(&mut ctx.ui)?;
    let mut after_seq = 0;
    loop {
        let entries = store.ledger_get(args.auction_id, after_seq, PAGE).await?;
        let Some(last) = entries.last() else { break };
        after_seq = last.seq;
        for entry in &entries {
            listing.push(&mut ctx.ui, &narrator.line(entry))?;
        }
    }
    // Read again: it may have been closed since, and then all its entries have been told.
    let row = store.auction_get(args.auction_id).await?;
    if let Some(closing) = row
        .filter(|row| row.last_seq == after_seq)
        .and_then(|row| narrator.close(&row))
    {
        listing.push(&mut ctx.ui, &closing)?;
    }
    listing.finish(&mut ctx.ui)?;
    Ok(Exit::DONE)
}
