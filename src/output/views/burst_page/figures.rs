//! The plots of a run: how long things took, and how much was done in each second.
//!
//! A plot without a single value is left out; what there was none of is said in its place.

use maud::{Markup, html};

use super::axis::{Counts, Durations, Percents, Times};
use super::plot::{Band, Line, Plot, Point};
use crate::burst::{BurstReport, Percentiles, Second};
use crate::output::units;

/// In a longer run a second is too narrow to be pointed at.
const SECONDS_ASKED_MAX: usize = 400;

/// How long bids and closings took, from the shortest to the longest.
pub(super) fn percentiles(report: &BurstReport) -> Markup {
    let shown = [
        (
            "bids, from the intended instant",
            "bids",
            &report.bids.latency,
        ),
        ("bids, from the sending", "bids-sent", &report.bids.service),
        ("closings, until recorded", "closings", &report.closes.lag),
        ("closings, until durable", "durable", &report.closes.durable),
    ];
    let shown = shown.map(|(name, look, of)| (name, look, of, curve(of)));
    let shown: Vec<_> = shown
        .into_iter()
        .filter(|(.., curve)| !curve.is_empty())
        .collect();
    let title = "How long it took, by percentile";
    if shown.is_empty() {
        return nothing(title, "no bid was answered and no auction was closed");
    }
    let all = shown
        .iter()
        .flat_map(|(.., curve)| curve.iter().map(|(_, us)| *us));
    let durations = Durations::of(all);
    let percents = Percents::of(
        shown
            .iter()
            .map(|(_, _, of, _)| of.count)
            .max()
            .unwrap_or(0),
    );
    let told = |(name, _, of, _): &(&str, &str, &Percentiles, _)| {
        let [p50, p99, max] = [of.p50_us, of.p99_us, of.max_us].map(units::brief);
        format!("{name}: half within {p50}, 99 % within {p99}, all within {max}.")
    };
    let description: Vec<String> = shown.iter().map(told).collect();
    let line =
        |(name, look, of, curve): &(&'static str, &'static str, &Percentiles, Vec<(u32, i64)>)| {
            let point = |(percent, us): &(u32, i64)| {
                Some((percents.place(*percent, of.count), durations.place(*us)))
            };
            Line {
                name,
                look,
                points: curve.iter().map(point).collect(),
                dot_at_end: true,
            }
        };
    let plot = Plot {
        id: "percentiles",
        title,
        description: description.join(" "),
        x_ticks: percents.ticks(),
        y_ticks: durations.ticks(),
        lines: shown.iter().map(line).collect(),
        warm_up: None,
        bands: Vec::new(),
    };
    plot.figure()
}

/// The distribution; from the percentiles alone where no more is known.
fn curve(of: &Percentiles) -> Vec<(u32, i64)> {
    if of.count == 0 || !of.curve.is_empty() {
        return if of.count == 0 {
            Vec::new()
        } else {
            of.curve.clone()
        };
    }
    vec![
        (50_000, of.p50_us),
        (90_000, of.p90_us),
        (99_000, of.p99_us),
        (99_900, of.p999_us),
        (Percents::ALL, of.max_us),
    ]
}

/// Latency of the bids, second by second.
pub(super) fn latency(report: &BurstReport) -> Markup {
    let durations = |second: &Second| {
        let some = second.latency_max_us > 0 || second.bids_answered > 0;
        (second.bids_offered > 0 && some).then_some([
            second.latency_p50_us,
            second.latency_p99_us,
            second.latency_max_us,
        ])
    };
    let title = "Bid latency over time";
    over_time(report, "latency", title, &durations)
        .unwrap_or_else(|| nothing(title, "no bid was answered"))
}

/// Lag of the closings, second by second.
pub(super) fn lag(report: &BurstReport) -> Markup {
    let durations = |second: &Second| {
        let some = second.lag_max_us > 0 || second.closes > 0;
        (second.ends > 0 && some).then_some([
            second.lag_p50_us,
            second.lag_p99_us,
            second.lag_max_us,
        ])
    };
    let title = "Close lag over time";
    over_time(report, "lag", title, &durations)
        .unwrap_or_else(|| nothing(title, "no auction was closed"))
}

