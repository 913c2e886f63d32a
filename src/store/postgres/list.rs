//! Reading the clock, auctions, ledgers and one bidder's own bids, by pages.

use std::collections::HashMap;

use super::PostgresStore;
use super::pool::Step;
use super::rows::{self, auction_columns, numbers};
use crate::auction::{AuctionId, CloseResult, Currency, Entry, Micros, PartyId, RequestId, Status};
use crate::store::contract::{AuctionFilter, AuctionOrder, Cursor, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::{StoredAuction, StoredCurrency};

pub(super) async fn now(store: &PostgresStore) -> Result<Micros, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let now = clock(&mut step).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(now)
}

/// The server's clock, read by a statement of its own.
pub(super) async fn clock(step: &mut Step) -> Result<Micros, StoreError> {
    let us: i64 = step
        .query_scalar("select gavel.clock_us()")
        .fetch_one(step.connection())
        .await?;
    Micros::new(us).map_err(|error| {
        StoreError::new(StoreErrorKind::Failed, "the server's clock is out of range")
            .with_source(error)
    })
}

pub(super) async fn auction_get(
    store: &PostgresStore,
    auction_id: AuctionId,
) -> Result<Option<AuctionRow>, StoreError> {
    let query = concat!(
        "select ",
        auction_columns!(),
        " from gavel.auctions a where a.auction_id = $1"
    );
    let mut step = store.step(WriteMode::Commit).await?;
    let stored: Option<StoredAuction> = step
        .query_as(query)
        .bind(auction_id.get())
        .fetch_optional(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Ok(stored.map(rows::to_row).transpose()?)
}

pub(super) async fn auctions_get(
    store: &PostgresStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<AuctionRow>, StoreError> {
    let query = concat!(
        "select ",
        auction_columns!(),
        " from gavel.auctions a where a.auction_id = any ($1) order by a.auction_id"
    );
    let mut step = store.step(WriteMode::Commit).await?;
    let stored: Vec<StoredAuction> = step
        .query_as(query)
        .bind(numbers(auction_ids))
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    rows::to_rows(stored)
}

/// By a function, which those may call who may not read auctions.
pub(super) async fn auction_currency(
    store: &PostgresStore,
    auction_id: AuctionId,
) -> Result<Option<Currency>, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let (code, exponent): (Option<String>, Option<i32>) = step
        .query_as("select * from gavel.auction_currency($1)")
        .bind(auction_id.get())
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    let (Some(code), Some(exponent)) = (code, exponent) else {
        return Ok(None);
    };
    let exponent = u32::try_from(exponent).ok();
    let currency = exponent.and_then(|exponent| Currency::from_stored(&code, exponent).ok());
    match currency {
        Some(currency) => Ok(Some(currency)),
        None => Err(Damage::row(auction_id.get(), "currency", code).into()),
    }
}

/// By a function too, of all at once.
pub(super) async fn auction_currencies(
    store: &PostgresStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<Option<Currency>>, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let stored: Vec<StoredCurrency> = step
        .query_as("select * from gavel.auction_currencies($1)")
        .bind(numbers(auction_ids))
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    let read = stored.into_iter().map(StoredCurrency::read);
    let found: HashMap<AuctionId, Currency> = read.collect::<Result<_, Damage>>()?;
    Ok(auction_ids
        .iter()
        .map(|id| found.get(id).copied())
        .collect())
}

pub(super) async fn ledger_find(
    store: &PostgresStore,
    requests: &[(AuctionId, RequestId)],
) -> Result<Vec<Option<Entry>>, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let found = rows::entries_of_requests(&mut step, requests).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(requests
        .iter()
        .map(|asked| found.get(asked).cloned())
        .collect())
}

/// The conditions of a list; absent ones are null.
macro_rules! filter_conditions {
    () => {
        "(cardinality($1::text[]) = 0 or a.status = any ($1))
         and (not $2 or (a.status = 'OPEN' and a.owner_node is null
                         and a.end_us <= (select gavel.clock_us())))
         and ($3::text is null or case $3
                when 'sold' then a.status = 'CLOSED' and a.winner is not null
                when 'no-bids' then a.status = 'CLOSED' and a.winner is null
                else a.status = 'CLOSED_RESERVE_NOT_MET' end)
         and ($4::bigint is null or a.end_us < $4)
         and ($10::bigint is null or a.end_us > $10)
         and ($5::text is null or a.seller = $5)
         and ($6::text is null or exists (
                select from gavel.watchers w
                where w.auction_id = a.auction_id and w.watcher = $6))"
    };
}

pub(super) async fn auction_list(
    store: &PostgresStore,
    filter: &AuctionFilter,
    order: AuctionOrder,
    after: Option<Cursor>,
    limit: u32,
) -> Result<Vec<AuctionRow>, StoreError> {
    // The two texts differ in the order alone.
    let query = match order {
        AuctionOrder::End => concat!(
            "select ",
            auction_columns!(),
            " from gavel.auctions a where ",
            filter_conditions!(),
            " and (a.end_us, a.auction_id) > ($7, $8)
              order by a.end_us, a.auction_id limit $9"
        ),
        AuctionOrder::Id => concat!(
            "select ",
            auction_columns!(),
            " from gavel.auctions a where ",
            filter_conditions!(),
            " and ($7::bigint is null or a.auction_id > $8) order by a.auction_id limit $9"
        ),
    };
    let statuses: Vec<&str> = filter
        .statuses
        .iter()
        .map(|status| Status::as_str(*status))
        .collect();
    let mut step = store.step(WriteMode::Commit).await?;
    let stored: Vec<StoredAuction> = step
        .query_as(query)
        .bind(statuses)
        .bind(filter.due)
        .bind(filter.result.map(CloseResult::as_str))
        .bind(filter.ending_before.map(Micros::get))
        .bind(filter.seller.as_ref().map(PartyId::as_str))
        .bind(filter.watcher.as_ref().map(PartyId::as_str))
        .bind(after.map_or(0, |cursor| cursor.end.get()))
        .bind(after.map_or(0, |cursor| cursor.auction_id.get()))
        .bind(i64::from(limit))
        .bind(filter.ending_after.map(Micros::get))
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    rows::to_rows(stored)
}

pub(super) async fn ledger_get(
    store: &PostgresStore,
    auction_id: AuctionId,
    after_seq: i64,
    limit: u32,
) -> Result<Vec<Entry>, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let entries = rows::ledger_select(&mut step, auction_id, after_seq, Some(limit)).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(entries)
}
