//! Streaming whole auctions, by id, from one snapshot.
//!
//! The four tables are read side by side by COPY, each ordered by id on a connection of its own,
//! all in the snapshot that the first exports; the rows of an auction are put together as they
//! arrive. Ledger rows without an auction are found too. A few auctions by id are read by query.

use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::query::QueryAs;
use sqlx::{AssertSqlSafe, Postgres};
use sqlx::{Connection as _, Executor as _};
use tokio::sync::mpsc;

use super::PostgresStore;
use super::connections::LEASE_TIMEOUT;
use super::copied::{COPY_LEDGER, CopiedRows};
use super::copy_out::{CopyOut, Fields};
use super::pool::Step;
use super::rows::{auction_columns, entry_columns, event_columns, numbers, with_json_steps};
use crate::auction::{Micros, Shards};
use crate::store::contract::WriteMode;
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::Dossier;
use crate::store::scope::{Conditions, Scope};
use crate::store::sheaf::{Sheaf, StoredRows};
use crate::store::stored::{DossierPage, StoredAuction, StoredEntry, StoredEvent};

/// What [`bind_conditions`] binds, on `gavel.auctions a`.
macro_rules! conditions {
    () => {
        "a.auction_id between $1 and $2
         and ($3::bigint[] is null or a.auction_id = any ($3))
         and ($4::bigint[] is null or a.shard = any ($4))
         and ($5::text is null or a.seller = $5)
         and ($6::bigint is null or a.closed_us >= $6)
         and ($7::bigint is null or a.closed_us < $7)
         and ($8::bigint is null or a.auction_id >= 1000000000000000 or not coalesce(
             case a.status when 'CANCELLED' then a.last_us when 'CLOSED' then a.closed_us
                          when 'CLOSED_RESERVE_NOT_MET' then a.closed_us end < $8,
             false))"
    };
}

/// Auctions in a chunk.
const AUCTIONS_MAX: usize = 500;
/// Entries in a chunk, unless a single auction has more.
const ENTRIES_MAX: usize = 10_000;

pub(super) async fn sheaves_read(
    store: &PostgresStore,
    scope: &Scope,
    out: mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<(), StoreError> {
    match scope {
        Scope::All => read_all(store, out).await,
        Scope::Ids(ids) => {
            let mut ids = ids.clone();
            ids.sort_unstable();
            ids.dedup();
            let mut step = store.snapshot().await?;
            step.read_by_index().await?;
            for some in ids.chunks(AUCTIONS_MAX) {
                if !send_selected(&mut step, &numbers(some), &out).await? {
                    break;
                }
            }
            step.finish(WriteMode::Rehearse).await
        }
        Scope::Range(_) | Scope::Selected(_) => read_selected(store, scope, out).await,
    }
}

/// Reads these auctions; whether the receiver is still there.
async fn send_selected(
    step: &mut Step,
    ids: &[i64],
    out: &mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<bool, StoreError> {
    let dossiers = dossiers_select(step, ids).await?;
    Ok(dossiers.is_empty() || out.send(Sheaf::of(dossiers)).await.is_ok())
}

/// Page by page, in one snapshot.
async fn read_selected(
    store: &PostgresStore,
    scope: &Scope,
    out: mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<(), StoreError> {
    let query = concat!(
        "select a.auction_id from gavel.auctions a where a.auction_id > $9 and ",
        conditions!(),
        " order by a.auction_id limit $10"
    );
    let mut step = store.snapshot().await?;
    step.read_by_index().await?;
    let mut after = 0;
    loop {
        let found: Vec<(i64,)> = bind_conditions(step.query_as(query), scope)
            .bind(after)
            .bind(i64::try_from(AUCTIONS_MAX).unwrap_or(i64::MAX))
            .fetch_all(step.connection())
            .await?;
        let found: Vec<i64> = found.into_iter().map(|(id,)| id).collect();
        let Some(last) = found.last() else { break };
        after = *last;
        if !send_selected(&mut step, &found, &out).await? {
            break;
        }
    }
    step.finish(WriteMode::Rehearse).await
}

fn bind_conditions<'q, T>(
    query: QueryAs<'q, Postgres, T, PgArguments>,
    scope: &Scope,
) -> QueryAs<'q, Postgres, T, PgArguments> {
    let conditions = scope.conditions();
    let ids = conditions.ids().map(|ids| numbers(&ids));
    let Conditions {
        range, selection, ..
    } = conditions;
    let shards: Vec<i64> = selection.shards.iter().collect();
    let some_shards = selection.shards != Shards::ALL;
    query
        .bind(range.first.get())
        .bind(range.last.get())
        .bind(ids)
        .bind(some_shards.then_some(shards))
        .bind(selection.seller.map(String::from))
        .bind(selection.closed_from.map(Micros::get))
        .bind(selection.closed_before.map(Micros::get))
        .bind(selection.not_ended_before.map(Micros::get))
}

const COPY_AUCTIONS: &str = concat!(
    "copy (select ",
    auction_columns!(),
    " from gavel.auctions a order by a.auction_id) to stdout (format binary)"
);
const COPY_OUTBOX: &str = concat!(
    "copy (select ",
    event_columns!(),
    " from gavel.outbox o order by o.auction_id, o.event_id) to stdout (format binary)"
);
const COPY_WATCHERS: &str = "copy (select w.auction_id, w.watcher from gavel.watchers w
    order by w.auction_id, w.watcher) to stdout (format binary)";

