//! The watcher: which auctions, how far each has been told, and the next poll.
//!
//! The entries told of an auction are those up to the row that was read with them, so that price,
//! count and status agree. The store's clock is asked now and then; between, its offset from this
//! machine's serves for display. Whether an end has come is always asked of the store, before the
//! rows are read: what is told as ended had ended when its row was read. Only a bid that got its
//! lock before the end and is still being written may move it afterwards; then it is open again.

use std::collections::HashSet;

use thiserror::Error;

use crate::auction::{AuctionId, Entry, Micros, Status};
use crate::clock::Clock;
use crate::store::{AuctionRow, Contract, StoreError};

/// How many entries of an auction a poll reads at most; memory is bounded however long a ledger
/// is.
const PAGE: u32 = 1_000;
/// After so many polls the store's clock is asked again.
const CLOCK_POLLS: u32 = 25;

/// Why auctions cannot be watched.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The database's answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What has been told is no longer there, as after a restore.
    #[error("auction {0} is not what it was: its ledger has become shorter, or it is gone")]
    Rewound(AuctionId),
}

/// Where the watching of one auction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// What happened before is still being read.
    Past,
    /// Its end is ahead.
    Running,
    /// Past its end, and no closer has come.
    Ended,
    /// Closed or cancelled: nothing more can happen.
    Over,
}

/// One watched auction.
#[derive(Debug, Clone)]
pub struct Lot {
    /// As last read.
    pub row: AuctionRow,
    /// Told up to this entry.
    pub seq: i64,
    /// Where it stands.
    pub stage: Stage,
}

/// Something to tell, in the order in which it happened in its auction.
#[derive(Debug, Clone)]
pub enum News {
    /// An entry from before the watch began.
    Past(Entry),
    /// Everything before is told; this is where the auction stands.
    Begun {
        /// The auction.
        row: Box<AuctionRow>,
        /// The store's clock.
        now: Micros,
    },
    /// A new entry.
    Entry(Entry),
    /// The end has come, and no closer yet.
    Ended {
        /// The auction.
        row: Box<AuctionRow>,
        /// The store's clock.
        now: Micros,
    },
    /// A closer has recorded the result.
    Closed(Box<AuctionRow>),
}

/// What a poll brought.
#[derive(Debug)]
pub struct Polled {
    /// What is new.
    pub news: Vec<News>,
    /// There is more already: poll again at once.
    pub behind: bool,
}

/// Follows some auctions.
#[derive(Debug)]
pub struct Watcher<'a, S> {
    store: &'a S,
    clock: Clock,
    lots: Vec<Lot>,
    /// Read and not yet handed out: an error in between loses nothing.
    pending: Vec<News>,
    /// The store's clock less this machine's, in microseconds.
    offset_us: i64,
    polls: u32,
}

impl<'a, S: Contract> Watcher<'a, S> {
    /// Looks the auctions up; those that are not there are named, and nothing is watched.
    /// A repeated id is watched once.
    pub async fn open(
        store: &'a S,
        ids: &[AuctionId],
        clock: Clock,
    ) -> Result<Result<Self, Vec<AuctionId>>, StoreError> {
        let mut seen = HashSet::new();
        let ids: Vec<AuctionId> = ids.iter().copied().filter(|id| seen.insert(*id)).collect();
        let mut rows = store.auctions_get(&ids).await?;
        let mut lots = Vec::new();
        let mut absent = Vec::new();
        for id in &ids {
            match rows.iter().position(|row| row.auction_id == *id) {
                Some(at) => lots.push(Lot {
                    row: rows.swap_remove(at),
                    seq: 0,
                    stage: Stage::Past,
                }),
                None => absent.push(*id),
            }
        }
        if !absent.is_empty() {
            return Ok(Err(absent));
        }
        Ok(Ok(Self {
            store,
            clock,
            lots,
            pending: Vec::new(),
            offset_us: 0,
            polls: 0,
        }))
    }

    /// The auctions, in the order in which they were named.
    pub fn lots(&self) -> &[Lot] {
        &self.lots
    }

