//! The databases under test, behind one trait, so that a conformance test is written once.
//!
//! A new backend implements [`Backend`] and gets one line in `on_every_backend`.

use std::sync::Arc;

use gavel::auction::{AuctionId, Micros, Status};
use gavel::clock::Clock;
use gavel::store::{Contract, SqliteStore};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use super::make::{START, at};

/// An empty database of its own, with a clock that stands where it is set.
pub(crate) trait Backend: Send + Sync + Sized + 'static {
    /// The store under test.
    type Store: Contract + 'static;

    /// A database without a schema.
    async fn bare() -> Self;
    fn store(&self) -> &Self::Store;
    /// What `--database-url` takes.
    fn url(&self) -> String;
    /// Another process's view of the same database: connections of its own.
    async fn other(&self) -> Self::Store;
    /// Stops the clock of a migrated database at an instant.
    async fn set_clock(&self, now: Micros);
    /// What only a hot-mode node will do: takes the auction, or gives it back.
    async fn set_owner(&self, auction_id: AuctionId, node: Option<&str>);
    /// What only another closer does: moves the status past the contract.
    async fn set_status(&self, auction_id: AuctionId, status: Status);
    /// Makes an auction one that cannot be closed: the event of its closing is there already.
    async fn spoil(&self, auction_id: AuctionId);

    /// A migrated database; the clock stands at [`START`].
    async fn fresh() -> Self {
        let backend = Self::bare().await;
        backend.store().migrate().await.unwrap();
        backend.set_clock(at(START)).await;
        backend
    }
}

/// The embedded database, in a folder that goes with the test.
pub(crate) struct Sqlite {
    store: SqliteStore,
    clock: Clock,
    folder: TempDir,
}

impl Sqlite {
    fn path(folder: &TempDir) -> std::path::PathBuf {
        folder.path().join("gavel.db")
    }

    async fn raw(&self, query: &'static str, auction_id: AuctionId, value: Option<&str>) {
        let options = SqliteConnectOptions::new().filename(Self::path(&self.folder));
        let mut connection = options.connect().await.unwrap();
        let done = sqlx::query(query)
            .bind(auction_id.get())
            .bind(value)
            .execute(&mut connection)
            .await
            .unwrap();
        assert_eq!(done.rows_affected(), 1);
        connection.close().await.unwrap();
    }
}

impl Backend for Sqlite {
    type Store = SqliteStore;

    async fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::settable(at(START));
        let store = SqliteStore::open(&Self::path(&folder), clock.clone(), true).unwrap();
        Self {
            store,
            clock,
            folder,
        }
    }

    fn store(&self) -> &SqliteStore {
        &self.store
    }

    fn url(&self) -> String {
        format!("sqlite:{}", Self::path(&self.folder).display())
    }

    async fn other(&self) -> SqliteStore {
        SqliteStore::open(&Self::path(&self.folder), self.clock.clone(), true).unwrap()
    }

    async fn set_clock(&self, now: Micros) {
        self.clock.set(now);
    }

    async fn set_owner(&self, auction_id: AuctionId, node: Option<&str>) {
        let query = "update auctions set owner_node = ?2 where auction_id = ?1";
        self.raw(query, auction_id, node).await;
    }

    async fn set_status(&self, auction_id: AuctionId, status: Status) {
        let query = "update auctions set status = ?2 where auction_id = ?1";
        self.raw(query, auction_id, Some(status.as_str())).await;
    }

    async fn spoil(&self, auction_id: AuctionId) {
        let query = r"
            insert into outbox (auction_id, event_id, kind, end_us, closed_us, ledger_head)
            select auction_id, auction_id || '.closed', 'auction.closed', end_us, end_us, head
            from auctions where auction_id = ?1 and ?2 is null
        ";
        self.raw(query, auction_id, None).await;
    }
}

/// Makes one test a backend of each `async fn name<B: Backend>(backend: Arc<B>)`. A function
/// that is not listed is dead code, which the lints refuse.
macro_rules! on_every_backend {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    let backend = crate::support::backend::fresh::<
                        crate::support::backend::Sqlite,
                    >().await;
                    Box::pin(super::$test(backend)).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    let backend = crate::support::backend::fresh::<
                        crate::support::postgres::Postgres,
                    >().await;
                    Box::pin(super::$test(backend)).await;
                }
            )+
        }
    };
}
pub(crate) use on_every_backend;

/// A migrated database that tasks can share.
pub(crate) async fn fresh<B: Backend>() -> Arc<B> {
    Arc::new(B::fresh().await)
}
