//! Reading and writing whole rows; every other file here goes through these.
//!
//! The columns are cast to what [`StoredAuction`] and its kin hold, so that the checks after
//! reading are written once for both databases.

use std::collections::HashMap;

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;

use super::pool::Step;
use crate::auction::{Amount, AuctionId, Entry, Event, Micros, PartyId, RequestId, Shards, Span};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::{StoredAuction, StoredEntry, mode_text, own_raise_text, trigger_text};

/// The columns of `gavel.auctions a` as [`StoredAuction`] reads them.
macro_rules! auction_columns {
    () => {
        "a.auction_id, a.status, a.seller, a.title, a.currency, a.exponent::bigint as exponent,
         a.start_price, a.steps_name, a.steps::text as steps, a.reserve, a.own_raise,
         a.soft_window_us, a.soft_extend_us, a.soft_mode, a.soft_trigger, a.soft_cap_us,
         a.start_us, a.first_end_us, a.end_us, a.leader, a.leader_max, a.runner_up_max, a.price,
         a.reserve_met, a.bid_count, a.last_seq::bigint as last_seq, a.last_us, a.head,
         a.closer_epoch, a.closing_us, a.closed_us, a.winner, a.final_price, a.owner_node,
         a.owner_epoch, a.owner_lease_us"
    };
}
pub(super) use auction_columns;

/// The columns of `gavel.ledger l` as [`StoredEntry`] reads them.
macro_rules! entry_columns {
    () => {
        "l.auction_id, l.seq::bigint as seq, l.kind::bigint as kind, l.at_us, l.request_id,
         l.actor, l.secret, l.nonce, l.detail, l.price, l.leader, l.end_us,
         l.flags::bigint as flags, l.hash"
    };
}
pub(super) use entry_columns;

/// The columns of `gavel.outbox o` as [`StoredEvent`] reads them.
macro_rules! event_columns {
    () => {
        "o.auction_id, o.event_id, o.kind, o.result, o.winner, o.price, o.end_us, o.closed_us,
         o.ledger_head"
    };
}
pub(super) use event_columns;

/// `{1,5,100,25}` as the JSON that is read in one place: `[[1,5],[100,25]]`.
pub(super) fn with_json_steps(stored: StoredAuction) -> StoredAuction {
    let numbers: Option<Vec<i64>> = stored
        .steps
        .trim_matches(['{', '}'])
        .split(',')
        .map(|number| number.parse().ok())
        .collect();
    let rungs = numbers.map(|numbers| {
        let pairs: Vec<&[i64]> = numbers.chunks(2).collect();
        serde_json::to_string(&pairs).unwrap_or_default()
    });
    StoredAuction {
        // What cannot be read is left as it is: the check will name it.
        steps: rungs.unwrap_or_else(|| stored.steps.clone()),
        ..stored
    }
}

pub(super) fn to_row(stored: StoredAuction) -> Result<AuctionRow, Damage> {
    with_json_steps(stored).into_row()
}

pub(super) fn to_rows(stored: Vec<StoredAuction>) -> Result<Vec<AuctionRow>, StoreError> {
    let rows: Result<Vec<AuctionRow>, Damage> = stored.into_iter().map(to_row).collect();
    Ok(rows?)
}

/// The row, locked against every other writer of this auction. The clock is read by a later
/// statement: what waited for the lock is judged by when it got it.
pub(super) async fn auction_lock(
    step: &mut Step,
    auction_id: AuctionId,
) -> Result<Option<AuctionRow>, StoreError> {
    let query = concat!(
        "select ",
        auction_columns!(),
        " from gavel.auctions a where a.auction_id = $1 for no key update"
    );
    let stored: Option<StoredAuction> = step
        .query_as(query)
        .bind(auction_id.get())
        .fetch_optional(step.connection())
        .await?;
    Ok(stored.map(to_row).transpose()?)
}

