//! What only SQLite has: transactions that it ends by itself, and a file that can be replaced.

use std::path::Path;

use gavel::auction::Status;
use gavel::clock::Clock;
use gavel::store::{Contract as _, SqliteStore, StoreErrorKind};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};

use crate::support::backend::{Backend as _, Sqlite};
use crate::support::drive::{accepted, clock, opened, row};
use crate::support::make::{END, at, id, terms};

async fn raw(store: &SqliteStore, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(store.path());
    let mut connection = options.connect().await.unwrap();
    connection.execute(sql).await.unwrap();
    connection.close().await.unwrap();
}

/// As it does where the device is full.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_the_database_ended_spoils_no_other() {
    let backend = Sqlite::fresh().await;
    opened(&backend, 1, terms()).await;
    opened(&backend, 2, terms()).await;
    clock(&backend, END).await;
    let store = backend.store();
    let end = "create trigger ended before insert on outbox when new.auction_id = 1
               begin select raise(rollback, 'the transaction is over'); end";
    raw(store, end).await;
    for _ in 0..3 {
        let error = store.auctions_close(&[id(1)]).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Failed);
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("the transaction is over"), "{cause}");
    }
    let batch = store.auctions_close(&[id(2)]).await.unwrap();
    assert_eq!(batch.closed.len(), 1);
    raw(store, "drop trigger ended").await;
    assert_eq!(
        store.auctions_close(&[id(1)]).await.unwrap().closed.len(),
        1
    );
}

fn put(from: &Path, to: &Path) {
    for ending in ["-wal", "-shm"] {
        let beside = format!("{}{ending}", to.display());
        // There is none where nobody had it open.
        std::fs::remove_file(beside).unwrap_or_default();
    }
    std::fs::rename(from, to).unwrap();
}

/// Whoever had the old file open works on the new one from then on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_was_restored_is_the_one_that_is_used() {
    let backend = Sqlite::fresh().await;
    let store = backend.store();
    opened(&backend, 1, terms()).await;
    let backup = store.path().with_extension("backup");
    let vacuum: &'static str = Box::leak(format!("vacuum into '{}'", backup.display()).into());
    raw(store, vacuum).await;
    accepted(&backend, 1, 2, "ann", 1_500).await;
    assert_eq!(row(&backend, 1).await.bid_count, 1);
    put(&backup, store.path());
    assert_eq!(row(&backend, 1).await.bid_count, 0);
    accepted(&backend, 1, 3, "ben", 1_500).await;
    clock(&backend, END).await;
    assert_eq!(
        store.auctions_close(&[id(1)]).await.unwrap().closed.len(),
        1
    );
    // A store that is opened now sees the same.
    let clock = Clock::settable(at(END));
    let other = SqliteStore::open(store.path(), clock, false).unwrap();
    let found = other.auction_get(id(1)).await.unwrap().unwrap();
    assert_eq!(
        (found.status, found.winner),
        (Status::Closed, Some("ben".parse().unwrap()))
    );
}
