//! Streaming whole auctions, by id, from one snapshot.
//!
//! A page holds so many auctions that their entries stay under a bound, so memory does not grow
//! with the database. Ledger rows without an auction are found too: a page covers every id after
//! the page before it, not only the ids of the rows.

use sqlx::query::QueryAs;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Sqlite, SqliteConnection};
use tokio::sync::mpsc;

use super::SqliteStore;
use super::rows::json_ids;
use crate::auction::Micros;
use crate::store::error::StoreError;
use crate::store::rows::Dossier;
use crate::store::scope::{Conditions, Scope};
use crate::store::sheaf::{Sheaf, StoredRows};
use crate::store::stored::{DossierPage, StoredAuction, StoredEntry, StoredEvent};

/// What [`bind_conditions`] binds, on `auctions a`.
macro_rules! conditions {
    () => {
        "a.auction_id between ?1 and ?2
         and (?3 is null or a.auction_id in (select value from json_each(?3)))
         and a.shard in (select value from json_each(?4))
         and (?5 is null or a.seller = ?5)
         and (?6 is null or a.closed_us >= ?6)
         and (?7 is null or a.closed_us < ?7)
         and (?8 is null or a.auction_id >= 1000000000000000 or not coalesce(
             case a.status when 'CANCELLED' then a.last_us when 'CLOSED' then a.closed_us
                          when 'CLOSED_RESERVE_NOT_MET' then a.closed_us end < ?8,
             false))"
    };
}

/// Auctions on a page.
const AUCTIONS_MAX: i64 = 500;
/// Entries on a page, unless a single auction has more.
const ENTRIES_MAX: i64 = 10_000;

