//! The closer notices what the clock has decided, and records it once with its event.
//!
//! `worker` does all closing, by either strategy; `sweep` lets it pass over the shards until
//! nothing is due. Correct without a leader: any number of closers may run at once, because the
//! write in the store repeats the condition under the lock.

mod reaper;
mod report;
mod skip;
mod sweep;
mod worker;

pub use report::{BadAuction, SweepReport};
pub use sweep::{Strategy, SweepOptions, sweep};
