//! SQLite, the embedded default.
//!
//! One writer connection that tasks queue on (`BEGIN IMMEDIATE`), a pool of readers, WAL,
//! `synchronous=FULL`. The store's clock is this machine's, read after the write lock is taken.
//! Waiting for other processes is bounded; past the bound the error is "contended", never a lost
//! command.

mod bid;
mod burst;
mod claim;
mod close;
mod contract;
mod create;
mod doctor;
mod dossiers;
mod ended;
mod group;
mod heads;
mod import;
mod list;
mod migrate;
mod operator;
mod own;
mod place;
mod pool;
mod rows;
mod sets;
mod watch;

pub use pool::SqliteStore;
pub(super) use pool::file_error;