pub(super) async fn sheaves_read(
    store: &SqliteStore,
    scope: &Scope,
    out: mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<(), StoreError> {
    let mut snapshot = store.readers().begin().await?;
    match scope {
        Scope::All => read_pages(&mut snapshot, 0, i64::MAX, &out).await?,
        Scope::Range(ids) => {
            let (first, last) = (ids.first.get(), ids.last.get());
            read_pages(&mut snapshot, first - 1, last, &out).await?;
        }
        Scope::Ids(ids) => {
            let mut ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
            ids.sort_unstable();
            ids.dedup();
            read_ids(&mut snapshot, &ids, &out).await?;
        }
        Scope::Selected(_) => {
            let mut after = 0;
            loop {
                let ids = selected_ids(&mut snapshot, scope, after).await?;
                let Some(last) = ids.last() else { break };
                after = *last;
                if !read_ids(&mut snapshot, &ids, &out).await? {
                    break;
                }
            }
        }
    }
    snapshot.rollback().await?;
    Ok(())
}

/// These, each with all that belongs to it; whether the receiver is still there.
async fn read_ids(
    connection: &mut SqliteConnection,
    ids: &[i64],
    out: &mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<bool, StoreError> {
    let mut page = Vec::new();
    let mut entries = 0;
    for (place, id) in ids.iter().enumerate() {
        if let Some(dossier) = dossier_select(connection, *id).await? {
            entries += dossier.entries.len();
            page.push(dossier);
        }
        let full = i64::try_from(entries).is_ok_and(|entries| entries >= ENTRIES_MAX);
        if (full || place + 1 == ids.len())
            && !page.is_empty()
            && out
                .send(Sheaf::of(std::mem::take(&mut page)))
                .await
                .is_err()
        {
            return Ok(false);
        }
        if full {
            entries = 0;
        }
    }
    Ok(true)
}

/// The ids of the next auctions whose rows meet the conditions.
async fn selected_ids(
    connection: &mut SqliteConnection,
    scope: &Scope,
    after: i64,
) -> Result<Vec<i64>, StoreError> {
    let query = concat!(
        "select a.auction_id from auctions a where a.auction_id > ?9 and ",
        conditions!(),
        " order by a.auction_id limit ?10"
    );
    let found: Vec<(i64,)> = bind_conditions(sqlx::query_as(query), scope)
        .bind(after)
        .bind(AUCTIONS_MAX)
        .fetch_all(connection)
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

fn bind_conditions<'q, T>(
    query: QueryAs<'q, Sqlite, T, SqliteArguments>,
    scope: &Scope,
) -> QueryAs<'q, Sqlite, T, SqliteArguments> {
    let conditions = scope.conditions();
    let ids = conditions.ids().map(|ids| json_ids(&ids));
    let Conditions {
        range, selection, ..
    } = conditions;
    let shards: Vec<i64> = selection.shards.iter().collect();
    query
        .bind(range.first.get())
        .bind(range.last.get())
        .bind(ids)
        .bind(serde_json::to_string(&shards).unwrap_or_default())
        .bind(selection.seller.map(String::from))
        .bind(selection.closed_from.map(Micros::get))
        .bind(selection.closed_before.map(Micros::get))
        .bind(selection.not_ended_before.map(Micros::get))
}

/// Everything with ids in `after < id <= until`.
async fn read_pages(
    connection: &mut SqliteConnection,
    mut after: i64,
    until: i64,
    out: &mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<(), StoreError> {
    while let Some((page, last)) = read_page(connection, after, until).await? {
        if !page.is_empty() && out.send(Sheaf::of(page)).await.is_err() {
            break;
        }
        after = last;
    }
    Ok(())
}

/// All that is stored of one auction.
pub(super) async fn dossier_select(
    connection: &mut SqliteConnection,
    id: i64,
) -> Result<Option<Dossier>, StoreError> {
    let rows = auctions(connection, id - 1, id, 1).await?;
    Ok(fill(connection, rows, id - 1, id).await?.pop())
}

/// The next page and the last id it covers; none after the last.
async fn read_page(
    connection: &mut SqliteConnection,
    after: i64,
    until: i64,
) -> Result<Option<(Vec<Dossier>, i64)>, StoreError> {
    if after >= until {
        return Ok(None);
    }
    let mut rows = auctions(connection, after, until, AUCTIONS_MAX).await?;
    let full = i64::try_from(rows.len()).is_ok_and(|length| length == AUCTIONS_MAX);
    let mut entries = 0_i64;
    let fitting = rows
        .iter()
        .take_while(|row| {
            entries = entries.saturating_add(row.last_seq.max(1));
            entries <= ENTRIES_MAX
        })
        .count()
        .max(1);
    let cut = fitting < rows.len();
    rows.truncate(fitting);
    let last = match rows.last() {
        Some(row) if full || cut => row.auction_id,
        _ => until,
    };
    let page = fill(connection, rows, after, last).await?;
    Ok(Some((page, last)))
}

async fn auctions(
    connection: &mut SqliteConnection,
    after: i64,
    last: i64,
    limit: i64,
) -> Result<Vec<StoredAuction>, StoreError> {
    let query = r"
        select * from auctions where auction_id > ?1 and auction_id <= ?2
        order by auction_id limit ?3
    ";
    Ok(sqlx::query_as(query)
        .bind(after)
        .bind(last)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// Everything that belongs to the ids in `after < id <= last`.
async fn fill(
    connection: &mut SqliteConnection,
    rows: Vec<StoredAuction>,
    after: i64,
    last: i64,
) -> Result<Vec<Dossier>, StoreError> {
    let mut page = DossierPage::new(true);
    for row in rows {
        page.add_auction(row);
    }
    let query = r"
        select auction_id, seq, kind, at_us, request_id, actor, secret, nonce, detail, price,
               leader, end_us, flags, hash
        from ledger where auction_id > ?1 and auction_id <= ?2 order by auction_id, seq
    ";
    let entries: Vec<StoredEntry> = sqlx::query_as(query)
        .bind(after)
        .bind(last)
        .fetch_all(&mut *connection)
        .await?;
    for entry in entries {
        page.add_entry(entry);
    }
    let query = r"
        select auction_id, event_id, kind, result, winner, price, end_us, closed_us, ledger_head
        from outbox where auction_id > ?1 and auction_id <= ?2 order by auction_id, event_id
    ";
    let events: Vec<StoredEvent> = sqlx::query_as(query)
        .bind(after)
        .bind(last)
        .fetch_all(&mut *connection)
        .await?;
    for event in events {
        page.add_event(event);
    }
    let query = r"
        select auction_id, watcher from watchers
        where auction_id > ?1 and auction_id <= ?2 order by auction_id, watcher
    ";
    let watchers: Vec<(i64, String)> = sqlx::query_as(query)
        .bind(after)
        .bind(last)
        .fetch_all(&mut *connection)
        .await?;
    for (auction_id, watcher) in watchers {
        page.add_watcher(auction_id, watcher);
    }
    Ok(page.into_dossiers())
}

pub(super) async fn dossiers_count(
    store: &SqliteStore,
    scope: &Scope,
) -> Result<(u64, u64), StoreError> {
    // The rows' own count of entries: exact unless somebody tampered, and it only sizes a bar.
    let query = concat!(
        "select count(*), coalesce(sum(a.last_seq), 0) from auctions a where ",
        conditions!()
    );
    let (auctions, entries): (i64, i64) = bind_conditions(sqlx::query_as(query), scope)
        .fetch_one(store.readers())
        .await?;
    Ok((
        u64::try_from(auctions).unwrap_or(0),
        u64::try_from(entries).unwrap_or(0),
    ))
}
