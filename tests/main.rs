//! The one integration binary: every test that needs more than one module.
//!
//! `rules` tests the pure rules, `store` what a database must do for them, `ledger` the auditor,
//! `checkpoint` what outsiders keep, `history` what comes from other sites, `closer` the daemon,
//! `cli` the commands, `tidy` the source tree itself.
//! Nothing here sleeps; time is set, never awaited.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod burst;
mod checkpoint;
mod cli;
mod closer;
mod history;
mod ledger;
mod rules;
mod store;
mod support;
mod tidy;
