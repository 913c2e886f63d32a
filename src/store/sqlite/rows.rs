//! Reading and writing whole rows, one at a time; `sets` has those that come in numbers.

use sqlx::SqliteConnection;

use crate::auction::{Amount, AuctionId, Entry, Event, PartyId, RequestId, Shards};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::{StoredAuction, StoredEntry, StoredEvent};

pub(super) async fn auction_select(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
) -> Result<Option<AuctionRow>, StoreError> {
    let stored: Option<StoredAuction> =
        sqlx::query_as("select * from auctions where auction_id = ?1")
            .bind(auction_id.get())
            .fetch_optional(connection)
            .await?;
    Ok(stored.map(StoredAuction::into_row).transpose()?)
}

/// A write under the lock changes exactly the rows it was decided on.
pub(super) fn expect_rows(found: u64, expected: u64) -> Result<(), StoreError> {
    if found == expected {
        return Ok(());
    }
    let message = format!("a write changed {found} rows instead of {expected}");
    Err(StoreError::new(StoreErrorKind::Failed, message))
}

/// The entry an earlier use of this request id made.
pub(super) async fn entry_of_request(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
    request_id: RequestId,
) -> Result<Option<Entry>, StoreError> {
    let query = r"
        select * from ledger where auction_id = ?1 and request_id = ?2
    ";
    let stored: Option<StoredEntry> = sqlx::query_as(query)
        .bind(auction_id.get())
        .bind(request_id.uuid())
        .fetch_optional(connection)
        .await?;
    Ok(stored.map(StoredEntry::into_entry).transpose()?)
}

pub(super) async fn ledger_select(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
    after_seq: i64,
    limit: i64,
) -> Result<Vec<Entry>, StoreError> {
    let query = r"
        select * from ledger where auction_id = ?1 and seq > ?2 order by seq limit ?3
    ";
    let stored: Vec<StoredEntry> = sqlx::query_as(query)
        .bind(auction_id.get())
        .bind(after_seq)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    let entries: Result<Vec<Entry>, Damage> =
        stored.into_iter().map(StoredEntry::into_entry).collect();
    Ok(entries?)
}

pub(super) async fn event_insert(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
    event: &Event,
) -> Result<(), StoreError> {
    let query = r"
        insert into outbox (auction_id, event_id, kind, result, winner, price, end_us, closed_us,
                            ledger_head)
        values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ";
    sqlx::query(query)
        .bind(auction_id.get())
        .bind(&event.event_id)
        .bind(event.kind.as_str())
        .bind(event.result.map(|result| result.as_str()))
        .bind(event.winner.as_ref().map(PartyId::as_str))
        .bind(event.price.map(Amount::minor))
        .bind(event.end.get())
        .bind(event.closed_at.get())
        .bind(&event.ledger_head[..])
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn events_select(
    connection: &mut SqliteConnection,
    auction_id: AuctionId,
) -> Result<Vec<Event>, StoreError> {
    let query = r"
        select auction_id, event_id, kind, result, winner, price, end_us, closed_us, ledger_head
        from outbox where auction_id = ?1 order by event_id
    ";
    let stored: Vec<StoredEvent> = sqlx::query_as(query)
        .bind(auction_id.get())
        .fetch_all(connection)
        .await?;
    let events: Result<Vec<Event>, Damage> =
        stored.into_iter().map(StoredEvent::into_event).collect();
    Ok(events?)
}

/// Shards as a JSON array.
pub(super) fn json_shards(shards: Shards) -> String {
    serde_json::to_string(&shards.iter().collect::<Vec<_>>()).unwrap_or_default()
}

/// Ids as a JSON array, for `json_each`: a list of any length is one bound value.
pub(super) fn json_ids(ids: &[AuctionId]) -> String {
    serde_json::to_string(ids).unwrap_or_default()
}
