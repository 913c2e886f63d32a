//! An auction as it stood: folded from its ledger up to an entry or an instant.

use std::str::FromStr;

use thiserror::Error;

use crate::auction::book::FoldError;
use crate::auction::time::TimeError;
use crate::auction::{AuctionId, Book, CloseOutcome, Entry, Micros};
use crate::store::{AuctionRow, Contract, Dossier, StoreError};

/// How many entries are read at once.
const PAGE: u32 = 1_000;

/// Up to where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsOf {
    /// Up to the entry with this seq.
    Seq(i64),
    /// Up to the last entry at or before this instant.
    At(Micros),
}

impl AsOf {
    /// Whether an entry was there already.
    fn holds(self, entry: &Entry) -> bool {
        match self {
            Self::Seq(seq) => entry.seq <= seq,
            Self::At(at) => entry.at <= at,
        }
    }

    /// Refuses what there is not, or not yet, of a ledger that ends with `last_seq`.
    fn check(self, last_seq: i64, now: Micros) -> Result<(), AsOfError> {
        match self {
            Self::Seq(seq) if !(1..=last_seq).contains(&seq) => {
                Err(AsOfError::NoSuchEntry { seq, last_seq })
            }
            Self::At(at) if at > now => Err(AsOfError::Ahead),
            Self::Seq(_) | Self::At(_) => Ok(()),
        }
    }
}

/// A number is a seq, anything else a time.
impl FromStr for AsOf {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(seq) = text.parse()
            && text.bytes().all(|b| b.is_ascii_digit())
        {
            return Ok(Self::Seq(seq));
        }
        text.parse().map(Self::At).map_err(|error| match error {
            TimeError::Syntax => format!("state an entry's seq, such as 5, or {error}"),
            error => error.to_string(),
        })
    }
}

/// Why there is nothing to show.
#[derive(Debug, Error)]
pub enum AsOfError {
    /// No entry has this seq.
    #[error("there is no entry {seq}: its ledger has the entries 1 to {last_seq}")]
    NoSuchEntry {
        /// The one asked for.
        seq: i64,
        /// The last one.
        last_seq: i64,
    },
    /// It did not exist.
    #[error("it was created later, at {created}")]
    NotYetCreated {
        /// The first entry's instant.
        created: Micros,
    },
    /// What is ahead may still change.
    #[error("that time is still ahead")]
    Ahead,
    /// The ledger is damaged, or hidden from this reader.
    #[error("its ledger cannot be folded")]
    Unfoldable(#[from] FoldError),
    /// The database's answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AsOfError {
    /// The code of a refusal; none where the work failed.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::NoSuchEntry { .. } => Some("no-such-entry"),
            Self::NotYetCreated { .. } => Some("not-yet-created"),
            Self::Ahead => Some("ahead"),
            Self::Unfoldable(_) | Self::Store(_) => None,
        }
    }
}

/// An auction as it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Then {
    /// What its row was.
    pub row: AuctionRow,
    /// When: the instant asked for, or the entry's.
    pub at: Micros,
    /// How many entries there are today.
    pub entries: i64,
}

/// Folds the auction of a row up to where it was asked for; `now` is the store's clock.
pub async fn as_of(
    store: &impl Contract,
    row: &AuctionRow,
    up_to: AsOf,
    now: Micros,
) -> Result<Then, AsOfError> {
    up_to.check(row.last_seq, now)?;
    let entries = entries_up_to(store, row.auction_id, up_to).await?;
    let Some(last) = entries.last() else {
        let first = store.ledger_get(row.auction_id, 0, 1).await?;
        let created = first.first().ok_or(FoldError::Create)?.at;
        return Err(AsOfError::NotYetCreated { created });
    };
    let at = match up_to {
        AsOf::Seq(_) => last.at,
        AsOf::At(at) => at,
    };
    let book = Book::replay(&entries)?;
    let then = AuctionRow::of(row.auction_id, book.terms, &book.state);
    let is_whole = last.seq == row.last_seq;
    Ok(Then {
        row: match (up_to, row.closed_at) {
            (AsOf::At(_), Some(closed_at)) if is_whole && closed_at <= at => {
                closed(then, row, closed_at)
            }
            _ => then,
        },
        at,
        entries: row.last_seq.max(last.seq),
    })
}

/// Leaves of an auction what there was of it then; `now` is the clock of what was read. The row
/// and the events stay only where they were as they are.
pub fn cut(dossier: Dossier, up_to: AsOf, now: Micros) -> Result<Dossier, AsOfError> {
    let last_seq = dossier.entries.last().map_or(0, |entry| entry.seq);
    let belongs = |entry: &Entry| up_to.holds(entry);
    up_to.check(last_seq, now)?;
    let first = dossier.entries.first().ok_or(FoldError::Create)?;
    if !belongs(first) {
        return Err(AsOfError::NotYetCreated { created: first.at });
    }
    let closed_by = |at| move |row: &AuctionRow| row.closed_at.is_some_and(|closed| closed <= at);
    let was_closed = match up_to {
        AsOf::Seq(_) => false,
        AsOf::At(at) => dossier.row.as_ref().is_some_and(closed_by(at)),
    };
    let entries = dossier.entries.into_iter().filter(belongs).collect();
    Ok(Dossier {
        row: dossier.row.filter(|_| was_closed),
        events: dossier.events.into_iter().filter(|_| was_closed).collect(),
        entries,
        ..dossier
    })
}

/// The closing is no entry: its result follows from the ledger, its instant stands in the row.
fn closed(then: AuctionRow, row: &AuctionRow, closed_at: Micros) -> AuctionRow {
    let outcome = CloseOutcome::of(then.leader.as_ref(), then.price, then.reserve_met);
    AuctionRow {
        status: row.status,
        closed_at: Some(closed_at),
        winner: outcome.winner,
        final_price: outcome.final_price,
        ..then
    }
}

async fn entries_up_to(
    store: &impl Contract,
    auction_id: AuctionId,
    up_to: AsOf,
) -> Result<Vec<Entry>, StoreError> {
    let mut entries: Vec<Entry> = Vec::new();
    let belongs = |entry: &Entry| up_to.holds(entry);
    loop {
        let after = entries.last().map_or(0, |entry| entry.seq);
        let page = store.ledger_get(auction_id, after, PAGE).await?;
        let read = page.len();
        // Instants never fall with the seq, so that the first which is later ends it.
        entries.extend(page.into_iter().take_while(belongs));
        let kept = entries.last().map_or(0, |entry| entry.seq) - after;
        if read == 0 || i64::try_from(read).is_ok_and(|read| kept < read) {
            return Ok(entries);
        }
    }
}
