//! Auctions that had ended and were not closed when they were looked at, and which of them a look
//! asks after again.
//!
//! The latest ends are what a closer that keeps up has closed since. Otherwise the earliest come
//! first, so the rest is asked for only as far as those were closed: a look in an outage costs
//! little more than one in a quiet hour.

use std::collections::BTreeSet;

use crate::auction::AuctionId;
use crate::store::{Closing, Contract, Ended, Ending, StoreError};

/// How many are asked for at once.
const CHUNK: usize = 1_000;
/// How many times a look goes on from the earliest.
const CHUNKS_MAX: usize = 10;
/// How many are remembered.
const REMEMBERED_MAX: usize = 100_000;

/// By end.
#[derive(Debug, Default)]
pub(super) struct Waiting(BTreeSet<Ending>);

/// Who was asked for, and how they are now.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) endings: Vec<Ending>,
    pub(super) found: Vec<Closing>,
}

impl Waiting {
    /// How many.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Remembers one; false if there is no room.
    pub(super) fn add(&mut self, closing: &Closing) -> bool {
        let room = self.0.len() < REMEMBERED_MAX;
        if room {
            let Closing {
                auction_id, end, ..
            } = *closing;
            self.0.insert(Ending { end, auction_id });
        }
        room
    }

    /// Forgets those that were asked for.
    pub(super) fn remove(&mut self, endings: &[Ending]) {
        for ending in endings {
            self.0.remove(ending);
        }
    }

    /// Asks again.
    pub(super) async fn ask(&self, store: &impl Contract) -> Result<Asked, StoreError> {
        let all: Vec<Ending> = self.0.iter().copied().collect();
        let (earlier, latest) = all.split_at(all.len().saturating_sub(CHUNK));
        let mut asked = Asked::default();
        asked.ask(store, latest).await?;
        for chunk in earlier.chunks(CHUNK).take(CHUNKS_MAX) {
            if asked.ask(store, chunk).await? == chunk.len() {
                break;
            }
        }
        Ok(asked)
    }
}

impl Asked {
    /// Returns how many are open.
    async fn ask(&mut self, store: &impl Contract, some: &[Ending]) -> Result<usize, StoreError> {
        if some.is_empty() {
            return Ok(0);
        }
        let ids: Vec<AuctionId> = some.iter().map(|ending| ending.auction_id).collect();
        let found = store.closings(Ended::These(&ids)).await?;
        let open = found.iter().filter(|one| one.closed.is_none()).count();
        self.endings.extend_from_slice(some);
        self.found.extend(found);
        Ok(open)
    }
}
