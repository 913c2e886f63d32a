//! `gavel close-sweep --daemon`.

use std::time::Duration;

use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::auction::Span;
use crate::clock::Clock;
use crate::closer::{DaemonOptions, Notice, SweepOptions, SweepReport, run_daemon};
use crate::output::views::tick::TickView;
use crate::output::{Feed, OutputError, Ui, units};

/// The shortest and the longest interval, microseconds.
const INTERVALS_US: std::ops::RangeInclusive<i64> = 10_000..=3_600_000_000;

/// How to run, checked.
pub(super) fn plan(
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
pub(super) async fn run(options: &DaemonOptions, ctx: &mut Context) -> anyhow::Result<Exit> {
    let stop = ctx.shutdown.clone();
    stop.heed();
    let store = tokio::select! {
        biased;
        () = stop.asked() => return Ok(Exit::DONE),
        store = ctx.store() => store?,
    };
    let mut narrator = Narrator::new(&mut ctx.ui);
    narrator.begin(options);
    let outcome = run_daemon(&store, options, &stop, |notice| narrator.tell(notice)).await;
    outcome?;
    narrator.end();
    Ok(Exit::DONE)
}

/// Says what a daemon does. It goes on when nobody reads any more.
struct Narrator<'a> {
    ui: &'a mut Ui,
    feed: Feed<TickView>,
    mute: bool,
    closed: u64,
}

impl<'a> Narrator<'a> {
    fn new(ui: &'a mut Ui) -> Self {
        Self {
            ui,
            feed: Feed::new(),
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
        let every = units::span(i64::try_from(options.interval.as_micros()).unwrap_or(i64::MAX));
        let shards = options.sweep.shards;
        let text = format!("closing auctions {how}, shards {shards}, looking every {every}");
        self.ui.note(&text);
    }

    fn end(&mut self) {
        let closed = units::count(self.closed, "auction");
        self.ui.note(&format!("stopped: {closed} closed"));
    }

    fn tell(&mut self, notice: Notice<'_>) {
        match notice {
            Notice::Closed(batch) => {
                self.closed += u64::try_from(batch.len()).unwrap_or_default();
            }
            Notice::Tick(report) => self.tick(report),
            Notice::Lost {
                error,
                failures,
                pause,
            } => {
                // The first, and then more and more rarely.
                if failures.is_power_of_two() {
                    let pause = units::span(i64::try_from(pause.as_micros()).unwrap_or(i64::MAX));
                    let text = format!("{error}; failure {failures}, next try in {pause}");
                    self.ui.warn(&text);
                }
            }
            Notice::Back => self.ui.note("the database answers again"),
        }
    }

    fn tick(&mut self, report: &SweepReport) {
        let view = TickView::new(report, Clock::System.now());
        if !self.mute
            && let Err(error) = self.feed.push(self.ui, &view, &view.told())
        {
            self.mute(&error);
        }
        for bad in &report.bad {
            let text = format!(
                "auction {} cannot be closed: {}",
                bad.auction_id, bad.reason
            );
            self.ui.warn(&text);
        }
    }

    fn mute(&mut self, error: &OutputError) {
        self.mute = true;
        if !error.is_closed() {
            self.ui
                .warn(&format!("{error}; closing goes on in silence"));
        }
    }
}
