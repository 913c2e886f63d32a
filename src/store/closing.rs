//! What a closer asks a store for, and what it is told.

use crate::auction::{AuctionId, Event, Micros};

/// One auction closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The auction.
    pub auction_id: AuctionId,
    /// The event written with it.
    pub event: Event,
}

/// The answer to closing one auction by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloseReply {
    /// Closed now.
    Closed(Closed),
    /// Closed before; the same result.
    AlreadyClosed(Closed),
    /// The end is still ahead.
    NotDue {
        /// The end in force.
        end: Micros,
        /// The store's clock.
        now: Micros,
    },
    /// Withdrawn: it is never closed.
    Cancelled,
    /// A hot-mode node has it.
    Owned,
    /// No such auction.
    NotFound,
}

/// One batch of a sweep over one shard.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepBatch {
    /// Closed in this batch, by end.
    pub closed: Vec<Closed>,
}

/// An auction that a closer has claimed. The epoch is its fence: only the latest claim can close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The auction.
    pub auction_id: AuctionId,
    /// Which claim of this auction it is.
    pub epoch: i64,
}

/// An auction that waits for its end, or for a closer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending {
    /// The end in force.
    pub end: Micros,
    /// The auction.
    pub auction_id: AuctionId,
}

/// What is due in a remit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Due auctions.
    pub due: i64,
    /// The earliest end among them.
    pub oldest_end: Option<Micros>,
}

/// What waits to be told to other systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboxBacklog {
    /// Events that nobody has taken yet.
    pub pending: i64,
    /// When the oldest of them happened.
    pub oldest: Option<Micros>,
}
