//! The tables of the page: the figures of the plots once more, what was wrong, how it was run.

use maud::{Markup, html};

use crate::burst::{BurstReport, Percentiles, Second};
use crate::ledger::Finding;
use crate::output::units;
use crate::output::views::burst_words as words;

/// The percentiles in figures.
pub(super) fn percentiles(report: &BurstReport) -> Markup {
    let (bids, closes) = (&report.bids, &report.closes);
    let all = [&bids.latency, &bids.service, &closes.lag, &closes.durable];
    let told = |of: &Percentiles, us: i64| match of.count {
        0 => "-".to_owned(),
        _ => units::brief(us),
    };
    let rows = [
        ("50 %", all.map(|of| told(of, of.p50_us))),
        ("90 %", all.map(|of| told(of, of.p90_us))),
        ("99 %", all.map(|of| told(of, of.p99_us))),
        ("99.9 %", all.map(|of| told(of, of.p999_us))),
        ("all", all.map(|of| told(of, of.max_us))),
    ];
    html! {
        div class="wide" role="region" aria-label="Percentiles" tabindex="0" {
            table {
                caption { "So many were done within" }
                thead {
                    tr {
                        td rowspan="2" {}
                        th scope="colgroup" colspan="2" { "bids, from being" }
                        th scope="colgroup" colspan="2" { "closings, until" }
                    }
                    tr {
                        @for name in ["intended", "sent", "recorded", "durable"] {
                            th scope="col" { (name) }
                        }
                    }
                }
                tbody {
                    @for (name, cells) in rows {
                        tr {
                            th scope="row" { (name) }
                            @for cell in cells { td { (cell) } }
                        }
                    }
                    tr class="sum" {
                        th scope="row" { "of" }
                        @for of in all { td { (of.count) } }
                    }
                }
            }
        }
    }
}

/// What became of the bids.
pub(super) fn bids(report: &BurstReport) -> Markup {
    let bids = &report.bids;
    let refused = bids.refused.iter();
    html! {
        table {
            caption { "Bids after warm-up" }
            tbody {
                (count("offered", bids.offered))
                (count("answered", bids.answered))
                (count("accepted", bids.accepted))
                @for (code, number) in refused { (count(&format!("refused: {code}"), *number)) }
                @if bids.retried > 0 { (count("asked again", bids.retried)) }
            }
        }
    }
}

fn count(name: &str, number: u64) -> Markup {
    html! { tr { th scope="row" { (name) } td { (number) } } }
}

/// The figures of the plots over time.
pub(super) fn seconds(report: &BurstReport) -> Markup {
    let duration = |has: bool, us: i64| {
        if has {
            units::brief(us)
        } else {
            "-".to_owned()
        }
    };
    let row = |second: &Second| {
        let (bids, ends) = (second.bids_offered > 0, second.ends > 0);
        html! {
            tr {
                th scope="row" { (second.second) }
                td { (second.bids_offered) }
                td { (second.bids_answered) }
                @for us in [second.latency_p50_us, second.latency_p99_us, second.latency_max_us] {
                    td { (duration(bids, us)) }
                }
                td { (second.ends) }
                td { (second.closes) }
                @for us in [second.lag_p50_us, second.lag_p99_us, second.lag_max_us] {
                    td { (duration(ends, us)) }
                }
            }
        }
    };
    html! {
        details id="seconds" {
            summary { "Second by second, in figures" }
            div class="wide" role="region" aria-label="Second by second" tabindex="0" {
                table {
                    thead {
                        tr {
                            th scope="col" rowspan="2" { "second" }
                            th scope="colgroup" colspan="2" { "bids" }
                            th scope="colgroup" colspan="3" { "latency" }
                            th scope="colgroup" colspan="2" { "auctions" }
                            th scope="colgroup" colspan="3" { "close lag" }
                        }
                        tr {
                            @for name in ["offered", "answered", "median", "p99", "longest", "ended",
                                "closed", "median", "p99", "longest"] {
                                th scope="col" { (name) }
                            }
                        }
                    }
                    tbody { @for second in &report.seconds { (row(second)) } }
                }
            }
        }
    }
}

/// What must not happen, and did.
pub(super) fn faults(report: &BurstReport) -> Markup {
    let checks = &report.checks;
    let rows = checks.listed.iter().map(|fault| {
        [
            fault.auction_id.get().to_string(),
            fault.kind.to_owned(),
            units::one_line(&fault.what),
        ]
    });
    listed(
        "Faults",
        ["auction", "kind", "what"],
        rows.collect(),
        checks.faults,
    )
}

/// What the replay found.
pub(super) fn findings(report: &BurstReport) -> Markup {
    let replay = &report.checks.replay;
    let place = |finding: &Finding| match (finding.auction_id, finding.seq) {
        (Some(auction_id), Some(seq)) => format!("{auction_id} seq {seq}"),
        (auction_id, _) => auction_id.map_or(String::new(), |id| id.to_string()),
    };
    let rows = replay.listed.iter().map(|finding| {
        let text = format!("expected {}, found {}", finding.expected, finding.found);
        [
            place(finding),
            finding.check.name().to_owned(),
            units::one_line(&text),
        ]
    });
    listed(
        "Findings of the replay",
        ["auction", "check", "what"],
        rows.collect(),
        replay.findings,
    )
}

fn listed(caption: &str, names: [&str; 3], rows: Vec<[String; 3]>, all: u64) -> Markup {
    if all == 0 {
        return html! {};
    }
    html! {
        div class="wide" role="region" aria-label=(caption) tabindex="0" {
            table class="texts" {
                caption { (caption) ", the first " (rows.len()) " of " (all) }
                thead { tr { @for name in names { th scope="col" { (name) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}

/// The checks of the replay by name.
pub(super) fn replay_checks(report: &BurstReport) -> Markup {
    let replay = &report.checks.replay;
    html! {
        details {
            summary { "The replay's checks" }
            ul class="names" {
                @for counted in &replay.checks {
                    li {
                        (counted.check.name())
                        @if counted.findings > 0 { ": " strong { (counted.findings) } }
                    }
                }
            }
            @if !replay.not_possible.is_empty() {
                p { "Maxima and reserves were hidden, so these could not be made:" }
                ul class="names" { @for check in &replay.not_possible { li { (check.name()) } } }
            }
        }
    }
}

/// How it was run.
pub(super) fn run(report: &BurstReport) -> Markup {
    let rows = [
        ("load", words::load(report)),
        ("closer", words::closer(report)),
        ("opening bids", report.opening_bids.to_string()),
        (
            "auction ids",
            format!("{} to {}", report.first, report.last),
        ),
        ("began", units::utc(report.began)),
        ("probe", words::probe(report)),
    ];
    pairs(
        "The run",
        rows.map(|(name, value)| (name.to_owned(), value)).to_vec(),
    )
}

/// How the database is set up.
pub(super) fn settings(report: &BurstReport) -> Markup {
    let settings = report.settings.iter();
    let rows: Vec<_> = settings
        .map(|setting| {
            (
                units::one_line(&setting.name),
                units::one_line(&setting.value),
            )
        })
        .collect();
    if rows.is_empty() {
        return html! {};
    }
    pairs("The database", rows)
}

fn pairs(caption: &str, rows: Vec<(String, String)>) -> Markup {
    html! {
        table class="texts pairs" {
            caption { (caption) }
            tbody {
                @for (name, value) in rows {
                    tr {
                        th scope="row" { (name) }
                        td { @if value.is_empty() { "-" } @else { (value) } }
                    }
                }
            }
        }
    }
}
