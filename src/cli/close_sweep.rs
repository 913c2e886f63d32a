//! `gavel close-sweep`.

use std::net::SocketAddr;

use clap::{Args, ValueEnum};

use super::close_daemon::{self, Plan};
use super::close_log::LogFormat;
use super::context::{Context, mode};
use super::exit::Exit;
use crate::auction::{Shards, Span};
use crate::closer::{Strategy, SweepOptions, SweepReport, sweep};
use crate::output::views::sweep::SweepView;
use crate::output::{Card as _, Format, Progress};
use crate::store::Contract as _;

/// Close every auction that has ended
///
/// Sweeps until nothing is due, for cron or by hand. Any number may run at once: each auction is
/// closed exactly once. An auction that cannot be closed is named and never stops the others
/// (exit 4); auctions that somebody else holds locked are counted (exit 75).
///
/// With --strategy claim an auction is first marked CLOSING under a number of its own and closed
/// in a second step, by whoever has the latest number. A sweep gives back the claims of closers
/// that have not come back within --claim-timeout.
///
/// With --daemon it stays, and closes each auction at its end, by the database's clock: every
/// --interval it reads the ends that come before the next one, and what may have been left. It
/// says a line when something was closed. A database that fails is awaited, however long. An
/// auction that cannot be closed is tried again later, each time after a longer pause. The first
/// SIGTERM or Ctrl-C lets it finish the batch in hand and exit 0; a second ends it at once.
///
/// PostgreSQL's clock is the server's, whatever this host's says. An SQLite file has this host's
/// alone: where that is wrong auctions are closed early or late by as much, and still once.
///
/// Under systemd (Type=notify) it says when it is ready and stopping, and feeds the watchdog
/// (WatchdogSec=). With --metrics it serves /metrics: closes by result, their lag, what is due,
/// passed over, failed and given back, and what waits in the outbox. Nothing there names an
/// auction, a person or an amount; the address is open to whoever reaches it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel close-sweep
  gavel close-sweep --dry-run
  gavel close-sweep --shards 0-15      # another host takes 16-31
  gavel close-sweep --quiet --batch 100 >> closed.log   # in a crontab
  gavel close-sweep --daemon --log-format json          # as a service
  gavel close-sweep --daemon --metrics 127.0.0.1:9464")]
pub(crate) struct CloseSweepArgs {
    /// The most auctions closed in one transaction
    #[arg(long, value_name = "N", default_value_t = 500,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch: u32,
    /// How many batches to close at once, each on a connection of its own; SQLite has one writer
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=16))]
    jobs: u32,
    /// Close auctions of these shards only, of 0 to 31: numbers and ranges, such as 0-7,12
    /// [default: all]
    #[arg(long, value_name = "LIST")]
    shards: Option<Shards>,
    /// Close a batch in one transaction, or claim each auction first and close it in a second
    #[arg(long, value_enum, default_value_t, value_name = "WAY")]
    strategy: Way,
    /// Give back claims that are older: their closers are gone
    #[arg(long, value_name = "SPAN", default_value = "30s")]
    claim_timeout: Span,
    /// Stay, and close auctions at their ends until stopped
    #[arg(long, conflicts_with = "dry_run")]
    daemon: bool,
    /// With --daemon: how often to look for what is due and what will be
    #[arg(long, value_name = "SPAN", default_value = "1s", requires = "daemon")]
    interval: Span,
    /// With --daemon: close what is due every interval, not at the ends themselves
    #[arg(long, requires = "daemon")]
    no_look_ahead: bool,
    /// With --daemon: serve metrics for Prometheus at this address, such as 127.0.0.1:9464
    #[arg(long, requires = "daemon", value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// With --daemon: say everything as a log on standard error: text, or json (one object a line)
    #[arg(
        long,
        requires = "daemon",
        value_enum,
        value_name = "FORM",
        hide_possible_values = true
    )]
    log_format: Option<LogFormat>,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Way {
    /// A batch a transaction
    #[default]
    Batch,
    /// Claimed, then closed by whoever still has the claim
    Claim,
}

impl CloseSweepArgs {
    fn options(&self) -> SweepOptions {
        SweepOptions {
            batch: self.batch,
            jobs: self.jobs,
            mode: mode(self.dry_run),
            remit: self.shards.unwrap_or_default().into(),
            strategy: match self.strategy {
                Way::Batch => Strategy::Batch,
                Way::Claim => Strategy::Claim,
            },
            claim_timeout: self.claim_timeout,
        }
    }
}

/// Sweeps.
pub(crate) async fn run(args: CloseSweepArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let options = args.options();
    if args.daemon {
        let plan = Plan {
            daemon: close_daemon::options(options, args.interval, !args.no_look_ahead)?,
            metrics: args.metrics,
            log_format: args.log_format,
        };
        return close_daemon::run(&plan, ctx).await;
    }
    let store = ctx.store().await?;
    let due = store.backlog(options.remit).await?.due;
    let bar = Progress::bar(&ctx.ui, "closing", u64::try_from(due).unwrap_or(0));
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
