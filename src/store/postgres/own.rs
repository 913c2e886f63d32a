//! One person's own lists: what is watched, what was bid on.

use super::PostgresStore;
use super::pool::Step;
use super::rows::{self, auction_columns, numbers};
use crate::auction::{AuctionId, PartyId};
use crate::store::contract::{DueFirst, OwnBid, WriteMode};
use crate::store::error::StoreError;
use crate::store::rows::AuctionRow;
use crate::store::stored::StoredAuction;

/// A person's list in its order. It is found by the index on the person, and being one person's
/// it is sorted.
macro_rules! due_first {
    ($mine:literal) => {
        concat!(
            "select ",
            auction_columns!(),
            " from gavel.auctions a
              cross join lateral (
                    select a.status <> 'OPEN' or a.end_us <= $2 as is_over,
                           case when a.status = 'OPEN' and a.end_us > $2 then a.end_us
                                else -a.end_us end as turn) o
              where a.auction_id in (",
            $mine,
            ") and (o.is_over, o.turn, a.auction_id) > ($3, $4, $5)
              order by o.is_over, o.turn, a.auction_id
              limit $6"
        )
    };
}

async fn own_list(
    step: &mut Step,
    query: &'static str,
    person: &PartyId,
    page: DueFirst,
    limit: u32,
) -> Result<Vec<AuctionRow>, StoreError> {
    let (is_over, turn, auction_id) = page.key();
    let stored: Vec<StoredAuction> = step
        .query_as(query)
        .bind(person.as_str())
        .bind(page.now_us())
        .bind(is_over)
        .bind(turn)
        .bind(auction_id)
        .bind(i64::from(limit))
        .fetch_all(step.connection())
        .await?;
    rows::to_rows(stored)
}

pub(super) async fn watched_by(
    store: &PostgresStore,
    watcher: &PartyId,
    page: DueFirst,
    limit: u32,
) -> Result<Vec<AuctionRow>, StoreError> {
    let query = due_first!("select w.auction_id from gavel.watchers w where w.watcher = $1");
    let mut step = store.step(WriteMode::Commit).await?;
    let rows = own_list(&mut step, query, watcher, page, limit).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(rows)
}

pub(super) async fn bids_of(
    store: &PostgresStore,
    bidder: &PartyId,
    page: DueFirst,
    limit: u32,
) -> Result<Vec<OwnBid>, StoreError> {
    let mut step = store.snapshot().await?;
    let query =
        due_first!("select l.auction_id from gavel.ledger l where l.kind = 2 and l.actor = $1");
    let rows = own_list(&mut step, query, bidder, page, limit).await?;
    let ids: Vec<AuctionId> = rows.iter().map(|row| row.auction_id).collect();
    let counted = live_bids(&mut step, bidder, &ids).await?;
    step.finish(WriteMode::Rehearse).await?;
    Ok(OwnBid::of(rows, counted)?)
}

/// Per auction: the highest maximum and the number of this bidder's unvoided bids.
async fn live_bids(
    step: &mut Step,
    bidder: &PartyId,
    ids: &[AuctionId],
) -> Result<Vec<(i64, i64, i64)>, StoreError> {
    let query = r"
        select b.auction_id, max(b.secret), count(*)
        from gavel.ledger b
        where b.kind = 2 and b.actor = $1 and b.auction_id = any ($2)
          and not exists (
                select from gavel.ledger v
                where v.auction_id = b.auction_id and v.kind = 3
                  and v.detail::jsonb -> 'targets' @> to_jsonb(b.seq))
        group by b.auction_id
    ";
    let counted = step
        .query_as(query)
        .bind(bidder.as_str())
        .bind(numbers(ids))
        .fetch_all(step.connection())
        .await?;
    Ok(counted)
}
