//! `gavel cancel`.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use super::operate::{OperateArgs, currency_of};
use crate::auction::AuctionId;
use crate::auction::operator::Deed;

/// Withdraw an auction
///
/// Only possible before the end: an auction that has ended has its result.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel cancel 7731 --reason 'item damaged'")]
pub(crate) struct CancelArgs {
    /// The auction
    #[arg(value_name = "ID")]
    auction_id: AuctionId,
    #[command(flatten)]
    operate: OperateArgs,
}

/// Cancels.
pub(crate) async fn run(args: CancelArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let currency = currency_of(&store, args.auction_id).await?;
    let deed = Deed::Cancel;
    let act = args
        .operate
        .act(args.auction_id, deed, currency, &store, ctx);
    act.await
}