/// A fresh auction; what no create sets has its default.
pub(super) async fn auction_insert(step: &mut Step, row: &AuctionRow) -> Result<(), StoreError> {
    let query = r"
        insert into gavel.auctions (
            auction_id, status, title, start_price, steps_name, steps, reserve, own_raise,
            soft_window_us, soft_extend_us, soft_mode, soft_trigger, soft_cap_us, start_us,
            first_end_us, end_us, leader, leader_max, runner_up_max, price, reserve_met,
            bid_count, last_seq, last_us, head, seller, currency, exponent)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                $19, $20, $21, $22, $23, $24, $25, $26, $27, $28::bigint)
    ";
    let currency = row.terms.currency;
    bind_row(step.query(query), row)?
        .bind(row.terms.seller.as_str())
        .bind(currency.code().to_owned())
        .bind(i64::from(currency.exponent()))
        .execute(step.connection())
        .await?;
    Ok(())
}

/// Writes every column that a ledger entry can change. A bid has its own function.
pub(super) async fn auction_update(step: &mut Step, row: &AuctionRow) -> Result<(), StoreError> {
    let query = r"
        update gavel.auctions a set
            status = $2, title = $3, start_price = $4, steps_name = $5, steps = $6, reserve = $7,
            own_raise = $8, soft_window_us = $9, soft_extend_us = $10, soft_mode = $11,
            soft_trigger = $12, soft_cap_us = $13, start_us = $14, first_end_us = $15,
            end_us = $16, leader = $17, leader_max = $18, runner_up_max = $19, price = $20,
            reserve_met = $21, bid_count = $22, last_seq = $23, last_us = $24, head = $25
        where a.auction_id = $1
    ";
    let done = bind_row(step.query(query), row)?
        .execute(step.connection())
        .await?;
    expect_one(done.rows_affected())
}

/// A write under the lock changes exactly the row it was decided on.
fn expect_one(rows: u64) -> Result<(), StoreError> {
    if rows == 1 {
        return Ok(());
    }
    let message = format!("a write changed {rows} rows instead of one");
    Err(StoreError::new(StoreErrorKind::Failed, message))
}

fn bind_row<'q>(
    query: Query<'q, Postgres, PgArguments>,
    row: &'q AuctionRow,
) -> Result<Query<'q, Postgres, PgArguments>, StoreError> {
    let terms = &row.terms;
    let soft = terms.soft_close;
    Ok(query
        .bind(row.auction_id.get())
        .bind(row.status.as_str())
        .bind(&terms.title)
        .bind(terms.start_price.minor())
        .bind(terms.steps.name())
        .bind(rungs(row))
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
        .bind(seq32(row.last_seq)?)
        .bind(row.last_at.get())
        .bind(&row.head[..]))
}

/// The rungs as the array column holds them.
pub(super) fn rungs(row: &AuctionRow) -> Vec<i64> {
    let rungs = row.terms.steps.rungs().iter();
    rungs
        .flat_map(|rung| [rung.0.minor(), rung.1.minor()])
        .collect()
}

/// A seq as the column holds it.
pub(super) fn seq32(seq: i64) -> Result<i32, StoreError> {
    i32::try_from(seq).map_err(|_| {
        StoreError::new(
            StoreErrorKind::Failed,
            "a ledger cannot hold that many entries",
        )
    })
}

pub(super) async fn entry_insert(step: &mut Step, entry: &Entry) -> Result<(), StoreError> {
    let query = r"
        insert into gavel.ledger (auction_id, seq, kind, at_us, request_id, actor, secret, nonce,
                                  detail, price, leader, end_us, flags, hash)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    ";
    step.query(query)
        .bind(entry.auction_id.get())
        .bind(seq32(entry.seq)?)
        .bind(i16::from(entry.kind.code()))
        .bind(entry.at.get())
        .bind(entry.request_id.uuid())
        .bind(entry.actor.as_str())
        .bind(entry.secret.map(|secret| secret.amount.minor()))
        .bind(entry.secret.as_ref().map(|secret| &secret.nonce[..]))
        .bind(&entry.detail)
        .bind(entry.price.map(Amount::minor))
        .bind(entry.leader.as_ref().map(PartyId::as_str))
        .bind(entry.end.get())
        .bind(i16::from(entry.flags()))
        .bind(&entry.hash[..])
        .execute(step.connection())
        .await?;
    Ok(())
}