async fn read_all(
    store: &PostgresStore,
    out: mpsc::Sender<Sheaf<StoredRows>>,
) -> Result<(), StoreError> {
    let [mut auctions, mut ledger, mut outbox, mut watchers] = side_by_side(store).await?;
    let merged = {
        let streams = (
            auctions.copy_out_raw(COPY_AUCTIONS).await?,
            ledger.copy_out_raw(COPY_LEDGER).await?,
            outbox.copy_out_raw(COPY_OUTBOX).await?,
            watchers.copy_out_raw(COPY_WATCHERS).await?,
        );
        let mut auctions = CopyOut::open(streams.0).await?;
        let mut ledger = CopyOut::open(streams.1).await?;
        let mut outbox = CopyOut::open(streams.2).await?;
        let mut watchers = CopyOut::open(streams.3).await?;
        let mut chunk = Chunk::new();
        loop {
            let next = [
                auctions.auction_id(),
                ledger.auction_id(),
                outbox.auction_id(),
                watchers.auction_id(),
            ];
            let Some(id) = next.into_iter().flatten().min() else {
                break chunk.send(&out).await;
            };
            chunk.begin(id);
            while auctions.is_at(id) {
                chunk
                    .page
                    .add_auction(with_json_steps(auctions.decode(auction)?));
                auctions.advance().await?;
            }
            while ledger.is_at(id) {
                chunk.rows.push(ledger.raw());
                ledger.advance().await?;
            }
            while outbox.is_at(id) {
                chunk.page.add_event(outbox.decode(event)?);
                outbox.advance().await?;
            }
            while watchers.is_at(id) {
                chunk.page.add_watcher(id, watchers.decode(watcher)?);
                watchers.advance().await?;
            }
            if chunk.is_full() && !std::mem::replace(&mut chunk, Chunk::new()).send(&out).await {
                break false;
            }
        }
    };
    // With the receiver gone the streams are left unread: closing ends them.
    for connection in [auctions, ledger, outbox, watchers] {
        if merged {
            connection.close().await?;
        } else {
            connection.close_hard().await?;
        }
    }
    Ok(())
}

/// Four connections that see the same state.
///
/// Apart from the pool: four of its connections could be waited for for ever by two readers. A
/// pooler with fewer makes the last of them wait too, until this gives up.
async fn side_by_side(store: &PostgresStore) -> Result<[PgConnection; 4], StoreError> {
    let opening = async {
        let mut first = store.connect_apart().await?;
        let snapshot = export_snapshot(&mut first).await?;
        Ok([
            first,
            join_snapshot(store, &snapshot).await?,
            join_snapshot(store, &snapshot).await?,
            join_snapshot(store, &snapshot).await?,
        ])
    };
    match tokio::time::timeout(LEASE_TIMEOUT, opening).await {
        Ok(opened) => opened,
        Err(_) => {
            let message = "reading everything needs 4 connections at once, and they did not come \
                           in time: raise max_connections, or behind a pooler default_pool_size";
            Err(StoreError::new(StoreErrorKind::TimedOut, message))
        }
    }
}

