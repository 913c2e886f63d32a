//! Watch lists.

use super::PostgresStore;
use super::pool::Step;
use crate::auction::{AuctionId, PartyId};
use crate::store::contract::{Watch, WriteMode};
use crate::store::error::StoreError;

pub(super) async fn watch_add(
    store: &PostgresStore,
    auction_id: AuctionId,
    watcher: &PartyId,
    mode: WriteMode,
) -> Result<Watch, StoreError> {
    // One statement, and the select is not a locking one: a bid or a sweep never waits for it.
    let query = r"
        insert into gavel.watchers (auction_id, watcher)
        select a.auction_id, $2 from gavel.auctions a where a.auction_id = $1
        on conflict do nothing
    ";
    change(store, query, auction_id, watcher, mode, Watch::Added).await
}

pub(super) async fn watch_remove(
    store: &PostgresStore,
    auction_id: AuctionId,
    watcher: &PartyId,
    mode: WriteMode,
) -> Result<Watch, StoreError> {
    let query = r"
        delete from gavel.watchers w where w.auction_id = $1 and w.watcher = $2
    ";
    change(store, query, auction_id, watcher, mode, Watch::Removed).await
}

async fn change(
    store: &PostgresStore,
    query: &'static str,
    auction_id: AuctionId,
    watcher: &PartyId,
    mode: WriteMode,
    changed: Watch,
) -> Result<Watch, StoreError> {
    // In a transaction, for its bound on waiting: the foreign key's check can meet a lock.
    let mut step = store.transaction().await?;
    let done = step
        .query(query)
        .bind(auction_id.get())
        .bind(watcher.as_str())
        .execute(step.connection())
        .await?;
    let watch = if done.rows_affected() == 1 {
        changed
    } else if exists(&mut step, auction_id).await? {
        Watch::Unchanged
    } else {
        Watch::NotFound
    };
    step.finish(mode).await?;
    Ok(watch)
}

async fn exists(step: &mut Step, auction_id: AuctionId) -> Result<bool, StoreError> {
    let query = "select exists (select from gavel.auctions a where a.auction_id = $1)";
    Ok(step
        .query_scalar(query)
        .bind(auction_id.get())
        .fetch_one(step.connection())
        .await?)
}
