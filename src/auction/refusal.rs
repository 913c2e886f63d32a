//! Refusals: values, not errors. Each has a kept code and a sentence with the way out.
//!
//! A refusal never carries a maximum or a reserve.

use thiserror::Error;

use super::money::Currency;
use super::time::Micros;

/// Why a command was not accepted. The documented order of precedence is the order in which
/// `decide` checks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the payloads say what their names say")]
pub enum Refusal {
    #[error("there is no such auction")]
    NotFound,
    #[error("an auction with this id exists already")]
    AuctionExists,
    #[error("this request id was used for another command: {field} differs")]
    RequestIdReused { field: &'static str },
    #[error("this auction is in {expected}")]
    WrongCurrency { expected: Currency },
    #[error("the auction was cancelled")]
    Cancelled,
    #[error("the auction's bids are taken by a hot-mode node; send the bid there")]
    Owned,
    #[error("bidding starts at {start}")]
    NotStarted { start: Micros },
    #[error("the auction ended at {end}")]
    Ended { end: Micros },
    #[error("a seller cannot bid on the own auction")]
    SellerCannotBid,
    #[error("no amount above 1000000000000000 minor units is taken")]
    TooHigh,
    #[error("the first bid must reach the start price")]
    BelowStart { minimum: i64 },
    #[error("the bid is too low")]
    TooLow { minimum: i64 },
    #[error("the bidder leads already; a raise must exceed the own maximum")]
    NotAboveOwnMaximum,
    #[error("this bidder has no such bid on the auction")]
    NoSuchBid,
    #[error("nothing is left to void: already voided")]
    AlreadyVoided,
    #[error("only the bidder's latest bid can be voided alone: that is seq {latest}")]
    NotLatest { latest: i64 },
    #[error("{field} cannot change any more: after the first bid only the end can")]
    TermsFrozen { field: &'static str },
    #[error("invalid end: {why}")]
    InvalidEnd { why: &'static str },
    #[error("invalid {field}: {why}")]
    InvalidTerms { field: &'static str, why: String },
    #[error("nothing would change")]
    NoChange,
}

impl Refusal {
    /// Terms that cannot be, with the field at fault.
    pub fn invalid_terms(field: &'static str, why: impl Into<String>) -> Self {
        Self::InvalidTerms {
            field,
            why: why.into(),
        }
    }

    /// The kept code, as in JSON output and in the databases.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::AuctionExists => "auction-exists",
            Self::RequestIdReused { .. } => "request-id-reused",
            Self::WrongCurrency { .. } => "wrong-currency",
            Self::Cancelled => "cancelled",
            Self::Owned => "owned",
            Self::NotStarted { .. } => "not-started",
            Self::Ended { .. } => "ended",
            Self::SellerCannotBid => "seller-cannot-bid",
            Self::TooHigh => "too-high",
            Self::BelowStart { .. } => "below-start",
            Self::TooLow { .. } => "too-low",
            Self::NotAboveOwnMaximum => "not-above-own-maximum",
            Self::NoSuchBid => "no-such-bid",
            Self::AlreadyVoided => "already-voided",
            Self::NotLatest { .. } => "not-latest",
            Self::TermsFrozen { .. } => "terms-frozen",
            Self::InvalidEnd { .. } => "invalid-end",
            Self::InvalidTerms { .. } => "invalid-terms",
            Self::NoChange => "no-change",
        }
    }

    /// The lowest bid that would have been taken, in minor units, where the refusal tells it.
    pub fn minimum(&self) -> Option<i64> {
        match self {
            Self::BelowStart { minimum } | Self::TooLow { minimum } => Some(*minimum),
            _ => None,
        }
    }
}
