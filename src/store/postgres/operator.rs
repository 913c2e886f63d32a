//! Void, amend, cancel: decided on the whole book under the row's lock.

use super::PostgresStore;
use super::pool::Step;
use super::{list, rows};
use crate::auction::{Action, AuctionId, Entry, Event, Kind, Refusal, repeat};
use crate::store::contract::{Reply, WriteMode};
use crate::store::error::StoreError;
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
