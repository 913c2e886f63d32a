//! The demonstration: a story of five auctions on a clock that can be set, then a crowd.
//!
//! It runs on an embedded store of its own and tells what happens as [`Scene`]s; how they look is
//! the business of `output`. The maxima of the story's people are told, because their story is
//! what hidden maxima do; no real store is ever shown like this.

mod crowd;
mod run;
mod scene;
mod story;

pub use crowd::CrowdReport;
pub use run::{DemoError, DemoOptions, run};
pub use scene::{BidScene, Scene};
