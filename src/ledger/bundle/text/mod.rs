//! A ledger of text read as raw lines: for audits at size.
//!
//! Lines are found and grouped by auction here, and read by the workers, entries where they are.
//! This knows the files that exports are: rows in order, ids and seqs readable, quotes as CSV
//! writes them. Whatever else a file may be is [`Stop::Disorder`]: the general reader takes over,
//! from the beginning.
//!
//! [`Stop::Disorder`]: super::reader::Stop::Disorder

mod folder;
mod records;
mod rows;

pub(in crate::ledger) use folder::{TextFolder, TextSheaf};
