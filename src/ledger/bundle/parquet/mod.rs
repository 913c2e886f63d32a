//! The folder's tables as Parquet: the columns of the CSV files by the same names, typed.
//!
//! Whole numbers and amounts (minor units) are INT64, instants TIMESTAMP in microseconds UTC,
//! hashes, nonces and request ids FIXED_LEN_BYTE_ARRAY, everything else UTF8 or BOOLEAN; none is
//! null. Rows are ordered by auction and seq. A rung table is JSON, `[[from, step], …]`.
//!
//! Read: such files by this or another program, byte columns of any length kind, columns in any
//! order. Refused: a column that is missing, unknown or of another type, rows out of order.

mod cells;
mod folder;
mod out;
mod rows;
mod schema;

pub(super) use folder::sha256;
pub(in crate::ledger) use folder::{ParquetFolder, TypedSheaf};
pub(super) use out::ParquetOut;
