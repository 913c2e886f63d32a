//! PostgreSQL, the live database; 15 and later.
//!
//! A bid and a close are one function call each, decided in the database under the row's lock and
//! by the server's clock (`migrations/postgres`); what operators do is decided in Rust under the
//! same lock. Contended work is tried again here, with a bound and jitter; past the bound the
//! error is "contended", never a lost command. All objects live in schema `gavel` and are named
//! with it, so no setting of a session matters.

mod bid;
mod burst;
mod claim;
mod close;
mod connections;
mod contract;
mod copied;
mod copy_in;
mod copy_out;
mod create;
mod doctor;
mod dossiers;
mod ended;
mod failure;
mod heads;
mod import;
mod list;
mod migrate;
mod operator;
mod own;
mod pool;
mod roles;
mod rows;
mod watch;

pub use copied::CopiedRows;
pub(super) use failure::server_error;
pub use pool::PostgresStore;
