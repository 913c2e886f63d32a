//! Creating auctions: decided in Rust, written by COPY where there are many.

use std::collections::{HashMap, HashSet};

use tokio::sync::mpsc;

use super::PostgresStore;
use super::copy_in::Copied;
use super::list;
use super::pool::Step;
use super::rows::{self, numbers};
use crate::auction::book::Create;
use crate::auction::{AuctionId, Entry, RequestId};
use crate::store::contract::{LoadItem, Reply, WriteMode};
use crate::store::creating::{Decided, Known};
use crate::store::error::{StoreError, StoreErrorKind};

/// From so many on COPY is used. Its last message follows its data without an answer between,
/// which over TCP can wait for the peer's delayed acknowledgement: too dear for a few.
const COPY_FROM: usize = 17;

pub(super) async fn auction_create(
    store: &PostgresStore,
    creates: &[Create],
    mode: WriteMode,
) -> Result<Vec<Reply<Entry>>, StoreError> {
    let mut step = store.transaction().await?;
    match create_all(&mut step, creates).await {
        Ok(replies) => {
            step.finish(mode).await?;
            Ok(replies)
        }
        // Somebody created one of them since it was looked up: look again.
        Err(error) if error.kind() == StoreErrorKind::Conflict => {
            step.finish(WriteMode::Rehearse).await?;
            Err(overtaken())
        }
        Err(error) => Err(error),
    }
}

pub(super) async fn auctions_load(
    store: &PostgresStore,
    mut incoming: mpsc::Receiver<LoadItem>,
    replies: mpsc::Sender<Vec<Reply<Entry>>>,
    mode: WriteMode,
) -> Result<(), StoreError> {
    let mut step = store.transaction().await?;
    step.read_by_index().await?;
    loop {
        match incoming.recv().await {
            Some(LoadItem::Chunk(creates)) => match create_all(&mut step, &creates).await {
                // Whoever no longer listens ends by sending no more.
                Ok(created) => drop(replies.send(created).await),
                Err(error) if error.kind() == StoreErrorKind::Conflict => {
                    step.finish(WriteMode::Rehearse).await?;
                    return Err(overtaken());
                }
                Err(error) => return Err(error),
            },
            Some(LoadItem::End) => break,
            None => {
                step.finish(WriteMode::Rehearse).await?;
                return Err(StoreError::import_abandoned());
            }
        }
    }
    step.finish(mode).await
}

fn overtaken() -> StoreError {
    let message = "another process creates the same auctions";
    StoreError::new(StoreErrorKind::Contended, message)
}

async fn create_all(step: &mut Step, creates: &[Create]) -> Result<Vec<Reply<Entry>>, StoreError> {
    let known = look_up(step, creates).await?;
    let now = list::clock(step).await?;
    let decided = known.decide(creates, now)?;
    write(step, &decided).await?;
    Ok(decided.replies)
}

/// What is there before. Somebody may create one of them after this look; the write then meets it.
async fn look_up(step: &mut Step, creates: &[Create]) -> Result<Known, StoreError> {
    let ids: Vec<AuctionId> = creates.iter().map(|create| create.auction_id).collect();
    let query = "select a.auction_id from gavel.auctions a where a.auction_id = any ($1)";
    let found: Vec<i64> = step
        .query_scalar(query)
        .bind(numbers(&ids))
        .fetch_all(step.connection())
        .await?;
    if found.is_empty() {
        return Ok(Known::new(HashSet::new(), HashMap::new()));
    }
    let found: HashSet<i64> = found.into_iter().collect();
    let present = |id: &AuctionId| found.contains(&id.get());
    let requests: Vec<(AuctionId, RequestId)> = creates
        .iter()
        .map(|create| (create.auction_id, create.request_id))
        .collect();
    let entries = rows::entries_of_requests(step, &requests).await?;
    Ok(Known::new(
        ids.into_iter().filter(present).collect(),
        entries,
    ))
}

async fn write(step: &mut Step, decided: &Decided) -> Result<(), StoreError> {
    if decided.rows.len() < COPY_FROM {
        for (row, entry) in decided.rows.iter().zip(decided.entries()) {
            rows::auction_insert(step, row).await?;
            rows::entry_insert(step, entry).await?;
        }
        return Ok(());
    }
    let mut copied = Copied::new();
    for (row, entry) in decided.rows.iter().zip(decided.entries()) {
        copied.add_auction(row)?;
        copied.add_entry(entry)?;
    }
    copied.write(step).await
}
