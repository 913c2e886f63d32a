//! Cells as values of the domain: amounts, instants, flags. Exact, or refused with the reason.

use jiff::fmt::strtime;
use rust_decimal::Decimal;

use super::fields::{MoneyField, Scale, TimeFormat};
use super::marks::Marks;
use crate::auction::time::TimeError;
use crate::auction::{Amount, Currency, Micros, Span};

/// An amount; zero is none.
pub(super) fn money(
    field: &MoneyField,
    text: &str,
    currency: Currency,
    marks: Marks,
) -> Result<Option<Amount>, String> {
    let plain = marks
        .plain(text)
        .ok_or_else(|| format!("not an amount: write {}", marks.told()))?;
    if !field.minor {
        let short = without_needless_zeros(&plain, currency);
        return currency
            .parse_optional(short)
            .map_err(|error| error.to_string());
    }
    let whole = plain
        .parse::<i64>()
        .map_err(|_| format!("not a whole number of minor units of {currency}"))?;
    Amount::optional(whole).map_err(|error| error.to_string())
}

/// An amount that must be one.
pub(super) fn positive(
    field: &MoneyField,
    text: &str,
    currency: Currency,
    marks: Marks,
) -> Result<Amount, String> {
    money(field, text, currency, marks)?.ok_or_else(|| "it must be more than zero".to_owned())
}

/// Many a database writes more decimals than the currency has; zeros say nothing.
fn without_needless_zeros(plain: &str, currency: Currency) -> &str {
    let Some((whole, fraction)) = plain.split_once('.') else {
        return plain;
    };
    let places = usize::try_from(currency.exponent()).unwrap_or(0);
    let needless = fraction.get(places..).unwrap_or("");
    if needless.is_empty() || needless.bytes().any(|b| b != b'0') {
        return plain;
    }
    let kept = if places == 0 {
        whole.len()
    } else {
        whole.len() + 1 + places
    };
    plain.get(..kept).unwrap_or(plain)
}

/// An instant. `start` is the auction's, for those that count from it.
pub(super) fn instant(
    format: &TimeFormat,
    text: &str,
    start: Option<Micros>,
    marks: Marks,
) -> Result<Micros, String> {
    match format {
        TimeFormat::Rfc3339 => text.parse().map_err(|error: TimeError| error.to_string()),
        TimeFormat::Strptime { pattern, zone } => by_pattern(pattern, zone.as_deref(), text),
        TimeFormat::Unix(scale) => {
            Micros::new(scaled(text, *scale, marks)?).map_err(|error| error.to_string())
        }
        TimeFormat::SinceStart(scale) => {
            let us = scaled(text, *scale, marks)?;
            let start = start.ok_or("the start cannot count from itself")?;
            if us == 0 {
                return Ok(start);
            }
            let span = Span::new(us).map_err(|_| "it is more than 366 days after the start")?;
            Ok(start.plus(span))
        }
    }
}

/// A local time that its zone skips or repeats is refused with the candidates named.
fn by_pattern(pattern: &str, zone: Option<&str>, text: &str) -> Result<Micros, String> {
    let broken = strtime::parse(pattern, text).map_err(|_| format!("it is not like {pattern}"))?;
    let full = match zone {
        Some(zone) => {
            let local = broken
                .to_datetime()
                .map_err(|_| format!("{pattern} gives no full date"))?;
            format!("{local}[{zone}]")
        }
        None => broken
            .to_timestamp()
            .map_err(|_| format!("{pattern} gives no instant"))?
            .to_string(),
    };
    full.parse().map_err(|error: TimeError| error.to_string())
}

/// A number of units as microseconds.
fn scaled(text: &str, scale: Scale, marks: Marks) -> Result<i64, String> {
    let number = || format!("not a number: write {}", marks.told());
    let plain = marks.plain(text).ok_or_else(number)?;
    let units = Decimal::from_str_exact(&plain).map_err(|_| "it has too many digits")?;
    let us = units
        .checked_mul(Decimal::from(scale.unit_us))
        .ok_or("it is out of range")?;
    let us = match scale.round_us.map(Decimal::from) {
        // Half to even, so that no direction is favoured.
        Some(to) => {
            let whole = us.checked_div(to).map(|whole| whole.round());
            let rounded = whole.and_then(|whole| whole.checked_mul(to));
            rounded.ok_or("it is out of range")?
        }
        None => us,
    };
    if !us.fract().is_zero() {
        return Err("it is finer than a microsecond: say to what to round it".to_owned());
    }
    i64::try_from(us.trunc()).map_err(|_| "it is out of range".to_owned())
}

