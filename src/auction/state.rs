//! The state that a bid needs: what the `auctions` row caches beside the terms.

use serde::{Deserialize, Serialize};

use super::entry::Digest;
use super::ids::PartyId;
use super::money::Amount;
use super::price::Standing;
use super::time::Micros;

/// Who leads, and the hidden maximum. `P` is how a bidder is named: owned, or borrowed from where
/// it was read, so that an audit of many entries copies no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leader<P = PartyId> {
    /// The bidder.
    pub bidder: P,
    /// What the bidder is ready to pay; secret.
    pub maximum: Amount,
}

/// Where an auction is in its life. A closed or cancelled one never changes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Bids are taken while the clock is before the end.
    Open,
    /// Claimed by a closer.
    Closing,
    /// Ended; sold, or without bids.
    Closed,
    /// Ended with bids, the reserve not met; unsold.
    ClosedReserveNotMet,
    /// Withdrawn by an operator.
    Cancelled,
}

impl Status {
    /// All, in the order of an auction's life.
    pub const ALL: [Self; 5] = [
        Self::Open,
        Self::Closing,
        Self::Closed,
        Self::ClosedReserveNotMet,
        Self::Cancelled,
    ];

    /// The stored text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Closing => "CLOSING",
            Self::Closed => "CLOSED",
            Self::ClosedReserveNotMet => "CLOSED_RESERVE_NOT_MET",
            Self::Cancelled => "CANCELLED",
        }
    }

    /// Reads the stored text.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Ended and recorded.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Closed | Self::ClosedReserveNotMet)
    }
}

/// What the ledger's entries have made of an auction so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State<P = PartyId> {
    /// The status; the ledger itself only knows `OPEN` and `CANCELLED`.
    pub status: Status,
    /// A hot-mode node takes this auction's bids; set from the row, never by the ledger.
    pub owned: bool,
    /// The end in force.
    pub end: Micros,
    /// Leader, runner-up, price.
    pub standing: Standing<P>,
    /// Bids that count: accepted and not voided.
    pub bid_count: i64,
    /// The last entry's seq.
    pub last_seq: i64,
    /// The last entry's instant.
    pub last_at: Micros,
    /// The last entry's hash.
    pub head: Digest,
}

impl<P> State<P> {
    /// The one effective time of a command: the store's clock, but never before the last entry.
    pub fn effective_time(&self, now: Micros) -> Micros {
        now.max(self.last_at)
    }

    /// The leading bidder.
    pub fn leader_id(&self) -> Option<&P> {
        self.standing.leader.as_ref().map(|leader| &leader.bidder)
    }

    /// The public price.
    pub fn price(&self) -> Option<Amount> {
        self.standing.price
    }
}
