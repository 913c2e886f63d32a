//! One auction made by gavel's rules from what a site recorded of it.
//!
//! Every entry is decided by the rules and folded, none is made up; the row then carries the end
//! and the final price that the *site* recorded. So an audit of the folder derives both again and
//! names each auction whose record is another than the rules give.

use std::path::Path;

use anyhow::Context as _;
use gavel::auction::book::Create;
use gavel::auction::{
    Amount, AuctionId, Bid, Book, CloseOutcome, Entry, Event, EventKind, Micros, PartyId, Refusal,
    RequestId, Terms,
};
use gavel::ledger::bundle::{BundleOptions, BundleWriter};
use gavel::store::{AuctionRow, Dossier};
use uuid::Uuid;

/// An auction on its way from the first entry to the last.
pub(crate) struct Record {
    book: Book,
    entries: Vec<Entry>,
}

impl Record {
    /// Creates the auction at its start.
    pub(crate) fn open(auction_id: AuctionId, terms: Terms) -> anyhow::Result<Self> {
        let create = Create {
            auction_id,
            request_id: RequestId::from_bytes(key(auction_id, 0)),
            actor: terms.seller.clone(),
            nonce: key(auction_id, 0),
            terms,
        };
        let entry = Book::decide_create(&create, create.terms.start)?;
        Ok(Self {
            book: Book::open(&entry)?,
            entries: vec![entry],
        })
    }

    /// Places a bid; `line` tells it from the others. What the rules refuse is handed back and
    /// leaves no trace.
    pub(crate) fn bid(
        &mut self,
        line: i64,
        at: Micros,
        bidder: &PartyId,
        maximum: Amount,
    ) -> anyhow::Result<Result<(), Refusal>> {
        let auction_id = self.book.auction_id;
        let bid = Bid {
            auction_id,
            request_id: RequestId::from_bytes(key(auction_id, line)),
            bidder: bidder.clone(),
            maximum: maximum.minor(),
            currency: self.book.terms.currency,
            nonce: key(auction_id, line),
        };
        let entry = match self.book.decide_bid(&bid, at) {
            Ok(entry) => entry,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.book.fold(&entry)?;
        self.entries.push(entry);
        Ok(Ok(()))
    }

    /// The auction as the rules have it.
    pub(crate) fn book(&self) -> &Book {
        &self.book
    }

    /// The closed auction. Its row has the end and the final price that the site recorded, all
    /// else is by the rules: so a record that differs is one finding where it differs.
    pub(crate) fn closed(self, end: Micros, final_price: Option<Amount>) -> Dossier {
        let Self { book, entries } = self;
        let state = &book.state;
        let reserve_met = state.standing.reserve_met(&book.terms);
        let outcome = CloseOutcome::of(state.leader_id(), state.price(), reserve_met);
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
        let row = AuctionRow {
            status: outcome.status,
            end,
            closed_at: Some(end),
            winner: outcome.winner,
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

/// Request id and nonce of a line: the same in every run. A nonce should be random, to hide an
/// amount; these amounts are public already.
fn key(auction_id: AuctionId, line: i64) -> [u8; 16] {
    let number = i128::from(auction_id.get()) << 64 | i128::from(line);
    number.to_be_bytes()
}

/// Writes the folder that `gavel replay --from` reads; the same auctions give the same bytes.
pub(crate) fn write(folder: &Path, dossiers: &[Dossier]) -> anyhow::Result<()> {
    let mut by_id: Vec<&Dossier> = dossiers.iter().collect();
    by_id.sort_by_key(|dossier| dossier.auction_id);
    let ends = dossiers
        .iter()
        .flat_map(|dossier| &dossier.row)
        .map(|row| row.end);
    let options = BundleOptions {
        public: false,
        overwrite: true,
        // No database stands behind the folder.
        installation: Uuid::nil(),
        exported_at: ends.max().context("there is no auction to write")?,
    };
    let mut bundle = BundleWriter::create(folder, options)?;
    for dossier in by_id {
        bundle.append(dossier)?;
    }
    bundle.finish()?;
    Ok(())
}
