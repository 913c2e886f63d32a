//! The databases: one contract, SQLite embedded and PostgreSQL live.
//!
//! A method of [`Contract`] is one whole business step: it happens entirely or not at all, and no
//! transaction leaves this module. SQL stands in `sqlite` and `postgres` only, in mirrored files.
//! What is checked before writing is checked again after reading: a row that cannot be a value of
//! the domain is [`Damage`] to an auditor and an error to everyone else.
#![deny(clippy::float_arithmetic, clippy::as_conversions)]

mod closing;
mod contract;
mod creating;
mod diagnosis;
mod dispatch;
mod ended;
mod error;
mod failure;
mod migrated;
mod postgres;
mod rows;
mod scope;
mod sheaf;
mod sqlite;
mod stored;
mod url;

pub use contract::{
    AuctionFilter, AuctionOrder, Backlog, BidAnswer, BidsPlaced, BurstRows, Claim, CloseReply,
    Closed, Contract, Cursor, DueFirst, Ending, ImportItem, ImportReport, LoadItem, MigrationState,
    OutboxBacklog, OwnBid, Reply, Setting, SweepBatch, Watch, WriteMode,
};
pub use diagnosis::{Diagnosis, Level};
pub use dispatch::Store;
pub use ended::{Closing, Ended, EndedHead, HeadRead};
pub use error::{StoreError, StoreErrorKind};
pub use postgres::{CopiedRows, PostgresStore};
pub use rows::{AuctionRow, Damage, Dossier};
pub use scope::{Conditions, Scope, Selection};
pub use sheaf::{LedgerRows, Sheaf, StoredRows};
pub use sqlite::SqliteStore;
pub(crate) use stored::{DossierPage, EntryColumns, StoredAuction, StoredEvent};
pub use url::{StoreUrl, UrlError};
