//! The claim protocol: OPEN → CLOSING with a fresh epoch, then closed by whoever still has it.

use super::SqliteStore;
use super::close::record_all;
use super::rows::{json_ids, json_shards};
use crate::auction::{AuctionId, Remit, Span};
use crate::store::contract::{Claim, SweepBatch, WriteMode};
use crate::store::error::StoreError;
use crate::store::rows::Damage;
use crate::store::stored::StoredAuction;

pub(super) async fn auctions_claim(
    store: &SqliteStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<Claim>, StoreError> {
    let query = r"
        update auctions
        set status = 'CLOSING', closer_epoch = closer_epoch + 1, closing_us = ?2
        where auction_id in (select value from json_each(?1)) and status = 'OPEN'
          and owner_node is null and end_us <= ?2
        returning auction_id, closer_epoch
    ";
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let claimed: Vec<(i64, i64)> = sqlx::query_as(query)
        .bind(json_ids(auction_ids))
        .bind(now.get())
        .fetch_all(&mut *transaction)
        .await?;
    SqliteStore::finish(transaction, WriteMode::Commit).await?;
    let claim = |(id, epoch)| {
        let auction_id =
            AuctionId::new(id).map_err(|error| Damage::row(id, "auction_id", error.to_string()))?;
        Ok(Claim { auction_id, epoch })
    };
    claimed.into_iter().map(claim).collect()
}

pub(super) async fn claims_close(
    store: &SqliteStore,
    claims: &[Claim],
) -> Result<SweepBatch, StoreError> {
    let query = r"
        select a.* from json_each(?1) c
        join auctions a on a.auction_id = c.value ->> 0 and a.closer_epoch = c.value ->> 1
        where a.status = 'CLOSING'
        order by a.end_us, a.auction_id
    ";
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let own: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(json_claims(claims))
        .fetch_all(&mut *transaction)
        .await?;
    let batch = record_all(&mut transaction, own, now).await?;
    SqliteStore::finish(transaction, WriteMode::Commit).await?;
    Ok(batch)
}

pub(super) async fn claims_release(
    store: &SqliteStore,
    claims: &[Claim],
) -> Result<u64, StoreError> {
    let query = r"
        update auctions set status = 'OPEN', closing_us = null
        where status = 'CLOSING' and (auction_id, closer_epoch) in (
            select value ->> 0, value ->> 1 from json_each(?1))
    ";
    let mut transaction = store.begin().await?;
    let done = sqlx::query(query)
        .bind(json_claims(claims))
        .execute(&mut *transaction)
        .await?;
    SqliteStore::finish(transaction, WriteMode::Commit).await?;
    Ok(done.rows_affected())
}

pub(super) async fn claims_reap(
    store: &SqliteStore,
    remit: Remit,
    timeout: Span,
    limit: u32,
) -> Result<u64, StoreError> {
    // A plain read first: where nothing is stuck no write lock is taken.
    let query = r"
        select auction_id from auctions
        where shard in (select value from json_each(?1)) and status = 'CLOSING'
          and closing_us <= ?2 and +auction_id between ?4 and ?5
        order by closing_us
        limit ?3
    ";
    let before_us = store.clock().now().get() - timeout.get();
    let stuck: Vec<i64> = sqlx::query_scalar(query)
        .bind(json_shards(remit.shards))
        .bind(before_us)
        .bind(i64::from(limit))
        .bind(remit.ids.first.get())
        .bind(remit.ids.last.get())
        .fetch_all(store.readers())
        .await?;
    if stuck.is_empty() {
        return Ok(0);
    }
    let stuck: Vec<AuctionId> = stuck.into_iter().flat_map(AuctionId::new).collect();
    let query = r"
        update auctions set status = 'OPEN', closing_us = null
        where auction_id in (select value from json_each(?1)) and status = 'CLOSING'
          and closing_us <= ?2
    ";
    let mut transaction = store.begin().await?;
    let done = sqlx::query(query)
        .bind(json_ids(&stuck))
        .bind(before_us)
        .execute(&mut *transaction)
        .await?;
    SqliteStore::finish(transaction, WriteMode::Commit).await?;
    Ok(done.rows_affected())
}

/// Pairs of id and epoch as a JSON array, for `json_each`.
fn json_claims(claims: &[Claim]) -> String {
    let pairs = claims.iter();
    let pairs: Vec<(i64, i64)> = pairs
        .map(|claim| (claim.auction_id.get(), claim.epoch))
        .collect();
    serde_json::to_string(&pairs).unwrap_or_default()
}
