//! The result that an ended auction already has, and the event that tells it.

use super::entry::{Digest, Entry};
use super::ids::{AuctionId, PartyId};
use super::money::Amount;
use super::state::Status;
use super::time::Micros;

/// How an auction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CloseResult {
    /// The leader buys at the price.
    Sold,
    /// Nobody leads.
    NoBids,
    /// Somebody leads, below the reserve; unsold.
    ReserveNotMet,
}

impl CloseResult {
    /// All results.
    pub const ALL: [Self; 3] = [Self::Sold, Self::NoBids, Self::ReserveNotMet];

    /// The word in events, files and databases.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sold => "sold",
            Self::NoBids => "no-bids",
            Self::ReserveNotMet => "reserve-not-met",
        }
    }

    /// Reads the word.
    pub fn from_word(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.as_str() == text)
    }
}

/// What closing records: needs no maximum, only whether the reserve is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseOutcome {
    /// The status from now on.
    pub status: Status,
    /// How it ended.
    pub result: CloseResult,
    /// Who buys; none when unsold.
    pub winner: Option<PartyId>,
    /// For how much; none when unsold.
    pub final_price: Option<Amount>,
}

impl CloseOutcome {
    /// The outcome of an auction with this leader, price and reserve flag.
    pub fn of(leader: Option<&PartyId>, price: Option<Amount>, reserve_met: bool) -> Self {
        let unsold = |status, result| Self {
            status,
            result,
            winner: None,
            final_price: None,
        };
        match leader {
            None => unsold(Status::Closed, CloseResult::NoBids),
            Some(_) if !reserve_met => {
                unsold(Status::ClosedReserveNotMet, CloseResult::ReserveNotMet)
            }
            Some(leader) => Self {
                status: Status::Closed,
                result: CloseResult::Sold,
                winner: Some(leader.clone()),
                final_price: price,
            },
        }
    }
}

/// What an event tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The auction ended and its result is recorded.
    Closed,
    /// The auction was withdrawn.
    Cancelled,
}

impl EventKind {
    /// The type in the envelope and the databases.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "auction.closed",
            Self::Cancelled => "auction.cancelled",
        }
    }

    /// Reads the type.
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Closed, Self::Cancelled]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }

    /// The event's deterministic id: `7731.closed`, `7731.cancelled`.
    pub fn event_id(self, auction_id: AuctionId) -> String {
        match self {
            Self::Closed => format!("{auction_id}.closed"),
            Self::Cancelled => format!("{auction_id}.cancelled"),
        }
    }
}

/// An outbox row's content. Its `ledger_head` binds the whole ledger: whoever kept the event can
/// prove a later change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Deterministic: [`EventKind::event_id`].
    pub event_id: String,
    /// What happened.
    pub kind: EventKind,
    /// How the auction ended; none for a cancelled one.
    pub result: Option<CloseResult>,
    /// Who buys.
    pub winner: Option<PartyId>,
    /// For how much.
    pub price: Option<Amount>,
    /// The end in force.
    pub end: Micros,
    /// When it was recorded.
    pub closed_at: Micros,
    /// The ledger's last hash.
    pub ledger_head: Digest,
}

impl Event {
    /// The event of a `cancel` entry, told at the entry's instant.
    pub fn cancelled(entry: &Entry) -> Self {
        Self {
            event_id: EventKind::Cancelled.event_id(entry.auction_id),
            kind: EventKind::Cancelled,
            result: None,
            winner: None,
            price: None,
            end: entry.end,
            closed_at: entry.at,
            ledger_head: entry.hash,
        }
    }
}
