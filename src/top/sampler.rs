//! Looks at a database again and again, and reads each time only what is new.

use std::time::{Duration, Instant};

use super::minute::Minute;
use super::reading::{Next, Reading};
use super::waiting::Waiting;
use crate::auction::{AuctionId, Micros, Shards, Span};
use crate::store::{Backlog, Closing, Contract, Ended, OutboxBacklog, StoreError};

/// How many ends are read at once.
const PAGE: usize = 10_000;
/// How many pages a look reads at most: what is left, the next one reads.
const PAGES_MAX: usize = 20;
/// Events that nobody takes are counted one by one: so many times the time it took is left
/// between two counts.
const OUTBOX_REST: u32 = 10;

/// Remembers what earlier looks found.
#[derive(Debug)]
pub struct Sampler {
    shards: Shards,
    minute: Minute,
    /// Ended, read and open.
    waiting: Waiting,
    /// Due, and ended before anything was read: it can only become less.
    older: Option<u64>,
    read: Option<Position>,
    looked: Option<Micros>,
    outbox: Outbox,
}

/// Up to where ends have been read.
#[derive(Debug, Clone, Copy)]
struct Position {
    end: Micros,
    /// None: all at that end.
    last: Option<AuctionId>,
}

#[derive(Debug, Default)]
struct Outbox {
    found: OutboxBacklog,
    asked: Option<(Instant, Duration)>,
}

impl Sampler {
    /// Has seen nothing yet.
    pub fn new(shards: Shards) -> Self {
        Self {
            shards,
            minute: Minute::default(),
            waiting: Waiting::default(),
            older: None,
            read: None,
            looked: None,
            outbox: Outbox::default(),
        }
    }

    /// Looks, and tells up to `ending_max` of what ends next. The first look reads the ends of a
    /// minute. One that fails, or is dropped, changes nothing.
    pub async fn look(
        &mut self,
        store: &impl Contract,
        ending_max: u32,
    ) -> Result<Reading, StoreError> {
        let due = store.backlog(self.shards.into()).await?;
        let now = store.now().await?;
        let (from, gap) = self.from(now);
        let asked = self.waiting.ask(store).await?;
        let (fresh, read) = self.fresh(store, from, now).await?;
        let outbox = self.outbox.ask(store).await?;
        let ending = self.ending(store, now, ending_max).await?;

        self.waiting.remove(&asked.endings);
        let found = asked.found.iter().chain(&fresh);
        let forgotten = found.map(|closing| self.take(closing, read)).sum();
        self.read = Some(read);
        self.count(&due, now, gap, forgotten);
        self.minute.forget(now);
        Ok(Reading {
            at: now,
            due,
            outbox,
            pace: self.minute.pace(now),
            ending,
        })
    }

    /// Where to read on, but no more than a minute back; and whether something is left out so.
    fn from(&self, now: Micros) -> (Position, bool) {
        let minute = Position {
            end: now.minus(Span::MINUTE),
            last: None,
        };
        match self.read {
            Some(read) if read.end >= minute.end => (read, false),
            _ => (minute, true),
        }
    }

    async fn fresh(
        &self,
        store: &impl Contract,
        from: Position,
        until: Micros,
    ) -> Result<(Vec<Closing>, Position), StoreError> {
        let (mut found, mut at) = (Vec::new(), from);
        for _ in 0..PAGES_MAX {
            let ended = Ended::Between {
                shards: self.shards,
                after: at.end,
                last: at.last,
                until,
                limit: u32::try_from(PAGE).unwrap_or(u32::MAX),
            };
            let page = store.closings(ended).await?;
            let next = page.get(PAGE - 1).map(|last| Position {
                end: last.end,
                last: Some(last.auction_id),
            });
            found.extend(page);
            let Some(next) = next else {
                // A clock that stepped back does not lead back.
                at = if until > at.end {
                    Position::all(until)
                } else {
                    at
                };
                break;
            };
            at = next;
        }
        Ok((found, at))
    }

    async fn ending(
        &self,
        store: &impl Contract,
        now: Micros,
        max: u32,
    ) -> Result<Vec<Next>, StoreError> {
        let soon = store.auctions_ending(self.shards.into(), now, Micros::MAX, max);
        let ids: Vec<AuctionId> = soon.await?.iter().map(|one| one.auction_id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = store.auctions_get(&ids).await?;
        let mut ending: Vec<Next> = rows.into_iter().map(Next::from).collect();
        ending.sort_by_key(|next| (next.end, next.auction_id));
        Ok(ending)
    }

    /// Returns 1 for an open auction that cannot be remembered.
    fn take(&mut self, closing: &Closing, read: Position) -> u64 {
        if closing.closed.is_some() {
            self.minute.measure(closing);
            return 0;
        }
        // What was extended is read again at its new end.
        let remembered = closing.end > read.end || self.waiting.add(closing);
        u64::from(!remembered)
    }

    /// Counts those closings of which no more is known than that they are due no more. The
    /// backlog was asked for a moment earlier than the rest, so it is taken only where it says
    /// less than ever before.
    fn count(&mut self, due: &Backlog, now: Micros, gap: bool, forgotten: u64) {
        let remembered = u64::try_from(self.waiting.len()).unwrap_or(u64::MAX);
        let older = u64::try_from(due.due).unwrap_or_default();
        let older = older.saturating_sub(remembered);
        let before = self.older.filter(|_| !gap).map(|before| before + forgotten);
        if let (Some(before), Some(looked)) = (before, self.looked) {
            let closed = before.saturating_sub(older);
            self.minute.count(closed, looked, now);
        }
        self.older = Some(before.map_or(older, |before| before.min(older)));
        self.looked = Some(now);
    }
}

impl Position {
    fn all(end: Micros) -> Self {
        Self { end, last: None }
    }
}

impl Outbox {
    async fn ask(&mut self, store: &impl Contract) -> Result<OutboxBacklog, StoreError> {
        let rests = |(at, took): (Instant, Duration)| at.elapsed() < took * OUTBOX_REST;
        if !self.asked.is_some_and(rests) {
            let begun = Instant::now();
            self.found = store.outbox_backlog().await?;
            self.asked = Some((Instant::now(), begun.elapsed()));
        }
        Ok(self.found)
    }
}
