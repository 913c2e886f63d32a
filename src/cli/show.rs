//! `gavel show`.

use clap::Args;

use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::auction::{AuctionId, Micros, Refusal};
use crate::ledger::{AsOf, AsOfError, as_of};
use crate::output::units;
use crate::output::views::auction::AuctionView;
use crate::output::views::refusal::RefusalView;
use crate::store::Contract as _;

/// Show an auction: where it stands, and its terms
///
/// This is the operator's view: it names the leader and the winner, never a maximum or the
/// reserve. `gavel history` shows what the public may see.
///
/// With --as-of it is shown as it stood, folded anew from its ledger: up to the entry with that
/// seq, or at that time, entries of the very instant included.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel show 7731 7732 --format json
  gavel show 7731 --as-of 5
  gavel show 7731 --as-of 2026-12-06T18:59:30Z")]
pub(crate) struct ShowArgs {
    /// The auctions
    #[arg(value_name = "ID", required = true)]
    auction_ids: Vec<AuctionId>,
    /// As it stood after the entry with this seq, or at this time
    #[arg(long, value_name = "SEQ|TIME")]
    as_of: Option<AsOf>,
}

/// Shows them.
pub(crate) async fn run(args: ShowArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if matches!(args.as_of, Some(AsOf::Seq(_))) && args.auction_ids.len() > 1 {
        let why = "a seq belongs to one auction";
        return Err(InputError::option("--as-of", why)
            .hint("state a time to see several")
            .into());
    }
    let store = ctx.store().await?;
    let mut exit = Exit::DONE;
    let mut views = Vec::new();
    for auction_id in args.auction_ids {
        let now = store.now().await?;
        let Some(row) = store.auction_get(auction_id).await? else {
            not_found(ctx, auction_id, now);
            exit = Exit::REFUSED;
            continue;
        };
        let Some(up_to) = args.as_of else {
            views.push(AuctionView::new(&row, now));
            continue;
        };
        match as_of(&store, &row, up_to, now).await {
            Ok(then) => views.push(AuctionView::as_of(&then, now)),
            Err(error) => {
                refused(ctx, auction_id, error, now)?;
                exit = Exit::REFUSED;
            }
        }
    }
    ctx.ui.cards(&views)?;
    Ok(exit)
}

/// Tells why an auction cannot be shown as of then; a failure is given back.
pub(super) fn refused(
    ctx: &mut Context,
    auction_id: AuctionId,
    error: AsOfError,
    now: Micros,
) -> anyhow::Result<()> {
    let Some(code) = error.code() else {
        let what = format!("auction {auction_id} cannot be shown as of then");
        return Err(anyhow::Error::new(error).context(what));
    };
    let text = format!("auction {auction_id}: {error} ({code})");
    ctx.ui.refusal(&text, &[("server time", units::utc(now))]);
    Ok(())
}

/// Tells that there is no such auction.
pub(super) fn not_found(ctx: &mut Context, auction_id: AuctionId, now: Micros) {
    let refused = RefusalView::new(&Refusal::NotFound, None, now);
    refused.tell(&mut ctx.ui, &format!("auction {auction_id}"));
}