async fn export_snapshot(connection: &mut PgConnection) -> Result<String, StoreError> {
    connection
        .execute("begin isolation level repeatable read read only")
        .await?;
    let snapshot: String = sqlx::query_scalar("select pg_export_snapshot()")
        .persistent(false)
        .fetch_one(connection)
        .await?;
    Ok(snapshot)
}

async fn join_snapshot(store: &PostgresStore, snapshot: &str) -> Result<PgConnection, StoreError> {
    // SET takes a literal and no parameter: the one text that is put together at run time, from
    // the server's own word, which is checked to hold nothing but an identifier.
    if !snapshot.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') {
        let message = "the server's snapshot has a name that is not understood";
        return Err(StoreError::new(StoreErrorKind::Failed, message));
    }
    let set = ["set transaction snapshot '", snapshot, "'"].concat();
    let mut connection = store.connect_apart().await?;
    connection
        .execute("begin isolation level repeatable read read only")
        .await?;
    match connection.execute(AssertSqlSafe(set)).await {
        Ok(_) => Ok(connection),
        Err(error) if is_gone(&error) => Err(StoreError::new(
            StoreErrorKind::TimedOut,
            "the snapshot was gone before it could be read: the server ends idle transactions \
             (idle_in_transaction_session_timeout)",
        )),
        Err(error) => Err(error.into()),
    }
}

/// 22023 or, in later servers, 42704: no transaction holds a snapshot of that name any more.
fn is_gone(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "22023" || code == "42704")
}

/// What is put together before it is sent.
struct Chunk {
    page: DossierPage,
    rows: CopiedRows,
    /// Where the rows of each auction begin.
    starts: Vec<usize>,
}

impl Chunk {
    fn new() -> Self {
        Self {
            page: DossierPage::new(true),
            rows: CopiedRows::with_room(ENTRIES_MAX),
            starts: Vec::with_capacity(AUCTIONS_MAX),
        }
    }

    /// What comes next belongs to this auction.
    fn begin(&mut self, auction_id: i64) {
        self.page.add(auction_id);
        self.starts.push(self.rows.len());
    }

    fn is_full(&self) -> bool {
        self.starts.len() >= AUCTIONS_MAX || self.rows.len() >= ENTRIES_MAX
    }

    /// Whether the receiver is still there.
    async fn send(self, out: &mpsc::Sender<Sheaf<StoredRows>>) -> bool {
        if self.starts.is_empty() {
            return true;
        }
        let (starts, total) = (self.starts.iter().copied(), self.rows.len());
        let rows = StoredRows::Copied(self.rows);
        let sheaf = Sheaf::gathered(self.page, starts, rows, total);
        out.send(sheaf).await.is_ok()
    }
}

