//! Deciding many creations at once, for both databases: what was there before, and what the
//! rules make of the rest.

use std::collections::{HashMap, HashSet};

use super::contract::Reply;
use super::error::StoreError;
use super::rows::{AuctionRow, Damage};
use crate::auction::book::Create;
use crate::auction::{AuctionId, Book, Entry, Micros, Refusal, RequestId, repeat};

/// What exists of the auctions to be created: from before, and from earlier in the same call.
pub(super) struct Known {
    auctions: HashSet<AuctionId>,
    entries: HashMap<(AuctionId, RequestId), Entry>,
}

/// What is to be written, and what is to be answered.
pub(super) struct Decided {
    /// The new auctions, in order.
    pub(super) rows: Vec<AuctionRow>,
    /// One for each creation, in order.
    pub(super) replies: Vec<Reply<Entry>>,
}

impl Known {
    /// The auctions that are there already, and what the same requests made of them.
    pub(super) fn new(
        auctions: HashSet<AuctionId>,
        entries: HashMap<(AuctionId, RequestId), Entry>,
    ) -> Self {
        Self { auctions, entries }
    }

    /// Decides each in order.
    pub(super) fn decide(mut self, creates: &[Create], now: Micros) -> Result<Decided, StoreError> {
        let mut rows = Vec::new();
        let mut replies = Vec::with_capacity(creates.len());
        for create in creates {
            replies.push(match self.judge(create, now) {
                Err(refusal) => Reply::Refused { refusal, now },
                Ok(Reply::Done(entry)) => {
                    rows.push(opened(&entry)?);
                    self.auctions.insert(entry.auction_id);
                    let key = (entry.auction_id, entry.request_id);
                    self.entries.insert(key, entry.clone());
                    Reply::Done(entry)
                }
                Ok(other) => other,
            });
        }
        Ok(Decided { rows, replies })
    }

    fn judge(&self, create: &Create, now: Micros) -> Result<Reply<Entry>, Refusal> {
        let key = (create.auction_id, create.request_id);
        if let Some(first) = self.entries.get(&key) {
            repeat::create_repeats(create, first)?;
            return Ok(Reply::Repeated(first.clone()));
        }
        if self.auctions.contains(&create.auction_id) {
            return Err(Refusal::AuctionExists);
        }
        Book::decide_create(create, now).map(Reply::Done)
    }
}

impl Decided {
    /// The first entries of the new auctions, in the order of the rows.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.replies.iter().filter_map(|reply| match reply {
            Reply::Done(entry) => Some(entry),
            Reply::Repeated(_) | Reply::Refused { .. } => None,
        })
    }
}

fn opened(entry: &Entry) -> Result<AuctionRow, StoreError> {
    let book = Book::open(entry)
        .map_err(|error| Damage::entry(entry.auction_id.get(), 1, "detail", error.to_string()))?;
    Ok(AuctionRow::of(entry.auction_id, book.terms, &book.state))
}
