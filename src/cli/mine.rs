//! `gavel mine`.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use crate::auction::PartyId;
use crate::output::views::mine::MineLine;
use crate::output::{Listing, units};
use crate::store::{Contract as _, Cursor};

/// How many auctions are read at once.
const PAGE: u32 = 500;

/// List the auctions a bidder has bid on, and how the bidder stands
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel mine --bidder marcus
  gavel mine --bidder marcus --format json")]
pub(crate) struct MineArgs {
    /// The bidder
    #[arg(long, value_name = "WHO")]
    bidder: PartyId,
}

/// Lists them.
pub(crate) async fn run(args: MineArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let mut listing = Listing::begin(&mut ctx.ui)?;
    let mut after = None;
    loop {
        let now = store.now().await?;
        let page = store.bids_of(&args.bidder, after, PAGE).await?;
        for own in &page {
            listing.push(&mut ctx.ui, &MineLine::new(own, &args.bidder, now))?;
        }
        let Some(last) = page.last() else { break };
        after = Some(Cursor {
            end: last.row.end,
            auction_id: last.row.auction_id,
        });
    }
    let rows = listing.finish(&mut ctx.ui)?;
    ctx.ui.note(&units::count(rows, "auction"));
    Ok(Exit::DONE)
}
