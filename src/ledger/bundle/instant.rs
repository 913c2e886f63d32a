//! Instants of a folder: the form that exports write, read at once; any other by the general parser.
//!
//! An entry has two, and the general parser looks for zones and offsets in each.

use crate::auction::Micros;
use crate::auction::time::TimeError;

/// Reads an instant.
pub(super) fn instant(text: &str) -> Result<Micros, String> {
    match exported_instant(text.as_bytes()) {
        Some(instant) => Ok(instant),
        None => text.parse().map_err(|error: TimeError| error.to_string()),
    }
}

/// Reads `2026-12-06T03:00:00.000000Z`; none for any other form.
fn exported_instant(text: &[u8]) -> Option<Micros> {
    let [
        y3,
        y2,
        y1,
        y0,
        b'-',
        n1,
        n0,
        b'-',
        d1,
        d0,
        b'T',
        h1,
        h0,
        b':',
        m1,
        m0,
        b':',
        s1,
        s0,
        b'.',
        u5,
        u4,
        u3,
        u2,
        u1,
        u0,
        b'Z',
    ] = text
    else {
        return None;
    };
    let digits = |digits: &[u8]| {
        digits.iter().try_fold(0_i64, |number, digit| {
            digit
                .is_ascii_digit()
                .then(|| number * 10 + i64::from(digit - b'0'))
        })
    };
    let (year, month, day) = (
        digits(&[*y3, *y2, *y1, *y0])?,
        digits(&[*n1, *n0])?,
        digits(&[*d1, *d0])?,
    );
    let (hour, minute, second) = (
        digits(&[*h1, *h0])?,
        digits(&[*m1, *m0])?,
        digits(&[*s1, *s0])?,
    );
    let micro = digits(&[*u5, *u4, *u3, *u2, *u1, *u0])?;
    // Whether day 29 to 31 exists, and leap seconds, are left to the general parser.
    let plain = (1..=12).contains(&month)
        && (1..=28).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !plain || year < 1970 {
        return None;
    }
    // Years that begin in March have their leap day last.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day
        - 1
        - DAYS_TO_1970;
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    Micros::new(seconds * 1_000_000 + micro).ok()
}

/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every day of eight centuries: what is read fast is what the general parser reads.
    #[test]
    fn an_exported_instant_is_read_as_any_other() {
        let mut fast = 0;
        for day in 0..300_000 {
            let at = Micros::new(day * 86_400_000_000 + day * 285_714 + 1).unwrap();
            let text = at.to_string();
            let read = exported_instant(text.as_bytes());
            fast += usize::from(read.is_some());
            assert!(read.is_none_or(|read| read == at), "{text}: {read:?}");
            assert_eq!(instant(&text), Ok(at), "{text}");
        }
        assert!(fast > 250_000, "{fast}");
        for other in [
            "1969-12-01T00:00:00.000000Z",
            "2026-02-30T00:00:00.000000Z",
            "2026-13-01T00:00:00.000000Z",
            "2026-12-01T24:00:00.000000Z",
            "2026-12-01T00:00:00.00000xZ",
            "2026-12-01 00:00:00.000000Z",
            "2026-12-01T00:00:00Z",
        ] {
            assert_eq!(exported_instant(other.as_bytes()), None, "{other}");
            assert_eq!(
                instant(other),
                other.parse::<Micros>().map_err(|error| error.to_string()),
                "{other}"
            );
        }
    }
}
