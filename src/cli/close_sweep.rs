//! `gavel close-sweep`.

use clap::Args;

use super::context::{Context, mode};
use super::exit::Exit;
use crate::closer::{SweepOptions, SweepReport, sweep};
use crate::output::views::sweep::SweepView;
use crate::output::{Card as _, Format, Progress};
use crate::store::Contract as _;

/// Close every auction that has ended
///
/// Sweeps until nothing is due, for cron or by hand. Any number may run at once: each auction is
/// closed exactly once. An auction that cannot be closed is named and never stops the others
/// (exit 4); auctions that somebody else holds locked are counted (exit 75).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel close-sweep
  gavel close-sweep --dry-run
  gavel close-sweep --quiet --batch 100 >> closed.log   # in a crontab")]
pub(crate) struct CloseSweepArgs {
    /// The most auctions closed in one transaction
    #[arg(long, value_name = "N", default_value_t = 500,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch: u32,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Sweeps.
pub(crate) async fn run(args: CloseSweepArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let due = store.backlog().await?.due;
    let bar = Progress::bar(&ctx.ui, "closing", u64::try_from(due).unwrap_or(0));
    let options = SweepOptions {
        batch: args.batch,
        mode: mode(args.dry_run),
    };
    let (report, outcome) = sweep(&store, &options, |closed| {
        bar.add(u64::try_from(closed.len()).unwrap_or(0));
    })
    .await;
    bar.finish();
    // What was closed before a failure is told all the same; "nothing was due" would be a guess.
    let idle = report == SweepReport::default();
    let view = SweepView::new(&report, args.dry_run);
    let printed = match (idle, outcome.is_ok(), ctx.ui.format()) {
        (true, false, _) => Ok(()),
        // To people a word and no result, so that a quiet cron job sends no mail.
        (true, true, Format::Table) => {
            ctx.ui.note(&view.heading());
            Ok(())
        }
        _ => ctx.done(&view),
    };
    for bad in &report.bad {
        let text = format!(
            "auction {} cannot be closed: {}",
            bad.auction_id, bad.reason
        );
        ctx.ui.warn(&text);
    }
    outcome?;
    printed?;
    if !report.bad.is_empty() {
        ctx.ui.hint("gavel replay ID names what is damaged");
        return Ok(Exit::FINDINGS);
    }
    if report.left > 0 {
        ctx.ui
            .hint("the rest is locked by somebody else: sweep again");
        return Ok(Exit::TEMPORARY);
    }
    Ok(Exit::DONE)
}
