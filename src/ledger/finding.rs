//! The checks by name, and what a failed one says.
//!
//! A finding names auction, seq, what was expected and what stands there. Amounts that are secret
//! are never in it: a check on a secret says that it does not hold, not by how much.
//!
//! No check can see what left no trace: a whole auction removed from all tables, or from all files
//! of a folder whose manifest was adjusted; a history written anew by the rules, hashes, heads and
//! events included. An event or an export that somebody kept proves either. Nor is a closing
//! doubted by the clock: closers' clocks differ, so one that says its end has come is believed.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// One thing an audit checks. The name is kept: it stands in reports and in scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "describe() says what each one is")]
pub enum Check {
    ManifestRows,
    ManifestSha256,
    Unreadable,
    MissingRow,
    MissingCreate,
    SeqGap,
    SeqRepeated,
    TimeBackwards,
    TimeAfterEnd,
    RequestIdRepeated,
    Commitment,
    HashChain,
    NotAcceptable,
    Detail,
    Price,
    Leader,
    End,
    Flags,
    CrossCheck,
    Head,
    RowTerms,
    RowState,
    Status,
    Winner,
    FinalPrice,
    DueNotClosed,
    StuckInClosing,
    EventMissing,
    EventDuplicate,
    EventUnexpected,
    EventContent,
    Checkpoint,
    KeptHead,
}

impl Check {
    /// All checks, in the order in which a report lists them.
    pub const ALL: [Self; 33] = [
        Self::ManifestRows,
        Self::ManifestSha256,
        Self::Unreadable,
        Self::MissingRow,
        Self::MissingCreate,
        Self::SeqGap,
        Self::SeqRepeated,
        Self::TimeBackwards,
        Self::TimeAfterEnd,
        Self::RequestIdRepeated,
        Self::Commitment,
        Self::HashChain,
        Self::NotAcceptable,
        Self::Detail,
        Self::Price,
        Self::Leader,
        Self::End,
        Self::Flags,
        Self::CrossCheck,
        Self::Head,
        Self::RowTerms,
        Self::RowState,
        Self::Status,
        Self::Winner,
        Self::FinalPrice,
        Self::DueNotClosed,
        Self::StuckInClosing,
        Self::EventMissing,
        Self::EventDuplicate,
        Self::EventUnexpected,
        Self::EventContent,
        Self::Checkpoint,
        Self::KeptHead,
    ];

