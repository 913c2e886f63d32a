//! `gavel close`.

use clap::Args;

use super::context::{Context, mode};
use super::exit::Exit;
use super::operate::currency_of;
use crate::auction::{AuctionId, Micros};
use crate::output::views::close::CloseView;
use crate::output::{Format, units};
use crate::store::{CloseReply, Contract as _};

const NOT_FOUND: &str = "there is no such auction";

/// Close an auction that has ended
///
/// Records the result that the end has already decided, and its event, exactly once. Exit 0 if
/// it is closed, now or before; 3 if it cannot be closed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel close 7731
  gavel close 7731 --dry-run")]
pub(crate) struct CloseArgs {
    /// The auction
    #[arg(value_name = "ID")]
    auction_id: AuctionId,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Closes it.
pub(crate) async fn run(args: CloseArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let id = args.auction_id.get();
    // Before the deed: after it nothing may come between it and its report.
    let Some(currency) = currency_of(&store, args.auction_id).await? else {
        let view = CloseView::refused(id, "not-found", args.dry_run);
        return refuse(ctx, &view, NOT_FOUND, None);
    };
    let reply = store
        .auction_close(args.auction_id, mode(args.dry_run))
        .await?;
    let (outcome, closed) = match &reply {
        CloseReply::Closed(closed) => ("closed", closed),
        CloseReply::AlreadyClosed(closed) => ("already-closed", closed),
        CloseReply::NotDue { end, now } => {
            let mut view = CloseView::refused(id, "not-due", args.dry_run);
            view.ends_at = Some(units::utc(*end));
            view.server_time = Some(units::utc(*now));
            return refuse(ctx, &view, "its end is still ahead", Some((*end, *now)));
        }
        CloseReply::Cancelled => {
            let view = CloseView::refused(id, "cancelled", args.dry_run);
            return refuse(ctx, &view, "it was cancelled and is never closed", None);
        }
        CloseReply::Owned => {
            let view = CloseView::refused(id, "owned", args.dry_run);
            return refuse(ctx, &view, "a hot-mode node has it", None);
        }
        CloseReply::NotFound => {
            let view = CloseView::refused(id, "not-found", args.dry_run);
            return refuse(ctx, &view, NOT_FOUND, None);
        }
    };
    ctx.done(&CloseView::closed(
        id,
        outcome,
        &closed.event,
        currency,
        args.dry_run,
    ))?;
    Ok(Exit::DONE)
}

fn refuse(
    ctx: &mut Context,
    view: &CloseView,
    why: &str,
    times: Option<(Micros, Micros)>,
) -> anyhow::Result<Exit> {
    let printed = match ctx.ui.format() {
        Format::Table => Ok(()),
        Format::Json | Format::Csv => ctx.ui.card(view),
    };
    let facts = times.map_or(Vec::new(), |(end, now)| {
        vec![("ends", units::utc(end)), ("server time", units::utc(now))]
    });
    let text = format!("auction {}: {why} ({})", view.auction_id, view.outcome);
    ctx.ui.refusal(&text, &facts);
    printed?;
    Ok(Exit::REFUSED)
}
