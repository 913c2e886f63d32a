//! Instants and spans as people write them: an offset or a zone, nothing guessed.

use gavel::auction::time::TimeError;
use gavel::auction::{Micros, Span};

use crate::support::make::at;

/// 2026-12-07T03:00:00Z.
const SEVEN_PM: i64 = 1_796_612_400_000_000;

fn read(text: &str) -> Result<i64, TimeError> {
    text.parse().map(Micros::get)
}

#[test]
fn one_instant_has_many_spellings() {
    for text in [
        "2026-12-07T03:00:00Z",
        "2026-12-07T03:00:00z",
        "2026-12-07T03:00Z",
        "2026-12-07t03:00:00.000000Z",
        "2026-12-07 03:00:00Z",
        "2026-12-06T19:00:00-08:00",
        "2026-12-06T19:00[America/Los_Angeles]",
        "2026-12-06T19:00:00[America/Los_Angeles]",
        "2026-12-06T19:00:00-08:00[America/Los_Angeles]",
        "2026-12-07T04:00[Europe/Berlin]",
        "2026-12-07T08:30:00+05:30",
    ] {
        assert_eq!(read(text), Ok(SEVEN_PM), "{text}");
    }
    assert_eq!(at(SEVEN_PM).to_string(), "2026-12-07T03:00:00.000000Z");
}

#[test]
fn summer_and_winter_have_the_right_offset() {
    let winter = read("2026-12-06T19:00[America/Los_Angeles]").unwrap();
    assert_eq!(winter, read("2026-12-06T19:00:00-08:00").unwrap());
    let summer = read("2026-07-06T19:00[America/Los_Angeles]").unwrap();
    assert_eq!(summer, read("2026-07-06T19:00:00-07:00").unwrap());
    let berlin = read("2026-07-06T19:00[Europe/Berlin]").unwrap();
    assert_eq!(summer - berlin, 9 * 3_600_000_000);
}

#[test]
fn microseconds_are_kept_and_finer_is_refused() {
    assert_eq!(read("2026-12-07T03:00:00.25Z"), Ok(SEVEN_PM + 250_000));
    assert_eq!(read("2026-12-07T03:00:00.000001Z"), Ok(SEVEN_PM + 1));
    // Trailing zeros say nothing finer.
    assert_eq!(read("2026-12-07T03:00:00.000001000Z"), Ok(SEVEN_PM + 1));
    for text in [
        "2026-12-07T03:00:00.0000001Z",
        "2026-12-07T03:00:00.123456789-08:00",
        "2026-12-07T03:00:00.0000001[Europe/Berlin]",
    ] {
        assert_eq!(read(text), Err(TimeError::TooFine), "{text}");
    }
}

#[test]
fn without_offset_or_zone_nothing_is_guessed() {
    for text in [
        "2026-12-06T19:00",
        "2026-12-06T19:00:00",
        "2026-12-06 19:00:00.5",
    ] {
        assert_eq!(read(text), Err(TimeError::NoZone), "{text}");
    }
    for text in [
        "",
        "now",
        "tomorrow",
        "2026-12-06",
        "2026-12-06Z",
        "19:00Z",
        "1796612400",
        "2026-13-01T00:00Z",
        "2026-02-30T00:00Z",
        "2026-12-06T25:00Z",
        "06/12/2026 19:00Z",
        "2026-12-06T19:00:00-08:00 ",
        "2026-12-06T19:00:00−08:00",
    ] {
        assert_eq!(read(text), Err(TimeError::Syntax), "{text:?}");
    }
}

#[test]
fn a_local_time_that_happens_twice_is_refused_with_both() {
    assert_eq!(
        read("2026-11-01T01:30[America/Los_Angeles]"),
        Err(TimeError::Ambiguous {
            zone: "America/Los_Angeles".to_owned(),
            first: "2026-11-01T01:30:00-07:00".to_owned(),
            second: "2026-11-01T01:30:00-08:00".to_owned(),
        })
    );
    // The first and last local times that are not in doubt.
    let before = read("2026-11-01T00:59:59.999999[America/Los_Angeles]");
    assert_eq!(before, read("2026-11-01T00:59:59.999999-07:00"));
    let after = read("2026-11-01T02:00[America/Los_Angeles]");
    assert_eq!(after, read("2026-11-01T02:00:00-08:00"));
    // With the offset it is not in doubt at all.
    for offset in ["-07:00", "-08:00"] {
        let zoned = format!("2026-11-01T01:30:00{offset}[America/Los_Angeles]");
        assert_eq!(read(&zoned), read(&format!("2026-11-01T01:30:00{offset}")));
    }
}

