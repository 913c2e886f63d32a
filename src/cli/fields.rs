//! Named texts from options or from a row of a file, read with the same parsers and told with the
//! same errors: the option, or the file's line and column, and the value.
//!
//! A maximum or a reserve is never repeated, not even a malformed one: its digits are masked. In a
//! bid every value's are, because a maximum may stand in a wrong place.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::error::InputError;
use crate::output::units;

/// Where the texts come from.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// The command line.
    Options,
    /// A file.
    Line {
        /// Its name.
        file: Arc<str>,
        /// The line, from 1.
        line: u64,
    },
}

/// Texts by field name. Names have underscores, as in files and JSON.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    source: Source,
    values: BTreeMap<&'static str, String>,
    /// Whether no value's digits are told.
    masked: bool,
}

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldError(String);

impl Display for FieldError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<FieldError> for InputError {
    fn from(error: FieldError) -> Self {
        Self::new(error.0)
    }
}

impl Fields {
    /// No fields yet.
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            values: BTreeMap::new(),
            masked: false,
        }
    }

    /// No fields yet, and no digits of any told: one of them may be a maximum.
    pub(crate) fn masked(source: Source) -> Self {
        Self {
            masked: true,
            ..Self::new(source)
        }
    }

    /// Adds a field; none is left out.
    pub(crate) fn set(&mut self, name: &'static str, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.values.insert(name, value.into());
        }
    }

    /// The text of a field.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Of all fields, whatever their order was.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut sha256 = Sha256::new();
        for (name, value) in &self.values {
            for text in [*name, value.as_str()] {
                // With its length, so that no text can pass for two.
                sha256.update(text.len().to_be_bytes());
                sha256.update(text);
            }
        }
        sha256.finalize().into()
    }

    /// The line of a row of a file.
    pub(crate) fn line(&self) -> Option<u64> {
        match self.source {
            Source::Options => None,
            Source::Line { line, .. } => Some(line),
        }
    }

    /// Whether nothing is there.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether the field is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Reads a field that must be there.
    pub(crate) fn required<T, E: Display>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, FieldError> {
        self.optional(name, parse)?
            .ok_or_else(|| self.missing(name))
    }

    /// Reads a field that may be there.
    pub(crate) fn optional<T, E: Display>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, FieldError> {
        self.text(name)
            .map(|text| parse(text).map_err(|why| self.wrong(name, why)))
            .transpose()
    }

    /// A field's name as the writer knows it.
    pub(crate) fn name(&self, name: &str) -> String {
        match &self.source {
            Source::Options => option(name),
            Source::Line { .. } => name.to_owned(),
        }
    }

    /// The field is absent and must not be.
    pub(crate) fn missing(&self, name: &str) -> FieldError {
        FieldError(match &self.source {
            Source::Options => format!("{} is required", option(name)),
            Source::Line { file, line } => format!("{file}:{line}: column {name} is empty"),
        })
    }

    /// The row as a whole is none.
    pub(crate) fn unreadable(&self, why: impl Display) -> FieldError {
        FieldError(match &self.source {
            Source::Options => why.to_string(),
            Source::Line { file, line } => format!("{file}:{line}: {why}"),
        })
    }

    /// The field's value cannot be used.
    pub(crate) fn wrong(&self, name: &str, why: impl Display) -> FieldError {
        let value = self.text(name).map(|value| {
            let secret = self.masked || matches!(name, "maximum" | "reserve");
            if secret {
                shown(&mask(value))
            } else {
                shown(value)
            }
        });
        FieldError(match (&self.source, value) {
            (Source::Options, Some(value)) => format!("{} {value}: {why}", option(name)),
            (Source::Options, None) => format!("{}: {why}", option(name)),
            (Source::Line { file, line }, Some(value)) => {
                format!("{file}:{line}: column {name}, value {value}: {why}")
            }
            (Source::Line { file, line }, None) => format!("{file}:{line}: column {name}: {why}"),
        })
    }
}

/// The option of a field.
fn option(name: &str) -> String {
    match name {
        "maximum" => "--max".to_owned(),
        "auction_id" => "--id".to_owned(),
        _ => format!("--{}", name.replace('_', "-")),
    }
}

/// A text without its digits, in every script.
pub(crate) fn mask(text: &str) -> String {
    let hidden = |c: char| if c.is_numeric() { '#' } else { c };
    text.chars().map(hidden).collect()
}

/// A value as it may be shown: one short line.
pub(crate) fn shown(value: &str) -> String {
    const LONGEST: usize = 60;
    let text: String = value.chars().take(LONGEST).collect();
    let more = if value.chars().count() > LONGEST {
        "…"
    } else {
        ""
    };
    format!("\"{}{more}\"", units::one_line(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_in_every_script() {
        assert_eq!(mask("7,77.7"), "#,##.#");
        assert_eq!(mask("١٠x"), "##x");
        assert_eq!(shown("7\u{1b}[2J"), "\"7\u{fffd}[2J\"");
    }
}
