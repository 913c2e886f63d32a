//! A live database with auctions that end in a moment, and daemons on it.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use gavel::auction::{Bid, Remit, Terms};
use gavel::clock::Clock;
use gavel::store::{AuctionRow, Contract as _, Dossier, Reply, Scope, Store, StoreUrl};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _};
use tokio::sync::mpsc;

use crate::support::audit::findings;
use crate::support::cli::{Desk, words};
use crate::support::drive::COMMIT;
use crate::support::make::{MINUTE, at, bid_of, create, currency, id, request, terms};
use crate::support::postgres::{Database, OwnServer};

/// How long anything here is waited for.
const PATIENCE: Duration = Duration::from_secs(90);

/// Makes one test a database of each `async fn name(hall: Hall)`.
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    let hall = crate::closer::hall::Hall::sqlite().await;
                    Box::pin(super::$test(hall)).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    let hall = crate::closer::hall::Hall::postgres().await;
                    Box::pin(super::$test(hall)).await;
                }
            )+
        }
    };
}
pub(crate) use on_both;

pub(crate) struct Hall {
    pub(crate) desk: Desk,
    pub(crate) store: Store,
    url: String,
}

impl Hall {
    pub(crate) async fn sqlite() -> Self {
        let desk = Desk::bare();
        let url = format!("sqlite:{}", desk.path("gavel.db").display());
        let hall = Self::on(desk, url);
        hall.store.migrate().await.unwrap();
        hall
    }

    pub(crate) async fn postgres() -> Self {
        let database = Database::ticking().await;
        Self::on(Desk::bare(), database.url)
    }

    /// Daemons have the rights of a closer, and no more.
    pub(crate) async fn of_a_closer() -> Self {
        let database = Database::ticking().await;
        let store = database.store();
        store.roles_make().await.unwrap();
        let url = database.user("in role gavel_closer").await;
        let hall = Self::on(Desk::bare(), database.url);
        Self { url, ..hall }
    }

    pub(crate) fn of(server: &OwnServer) -> Self {
        Self::on(Desk::bare(), server.url())
    }

