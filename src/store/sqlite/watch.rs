//! Watch lists.

use super::SqliteStore;
use super::rows;
use crate::auction::{AuctionId, PartyId};
use crate::store::contract::{Watch, WriteMode};
use crate::store::error::StoreError;

pub(super) async fn watch_add(
    store: &SqliteStore,
    auction_id: AuctionId,
    watcher: &PartyId,
    mode: WriteMode,
) -> Result<Watch, StoreError> {
    let mut transaction = store.begin().await?;
    if rows::auction_select(&mut transaction, auction_id)
        .await?
        .is_none()
    {
        return Ok(Watch::NotFound);
    }
    let query = r"
        insert into watchers (auction_id, watcher) values (?1, ?2) on conflict do nothing
    ";
    let done = sqlx::query(query)
        .bind(auction_id.get())
        .bind(watcher.as_str())
        .execute(&mut *transaction)
        .await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(if done.rows_affected() == 1 {
        Watch::Added
    } else {
        Watch::Unchanged
    })
}

pub(super) async fn watch_remove(
    store: &SqliteStore,
    auction_id: AuctionId,
    watcher: &PartyId,
    mode: WriteMode,
) -> Result<Watch, StoreError> {
    let mut transaction = store.begin().await?;
    if rows::auction_select(&mut transaction, auction_id)
        .await?
        .is_none()
    {
        return Ok(Watch::NotFound);
    }
    let done = sqlx::query("delete from watchers where auction_id = ?1 and watcher = ?2")
        .bind(auction_id.get())
        .bind(watcher.as_str())
        .execute(&mut *transaction)
        .await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(if done.rows_affected() == 1 {
        Watch::Removed
    } else {
        Watch::Unchanged
    })
}