    /// The store's clock, as far as it is known here: for display, never to decide.
    pub fn now(&self) -> Micros {
        let now = self.clock.now();
        Micros::new(now.get().saturating_add(self.offset_us)).unwrap_or(now)
    }

    /// Whether every auction is over, or at least past its end.
    pub fn is_done(&self, at_the_end: bool) -> bool {
        let done = |lot: &Lot| match lot.stage {
            Stage::Past | Stage::Running => false,
            Stage::Ended => at_the_end,
            Stage::Over => true,
        };
        self.lots.iter().all(done)
    }

    /// Reads what is new. After an error, or when it is dropped, the next poll goes on where this
    /// one stopped.
    pub async fn poll(&mut self) -> Result<Polled, WatchError> {
        let exact = self.exact_now().await?;
        let rows = self.store.auctions_get(&self.open_ids()).await?;
        let mut behind = false;
        for lot in self.lots.iter_mut().filter(|lot| lot.stage != Stage::Over) {
            let id = lot.row.auction_id;
            let row = rows
                .iter()
                .find(|row| row.auction_id == id && row.last_seq >= lot.seq)
                .ok_or(WatchError::Rewound(id))?;
            let left = row.last_seq - lot.seq;
            let page = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
            if page > 0 {
                let entries = self.store.ledger_get(id, lot.seq, page).await?;
                lot.take(entries, &mut self.pending);
            }
            lot.row = row.clone();
            if lot.seq < row.last_seq {
                behind = true;
            } else {
                lot.move_on(exact, &mut self.pending);
            }
        }
        self.polls = self.polls.wrapping_add(1);
        Ok(Polled {
            news: std::mem::take(&mut self.pending),
            behind,
        })
    }

    /// The store's clock where it matters, or its turn has come.
    async fn exact_now(&mut self) -> Result<Option<Micros>, StoreError> {
        let estimate = self.now();
        let matters = |lot: &Lot| match lot.stage {
            Stage::Past => true,
            Stage::Running => lot.row.end <= estimate,
            Stage::Ended => lot.row.end > estimate,
            Stage::Over => false,
        };
        if !self.polls.is_multiple_of(CLOCK_POLLS) && !self.lots.iter().any(matters) {
            return Ok(None);
        }
        let now = self.store.now().await?;
        self.offset_us = now.since(self.clock.now());
        Ok(Some(now))
    }

    fn open_ids(&self) -> Vec<AuctionId> {
        let open = self.lots.iter().filter(|lot| lot.stage != Stage::Over);
        open.map(|lot| lot.row.auction_id).collect()
    }
}

impl Lot {
    fn take(&mut self, entries: Vec<Entry>, news: &mut Vec<News>) {
        for entry in entries {
            self.seq = entry.seq;
            news.push(if self.stage == Stage::Past {
                News::Past(entry)
            } else {
                News::Entry(entry)
            });
        }
    }

    /// From stage to stage, once every entry of the row is told.
    fn move_on(&mut self, exact: Option<Micros>, news: &mut Vec<News>) {
        let row = || Box::new(self.row.clone());
        if self.stage == Stage::Past
            && let Some(now) = exact
        {
            news.push(News::Begun { row: row(), now });
            self.stage = Stage::Running;
        }
        if self.stage == Stage::Past {
            return;
        }
        if self.row.status.is_closed() {
            news.push(News::Closed(row()));
            self.stage = Stage::Over;
        } else if self.row.status == Status::Cancelled {
            self.stage = Stage::Over;
        } else if let Some(now) = exact {
            let ended = self.row.end <= now;
            if ended && self.stage == Stage::Running {
                news.push(News::Ended { row: row(), now });
            }
            self.stage = if ended { Stage::Ended } else { Stage::Running };
        }
    }
}

impl News {
    /// The auction it is about.
    pub fn auction_id(&self) -> AuctionId {
        match self {
            Self::Past(entry) | Self::Entry(entry) => entry.auction_id,
            Self::Begun { row, .. } | Self::Ended { row, .. } | Self::Closed(row) => row.auction_id,
        }
    }
}
