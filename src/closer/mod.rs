//! The closer notices what the clock has decided, and records it once with its event.
//!
//! `sweep` is the only worker. Correct without a leader: any number of closers may run at once,
//! because the write in the store repeats the condition under the lock.

mod sweep;

pub use sweep::{BadAuction, SweepOptions, SweepReport, sweep};
