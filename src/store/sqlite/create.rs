//! Creating auctions.

use std::collections::HashMap;

use sqlx::SqliteConnection;
use tokio::sync::mpsc;

use super::{SqliteStore, sets};
use crate::auction::book::Create;
use crate::auction::{AuctionId, Entry, Micros, RequestId};
use crate::store::contract::{LoadItem, Reply, WriteMode};
use crate::store::creating::Known;
use crate::store::error::StoreError;

pub(super) async fn auction_create(
    store: &SqliteStore,
    creates: &[Create],
    mode: WriteMode,
) -> Result<Vec<Reply<Entry>>, StoreError> {
    let mut transaction = store.begin().await?;
    let replies = create_all(&mut transaction, creates, store.clock().now()).await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(replies)
}

pub(super) async fn auctions_load(
    store: &SqliteStore,
    mut incoming: mpsc::Receiver<LoadItem>,
    replies: mpsc::Sender<Vec<Reply<Entry>>>,
    mode: WriteMode,
) -> Result<(), StoreError> {
    let mut transaction = store.begin().await?;
    loop {
        match incoming.recv().await {
            Some(LoadItem::Chunk(creates)) => {
                let now = store.clock().now();
                let created = create_all(&mut transaction, &creates, now).await?;
                // Whoever no longer listens ends by sending no more.
                drop(replies.send(created).await);
            }
            Some(LoadItem::End) => break,
            None => {
                transaction.rollback().await?;
                return Err(StoreError::import_abandoned());
            }
        }
    }
    SqliteStore::finish(transaction, mode).await
}

async fn create_all(
    connection: &mut SqliteConnection,
    creates: &[Create],
    now: Micros,
) -> Result<Vec<Reply<Entry>>, StoreError> {
    let ids: Vec<AuctionId> = creates.iter().map(|create| create.auction_id).collect();
    let auctions = sets::auctions_present(connection, &ids).await?;
    let entries = if auctions.is_empty() {
        HashMap::new()
    } else {
        let requests: Vec<(AuctionId, RequestId)> = creates
            .iter()
            .map(|create| (create.auction_id, create.request_id))
            .collect();
        sets::entries_of_requests(connection, &requests).await?
    };
    let decided = Known::new(auctions, entries).decide(creates, now)?;
    if !decided.rows.is_empty() {
        sets::auctions_insert(connection, decided.rows.iter()).await?;
        sets::entries_insert(connection, decided.entries()).await?;
    }
    Ok(decided.replies)
}
