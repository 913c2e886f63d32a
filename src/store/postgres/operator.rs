//! Void, amend, cancel: decided on the whole book under the row's lock.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use futures_util::future::join_all;

use super::PostgresStore;
use super::pool::{Step, retrying};
use super::{list, rows};
use crate::auction::{Action, AuctionId, Entry, Event, Kind, Refusal, repeat};
use crate::store::contract::{Reply, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};

pub(super) async fn auction_act(
    store: &PostgresStore,
    auction_id: AuctionId,
    action: &Action,
    mode: WriteMode,
) -> Result<Reply<Entry>, StoreError> {
    let mut step = store.transaction().await?;
    let reply = act(&mut step, auction_id, action).await?;
    step.finish(mode).await?;
    Ok(reply)
}

/// How many auctions are acted on beside each other: bids come first.
const AT_ONCE_MAX: usize = 8;

pub(super) async fn auctions_act(
    store: &PostgresStore,
    actions: &[(AuctionId, Action)],
    mode: WriteMode,
) -> Vec<Result<Reply<Entry>, StoreError>> {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let outcomes: Mutex<Vec<_>> = Mutex::new(actions.iter().map(|_| None).collect());
    let work = || async {
        while !stopped.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((auction_id, action)) = actions.get(at) else {
                return;
            };
            let outcome = retrying(|| auction_act(store, *auction_id, action, mode)).await;
            // Damage and another's lock are this auction's alone.
            let alone = |error: &StoreError| {
                matches!(
                    error.kind(),
                    StoreErrorKind::Damaged | StoreErrorKind::Contended
                )
            };
            if !outcome.as_ref().err().is_none_or(alone) {
                stopped.store(true, Ordering::Relaxed);
            }
            let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
            outcomes[at] = Some(outcome);
        }
    };
    let at_once = AT_ONCE_MAX.min(store.connections_max());
    join_all((0..at_once).map(|_| work())).await;
    // Taken in order, and whatever was taken got its outcome: the others are the last ones.
    let outcomes = outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    outcomes.into_iter().map_while(|outcome| outcome).collect()
}

async fn act(
    step: &mut Step,
    auction_id: AuctionId,
    action: &Action,
) -> Result<Reply<Entry>, StoreError> {
    let row = rows::auction_lock(step, auction_id).await?;
    let now = list::clock(step).await?;
    let refused = |refusal| Ok(Reply::Refused { refusal, now });
    let Some(row) = row else {
        return refused(Refusal::NotFound);
    };
    if let Some(entry) = rows::entry_of_request(step, auction_id, action.request_id).await? {
        let mut earlier = rows::ledger_select(step, auction_id, 0, None).await?;
        earlier.retain(|earlier| earlier.seq < entry.seq);
        return match repeat::action_repeats(action, &entry, &earlier) {
            Ok(()) => Ok(Reply::Repeated(entry)),
            Err(refusal) => refused(refusal),
        };
    }
    let ledger = rows::ledger_select(step, auction_id, 0, None).await?;
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
    let after = AuctionRow::of(auction_id, book.terms, &book.state);
    rows::entry_insert(step, &entry).await?;
    rows::auction_update(step, &after).await?;
    if entry.kind == Kind::Cancel {
        rows::event_insert(step, auction_id, &Event::cancelled(&entry)).await?;
    }
    Ok(Reply::Done(entry))
}
