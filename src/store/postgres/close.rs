//! Closing: records a result that the clock has already decided, once, with its event.
//!
//! A closer's ids are compared as `auction_id + 0`: a plain range would let the planner walk the
//! primary key over them instead of the index of what is due.

use super::PostgresStore;
use super::list::clock;
use super::rows::{numbers, shard_numbers};
use crate::auction::{AuctionId, EventKind, IdRange, Micros, Remit};
use crate::store::contract::{
    Backlog, CloseReply, Closed, Ending, OutboxBacklog, SweepBatch, WriteMode,
};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::Damage;
use crate::store::stored::StoredEvent;

/// The row that `close_one` returns.
#[derive(sqlx::FromRow)]
struct ClosedOne {
    outcome: String,
    result: Option<String>,
    winner: Option<String>,
    price: Option<i64>,
    end_us: Option<i64>,
    closed_us: Option<i64>,
    ledger_head: Option<Vec<u8>>,
    now_us: i64,
}

pub(super) async fn auction_close(
    store: &PostgresStore,
    auction_id: AuctionId,
    mode: WriteMode,
) -> Result<CloseReply, StoreError> {
    let mut step = store.step(mode).await?;
    let one: ClosedOne = step
        .query_as("select * from gavel.close_one($1)")
        .bind(auction_id.get())
        .fetch_one(step.connection())
        .await?;
    let reply = one.into_reply(auction_id)?;
    step.finish(mode).await?;
    Ok(reply)
}

impl ClosedOne {
    fn into_reply(self, auction_id: AuctionId) -> Result<CloseReply, StoreError> {
        Ok(match self.outcome.as_str() {
            "not-found" => CloseReply::NotFound,
            "cancelled" => CloseReply::Cancelled,
            "owned" => CloseReply::Owned,
            "not-due" => CloseReply::NotDue {
                end: instant(auction_id, "end_us", self.end_us.unwrap_or_default())?,
                now: instant(auction_id, "clock_us", self.now_us)?,
            },
            "closed" => CloseReply::Closed(self.into_closed(auction_id)?),
            "already-closed" => CloseReply::AlreadyClosed(self.into_closed(auction_id)?),
            _ => {
                let message = "close_one answered in a way this gavel does not understand";
                return Err(StoreError::new(StoreErrorKind::Failed, message));
            }
        })
    }

    fn into_closed(self, auction_id: AuctionId) -> Result<Closed, Damage> {
        let (Some(end_us), Some(closed_us), Some(ledger_head)) =
            (self.end_us, self.closed_us, self.ledger_head)
        else {
            return Err(Damage::row(auction_id.get(), "outbox", "no closing event"));
        };
        closed(StoredEvent {
            auction_id: auction_id.get(),
            event_id: EventKind::Closed.event_id(auction_id),
            kind: EventKind::Closed.as_str().to_owned(),
            result: self.result,
            winner: self.winner,
            price: self.price,
            end_us,
            closed_us,
            ledger_head,
        })
    }
}

fn instant(auction_id: AuctionId, column: &'static str, us: i64) -> Result<Micros, Damage> {
    Micros::new(us).map_err(|_| Damage::row(auction_id.get(), column, us.to_string()))
}

fn closed(stored: StoredEvent) -> Result<Closed, Damage> {
    let id = stored.auction_id;
    Ok(Closed {
        auction_id: AuctionId::new(id)
            .map_err(|error| Damage::row(id, "auction_id", error.to_string()))?,
        event: stored.into_event()?,
    })
}

pub(super) async fn auction_close_due(
    store: &PostgresStore,
    shard: i64,
    ids: IdRange,
    limit: u32,
    skip: &[AuctionId],
    mode: WriteMode,
) -> Result<SweepBatch, StoreError> {
    let mut step = store.step(mode).await?;
    let query = r"
        select c.auction_id, c.event_id, $4 as kind, c.result, c.winner, c.price, c.end_us,
               c.closed_us, c.ledger_head
        from gavel.close_due($1, $5, $6, $2, $3) c
        order by c.end_us, c.auction_id
    ";
    let stored: Vec<StoredEvent> = step
        .query_as(query)
        .bind(i32::try_from(shard).unwrap_or(i32::MAX))
        .bind(i32::try_from(limit).unwrap_or(i32::MAX))
        .bind(numbers(skip))
        .bind(EventKind::Closed.as_str())
        .bind(ids.first.get())
        .bind(ids.last.get())
        .fetch_all(step.connection())
        .await?;
    let batch = batch(stored)?;
    step.finish(mode).await?;
    Ok(batch)
}

pub(super) fn batch(stored: Vec<StoredEvent>) -> Result<SweepBatch, Damage> {
    let closed: Result<Vec<Closed>, Damage> = stored.into_iter().map(closed).collect();
    Ok(SweepBatch { closed: closed? })
}

pub(super) async fn auctions_close(
    store: &PostgresStore,
    auction_ids: &[AuctionId],
) -> Result<SweepBatch, StoreError> {
    let query = r"
        select c.auction_id, c.event_id, $2 as kind, c.result, c.winner, c.price, c.end_us,
               c.closed_us, c.ledger_head
        from gavel.close_these($1) c
        order by c.end_us, c.auction_id
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let stored: Vec<StoredEvent> = step
        .query_as(query)
        .bind(numbers(auction_ids))
        .bind(EventKind::Closed.as_str())
        .fetch_all(step.connection())
        .await?;
    let batch = batch(stored)?;
    step.finish(WriteMode::Commit).await?;
    Ok(batch)
}

