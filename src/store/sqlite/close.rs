//! Closing: records a result that the clock has already decided, once, with its event.
//!
//! A closer's ids are compared as `+auction_id`, which keeps to the index of what is due.

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::rows::{self, json_ids, json_shards};
use crate::auction::{
    Amount, AuctionId, CloseOutcome, Event, EventKind, IdRange, Micros, PartyId, Remit, Status,
};
use crate::store::contract::{
    Backlog, CloseReply, Closed, Ending, OutboxBacklog, SweepBatch, WriteMode,
};
use crate::store::error::StoreError;
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::StoredAuction;

pub(super) async fn auction_close(
    store: &SqliteStore,
    auction_id: AuctionId,
    mode: WriteMode,
) -> Result<CloseReply, StoreError> {
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let reply = close_one(&mut transaction, auction_id, now).await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(reply)
}

async fn close_one(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
    now: Micros,
) -> Result<CloseReply, StoreError> {
    let Some(row) = rows::auction_select(connection, auction_id).await? else {
        return Ok(CloseReply::NotFound);
    };
    match row.status {
        Status::Cancelled => Ok(CloseReply::Cancelled),
        Status::Closed | Status::ClosedReserveNotMet => already_closed(connection, &row).await,
        Status::Open | Status::Closing if row.owner_node.is_some() => Ok(CloseReply::Owned),
        Status::Open | Status::Closing if row.end > now => {
            Ok(CloseReply::NotDue { end: row.end, now })
        }
        // One that another closer has claimed is closed all the same: its write repeats the
        // condition and finds nothing left to do.
        Status::Open | Status::Closing => {
            record(connection, &row, now).await.map(CloseReply::Closed)
        }
    }
}

async fn already_closed(
    connection: &mut SqliteConnection,
    row: &AuctionRow,
) -> Result<CloseReply, StoreError> {
    let events = rows::events_select(connection, row.auction_id).await?;
    let event = events
        .into_iter()
        .find(|event| event.kind == EventKind::Closed);
    match event {
        Some(event) => Ok(CloseReply::AlreadyClosed(Closed {
            auction_id: row.auction_id,
            event,
        })),
        None => Err(Damage::row(row.auction_id.get(), "outbox", "no closing event").into()),
    }
}

pub(super) async fn auction_close_due(
    store: &SqliteStore,
    shard: i64,
    ids: IdRange,
    limit: u32,
    skip: &[AuctionId],
    mode: WriteMode,
) -> Result<SweepBatch, StoreError> {
    // A plain read first: a sweep over shards with nothing due takes no write lock.
    if auction_due_ids(store, shard, ids, 1, skip)
        .await?
        .is_empty()
    {
        return Ok(SweepBatch::default());
    }
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let query = r"
        select * from auctions
        where shard = ?1 and status = 'OPEN' and owner_node is null and end_us <= ?2
          and auction_id not in (select value from json_each(?3))
          and +auction_id between ?5 and ?6
        order by end_us, auction_id
        limit ?4
    ";
    let due: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(shard)
        .bind(now.get())
        .bind(json_ids(skip))
        .bind(i64::from(limit))
        .bind(ids.first.get())
        .bind(ids.last.get())
        .fetch_all(&mut *transaction)
        .await?;
    let batch = record_all(&mut transaction, due, now).await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(batch)
}

pub(super) async fn auctions_close(
    store: &SqliteStore,
    auction_ids: &[AuctionId],
) -> Result<SweepBatch, StoreError> {
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let query = r"
        select * from auctions
        where auction_id in (select value from json_each(?1)) and status = 'OPEN'
          and owner_node is null and end_us <= ?2
        order by end_us, auction_id
    ";
    let due: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(json_ids(auction_ids))
        .bind(now.get())
        .fetch_all(&mut *transaction)
        .await?;
    let batch = record_all(&mut transaction, due, now).await?;
    SqliteStore::finish(transaction, WriteMode::Commit).await?;
    Ok(batch)
}

pub(super) async fn record_all(
    connection: &mut SqliteConnection,
    due: Vec<StoredAuction>,
    now: Micros,
) -> Result<SweepBatch, StoreError> {
    let mut batch = SweepBatch::default();
    for stored in due {
        let row = stored.into_row()?;
        batch.closed.push(record(connection, &row, now).await?);
    }
    Ok(batch)
}

