//! Reading and writing whole rows; every other file here goes through these.

use sqlx::SqliteConnection;

use crate::auction::{Amount, AuctionId, Entry, Event, Micros, PartyId, RequestId, Span};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::{
    StoredAuction, StoredEntry, StoredEvent, mode_text, own_raise_text, steps_text, trigger_text,
};

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

pub(super) async fn auction_insert(
    connection: &mut SqliteConnection,
    row: &AuctionRow,
) -> Result<(), StoreError> {
    let query = r"
        insert into auctions (
            auction_id, status, seller, title, currency, exponent, start_price, steps_name, steps,
            reserve, own_raise, soft_window_us, soft_extend_us, soft_mode, soft_trigger,
            soft_cap_us, start_us, first_end_us, end_us, leader, leader_max, runner_up_max, price,
            reserve_met, bid_count, last_seq, last_us, head, closer_epoch, closing_us, closed_us,
            winner, final_price, owner_node, owner_epoch, owner_lease_us)
        values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34,
                ?35, ?36)
    ";
    bind_row(sqlx::query(query), row)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes every column that a ledger entry can change. A bid has a narrower statement of its own.
pub(super) async fn auction_update(
    connection: &mut SqliteConnection,
    row: &AuctionRow,
) -> Result<(), StoreError> {
    let query = r"
        update auctions set
            status = ?2, seller = ?3, title = ?4, currency = ?5, exponent = ?6, start_price = ?7,
            steps_name = ?8, steps = ?9, reserve = ?10, own_raise = ?11, soft_window_us = ?12,
            soft_extend_us = ?13, soft_mode = ?14, soft_trigger = ?15, soft_cap_us = ?16,
            start_us = ?17, first_end_us = ?18, end_us = ?19, leader = ?20, leader_max = ?21,
            runner_up_max = ?22, price = ?23, reserve_met = ?24, bid_count = ?25, last_seq = ?26,
            last_us = ?27, head = ?28, closer_epoch = ?29, closing_us = ?30, closed_us = ?31,
            winner = ?32, final_price = ?33, owner_node = ?34, owner_epoch = ?35,
            owner_lease_us = ?36
        where auction_id = ?1
    ";
    let done = bind_row(sqlx::query(query), row)
        .execute(connection)
        .await?;
    expect_one(done.rows_affected())
}

/// A write under the lock changes exactly the row it was decided on.
pub(super) fn expect_one(rows: u64) -> Result<(), StoreError> {
    if rows == 1 {
        return Ok(());
    }
    let message = format!("a write changed {rows} rows instead of one");
    Err(StoreError::new(StoreErrorKind::Failed, message))
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

fn bind_row<'q>(query: Query<'q>, row: &'q AuctionRow) -> Query<'q> {
    let terms = &row.terms;
    let soft = terms.soft_close;
    query
        .bind(row.auction_id.get())
        .bind(row.status.as_str())
        .bind(terms.seller.as_str())
        .bind(&terms.title)
        .bind(terms.currency.code().to_owned())
        .bind(i64::from(terms.currency.exponent()))
        .bind(terms.start_price.minor())
        .bind(terms.steps.name())
        .bind(steps_text(&terms.steps))
        .bind(terms.reserve.map(Amount::minor))
        .bind(own_raise_text(terms.own_raise))
        .bind(soft.map(|soft| Span::get(soft.window)))
        .bind(soft.map(|soft| Span::get(soft.extend_by)))
        .bind(soft.map(|soft| mode_text(soft.mode)))
        .bind(soft.map(|soft| trigger_text(soft.trigger)))
        .bind(soft.and_then(|soft| soft.cap).map(Micros::get))
        .bind(terms.start.get())
        .bind(terms.end.get())
        .bind(row.end.get())
        .bind(row.leader.as_ref().map(PartyId::as_str))
        .bind(row.leader_max.map(Amount::minor))
        .bind(row.runner_up_max.map(Amount::minor))
        .bind(row.price.map(Amount::minor))
        .bind(row.reserve_met)
        .bind(row.bid_count)
        .bind(row.last_seq)
        .bind(row.last_at.get())
        .bind(&row.head[..])
        .bind(row.closer_epoch)
        .bind(row.closing_at.map(Micros::get))
        .bind(row.closed_at.map(Micros::get))
        .bind(row.winner.as_ref().map(PartyId::as_str))
        .bind(row.final_price.map(Amount::minor))
        .bind(row.owner_node.as_deref())
        .bind(row.owner_epoch)
        .bind(row.owner_lease.map(Micros::get))
}

pub(super) async fn entry_insert(
    connection: &mut SqliteConnection,
    entry: &Entry,
) -> Result<(), StoreError> {
    let query = r"
        insert into ledger (auction_id, seq, kind, at_us, request_id, actor, secret, nonce, detail,
                            price, leader, end_us, flags, hash)
        values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    ";
    sqlx::query(query)
        .bind(entry.auction_id.get())
        .bind(entry.seq)
        .bind(i64::from(entry.kind.code()))
        .bind(entry.at.get())
        .bind(entry.request_id.uuid())
        .bind(entry.actor.as_str())
        .bind(entry.secret.map(|secret| secret.amount.minor()))
        .bind(entry.secret.as_ref().map(|secret| &secret.nonce[..]))
        .bind(&entry.detail)
        .bind(entry.price.map(Amount::minor))
        .bind(entry.leader.as_ref().map(PartyId::as_str))
        .bind(entry.end.get())
        .bind(i64::from(entry.flags()))
        .bind(&entry.hash[..])
        .execute(connection)
        .await?;
    Ok(())
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

/// Ids as a JSON array, for `json_each`: a list of any length is one bound value.
pub(super) fn json_ids(ids: &[AuctionId]) -> String {
    serde_json::to_string(ids).unwrap_or_default()
}
