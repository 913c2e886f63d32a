//! Reading and writing many rows in one statement.
//!
//! A statement costs a trip to the connection's own thread, several times what the work in it
//! does. So a set of rows travels as one JSON text: `json_each` takes it apart, blobs as hex.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::rows::{expect_rows, json_ids};
use crate::auction::operator::VoidDetail;
use crate::auction::{Amount, AuctionId, Currency, Entry, Kind, Micros, PartyId, RequestId, Span};
use crate::store::error::StoreError;
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::{
    StoredAuction, StoredCurrency, StoredEntry, mode_text, own_raise_text, steps_text, trigger_text,
};

/// The auctions that are there.
pub(super) async fn auctions_select(
    connection: &mut SqliteConnection,
    ids: &[AuctionId],
) -> Result<HashMap<AuctionId, AuctionRow>, StoreError> {
    let query = r"
        select a.* from (select distinct value as id from json_each(?1)) as asked
        cross join auctions a on a.auction_id = asked.id
    ";
    let stored: Vec<StoredAuction> = sqlx::query_as(query)
        .bind(json_ids(ids))
        .fetch_all(connection)
        .await?;
    let mut found = HashMap::with_capacity(stored.len());
    for row in stored {
        let row = row.into_row()?;
        found.insert(row.auction_id, row);
    }
    Ok(found)
}

/// Which of these auctions are there.
pub(super) async fn auctions_present(
    connection: &mut SqliteConnection,
    ids: &[AuctionId],
) -> Result<HashSet<AuctionId>, StoreError> {
    let query = r"
        select a.auction_id from json_each(?1) as asked
        cross join auctions a on a.auction_id = asked.value
    ";
    let found: Vec<i64> = sqlx::query_scalar(query)
        .bind(json_ids(ids))
        .fetch_all(connection)
        .await?;
    let found: HashSet<i64> = found.into_iter().collect();
    let present = |id: &AuctionId| found.contains(&id.get());
    Ok(ids.iter().copied().filter(present).collect())
}

/// The currencies of the auctions that are there.
pub(super) async fn currencies(
    connection: &mut SqliteConnection,
    ids: &[AuctionId],
) -> Result<HashMap<AuctionId, Currency>, StoreError> {
    let query = r"
        select a.auction_id, a.currency, a.exponent from json_each(?1) as asked
        cross join auctions a on a.auction_id = asked.value
    ";
    let stored: Vec<StoredCurrency> = sqlx::query_as(query)
        .bind(json_ids(ids))
        .fetch_all(connection)
        .await?;
    let read = stored.into_iter().map(StoredCurrency::read);
    Ok(read.collect::<Result<_, Damage>>()?)
}

/// The entries that earlier uses of these request ids made.
pub(super) async fn entries_of_requests(
    connection: &mut SqliteConnection,
    requests: &[(AuctionId, RequestId)],
) -> Result<HashMap<(AuctionId, RequestId), Entry>, StoreError> {
    let query = r"
        select l.* from json_each(?1) as asked
        cross join ledger l
            on l.auction_id = asked.value ->> 0 and l.request_id = unhex(asked.value ->> 1)
    ";
    let asked = requests
        .iter()
        .map(|(id, request)| json!([id.get(), hex::encode(request.bytes())]));
    let stored: Vec<StoredEntry> = sqlx::query_as(query)
        .bind(text(asked))
        .fetch_all(connection)
        .await?;
    let mut found = HashMap::with_capacity(stored.len());
    for entry in stored {
        let entry = entry.into_entry()?;
        found.insert((entry.auction_id, entry.request_id), entry);
    }
    Ok(found)
}

