//! Everything that reaches a terminal or a pipe goes through here.
//!
//! A report is a plain struct; a table or card, JSON (one object a line) and CSV are renderings of
//! the same struct ([`views`]). Results go to standard output, words to the reader to standard
//! error. No view has a field for a hidden maximum or a reserve.

pub(crate) mod csv;
pub(crate) mod feed;
pub(crate) mod file;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod live;
pub(crate) mod progress;
pub(crate) mod record;
pub(crate) mod table;
pub(crate) mod top;
pub(crate) mod ui;
pub(crate) mod units;
pub(crate) mod views;

pub(crate) use feed::Feed;
pub(crate) use listing::{HeldListing, Listing};
pub(crate) use live::Live;
pub(crate) use progress::Progress;
pub(crate) use record::{Card, Column, Record, TableRow, Tone};
pub(crate) use ui::{Format, OutputError, Settings, Ui};
