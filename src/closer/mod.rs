//! The closer notices what the clock has decided, and records it once with its event.
//!
//! `worker` does all closing, by either strategy; `sweep` lets it pass over the shards until
//! nothing is due, and `daemon` on a tick and, ahead of time, at the ends themselves; `lanes` has
//! several batches closed at once. Correct without a leader: any number of closers may run at
//! once, because the write in the store repeats the condition under the lock.

mod daemon;
mod lanes;
mod lookahead;
mod metrics;
mod outage;
mod reaper;
mod report;
mod skip;
mod sweep;
mod worker;

pub use daemon::{DaemonOptions, Notice, run_daemon};
pub use metrics::{Metrics, Standing};
pub use report::{BadAuction, SweepReport};
pub use sweep::{Strategy, SweepOptions, sweep};
