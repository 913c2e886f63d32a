//! What load generation needs beside the steps of an auction's life.

use super::SqliteStore;
use crate::auction::{AuctionId, IdRange};
use crate::store::contract::{BurstRows, Setting, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};

pub(super) async fn burst_rows(
    store: &SqliteStore,
    span: i64,
) -> Result<Vec<BurstRows>, StoreError> {
    let query = r"
        select min(auction_id), max(auction_id), count(*) from auctions
        where auction_id >= ?1 and seller = 'burst-seller'
        group by (auction_id - ?1) / ?2
        order by 1
    ";
    let found: Vec<(i64, i64, i64)> = sqlx::query_as(query)
        .bind(AuctionId::BURST_MIN)
        .bind(span)
        .fetch_all(store.readers())
        .await?;
    Ok(BurstRows::of(found)?)
}

pub(super) async fn burst_remove(
    store: &SqliteStore,
    ids: IdRange,
    limit: u32,
    mode: WriteMode,
) -> Result<u64, StoreError> {
    if ids.first.get() < AuctionId::BURST_MIN {
        let message = "only auctions of load-generation runs can be removed";
        return Err(StoreError::new(StoreErrorKind::Failed, message));
    }
    let query = r"
        select auction_id from auctions
        where auction_id between ?1 and ?2 and seller = 'burst-seller'
        order by auction_id limit ?3
    ";
    let mut transaction = store.begin().await?;
    let chosen: Vec<i64> = sqlx::query_scalar(query)
        .bind(ids.first.get())
        .bind(ids.last.get())
        .bind(i64::from(limit))
        .fetch_all(&mut *transaction)
        .await?;
    let chosen_json = serde_json::json!(chosen).to_string();
    for query in [
        "delete from outbox where auction_id in (select value from json_each(?1))",
        "delete from watchers where auction_id in (select value from json_each(?1))",
        "delete from ledger where auction_id in (select value from json_each(?1))",
        "delete from auctions where auction_id in (select value from json_each(?1))",
    ] {
        let delete = sqlx::query(query).bind(&chosen_json);
        delete.execute(&mut *transaction).await?;
    }
    SqliteStore::finish(transaction, mode).await?;
    Ok(u64::try_from(chosen.len()).unwrap_or_default())
}

pub(super) async fn settings(store: &SqliteStore) -> Result<Vec<Setting>, StoreError> {
    let mut settings = Vec::new();
    let version: String = sqlx::query_scalar("select sqlite_version()")
        .fetch_one(store.readers())
        .await?;
    settings.push(("sqlite_version", version));
    let mut transaction = store.begin().await?;
    let mode: String = sqlx::query_scalar("pragma journal_mode")
        .fetch_one(&mut *transaction)
        .await?;
    settings.push(("journal_mode", mode));
    for (name, query) in [
        ("synchronous", "pragma synchronous"),
        ("page_size", "pragma page_size"),
        ("cache_size", "pragma cache_size"),
        ("wal_autocheckpoint", "pragma wal_autocheckpoint"),
    ] {
        let value: i64 = sqlx::query_scalar(query)
            .fetch_one(&mut *transaction)
            .await?;
        settings.push((name, value.to_string()));
    }
    SqliteStore::finish(transaction, WriteMode::Rehearse).await?;
    let settings = settings.into_iter().map(|(name, value)| Setting {
        name: name.to_owned(),
        value,
    });
    Ok(settings.collect())
}
