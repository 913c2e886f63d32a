//! Follows auctions while they run: what is new in them, poll by poll.
//!
//! It only reads. A poll is one query for all auctions, and one for the new entries of each that
//! has any; what happened between two polls comes together. No printing, no waiting: the caller
//! decides how often to poll and what to tell.

mod patience;
mod watcher;

pub use patience::Patience;
pub use watcher::{Lot, News, Polled, Stage, WatchError, Watcher};
