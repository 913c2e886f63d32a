//! What a run of generated load gave, for people: the verdict in a sentence, and the lines under
//! it, on a terminal and on the page.

use crate::burst::{BurstReport, Percentiles, Probe, Scenario, Shortfall};
use crate::ledger::Finding;
use crate::output::views::replay;
use crate::output::{Tone, units};

/// How many faults, and how many findings, a terminal shows.
const SHOWN_MAX: usize = 10;

/// Which run, and how it went, in a line.
pub(crate) fn heading(report: &BurstReport) -> String {
    let (_, verdict) = verdict(report);
    format!(
        "{}, run {}: {verdict}",
        report.scenario.as_str(),
        report.run
    )
}

/// How it went, and how that is meant.
pub(crate) fn verdict(report: &BurstReport) -> (Tone, String) {
    let nothing = report.bids.planned == 0 && report.checks.auctions == 0;
    if !report.is_right() {
        (Tone::Bad, format!("wrong, {}", wrongs(report)))
    } else if nothing {
        (Tone::Plain, "nothing happened".to_owned())
    } else if !report.shortfalls.is_empty() {
        (Tone::Caution, "right, but the load was not held".to_owned())
    } else {
        (
            Tone::Good,
            "every answer, closing and entry is right".to_owned(),
        )
    }
}

fn wrongs(report: &BurstReport) -> String {
    let faults = report.checks.faults;
    let findings = report.checks.replay.findings;
    let kinds = [(faults, "fault"), (findings, "replay finding")];
    let told = kinds.iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told.map(|(n, noun)| units::count(*n, noun)).collect();
    told.join(", ")
}

/// The lines under the heading.
pub(crate) fn lines(report: &BurstReport) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("load", load(report)),
        ("closer", closer(report)),
        ("bids", bids(report)),
        ("refused", refused(report)),
        ("latency", percentiles(&report.bids.latency)),
        ("service", percentiles(&report.bids.service)),
        ("closes", closes(report)),
        ("close lag", percentiles(&report.closes.lag)),
        ("durable", percentiles(&report.closes.durable)),
        ("checks", checks(report)),
        ("replay", replay::verdict(&report.checks.replay).1),
        ("probe", probe(report)),
    ];
    lines.extend(
        report
            .shortfalls
            .iter()
            .map(|short| ("not held", shortfall(short))),
    );
    lines.extend(wrong_lines(report));
    lines
}

/// What was asked for.
pub(crate) fn load(report: &BurstReport) -> String {
    let seconds = report.measured_s;
    let what = match (report.scenario, report.rate) {
        (Scenario::SevenPm, Some(rate)) => format!("{rate} ends a second for {seconds}s"),
        (Scenario::BiddingWar, Some(rate)) => format!("{rate} bids at once, {seconds} times"),
        (_, Some(rate)) => format!("{rate} bids a second for {seconds}s"),
        (_, None) => format!("as fast as it goes for {seconds}s"),
    };
    let warm_up = match report.warm_up_s {
        0 => String::new(),
        seconds => format!(" after {seconds}s of warm-up"),
    };
    format!(
        "{what}{warm_up}; {}, {}, seed {}",
        units::count(report.auctions, "auction"),
        units::count(report.connections, "connection"),
        report.seed
    )
}

/// Who closed, and when.
pub(crate) fn closer(report: &BurstReport) -> String {
    match report.look_ahead {
        Some(true) => format!("{}, at the ends", report.closer),
        Some(false) => format!("{}, at the next tick", report.closer),
        None => report.closer.to_owned(),
    }
}

fn bids(report: &BurstReport) -> String {
    let bids = &report.bids;
    if bids.planned == 0 {
        return "none".to_owned();
    }
    let retried = match bids.retried {
        0 => String::new(),
        retried => format!(", asked again {retried}"),
    };
    format!(
        "offered {}, answered {}, accepted {}{retried}; {} answers a second",
        bids.offered,
        bids.answered,
        bids.accepted,
        units::per_second(bids.rate_milli)
    )
}

/// The refusals by code.
pub(crate) fn refused(report: &BurstReport) -> String {
    let told = report.bids.refused.iter();
    let told: Vec<String> = told
        .map(|(code, number)| format!("{code} {number}"))
        .collect();
    told.join(", ")
}

fn closes(report: &BurstReport) -> String {
    let closes = &report.closes;
    if closes.ended == 0 {
        return "nothing ended".to_owned();
    }
    let closed = format!("{} of {} that ended", closes.closed, closes.ended);
    if has_close_rate(report) {
        format!(
            "{closed}; {} closes a second",
            units::per_second(closes.rate_milli)
        )
    } else {
        closed
    }
}

/// One closing has no rate, and many at one instant have none.
pub(crate) fn has_close_rate(report: &BurstReport) -> bool {
    report.closes.closed > 1 && report.closes.rate_milli > 0
}

fn percentiles(of: &Percentiles) -> String {
    if of.count == 0 {
        return String::new();
    }
    let [p50, p90, p99, p999, max] =
        [of.p50_us, of.p90_us, of.p99_us, of.p999_us, of.max_us].map(units::brief);
    format!("p50 {p50}, p90 {p90}, p99 {p99}, p99.9 {p999}, max {max}")
}

/// What was held against the plan.
pub(crate) fn checks(report: &BurstReport) -> String {
    let checks = &report.checks;
    let faults = match checks.faults {
        0 => "no fault".to_owned(),
        faults => units::count(faults, "fault"),
    };
    format!(
        "{} and {} held against the plan: {faults}",
        units::count(checks.bids, "bid"),
        units::count(checks.auctions, "auction")
    )
}

