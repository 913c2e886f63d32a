//! The closings of the last minute, by the instants at which they were recorded.

use super::reading::{Lag, Pace, Second};
use crate::auction::Micros;
use crate::store::Closing;

/// How many seconds are kept.
pub(super) const SECONDS: usize = 60;
const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;

/// Closings with their lag, and numbers of others that were only counted.
#[derive(Debug, Default)]
pub(super) struct Minute {
    measured: Vec<Measured>,
    counted: Vec<Counted>,
}

#[derive(Debug, Clone, Copy)]
struct Measured {
    closed: Micros,
    lag_us: u64,
}

/// So many between two looks.
#[derive(Debug, Clone, Copy)]
struct Counted {
    from: Micros,
    to: Micros,
    number: u64,
}

impl Minute {
    /// A closing; none if the auction is open.
    pub(super) fn measure(&mut self, closing: &Closing) {
        if let Some(closed) = closing.closed {
            let lag_us = u64::try_from(closed.since(closing.end)).unwrap_or_default();
            self.measured.push(Measured { closed, lag_us });
        }
    }

    /// So many were closed between two instants.
    pub(super) fn count(&mut self, number: u64, from: Micros, to: Micros) {
        if number > 0 && from < to {
            self.counted.push(Counted { from, to, number });
        }
    }

    /// Lets go of what is older than a minute.
    pub(super) fn forget(&mut self, now: Micros) {
        self.measured
            .retain(|one| now.since(one.closed) < MINUTE_US);
        self.counted.retain(|some| now.since(some.to) < MINUTE_US);
    }

    /// The minute up to an instant.
    pub(super) fn pace(&self, now: Micros) -> Pace {
        let mut seconds = vec![Second::default(); SECONDS];
        for one in &self.measured {
            if let Some(second) = seconds.get_mut(ago(now, one.closed)) {
                second.closed += 1;
                second.lag_max_us = second.lag_max_us.max(Some(one.lag_us));
            }
        }
        self.counted
            .iter()
            .for_each(|some| some.spread(now, &mut seconds));
        seconds.reverse();
        Pace {
            closed: seconds.iter().map(|second| second.closed).sum(),
            lag: self.lag(),
            seconds,
        }
    }

    fn lag(&self) -> Option<Lag> {
        let mut lags: Vec<u64> = self.measured.iter().map(|one| one.lag_us).collect();
        lags.sort_unstable();
        // The least value that so many of a hundred do not exceed.
        let percentile = |of_100: usize| lags.get((lags.len() * of_100).div_ceil(100) - 1).copied();
        let max_us = *lags.last()?;
        Some(Lag {
            p50_us: percentile(50).unwrap_or(max_us),
            p99_us: percentile(99).unwrap_or(max_us),
            max_us,
        })
    }
}

impl Counted {
    /// Evenly over the seconds it took; those before the minute are lost.
    fn spread(&self, now: Micros, seconds: &mut [Second]) {
        let first = ago(now, self.to);
        let last = ago(now, self.from).max(first);
        let parts = u64::try_from(last - first + 1).unwrap_or(1);
        for (part, at) in (0..parts).zip(first..) {
            if let Some(second) = seconds.get_mut(at) {
                second.closed += self.number * (part + 1) / parts - self.number * part / parts;
            }
        }
    }
}

/// How many whole seconds before an instant; what a clock puts after it counts as just now.
fn ago(now: Micros, then: Micros) -> usize {
    usize::try_from(now.since(then) / SECOND_US).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auction::AuctionId;

    const NOW: i64 = 1_000_000_000;

    fn at(us: i64) -> Micros {
        Micros::new(us).unwrap()
    }

    fn closing(end_us: i64, closed_us: i64) -> Closing {
        Closing {
            auction_id: AuctionId::new(1).unwrap(),
            end: at(end_us),
            closed: Some(at(closed_us)),
        }
    }

    #[test]
    fn closings_stand_in_their_seconds_and_are_forgotten_after_a_minute() {
        let mut minute = Minute::default();
        assert_eq!(minute.pace(at(NOW)).lag, None);
        for (end, closed) in [(0, 7), (100, 300), (-5_000_000, -4_000_000)] {
            minute.measure(&closing(NOW + end, NOW + closed));
        }
        minute.measure(&Closing {
            closed: None,
            ..closing(NOW, NOW)
        });
        let pace = minute.pace(at(NOW));
        let numbers: Vec<u64> = pace.seconds[55..].iter().map(|one| one.closed).collect();
        assert_eq!((numbers, pace.closed), (vec![1, 0, 0, 0, 2], 3));
        assert_eq!(pace.seconds[59].lag_max_us, Some(200));
        assert_eq!(pace.seconds[55].lag_max_us, Some(1_000_000));
        let later = at(NOW + MINUTE_US - 1_000_000);
        minute.forget(later);
        assert_eq!(minute.pace(later).closed, 2);
    }

    #[test]
    fn percentiles_are_the_least_values_not_exceeded() {
        let mut minute = Minute::default();
        for lag in 1..=200 {
            minute.measure(&closing(NOW - lag, NOW));
        }
        let (p50_us, p99_us, max_us) = (100, 198, 200);
        let lag = minute.pace(at(NOW)).lag;
        assert_eq!(
            lag,
            Some(Lag {
                p50_us,
                p99_us,
                max_us
            })
        );
    }

    #[test]
    fn what_was_only_counted_is_spread_over_its_seconds() {
        let mut minute = Minute::default();
        minute.count(10, at(NOW - 3_500_000), at(NOW));
        let pace = minute.pace(at(NOW));
        let numbers: Vec<u64> = pace.seconds[56..].iter().map(|one| one.closed).collect();
        assert_eq!((numbers, pace.closed), (vec![3, 2, 3, 2], 10));
        assert_eq!(pace.lag, None);
        // Half of it lies before the minute.
        let later = at(NOW + MINUTE_US - 2_000_000);
        assert_eq!(minute.pace(later).closed, 5);
        minute.forget(at(NOW + MINUTE_US));
        assert_eq!(minute.pace(later).closed, 0);
    }
}