/// Median, 99th percentile and longest of each second that has any.
fn over_time(
    report: &BurstReport,
    id: &'static str,
    title: &'static str,
    durations: &dyn Fn(&Second) -> Option<[i64; 3]>,
) -> Option<Markup> {
    let times = times(report)?;
    let values: Vec<Option<[i64; 3]>> = report.seconds.iter().map(durations).collect();
    let axis = Durations::of(values.iter().flatten().flatten().copied());
    let (_, worst, slowest) = report
        .seconds
        .iter()
        .zip(values.iter())
        .filter_map(|(second, values)| values.map(|[p50, _, max]| (p50, max, second.second)))
        .max_by_key(|(_, max, _)| *max)?;
    let medians = || values.iter().flatten().map(|[p50, ..]| *p50);
    let line = |name, look, which: usize| Line {
        name,
        look,
        points: points(report, times, &values, |of| axis.place(of[which])),
        dot_at_end: false,
    };
    let band = |(second, values): (&Second, &Option<[i64; 3]>)| {
        let [p50, p99, max] = (*values)?.map(units::brief);
        let at = second.second;
        Some(band(
            times,
            at,
            format!("second {at}: median {p50}, p99 {p99}, longest {max}"),
        ))
    };
    let plot = Plot {
        id,
        title,
        description: format!(
            "Second by second, on a logarithmic scale: medians between {} and {}; the longest of \
             all, {}, in second {slowest}.",
            units::brief(medians().min()?),
            units::brief(medians().max()?),
            units::brief(worst),
        ),
        x_ticks: times.ticks(),
        y_ticks: axis.ticks(),
        lines: vec![
            line("longest", "longest", 2),
            line("99th percentile", "p99", 1),
            line("median", "median", 0),
        ],
        warm_up: warm_up(report, times),
        bands: asked(
            report
                .seconds
                .iter()
                .zip(&values)
                .filter_map(band)
                .collect(),
        ),
    };
    Some(plot.figure())
}

/// Bids meant and answered, second by second.
pub(super) fn bid_rate(report: &BurstReport) -> Markup {
    let counts = |second: &Second| [second.bids_offered, second.bids_answered];
    let title = "Bids a second";
    rates(report, "bid-rate", title, ["offered", "answered"], &counts)
        .unwrap_or_else(|| nothing(title, "no bid was made"))
}

/// Ends and closings, second by second.
pub(super) fn close_rate(report: &BurstReport) -> Markup {
    let counts = |second: &Second| [second.ends, second.closes];
    let title = "Closings a second";
    rates(report, "close-rate", title, ["ended", "closed"], &counts)
        .unwrap_or_else(|| nothing(title, "no auction ended"))
}

fn rates(
    report: &BurstReport,
    id: &'static str,
    title: &'static str,
    [meant, done]: [&'static str; 2],
    counts: &dyn Fn(&Second) -> [u64; 2],
) -> Option<Markup> {
    let times = times(report)?;
    let values: Vec<Option<[u64; 2]>> = report.seconds.iter().map(|of| Some(counts(of))).collect();
    let highest = values.iter().flatten().flatten().max()?;
    if *highest == 0 {
        return None;
    }
    let axis = Counts::of([*highest]);
    let line = |name, look, which: usize| Line {
        name,
        look,
        points: points(report, times, &values, |of| axis.place(of[which])),
        dot_at_end: false,
    };
    let band = |second: &Second| {
        let ([of_meant, of_done], at) = (counts(second), second.second);
        band(
            times,
            at,
            format!("second {at}: {of_meant} {meant}, {of_done} {done}"),
        )
    };
    let sum = |which: usize| -> u64 { values.iter().flatten().map(|of| of[which]).sum() };
    let plot = Plot {
        id,
        title,
        description: format!(
            "Second by second, warm-up included: {} {meant}, {} {done}; at most {highest} in a \
             second.",
            sum(0),
            sum(1)
        ),
        x_ticks: times.ticks(),
        y_ticks: axis.ticks(),
        lines: vec![line(meant, "meant", 0), line(done, "done", 1)],
        warm_up: warm_up(report, times),
        bands: asked(report.seconds.iter().map(band).collect()),
    };
    Some(plot.figure())
}

fn times(report: &BurstReport) -> Option<Times> {
    let (first, last) = (report.seconds.first()?, report.seconds.last()?);
    Some(Times::of(first.second, last.second))
}

/// A point in the middle of each second that has a value; a second that is missing is a gap.
fn points<T>(
    report: &BurstReport,
    times: Times,
    values: &[Option<T>],
    place: impl Fn(&T) -> f64,
) -> Vec<Point> {
    let (mut points, mut next) = (Vec::with_capacity(values.len()), None);
    for (second, value) in report.seconds.iter().zip(values) {
        if next.is_some_and(|next| next != second.second) {
            points.push(None);
        }
        let middle = times.middle(second.second);
        points.push(value.as_ref().map(|value| (middle, place(value))));
        next = Some(second.second.saturating_add(1));
    }
    points
}

fn band(times: Times, second: i64, text: String) -> Band {
    let from = times.begin(second);
    Band {
        from,
        to: from + times.width(),
        text,
    }
}

fn asked(bands: Vec<Band>) -> Vec<Band> {
    if bands.len() > SECONDS_ASKED_MAX {
        return Vec::new();
    }
    bands
}

fn warm_up(report: &BurstReport, times: Times) -> Option<Band> {
    let band = Band {
        from: times.begin(0),
        to: times.begin(i64::from(report.warm_up_s)),
        text: format!(
            "the first {}s are left out of the figures",
            report.warm_up_s
        ),
    };
    (band.to > band.from).then_some(band)
}

/// Stands where there is nothing to be seen.
fn nothing(title: &str, why: &str) -> Markup {
    html! {
        figure class="nothing" {
            figcaption { h3 { (title) } }
            p { "Nothing to show: " (why) "." }
        }
    }
}
