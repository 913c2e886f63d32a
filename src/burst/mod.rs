//! Load on a live database, of which the answers are known: open loop, seeded, with latency from
//! the intended instant, and everything checked at the end.
//!
//! `run` plays it: `plan` decides everything beforehand, `stage` makes the auctions, `driver` bids,
//! `closing` closes, `verify` holds every answer against the ledger, `stats` makes the figures. A
//! run's auctions have ids of their own (`run_id`), from 10^15 up; nothing else is touched, and
//! `cleanup` removes them.

mod cleanup;
mod closing;
mod driver;
mod error;
mod plan;
mod probe;
mod report;
mod run;
mod run_id;
mod scenario;
mod scene;
mod stage;
mod stats;
mod verify;

pub use cleanup::{Leftover, leftovers, remove};
pub use error::BurstError;
pub use report::{
    BidFigures, BurstReport, Checks, CloseFigures, Fault, Percentiles, Probe, Second, Shortfall,
};
pub use run::{Hall, Preview, play, preview};
pub use run_id::RunId;
pub use scenario::{BurstOptions, CloserChoice, SIZE_MAX, Scenario, Size};
pub use scene::{Load, Scene};