    /// The kept name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ManifestRows => "manifest-rows",
            Self::ManifestSha256 => "manifest-sha256",
            Self::Unreadable => "unreadable",
            Self::MissingRow => "missing-row",
            Self::MissingCreate => "missing-create",
            Self::SeqGap => "seq-gap",
            Self::SeqRepeated => "seq-repeated",
            Self::TimeBackwards => "time-backwards",
            Self::TimeAfterEnd => "time-after-end",
            Self::RequestIdRepeated => "request-id-repeated",
            Self::Commitment => "commitment",
            Self::HashChain => "hash-chain",
            Self::NotAcceptable => "not-acceptable",
            Self::Detail => "detail",
            Self::Price => "price",
            Self::Leader => "leader",
            Self::End => "end",
            Self::Flags => "flags",
            Self::CrossCheck => "cross-check",
            Self::Head => "head",
            Self::RowTerms => "row-terms",
            Self::RowState => "row-state",
            Self::Status => "status",
            Self::Winner => "winner",
            Self::FinalPrice => "final-price",
            Self::DueNotClosed => "due-not-closed",
            Self::StuckInClosing => "stuck-in-closing",
            Self::EventMissing => "event-missing",
            Self::EventDuplicate => "event-duplicate",
            Self::EventUnexpected => "event-unexpected",
            Self::EventContent => "event-content",
            Self::Checkpoint => "checkpoint",
            Self::KeptHead => "kept-head",
        }
    }

    /// What holds when the check finds nothing.
    pub fn describe(self) -> &'static str {
        match self {
            Self::ManifestRows => "each file has the rows that the manifest counts",
            Self::ManifestSha256 => "each file is the one that the manifest was made for",
            Self::Unreadable => "every stored value is a value of its column",
            Self::MissingRow => "every ledger belongs to an auction",
            Self::MissingCreate => "every ledger starts with its create entry",
            Self::SeqGap => "seq runs 1, 2, 3, … without a gap",
            Self::SeqRepeated => "no seq stands twice",
            Self::TimeBackwards => "no entry is before the one before it",
            Self::TimeAfterEnd => "every entry is before the end in force",
            Self::RequestIdRepeated => "no request id made two entries",
            Self::Commitment => "every commitment opens to its secret",
            Self::HashChain => "every entry is the one that was chained",
            Self::NotAcceptable => "the rules accept every entry at its place",
            Self::Detail => "every detail is readable and as the rules write it",
            Self::Price => "each entry's price is what the rules give",
            Self::Leader => "each entry's leader is who the rules give",
            Self::End => "each entry's end is what the rules give",
            Self::Flags => "each entry's flags are what the rules give",
            Self::CrossCheck => "a second computation of leader and price agrees",
            Self::Head => "the ledger ends where the auction's row says",
            Self::RowTerms => "the row's terms are the ledger's",
            Self::RowState => "what the row caches is what the ledger gives",
            Self::Status => "the status is what ledger, clock and event say",
            Self::Winner => "the winner is who the rules give",
            Self::FinalPrice => "the final price is what the rules give",
            Self::DueNotClosed => "no auction is past its end and still open",
            Self::StuckInClosing => "no auction stays claimed by a closer",
            Self::EventMissing => "every ended auction has its event",
            Self::EventDuplicate => "no event stands twice",
            Self::EventUnexpected => "no event tells what did not happen",
            Self::EventContent => "every event tells what the ledger gives",
            Self::Checkpoint => "what ended is as the checkpoint has it (--against)",
            Self::KeptHead => "every head that was kept is the recorded one (--kept)",
        }
    }

    /// Reads the name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// A failure means that the record is wrong. The others mean that work is left undone.
    pub fn is_damage(self) -> bool {
        !matches!(self, Self::DueNotClosed | Self::StuckInClosing)
    }

    /// Reads the manifest of a folder; has no sense against a database.
    pub fn is_of_manifest(self) -> bool {
        matches!(self, Self::ManifestRows | Self::ManifestSha256)
    }

    /// Is made on the entries alone, without the auction's row, its events, or a manifest.
    pub fn is_of_ledger(self) -> bool {
        matches!(
            self,
            Self::Unreadable
                | Self::MissingCreate
                | Self::SeqGap
                | Self::SeqRepeated
                | Self::TimeBackwards
                | Self::TimeAfterEnd
                | Self::RequestIdRepeated
                | Self::Commitment
                | Self::HashChain
                | Self::NotAcceptable
                | Self::Detail
                | Self::Price
                | Self::Leader
                | Self::End
                | Self::Flags
                | Self::CrossCheck
        )
    }

    /// Compares with what somebody kept; is made only where that is given.
    pub fn is_of_kept(self) -> bool {
        matches!(self, Self::Checkpoint | Self::KeptHead)
    }

    /// Cannot be made at all where maxima and reserves are hidden. The other checks of outcomes
    /// are then made against what the entries record, as far as that goes.
    pub fn needs_secrets(self) -> bool {
        matches!(self, Self::Commitment | Self::CrossCheck)
    }

    /// Its place in [`Self::ALL`].
    pub(super) fn index(self) -> usize {
        Self::ALL
            .iter()
            .position(|check| *check == self)
            .unwrap_or(0)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Not the name of a check.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no such check; gavel replay --list-checks names them")]
pub struct UnknownCheck;

impl FromStr for Check {
    type Err = UnknownCheck;
    fn from_str(name: &str) -> Result<Self, UnknownCheck> {
        Self::from_name(name).ok_or(UnknownCheck)
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A check that failed, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The auction; none for a file of a folder.
    pub auction_id: Option<i64>,
    /// The entry; none for the auction's row or events.
    pub seq: Option<i64>,
    /// Which check.
    pub check: Check,
    /// What the ledger and the rules give.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(auction_id) = self.auction_id {
            write!(f, "auction {auction_id}")?;
            if let Some(seq) = self.seq {
                write!(f, " seq {seq}")?;
            }
            f.write_str(": ")?;
        }
        let Self {
            check,
            expected,
            found,
            ..
        } = self;
        write!(f, "{check}: expected {expected}, found {found}")
    }
}
