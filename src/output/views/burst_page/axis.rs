//! Where values lie on an axis, from 0 at its beginning to 1 at its end, and what is written there.
//!
//! Every place is a finite number within the axis, whatever the values: none, one, zero.

use std::time::Duration;

/// The most ticks that are written on an axis.
const TICKS_MAX: usize = 7;

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// From 0 to 1.
    pub(super) place: f64,
    /// What is written there.
    pub(super) label: String,
}

/// Durations, by their logarithm. Nothing is shorter than a microsecond here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Durations {
    low_us: i64,
    high_us: i64,
}

impl Durations {
    /// An axis on which all of these have room.
    pub(super) fn of(values: impl IntoIterator<Item = i64>) -> Self {
        let values: Vec<i64> = values.into_iter().map(|us| us.max(1)).collect();
        let lowest = values.iter().copied().min().unwrap_or(1_000);
        let highest = values.iter().copied().max().unwrap_or(1_000);
        let low_us = round_steps().take_while(|us| *us <= lowest).last();
        let low_us = low_us.unwrap_or(1);
        let high_us = round_steps().find(|us| *us >= highest && *us > low_us);
        Self {
            low_us,
            high_us: high_us.unwrap_or(i64::MAX),
        }
    }

    /// Where a duration lies.
    pub(super) fn place(self, us: i64) -> f64 {
        let (low, high) = (log10_us(self.low_us), log10_us(self.high_us));
        ((log10_us(us) - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// Round durations; powers of ten alone where there are many.
    pub(super) fn ticks(self) -> Vec<Tick> {
        let within = round_steps().filter(|us| (self.low_us..=self.high_us).contains(us));
        let mut shown: Vec<i64> = within.collect();
        if shown.len() > TICKS_MAX {
            shown.retain(|us| *us == 10_i64.pow(us.ilog10()));
        }
        let tick = |us: i64| Tick {
            place: self.place(us),
            label: round_duration(us),
        };
        shown.into_iter().map(tick).collect()
    }
}

/// 1, 2, 5, 10, 20, 50 …
fn round_steps() -> impl Iterator<Item = i64> {
    (0..18).flat_map(|power| [1, 2, 5].map(|leading| leading * 10_i64.pow(power)))
}

fn round_duration(us: i64) -> String {
    match us {
        ..1_000 => format!("{us}us"),
        1_000..1_000_000 => format!("{}ms", us / 1_000),
        _ => format!("{}s", us / 1_000_000),
    }
}

fn log10_us(us: i64) -> f64 {
    let us = Duration::from_micros(us.max(1).unsigned_abs());
    us.as_secs_f64().log10() + 6.0
}

/// Percentiles, stretched towards the end: from 90 to 99 is as far as from 99 to 99.9.
#[derive(Debug, Clone, Copy)]
pub(super) struct Percents {
    /// How many nines there is room for.
    nines: f64,
}

impl Percents {
    /// All of a distribution, in thousandths of a percent.
    pub(super) const ALL: u32 = 100_000;

    /// An axis for distributions of at most so many values.
    pub(super) fn of(count_max: u64) -> Self {
        Self {
            nines: nines_of(count_max).max(1.0),
        }
    }

    /// Where a percentile of so many values lies; the longest of them where the last one begins.
    pub(super) fn place(self, percent_milli: u32, count: u64) -> f64 {
        let beyond = Self::ALL.saturating_sub(percent_milli);
        let nines = match beyond {
            0 => f64::INFINITY,
            _ => 5.0 - f64::from(beyond).log10(),
        };
        (nines.clamp(0.0, nines_of(count)) / self.nines).min(1.0)
    }

    /// 50, 90, 99, 99.9 …
    pub(super) fn ticks(self) -> Vec<Tick> {
        const WRITTEN: [(u32, &str); 6] = [
            (50_000, "50"),
            (90_000, "90"),
            (99_000, "99"),
            (99_900, "99.9"),
            (99_990, "99.99"),
            (99_999, "99.999"),
        ];
        let tick = |(percent, label): (u32, &str)| Tick {
            place: self.place(percent, u64::MAX),
            label: format!("{label} %"),
        };
        let fits = |tick: &Tick| tick.place < 0.99;
        WRITTEN.into_iter().map(tick).filter(fits).collect()
    }
}

fn nines_of(count: u64) -> f64 {
    const MOST: f64 = 5.0;
    number(count.max(1)).log10().min(MOST)
}

/// Seconds of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    first: i64,
    seconds: u64,
}

impl Times {
    /// From the beginning of the first second to the end of the last.
    pub(super) fn of(first: i64, last: i64) -> Self {
        Self {
            first,
            seconds: last.abs_diff(first).saturating_add(1),
        }
    }

    /// Where a second begins.
    pub(super) fn begin(self, second: i64) -> f64 {
        let since = u64::try_from(second.saturating_sub(self.first)).unwrap_or(0);
        (number(since) / number(self.seconds)).clamp(0.0, 1.0)
    }

    /// Where a second's middle is.
    pub(super) fn middle(self, second: i64) -> f64 {
        (self.begin(second) + self.width() / 2.0).clamp(0.0, 1.0)
    }

    /// How wide a second is.
    pub(super) fn width(self) -> f64 {
        1.0 / number(self.seconds)
    }

    /// Round seconds.
    pub(super) fn ticks(self) -> Vec<Tick> {
        const STEPS: [u64; 12] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600];
        let fits = |step: &u64| fitting(self.seconds, *step);
        let step = STEPS.into_iter().find(fits).unwrap_or(self.seconds);
        let tick = |after: u64| Tick {
            place: number(after) / number(self.seconds),
            label: format!("{}s", self.first.saturating_add_unsigned(after)),
        };
        multiples(step, self.seconds).map(tick).collect()
    }
}

/// Numbers from zero on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    step: u64,
    high: u64,
}

