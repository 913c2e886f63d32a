//! The whole of one auction as its ledger tells it: terms, state, and every bid.
//!
//! [`Book::open`] takes the `create` entry, [`Book::fold`] every later one. A bid needs only the
//! state; a void needs all bids, because the state is re-folded without the voided ones.

use thiserror::Error;

use super::bid::{self, Bid, stamped};
use super::entry::{Entry, Kind, Nonce, Secret, ZERO};
use super::ids::{AuctionId, PartyId, RequestId};
use super::money::Amount;
use super::operator::{self, Action, VoidDetail};
use super::price::Standing;
use super::refusal::Refusal;
use super::state::{State, Status};
use super::terms::{AmendDetail, DetailError, Terms};
use super::time::Micros;

/// A command to create an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Create {
    /// The auction.
    pub auction_id: AuctionId,
    /// The idempotency key.
    pub request_id: RequestId,
    /// Who creates it.
    pub actor: PartyId,
    /// Hides the reserve.
    pub nonce: Nonce,
    /// The terms.
    pub terms: Terms,
}

/// A bid entry as the book remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookedBid<P = PartyId> {
    /// The entry's seq.
    pub seq: i64,
    /// Who bid.
    pub bidder: P,
    /// The hidden maximum.
    pub maximum: Amount,
    /// Taken out of the reckoning since.
    pub voided: bool,
}

/// Why an entry cannot be folded: the ledger is damaged, or a secret is hidden from this reader.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FoldError {
    /// Seq 1 is not a `create` entry, or a later one is.
    #[error("a ledger starts with one create entry and has no other")]
    Create,
    /// The secret is needed and absent.
    #[error("the entry's maximum is hidden from this reader")]
    Hidden,
    /// The detail is damaged.
    #[error(transparent)]
    Detail(#[from] DetailError),
}

/// One auction: terms, state and bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// The auction.
    pub auction_id: AuctionId,
    /// The terms; `terms.end` is the end before any extension.
    pub terms: Terms,
    /// What the entries have made of it.
    pub state: State,
    bids: Vec<BookedBid>,
}

impl Book {
    /// Judges a `create`: `invalid-end` or `invalid-terms`, or the entry with seq 1.
    pub fn decide_create(create: &Create, now: Micros) -> Result<Entry, Refusal> {
        create.terms.check(now)?;
        let secret = create.terms.reserve.map(|amount| Secret {
            amount,
            nonce: create.nonce,
        });
        let entry = Entry {
            auction_id: create.auction_id,
            seq: 1,
            kind: Kind::Create,
            at: now,
            request_id: create.request_id,
            actor: create.actor.clone(),
            secret,
            commit: secret.map_or(ZERO, |secret| secret.commit()),
            detail: create.terms.to_detail(),
            price: None,
            leader: None,
            end: create.terms.end,
            reserve_met: false,
            extended: false,
            hash: ZERO,
        };
        Ok(entry.sealed(&ZERO))
    }

    /// Opens a book with its `create` entry.
    pub fn open(entry: &Entry) -> Result<Self, FoldError> {
        if entry.kind != Kind::Create {
            return Err(FoldError::Create);
        }
        let terms = Terms::from_detail(&entry.detail, entry.secret.map(|secret| secret.amount))?;
        let state = State {
            status: Status::Open,
            owned: false,
            end: entry.end,
            standing: Standing::default(),
            bid_count: 0,
            last_seq: entry.seq,
            last_at: entry.at,
            head: entry.hash,
        };
        Ok(Self {
            auction_id: entry.auction_id,
            terms,
            state,
            bids: Vec::new(),
        })
    }

    /// The book of a ledger's entries, from seq 1 on.
    pub fn replay(entries: &[Entry]) -> Result<Self, FoldError> {
        let (create, later) = entries.split_first().ok_or(FoldError::Create)?;
        let mut book = Self::open(create)?;
        for entry in later {
            book.fold(entry)?;
        }
        Ok(book)
    }

    /// Every bid entry so far, voided ones included.
    pub fn bids(&self) -> &[BookedBid] {
        &self.bids
    }

    /// The terms with the end in force, as an amendment states them.
    pub fn terms_in_force(&self) -> Terms {
        Terms {
            end: self.state.end,
            ..self.terms.clone()
        }
    }

    /// Judges a bid; see [`bid::decide`].
    pub fn decide_bid(&self, bid: &Bid, now: Micros) -> Result<Entry, Refusal> {
        bid::decide(&self.terms, &self.state, bid, now)
    }

    /// Judges an operator's action.
    pub fn decide(&self, action: &Action, now: Micros) -> Result<Entry, Refusal> {
        operator::decide(self, action, now)
    }

    /// Applies the next entry. The outcome the entry records (price, leader, end, flags) is not
    /// consulted: comparing it with the state is the auditor's business.
    pub fn fold(&mut self, entry: &Entry) -> Result<(), FoldError> {
        match entry.kind {
            Kind::Create => return Err(FoldError::Create),
            Kind::Bid => {
                let maximum = entry.secret.ok_or(FoldError::Hidden)?.amount;
                self.state = bid::fold(&self.terms, &self.state, entry, maximum);
                let bidder = entry.actor.clone();
                self.bids.push(BookedBid {
                    seq: entry.seq,
                    bidder,
                    maximum,
                    voided: false,
                });
                return Ok(());
            }
            Kind::Void => {
                let targets = VoidDetail::from_detail(&entry.detail)?.targets;
                self.state.standing = self.standing_without(&targets);
                for bid in &mut self.bids {
                    bid.voided |= targets.contains(&bid.seq);
                }
                let live = self.bids.iter().filter(|bid| !bid.voided).count();
                self.state.bid_count = i64::try_from(live).unwrap_or(i64::MAX);
            }
            Kind::Amend => {
                let reserve = entry.secret.map(|secret| secret.amount);
                let stated = AmendDetail::from_detail(&entry.detail, reserve)?.terms;
                self.state.end = stated.end;
                // Before the first bid the end stated is the first end too.
                if self.bids.is_empty() {
                    self.terms = stated;
                }
            }
            Kind::Cancel => self.state.status = Status::Cancelled,
        }
        self.state = stamped(&self.state, entry);
        Ok(())
    }

    /// The standing re-folded without some bids: minima are not checked again.
    pub(super) fn standing_without(&self, targets: &[i64]) -> Standing {
        self.bids
            .iter()
            .filter(|bid| !bid.voided && !targets.contains(&bid.seq))
            .fold(Standing::default(), |standing, bid| {
                standing.after_bid(&self.terms, &bid.bidder, bid.maximum)
            })
    }
}