/// What the database takes alone; empty if it was not asked.
pub(crate) fn probe(report: &BurstReport) -> String {
    let probe = &report.probe;
    if *probe == Probe::default() {
        return String::new();
    }
    format!(
        "one bid alone {} (p99 {}), a call that writes nothing {}: flush about {}",
        units::brief(probe.bid_us),
        units::brief(probe.bid_p99_us),
        units::brief(probe.round_trip_us),
        units::brief(probe.flush_us())
    )
}

/// A load that was not held.
pub(crate) fn shortfall(short: &Shortfall) -> String {
    let tenths = match u128::from(short.offered) {
        0 => 1_000,
        offered => u128::from(short.done) * 1_000 / offered,
    };
    format!(
        "{} of {} {} done in time ({}.{} %)",
        short.done,
        short.offered,
        short.of,
        tenths / 10,
        tenths % 10
    )
}

/// The first faults and findings, and how many more there are.
fn wrong_lines(report: &BurstReport) -> Vec<(&'static str, String)> {
    let checks = &report.checks;
    let faults = checks.listed.iter().map(|fault| {
        format!(
            "auction {}: {}: {}",
            fault.auction_id.get(),
            fault.kind,
            fault.what
        )
    });
    let findings = checks.replay.listed.iter().map(Finding::to_string);
    let mut lines = first("fault", faults, checks.faults);
    lines.extend(first("finding", findings, checks.replay.findings));
    lines
}

fn first(
    label: &'static str,
    told: impl Iterator<Item = String>,
    all: u64,
) -> Vec<(&'static str, String)> {
    let one_line = |text: String| (label, units::one_line(&text));
    let mut lines: Vec<_> = told.take(SHOWN_MAX).map(one_line).collect();
    let more = all.saturating_sub(u64::try_from(lines.len()).unwrap_or(u64::MAX));
    if more > 0 {
        lines.push((label, format!("and {more} more")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::table;
    use crate::output::views::burst_sample;

    /// As a terminal of 80 columns shows it.
    fn shown(report: &BurstReport) -> String {
        let mut out = Vec::new();
        let (tone, _) = verdict(report);
        table::write_summary(&mut out, tone, &heading(report), lines(report), Some(80)).unwrap();
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        let text = String::from_utf8(text).unwrap();
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None);
        text
    }

    #[test]
    fn a_right_run_on_a_terminal() {
        let expected = "\
seven-pm, run 12: every answer, closing and entry is right
  load       1600 ends a second for 60s after 2s of warm-up; 99200 auctions, 16
             connections, seed 42
  closer     batch, at the ends
  bids       offered 57600, answered 57600, accepted 48211, asked again 3; 959.9
             answers a second
  refused    too-low 5203, ended 4186
  latency    p50 639us, p90 1.49ms, p99 4.45ms, p99.9 14.7ms, max 146ms
  service    p50 589us, p90 1.11ms, p99 2.98ms, p99.9 7.08ms, max 48.5ms
  closes     96000 of 96000 that ended; 1599.6 closes a second
  close lag  p50 2.90ms, p90 4.54ms, p99 9.13ms, p99.9 18.3ms, max 74.0ms
  durable    p50 4.10ms, p90 6.42ms, p99 12.9ms, p99.9 25.9ms, max 105ms
  checks     59520 bids and 99200 auctions held against the plan: no fault
  replay     replayed 99200 auctions and 345811 entries: clean by 29 checks
  probe      one bid alone 684us (p99 1.93ms), a call that writes nothing 92us:
             flush about 592us
";
        assert_eq!(shown(&burst_sample::rich()), expected);
    }

    #[test]
    fn a_wrong_run_lists_the_first_faults_and_findings() {
        let text = shown(&burst_sample::wrong());
        let told = text.split_once("  not held ").unwrap().1;
        assert!(
            text.starts_with("seven-pm, run 12: wrong, 27 faults, 1 replay finding\n"),
            "{text}"
        );
        assert!(
            told.starts_with("  51003 of 57600 bids done in time (88.5 %)\n"),
            "{told}"
        );
        assert_eq!(told.matches("lost-bid").count(), SHOWN_MAX);
        let end = "
  fault      and 17 more
  finding    auction 1000000012000007 seq 3: price: expected 41.50, found
             <script>alert(\"41\")</script>
";
        assert!(told.ends_with(end), "{told}");
    }

    #[test]
    fn a_run_in_which_nothing_happened_tells_no_figures() {
        let expected = "\
seven-pm, run 12: nothing happened
  load    as fast as it goes for 60s after 2s of warm-up; 99200 auctions, 16
          connections, seed 42
  closer  external
  bids    none
  closes  nothing ended
  checks  0 bids and 0 auctions held against the plan: no fault
  replay  replayed 0 auctions and 0 entries: there was nothing to check
";
        assert_eq!(shown(&burst_sample::empty()), expected);
    }

    #[test]
    fn a_war_is_told_in_rounds() {
        let mut report = burst_sample::rich();
        (report.scenario, report.rate) = (Scenario::BiddingWar, Some(50));
        (report.measured_s, report.warm_up_s) = (8, 0);
        assert!(load(&report).starts_with("50 bids at once, 8 times; "));
    }

    #[test]
    fn a_load_that_was_not_held_is_no_fault() {
        let mut report = burst_sample::rich();
        report.shortfalls = burst_sample::wrong().shortfalls;
        let (tone, text) = verdict(&report);
        assert_eq!(
            (tone, text.as_str()),
            (Tone::Caution, "right, but the load was not held")
        );
    }
}
