//! What the demonstration tells, as values.

use crate::auction::{Currency, Micros, PartyId, Status};
use crate::closer::SweepReport;
use crate::store::{AuctionRow, BidAnswer, Reply};

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Scene {
    /// A new part of the story.
    Chapter(&'static str),
    /// An auction was created.
    Created(Box<AuctionRow>),
    /// Somebody bid.
    Bid(Box<BidScene>),
    /// The status as the row has it at an instant, and the end it has passed.
    Looked {
        /// The auction's row.
        row: Box<AuctionRow>,
        /// When.
        at: Micros,
    },
    /// The closer swept.
    Swept {
        /// When.
        at: Micros,
        /// What it did.
        report: SweepReport,
        /// The story's auctions after it.
        rows: Vec<AuctionRow>,
    },
    /// The crowd's bids so far.
    Crowd {
        /// Bids placed.
        done: u64,
        /// Bids to place.
        total: u64,
    },
}

/// A bid of the story.
#[derive(Debug, Clone)]
pub struct BidScene {
    /// By the store's clock.
    pub at: Micros,
    /// On what.
    pub title: String,
    /// Who.
    pub bidder: PartyId,
    /// The maximum, as the bidder wrote it.
    pub maximum: String,
    /// The auction's currency.
    pub currency: Currency,
    /// Who led before.
    pub led: Option<PartyId>,
    /// Who leads after.
    pub leads: Option<PartyId>,
    /// The answer.
    pub reply: Reply<BidAnswer>,
    /// The row's status after it.
    pub status: Status,
}