    fn on(desk: Desk, url: String) -> Self {
        let parsed: StoreUrl = url.parse().unwrap();
        let store = Store::connect(&parsed, Clock::System, true).unwrap();
        Self { desk, store, url }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Auctions 1 to `number`, each ending so many milliseconds from now.
    pub(crate) async fn lots(&self, number: i64, ends_in_ms: impl Fn(i64) -> i64) {
        self.lots_with(number, ends_in_ms, &terms()).await;
    }

    pub(crate) async fn lots_with(
        &self,
        number: i64,
        ends_in_ms: impl Fn(i64) -> i64,
        terms: &Terms,
    ) {
        let now_us = self.store.now().await.unwrap().get();
        let lot = |number: i64| {
            let terms = Terms {
                start: at(now_us - MINUTE),
                end: at(now_us + 1_000 * ends_in_ms(number)),
                ..terms.clone()
            };
            create(id(number), request(1), terms)
        };
        let creates: Vec<_> = (1..=number).map(lot).collect();
        let replies = self.store.auction_create(&creates, COMMIT).await.unwrap();
        for reply in replies {
            assert!(matches!(reply, Reply::Done(_)), "{reply:?}");
        }
    }

    /// So many auctions that have ended.
    pub(crate) async fn overdue(&self, number: i64) {
        self.lots(number, |_| 800).await;
        self.until(async || {
            let due = self.store.backlog(Remit::ALL).await.unwrap().due;
            due == number
        })
        .await;
    }

    pub(crate) fn bid(&self, number: i64, maximum: i64) -> Bid {
        bid_of(id(number), request(2), "ann", maximum, currency("USD"))
    }

    /// A daemon, writing to files of this name.
    pub(crate) fn daemon(&self, name: &str, options: &str) -> Daemon {
        self.daemon_with(name, options, &[])
    }

    /// With variables of its own.
    pub(crate) fn daemon_with(
        &self,
        name: &str,
        options: &str,
        variables: &[(&str, &str)],
    ) -> Daemon {
        let line = format!("close-sweep --daemon --format json {options}");
        let file = |ending: &str| File::create(self.desk.path(&format!("{name}.{ending}")));
        let child = self
            .desk
            .command(&words(&line))
            .env("DATABASE_URL", &self.url)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(file("out").unwrap())
            .stderr(file("err").unwrap())
            .spawn();
        Daemon {
            child: child.unwrap(),
            name: name.to_owned(),
        }
    }

    /// What a daemon has said to standard error, or `out` of its results.
    pub(crate) fn said(&self, daemon: &Daemon, ending: &str) -> String {
        let file = format!("{}.{ending}", daemon.name);
        std::fs::read_to_string(self.desk.path(&file)).unwrap()
    }

    /// The sum of what a daemon says it has closed.
    pub(crate) fn told(&self, daemon: &Daemon) -> u64 {
        let lines = self.said(daemon, "out");
        let closed = lines.lines().map(|line| {
            let tick: serde_json::Value = serde_json::from_str(line).unwrap();
            tick["closed"].as_u64().unwrap()
        });
        closed.sum()
    }

    /// Waits until it says something to standard error.
    pub(crate) async fn until_said(&self, daemon: &Daemon, text: &str) {
        self.until(async || self.said(daemon, "err").contains(text))
            .await;
    }

    pub(crate) async fn row(&self, number: i64) -> AuctionRow {
        let row = self.store.auction_get(id(number)).await.unwrap();
        row.unwrap()
    }

    pub(crate) async fn closed(&self) -> usize {
        let all = self.dossiers().await;
        let rows = all.iter().filter_map(|dossier| dossier.row.as_ref());
        rows.filter(|row| row.status.is_closed()).count()
    }

    pub(crate) async fn until_closed(&self, number: usize) {
        self.until(async || self.closed().await >= number).await;
    }

    /// Waits for a state.
    pub(crate) async fn until(&self, holds: impl AsyncFn() -> bool) {
        let waiting = async {
            while !holds().await {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        waited.expect("waited too long");
    }

    /// All closed, not before their ends, one event each, and an audit finds nothing. The rows by
    /// end.
    pub(crate) async fn all_closed_once(&self, number: usize) -> Vec<AuctionRow> {
        let mut rows = Vec::new();
        for dossier in self.dossiers().await {
            let row = dossier.row.unwrap();
            assert!(row.status.is_closed(), "{row:?}");
            assert!(row.closed_at.unwrap() >= row.end, "{row:?}");
            assert_eq!(dossier.events.len(), 1);
            rows.push(row);
        }
        assert_eq!(rows.len(), number);
        assert_eq!(findings(&self.store).await, []);
        rows.sort_by_key(|row| row.end);
        rows
    }

    async fn dossiers(&self) -> Vec<Dossier> {
        let (out, mut chunks) = mpsc::channel(1);
        let collect = async {
            let mut all = Vec::new();
            while let Some(chunk) = chunks.recv().await {
                all.extend(chunk);
            }
            all
        };
        let reading = self.store.dossiers_read(&Scope::All, out);
        let (read, all) = tokio::join!(reading, collect);
        read.unwrap();
        all
    }

    /// Past gavel.
    pub(crate) async fn raw(&self, sqlite: &'static str, postgres: &'static str) {
        match &self.store {
            Store::Sqlite(store) => {
                let options = SqliteConnectOptions::new().filename(store.path());
                let mut connection = options.connect().await.unwrap();
                connection.execute(sqlite).await.unwrap();
            }
            Store::Postgres(_) => {
                self.owner().await.execute(postgres).await.unwrap();
            }
        }
    }

    /// Whether nobody holds the one write lock of a file; a server has none.
    pub(crate) async fn is_writable(&self) -> bool {
        let Store::Sqlite(store) = &self.store else {
            return true;
        };
        let options = SqliteConnectOptions::new().filename(store.path());
        let options = options.busy_timeout(Duration::ZERO);
        let mut connection = options.connect().await.unwrap();
        connection
            .execute("begin immediate; rollback")
            .await
            .is_ok()
    }

    /// A connection of the owner's, where the database is a server.
    pub(crate) async fn owner(&self) -> sqlx::postgres::PgConnection {
        let url = self.url.clone();
        Database { url }.connect().await
    }

    /// Waits until so many sessions wait for a lock.
    pub(crate) async fn until_waiting(&self, sessions: i64) {
        let url = self.url.clone();
        Database { url }.until_waiting(sessions).await;
    }
}

/// A process that ends with its test.
pub(crate) struct Daemon {
    child: Child,
    name: String,
}

impl Daemon {
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success(), "kill {signal}");
    }

    /// Asks it to stop; its exit code.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        self.signal("-TERM");
        self.ended()
    }

    /// Waits for its end.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // One that has ended cannot be killed, and need not be.
        self.child.kill().unwrap_or_default();
        self.child.wait().ok();
    }
}
