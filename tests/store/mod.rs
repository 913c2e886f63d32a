//! The conformance suite of the store contract: by theme, every test on every backend.

mod bid;
mod close;
mod concurrency;
mod create;
mod dossiers;
mod equivalence;
mod list;
mod migrate;
mod operator;
mod postgres_equal;
mod repeat;
mod sweep;
mod watch;
