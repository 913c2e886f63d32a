//! The heads that a store tells, their order, and the instant behind which nothing ends any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gavel::auction::operator::Deed;
use gavel::auction::{AuctionId, Micros, Terms};
use gavel::store::{Contract, EndedHead, HeadRead, PostgresStore, SqliteStore};
use sqlx::Executor as _;
use tokio::sync::mpsc;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{accepted, clock, closed, done, opened, row};
use crate::support::make::{END, SECOND, START, at, id, terms};
use crate::support::postgres::Database;

on_every_backend!(
    what_has_ended_is_told_in_the_order_of_the_ends,
    nothing_ends_before_what_is_settled,
    a_reader_that_leaves_is_no_error,
);

pub(super) async fn heads(store: &impl Contract, before: Micros) -> Vec<EndedHead> {
    let (out, mut chunks) = mpsc::channel::<Vec<HeadRead>>(1);
    let collect = async {
        let mut all = Vec::new();
        while let Some(chunk) = chunks.recv().await {
            all.extend(chunk.into_iter().map(Result::unwrap));
        }
        all
    };
    let (read, all) = tokio::join!(store.heads_read(before, out), collect);
    read.unwrap();
    all
}

fn ids(heads: &[EndedHead]) -> Vec<i64> {
    heads.iter().map(|head| head.auction_id.get()).collect()
}

async fn what_has_ended_is_told_in_the_order_of_the_ends<B: Backend>(backend: Arc<B>) {
    let burst = AuctionId::BURST_MIN + 1;
    for number in [1, 2, 3, 4, 5, 6, burst] {
        opened(&*backend, number, terms()).await;
    }
    clock(&*backend, START + SECOND).await;
    accepted(&*backend, 5, 2, "ann", 5_000).await;
    done(&*backend, 4, 3, Deed::Cancel).await;
    clock(&*backend, END + 1).await;
    closed(&*backend, 5).await;
    closed(&*backend, 3).await;
    closed(&*backend, burst).await;
    clock(&*backend, END + 2).await;
    closed(&*backend, 1).await;
    clock(&*backend, END + 3).await;
    closed(&*backend, 2).await;
    let store = backend.store();
    let all = heads(store, Micros::MAX).await;
    assert_eq!(ids(&all), [4, 3, 5, 1, 2]);
    let ends = [START + SECOND, END + 1, END + 1, END + 2, END + 3];
    assert_eq!(
        all.iter().map(|head| head.ended.get()).collect::<Vec<_>>(),
        ends
    );
    for head in &all {
        assert_eq!(head.head, row(&*backend, head.auction_id.get()).await.head);
    }
    // Strictly before.
    assert_eq!(ids(&heads(store, at(END + 2)).await), [4, 3, 5]);
    assert_eq!(ids(&heads(store, at(END + 3)).await), [4, 3, 5, 1]);
    assert_eq!(heads(store, Micros::MIN).await, []);
}

async fn nothing_ends_before_what_is_settled<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, END).await;
    let store = backend.store();
    assert_eq!(store.heads_settled().await.unwrap(), at(END));
    closed(&*backend, 1).await;
    assert_eq!(heads(store, at(END)).await, []);
    clock(&*backend, END + 1).await;
    let settled = store.heads_settled().await.unwrap();
    assert_eq!(ids(&heads(store, settled).await), [1]);
}

async fn a_reader_that_leaves_is_no_error<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, END).await;
    closed(&*backend, 1).await;
    let (out, chunks) = mpsc::channel(1);
    drop(chunks);
    backend.store().heads_read(Micros::MAX, out).await.unwrap();
}

/// Without the right to write there is no lock to take: a margin stands for it.
#[cfg(unix)]
#[tokio::test]
async fn an_sqlite_file_that_cannot_be_written_is_settled_a_minute_ago() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gavel.db");
    let now = gavel::clock::Clock::settable(at(END));
    let store = SqliteStore::open(&path, now.clone(), true).unwrap();
    store.migrate().await.unwrap();
    store.close().await;
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&path, 0o400);
    mode(folder.path(), 0o500);
    // Whoever may do everything may write it all the same.
    let may_write = std::fs::OpenOptions::new().write(true).open(&path).is_ok();
    let store = SqliteStore::open(&path, now, false).unwrap();
    let settled = store.heads_settled().await.unwrap();
    let expected = if may_write { END } else { END - 60 * SECOND };
    assert_eq!(settled, at(expected));
    assert_eq!(heads(&store, settled).await, []);
    mode(folder.path(), 0o700);
}

/// Closes auction 1 in a transaction that is not committed yet.
async fn closing(database: &Database) -> sqlx::postgres::PgConnection {
    let mut closer = database.connect().await;
    closer.execute("begin").await.unwrap();
    closer
        .execute("select * from gavel.close_these('{1}')")
        .await
        .unwrap();
    closer
}

async fn due() -> (Database, PostgresStore) {
    let database = Database::stopped().await;
    let store = database.store();
    let create = |number| {
        let request = crate::support::make::request(1);
        crate::support::make::create(id(number), request, Terms { ..terms() })
    };
    let creates = [create(1), create(2)];
    let replies = store.auction_create(&creates, crate::support::drive::COMMIT);
    assert_eq!(replies.await.unwrap().len(), 2);
    set(&database, END).await;
    (database, store)
}

async fn set(database: &Database, us: i64) {
    let mut connection = database.connect().await;
    crate::support::postgres::set_clock(&mut connection, at(us)).await;
}

/// An auditor, whose sessions can write nothing and see little of others'.
async fn auditor(database: &Database, store: &PostgresStore) -> PostgresStore {
    store.roles_make().await.unwrap();
    let mut owner = database.connect().await;
    // The harness's clock is read by everybody, as the real one is.
    let grant = "grant select on public.test_clock to public";
    owner.execute(grant).await.unwrap();
    let url = database.user("in role gavel_auditor").await;
    let read_only = format!("{url}&options=-c%20default_transaction_read_only%3Don");
    PostgresStore::connect(&read_only).unwrap()
}

#[tokio::test]
async fn an_auditor_waits_for_a_closing_that_is_not_committed() {
    let (database, owner) = due().await;
    let store = auditor(&database, &owner).await;
    let mut closer = closing(&database).await;
    // Its clock is behind it; a cut in front of it must not be told before it is seen.
    set(&database, END + 1).await;
    let committed = AtomicBool::new(false);
    let commit = async {
        let looks = "select least(count(*), 1) from pg_stat_activity
                     where application_name = 'gavel' and query like '%virtualtransaction%'
                       and datname = current_database() and pid <> pg_backend_pid()";
        database.until(1, looks).await;
        committed.store(true, Ordering::SeqCst);
        closer.execute("commit").await.unwrap();
    };
    let settle = async {
        let settled = store.heads_settled().await.unwrap();
        (settled, committed.load(Ordering::SeqCst))
    };
    let ((settled, after_commit), ()) = tokio::join!(settle, commit);
    assert!(after_commit);
    assert_eq!(settled, at(END + 1));
    assert_eq!(ids(&heads(&store, settled).await), [1]);
}

/// Takes the seconds that readers are waited for.
#[tokio::test]
async fn who_only_reads_delays_a_checkpoint_and_does_not_hold_it_up() {
    let (database, store) = due().await;
    let mut reader = database.connect().await;
    reader
        .execute("begin isolation level repeatable read")
        .await
        .unwrap();
    reader
        .execute("select count(*) from gavel.auctions")
        .await
        .unwrap();
    assert_eq!(store.heads_settled().await.unwrap(), at(END));
    reader.execute("commit").await.unwrap();
}
