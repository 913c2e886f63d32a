//! `gavel close-sweep --daemon`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use super::close_log::{self, LogFormat};
use super::close_metrics::Exporter;
use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use super::service;
use crate::auction::Span;
use crate::clock::Clock;
use crate::closer::{
    BadAuction, DaemonOptions, Metrics, Notice, SweepOptions, SweepReport, run_daemon,
};
use crate::output::views::tick::TickView;
use crate::output::{Feed, OutputError, Ui, units};
use crate::store::StoreError;

/// The shortest and the longest interval, microseconds.
const INTERVALS_US: std::ops::RangeInclusive<i64> = 10_000..=3_600_000_000;

/// How to run, and who is told.
pub(super) struct Plan {
    pub(super) daemon: DaemonOptions,
    pub(super) metrics: Option<SocketAddr>,
    pub(super) log_format: Option<LogFormat>,
}

/// How to run, checked.
pub(super) fn options(
    sweep: SweepOptions,
    interval: Span,
    look_ahead: bool,
) -> Result<DaemonOptions, InputError> {
    if !INTERVALS_US.contains(&interval.get()) {
        return Err(InputError::option("--interval", "from 10ms to 1h"));
    }
    let interval_us = u64::try_from(interval.get()).unwrap_or_default();
    Ok(DaemonOptions {
        sweep,
        interval: Duration::from_micros(interval_us),
        look_ahead,
    })
}

/// Closes until it is asked to stop.
pub(super) async fn run(plan: &Plan, ctx: &mut Context) -> anyhow::Result<Exit> {
    let stop = ctx.shutdown.clone();
    stop.heed();
    if let Some(format) = plan.log_format {
        close_log::install(format)?;
    }
    let store = tokio::select! {
        biased;
        () = stop.asked() => return Ok(Exit::DONE),
        store = ctx.store() => store?,
    };
    let metrics = Arc::new(Metrics::default());
    let remit = plan.daemon.sweep.remit;
    let exporter = match plan.metrics {
        Some(at) => Some(Exporter::at(at, metrics.clone(), store.clone(), remit).await?),
        None => None,
    };
    let mut narrator = Narrator::new(&mut ctx.ui, plan.log_format.is_some());
    narrator.begin(&plan.daemon);
    if let Some(exporter) = &exporter {
        narrator.note(&format!("metrics at {}", exporter.url()?));
    }
    let closing = run_daemon(&store, &plan.daemon, &stop, |notice| {
        metrics.count(notice);
        narrator.tell(notice);
    });
    let announcing = async {
        stop.asked().await;
        service::stopping();
    };
    let serving = async {
        match exporter {
            Some(exporter) => exporter.serve().await,
            None => std::future::pending().await,
        }
    };
    let outcome = tokio::select! {
        biased;
        outcome = closing => outcome,
        // Neither watchdog nor exporter ever ends.
        _ = async { tokio::join!(announcing, serving, service::watchdog()) } => Ok(()),
    };
    if let Err(error) = &outcome {
        narrator.failed(error);
    }
    outcome?;
    narrator.end();
    Ok(Exit::DONE)
}

/// Says what a daemon does. It goes on when nobody reads any more.
struct Narrator<'a> {
    ui: &'a mut Ui,
    feed: Feed<TickView>,
    logs: bool,
    mute: bool,
    closed: u64,
}

impl<'a> Narrator<'a> {
    fn new(ui: &'a mut Ui, logs: bool) -> Self {
        Self {
            ui,
            feed: Feed::new(),
            logs,
            mute: false,
            closed: 0,
        }
    }

    fn begin(&mut self, options: &DaemonOptions) {
        let how = if options.look_ahead {
            "at their ends"
        } else {
            "that have ended"
        };
        let every = span(options.interval);
        let shards = options.sweep.remit.shards;
        let text = format!("closing auctions {how}, shards {shards}, looking every {every}");
        self.note(&text);
        service::ready(&text);
    }

    fn end(&mut self) {
        // Said before, unless there was no batch in hand.
        service::stopping();
        let closed = units::count(self.closed, "auction");
        self.note(&format!("stopped: {closed} closed"));
    }

    fn tell(&mut self, notice: Notice<'_>) {
        match notice {
            Notice::Closed(batch) => {
                self.closed += u64::try_from(batch.len()).unwrap_or_default();
            }
            Notice::Tick(report) => {
                self.tick(report);
                report.bad.iter().for_each(|bad| self.bad(bad));
                let closed = units::count(self.closed, "auction");
                service::status(&format!("{closed} closed since the start"));
            }
            // The first, and then more and more rarely.
            Notice::Lost {
                error,
                failures,
                pause,
            } if failures.is_power_of_two() => {
                let pause = span(pause);
                let text = format!("{error}; failure {failures}, next try in {pause}");
                self.warn(&text);
                service::status(&text);
            }
            Notice::Back => {
                self.note("the database answers again");
                service::status("the database answers again");
            }
            Notice::Lost { .. } | Notice::Looked { .. } => {}
        }
    }

    fn tick(&mut self, report: &SweepReport) {
        if self.logs {
            tracing::info!(
                closed = report.closed,
                sold = report.sold,
                no_bids = report.no_bids,
                reserve_not_met = report.reserve_not_met,
                bad = report.bad.len(),
                lag_max_us = report.lag_max_us,
                reaped = report.reaped,
                "closed"
            );
            return;
        }
        let view = TickView::new(report, Clock::System.now());
        if !self.mute
            && let Err(error) = self.feed.push(self.ui, &view, &view.told())
        {
            self.mute(&error);
        }
    }

    fn bad(&mut self, bad: &BadAuction) {
        let BadAuction { auction_id, reason } = bad;
        if self.logs {
            let auction_id = auction_id.get();
            tracing::warn!(auction_id, reason, "cannot be closed");
            return;
        }
        self.ui
            .warn(&format!("auction {auction_id} cannot be closed: {reason}"));
    }

    fn mute(&mut self, error: &OutputError) {
        self.mute = true;
        if !error.is_closed() {
            self.ui
                .warn(&format!("{error}; closing goes on in silence"));
        }
    }

    /// For who reads the log alone; the words follow in any case.
    fn failed(&self, error: &StoreError) {
        if self.logs {
            tracing::error!("{error}");
        }
    }

    fn note(&mut self, text: &str) {
        if self.logs {
            tracing::info!("{text}");
        } else {
            self.ui.note(text);
        }
    }

    fn warn(&mut self, text: &str) {
        if self.logs {
            tracing::warn!("{text}");
        } else {
            self.ui.warn(text);
        }
    }
}

fn span(span: Duration) -> String {
    units::span(i64::try_from(span.as_micros()).unwrap_or(i64::MAX))
}
