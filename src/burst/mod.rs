//! Load on a live database, of which the answers are known: open loop, seeded, with latency from
//! the intended instant, and everything checked at the end.
//!
//! A run's auctions have ids of their own, from 10^15 up; nothing else is touched.

mod report;
mod scenario;

pub use report::{
    BidFigures, BurstReport, Checks, CloseFigures, Fault, Percentiles, Probe, Second, Shortfall,
};
pub use scenario::{BurstOptions, CloserChoice, SIZE_MAX, Scenario, Size};
