//! Where a target's text comes from, and how a checked mapping says it.

use std::borrow::Cow;
use std::fmt::Display;

use super::marks::Pattern;
use super::report::BadRow;
use super::sheet::Row;

/// A target: its key in the mapping, and where its text comes from.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// As in `bids.amount`.
    pub(super) key: &'static str,
    /// The key's line in the mapping.
    pub(super) line: usize,
    /// From where.
    pub(super) origin: Origin,
    /// What stands around the part that counts.
    pub(super) pattern: Option<Pattern>,
    /// The digits of a bad value are not told.
    pub(super) secret: bool,
}

/// From where a text comes.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// A column of the file.
    Column(String),
    /// The mapping itself.
    Value(String),
    /// Columns with words between them.
    Template(Vec<Piece>),
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Words(String),
    Column(String),
}

/// Money.
#[derive(Debug, Clone)]
pub(super) struct MoneyField {
    pub(super) field: Field,
    /// Whole minor units.
    pub(super) minor: bool,
}

/// An instant.
#[derive(Debug, Clone)]
pub(super) struct TimeField {
    pub(super) field: Field,
    pub(super) format: TimeFormat,
}

/// How instants are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TimeFormat {
    /// With an offset or a zone.
    Rfc3339,
    /// A pattern; a zone where the pattern has no offset.
    Strptime {
        pattern: String,
        zone: Option<String>,
    },
    /// So many units since 1970.
    Unix(Scale),
    /// So many units since the auction's start.
    SinceStart(Scale),
}

/// The unit of a number of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) unit_us: i64,
    /// The number is rounded to these; none: it must be whole microseconds.
    pub(super) round_us: Option<i64>,
}

impl Field {
    /// The columns it is read from.
    pub(super) fn columns(&self) -> Vec<&str> {
        match &self.origin {
            Origin::Column(column) => vec![column],
            Origin::Value(_) => Vec::new(),
            Origin::Template(pieces) => pieces
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Column(column) => Some(column.as_str()),
                    Piece::Words(_) => None,
                })
                .collect(),
        }
    }

    /// The text on a row, as it stands there; none where the cell is empty.
    fn whole<'a>(&'a self, row: &'a Row) -> Option<Cow<'a, str>> {
        let text = match &self.origin {
            Origin::Column(column) => Cow::Borrowed(row.cell(column)),
            Origin::Value(value) => Cow::Borrowed(value.as_str()),
            Origin::Template(pieces) => Cow::Owned(
                pieces
                    .iter()
                    .map(|piece| match piece {
                        Piece::Words(words) => words.as_str(),
                        Piece::Column(column) => row.cell(column),
                    })
                    .collect(),
            ),
        };
        (!text.is_empty()).then_some(text)
    }

    /// Reads a target that may be absent.
    pub(super) fn optional<T, E: Display>(
        &self,
        row: &Row,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Box<BadRow>> {
        let Some(whole) = self.whole(row) else {
            return Ok(None);
        };
        let part = match &self.pattern {
            None => &whole,
            Some(pattern) => pattern
                .part(&whole)
                .ok_or_else(|| self.bad(row, format!("it is not like {pattern}")))?,
        };
        parse(part)
            .map(Some)
            .map_err(|why| self.bad(row, why.to_string()))
    }

    /// Reads a target that must be there.
    pub(super) fn required<T, E: Display>(
        &self,
        row: &Row,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, Box<BadRow>> {
        self.optional(row, parse)?
            .ok_or_else(|| self.bad(row, "it is empty".to_owned()))
    }

    /// The row cannot be used because of this target.
    pub(super) fn bad(&self, row: &Row, why: String) -> Box<BadRow> {
        let column = match &self.origin {
            Origin::Column(column) => column.clone(),
            Origin::Value(_) | Origin::Template(_) => self.key.to_owned(),
        };
        let value = self.whole(row).map(|text| {
            if self.secret {
                text.chars()
                    .map(|c| if c.is_numeric() { '#' } else { c })
                    .collect()
            } else {
                text.into_owned()
            }
        });
        Box::new(BadRow {
            file: row.file().to_owned(),
            line: row.line(),
            auction_id: None,
            column,
            value,
            refusal: None,
            why,
        })
    }
}
