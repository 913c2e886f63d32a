//! What stops the reading of a history. Rows that cannot be used do not: they are in the report.

use thiserror::Error;

/// Why a mapping cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {what}")]
pub struct MappingError {
    /// The mapping's file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, the key named.
    pub what: String,
    /// The line's text; empty where it may hold a secret.
    pub text: String,
}

/// Why files cannot be read by a mapping.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HistoryError {
    /// The number of files is not what the mapping is for.
    #[error("{0}")]
    Files(&'static str),
    /// The file holds nothing.
    #[error("{0} is empty")]
    Empty(String),
    /// Not the encoding.
    #[error("{0} is not UTF-8: it looks like UTF-16")]
    Utf16(String),
    /// Not the encoding either.
    #[error("{file}:{line}: not UTF-8")]
    NotUtf8 {
        /// The file.
        file: String,
        /// The line.
        line: usize,
    },
    /// JSON, but not a line for an object.
    #[error("{0} is a JSON array")]
    JsonArray(String),
    /// The file is no CSV.
    #[error("{file}: {why}")]
    Csv {
        /// The file.
        file: String,
        /// Why not.
        why: String,
    },
    /// A column that the mapping names stands there twice.
    #[error("{file}:1: column {column} stands there twice")]
    DoubledColumn {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
    /// Columns that the mapping names are not in the file.
    #[error("{file} has no {}", named(columns))]
    NoColumn {
        /// The file.
        file: String,
        /// Column, the key of the mapping that names it, and the key's line.
        columns: Vec<(String, &'static str, usize)>,
        /// The columns that the file has.
        header: Vec<String>,
    },
    /// A bug: the rules could not fold what they decided.
    #[error("auction {auction_id}: {why}")]
    Fold {
        /// The auction.
        auction_id: i64,
        /// Why not.
        why: String,
    },
}

fn named(columns: &[(String, &'static str, usize)]) -> String {
    let named: Vec<String> = columns
        .iter()
        .map(|(column, key, _)| format!("column {column:?} ({key})"))
        .collect();
    named.join(", ")
}