#[test]
fn a_local_time_that_is_skipped_is_refused_with_its_neighbours() {
    assert_eq!(
        read("2026-03-08T02:30[America/Los_Angeles]"),
        Err(TimeError::Skipped {
            zone: "America/Los_Angeles".to_owned(),
            before: "2026-03-08T01:30:00-08:00".to_owned(),
            after: "2026-03-08T03:30:00-07:00".to_owned(),
        })
    );
    // Half an hour on Lord Howe Island.
    assert_eq!(
        read("2026-10-04T02:15[Australia/Lord_Howe]"),
        Err(TimeError::Skipped {
            zone: "Australia/Lord_Howe".to_owned(),
            before: "2026-10-04T01:45:00+10:30".to_owned(),
            after: "2026-10-04T02:45:00+11:00".to_owned(),
        })
    );
    assert_eq!(
        read("2026-03-08T03:00[America/Los_Angeles]"),
        read("2026-03-08T03:00:00-07:00")
    );
}

#[test]
fn the_candidates_named_are_themselves_taken() {
    for text in [
        "2026-11-01T01:30[America/Los_Angeles]",
        "2026-03-08T02:30[America/Los_Angeles]",
        "2026-10-25T02:30:15[Europe/Berlin]",
    ] {
        let candidates = match read(text) {
            Err(TimeError::Ambiguous { first, second, .. }) => [first, second],
            Err(TimeError::Skipped { before, after, .. }) => [before, after],
            other => panic!("{text}: {other:?}"),
        };
        let [first, second] = candidates.map(|candidate| read(&candidate).unwrap());
        assert!(first < second, "{text}");
    }
}

#[test]
fn wrong_zones_and_offsets_are_named() {
    assert_eq!(
        read("2026-12-06T19:00[Mars/Olympus]"),
        Err(TimeError::UnknownZone("Mars/Olympus".to_owned()))
    );
    assert_eq!(
        read("2026-12-06T19:00:00-07:00[America/Los_Angeles]"),
        Err(TimeError::OffsetConflict("America/Los_Angeles".to_owned()))
    );
}

#[test]
fn instants_lie_from_1970_to_9999() {
    for text in [
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "-009999-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ] {
        assert_eq!(read(text), Err(TimeError::OutOfRange), "{text}");
    }
    assert_eq!(read("1970-01-01T00:00:00.000001Z"), Ok(1));
    assert_eq!(read("9999-12-30T22:00:00.999999Z"), Ok(Micros::MAX.get()));
    assert!(read("10000-01-01T00:00:00Z").is_err());
    for bad in [i64::MIN, -1, 0, Micros::MAX.get() + 1, i64::MAX] {
        assert!(Micros::new(bad).is_err(), "{bad}");
    }
}

#[test]
fn what_is_printed_reads_back() {
    for us in [
        1,
        SEVEN_PM - 1,
        SEVEN_PM,
        SEVEN_PM + 250_000,
        Micros::MAX.get(),
    ] {
        assert_eq!(read(&at(us).to_string()), Ok(us));
    }
}

#[test]
fn spans_have_units_and_bounds() {
    let day = 86_400_000_000;
    for (text, us) in [
        ("1us", 1),
        ("250ms", 250_000),
        ("90s", 90_000_000),
        ("5m", 300_000_000),
        ("2h30m", 9_000_000_000),
        ("1h 30m", 5_400_000_000),
        ("7d", 7 * day),
        ("1w", 7 * day),
        ("366d", 366 * day),
        ("PT5M", 300_000_000),
    ] {
        assert_eq!(text.parse::<Span>().map(Span::get), Ok(us), "{text}");
    }
    for bad in [
        "",
        "5",
        "0s",
        "-5m",
        "5 parsecs",
        "1mo",
        "1y",
        "366d1us",
        "367d",
        "1ns",
        "1500ns",
        "99999999999d",
        "99999999999999999999s",
        "1.0000005s",
    ] {
        assert_eq!(bad.parse::<Span>(), Err(TimeError::Span), "{bad:?}");
    }
    for bad in [i64::MIN, -1, 0, Span::MAX + 1, i64::MAX] {
        assert!(Span::new(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_printed_span_reads_back() {
    let day = 86_400_000_000;
    for (us, text) in [
        (300_000_000, "5m"),
        (7 * day, "7d"),
        (9_000_000_000, "2h 30m"),
    ] {
        assert_eq!(Span::new(us).unwrap().to_string(), text);
    }
    for us in [
        1,
        999,
        1_500_000,
        300_000_000,
        day - 1,
        day,
        day + 1,
        366 * day,
    ] {
        let text = Span::new(us).unwrap().to_string();
        assert_eq!(text.parse::<Span>().map(Span::get), Ok(us), "{text}");
    }
}

#[test]
fn sums_are_held_inside_the_bounds() {
    let day = Span::new(86_400_000_000).unwrap();
    assert_eq!(Micros::MAX.plus(day), Micros::MAX);
    assert_eq!(at(5).minus(day), at(1));
    assert_eq!(at(SEVEN_PM).plus(day).since(at(SEVEN_PM)), day.get());
    assert_eq!(at(1).since(at(3)), -2);
}
