//! The word for where an auction stands, at an instant of the store's clock.

use crate::auction::{Micros, Status};
use crate::output::Tone;
use crate::store::AuctionRow;

/// Takes bids, or will.
pub(crate) const OPEN: &str = "open";
/// Over, and waiting for a closer.
pub(crate) const DUE: &str = "due";
/// Claimed by a closer.
pub(crate) const CLOSING: &str = "closing";
/// Sold to the leader.
pub(crate) const SOLD: &str = "sold";
/// Closed, nobody leads.
pub(crate) const NO_BIDS: &str = "no-bids";
/// Closed below the reserve.
pub(crate) const RESERVE_NOT_MET: &str = "reserve-not-met";
/// Withdrawn.
pub(crate) const CANCELLED: &str = "cancelled";

/// The word. The words exclude each other.
pub(crate) fn word(row: &AuctionRow, now: Micros) -> &'static str {
    match row.status {
        Status::Open if row.end <= now => DUE,
        Status::Open => OPEN,
        Status::Closing => CLOSING,
        Status::Closed if row.winner.is_some() => SOLD,
        Status::Closed => NO_BIDS,
        Status::ClosedReserveNotMet => RESERVE_NOT_MET,
        Status::Cancelled => CANCELLED,
    }
}

/// The tone of a word.
pub(crate) fn tone(word: &str) -> Tone {
    match word {
        DUE | CLOSING => Tone::Caution,
        SOLD => Tone::Good,
        NO_BIDS | RESERVE_NOT_MET | CANCELLED => Tone::Faint,
        _ => Tone::Plain,
    }
}
