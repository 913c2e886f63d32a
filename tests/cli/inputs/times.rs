//! Times and spans that are none.

use super::sheet::Sheet;
use super::witness::{Before, refused};
use crate::support::cli::Desk;

const SYNTAX: &str = "write a time as 2026-12-06T19:00:00-08:00";
const SPAN: &str = "write a span as 90s, 5m, 2h30m or 7d, from 1us to 366 days";

/// Texts for an end, and what is said about each.
pub(super) const TIMES: [(&str, &str); 39] = [
    ("2099-12-06T19:00", "neither an offset nor a zone"),
    ("2099-12-06 19:00:00.5", "neither an offset nor a zone"),
    ("2099-12-06", SYNTAX),
    ("19:00Z", SYNTAX),
    ("tomorrow", SYNTAX),
    ("", SYNTAX),
    ("4099766400", SYNTAX),
    ("06.12.2099 19:00", SYNTAX),
    ("12/06/2099 7:00 PM", SYNTAX),
    ("2099-12-06T19:00PST", SYNTAX),
    ("2099-12-06T19:00 America/Los_Angeles", SYNTAX),
    (" 2099-12-06T19:00Z", SYNTAX),
    ("2099-12-06T19:00Z ", SYNTAX),
    ("2099-12-06T19:00:00\u{2212}08:00", SYNTAX),
    ("２０９９-12-06T19:00Z", SYNTAX),
    ("2099-13-01T00:00Z", SYNTAX),
    ("2099-02-30T00:00Z", SYNTAX),
    ("2099-02-29T00:00Z", SYNTAX),
    ("2099-12-00T00:00Z", SYNTAX),
    ("2099-12-06T24:00Z", SYNTAX),
    ("2099-12-06T25:00Z", SYNTAX),
    ("2099-12-06T19:60Z", SYNTAX),
    ("10000-01-01T00:00Z", SYNTAX),
    ("9999-12-31T23:59:59Z", "between 1970 and 9999"),
    ("1969-12-31T23:59:59Z", "between 1970 and 9999"),
    ("2099-12-06T19:00:00.1234567Z", "microseconds"),
    ("2020-01-01T00:00Z", "must lie in the future"),
    (
        "2027-03-14T02:30[America/Los_Angeles]",
        "the nearest are 2027-03-14T01:30:00-08:00 and 2027-03-14T03:30:00-07:00",
    ),
    (
        "2027-11-07T01:30[America/Los_Angeles]",
        "write 2027-11-07T01:30:00-07:00 or 2027-11-07T01:30:00-08:00",
    ),
    (
        "2027-03-28T02:30[Europe/Berlin]",
        "the nearest are 2027-03-28T01:30:00+01:00 and 2027-03-28T03:30:00+02:00",
    ),
    ("2099-12-06T19:00[Mars/Olympus]", "unknown time zone"),
    (
        "2099-12-06T19:00-08:00[America/New_York]",
        "the offset does not belong to America/New_York",
    ),
    ("2099-12-06T19:00:00+25:00", "between -23:59 and +23:59"),
    ("2099-12-06T19:00:00-24:00", "between -23:59 and +23:59"),
    ("2099-12-06T23:59:60Z", "leap second"),
    ("20991206T235960Z", "leap second"),
    ("2099-12-06 23:59:60.5+01:00", "leap second"),
    ("2099-12-06T23:59:60[America/Los_Angeles]", "leap second"),
    ("2099-12-06T23:59:61Z", SYNTAX),
];

/// Texts for a span.
pub(super) const SPANS: [(&str, &str); 18] = [
    ("", SPAN),
    ("7", SPAN),
    ("0s", SPAN),
    ("-0s", SPAN),
    ("-7d", SPAN),
    ("7d ago", SPAN),
    ("366d 1us", SPAN),
    ("367d", SPAN),
    ("999999999999999999999d", SPAN),
    ("7 fortnights", SPAN),
    ("1mo", SPAN),
    ("1y", SPAN),
    ("1ns", SPAN),
    ("1d1d", SPAN),
    ("d7", SPAN),
    ("7d,", SPAN),
    ("１d", SPAN),
    ("inf", SPAN),
];

#[test]
fn a_bad_time_names_its_option() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    let lot = [
        "create",
        "--seller",
        "alice",
        "--title",
        "T",
        "--start-price",
        "5",
    ];
    let with = |more: &[&str]| desk.run_words(&[&lot[..], more].concat());
    for (text, why) in TIMES {
        let value = format!("--ends-at \"{text}\": ");
        refused(&with(&["--ends-at", text]), text, &[&value, why]);
    }
    for (text, why) in TIMES
        .into_iter()
        .filter(|(_, why)| *why != "must lie in the future")
    {
        let said = with(&["--ends-in", "7d", "--starts-at", text]);
        refused(&said, text, &["--starts-at", why]);
        let said = with(&[
            "--ends-in",
            "7d",
            "--soft-close-window",
            "5m",
            "--soft-close-cap",
            text,
        ]);
        refused(&said, text, &["--soft-close-cap", why]);
    }
    for (text, why) in SPANS {
        let ends_in = format!("--ends-in={text}");
        refused(
            &with(&[&ends_in]),
            text,
            &[&format!("--ends-in \"{text}\": "), why],
        );
        let window = format!("--soft-close-window={text}");
        let said = with(&["--ends-in", "7d", &window]);
        refused(&said, text, &["--soft-close-window", why]);
    }
    before.still_is(&desk);
}

#[test]
fn an_end_that_is_none_or_not_behind_the_start_is_refused() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    let lot = [
        "create",
        "--seller",
        "alice",
        "--title",
        "T",
        "--start-price",
        "5",
    ];
    for (more, expected) in [
        ("", "state --ends-at or --ends-in"),
        (
            "--starts-at 2099-01-02T00:00Z --ends-at 2099-01-01T00:00Z",
            "--ends-at",
        ),
        (
            "--starts-at 2099-01-01T00:00Z --ends-at 2099-01-01T00:00Z",
            "--ends-at",
        ),
        ("--ends-at 2099-01-01T00:00Z --ends-in 7d", "--ends-in"),
        ("--ends-in 1m --soft-close-window 2m", "--soft-close-window"),
    ] {
        let more: Vec<&str> = more.split_whitespace().collect();
        let said = desk.run_words(&[&lot[..], &more].concat());
        refused(&said, &more.join(" "), &[expected]);
    }
    before.still_is(&desk);
}

#[test]
fn a_bad_time_in_a_file_is_named_by_line_column_and_value() {
    let desk = Desk::with_guitar();
    Sheet::of_auctions().refuses(&desk, "ends_at", &TIMES);
    let sheet = Sheet::of_auctions().with("ends_at", "");
    sheet.refuses(&desk, "ends_in", &SPANS);
    let sheet = Sheet::of_auctions().with("starts_at", "2099-12-06T03:00Z");
    sheet.refuses(
        &desk,
        "ends_at",
        &[("2099-12-06T02:59Z", "after the start")],
    );
}
