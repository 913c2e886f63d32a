//! What a closer's tick did; told only when it did something.

use crate::auction::Micros;
use crate::closer::SweepReport;
use crate::output::record::record;
use crate::output::{Tone, units};

record! {
    /// The sums of a tick.
    pub(crate) struct TickView {
        /// When it was over, by this machine's clock.
        at: String,
        closed: u64,
        sold: u64,
        no_bids: u64,
        reserve_not_met: u64,
        /// Could not be closed; named on standard error.
        bad: usize,
        /// The longest time from an end to its closing.
        lag_max_us: i64,
        /// Claims of closers that are gone, given back.
        reaped: u64,
    }
}

impl TickView {
    /// Of a report.
    pub(crate) fn new(report: &SweepReport, at: Micros) -> Self {
        Self {
            at: units::utc(at),
            closed: report.closed,
            sold: report.sold,
            no_bids: report.no_bids,
            reserve_not_met: report.reserve_not_met,
            bad: report.bad.len(),
            lag_max_us: report.lag_max_us,
            reaped: report.reaped,
        }
    }

    /// For people, on one line.
    pub(crate) fn told(&self) -> (Tone, String) {
        let mut parts = vec![format!("{} closed", units::count(self.closed, "auction"))];
        for (number, what) in [
            (self.sold, "sold"),
            (self.no_bids, "without bids"),
            (self.reserve_not_met, "below the reserve"),
            (self.reaped, "given back by the reaper"),
            (u64::try_from(self.bad).unwrap_or(u64::MAX), "bad"),
        ] {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        }
        if self.closed > 0 {
            parts.push(format!("at most {} late", units::span(self.lag_max_us)));
        }
        let tone = if self.bad > 0 {
            Tone::Caution
        } else {
            Tone::Plain
        };
        let at = units::second(&self.at);
        (tone, format!("{at}  {}", parts.join(", ")))
    }
}