/// Yes or no; where the mapping says what yes is, all else is no.
pub(super) fn flag(yes: Option<&str>, text: &str) -> Result<bool, &'static str> {
    if let Some(yes) = yes {
        return Ok(text == yes);
    }
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Ok(true),
        "false" | "f" | "no" | "n" | "0" => Ok(false),
        _ => Err("write true or false, or state yes = \"…\" in the mapping"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::fields::{Field, Origin};

    fn field(minor: bool) -> MoneyField {
        let field = Field {
            key: "bids.amount",
            line: 1,
            origin: Origin::Value(String::new()),
            pattern: None,
            secret: false,
        };
        MoneyField { field, minor }
    }

    #[test]
    fn amounts_are_exact_or_refused() {
        let cases = [
            ("USD", false, "177.5", Ok(Some(17_750))),
            ("USD", false, "190.0000", Ok(Some(19_000))),
            ("USD", false, "190.0010", Err("USD has 2 decimals")),
            ("USD", false, "0.0", Ok(None)),
            ("USD", false, "1,000", Err("no thousands separator")),
            ("USD", false, "-1", Err("not an amount")),
            ("USD", false, "10000000000000.01", Err("from 0.01 to")),
            ("JPY", false, "1050.00", Ok(Some(1_050))),
            ("JPY", false, "1050.5", Err("JPY has 0 decimals")),
            ("KWD", false, "1.234", Ok(Some(1_234))),
            ("USD", true, "17750", Ok(Some(17_750))),
            ("USD", true, "177.5", Err("minor units of USD")),
            ("USD", true, "1000000000000001", Err("minor units")),
            ("USD", true, "99999999999999999999999", Err("minor units")),
        ];
        for (code, minor, text, expected) in cases {
            let currency = Currency::from_code(code).unwrap();
            let read = money(&field(minor), text, currency, Marks::default());
            match (read, expected) {
                (Ok(amount), Ok(minor)) => assert_eq!(amount.map(Amount::minor), minor, "{text}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
                (read, _) => panic!("{code} {text}: {read:?}"),
            }
        }
    }

    fn scale(unit_us: i64, round_us: Option<i64>) -> Scale {
        Scale { unit_us, round_us }
    }

    #[test]
    fn instants_are_exact_or_refused() {
        let strptime = |pattern: &str, zone: Option<&str>| TimeFormat::Strptime {
            pattern: pattern.to_owned(),
            zone: zone.map(str::to_owned),
        };
        let german = strptime("%d.%m.%Y %H:%M:%S", Some("Europe/Berlin"));
        let days = TimeFormat::SinceStart(scale(86_400_000_000, Some(1_000_000)));
        let exact = TimeFormat::SinceStart(scale(86_400_000_000, None));
        let cases = [
            (
                &TimeFormat::Rfc3339,
                "2025-11-09T05:06:22Z",
                Ok("2025-11-09T05:06:22.000000Z"),
            ),
            (
                &TimeFormat::Rfc3339,
                "2025-11-09T05:06:22",
                Err("neither an offset nor a zone"),
            ),
            (
                &german,
                "09.07.2025 12:00:00",
                Ok("2025-07-09T10:00:00.000000Z"),
            ),
            (
                &german,
                "09.01.2025 12:00:00",
                Ok("2025-01-09T11:00:00.000000Z"),
            ),
            (
                &german,
                "26.10.2025 02:30:00",
                Err("happens twice in Europe/Berlin"),
            ),
            (
                &german,
                "30.03.2025 02:30:00",
                Err("is skipped in Europe/Berlin"),
            ),
            (&german, "2025-01-09", Err("it is not like %d")),
            // The last that can be counted; rounded up it cannot.
            (&days, "916992621692874277.7030549807", Err("out of range")),
            (
                &strptime("%Y%m%d %H:%M %z", None),
                "20250709 12:00 -0700",
                Ok("2025-07-09T19:00:00.000000Z"),
            ),
            (
                &strptime("%m/%d/%Y %I:%M %p", Some("America/Los_Angeles")),
                "1/2/2026 5:06 PM",
                Ok("2026-01-03T01:06:00.000000Z"),
            ),
            (
                &strptime("%b %d, %Y %H:%M:%S%.f", Some("UTC")),
                "Dec 6, 2026 19:00:00.1234567",
                Err("at most six decimals"),
            ),
            (
                &TimeFormat::Unix(scale(1_000_000, None)),
                "1700000000.000001",
                Ok("2023-11-14T22:13:20.000001Z"),
            ),
            (
                &TimeFormat::Unix(scale(1_000, None)),
                "1700000000000",
                Ok("2023-11-14T22:13:20.000000Z"),
            ),
            (
                &TimeFormat::Unix(scale(1, None)),
                "0.5",
                Err("finer than a microsecond"),
            ),
            (
                &TimeFormat::Unix(scale(1, None)),
                "99999999999999999999",
                Err("out of range"),
            ),
            (&days, "2.230949", Ok("2003-01-03T05:32:34.000000Z")),
            (&days, "0", Ok("2003-01-01T00:00:00.000000Z")),
            (&days, "-1", Err("not a number")),
            (&days, "400", Err("366 days")),
            (&exact, "2.230949", Ok("2003-01-03T05:32:33.993600Z")),
            (&exact, "0.000000000001", Err("say to what to round")),
        ];
        let start: Micros = "2003-01-01T00:00:00Z".parse().unwrap();
        for (format, text, expected) in cases {
            let read = instant(format, text, Some(start), Marks::default());
            match (read, expected) {
                (Ok(at), Ok(told)) => assert_eq!(at.to_string(), told, "{text}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
    }

    #[test]
    fn flags_are_words_or_what_the_mapping_says() {
        assert_eq!(flag(None, "True"), Ok(true));
        assert_eq!(flag(None, "0"), Ok(false));
        assert!(flag(None, "auto").is_err());
        assert_eq!(flag(Some("auto"), "auto"), Ok(true));
        assert_eq!(flag(Some("auto"), "true"), Ok(false));
    }
}
