//! Instants and spans: whole microseconds, RFC 3339 at the edges.
//!
//! A text names an instant only with an offset (`2026-12-06T19:00:00-08:00`, `…Z`) or a zone
//! (`2026-12-06T19:00[America/Los_Angeles]`). A local time that a zone skips or repeats is
//! refused with the candidates named; nothing is guessed.

use std::fmt;
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::fmt::temporal::{DateTimeParser, Pieces, PiecesOffset};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a text or number is not an instant or a span.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Not a date and time at all.
    #[error("write a time as 2026-12-06T19:00:00-08:00 or 2026-12-06T19:00[America/Los_Angeles]")]
    Syntax,
    /// Neither offset nor zone.
    #[error(
        "this time has neither an offset nor a zone: \
         append Z, -08:00 or [America/Los_Angeles]"
    )]
    NoZone,
    /// The zone is in no time-zone database.
    #[error("unknown time zone {0}")]
    UnknownZone(String),
    /// The clocks are set back over this local time.
    #[error("this local time happens twice in {zone}: write {first} or {second}")]
    Ambiguous {
        /// The zone.
        zone: String,
        /// The earlier instant.
        first: String,
        /// The later instant.
        second: String,
    },
    /// The clocks are set forward over this local time.
    #[error("this local time is skipped in {zone}: the nearest are {before} and {after}")]
    Skipped {
        /// The zone.
        zone: String,
        /// The instant an earlier reading would give.
        before: String,
        /// The instant a later reading would give.
        after: String,
    },
    /// The offset is not the zone's at that time.
    #[error("the offset does not belong to {0} at this time: leave one of the two out")]
    OffsetConflict(String),
    /// A second 60: it has no place of its own in Unix time.
    #[error("a leap second cannot be kept: write second 59 or the next minute")]
    LeapSecond,
    /// Further from UTC than a day.
    #[error("an offset lies between -23:59 and +23:59")]
    OffsetRange,
    /// Finer than a microsecond.
    #[error("times are kept in microseconds: at most six decimals of a second")]
    TooFine,
    /// Outside 1970 to 9999.
    #[error("an instant lies between 1970 and 9999-12-30T22:00:00.999999Z")]
    OutOfRange,
    /// Not a span, or outside 1 us to 366 days.
    #[error("write a span as 90s, 5m, 2h30m or 7d, from 1us to 366 days")]
    Span,
}

/// An instant in Unix microseconds, from 1970 to the end of 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Micros(i64);

impl Micros {
    /// The latest instant, 9999-12-30T22:00:00.999999Z: after it no offset can be written.
    pub const MAX: Self = Self(253_402_207_200_999_999);
    /// The earliest instant.
    pub const MIN: Self = Self(1);

    /// Checks the range. 0 is kept free: it is how an absent instant is stored.
    pub fn new(us: i64) -> Result<Self, TimeError> {
        if (1..=Self::MAX.0).contains(&us) {
            Ok(Self(us))
        } else {
            Err(TimeError::OutOfRange)
        }
    }

    /// The stored form of an optional instant: 0 is none.
    pub fn optional(us: i64) -> Result<Option<Self>, TimeError> {
        if us == 0 {
            Ok(None)
        } else {
            Self::new(us).map(Some)
        }
    }

    /// Unix microseconds.
    pub fn get(self) -> i64 {
        self.0
    }

    /// This instant and a span; held at [`Self::MAX`].
    pub fn plus(self, span: Span) -> Self {
        Self((self.0 + span.0).min(Self::MAX.0))
    }

    /// This instant less a span; held at the first instant.
    pub fn minus(self, span: Span) -> Self {
        Self((self.0 - span.0).max(1))
    }

    /// Microseconds from `earlier` to this instant; negative if it is later.
    pub fn since(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }

    fn from_timestamp(timestamp: Timestamp) -> Result<Self, TimeError> {
        if timestamp.subsec_nanosecond() % 1_000 != 0 {
            return Err(TimeError::TooFine);
        }
        Self::new(timestamp.as_microsecond())
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(Timestamp::MAX)
    }
}

impl TryFrom<i64> for Micros {
    type Error = TimeError;
    fn try_from(us: i64) -> Result<Self, TimeError> {
        Self::new(us)
    }
}

impl From<Micros> for i64 {
    fn from(instant: Micros) -> Self {
        instant.0
    }
}

/// RFC 3339 in UTC with six decimals: `2026-12-06T03:00:00.000000Z`.
impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:.6}", self.timestamp()))
    }
}

