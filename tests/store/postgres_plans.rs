//! What a closer looks for is found by its index, and nothing else is read on the way: also where
//! the server knows nothing yet of what the tables hold (after a bulk load, an upgrade of the
//! server or a failover), and where as much is closed as is open.

use gavel::auction::{AuctionId, Entry, IdRange, Terms};
use gavel::store::{Contract as _, Dossier, ImportItem, LoadItem, PostgresStore, Reply, Scope};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor as _};
use tokio::sync::mpsc;

use crate::support::drive::COMMIT;
use crate::support::make::{self, END, MINUTE, at, terms};
use crate::support::postgres::{Database, set_clock};

/// Of them the first half has ended when the clock shows `END`.
const AUCTIONS: i64 = 3_000;
const SHARDS: &str = "array(select generate_series(0, 31))";

struct Scene {
    database: Database,
    store: PostgresStore,
    session: PgConnection,
}

/// The server of the tests never analyzes by itself.
async fn never_analyzed() -> Scene {
    let database = Database::stopped().await;
    let store = database.store();
    let lot = |number: i64| {
        let end = if number <= AUCTIONS / 2 {
            END
        } else {
            END + MINUTE
        };
        let terms = Terms {
            end: at(end),
            ..terms()
        };
        make::create(make::id(number), make::request(1), terms)
    };
    let creates: Vec<_> = (1..=AUCTIONS).map(lot).collect();
    store.auction_create(&creates, COMMIT).await.unwrap();
    let mut session = database.connect().await;
    let grant = "grant select on public.test_clock to public";
    session.execute(grant).await.unwrap();
    Scene {
        database,
        store,
        session,
    }
}

impl Scene {
    /// Closes all that have ended.
    async fn close_all(&mut self) {
        set_clock(&mut self.session, at(END)).await;
        for shard in 0..AuctionId::SHARDS {
            let batch = self
                .store
                .auction_close_due(shard, IdRange::ALL, 1_000, &[], COMMIT);
            assert_ne!(batch.await.unwrap().closed.len(), 0);
        }
    }

    /// How many auctions a statement reads.
    async fn read_by(&mut self, statement: &str) -> i64 {
        let mut session = self.database.connect().await;
        let mut transaction = session.begin().await.unwrap();
        // Often enough that a plan would be kept.
        let mut read = 0;
        for _ in 0..7 {
            let count = "select (seq_tup_read + idx_tup_fetch)::bigint
                         from pg_stat_xact_user_tables where relname = 'auctions'";
            let before: i64 = sqlx::query_scalar(count)
                .fetch_one(&mut *transaction)
                .await
                .unwrap();
            sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
                .execute(&mut *transaction)
                .await
                .unwrap();
            let after: i64 = sqlx::query_scalar(count)
                .fetch_one(&mut *transaction)
                .await
                .unwrap();
            read = read.max(after - before);
        }
        transaction.rollback().await.unwrap();
        read
    }

    async fn assert_reads_nothing(&mut self, statement: &str) {
        assert_eq!(self.read_by(statement).await, 0, "{statement}");
    }
}

#[tokio::test]
async fn nothing_is_read_where_nothing_is_due() {
    let mut scene = never_analyzed().await;
    for half_closed in [false, true] {
        if half_closed {
            scene.close_all().await;
        }
        scene
            .assert_reads_nothing(
                "select * from gavel.close_due(5, 1, 9007199254740991, 500, '{}')",
            )
            .await;
        let reap =
            format!("select * from gavel.reap_claims({SHARDS}, 1, 9007199254740991, 1, 1000)");
        scene.assert_reads_nothing(&reap).await;
        scene
            .assert_reads_nothing("select * from gavel.close_claimed('{}', '{}')")
            .await;
        scene
            .assert_reads_nothing("select * from gavel.release_claims('{}', '{}')")
            .await;
        scene
            .assert_reads_nothing("select * from gavel.claim_these('{}')")
            .await;
    }
}

#[tokio::test]
async fn a_few_auctions_are_read_for_a_few() {
    let mut scene = never_analyzed().await;
    scene.close_all().await;
    let ids = format!(
        "array(select generate_series({}, {AUCTIONS}))",
        AUCTIONS - 19
    );
    let claim = format!("select * from gavel.claim_these({ids})");
    set_clock(&mut scene.session, at(END + MINUTE)).await;
    for statement in [
        "select * from gavel.close_due(5, 1, 9007199254740991, 20, '{}')",
        &claim,
    ] {
        let read = scene.read_by(statement).await;
        assert!((20..=100).contains(&read), "{statement}: {read}");
    }
}

/// What a load has read of the tables row by row, told once its session has ended: here not more
/// than a few times what it wrote.
const LOADED: &str = r"
    select count(*) from pg_stat_user_tables
    where relname = 'auctions' and n_tup_ins = 3000 and seq_tup_read <= 9000
";

#[tokio::test]
async fn a_bulk_load_does_not_read_the_tables_again_for_each_chunk() {
    let scene = never_analyzed().await;
    let (out, mut chunks) = mpsc::channel(1);
    let mut dossiers: Vec<Dossier> = Vec::new();
    let taking = async {
        while let Some(chunk) = chunks.recv().await {
            dossiers.extend::<Vec<Dossier>>(chunk);
        }
    };
    let (read, ()) = tokio::join!(scene.store.dossiers_read(&Scope::All, out), taking);
    read.unwrap();

    let imported = Database::stopped().await;
    let store = imported.store();
    let (to_store, incoming) = mpsc::channel(1);
    let feeding = async {
        for chunk in dossiers.chunks(50) {
            let chunk = ImportItem::Chunk(chunk.to_vec());
            to_store.send(chunk).await.unwrap();
        }
        to_store.send(ImportItem::End).await.unwrap();
    };
    let (report, ()) = tokio::join!(store.dossiers_import(incoming, COMMIT), feeding);
    assert_eq!(report.unwrap().imported, 3_000);
    store.close().await;
    imported.until(1, LOADED).await;

    let loaded = Database::stopped().await;
    let store = loaded.store();
    let (to_store, incoming) = mpsc::channel(1);
    let (replies, mut answers) = mpsc::channel(1);
    let feeding = async {
        for first in (1..=AUCTIONS).step_by(50) {
            let create = |number| make::create(make::id(number), make::request(1), terms());
            let chunk: Vec<_> = (first..first + 50).map(create).collect();
            to_store.send(LoadItem::Chunk(chunk)).await.unwrap();
            let answered: Vec<Reply<Entry>> = answers.recv().await.unwrap();
            assert_eq!(answered.len(), 50);
        }
        to_store.send(LoadItem::End).await.unwrap();
    };
    let (load, ()) = tokio::join!(store.auctions_load(incoming, replies, COMMIT), feeding);
    load.unwrap();
    store.close().await;
    loaded.until(1, LOADED).await;
}
