//! The reference model: what every store must answer, from the pure rules alone.
//!
//! Holds whole ledgers in memory, looks request ids up in them, and closes by the clock. Uses
//! nothing but `Book`, `decide` and `fold`; a store that answers otherwise is wrong.

use std::collections::BTreeMap;

use gavel::auction::book::Create;
use gavel::auction::repeat;
use gavel::auction::{
    Action, AuctionId, Bid, Book, CloseOutcome, Entry, Event, EventKind, Micros, Refusal, Status,
};
use gavel::store::{AuctionRow, BidAnswer, CloseReply, Closed, Reply};

/// One auction as the model keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) book: Book,
    pub(crate) ledger: Vec<Entry>,
    pub(crate) events: Vec<Event>,
    closed: Option<(CloseOutcome, Micros)>,
}

impl Kept {
    fn find(&self, request_id: gavel::auction::RequestId) -> Option<&Entry> {
        self.ledger
            .iter()
            .find(|entry| entry.request_id == request_id)
    }

    fn append(&mut self, entry: &Entry) {
        self.book.fold(entry).unwrap();
        self.ledger.push(entry.clone());
    }

    /// The row that a store must cache.
    pub(crate) fn row(&self) -> AuctionRow {
        let book = &self.book;
        let mut row = AuctionRow::of(book.auction_id, book.terms.clone(), &book.state);
        if let Some((outcome, closed_at)) = &self.closed {
            row.closed_at = Some(*closed_at);
            row.winner = outcome.winner.clone();
            row.final_price = outcome.final_price;
        }
        row
    }
}

/// All auctions, and the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) now: Micros,
    pub(crate) auctions: BTreeMap<AuctionId, Kept>,
}

impl Model {
    pub(crate) fn new(now: Micros) -> Self {
        Self {
            now,
            auctions: BTreeMap::new(),
        }
    }

    pub(crate) fn get(&self, auction_id: AuctionId) -> Option<&Kept> {
        self.auctions.get(&auction_id)
    }

    pub(crate) fn create(&mut self, create: &Create) -> Reply<Entry> {
        if let Some(kept) = self.get(create.auction_id) {
            return match kept.find(create.request_id) {
                None => self.refused(Refusal::AuctionExists),
                Some(entry) => match repeat::create_repeats(create, entry) {
                    Ok(()) => Reply::Repeated(entry.clone()),
                    Err(refusal) => self.refused(refusal),
                },
            };
        }
        match Book::decide_create(create, self.now) {
            Err(refusal) => self.refused(refusal),
            Ok(entry) => {
                let kept = Kept {
                    book: Book::open(&entry).unwrap(),
                    ledger: vec![entry.clone()],
                    events: Vec::new(),
                    closed: None,
                };
                self.auctions.insert(create.auction_id, kept);
                Reply::Done(entry)
            }
        }
    }

    pub(crate) fn bid(&mut self, bid: &Bid) -> Reply<BidAnswer> {
        let now = self.now;
        let Some(kept) = self.auctions.get_mut(&bid.auction_id) else {
            return self.refused(Refusal::NotFound);
        };
        if let Some(entry) = kept.find(bid.request_id) {
            return match repeat::bid_repeats(bid, entry) {
                Ok(()) => Reply::Repeated(answer(kept, entry, now)),
                Err(refusal) => self.refused(refusal),
            };
        }
        match kept.book.decide_bid(bid, now) {
            Err(refusal) => self.refused(refusal),
            Ok(entry) => {
                kept.append(&entry);
                Reply::Done(answer(kept, &entry, now))
            }
        }
    }

    pub(crate) fn act(&mut self, auction_id: AuctionId, action: &Action) -> Reply<Entry> {
        let now = self.now;
        let Some(kept) = self.auctions.get_mut(&auction_id) else {
            return self.refused(Refusal::NotFound);
        };
        if let Some(entry) = kept.find(action.request_id) {
            let earlier = kept
                .ledger
                .iter()
                .take_while(|earlier| earlier.seq < entry.seq);
            let earlier: Vec<Entry> = earlier.cloned().collect();
            return match repeat::action_repeats(action, entry, &earlier) {
                Ok(()) => Reply::Repeated(entry.clone()),
                Err(refusal) => self.refused(refusal),
            };
        }
        match kept.book.decide(action, now) {
            Err(refusal) => self.refused(refusal),
            Ok(entry) => {
                kept.append(&entry);
                if kept.book.state.status == Status::Cancelled {
                    let event = cancelled(kept, &entry);
                    kept.events.push(event);
                }
                Reply::Done(entry)
            }
        }
    }

    pub(crate) fn close(&mut self, auction_id: AuctionId) -> CloseReply {
        let now = self.now;
        let Some(kept) = self.auctions.get_mut(&auction_id) else {
            return CloseReply::NotFound;
        };
        let state = &kept.book.state;
        if state.status == Status::Cancelled {
            return CloseReply::Cancelled;
        }
        if let Some(event) = kept.events.first() {
            let event = event.clone();
            return CloseReply::AlreadyClosed(Closed { auction_id, event });
        }
        let end = state.end;
        if now < end {
            return CloseReply::NotDue { end, now };
        }
        let reserve_met = state.standing.reserve_met(&kept.book.terms);
        let outcome = CloseOutcome::of(state.leader_id(), state.price(), reserve_met);
        let event = Event {
            event_id: EventKind::Closed.event_id(auction_id),
            kind: EventKind::Closed,
            result: Some(outcome.result),
            winner: outcome.winner.clone(),
            price: outcome.final_price,
            end,
            closed_at: now,
            ledger_head: state.head,
        };
        kept.book.state.status = outcome.status;
        kept.closed = Some((outcome, now));
        kept.events.push(event.clone());
        CloseReply::Closed(Closed { auction_id, event })
    }

    fn refused<T>(&self, refusal: Refusal) -> Reply<T> {
        let now = self.now;
        Reply::Refused { refusal, now }
    }
}

/// A bid's answer is made from its entry alone, so that a repeat is answered alike.
fn answer(kept: &Kept, entry: &Entry, now: Micros) -> BidAnswer {
    let price = entry.price.unwrap();
    let booked = kept.book.bids().iter().find(|bid| bid.seq == entry.seq);
    BidAnswer {
        seq: entry.seq,
        at: entry.at,
        price,
        leading: entry.leader.as_ref() == Some(&entry.actor),
        end: entry.end,
        extended: entry.extended,
        minimum: kept.book.terms.minimum(Some(price)),
        now,
        voided: booked.unwrap().voided,
    }
}

fn cancelled(kept: &Kept, entry: &Entry) -> Event {
    Event {
        event_id: EventKind::Cancelled.event_id(entry.auction_id),
        kind: EventKind::Cancelled,
        result: None,
        winner: None,
        price: None,
        end: kept.book.state.end,
        closed_at: entry.at,
        ledger_head: entry.hash,
    }
}
