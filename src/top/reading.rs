//! What one look found.

use crate::auction::{Amount, AuctionId, Currency, Micros};
use crate::store::{AuctionRow, Backlog, OutboxBacklog};

/// How a database stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The database's clock.
    pub at: Micros,
    /// What is due.
    pub due: Backlog,
    /// What waits to be told.
    pub outbox: OutboxBacklog,
    /// What was closed in the last minute.
    pub pace: Pace,
    /// What ends next, the earliest first.
    pub ending: Vec<Next>,
}

/// The closings of a minute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    /// Second by second, the latest last.
    pub seconds: Vec<Second>,
    /// All of them.
    pub closed: u64,
    /// How late they were; none if none was measured.
    pub lag: Option<Lag>,
}

/// The closings of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Second {
    /// How many.
    pub closed: u64,
    /// The longest time from an end to its closing, microseconds; none if none was measured.
    pub lag_max_us: Option<u64>,
}

/// From ends to their closings, microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lag {
    /// For half of them no more.
    pub p50_us: u64,
    /// For 99 of 100 no more.
    pub p99_us: u64,
    /// The longest.
    pub max_us: u64,
}

/// An open auction, without what is hidden of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// Its id.
    pub auction_id: AuctionId,
    /// What is sold.
    pub title: String,
    /// The end in force.
    pub end: Micros,
    /// What amounts are in.
    pub currency: Currency,
    /// The price; none while nobody leads.
    pub price: Option<Amount>,
    /// How many bids.
    pub bids: i64,
}

impl From<AuctionRow> for Next {
    fn from(row: AuctionRow) -> Self {
        Self {
            auction_id: row.auction_id,
            title: row.terms.title,
            end: row.end,
            currency: row.terms.currency,
            price: row.price,
            bids: row.bid_count,
        }
    }
}
