//! One person's own lists: what is watched, what was bid on.

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::list::to_rows;
use super::rows::json_ids;
use crate::auction::{AuctionId, PartyId};
use crate::store::contract::{DueFirst, OwnBid};
use crate::store::error::StoreError;
use crate::store::rows::AuctionRow;
use crate::store::stored::StoredAuction;

/// A person's list in its order. It is found by the index on the person, and being one person's
/// it is sorted.
macro_rules! due_first {
    ($mine:literal) => {
        concat!(
            "select * from (
                select a.*, a.status <> 'OPEN' or a.end_us <= ?2 as is_over,
                       case when a.status = 'OPEN' and a.end_us > ?2 then a.end_us
                            else -a.end_us end as turn
                from auctions a
                where a.auction_id in (",
            $mine,
            "))
             where (is_over, turn, auction_id) > (?3, ?4, ?5)
             order by is_over, turn, auction_id
             limit ?6"
        )
    };
}

async fn own_list(
    connection: &mut SqliteConnection,
    query: &'static str,
    person: &PartyId,
    page: DueFirst,
    limit: u32,
) -> Result<Vec<AuctionRow>, StoreError> {
    let (is_over, turn, auction_id) = page.key();
    let stored: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(person.as_str())
        .bind(page.now_us())
        .bind(is_over)
        .bind(turn)
        .bind(auction_id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    to_rows(stored)
}

pub(super) async fn watched_by(
    store: &SqliteStore,
    watcher: &PartyId,
    page: DueFirst,
    limit: u32,
) -> Result<Vec<AuctionRow>, StoreError> {
    let query = due_first!("select auction_id from watchers where watcher = ?1");
    let mut connection = store.readers().acquire().await?;
    own_list(&mut connection, query, watcher, page, limit).await
}

pub(super) async fn bids_of(
    store: &SqliteStore,
    bidder: &PartyId,
    page: DueFirst,
    limit: u32,
) -> Result<Vec<OwnBid>, StoreError> {
    let mut snapshot = store.readers().begin().await?;
    let query = due_first!("select auction_id from ledger where kind = 2 and actor = ?1");
    let rows = own_list(&mut snapshot, query, bidder, page, limit).await?;
    let ids: Vec<AuctionId> = rows.iter().map(|row| row.auction_id).collect();
    let counted = live_bids(&mut snapshot, bidder, &ids).await?;
    snapshot.rollback().await?;
    Ok(OwnBid::of(rows, counted)?)
}

/// Per auction: the highest maximum and the number of this bidder's unvoided bids.
async fn live_bids(
    connection: &mut SqliteConnection,
    bidder: &PartyId,
    ids: &[AuctionId],
) -> Result<Vec<(i64, i64, i64)>, StoreError> {
    let query = r"
        select bid.auction_id, max(bid.secret), count(*)
        from ledger bid
        where bid.kind = 2 and bid.actor = ?1
          and bid.auction_id in (select value from json_each(?2))
          and not exists (
                select 1 from ledger void, json_each(void.detail, '$.targets') target
                where void.auction_id = bid.auction_id and void.kind = 3
                  and target.value = bid.seq)
        group by bid.auction_id
    ";
    let counted = sqlx::query_as(query)
        .bind(bidder.as_str())
        .bind(json_ids(ids))
        .fetch_all(connection)
        .await?;
    Ok(counted)
}
