//! Streaming whole auctions, by id, from one snapshot.
//!
//! A page holds so many auctions that their entries stay under a bound, so memory does not grow
//! with the database. Ledger rows without an auction are found too: a page covers every id after
//! the page before it, not only the ids of the rows.

use sqlx::SqliteConnection;
use tokio::sync::mpsc;

use super::SqliteStore;
use crate::store::contract::Scope;
use crate::store::error::StoreError;
use crate::store::rows::Dossier;
use crate::store::stored::{DossierPage, StoredAuction, StoredEntry, StoredEvent};

/// Auctions on a page.
const AUCTIONS_MAX: i64 = 500;
/// Entries on a page, unless a single auction has more.
const ENTRIES_MAX: i64 = 10_000;

pub(super) async fn dossiers_read(
    store: &SqliteStore,
    scope: &Scope,
    out: mpsc::Sender<Vec<Dossier>>,
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
            for id in ids {
                let found = dossier_select(&mut snapshot, id).await?;
                if let Some(dossier) = found
                    && out.send(vec![dossier]).await.is_err()
                {
                    break;
                }
            }
        }
    }
    snapshot.rollback().await?;
    Ok(())
}

/// Everything with ids in `after < id <= until`.
async fn read_pages(
    connection: &mut SqliteConnection,
    mut after: i64,
    until: i64,
    out: &mpsc::Sender<Vec<Dossier>>,
) -> Result<(), StoreError> {
    while let Some((page, last)) = read_page(connection, after, until).await? {
        if !page.is_empty() && out.send(page).await.is_err() {
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
    let (auctions, entries): (i64, i64) = match scope {
        Scope::All => {
            sqlx::query_as("select count(*), coalesce(sum(last_seq), 0) from auctions")
                .fetch_one(store.readers())
                .await?
        }
        Scope::Ids(ids) => {
            let query = r"
                select count(*), coalesce(sum(last_seq), 0) from auctions
                where auction_id in (select value from json_each(?1))
            ";
            sqlx::query_as(query)
                .bind(super::rows::json_ids(ids))
                .fetch_one(store.readers())
                .await?
        }
        Scope::Range(ids) => {
            let query = r"
                select count(*), coalesce(sum(last_seq), 0) from auctions
                where auction_id between ?1 and ?2
            ";
            sqlx::query_as(query)
                .bind(ids.first.get())
                .bind(ids.last.get())
                .fetch_one(store.readers())
                .await?
        }
    };
    Ok((
        u64::try_from(auctions).unwrap_or(0),
        u64::try_from(entries).unwrap_or(0),
    ))
}
