//! Void, amend, cancel: decided on the whole book under the write lock.

use std::time::Duration;

use sqlx::SqliteConnection;

use super::{SqliteStore, rows, sets};
use crate::auction::{Action, AuctionId, Entry, Event, Kind, Micros, Refusal, repeat};
use crate::store::contract::{Reply, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};

pub(super) async fn auction_act(
    store: &SqliteStore,
    auction_id: AuctionId,
    action: &Action,
    mode: WriteMode,
) -> Result<Reply<Entry>, StoreError> {
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let reply = act(&mut transaction, auction_id, action, now).await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(reply)
}

/// How long the write lock is left to others between two transactions of many actions: bidders
/// in other processes look again only now and then.
const BREATH: Duration = Duration::from_millis(10);

pub(super) async fn auctions_act(
    store: &SqliteStore,
    actions: &[(AuctionId, Action)],
    mode: WriteMode,
) -> Vec<Result<Reply<Entry>, StoreError>> {
    let outcomes = act_together(store, actions, mode).await;
    tokio::time::sleep(BREATH).await;
    outcomes.unwrap_or_else(|error| vec![Err(error)])
}

async fn act_together(
    store: &SqliteStore,
    actions: &[(AuctionId, Action)],
    mode: WriteMode,
) -> Result<Vec<Result<Reply<Entry>, StoreError>>, StoreError> {
    let mut transaction = store.begin().await?;
    let mut outcomes = Vec::with_capacity(actions.len());
    for (auction_id, action) in actions {
        let now = store.clock().now();
        outcomes.push(
            match act(&mut transaction, *auction_id, action, now).await {
                // Nothing is written before all that is read is found sound.
                Err(error) if error.kind() == StoreErrorKind::Damaged => Err(error),
                outcome => Ok(outcome?),
            },
        );
    }
    SqliteStore::finish(transaction, mode).await?;
    Ok(outcomes)
}

async fn act(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
    action: &Action,
    now: Micros,
) -> Result<Reply<Entry>, StoreError> {
    let refused = |refusal| Ok(Reply::Refused { refusal, now });
    let Some(row) = rows::auction_select(connection, auction_id).await? else {
        return refused(Refusal::NotFound);
    };
    if let Some(entry) = rows::entry_of_request(connection, auction_id, action.request_id).await? {
        let earlier = rows::ledger_select(connection, auction_id, 0, entry.seq - 1).await?;
        return match repeat::action_repeats(action, &entry, &earlier) {
            Ok(()) => Ok(Reply::Repeated(entry)),
            Err(refusal) => refused(refusal),
        };
    }
    let ledger = rows::ledger_select(connection, auction_id, 0, -1).await?;
    let mut book = row.book(&ledger)?;
    let entry = match book.decide(action, now) {
        Ok(entry) => entry,
        Err(refusal) => return refused(refusal),
    };
    book.fold(&entry).map_err(|error| {
        StoreError::from(Damage::entry(
            auction_id.get(),
            entry.seq,
            "detail",
            error.to_string(),
        ))
    })?;
    let after = AuctionRow {
        closer_epoch: row.closer_epoch,
        owner_epoch: row.owner_epoch,
        ..AuctionRow::of(auction_id, book.terms, &book.state)
    };
    sets::auction_update(connection, &after).await?;
    sets::entries_insert(connection, std::iter::once(&entry)).await?;
    if entry.kind == Kind::Cancel {
        rows::event_insert(connection, auction_id, &Event::cancelled(&entry)).await?;
    }
    Ok(Reply::Done(entry))
}