/// Which entries of these auctions are voided.
pub(super) async fn voided(
    connection: &mut SqliteConnection,
    ids: &[AuctionId],
) -> Result<HashSet<(AuctionId, i64)>, StoreError> {
    let query = r"
        select l.* from (select distinct value as id from json_each(?1)) as asked
        cross join ledger l on l.auction_id = asked.id and l.kind = ?2
    ";
    let voids: Vec<StoredEntry> = sqlx::query_as(query)
        .bind(json_ids(ids))
        .bind(i64::from(Kind::Void.code()))
        .fetch_all(connection)
        .await?;
    let mut found = HashSet::new();
    for void in voids {
        let void = void.into_entry()?;
        if let Ok(detail) = VoidDetail::from_detail(&void.detail) {
            found.extend(detail.targets.iter().map(|seq| (void.auction_id, *seq)));
        }
    }
    Ok(found)
}

pub(super) async fn auctions_insert<'a>(
    connection: &mut SqliteConnection,
    rows: impl Iterator<Item = &'a AuctionRow>,
) -> Result<(), StoreError> {
    let query = r"
        insert into auctions (
            auction_id, status, seller, title, currency, exponent, start_price, steps_name, steps,
            reserve, own_raise, soft_window_us, soft_extend_us, soft_mode, soft_trigger,
            soft_cap_us, start_us, first_end_us, end_us, leader, leader_max, runner_up_max, price,
            reserve_met, bid_count, last_seq, last_us, head, closer_epoch, closing_us, closed_us,
            winner, final_price, owner_node, owner_epoch, owner_lease_us)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
               value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11,
               value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16, value ->> 17,
               value ->> 18, value ->> 19, value ->> 20, value ->> 21, value ->> 22, value ->> 23,
               value ->> 24, value ->> 25, value ->> 26, unhex(value ->> 27), value ->> 28,
               value ->> 29, value ->> 30, value ->> 31, value ->> 32, value ->> 33, value ->> 34,
               value ->> 35
        from json_each(?1)
    ";
    sqlx::query(query)
        .bind(text(rows.map(columns)))
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
            status = n.value ->> 1, seller = n.value ->> 2, title = n.value ->> 3,
            currency = n.value ->> 4, exponent = n.value ->> 5, start_price = n.value ->> 6,
            steps_name = n.value ->> 7, steps = n.value ->> 8, reserve = n.value ->> 9,
            own_raise = n.value ->> 10, soft_window_us = n.value ->> 11,
            soft_extend_us = n.value ->> 12, soft_mode = n.value ->> 13,
            soft_trigger = n.value ->> 14, soft_cap_us = n.value ->> 15,
            start_us = n.value ->> 16, first_end_us = n.value ->> 17, end_us = n.value ->> 18,
            leader = n.value ->> 19, leader_max = n.value ->> 20, runner_up_max = n.value ->> 21,
            price = n.value ->> 22, reserve_met = n.value ->> 23, bid_count = n.value ->> 24,
            last_seq = n.value ->> 25, last_us = n.value ->> 26, head = unhex(n.value ->> 27),
            closer_epoch = n.value ->> 28, closing_us = n.value ->> 29,
            closed_us = n.value ->> 30, winner = n.value ->> 31, final_price = n.value ->> 32,
            owner_node = n.value ->> 33, owner_epoch = n.value ->> 34,
            owner_lease_us = n.value ->> 35
        from json_each(?1) as n where auctions.auction_id = n.value ->> 0
    ";
    let done = sqlx::query(query)
        .bind(text(std::iter::once(columns(row))))
        .execute(connection)
        .await?;
    expect_rows(done.rows_affected(), 1)
}