/// Status, result and event in the caller's transaction.
async fn record(
    connection: &mut SqliteConnection,
    row: &AuctionRow,
    now: Micros,
) -> Result<Closed, StoreError> {
    // A clock that stepped back does not close before the claim.
    let now = row.closing_at.map_or(now, |claimed_at| claimed_at.max(now));
    let outcome = CloseOutcome::of(row.leader.as_ref(), row.price, row.reserve_met);
    let query = r"
        update auctions set status = ?2, closed_us = ?3, winner = ?4, final_price = ?5
        where auction_id = ?1 and status in ('OPEN', 'CLOSING') and end_us <= ?3
    ";
    let done = sqlx::query(query)
        .bind(row.auction_id.get())
        .bind(outcome.status.as_str())
        .bind(now.get())
        .bind(outcome.winner.as_ref().map(PartyId::as_str))
        .bind(outcome.final_price.map(Amount::minor))
        .execute(&mut *connection)
        .await?;
    rows::expect_rows(done.rows_affected(), 1)?;
    let event = Event {
        event_id: EventKind::Closed.event_id(row.auction_id),
        kind: EventKind::Closed,
        result: Some(outcome.result),
        winner: outcome.winner,
        price: outcome.final_price,
        end: row.end,
        closed_at: now,
        ledger_head: row.head,
    };
    rows::event_insert(connection, row.auction_id, &event).await?;
    Ok(Closed {
        auction_id: row.auction_id,
        event,
    })
}

pub(super) async fn auction_due_ids(
    store: &SqliteStore,
    shard: i64,
    ids: IdRange,
    limit: u32,
    skip: &[AuctionId],
) -> Result<Vec<AuctionId>, StoreError> {
    let query = r"
        select auction_id from auctions
        where shard = ?1 and status = 'OPEN' and owner_node is null and end_us <= ?2
          and auction_id not in (select value from json_each(?3))
          and +auction_id between ?5 and ?6
        order by end_us, auction_id
        limit ?4
    ";
    let due: Vec<i64> = sqlx::query_scalar(query)
        .bind(shard)
        .bind(store.clock().now().get())
        .bind(json_ids(skip))
        .bind(i64::from(limit))
        .bind(ids.first.get())
        .bind(ids.last.get())
        .fetch_all(store.readers())
        .await?;
    due.into_iter()
        .map(|id| {
            AuctionId::new(id)
                .map_err(|error| Damage::row(id, "auction_id", error.to_string()).into())
        })
        .collect()
}

pub(super) async fn auctions_ending(
    store: &SqliteStore,
    remit: Remit,
    after: Micros,
    until: Micros,
    limit: u32,
) -> Result<Vec<Ending>, StoreError> {
    let query = r"
        select end_us, auction_id from auctions
        where shard in (select value from json_each(?1)) and status = 'OPEN'
          and owner_node is null and end_us > ?2 and end_us <= ?3
          and +auction_id between ?5 and ?6
        order by end_us, auction_id
        limit ?4
    ";
    let found: Vec<(i64, i64)> = sqlx::query_as(query)
        .bind(json_shards(remit.shards))
        .bind(after.get())
        .bind(until.get())
        .bind(i64::from(limit))
        .bind(remit.ids.first.get())
        .bind(remit.ids.last.get())
        .fetch_all(store.readers())
        .await?;
    endings(found)
}

pub(super) async fn auctions_waiting(
    store: &SqliteStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<Ending>, StoreError> {
    let query = r"
        select end_us, auction_id from auctions
        where auction_id in (select value from json_each(?1)) and status = 'OPEN'
          and owner_node is null
        order by end_us, auction_id
    ";
    let found: Vec<(i64, i64)> = sqlx::query_as(query)
        .bind(json_ids(auction_ids))
        .fetch_all(store.readers())
        .await?;
    endings(found)
}

fn endings(found: Vec<(i64, i64)>) -> Result<Vec<Ending>, StoreError> {
    let ending = |(end_us, id): (i64, i64)| {
        let end = Micros::new(end_us).map_err(|_| Damage::row(id, "end_us", end_us.to_string()))?;
        let auction_id =
            AuctionId::new(id).map_err(|error| Damage::row(id, "auction_id", error.to_string()))?;
        Ok(Ending { end, auction_id })
    };
    found.into_iter().map(ending).collect()
}

pub(super) async fn backlog(store: &SqliteStore, remit: Remit) -> Result<Backlog, StoreError> {
    let query = r"
        select count(*), min(end_us) from auctions
        where shard in (select value from json_each(?1)) and status = 'OPEN'
          and owner_node is null and end_us <= ?2 and +auction_id between ?3 and ?4
    ";
    let (due, oldest): (i64, Option<i64>) = sqlx::query_as(query)
        .bind(json_shards(remit.shards))
        .bind(store.clock().now().get())
        .bind(remit.ids.first.get())
        .bind(remit.ids.last.get())
        .fetch_one(store.readers())
        .await?;
    let oldest_end = oldest.map(Micros::new).transpose().ok().flatten();
    Ok(Backlog { due, oldest_end })
}

pub(super) async fn outbox_backlog(store: &SqliteStore) -> Result<OutboxBacklog, StoreError> {
    let query = r"
        select count(*), min(closed_us) from outbox where state = 'pending'
    ";
    let (pending, oldest): (i64, Option<i64>) =
        sqlx::query_as(query).fetch_one(store.readers()).await?;
    let oldest = oldest.map(Micros::new).transpose().ok().flatten();
    Ok(OutboxBacklog { pending, oldest })
}
