//! `gavel mine`.

use clap::Args;

use super::context::Context;
use super::due_first::DueFirstArgs;
use super::exit::Exit;
use crate::auction::PartyId;
use crate::output::views::mine::MineLine;
use crate::store::Contract as _;

/// List the auctions a bidder has bid on, and how the bidder stands
///
/// Those that end soonest come first, then those that are over, the latest first.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel mine --bidder marcus
  gavel mine --bidder marcus --open --limit 10")]
pub(crate) struct MineArgs {
    /// The bidder
    #[arg(long, value_name = "WHO")]
    bidder: PartyId,
    #[command(flatten)]
    list: DueFirstArgs,
}

/// Lists them.
pub(crate) async fn run(args: MineArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let bidder = &args.bidder;
    let read = async |page, limit| store.bids_of(bidder, page, limit).await;
    let line = |own: &_, now| MineLine::new(own, bidder, now);
    args.list
        .stream(&store, ctx, read, |own| &own.row, line)
        .await
}
