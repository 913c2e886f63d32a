//! CSV: a header, then one row a record. Absent values are empty.
//!
//! What is written is exact. On request a text that a spreadsheet would run as a formula gets an
//! apostrophe before it: one more than it has, so that taking one off gives back the text. Numbers,
//! amounts, instants and request ids never begin like a formula, so they are never touched.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use super::record::Record;

/// Writes the header.
pub(crate) fn write_header<R: Record>(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", R::FIELDS.join(","))
}

/// Writes one record; with `safe` for a spreadsheet.
pub(crate) fn write<R: Record>(out: &mut dyn Write, record: &R, safe: bool) -> io::Result<()> {
    let mut writer = ::csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    if safe {
        writer.write_record(safe_cells(record)?)?;
    } else {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    let row = writer.into_inner().map_err(|error| error.into_error())?;
    out.write_all(&row)
}

/// The cells in the order of the header; only texts can be formulas.
fn safe_cells<R: Record>(record: &R) -> io::Result<Vec<String>> {
    let value = serde_json::to_value(record)?;
    let cell = |name: &&str| match &value[*name] {
        Value::Null => String::new(),
        Value::String(text) => guarded(text).into_owned(),
        other => other.to_string(),
    };
    Ok(R::FIELDS.iter().map(cell).collect())
}

/// What a spreadsheet takes for the beginning of a formula, in full width too.
const FORMULA: [char; 11] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
];

/// The text as a spreadsheet shows it and does not run it. After apostrophes too: otherwise two
/// texts would look alike.
fn guarded(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::record::record;

    record! {
        struct Row {
            number: i64,
            none: Option<i64>,
            flag: bool,
            word: &'static str,
            text: String,
        }
    }

    fn written(text: &str, safe: bool) -> String {
        let row = Row {
            number: -5,
            none: None,
            flag: true,
            word: "open",
            text: text.to_owned(),
        };
        let mut out = Vec::new();
        write(&mut out, &row, safe).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_formula_gets_one_apostrophe_and_a_number_none() {
        for formula in ["=1+1", "+1", "-1", "@x", "\tx", "'=1", "''@x", "\u{ff1d}1"] {
            let guarded = written(formula, false).replacen(formula, &format!("'{formula}"), 1);
            assert_eq!(written(formula, true), guarded);
        }
        assert_eq!(written("=1", true), "-5,,true,open,'=1\n");
        assert_eq!(written("\rx", true), "-5,,true,open,\"'\rx\"\n");
    }

    #[test]
    fn everything_else_is_as_without() {
        for text in [
            "",
            "a=1",
            "41.50",
            "'quoted'",
            "a,\"b\"",
            "2026-12-06",
            "größer",
        ] {
            assert_eq!(written(text, true), written(text, false), "{text}");
        }
    }
}
