//! Foreign bid histories: the files of another site, made into auctions by gavel's rules.
//!
//! A [`Mapping`] says which column is what. [`read`] brings the rows of the files in, places every
//! bid by the rules, and compares what they give with what the site recorded: the report names
//! each difference, and each row that could not be used. [`write()`] makes of it the folder that an
//! audit reads and an import takes.
//!
//! Everything is pure but [`write()`]. Entries are decided and folded, none is made up; the row of an
//! auction then carries what the *site* recorded, so that an audit finds every difference again.
//! The same files with the same mapping give the same bytes. All histories are held in memory.
#![deny(clippy::float_arithmetic, clippy::as_conversions)]

mod cells;
mod check;
mod check_field;
mod differ;
mod error;
mod fields;
mod form;
mod lot;
mod mapping;
mod marks;
mod play;
mod prices;
mod read;
mod record;
mod report;
mod sheet;
mod write;

pub use error::{HistoryError, MappingError};
pub use mapping::{Layout, Mapping};
pub use read::{Histories, read};
pub use report::{Agreement, BadRow, Difference, HistoryReport, What, Why};
pub use sheet::Source;
pub use write::write;
