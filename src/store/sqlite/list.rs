//! Reading auctions, ledgers and one bidder's own bids, by pages.

use super::rows::{self, json_ids};
use super::{SqliteStore, sets};
use crate::auction::{AuctionId, CloseResult, Currency, Entry, Micros, PartyId, RequestId, Status};
use crate::store::contract::{AuctionFilter, AuctionOrder, Cursor};
use crate::store::error::StoreError;
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::StoredAuction;

pub(super) async fn auction_get(
    store: &SqliteStore,
    auction_id: AuctionId,
) -> Result<Option<AuctionRow>, StoreError> {
    let mut connection = store.readers().acquire().await?;
    rows::auction_select(&mut connection, auction_id).await
}

pub(super) async fn auctions_get(
    store: &SqliteStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<AuctionRow>, StoreError> {
    let query = r"
        select * from auctions
        where auction_id in (select value from json_each(?1))
        order by auction_id
    ";
    let stored: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(json_ids(auction_ids))
        .fetch_all(store.readers())
        .await?;
    to_rows(stored)
}

pub(super) async fn auction_currency(
    store: &SqliteStore,
    auction_id: AuctionId,
) -> Result<Option<Currency>, StoreError> {
    let row = auction_get(store, auction_id).await?;
    Ok(row.map(|row| row.terms.currency))
}

pub(super) async fn auction_currencies(
    store: &SqliteStore,
    auction_ids: &[AuctionId],
) -> Result<Vec<Option<Currency>>, StoreError> {
    let mut connection = store.readers().acquire().await?;
    let found = sets::currencies(&mut connection, auction_ids).await?;
    Ok(auction_ids
        .iter()
        .map(|id| found.get(id).copied())
        .collect())
}

pub(super) async fn ledger_find(
    store: &SqliteStore,
    requests: &[(AuctionId, RequestId)],
) -> Result<Vec<Option<Entry>>, StoreError> {
    let mut connection = store.readers().acquire().await?;
    let found = sets::entries_of_requests(&mut connection, requests).await?;
    Ok(requests
        .iter()
        .map(|asked| found.get(asked).cloned())
        .collect())
}

pub(super) async fn auction_list(
    store: &SqliteStore,
    filter: &AuctionFilter,
    order: AuctionOrder,
    after: Option<Cursor>,
    limit: u32,
) -> Result<Vec<AuctionRow>, StoreError> {
    // The two texts differ in the order alone.
    let query = match order {
        AuctionOrder::End => {
            r"
            select * from auctions
            where (?1 = '[]' or status in (select value from json_each(?1)))
              and (?2 is null or (status = 'OPEN' and owner_node is null and end_us <= ?2))
              and (?3 is null or case ?3
                     when 'sold' then status = 'CLOSED' and winner is not null
                     when 'no-bids' then status = 'CLOSED' and winner is null
                     else status = 'CLOSED_RESERVE_NOT_MET' end)
              and (?4 is null or end_us < ?4)
              and (?10 is null or end_us > ?10)
              and (?5 is null or seller = ?5)
              and (?6 is null or auction_id in (select auction_id from watchers where watcher = ?6))
              and (end_us, auction_id) > (?7, ?8)
            order by end_us, auction_id
            limit ?9
            "
        }
        AuctionOrder::Id => {
            r"
            select * from auctions
            where (?1 = '[]' or status in (select value from json_each(?1)))
              and (?2 is null or (status = 'OPEN' and owner_node is null and end_us <= ?2))
              and (?3 is null or case ?3
                     when 'sold' then status = 'CLOSED' and winner is not null
                     when 'no-bids' then status = 'CLOSED' and winner is null
                     else status = 'CLOSED_RESERVE_NOT_MET' end)
              and (?4 is null or end_us < ?4)
              and (?10 is null or end_us > ?10)
              and (?5 is null or seller = ?5)
              and (?6 is null or auction_id in (select auction_id from watchers where watcher = ?6))
              and (?7 is null or auction_id > ?8)
            order by auction_id
            limit ?9
            "
        }
    };
    let statuses: Vec<&str> = filter
        .statuses
        .iter()
        .map(|status| Status::as_str(*status))
        .collect();
    let stored: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(serde_json::to_string(&statuses).unwrap_or_default())
        .bind(filter.due.then(|| store.clock().now().get()))
        .bind(filter.result.map(CloseResult::as_str))
        .bind(filter.ending_before.map(Micros::get))
        .bind(filter.seller.as_ref().map(PartyId::as_str))
        .bind(filter.watcher.as_ref().map(PartyId::as_str))
        .bind(after.map_or(0, |cursor| cursor.end.get()))
        .bind(after.map_or(0, |cursor| cursor.auction_id.get()))
        .bind(i64::from(limit))
        .bind(filter.ending_after.map(Micros::get))
        .fetch_all(store.readers())
        .await?;
    to_rows(stored)
}

pub(super) fn to_rows(stored: Vec<StoredAuction>) -> Result<Vec<AuctionRow>, StoreError> {
    let rows: Result<Vec<AuctionRow>, Damage> =
        stored.into_iter().map(StoredAuction::into_row).collect();
    Ok(rows?)
}

pub(super) async fn ledger_get(
    store: &SqliteStore,
    auction_id: AuctionId,
    after_seq: i64,
    limit: u32,
) -> Result<Vec<Entry>, StoreError> {
    let mut connection = store.readers().acquire().await?;
    rows::ledger_select(&mut connection, auction_id, after_seq, i64::from(limit)).await
}
