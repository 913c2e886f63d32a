//! The page from top to bottom: the verdict, the figures, the plots, the checks, the settings.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{figures, tables};
use crate::burst::{BurstReport, Percentiles};
use crate::output::views::burst_words as words;
use crate::output::views::replay;
use crate::output::{Tone, units};

const STYLE: &str = include_str!("page.css");
/// Nothing is loaded and nothing runs, even if a text should get through as markup.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
/// The settings that decide what a flush costs; they stand at the top.
const WEIGHTY: [&str; 6] = [
    "server_version",
    "fsync",
    "synchronous_commit",
    "sqlite_version",
    "journal_mode",
    "synchronous",
];

/// A report as one HTML document.
pub(crate) fn page(report: &BurstReport) -> String {
    let title = format!(
        "gavel burst: {}, run {}",
        report.scenario.as_str(),
        report.run
    );
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(report))
                main {
                    (summary(report))
                    (plots(report))
                    (checks(report))
                    (settings(report))
                }
                footer { p { "Written by gavel " (env!("CARGO_PKG_VERSION")) "." } }
            }
        }
    };
    document.into_string()
}

fn header(report: &BurstReport) -> Markup {
    let (tone, verdict) = words::verdict(report);
    let began = units::utc(report.began);
    let named = |name: &&str| report.settings.iter().find(|setting| setting.name == *name);
    let weighty = WEIGHTY.iter().filter_map(named);
    html! {
        header {
            p class="over" { "gavel burst" }
            h1 { (report.scenario.as_str()) }
            p class={ "verdict " (look(tone)) } { (verdict) }
            p { (words::load(report)) }
            ul class="facts" {
                li { "run " b { (report.run) } }
                li { time datetime=(began) { (units::second(&began)) } }
                li { "closer " b { (words::closer(report)) } }
                @for setting in weighty {
                    li {
                        (units::one_line(&setting.name)) " " b { (units::one_line(&setting.value)) }
                    }
                }
            }
        }
    }
}

fn look(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Caution => "caution",
        Tone::Bad => "bad",
        Tone::Plain | Tone::Faint => "plain",
    }
}

fn summary(report: &BurstReport) -> Markup {
    let (bids, closes, checks) = (&report.bids, &report.closes, &report.checks);
    let findings = checks.replay.findings;
    html! {
        section {
            h2 { "Summary" }
            div class="tiles" {
                @if bids.planned > 0 {
                    (tile("bids a second", &units::per_second(bids.rate_milli), "",
                        &format!("answered {} of {} offered", bids.answered, bids.offered)))
                }
                @if bids.latency.count > 0 { (durations("bid latency, p99", &bids.latency)) }
                @if words::has_close_rate(report) {
                    (tile("closings a second", &units::per_second(closes.rate_milli), "",
                        &format!("{} of {} that ended", closes.closed, closes.ended)))
                } @else if closes.ended > 0 {
                    (tile("closings", &closes.closed.to_string(), "",
                        &format!("of {} that ended", closes.ended)))
                }
                @if closes.lag.count > 0 { (durations("close lag, p99", &closes.lag)) }
                (tile("faults", &checks.faults.to_string(), wrong(checks.faults),
                    &format!("in {} and {}", units::count(checks.bids, "bid"),
                        units::count(checks.auctions, "auction"))))
                (tile("replay findings", &findings.to_string(), wrong(findings),
                    &format!("in {} ledger entries", checks.replay.entries)))
            }
            @for short in &report.shortfalls {
                p class="note caution" { "Not held: " (words::shortfall(short)) "." }
            }
        }
    }
}

fn durations(name: &str, of: &Percentiles) -> Markup {
    let [p50, p99, max] = [of.p50_us, of.p99_us, of.max_us].map(units::brief);
    tile(name, &p99, "", &format!("median {p50}, longest {max}"))
}

fn wrong(number: u64) -> &'static str {
    if number == 0 { "" } else { "bad" }
}

fn tile(name: &str, figure: &str, look: &str, beside: &str) -> Markup {
    html! {
        div class={ "tile " (look) } {
            p class="name" { (name) }
            p class="figure" { (figure) }
            p class="beside" { (beside) }
        }
    }
}

fn plots(report: &BurstReport) -> Markup {
    html! {
        section {
            h2 { "Plots" }
            div class="beside-each-other" {
                (figures::percentiles(report))
                @if report.bids.latency.count > 0 || report.closes.lag.count > 0 {
                    div {
                        (tables::percentiles(report))
                        @if report.bids.planned > 0 { (tables::bids(report)) }
                    }
                }
                (figures::latency(report))
                (figures::lag(report))
                (figures::bid_rate(report))
                (figures::close_rate(report))
            }
            @if !report.seconds.is_empty() { (tables::seconds(report)) }
        }
    }
}

fn checks(report: &BurstReport) -> Markup {
    let checks = &report.checks;
    let (_, replayed) = replay::verdict(&checks.replay);
    html! {
        section {
            h2 { "Checks" }
            ul class="checks" {
                (check(checks.bids + checks.auctions, checks.faults == 0, &words::checks(report)))
                (check(checks.replay.auctions, checks.replay.is_clean(), &replayed))
            }
            (tables::faults(report))
            (tables::findings(report))
            (tables::replay_checks(report))
        }
    }
}

fn check(checked: u64, right: bool, text: &str) -> Markup {
    let (look, word) = match (checked, right) {
        (_, false) => ("bad", "wrong"),
        (0, true) => ("plain", "none"),
        (_, true) => ("good", "right"),
    };
    html! { li { span class={ "mark " (look) } { (word) } " " (text) } }
}

fn settings(report: &BurstReport) -> Markup {
    html! {
        section {
            h2 { "Settings" }
            div class="beside-each-other" {
                (tables::run(report))
                (tables::settings(report))
            }
        }
    }
}
