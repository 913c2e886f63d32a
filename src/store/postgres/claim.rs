//! The claim protocol: OPEN → CLOSING with a fresh epoch, then closed by whoever still has it.

use super::PostgresStore;
use super::close::batch;
use super::rows::{numbers, shard_numbers};
use crate::auction::{AuctionId, EventKind, Remit, Span};
use crate::store::contract::{Claim, SweepBatch, WriteMode};
use crate::store::error::StoreError;
use crate::store::rows::Damage;
use crate::store::stored::StoredEvent;

pub(super) async fn auctions_claim(
    store: &PostgresStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<Claim>, StoreError> {
    let query = r"
        select c.auction_id, c.epoch from gavel.claim_these($1) c order by c.auction_id
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let claimed: Vec<(i64, i64)> = step
        .query_as(query)
        .bind(numbers(auction_ids))
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    let claim = |(id, epoch)| {
        let auction_id =
            AuctionId::new(id).map_err(|error| Damage::row(id, "auction_id", error.to_string()))?;
        Ok(Claim { auction_id, epoch })
    };
    claimed.into_iter().map(claim).collect()
}

pub(super) async fn claims_close(
    store: &PostgresStore,
    claims: &[Claim],
) -> Result<SweepBatch, StoreError> {
    let query = r"
        select c.auction_id, c.event_id, $3 as kind, c.result, c.winner, c.price, c.end_us,
               c.closed_us, c.ledger_head
        from gavel.close_claimed($1, $2) c
        order by c.end_us, c.auction_id
    ";
    let (auction_ids, epochs) = columns(claims);
    let mut step = store.step(WriteMode::Commit).await?;
    let stored: Vec<StoredEvent> = step
        .query_as(query)
        .bind(auction_ids)
        .bind(epochs)
        .bind(EventKind::Closed.as_str())
        .fetch_all(step.connection())
        .await?;
    let batch = batch(stored)?;
    step.finish(WriteMode::Commit).await?;
    Ok(batch)
}

pub(super) async fn claims_release(
    store: &PostgresStore,
    claims: &[Claim],
) -> Result<u64, StoreError> {
    let (auction_ids, epochs) = columns(claims);
    let mut step = store.step(WriteMode::Commit).await?;
    let released: i64 = step
        .query_scalar("select count(*) from gavel.release_claims($1, $2)")
        .bind(auction_ids)
        .bind(epochs)
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Ok(u64::try_from(released).unwrap_or_default())
}

pub(super) async fn claims_reap(
    store: &PostgresStore,
    remit: Remit,
    timeout: Span,
    limit: u32,
) -> Result<u64, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let reaped: i64 = step
        .query_scalar("select count(*) from gavel.reap_claims($1, $4, $5, $2, $3)")
        .bind(shard_numbers(remit.shards))
        .bind(timeout.get())
        .bind(i32::try_from(limit).unwrap_or(i32::MAX))
        .bind(remit.ids.first.get())
        .bind(remit.ids.last.get())
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Ok(u64::try_from(reaped).unwrap_or_default())
}

fn columns(claims: &[Claim]) -> (Vec<i64>, Vec<i64>) {
    let pairs = claims.iter();
    pairs
        .map(|claim| (claim.auction_id.get(), claim.epoch))
        .unzip()
}