impl Counts {
    /// An axis on which all of these have room.
    pub(super) fn of(values: impl IntoIterator<Item = u64>) -> Self {
        let highest = values.into_iter().max().unwrap_or(0).max(1);
        let steps = round_steps().map(i64::unsigned_abs);
        let step = { steps }
            .find(|step| fitting(highest, *step))
            .unwrap_or(highest);
        Self {
            step,
            high: highest.div_ceil(step).saturating_mul(step),
        }
    }

    /// Where a number lies.
    pub(super) fn place(self, value: u64) -> f64 {
        (number(value) / number(self.high)).clamp(0.0, 1.0)
    }

    /// Round numbers.
    pub(super) fn ticks(self) -> Vec<Tick> {
        let tick = |value: u64| Tick {
            place: self.place(value),
            label: value.to_string(),
        };
        multiples(self.step, self.high).map(tick).collect()
    }
}

/// Whether steps of this size are few enough.
fn fitting(length: u64, step: u64) -> bool {
    usize::try_from(length / step).is_ok_and(|ticks| ticks < TICKS_MAX)
}

fn multiples(step: u64, high: u64) -> impl Iterator<Item = u64> {
    (0..=high / step).map(move |n| n * step)
}

/// A number to reckon places with: exact below 2^32, which is more than a plot can show.
fn number(value: u64) -> f64 {
    f64::from(u32::try_from(value).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        assert!(
            ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.place)),
            "{ticks:?}"
        );
        assert!(ticks.is_sorted_by(|a, b| a.place < b.place), "{ticks:?}");
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn durations_end_at_round_ones() {
        let axis = Durations::of([2_700, 8_000, 43_000]);
        assert_eq!(
            labels(&axis.ticks()),
            ["2ms", "5ms", "10ms", "20ms", "50ms"]
        );
        assert_eq!((axis.place(2_000), axis.place(50_000)), (0.0, 1.0));
        let axis = Durations::of([90, 3_000_000]);
        assert_eq!(
            labels(&axis.ticks()),
            ["100us", "1ms", "10ms", "100ms", "1s"]
        );
        assert!((axis.place(1_000_000) - axis.place(100_000) - 0.2).abs() < 0.02);
    }

    #[test]
    fn durations_of_nothing_zero_and_for_ever_have_an_axis() {
        assert_eq!(labels(&Durations::of([]).ticks()), ["1ms", "2ms"]);
        let zero = Durations::of([0, 0]);
        assert_eq!(labels(&zero.ticks()), ["1us", "2us"]);
        assert_eq!((zero.place(0), zero.place(-5)), (0.0, 0.0));
        let ever = Durations::of([0, i64::MAX]);
        assert_eq!(ever.place(i64::MAX), 1.0);
        labels(&ever.ticks());
        labels(&Durations::of([i64::MAX]).ticks());
    }

    #[test]
    fn percentiles_are_stretched_to_the_last_value() {
        let axis = Percents::of(10_000);
        assert_eq!(labels(&axis.ticks()), ["50 %", "90 %", "99 %", "99.9 %"]);
        let places = [0, 90_000, 99_000, 99_900, 100_000].map(|p| axis.place(p, 10_000));
        let near = places.map(|place| (place * 1_000.0).round() / 1_000.0);
        assert_eq!(near, [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(axis.place(Percents::ALL, 1), 0.0);
        assert_eq!(axis.place(Percents::ALL, 0), 0.0);
        assert_eq!(Percents::of(0).place(99_999, u64::MAX), 1.0);
    }

    #[test]
    fn seconds_and_counts_have_few_round_ticks() {
        assert_eq!(
            labels(&Times::of(0, 61).ticks()),
            ["0s", "10s", "20s", "30s", "40s", "50s", "60s"]
        );
        let one = Times::of(7, 7);
        assert_eq!(
            (labels(&one.ticks()), one.middle(7)),
            (vec!["7s", "8s"], 0.5)
        );
        assert_eq!(
            labels(&Counts::of([1_589, 1_611]).ticks()),
            ["0", "500", "1000", "1500", "2000"]
        );
        assert_eq!(labels(&Counts::of([]).ticks()), ["0", "1"]);
        labels(&Counts::of([u64::MAX]).ticks());
        labels(&Times::of(i64::MIN, i64::MAX).ticks());
    }
}
