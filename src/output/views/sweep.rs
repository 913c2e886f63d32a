//! What a sweep did.

use crate::closer::SweepReport;
use crate::output::record::record;
use crate::output::views::create::rehearsed;
use crate::output::{Card, Tone, units};

record! {
    /// The sums of a sweep.
    pub(crate) struct SweepView {
        closed: u64,
        sold: u64,
        no_bids: u64,
        reserve_not_met: u64,
        /// Due, and locked by somebody else.
        left: u64,
        /// Could not be closed; named on standard error.
        bad: usize,
        /// The longest time from an end to its closing.
        lag_max_us: i64,
        /// Claims of closers that are gone, given back.
        reaped: u64,
        dry_run: bool,
    }
}

impl SweepView {
    /// Of a report.
    pub(crate) fn new(report: &SweepReport, dry_run: bool) -> Self {
        Self {
            closed: report.closed,
            sold: report.sold,
            no_bids: report.no_bids,
            reserve_not_met: report.reserve_not_met,
            left: report.left,
            bad: report.bad.len(),
            lag_max_us: report.lag_max_us,
            reaped: report.reaped,
            dry_run,
        }
    }
}

impl Card for SweepView {
    fn heading(&self) -> String {
        let closed = match (self.closed, self.bad, self.left) {
            (0, 0, 0) => "nothing was due".to_owned(),
            (0, ..) => "no auction closed".to_owned(),
            (closed, ..) => format!("{} closed", units::count(closed, "auction")),
        };
        rehearsed(closed, self.dry_run)
    }

    fn tone(&self) -> Tone {
        match (self.bad, self.left) {
            (0, 0) => Tone::Good,
            _ => Tone::Caution,
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let number = |number: u64| {
            if number == 0 {
                String::new()
            } else {
                number.to_string()
            }
        };
        let lag = if self.closed == 0 {
            String::new()
        } else {
            format!("{} at most after the end", units::span(self.lag_max_us))
        };
        vec![
            ("sold", number(self.sold)),
            ("no bids", number(self.no_bids)),
            ("reserve not met", number(self.reserve_not_met)),
            ("closed", lag),
            ("claims given back", number(self.reaped)),
            ("left locked", number(self.left)),
            ("bad", number(u64::try_from(self.bad).unwrap_or(u64::MAX))),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}
