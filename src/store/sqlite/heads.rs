//! The heads of auctions that are over, and the instant that is settled.
//!
//! There is one writer, and it reads the clock under the write lock: a reading under that lock is
//! after everything that was written, and before everything that will be. Whoever may not write
//! cannot take the lock; then a margin stands for it, longer than any transaction that closes.

use futures_util::TryStreamExt as _;
use tokio::sync::mpsc;

use super::SqliteStore;
use crate::auction::{AuctionId, Micros};
use crate::store::contract::WriteMode;
use crate::store::ended::{HEADS_MAX, HeadRead, ended_head};
use crate::store::error::StoreError;

/// How far behind the clock a reader without the right to write is settled: a minute.
const READER_MARGIN_US: i64 = 60_000_000;

pub(super) async fn heads_settled(store: &SqliteStore) -> Result<Micros, StoreError> {
    if store.check_writable().is_err() {
        let settled_us = store.clock().now().get() - READER_MARGIN_US;
        return Ok(Micros::new(settled_us).unwrap_or(Micros::MIN));
    }
    let transaction = store.begin().await?;
    let now = store.clock().now();
    SqliteStore::finish(transaction, WriteMode::Rehearse).await?;
    Ok(now)
}

pub(super) async fn heads_read(
    store: &SqliteStore,
    before: Micros,
    out: mpsc::Sender<Vec<HeadRead>>,
) -> Result<(), StoreError> {
    // One statement is one snapshot; SQLite sorts, in a temporary file where it must.
    let query = r"
        select auction_id, ended_us, head
        from (select auction_id, head,
                     case status when 'CANCELLED' then last_us else closed_us end as ended_us
              from auctions
              where status in ('CLOSED', 'CLOSED_RESERVE_NOT_MET', 'CANCELLED')
                and auction_id < ?2)
        where ended_us < ?1
        order by ended_us, auction_id
    ";
    let mut rows = sqlx::query_as::<_, (i64, i64, Vec<u8>)>(query)
        .bind(before.get())
        .bind(AuctionId::BURST_MIN)
        .fetch(store.readers());
    let mut chunk = Vec::with_capacity(HEADS_MAX);
    while let Some(row) = rows.try_next().await? {
        chunk.push(ended_head(row));
        if chunk.len() == HEADS_MAX && out.send(std::mem::take(&mut chunk)).await.is_err() {
            return Ok(());
        }
    }
    if !chunk.is_empty() {
        out.send(chunk).await.ok();
    }
    Ok(())
}
