//! What a run tells while it goes on.

/// A moment of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scene {
    /// Auctions are made.
    Making {
        /// So many.
        done: u64,
        /// Of so many.
        total: u64,
    },
    /// The load, some times a second.
    Load(Load),
    /// Auctions are held against the plan.
    Checking {
        /// So many.
        done: u64,
        /// Of so many.
        total: u64,
    },
}

/// How the load goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Since the load began, microseconds.
    pub at_us: i64,
    /// How long it is meant to be, microseconds.
    pub length_us: i64,
    /// It has begun.
    pub begun: bool,
    /// Bids that are planned.
    pub bids: u64,
    /// Bids answered.
    pub answered: u64,
    /// The longest latency since the last look, microseconds.
    pub worst_us: u64,
    /// Auctions that there are.
    pub auctions: u64,
    /// Auctions closed, about: extensions are not reckoned with.
    pub closed: u64,
    /// Auctions that have ended and are open.
    pub due: i64,
    /// Since the earliest of their ends, microseconds.
    pub oldest_us: i64,
}