/// Only what bids change.
pub(super) async fn bidden_update<'a>(
    connection: &mut SqliteConnection,
    rows: impl Iterator<Item = &'a AuctionRow>,
) -> Result<(), StoreError> {
    let query = r"
        update auctions set
            leader = n.value ->> 1, leader_max = n.value ->> 2, runner_up_max = n.value ->> 3,
            price = n.value ->> 4, reserve_met = n.value ->> 5, bid_count = n.value ->> 6,
            last_seq = n.value ->> 7, last_us = n.value ->> 8, head = unhex(n.value ->> 9),
            end_us = n.value ->> 10
        from json_each(?1) as n where auctions.auction_id = n.value ->> 0
    ";
    let rows: Vec<Value> = rows
        .map(|row| {
            json!([
                row.auction_id.get(),
                row.leader.as_ref().map(PartyId::as_str),
                row.leader_max.map(Amount::minor),
                row.runner_up_max.map(Amount::minor),
                row.price.map(Amount::minor),
                i64::from(row.reserve_met),
                row.bid_count,
                row.last_seq,
                row.last_at.get(),
                hex::encode(row.head),
                row.end.get(),
            ])
        })
        .collect();
    let expected = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let done = sqlx::query(query)
        .bind(text(rows.into_iter()))
        .execute(connection)
        .await?;
    expect_rows(done.rows_affected(), expected)
}

pub(super) async fn entries_insert<'a>(
    connection: &mut SqliteConnection,
    entries: impl Iterator<Item = &'a Entry>,
) -> Result<(), StoreError> {
    let query = r"
        insert into ledger (auction_id, seq, kind, at_us, request_id, actor, secret, nonce, detail,
                            price, leader, end_us, flags, hash)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, unhex(value ->> 4), value ->> 5,
               value ->> 6, unhex(value ->> 7), value ->> 8, value ->> 9, value ->> 10,
               value ->> 11, value ->> 12, unhex(value ->> 13)
        from json_each(?1)
    ";
    let rows = entries.map(|entry| {
        json!([
            entry.auction_id.get(),
            entry.seq,
            entry.kind.code(),
            entry.at.get(),
            hex::encode(entry.request_id.bytes()),
            entry.actor.as_str(),
            entry.secret.map(|secret| secret.amount.minor()),
            entry.secret.map(|secret| hex::encode(secret.nonce)),
            entry.detail,
            entry.price.map(Amount::minor),
            entry.leader.as_ref().map(PartyId::as_str),
            entry.end.get(),
            entry.flags(),
            hex::encode(entry.hash),
        ])
    });
    sqlx::query(query)
        .bind(text(rows))
        .execute(connection)
        .await?;
    Ok(())
}

fn columns(row: &AuctionRow) -> Value {
    let terms = &row.terms;
    let soft = terms.soft_close;
    json!([
        row.auction_id.get(),
        row.status.as_str(),
        terms.seller.as_str(),
        terms.title,
        terms.currency.code(),
        terms.currency.exponent(),
        terms.start_price.minor(),
        terms.steps.name(),
        steps_text(&terms.steps),
        terms.reserve.map(Amount::minor),
        own_raise_text(terms.own_raise),
        soft.map(|soft| Span::get(soft.window)),
        soft.map(|soft| Span::get(soft.extend_by)),
        soft.map(|soft| mode_text(soft.mode)),
        soft.map(|soft| trigger_text(soft.trigger)),
        soft.and_then(|soft| soft.cap).map(Micros::get),
        terms.start.get(),
        terms.end.get(),
        row.end.get(),
        row.leader.as_ref().map(PartyId::as_str),
        row.leader_max.map(Amount::minor),
        row.runner_up_max.map(Amount::minor),
        row.price.map(Amount::minor),
        i64::from(row.reserve_met),
        row.bid_count,
        row.last_seq,
        row.last_at.get(),
        hex::encode(row.head),
        row.closer_epoch,
        row.closing_at.map(Micros::get),
        row.closed_at.map(Micros::get),
        row.winner.as_ref().map(PartyId::as_str),
        row.final_price.map(Amount::minor),
        row.owner_node,
        row.owner_epoch,
        row.owner_lease.map(Micros::get),
    ])
}

fn text(rows: impl Iterator<Item = Value>) -> String {
    Value::from_iter(rows).to_string()
}
