//! From answers and closings to figures.

use hdrhistogram::Histogram;

use super::closing::Told;
use super::driver::Answered;
use super::error::BurstError;
use super::plan::SECOND_US;
use super::report::{BidFigures, CloseFigures, Percentiles, Second, Shortfall};
use crate::auction::Micros;
use crate::store::Reply;

/// The longest duration that is told apart, an hour in microseconds.
const LONGEST_US: u64 = 3_600_000_000;
/// Significant digits.
const DIGITS: u8 = 3;
/// Percentiles of a curve, in thousandths of a percent.
const CURVE: [u32; 20] = [
    0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000, 95_000, 98_000,
    99_000, 99_500, 99_800, 99_900, 99_950, 99_990, 99_999, 100_000,
];
/// What is done so long after the measured time counts as done in it: this part of it, at most a
/// second.
const GRACE_PART: i64 = 20;
/// The last second that is told apart, a day.
const SECONDS_MAX: i64 = 86_400;
/// A load is held if this share of it, in percent, was done in time.
const HELD_PERCENT: u64 = 99;

/// An auction's end in force and its closing, microseconds from the beginning of the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Closing {
    pub(super) end_us: i64,
    pub(super) closed_us: i64,
}

/// The seconds that figures cover.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) from_us: i64,
    pub(super) to_us: i64,
}

impl Window {
    /// By when what belongs to the window must be done.
    fn done_by_us(self) -> i64 {
        self.to_us + ((self.to_us - self.from_us) / GRACE_PART).min(SECOND_US)
    }

    pub(super) fn holds(self, us: i64) -> bool {
        (self.from_us..self.to_us).contains(&us)
    }
}

/// Many durations; the longest exactly.
pub(super) struct Durations {
    histogram: Histogram<u64>,
    longest_us: i64,
}

impl Durations {
    pub(super) fn new() -> Result<Self, BurstError> {
        let histogram = Histogram::new_with_bounds(1, LONGEST_US, DIGITS);
        Ok(Self {
            histogram: histogram.map_err(BurstError::script)?,
            longest_us: 0,
        })
    }

    fn of(durations_us: impl IntoIterator<Item = i64>) -> Result<Self, BurstError> {
        let mut all = Self::new()?;
        for us in durations_us {
            all.add(us);
        }
        Ok(all)
    }

    fn add(&mut self, us: i64) {
        let recorded = u64::try_from(us).unwrap_or_default();
        self.histogram.saturating_record(recorded);
        self.longest_us = self.longest_us.max(us);
    }

    fn at(&self, thousandths: u32) -> i64 {
        let quantile = f64::from(thousandths) / 100_000.0;
        let us = self.histogram.value_at_quantile(quantile);
        i64::try_from(us).unwrap_or(i64::MAX).min(self.longest_us)
    }

    pub(super) fn percentiles(&self) -> Percentiles {
        if self.histogram.is_empty() {
            return Percentiles::default();
        }
        Percentiles {
            count: self.histogram.len(),
            p50_us: self.at(50_000),
            p90_us: self.at(90_000),
            p99_us: self.at(99_000),
            p999_us: self.at(99_900),
            max_us: self.at(100_000),
            curve: CURVE.map(|place| (place, self.at(place))).to_vec(),
        }
    }
}

/// The bids whose instant lies in the window.
pub(super) fn bids(answers: &[Option<Answered>], window: Window) -> Result<BidFigures, BurstError> {
    let mut figures = BidFigures {
        planned: count(answers.len()),
        ..BidFigures::default()
    };
    let (mut latency, mut service) = (Durations::new()?, Durations::new()?);
    let mut refused = std::collections::BTreeMap::new();
    let mut last_us = window.to_us;
    for answer in answers.iter().flatten() {
        if !window.holds(answer.due_us) {
            continue;
        }
        figures.offered += 1;
        figures.answered += 1;
        figures.retried += u64::from(answer.retries > 0);
        match &answer.reply {
            Reply::Done(_) | Reply::Repeated(_) => figures.accepted += 1,
            Reply::Refused { refusal, .. } => *refused.entry(refusal.code()).or_insert(0) += 1,
        }
        latency.add(answer.done_us - answer.due_us);
        service.add(answer.done_us - answer.sent_us);
        last_us = last_us.max(answer.done_us);
    }
    figures.refused = refused.into_iter().collect();
    figures.latency = latency.percentiles();
    figures.service = service.percentiles();
    figures.rate_milli = rate_milli(figures.answered, last_us - window.from_us);
    Ok(figures)
}

