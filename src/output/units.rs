//! How amounts, instants, spans and counts are written. What is printed can be pasted back into
//! an option: no thousands separators, no local times, the currency always named.

use crate::auction::terms::steers;
use crate::auction::{Amount, Currency, Micros};

/// A decimal alone, for a field beside a `currency` field.
pub(crate) fn decimal(currency: Currency, amount: Amount) -> String {
    currency.format(amount)
}

/// The lowest next bid as a decimal; none where it lies beyond every amount.
pub(crate) fn next_bid(currency: Currency, minor: i64) -> Option<String> {
    Amount::new(minor)
        .ok()
        .map(|amount| currency.format(amount))
}

/// What is told in the place of a next bid that cannot be.
pub(crate) const NO_NEXT_BID: &str = "no higher bid is possible";

/// RFC 3339 in UTC with all six decimals: the form for files and programs.
pub(crate) fn utc(instant: Micros) -> String {
    instant.to_string()
}

/// RFC 3339 in UTC, the fraction only where there is one: the form for people.
pub(crate) fn instant(at: Micros) -> String {
    let text = at.to_string();
    match text.strip_suffix(".000000Z") {
        Some(seconds) => format!("{seconds}Z"),
        None => text,
    }
}

/// An instant as it is kept, without its fraction: for tables that leave the exact one to others.
pub(crate) fn second(at: &str) -> String {
    at.split_once('.')
        .map_or(at.to_owned(), |(second, _)| format!("{second}Z"))
}

/// How far an instant is from now: `in 2h 5m`, `3m ago`.
pub(crate) fn relative(at: Micros, now: Micros) -> String {
    let us = at.since(now);
    let span = span(us.abs());
    match us {
        0 => "now".to_owned(),
        1.. => format!("in {span}"),
        _ => format!("{span} ago"),
    }
}

/// A length of time in its two largest units: `6d 23h`, `2m 5s`, `350ms`.
pub(crate) fn span(us: i64) -> String {
    const UNITS: [(i64, &str); 6] = [
        (86_400_000_000, "d"),
        (3_600_000_000, "h"),
        (60_000_000, "m"),
        (1_000_000, "s"),
        (1_000, "ms"),
        (1, "us"),
    ];
    let Some(first) = UNITS.iter().position(|(size, _)| us >= *size) else {
        return "0s".to_owned();
    };
    let (size, unit) = UNITS[first];
    let mut text = format!("{}{unit}", us / size);
    // Below a second one unit is exact enough.
    if let Some((next, next_unit)) = UNITS.get(first + 1).filter(|(next, _)| *next >= 1_000_000) {
        let rest = us % size / next;
        if rest > 0 {
            text.push_str(&format!(" {rest}{next_unit}"));
        }
    }
    text
}

/// A measured duration in three digits, rounded: `840us`, `1.24ms`, `12.4ms`, `3.05s`.
pub(crate) fn brief(us: i64) -> String {
    const MS: i64 = 1_000;
    const S: i64 = 1_000_000;
    let (size, unit) = match us {
        us if us < MS => return format!("{us}us"),
        us if us < 999_500 => (MS, "ms"),
        us if us < 99_950_000 => (S, "s"),
        _ => return span(us),
    };
    let (parts, decimals) = match us * 1_000 / size {
        ..9_995 => (100, 2),
        9_995..99_950 => (10, 1),
        _ => (1, 0),
    };
    let step = size / parts;
    decimal_of((us + step / 2) / step, parts, decimals) + unit
}

/// Thousandths of something a second, with one decimal.
pub(crate) fn per_second(milli: u64) -> String {
    let tenths = milli.saturating_add(50) / 100;
    decimal_of(i64::try_from(tenths).unwrap_or(i64::MAX), 10, 1)
}

/// A number of parts as a decimal number.
fn decimal_of(number: i64, parts: i64, decimals: usize) -> String {
    match decimals {
        0 => number.to_string(),
        _ => format!("{}.{:0decimals$}", number / parts, number % parts),
    }
}

/// `1 auction`, `3 auctions`.
pub(crate) fn count(number: impl Into<i128>, noun: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Free text on one line: nothing in it can steer a terminal.
pub(crate) fn one_line(text: &str) -> String {
    let visible = |c: char| if steers(c) { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

/// Breaks a text at spaces; a word longer than the width stands alone.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in one_line(text).split(' ') {
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("indivisible a", 4), ["indivisible", "a"]);
    }

    #[test]
    fn instants_keep_their_seconds_and_lose_needless_zeros() {
        let at = |text: &str| instant(text.parse().unwrap());
        assert_eq!(at("2026-12-06T00:00:00Z"), "2026-12-06T00:00:00Z");
        assert_eq!(
            at("2026-12-06T10:20:30.250Z"),
            "2026-12-06T10:20:30.250000Z"
        );
        assert_eq!(
            at("2026-12-06T10:20:30.000001Z"),
            "2026-12-06T10:20:30.000001Z"
        );
        let kept = "2026-12-06T10:20:30.999999Z";
        assert_eq!(second(kept), "2026-12-06T10:20:30Z");
    }

    #[test]
    fn measured_durations_have_three_digits() {
        let told = |us: i64| brief(us);
        assert_eq!([told(0), told(7), told(999)], ["0us", "7us", "999us"]);
        assert_eq!(
            [told(1_000), told(1_237), told(9_994), told(9_995)],
            ["1.00ms", "1.24ms", "9.99ms", "10.0ms"]
        );
        assert_eq!(
            [told(99_949), told(99_950), told(999_499), told(999_500)],
            ["99.9ms", "100ms", "999ms", "1.00s"]
        );
        assert_eq!(
            [told(12_345_678), told(99_949_999), told(99_950_000)],
            ["12.3s", "99.9s", "1m 39s"]
        );
        assert_eq!(told(i64::MAX), span(i64::MAX));
    }

    #[test]
    fn rates_have_one_decimal() {
        assert_eq!(
            [per_second(0), per_second(50), per_second(1_599_949)],
            ["0.0", "0.1", "1599.9"]
        );
        assert_eq!(per_second(u64::MAX), "18446744073709551.6");
    }

    #[test]
    fn spans_are_told_in_two_units() {
        assert_eq!(span(0), "0s");
        assert_eq!(span(7), "7us");
        assert_eq!(span(350_999), "350ms");
        assert_eq!(span(1_500_000), "1s");
        assert_eq!(span(125_000_000), "2m 5s");
        assert_eq!(span(7 * 86_400_000_000 - 1), "6d 23h");
    }
}
