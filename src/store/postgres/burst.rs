//! What load generation needs beside the steps of an auction's life.

use super::PostgresStore;
use crate::auction::{AuctionId, IdRange};
use crate::store::contract::{BurstRows, Setting, WriteMode};
use crate::store::error::StoreError;

pub(super) async fn burst_rows(
    store: &PostgresStore,
    span: i64,
) -> Result<Vec<BurstRows>, StoreError> {
    let query = r"
        select min(a.auction_id), max(a.auction_id), count(*) from gavel.auctions a
        where a.auction_id >= $1 and a.seller = 'burst-seller'
        group by (a.auction_id - $1) / $2
        order by 1
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let found: Vec<(i64, i64, i64)> = step
        .query_as(query)
        .bind(AuctionId::BURST_MIN)
        .bind(span)
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Ok(BurstRows::of(found)?)
}

pub(super) async fn burst_remove(
    store: &PostgresStore,
    ids: IdRange,
    limit: u32,
    mode: WriteMode,
) -> Result<u64, StoreError> {
    let mut step = store.step(mode).await?;
    let removed: i64 = step
        .query_scalar("select gavel.burst_remove($1, $2, $3)")
        .bind(ids.first.get())
        .bind(ids.last.get())
        .bind(i32::try_from(limit).unwrap_or(i32::MAX))
        .fetch_one(step.connection())
        .await?;
    step.finish(mode).await?;
    Ok(u64::try_from(removed).unwrap_or_default())
}

pub(super) async fn settings(store: &PostgresStore) -> Result<Vec<Setting>, StoreError> {
    let query = r"
        select s.name,
               case when s.unit is null then s.setting else current_setting(s.name) end
        from pg_settings s
        where s.name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes',
                         'wal_sync_method', 'wal_level', 'commit_delay', 'commit_siblings',
                         'shared_buffers', 'wal_buffers', 'max_wal_size', 'checkpoint_timeout',
                         'max_connections', 'autovacuum', 'jit', 'synchronous_standby_names')
        order by s.name
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let found: Vec<(String, String)> = step.query_as(query).fetch_all(step.connection()).await?;
    step.finish(WriteMode::Commit).await?;
    let settings = found.into_iter();
    Ok(settings
        .map(|(name, value)| Setting { name, value })
        .collect())
}
