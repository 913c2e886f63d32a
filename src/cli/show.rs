//! `gavel show`.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use crate::auction::{AuctionId, Refusal};
use crate::output::views::auction::AuctionView;
use crate::output::views::refusal::RefusalView;
use crate::store::Contract as _;

/// Show an auction: where it stands, and its terms
///
/// This is the operator's view: it names the leader and the winner, never a maximum or the
/// reserve. `gavel history` shows what the public may see.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel show 7731
  gavel show 7731 7732 --format json")]
pub(crate) struct ShowArgs {
    /// The auctions
    #[arg(value_name = "ID", required = true)]
    auction_ids: Vec<AuctionId>,
}

/// Shows them.
pub(crate) async fn run(args: ShowArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let mut exit = Exit::DONE;
    let mut views = Vec::new();
    for auction_id in args.auction_ids {
        let now = store.now().await?;
        match store.auction_get(auction_id).await? {
            Some(row) => views.push(AuctionView::new(&row, now)),
            None => {
                not_found(ctx, auction_id, now);
                exit = Exit::REFUSED;
            }
        }
    }
    ctx.ui.cards(&views)?;
    Ok(exit)
}

/// Tells that there is no such auction.
pub(super) fn not_found(ctx: &mut Context, auction_id: AuctionId, now: crate::auction::Micros) {
    let refused = RefusalView::new(&Refusal::NotFound, None, now);
    refused.tell(&mut ctx.ui, &format!("auction {auction_id}"));
}
