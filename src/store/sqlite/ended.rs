//! What became of auctions that have ended. Nothing is locked.

use super::SqliteStore;
use super::rows::{json_ids, json_shards};
use crate::store::ended::{self, Closing, Ended, StoredClosing};
use crate::store::error::StoreError;

pub(super) async fn closings(
    store: &SqliteStore,
    ended: Ended<'_>,
) -> Result<Vec<Closing>, StoreError> {
    // The pair is one bound of the index on ends, so a page costs what it holds. The plus keeps
    // the other indexes out, which would read every end of a shard.
    let between = r"
        select auction_id, end_us, closed_us from auctions
        where (end_us, auction_id) > (?1, ?2) and end_us <= ?3
          and +shard in (select value from json_each(?4))
          and status <> 'CANCELLED' and owner_node is null
        order by end_us, auction_id
        limit ?5
    ";
    let these = r"
        select auction_id, end_us, closed_us from auctions
        where auction_id in (select value from json_each(?1)) and status <> 'CANCELLED'
          and owner_node is null
        order by end_us, auction_id
    ";
    let query = match ended {
        Ended::Between {
            shards,
            after,
            last,
            until,
            limit,
        } => sqlx::query_as(between)
            .bind(after.get())
            .bind(ended::last_id(last))
            .bind(until.get())
            .bind(json_shards(shards))
            .bind(i64::from(limit)),
        Ended::These(auction_ids) => sqlx::query_as(these).bind(json_ids(auction_ids)),
    };
    let stored: Vec<StoredClosing> = query.fetch_all(store.readers()).await?;
    Ok(ended::closings(stored)?)
}
