//! One auction made by gavel's rules from what a site recorded of it.
//!
//! Every entry is decided by the rules and folded, none is made up; the row then carries the end
//! and the final price that the *site* recorded. So an audit of the folder derives both again and
//! names each auction whose record is another than the rules give.

use sha2::{Digest as _, Sha256};
use uuid::Builder;

use super::error::HistoryError;
use super::lot::{Lot, RecordedPrice};
use crate::auction::book::{Create, FoldError};
use crate::auction::{
    Amount, AuctionId, Bid, Book, CloseOutcome, Digest, Entry, Event, EventKind, Micros, PartyId,
    Refusal, RequestId, Status, Terms,
};
use crate::store::{AuctionRow, Dossier};

/// The place of the create entry: no row has it.
const CREATE: i64 = i64::MIN;

/// An auction on its way from the first entry to the last.
pub(super) struct Record<'a> {
    book: Book,
    entries: Vec<Entry>,
    keys: Keys<'a>,
}

/// From what request ids and nonces follow, so that the same history gives the same bytes.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a> {
    pub(super) secret: &'a str,
    pub(super) auction_id: AuctionId,
    /// Over the auction's own cells.
    pub(super) digest: Digest,
}

impl Keys<'_> {
    fn key(&self, kind: &str, content: &[&[u8]], place: i64) -> [u8; 16] {
        let mut sha = Sha256::new();
        sha.update(b"gavel history ");
        sha.update(kind);
        for part in content {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            sha.update(length.to_be_bytes());
            sha.update(part);
        }
        sha.update(self.auction_id.get().to_be_bytes());
        sha.update(place.to_be_bytes());
        let hash: [u8; 32] = sha.finalize().into();
        let mut key = [0; 16];
        key.copy_from_slice(&hash[..16]);
        key
    }

    fn request_id(&self, place: i64) -> RequestId {
        let bytes = self.key("request", &[], place);
        RequestId::new(Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// Hides an amount from who does not know the auction's rows, or the mapping's secret.
    fn nonce(&self, place: i64) -> [u8; 16] {
        self.key("nonce", &[self.secret.as_bytes(), &self.digest], place)
    }
}

impl<'a> Record<'a> {
    /// Creates the auction at its start.
    pub(super) fn open(terms: Terms, keys: Keys<'a>) -> Result<Self, HistoryError> {
        let auction_id = keys.auction_id;
        let create = Create {
            auction_id,
            request_id: keys.request_id(CREATE),
            actor: terms.seller.clone(),
            nonce: keys.nonce(CREATE),
            terms,
        };
        let entry = Book::decide_create(&create, create.terms.start).map_err(|refusal| {
            HistoryError::Fold {
                auction_id: auction_id.get(),
                why: refusal.to_string(),
            }
        })?;
        Ok(Self {
            book: Book::open(&entry).map_err(|error| failed(auction_id, &error))?,
            entries: vec![entry],
            keys,
        })
    }

    /// Places a bid; `place` tells it from the others. What the rules refuse is handed back and
    /// leaves no trace.
    pub(super) fn bid(
        &mut self,
        place: i64,
        at: Micros,
        bidder: &PartyId,
        maximum: Amount,
    ) -> Result<Result<(), Refusal>, HistoryError> {
        let auction_id = self.book.auction_id;
        let bid = Bid {
            auction_id,
            request_id: self.keys.request_id(place),
            bidder: bidder.clone(),
            maximum: maximum.minor(),
            currency: self.book.terms.currency,
            nonce: self.keys.nonce(place),
        };
        let entry = match self.book.decide_bid(&bid, at) {
            Ok(entry) => entry,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let folded = self.book.fold(&entry);
        folded.map_err(|error| failed(auction_id, &error))?;
        self.entries.push(entry);
        Ok(Ok(()))
    }

    /// The auction as the rules have it.
    pub(super) fn book(&self) -> &Book {
        &self.book
    }

    /// What closing records by the rules.
    pub(super) fn outcome(&self) -> CloseOutcome {
        let state = &self.book.state;
        let reserve_met = state.standing.reserve_met(&self.book.terms);
        CloseOutcome::of(state.leader_id(), state.price(), reserve_met)
    }

    /// The closed auction. Its row has the end and the final price that the site recorded, all
    /// else is by the rules: so a record that differs is a finding where it differs.
    pub(super) fn closed(self, lot: &Lot) -> Dossier {
        let outcome = self.outcome();
        let Self { book, entries, .. } = self;
        let state = &book.state;
        let end = lot.end.unwrap_or(state.end);
        let event = Event {
            event_id: EventKind::Closed.event_id(book.auction_id),
            kind: EventKind::Closed,
            result: Some(outcome.result),
            winner: outcome.winner.clone(),
            price: outcome.final_price,
            end: state.end,
            closed_at: end,
            ledger_head: state.head,
        };
        // A row has a winner iff it has a final price.
        let (status, winner, final_price) = match (lot.price, state.leader_id()) {
            (RecordedPrice::Sold(price), Some(leader)) => {
                (Status::Closed, Some(leader.clone()), Some(price))
            }
            (RecordedPrice::Unsold, Some(_)) => (Status::ClosedReserveNotMet, None, None),
            // A price without any bid has no place there: only the report tells it.
            _ => (outcome.status, outcome.winner, outcome.final_price),
        };
        let row = AuctionRow {
            status,
            end,
            closed_at: Some(end),
            winner,
            final_price,
            ..AuctionRow::of(book.auction_id, book.terms.clone(), state)
        };
        Dossier {
            auction_id: book.auction_id.get(),
            row: Some(row),
            entries,
            events: vec![event],
            watchers: Vec::new(),
            damage: Vec::new(),
            secrets_visible: true,
        }
    }
}

fn failed(auction_id: AuctionId, error: &FoldError) -> HistoryError {
    HistoryError::Fold {
        auction_id: auction_id.get(),
        why: error.to_string(),
    }
}
