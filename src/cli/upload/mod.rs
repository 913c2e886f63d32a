//! Bulk input: CSV or JSON lines from a file or standard input, as named texts with their lines.
//!
//! `file` opens it and looks at all of its bytes once, `quotes` at those of CSV, `layout` names its columns, `rows` reads it
//! row by row, as often as wanted: `check` plans every row before anything is written, and memory
//! does not grow with the file. Standard input and pipes are kept in a temporary file for that.

mod check;
mod file;
mod json;
mod layout;
mod quotes;
mod rows;

pub(crate) use check::{CHUNK, NAMED_MAX, Plan, check, next};
pub(crate) use file::Upload;
pub(crate) use layout::Layout;
pub(crate) use rows::Row;