impl FromStr for Micros {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let pieces = Pieces::parse(text).map_err(|_| TimeError::Syntax)?;
        let time = pieces.time().ok_or(TimeError::Syntax)?;
        if is_leap_second(text) {
            return Err(TimeError::LeapSecond);
        }
        if let Some(PiecesOffset::Numeric(offset)) = pieces.offset()
            && offset.offset().seconds().abs() >= 86_400
        {
            return Err(TimeError::OffsetRange);
        }
        let local = pieces.date().to_datetime(time);
        let Some(annotation) = pieces.time_zone_annotation() else {
            return match pieces.offset() {
                None => Err(TimeError::NoZone),
                Some(PiecesOffset::Numeric(offset)) => TimeZone::fixed(offset.offset())
                    .to_timestamp(local)
                    .map_err(|_| TimeError::OutOfRange)
                    .and_then(Self::from_timestamp),
                Some(_) => TimeZone::UTC
                    .to_timestamp(local)
                    .map_err(|_| TimeError::OutOfRange)
                    .and_then(Self::from_timestamp),
            };
        };
        let zone = annotation
            .to_time_zone()
            .map_err(|_| TimeError::UnknownZone(zone_text(text).to_owned()))?;
        if pieces.offset().is_some() {
            return DateTimeParser::new()
                .parse_zoned_datetime(text)
                .map_err(|_| TimeError::OffsetConflict(zone_text(text).to_owned()))
                .and_then(|zoned| Self::from_timestamp(zoned.timestamp()));
        }
        in_zone(local, &zone, zone_text(text)).and_then(Self::from_timestamp)
    }
}

/// Whether the time of a readable text has second 60; jiff reads it as 59.
fn is_leap_second(text: &str) -> bool {
    let time = text
        .split_once(['T', 't', ' '])
        .map_or("", |(_, time)| time);
    let clock = time.split(['Z', 'z', '+', '-', '[', '.', ',']).next();
    let digits: String = clock
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    digits.get(4..) == Some("60")
}

fn zone_text(text: &str) -> &str {
    text.split_once('[')
        .map_or("", |(_, rest)| rest.trim_end_matches(']'))
}

fn in_zone(local: DateTime, zone: &TimeZone, name: &str) -> Result<Timestamp, TimeError> {
    let ambiguous = zone.to_ambiguous_timestamp(local);
    let (before, after) = match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { .. } => {
            return ambiguous.unambiguous().map_err(|_| TimeError::OutOfRange);
        }
        AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after } => {
            (before, after)
        }
    };
    let candidate = |offset: jiff::tz::Offset| {
        offset
            .to_timestamp(local)
            .map(|timestamp| {
                timestamp
                    .to_zoned_datetime(zone.clone())
                    .strftime("%Y-%m-%dT%H:%M:%S%:z")
                    .to_string()
            })
            .map_err(|_| TimeError::OutOfRange)
    };
    let zone = name.to_owned();
    Err(match ambiguous.offset() {
        AmbiguousOffset::Fold { .. } => TimeError::Ambiguous {
            zone,
            first: candidate(before)?,
            second: candidate(after)?,
        },
        _ => TimeError::Skipped {
            zone,
            before: candidate(after)?,
            after: candidate(before)?,
        },
    })
}

/// A length of time in microseconds, 1 us to 366 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Span(i64);

impl Span {
    /// The longest span, 366 days.
    pub const MAX: i64 = 366 * 86_400 * 1_000_000;
    /// Thirty seconds.
    pub const HALF_MINUTE: Self = Self(30_000_000);
    /// A minute.
    pub const MINUTE: Self = Self(60_000_000);

    /// Checks the range.
    pub fn new(us: i64) -> Result<Self, TimeError> {
        if (1..=Self::MAX).contains(&us) {
            Ok(Self(us))
        } else {
            Err(TimeError::Span)
        }
    }

    /// Microseconds.
    pub fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Span {
    type Error = TimeError;
    fn try_from(us: i64) -> Result<Self, TimeError> {
        Self::new(us)
    }
}

impl From<Span> for i64 {
    fn from(span: Span) -> Self {
        span.0
    }
}

impl FromStr for Span {
    type Err = TimeError;

    /// Reads jiff's friendly form (`5m`, `2h30m`, `7d`, `120s`); a day is 24 hours.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let span: jiff::Span = text.parse().map_err(|_| TimeError::Span)?;
        if span.get_years() != 0 || span.get_months() != 0 {
            return Err(TimeError::Span);
        }
        let duration = span
            .to_duration(jiff::SpanRelativeTo::days_are_24_hours())
            .map_err(|_| TimeError::Span)?;
        if duration.subsec_nanos() % 1_000 != 0 {
            return Err(TimeError::Span);
        }
        i64::try_from(duration.as_micros())
            .map_err(|_| TimeError::Span)
            .and_then(Self::new)
    }
}

/// The friendly form, such as `5m` or `7d`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0 / 86_400_000_000;
        let rest = SignedDuration::from_micros(self.0 % 86_400_000_000);
        let text = match (days, rest.is_zero()) {
            (0, _) => format!("{rest:#}"),
            (_, true) => format!("{days}d"),
            (_, false) => format!("{days}d {rest:#}"),
        };
        f.pad(&text)
    }
}