/// The auctions whose end lies in the window.
pub(super) fn closes(
    closings: &[Closing],
    told: &[Told],
    ended: u64,
    window: Window,
    began: Micros,
) -> Result<CloseFigures, BurstError> {
    let told = told
        .iter()
        .filter(|told| window.holds(told.end.since(began)))
        .map(|told| told.at.since(told.end));
    let within: Vec<&Closing> = closings
        .iter()
        .filter(|closing| window.holds(closing.end_us))
        .collect();
    let first_us = within.iter().map(|closing| closing.end_us).min();
    let last_us = within.iter().map(|closing| closing.closed_us).max();
    let span_us = last_us
        .zip(first_us)
        .map_or(0, |(last, first)| last - first);
    let lags = within
        .iter()
        .map(|closing| closing.closed_us - closing.end_us);
    Ok(CloseFigures {
        ended,
        closed: count(within.len()),
        rate_milli: rate_milli(count(within.len()), span_us),
        lag: Durations::of(lags)?.percentiles(),
        durable: Durations::of(told)?.percentiles(),
    })
}

/// Second by second, from the beginning of the load to the last answer or closing.
pub(super) fn seconds(
    answers: &[Option<Answered>],
    closings: &[Closing],
) -> Result<Vec<Second>, BurstError> {
    let answers: Vec<&Answered> = answers.iter().flatten().collect();
    let last_us = answers
        .iter()
        .map(|answer| answer.done_us)
        .chain(closings.iter().map(|closing| closing.closed_us))
        .max();
    let Some(last_us) = last_us else {
        return Ok(Vec::new());
    };
    // An instant that somebody wrote past gavel may lie anywhere.
    let last = (last_us / SECOND_US).clamp(0, SECONDS_MAX);
    let length = usize::try_from(last + 1).unwrap_or(1);
    let mut seconds: Vec<Second> = (0..).take(length).map(Second::at).collect();
    let mut latencies = vec![Vec::new(); length];
    let mut lags = vec![Vec::new(); length];
    let place = |us: i64| usize::try_from(us / SECOND_US).unwrap_or(0).min(length - 1);
    for answer in answers {
        latencies[place(answer.due_us)].push(answer.done_us - answer.due_us);
        seconds[place(answer.done_us)].bids_answered += 1;
    }
    for closing in closings {
        lags[place(closing.end_us)].push(closing.closed_us - closing.end_us);
        seconds[place(closing.closed_us)].closes += 1;
    }
    for ((second, latencies), lags) in seconds.iter_mut().zip(latencies).zip(lags) {
        second.bids_offered = count(latencies.len());
        second.ends = count(lags.len());
        let latency = Durations::of(latencies)?.percentiles();
        let lag = Durations::of(lags)?.percentiles();
        second.latency_p50_us = latency.p50_us;
        second.latency_p99_us = latency.p99_us;
        second.latency_max_us = latency.max_us;
        second.lag_p50_us = lag.p50_us;
        second.lag_p99_us = lag.p99_us;
        second.lag_max_us = lag.max_us;
    }
    Ok(seconds)
}

impl Second {
    fn at(second: i64) -> Self {
        Self {
            second,
            ..Self::default()
        }
    }
}

