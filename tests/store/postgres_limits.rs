//! What the server, its settings and its rights do not let gavel do: told as what it is, and
//! never laid to an auction.

use gavel::closer::{SweepOptions, sweep};
use gavel::store::{Contract as _, Dossier, PostgresStore, Scope, StoreError, StoreErrorKind};
use sqlx::{Connection as _, Executor as _};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::support::drive::{COMMIT, bid};
use crate::support::make::{self, END, id, party, request, terms};
use crate::support::postgres::{Database, set_clock};
use crate::support::sound::assert_sound;

const LOCK_AUCTIONS: &str = "begin; lock table gavel.auctions in access exclusive mode";

/// With auction 1, roles, and a clock that everybody may read.
async fn database() -> Database {
    let database = Database::stopped().await;
    let store = database.store();
    store.roles_make().await.unwrap();
    let create = make::create(id(1), request(1), terms());
    store.auction_create(&[create], COMMIT).await.unwrap();
    let grant = "grant select on public.test_clock to public";
    database.connect().await.execute(grant).await.unwrap();
    database
}

async fn read_all(store: &PostgresStore) -> Result<Vec<Dossier>, StoreError> {
    let (send, mut receive) = mpsc::channel(1);
    let collect = async {
        let mut all = Vec::new();
        while let Some(some) = receive.recv().await {
            all.extend(some);
        }
        all
    };
    let (done, all) = tokio::join!(store.dossiers_read(&Scope::All, send), collect);
    done.map(|()| all)
}

async fn sweep_fails(store: &PostgresStore) {
    let (report, outcome) = sweep(store, &SweepOptions::default(), |_| {}).await;
    assert_eq!(outcome.unwrap_err().kind(), StoreErrorKind::Denied);
    assert_eq!((report.closed, report.bad), (0, vec![]));
}

#[tokio::test]
async fn a_sweep_without_rights_fails_and_calls_no_auction_bad() {
    let database = database().await;
    let auditor = database.user("in role gavel_auditor").await;
    let auditor = PostgresStore::connect(&auditor).unwrap();
    // With nothing due too: cron is to hear of it before something is.
    sweep_fails(&auditor).await;
    set_clock(&mut database.connect().await, make::at(END)).await;
    sweep_fails(&auditor).await;
    let closer = database.user("in role gavel_closer").await;
    let closer = PostgresStore::connect(&closer).unwrap();
    let (report, outcome) = sweep(&closer, &SweepOptions::default(), |_| {}).await;
    outcome.unwrap();
    assert_eq!(report.closed, 1);
}

#[tokio::test]
async fn a_sweep_of_a_read_only_database_fails_and_calls_no_auction_bad() {
    let database = database().await;
    database.set("default_transaction_read_only = on").await;
    sweep_fails(&database.store()).await;
    let mut owner = database.connect().await;
    let write = "set default_transaction_read_only = off";
    owner.execute(write).await.unwrap();
    set_clock(&mut owner, make::at(END)).await;
    sweep_fails(&database.store()).await;
}

#[tokio::test]
async fn a_statement_timeout_is_temporary_and_named() {
    let database = database().await;
    let mut other = database.connect().await;
    other.execute(LOCK_AUCTIONS).await.unwrap();
    database.set("statement_timeout = 100").await;
    let bid = bid(1, 2, "ann", 2_000);
    let error = database.store().bid_place(&bid, COMMIT).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::TimedOut);
    assert!(error.to_string().contains("statement_timeout"), "{error}");
    assert!(error.is_temporary() && !error.leaves_outcome_open());
}

#[tokio::test]
async fn a_watch_waits_no_longer_than_a_bid() {
    let database = database().await;
    let mut other = database.connect().await;
    other.execute(LOCK_AUCTIONS).await.unwrap();
    let (store, eve) = (database.store(), party("eve"));
    let added = store.watch_add(id(1), &eve, COMMIT).await;
    assert_eq!(added.unwrap_err().kind(), StoreErrorKind::Contended);
    let removed = store.watch_remove(id(1), &eve, COMMIT).await;
    assert_eq!(removed.unwrap_err().kind(), StoreErrorKind::Contended);
}

#[tokio::test]
async fn how_a_session_reads_backslashes_does_not_matter() {
    let database = Database::stopped().await;
    database.set("standard_conforming_strings = off").await;
    let store = database.store();
    let create = make::create(id(1), request(1), terms());
    store.auction_create(&[create], COMMIT).await.unwrap();
    let placed = store.bid_place(&bid(1, 2, "ann", 2_000), COMMIT).await;
    placed.unwrap();
    set_clock(&mut database.connect().await, make::at(END)).await;
    store.auction_close(id(1), COMMIT).await.unwrap();
    let found = read_all(&store).await.unwrap().pop().unwrap();
    assert_sound(&found.entries, &found.row.unwrap());
    let views = "select (select count(*) from gavel.public_ledger)
                      + (select count(*) from gavel.auditor_ledger where commit is not null)";
    let mut owner = database.connect().await;
    let seen: i64 = sqlx::query_scalar(views)
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert_eq!(seen, 4);
}

/// A pooler's limit makes the fourth wait, the role's refuses it: either way it does not come.
#[tokio::test]
async fn reading_everything_gives_up_without_its_connections() {
    let database = database().await;
    let url = database
        .user("in role gavel_auditor connection limit 3")
        .await;
    let store = PostgresStore::connect(&url).unwrap();
    let error = read_all(&store).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::TimedOut);
    let told = error.to_string();
    assert!(told.contains("4 connections"), "{told}");
    assert!(told.contains("default_pool_size"), "{told}");
}

#[tokio::test]
async fn reading_everything_waits_for_a_connection_that_becomes_free() {
    let database = database().await;
    let url = database
        .user("in role gavel_auditor connection limit 4")
        .await;
    let holder = sqlx::PgConnection::connect(&url).await.unwrap();
    let store = PostgresStore::connect(&url).unwrap();
    let mut reading = JoinSet::new();
    reading.spawn(async move { read_all(&store).await });
    let taken = "select count(*) from pg_stat_activity
                 where datname = current_database() and usename like 'user%'";
    database.until(4, taken).await;
    holder.close().await.unwrap();
    assert_eq!(
        reading.join_next().await.unwrap().unwrap().unwrap().len(),
        1
    );
}

#[tokio::test]
async fn a_snapshot_that_the_server_ends_is_temporary() {
    let database = database().await;
    let limit = "idle_in_transaction_session_timeout = 1";
    database.set(limit).await;
    let error = read_all(&database.store()).await.unwrap_err();
    assert!(error.is_temporary(), "{error:?}");
}

#[tokio::test]
async fn another_encoding_is_refused_in_words() {
    let database = Database::in_encoding("SQL_ASCII").await;
    let error = database.store().migrate().await.unwrap_err();
    let told = "gavel needs a database with encoding UTF8";
    assert_eq!(error.to_string(), told);
    let state = database.store().migration_state().await.unwrap();
    assert_eq!(state.applied, [] as [i64; 0]);
}