fn auction(fields: &mut Fields<'_>) -> Option<StoredAuction> {
    Some(StoredAuction {
        auction_id: fields.int8()?,
        status: fields.text()?.to_owned(),
        seller: fields.text()?.to_owned(),
        title: fields.text()?.to_owned(),
        currency: fields.text()?.to_owned(),
        exponent: fields.int8()?,
        start_price: fields.int8()?,
        steps_name: fields.text()?.to_owned(),
        steps: fields.text()?.to_owned(),
        reserve: fields.int8_or_null()?,
        own_raise: fields.text()?.to_owned(),
        soft_window_us: fields.int8_or_null()?,
        soft_extend_us: fields.int8_or_null()?,
        soft_mode: fields.text_or_null()?.map(str::to_owned),
        soft_trigger: fields.text_or_null()?.map(str::to_owned),
        soft_cap_us: fields.int8_or_null()?,
        start_us: fields.int8()?,
        first_end_us: fields.int8()?,
        end_us: fields.int8()?,
        leader: fields.text_or_null()?.map(str::to_owned),
        leader_max: fields.int8_or_null()?,
        runner_up_max: fields.int8_or_null()?,
        price: fields.int8_or_null()?,
        reserve_met: fields.boolean()?,
        bid_count: fields.int8()?,
        last_seq: fields.int8()?,
        last_us: fields.int8()?,
        head: fields.bytes()?.to_vec(),
        closer_epoch: fields.int8()?,
        closing_us: fields.int8_or_null()?,
        closed_us: fields.int8_or_null()?,
        winner: fields.text_or_null()?.map(str::to_owned),
        final_price: fields.int8_or_null()?,
        owner_node: fields.text_or_null()?.map(str::to_owned),
        owner_epoch: fields.int8()?,
        owner_lease_us: fields.int8_or_null()?,
    })
}

fn event(fields: &mut Fields<'_>) -> Option<StoredEvent> {
    Some(StoredEvent {
        auction_id: fields.int8()?,
        event_id: fields.text()?.to_owned(),
        kind: fields.text()?.to_owned(),
        result: fields.text_or_null()?.map(str::to_owned),
        winner: fields.text_or_null()?.map(str::to_owned),
        price: fields.int8_or_null()?,
        end_us: fields.int8()?,
        closed_us: fields.int8()?,
        ledger_head: fields.bytes()?.to_vec(),
    })
}

fn watcher(fields: &mut Fields<'_>) -> Option<String> {
    fields.int8()?;
    Some(fields.text()?.to_owned())
}

/// All that is stored of some auctions; after [`Step::read_by_index`].
pub(super) async fn dossiers_select(
    step: &mut Step,
    ids: &[i64],
) -> Result<Vec<Dossier>, StoreError> {
    let mut page = DossierPage::new(true);
    let query = concat!(
        "select ",
        auction_columns!(),
        " from gavel.auctions a where a.auction_id = any ($1) order by a.auction_id"
    );
    let query = step.query_as::<StoredAuction>(query).bind(ids);
    for auction in query.fetch_all(step.connection()).await? {
        page.add_auction(with_json_steps(auction));
    }
    let query = concat!(
        "select ",
        entry_columns!(),
        " from gavel.ledger l where l.auction_id = any ($1) order by l.auction_id, l.seq"
    );
    let query = step.query_as::<StoredEntry>(query).bind(ids);
    for entry in query.fetch_all(step.connection()).await? {
        page.add_entry(entry);
    }
    let query = concat!(
        "select ",
        event_columns!(),
        " from gavel.outbox o where o.auction_id = any ($1) order by o.auction_id, o.event_id"
    );
    let query = step.query_as::<StoredEvent>(query).bind(ids);
    for event in query.fetch_all(step.connection()).await? {
        page.add_event(event);
    }
    let query = r"
        select w.auction_id, w.watcher from gavel.watchers w where w.auction_id = any ($1)
        order by w.auction_id, w.watcher
    ";
    let query = step.query_as::<(i64, String)>(query).bind(ids);
    for (auction_id, watcher) in query.fetch_all(step.connection()).await? {
        page.add_watcher(auction_id, watcher);
    }
    Ok(page.into_dossiers())
}

pub(super) async fn dossiers_count(
    store: &PostgresStore,
    scope: &Scope,
) -> Result<(u64, u64), StoreError> {
    // The rows' own count of entries: exact unless somebody tampered, and it only sizes a bar.
    let query = concat!(
        "select count(*), coalesce(sum(a.last_seq), 0)::bigint from gavel.auctions a where ",
        conditions!()
    );
    let mut step = store.step(WriteMode::Commit).await?;
    let (auctions, entries): (i64, i64) = bind_conditions(step.query_as(query), scope)
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Ok((
        u64::try_from(auctions).unwrap_or(0),
        u64::try_from(entries).unwrap_or(0),
    ))
}
