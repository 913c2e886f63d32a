//! What a daemon counts, in the text form that Prometheus reads.
//!
//! Counters and the histogram follow the daemon's notices; how the database stands is asked when
//! somebody reads. No auction, person or amount is named.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::daemon::Notice;
use crate::auction::{CloseResult, Micros};
use crate::store::{Backlog, Closed, OutboxBacklog};

/// Seconds from an end to its closing.
const LAGS: [f64; 17] = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0,
    3_600.0,
];

type Label = [(&'static str, &'static str); 1];
type Seconds = Gauge<f64, AtomicU64>;

/// How a database stands.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// Its clock.
    pub now: Micros,
    /// What is due.
    pub due: Backlog,
    /// What waits to be told.
    pub outbox: OutboxBacklog,
}

/// A daemon's counters.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    closed: Family<Label, Counter>,
    lag: Histogram,
    bad: Counter,
    reaped: Counter,
    failures: Counter,
    skipped: Gauge,
    up: Gauge,
    due: Gauge,
    due_oldest: Seconds,
    pending: Gauge,
    pending_oldest: Seconds,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("gavel"),
            closed: Family::default(),
            lag: Histogram::new(LAGS),
            bad: Counter::default(),
            reaped: Counter::default(),
            failures: Counter::default(),
            skipped: Gauge::default(),
            up: Gauge::default(),
            due: Gauge::default(),
            due_oldest: Seconds::default(),
            pending: Gauge::default(),
            pending_oldest: Seconds::default(),
        };
        // A counter that is not there yet cannot be seen to grow.
        for result in [
            CloseResult::Sold,
            CloseResult::NoBids,
            CloseResult::ReserveNotMet,
        ] {
            metrics.closed.get_or_create(&label(result)).inc_by(0);
        }
        metrics.register();
        metrics
    }
}

fn label(result: CloseResult) -> Label {
    [("result", result.as_str())]
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        let text = "Auctions closed by this daemon, by result";
        registry.register("auctions_closed", text, self.closed.clone());
        let text = "From an auction's end to its closing";
        registry.register_with_unit("close_lag", text, Unit::Seconds, self.lag.clone());
        let text = "Attempts on an auction that could not be closed";
        registry.register("close_failures", text, self.bad.clone());
        let text = "Claims of closers that are gone, given back";
        registry.register("claims_reaped", text, self.reaped.clone());
        let text = "Times in which the database failed the daemon";
        registry.register("database_failures", text, self.failures.clone());
        let text = "Auctions passed over for now, because they could not be closed";
        registry.register("skipped_auctions", text, self.skipped.clone());
        let text = "Whether the database answered when these metrics were read";
        registry.register("database_up", text, self.up.clone());
        let text = "Auctions of this daemon's shards that have ended and are open";
        registry.register("due_auctions", text, self.due.clone());
        let text = "Since the earliest end among them";
        let oldest = self.due_oldest.clone();
        registry.register_with_unit("due_oldest_age", text, Unit::Seconds, oldest);
        let text = "Events in the outbox that nobody has taken yet";
        registry.register("outbox_pending_events", text, self.pending.clone());
        let text = "Since the oldest of them happened";
        let oldest = self.pending_oldest.clone();
        registry.register_with_unit("outbox_oldest_age", text, Unit::Seconds, oldest);
    }

    /// Counts what happened.
    pub fn count(&self, notice: Notice<'_>) {
        match notice {
            Notice::Closed(batch) => batch.iter().for_each(|closed| self.closed(closed)),
            Notice::Tick(report) => {
                self.bad
                    .inc_by(u64::try_from(report.bad.len()).unwrap_or_default());
                self.reaped.inc_by(report.reaped);
            }
            Notice::Lost { .. } => {
                self.failures.inc();
            }
            Notice::Looked { skipped } => {
                self.skipped.set(i64::try_from(skipped).unwrap_or(i64::MAX));
            }
            Notice::Back => {}
        }
    }

    fn closed(&self, Closed { event, .. }: &Closed) {
        if let Some(result) = event.result {
            self.closed.get_or_create(&label(result)).inc();
        }
        self.lag.observe(seconds(event.end, event.closed_at));
    }

    /// How the database stands; none if it does not answer.
    pub fn stands(&self, standing: Option<&Standing>) {
        self.up.set(i64::from(standing.is_some()));
        let Some(Standing { now, due, outbox }) = standing else {
            return;
        };
        let age = |since: Option<Micros>| since.map_or(0.0, |since| seconds(since, *now));
        self.due.set(due.due);
        self.due_oldest.set(age(due.oldest_end));
        self.pending.set(outbox.pending);
        self.pending_oldest.set(age(outbox.oldest));
    }

    /// All of it, in OpenMetrics' text form.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // A string takes everything.
        encode(&mut text, &self.registry).unwrap_or_default();
        text
    }
}

/// From one instant to another; none of it if that is earlier.
fn seconds(from: Micros, to: Micros) -> f64 {
    let us = u64::try_from(to.since(from)).unwrap_or_default();
    Duration::from_micros(us).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closer::{BadAuction, SweepReport};

    fn at(us: i64) -> Micros {
        Micros::new(us).unwrap()
    }

    #[test]
    fn notices_and_the_standing_are_told() {
        let metrics = Metrics::default();
        let before = metrics.text();
        for line in [
            r#"gavel_auctions_closed_total{result="sold"} 0"#,
            r#"gavel_auctions_closed_total{result="reserve-not-met"} 0"#,
            "gavel_close_lag_seconds_count 0",
            "gavel_database_up 0",
        ] {
            assert!(before.lines().any(|told| told == line), "{line}\n{before}");
        }
        let auction_id = crate::auction::AuctionId::new(7731).unwrap();
        let report = SweepReport {
            bad: vec![BadAuction {
                auction_id,
                reason: "x".to_owned(),
            }],
            reaped: 4,
            ..SweepReport::default()
        };
        metrics.count(Notice::Tick(&report));
        metrics.count(Notice::Looked { skipped: 1 });
        metrics.stands(Some(&Standing {
            now: at(5_500_000),
            due: Backlog {
                due: 9,
                oldest_end: Some(at(3_000_000)),
            },
            outbox: OutboxBacklog::default(),
        }));
        let after = metrics.text();
        for line in [
            "gavel_close_failures_total 1",
            "gavel_claims_reaped_total 4",
            "gavel_skipped_auctions 1",
            "gavel_database_up 1",
            "gavel_due_auctions 9",
            "gavel_due_oldest_age_seconds 2.5",
            "gavel_outbox_oldest_age_seconds 0.0",
        ] {
            assert!(after.lines().any(|told| told == line), "{line}\n{after}");
        }
        assert!(!after.contains("7731") && after.ends_with("# EOF\n"));
    }
}