/// Whether the bids of the window were answered in it.
pub(super) fn bids_short(
    planned_us: impl Iterator<Item = i64>,
    answers: &[Option<Answered>],
    window: Window,
) -> Option<Shortfall> {
    let offered = count(planned_us.filter(|us| window.holds(*us)).count());
    let in_time =
        |answer: &&Answered| window.holds(answer.due_us) && answer.done_us <= window.done_by_us();
    let done = count(answers.iter().flatten().filter(in_time).count());
    short("bids", offered, done)
}

/// Whether the auctions that end in the window were closed in it.
pub(super) fn closes_short(closings: &[Closing], ended: u64, window: Window) -> Option<Shortfall> {
    let in_time = |closing: &&Closing| {
        window.holds(closing.end_us) && closing.closed_us <= window.done_by_us()
    };
    let done = count(closings.iter().filter(in_time).count());
    short("closes", ended, done)
}

fn short(of: &'static str, offered: u64, done: u64) -> Option<Shortfall> {
    (done * 100 < offered * HELD_PERCENT).then_some(Shortfall { of, offered, done })
}

fn rate_milli(done: u64, span_us: i64) -> u64 {
    let span_us = u64::try_from(span_us).unwrap_or(0).max(1);
    done.saturating_mul(1_000_000_000) / span_us
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auction::Refusal;

    fn refused(due_us: i64, sent_us: i64, done_us: i64) -> Option<Answered> {
        Some(Answered {
            due_us,
            sent_us,
            done_us,
            retries: 0,
            reply: Reply::Refused {
                refusal: Refusal::TooLow { minimum: 5 },
                now: Micros::MIN,
            },
        })
    }

    const WINDOW: Window = Window {
        from_us: SECOND_US,
        to_us: 3 * SECOND_US,
    };

    #[test]
    fn latency_counts_from_the_intended_instant() {
        let answers = [
            refused(0, 0, 900),
            refused(SECOND_US, SECOND_US + 4_000, SECOND_US + 5_000),
            refused(2_999_999, 2_999_999, 3_000_999),
            refused(3_000_000, 3_000_000, 3_000_001),
            None,
        ];
        let figures = bids(&answers, WINDOW).unwrap();
        assert_eq!((figures.planned, figures.offered), (5, 2));
        assert_eq!(figures.refused, [("too-low", 2)]);
        assert_eq!(
            (figures.latency.max_us, figures.service.max_us),
            (5_000, 1_000)
        );
        // Two answers in 2.000999 seconds.
        assert_eq!(figures.rate_milli, 999);
    }

    #[test]
    fn a_backlog_is_a_shortfall() {
        let closing = |end_us, closed_us| Closing { end_us, closed_us };
        let late: Vec<Closing> = (0..100)
            .map(|place| closing(SECOND_US + place, 2 * SECOND_US))
            .collect();
        assert_eq!(closes_short(&late, 100, WINDOW), None);
        let mut late = late;
        for closing in late.iter_mut().take(2) {
            closing.closed_us = 4 * SECOND_US + 1;
        }
        let short = closes_short(&late, 100, WINDOW).unwrap();
        assert_eq!((short.of, short.offered, short.done), ("closes", 100, 98));
        // One is not closed at all.
        assert!(closes_short(&late[2..], 100, WINDOW).is_some());
    }

    #[test]
    fn seconds_are_told_by_intent_and_by_deed() {
        let answers = [refused(10, 10, 20), refused(20, 20, 1_500_000)];
        let closings = [Closing {
            end_us: 900_000,
            closed_us: 1_100_000,
        }];
        let seconds = seconds(&answers, &closings).unwrap();
        let told = |second: &Second| {
            (
                second.bids_offered,
                second.bids_answered,
                second.ends,
                second.closes,
            )
        };
        assert_eq!(
            seconds.iter().map(told).collect::<Vec<_>>(),
            [(2, 1, 1, 0), (0, 1, 0, 1)]
        );
        assert_eq!(seconds[0].lag_max_us, 200_000);
    }
}
