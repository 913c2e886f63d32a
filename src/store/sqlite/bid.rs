//! Accepting a bid: lock, clock, request id, decide, update the row, append the entry.

use sqlx::SqliteConnection;

use super::{SqliteStore, group, rows};
use crate::auction::operator::VoidDetail;
use crate::auction::{Amount, Bid, Entry, Kind, Micros, PartyId, Refusal, bid as rules, repeat};
use crate::clock::Clock;
use crate::store::contract::{BidAnswer, Reply, WriteMode};
use crate::store::error::StoreError;
use crate::store::rows::{AuctionRow, Damage};

pub(super) async fn bid_place(
    store: &SqliteStore,
    bid: &Bid,
    mode: WriteMode,
) -> Result<Reply<BidAnswer>, StoreError> {
    match mode {
        WriteMode::Commit => group::place(store, bid).await,
        WriteMode::Rehearse => place_alone(store, bid, mode).await,
    }
}

/// A transaction for this bid alone.
pub(super) async fn place_alone(
    store: &SqliteStore,
    bid: &Bid,
    mode: WriteMode,
) -> Result<Reply<BidAnswer>, StoreError> {
    let mut transaction = store.begin().await?;
    let reply = place(&mut transaction, store.clock(), bid).await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(reply)
}

pub(super) async fn bid_place_many(
    store: &SqliteStore,
    bids: &[Bid],
    mode: WriteMode,
) -> Result<Vec<Reply<BidAnswer>>, StoreError> {
    let mut transaction = store.begin().await?;
    let mut replies = Vec::with_capacity(bids.len());
    for bid in bids {
        replies.push(place(&mut transaction, store.clock(), bid).await?);
    }
    SqliteStore::finish(transaction, mode).await?;
    Ok(replies)
}

/// The write lock is held, so the clock is read now and nothing can come between.
async fn place(
    connection: &mut SqliteConnection,
    clock: &Clock,
    bid: &Bid,
) -> Result<Reply<BidAnswer>, StoreError> {
    let now = clock.now();
    let refused = |refusal| Ok(Reply::Refused { refusal, now });
    let Some(row) = rows::auction_select(connection, bid.auction_id).await? else {
        return refused(Refusal::NotFound);
    };
    if let Some(entry) = rows::entry_of_request(connection, bid.auction_id, bid.request_id).await? {
        return match repeat::bid_repeats(bid, &entry) {
            Ok(()) => repeated(connection, &row, &entry, now).await,
            Err(refusal) => refused(refusal),
        };
    }
    let state = row.state()?;
    let entry = match rules::decide(&row.terms, &state, bid, now) {
        Ok(entry) => entry,
        Err(refusal) => return refused(refusal),
    };
    let Some(maximum) = entry.secret.map(|secret| secret.amount) else {
        return Err(Damage::row(bid.auction_id.get(), "secret", "none in a bid").into());
    };
    let after = AuctionRow::of(
        bid.auction_id,
        row.terms.clone(),
        &rules::fold(&row.terms, &state, &entry, maximum),
    );
    update_row(connection, &after).await?;
    rows::entry_insert(connection, &entry).await?;
    Ok(Reply::Done(answer(&after, &entry, now, false)?))
}

/// Only what a bid changes.
async fn update_row(connection: &mut SqliteConnection, row: &AuctionRow) -> Result<(), StoreError> {
    let query = r"
        update auctions set
            leader = ?2, leader_max = ?3, runner_up_max = ?4, price = ?5, reserve_met = ?6,
            bid_count = ?7, last_seq = ?8, last_us = ?9, head = ?10, end_us = ?11
        where auction_id = ?1
    ";
    let done = sqlx::query(query)
        .bind(row.auction_id.get())
        .bind(row.leader.as_ref().map(PartyId::as_str))
        .bind(row.leader_max.map(Amount::minor))
        .bind(row.runner_up_max.map(Amount::minor))
        .bind(row.price.map(Amount::minor))
        .bind(row.reserve_met)
        .bind(row.bid_count)
        .bind(row.last_seq)
        .bind(row.last_at.get())
        .bind(&row.head[..])
        .bind(row.end.get())
        .execute(connection)
        .await?;
    rows::expect_one(done.rows_affected())
}

/// The first answer, rebuilt from the stored entry, whatever the state is now.
async fn repeated(
    connection: &mut SqliteConnection,
    row: &AuctionRow,
    entry: &Entry,
    now: Micros,
) -> Result<Reply<BidAnswer>, StoreError> {
    let query = r"
        select detail from ledger where auction_id = ?1 and kind = ?2 and seq > ?3
    ";
    let voids: Vec<String> = sqlx::query_scalar(query)
        .bind(entry.auction_id.get())
        .bind(i64::from(Kind::Void.code()))
        .bind(entry.seq)
        .fetch_all(connection)
        .await?;
    let voided = voids
        .iter()
        .filter_map(|detail| VoidDetail::from_detail(detail).ok())
        .any(|void| void.targets.contains(&entry.seq));
    Ok(Reply::Repeated(answer(row, entry, now, voided)?))
}

fn answer(
    row: &AuctionRow,
    entry: &Entry,
    now: Micros,
    voided: bool,
) -> Result<BidAnswer, StoreError> {
    let Some(price) = entry.price else {
        let damage = Damage::entry(
            entry.auction_id.get(),
            entry.seq,
            "price",
            "none after a bid",
        );
        return Err(damage.into());
    };
    Ok(BidAnswer {
        seq: entry.seq,
        at: entry.at,
        price,
        leading: entry.leader.as_ref() == Some(&entry.actor),
        end: entry.end,
        extended: entry.extended,
        minimum: row.terms.minimum(Some(price)),
        now,
        voided,
    })
}
