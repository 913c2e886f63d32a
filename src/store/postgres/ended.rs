//! What became of auctions that have ended. Nothing is locked.

use super::PostgresStore;
use super::rows::{numbers, shard_numbers};
use crate::store::contract::WriteMode;
use crate::store::ended::{self, Closing, Ended, StoredClosing};
use crate::store::error::StoreError;

pub(super) async fn closings(
    store: &PostgresStore,
    ended: Ended<'_>,
) -> Result<Vec<Closing>, StoreError> {
    // The pair is one bound of the index on ends, so a page costs what it holds.
    let between = r"
        select a.auction_id, a.end_us, a.closed_us from gavel.auctions a
        where (a.end_us, a.auction_id) > ($1, $2) and a.end_us <= $3 and a.shard = any ($4)
          and a.status <> 'CANCELLED' and a.owner_node is null
        order by a.end_us, a.auction_id
        limit $5
    ";
    let these = r"
        select a.auction_id, a.end_us, a.closed_us from gavel.auctions a
        where a.auction_id = any ($1) and a.status <> 'CANCELLED' and a.owner_node is null
        order by a.end_us, a.auction_id
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let query = match ended {
        Ended::Between {
            shards,
            after,
            last,
            until,
            limit,
        } => step
            .query_as(between)
            .bind(after.get())
            .bind(ended::last_id(last))
            .bind(until.get())
            .bind(shard_numbers(shards))
            .bind(i64::from(limit)),
        Ended::These(auction_ids) => step.query_as(these).bind(numbers(auction_ids)),
    };
    let stored: Vec<StoredClosing> = query.fetch_all(step.connection()).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(ended::closings(stored)?)
}