/// The entry an earlier use of this request id made.
pub(super) async fn entry_of_request(
    step: &mut Step,
    auction_id: AuctionId,
    request_id: RequestId,
) -> Result<Option<Entry>, StoreError> {
    let query = concat!(
        "select ",
        entry_columns!(),
        " from gavel.ledger l where l.auction_id = $1 and l.request_id = $2"
    );
    let stored: Option<StoredEntry> = step
        .query_as(query)
        .bind(auction_id.get())
        .bind(request_id.uuid())
        .fetch_optional(step.connection())
        .await?;
    Ok(stored.map(StoredEntry::into_entry).transpose()?)
}

/// A page of the ledger; no limit: all that is left.
pub(super) async fn ledger_select(
    step: &mut Step,
    auction_id: AuctionId,
    after_seq: i64,
    limit: Option<u32>,
) -> Result<Vec<Entry>, StoreError> {
    let query = concat!(
        "select ",
        entry_columns!(),
        " from gavel.ledger l where l.auction_id = $1 and l.seq > $2 order by l.seq limit $3"
    );
    // No seq lies above the column's range.
    let after_seq = i32::try_from(after_seq.max(0)).unwrap_or(i32::MAX);
    let stored: Vec<StoredEntry> = step
        .query_as(query)
        .bind(auction_id.get())
        .bind(after_seq)
        .bind(limit.map(i64::from))
        .fetch_all(step.connection())
        .await?;
    let entries: Result<Vec<Entry>, Damage> =
        stored.into_iter().map(StoredEntry::into_entry).collect();
    Ok(entries?)
}

pub(super) async fn event_insert(
    step: &mut Step,
    auction_id: AuctionId,
    event: &Event,
) -> Result<(), StoreError> {
    let query = r"
        insert into gavel.outbox (auction_id, event_id, kind, result, winner, price, end_us,
                                  closed_us, ledger_head)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ";
    step.query(query)
        .bind(auction_id.get())
        .bind(&event.event_id)
        .bind(event.kind.as_str())
        .bind(event.result.map(|result| result.as_str()))
        .bind(event.winner.as_ref().map(PartyId::as_str))
        .bind(event.price.map(Amount::minor))
        .bind(event.end.get())
        .bind(event.closed_at.get())
        .bind(&event.ledger_head[..])
        .execute(step.connection())
        .await?;
    Ok(())
}

/// Plain numbers, for an array bind.
pub(super) fn numbers(ids: &[AuctionId]) -> Vec<i64> {
    ids.iter().map(|id| id.get()).collect()
}

/// Shards as an array.
pub(super) fn shard_numbers(shards: Shards) -> Vec<i32> {
    shards.iter().flat_map(i32::try_from).collect()
}

/// The entries that earlier uses of these request ids made.
pub(super) async fn entries_of_requests(
    step: &mut Step,
    requests: &[(AuctionId, RequestId)],
) -> Result<HashMap<(AuctionId, RequestId), Entry>, StoreError> {
    let ids: Vec<i64> = requests.iter().map(|(id, _)| id.get()).collect();
    let uuids: Vec<uuid::Uuid> = requests.iter().map(|(_, request)| request.uuid()).collect();
    let query = concat!(
        "select ",
        entry_columns!(),
        " from gavel.ledger l
          join unnest($1::bigint[], $2::uuid[]) as asked (auction_id, request_id)
            on asked.auction_id = l.auction_id and asked.request_id = l.request_id"
    );
    let stored: Vec<StoredEntry> = step
        .query_as(query)
        .bind(ids)
        .bind(uuids)
        .fetch_all(step.connection())
        .await?;
    let mut found = HashMap::with_capacity(stored.len());
    for entry in stored {
        let entry = entry.into_entry()?;
        found.insert((entry.auction_id, entry.request_id), entry);
    }
    Ok(found)
}