pub(super) async fn auctions_ending(
    store: &PostgresStore,
    remit: Remit,
    after: Micros,
    until: Micros,
    limit: u32,
) -> Result<Vec<Ending>, StoreError> {
    // Shard by shard, so that each reads no more of the index than may be wanted.
    let query = r"
        select e.end_us, e.auction_id
        from unnest($1) s (shard)
        cross join lateral (
            select a.end_us, a.auction_id from gavel.auctions a
            where a.shard = s.shard and a.status = 'OPEN' and a.owner_node is null
              and a.end_us > $2 and a.end_us <= $3
              and a.auction_id + 0 between $5 and $6
            order by a.end_us
            limit $4) e
        order by e.end_us, e.auction_id
        limit $4
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let found: Vec<(i64, i64)> = step
        .query_as(query)
        .bind(shard_numbers(remit.shards))
        .bind(after.get())
        .bind(until.get())
        .bind(i64::from(limit))
        .bind(remit.ids.first.get())
        .bind(remit.ids.last.get())
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    endings(found)
}

pub(super) async fn auctions_waiting(
    store: &PostgresStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<Ending>, StoreError> {
    // By id; a plain `status = …` would let the planner walk all open auctions instead.
    let query = r"
        select a.end_us, a.auction_id from gavel.auctions a
        where a.auction_id = any ($1) and a.status || '' = 'OPEN' and a.owner_node is null
        order by a.end_us, a.auction_id
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let found: Vec<(i64, i64)> = step
        .query_as(query)
        .bind(numbers(auction_ids))
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    endings(found)
}

fn endings(found: Vec<(i64, i64)>) -> Result<Vec<Ending>, StoreError> {
    let ending = |(end_us, id)| {
        let auction_id =
            AuctionId::new(id).map_err(|error| Damage::row(id, "auction_id", error.to_string()))?;
        let end = instant(auction_id, "end_us", end_us)?;
        Ok(Ending { end, auction_id })
    };
    found.into_iter().map(ending).collect()
}

pub(super) async fn auction_due_ids(
    store: &PostgresStore,
    shard: i64,
    ids: IdRange,
    limit: u32,
    skip: &[AuctionId],
) -> Result<Vec<AuctionId>, StoreError> {
    // The clock in a subquery of its own is read once and can bound the index scan. In the order of
    // the index of what is due: by the id as well, all that end with the earliest would be sorted
    // for each batch, or the index of all ends there ever were be walked.
    let query = r"
        select d.auction_id
        from (
            select a.end_us, a.auction_id from gavel.auctions a
            where a.shard = $1 and a.status = 'OPEN' and a.owner_node is null
              and a.end_us <= (select gavel.clock_us()) and a.auction_id <> all ($3)
              and a.auction_id + 0 between $4 and $5
            order by a.end_us
            limit $2) d
        order by d.end_us, d.auction_id
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let due: Vec<i64> = step
        .query_scalar(query)
        .bind(i32::try_from(shard).unwrap_or(i32::MAX))
        .bind(i64::from(limit))
        .bind(numbers(skip))
        .bind(ids.first.get())
        .bind(ids.last.get())
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    due.into_iter()
        .map(|id| {
            AuctionId::new(id)
                .map_err(|error| Damage::row(id, "auction_id", error.to_string()).into())
        })
        .collect()
}

pub(super) async fn backlog(store: &PostgresStore, remit: Remit) -> Result<Backlog, StoreError> {
    // Shard by shard and up to a bound instant: with the clock in the statement, or all shards in one
    // scan, a third of the table is expected to be due, and among ten million all of it is read.
    let query = r"
        select coalesce(sum(d.due), 0)::bigint, min(d.oldest)
        from unnest($1) s (shard)
        cross join lateral (
            select count(*) as due, min(a.end_us) as oldest from gavel.auctions a
            where a.shard = s.shard and a.status = 'OPEN' and a.owner_node is null
              and a.end_us <= $4 and a.auction_id + 0 between $2 and $3) d
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let now = clock(&mut step).await?;
    let (due, oldest): (i64, Option<i64>) = step
        .query_as(query)
        .bind(shard_numbers(remit.shards))
        .bind(remit.ids.first.get())
        .bind(remit.ids.last.get())
        .bind(now.get())
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    let oldest_end = oldest.map(Micros::new).transpose().ok().flatten();
    Ok(Backlog { due, oldest_end })
}

pub(super) async fn outbox_backlog(store: &PostgresStore) -> Result<OutboxBacklog, StoreError> {
    let query = r"
        select count(*), min(o.closed_us) from gavel.outbox o where o.state = 'pending'
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let (pending, oldest): (i64, Option<i64>) =
        step.query_as(query).fetch_one(step.connection()).await?;
    step.finish(WriteMode::Commit).await?;
    let oldest = oldest.map(Micros::new).transpose().ok().flatten();
    Ok(OutboxBacklog { pending, oldest })
}
