//! `gavel void`.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use super::operate::{OperateArgs, currency_of};
use crate::auction::operator::Deed;
use crate::auction::{AuctionId, PartyId, VoidScope};

/// Take a bidder's bids out of the reckoning
///
/// The auction is reckoned anew without them; an extension once given stays, and the bidder may
/// bid again. Only possible before the end.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel void 7731 --bidder theo --latest --reason 'typing error, retracted'
  gavel void 7731 --bidder theo --all --reason 'account suspended'")]
pub(crate) struct VoidArgs {
    /// The auction
    #[arg(value_name = "ID")]
    auction_id: AuctionId,
    #[command(flatten)]
    operate: OperateArgs,
    /// Whose bids
    #[arg(long, value_name = "WHO")]
    bidder: PartyId,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct ScopeArgs {
    /// All of them
    #[arg(long)]
    all: bool,
    /// The latest that still counts
    #[arg(long)]
    latest: bool,
    /// The bid with this seq, if it is the latest that still counts
    #[arg(long, value_name = "SEQ", value_parser = clap::value_parser!(i64).range(1..))]
    seq: Option<i64>,
}

/// Voids.
pub(crate) async fn run(args: VoidArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let scope = match args.scope {
        ScopeArgs { seq: Some(seq), .. } => VoidScope::Bid(seq),
        ScopeArgs { latest: true, .. } => VoidScope::Latest,
        ScopeArgs { .. } => VoidScope::All,
    };
    let store = ctx.store().await?;
    let currency = currency_of(&store, args.auction_id).await?;
    let deed = Deed::Void {
        bidder: args.bidder,
        scope,
    };
    let act = args
        .operate
        .act(args.auction_id, deed, currency, &store, ctx);
    act.await
}
