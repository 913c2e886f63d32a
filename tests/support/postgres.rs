//! A PostgreSQL server for the tests: the installed programs, one server a run, one database a
//! test, made from a template.
//!
//! The server lives in a folder of its own and is watched by a shell that waits for the end of
//! its input: however the tests end, killed or not, the server stops and the folder goes.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use gavel::auction::{AuctionId, Micros, Status};
use gavel::store::{Contract as _, PostgresStore};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tokio::sync::{Mutex, OnceCell};

use super::backend::Backend;
use super::make::START;

/// `$1`: the folder of the server programs, `$2`: a free port.
const WATCHED_SERVER: &str = r#"
set -eu
dir=$(mktemp -d "${TMPDIR:-/tmp}/gavel-test-postgres.XXXXXX")
trap 'rm -rf "$dir"' EXIT
"$1/initdb" -D "$dir/data" -U tester --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log"; exit 1; }
{ printf 'local all guarded scram-sha-256\n'; cat "$dir/data/pg_hba.conf"; } >"$dir/hba"
mv "$dir/hba" "$dir/data/pg_hba.conf"
"$1/pg_ctl" -D "$dir/data" -l "$dir/server.log" -s -w -t 60 -o "-c port=$2 \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir -c max_connections=300 \
    -c shared_buffers=64MB -c fsync=off -c full_page_writes=off -c synchronous_commit=off \
    -c autovacuum=off" start >/dev/null 2>&1 || { cat "$dir/server.log"; exit 1; }
echo "ready $dir"
cat >/dev/null || true
"$1/pg_ctl" -D "$dir/data" -s -m immediate stop
"#;

/// How often another port is tried: one that was free may be taken by the time it is used.
const START_ATTEMPTS: u32 = 3;

static SERVER: OnceCell<Server> = OnceCell::const_new();

struct Server {
    port: u16,
    /// Where its socket is.
    folder: String,
    databases: AtomicU32,
    /// Holds the input that the watching shell waits on.
    _shell: Child,
}

/// A database of one test's own.
pub(crate) struct Database {
    pub(crate) url: String,
}

impl Database {
    /// Migrated, with the server's clock.
    pub(crate) async fn ticking() -> Self {
        Self::from_template("ticking").await
    }

    /// Migrated, with a clock that stands at [`START`] until it is set.
    pub(crate) async fn stopped() -> Self {
        Self::from_template("stopped").await
    }

    /// Without a schema; once migrated, its clock stands too.
    pub(crate) async fn bare() -> Self {
        Self::from_template("bare").await
    }

    async fn from_template(template: &str) -> Self {
        let server = SERVER.get_or_init(Server::start).await;
        let name = format!("t{}", server.databases.fetch_add(1, Ordering::SeqCst));
        server.create(&name, template).await;
        let database = Self {
            url: server.url(&name),
        };
        if ["ticking", "stopped"].contains(&template) {
            // A copy is an installation of its own.
            let renew = "update gavel.meta set value = gen_random_uuid()::text
                         where name = 'installation'";
            database.connect().await.execute(renew).await.unwrap();
        }
        database
    }

    /// Without a schema, in another encoding than gavel's.
    pub(crate) async fn in_encoding(encoding: &str) -> Self {
        Self::from_template(&format!("template0 encoding '{encoding}'")).await
    }

    pub(crate) fn store(&self) -> PostgresStore {
        PostgresStore::connect(&self.url).unwrap()
    }

    /// The URL of a user made for the test, with what these words of CREATE ROLE give it.
    pub(crate) async fn user(&self, words: &str) -> String {
        let number = SERVER
            .get()
            .unwrap()
            .databases
            .fetch_add(1, Ordering::SeqCst);
        let make = format!("create role user_{number} login {words}");
        let mut owner = self.connect().await;
        owner.execute(AssertSqlSafe(make)).await.unwrap();
        self.url.replacen("tester@", &format!("user_{number}@"), 1)
    }

    /// Makes the one user whom the server asks for a password; URLs by the password given. One test
    /// alone can have it.
    pub(crate) async fn guarded(&self, password: &str) -> impl Fn(&str) -> String {
        let make = format!("create role guarded login superuser password '{password}'");
        let mut owner = self.connect().await;
        owner.execute(AssertSqlSafe(make)).await.unwrap();
        let url = self.url.clone();
        move |password| url.replacen("tester@", &format!("guarded:{password}@"), 1)
    }

    /// Changes a setting for every later session.
    pub(crate) async fn set(&self, setting: &str) {
        let set = format!(
            "do $$ begin execute format('alter database %I set {setting}', current_database()); \
             end $$"
        );
        let mut owner = self.connect().await;
        owner.execute(AssertSqlSafe(set)).await.unwrap();
    }

    /// Waits until the server counts something.
    pub(crate) async fn until(&self, count: i64, query: &'static str) {
        let mut owner = self.connect().await;
        let waiting = async {
            loop {
                let query = sqlx::query_scalar(query).persistent(false);
                let found: i64 = query.fetch_one(&mut owner).await.unwrap();
                if found == count {
                    return;
                }
                tokio::task::yield_now().await;
            }
        };
        let limit = std::time::Duration::from_secs(60);
        tokio::time::timeout(limit, waiting).await.expect(query);
    }

    /// Waits until so many sessions of this database wait for a lock.
    pub(crate) async fn until_waiting(&self, sessions: i64) {
        let query = r"
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
        ";
        self.until(sessions, query).await;
    }

    /// A connection past gavel, as the owner of everything.
    pub(crate) async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.unwrap()
    }
}

/// Puts a clock in the place of the server's as soon as a migration makes that. Only tests do.
const STOP_CLOCK: &str = r"
    create table public.test_clock (us bigint not null);
    create function public.stop_clock() returns event_trigger language plpgsql as $stop$
    begin
        if exists (select from pg_proc p where p.oid = to_regprocedure('gavel.clock_us()')
                   and p.prosrc not like '%test_clock%') then
            create or replace function gavel.clock_us() returns bigint
            language sql volatile as $$ select us from public.test_clock $$;
        end if;
    end $stop$;
    create event trigger stop_clock on ddl_command_end when tag in ('CREATE FUNCTION')
        execute function public.stop_clock();
";

pub(crate) async fn set_clock(connection: &mut PgConnection, now: Micros) {
    let done = sqlx::query("update public.test_clock set us = $1")
        .bind(now.get())
        .execute(connection)
        .await;
    assert_eq!(done.unwrap().rows_affected(), 1);
}

/// PostgreSQL as a backend of the conformance suite.
pub(crate) struct Postgres {
    database: Database,
    store: PostgresStore,
    /// Sets the clock.
    connection: Mutex<PgConnection>,
}

impl Postgres {
    async fn on(database: Database) -> Self {
        Self {
            store: database.store(),
            connection: Mutex::new(database.connect().await),
            database,
        }
    }

    async fn raw(&self, query: &'static str, auction_id: AuctionId, value: Option<&str>) {
        let done = sqlx::query(query)
            .bind(auction_id.get())
            .bind(value)
            .execute(&mut *self.connection.lock().await)
            .await;
        assert_eq!(done.unwrap().rows_affected(), 1);
    }
}

impl Backend for Postgres {
    type Store = PostgresStore;

    async fn bare() -> Self {
        Self::on(Database::bare().await).await
    }

    async fn fresh() -> Self {
        Self::on(Database::stopped().await).await
    }

    fn store(&self) -> &PostgresStore {
        &self.store
    }

    fn url(&self) -> String {
        self.database.url.clone()
    }

    async fn other(&self) -> PostgresStore {
        self.database.store()
    }

    async fn set_clock(&self, now: Micros) {
        set_clock(&mut *self.connection.lock().await, now).await;
    }

    async fn set_owner(&self, auction_id: AuctionId, node: Option<&str>) {
        let query = "update gavel.auctions set owner_node = $2 where auction_id = $1";
        self.raw(query, auction_id, node).await;
    }

    async fn set_status(&self, auction_id: AuctionId, status: Status) {
        let query = "update gavel.auctions set status = $2 where auction_id = $1";
        self.raw(query, auction_id, Some(status.as_str())).await;
    }

    async fn spoil(&self, auction_id: AuctionId) {
        let query = r"
            insert into gavel.outbox (auction_id, event_id, kind, end_us, closed_us, ledger_head)
            select a.auction_id, a.auction_id || '.closed', 'auction.closed', a.end_us, a.end_us,
                   a.head
            from gavel.auctions a where a.auction_id = $1 and $2::text is null
        ";
        self.raw(query, auction_id, None).await;
    }
}

/// The same, as behind a pooler in transaction mode: nothing prepared, a transaction around all.
pub(crate) struct Pooled(Postgres);

impl Pooled {
    async fn on(database: Database) -> Self {
        let inner = Postgres::on(database).await;
        let store = Self::store_of(&inner.database);
        Self(Postgres { store, ..inner })
    }

    fn url_of(database: &Database) -> String {
        format!("{}&statement-cache-capacity=0", database.url)
    }

    fn store_of(database: &Database) -> PostgresStore {
        PostgresStore::connect(&Self::url_of(database)).unwrap()
    }
}

impl Backend for Pooled {
    type Store = PostgresStore;

    /// Migrations refuse a pooler; the database is migrated past it.
    async fn bare() -> Self {
        Self::on(Database::stopped().await).await
    }

    async fn fresh() -> Self {
        Self::bare().await
    }

    fn store(&self) -> &PostgresStore {
        &self.0.store
    }

    fn url(&self) -> String {
        Self::url_of(&self.0.database)
    }

    async fn other(&self) -> PostgresStore {
        Self::store_of(&self.0.database)
    }

    async fn set_clock(&self, now: Micros) {
        self.0.set_clock(now).await;
    }

    async fn set_owner(&self, auction_id: AuctionId, node: Option<&str>) {
        self.0.set_owner(auction_id, node).await;
    }

    async fn set_status(&self, auction_id: AuctionId, status: Status) {
        self.0.set_status(auction_id, status).await;
    }

    async fn spoil(&self, auction_id: AuctionId) {
        self.0.spoil(auction_id).await;
    }
}

/// A server of one test's own, which can be stopped.
pub(crate) struct OwnServer {
    server: Server,
    programs: PathBuf,
}

impl OwnServer {
    pub(crate) async fn start() -> Self {
        Self {
            server: Server::start().await,
            programs: programs(),
        }
    }

    /// A migrated database with the server's clock.
    pub(crate) fn url(&self) -> String {
        self.server.url("ticking")
    }

    /// As if its power went: what it did not keep is lost, and it recovers when it starts.
    pub(crate) fn stop(&self) {
        self.control(&["-m", "immediate", "stop"]);
    }

    /// Kills it and its sessions at one blow.
    pub(crate) fn kill(&self) {
        let Server { port, folder, .. } = &self.server;
        let file = format!("{folder}/data/postmaster.pid");
        let text = std::fs::read_to_string(&file).unwrap();
        let server = text.lines().next().unwrap();
        let sessions = told("ps", &["-o", "pid=", "--ppid", server]);
        let all: Vec<&str> = [server]
            .into_iter()
            .chain(sessions.split_whitespace())
            .collect();
        told("kill", &[&["-KILL"], &all[..]].concat());
        // What nobody has waited for yet is dead as well, but looks alive to the next server.
        let is_dead = |state: &str| state.starts_with('Z');
        let states = || told("ps", &["-o", "stat=", "-p", &all.join(",")]);
        while !states().split_whitespace().all(is_dead) {}
        std::fs::remove_file(file).unwrap();
        std::fs::remove_file(format!("{folder}/.s.PGSQL.{port}.lock")).unwrap();
    }

    pub(crate) fn start_again(&self) {
        let options = format!("{}/data/postmaster.opts", self.server.folder);
        let mut given = std::fs::read_to_string(options).unwrap();
        // The program's own path comes first, each option in quotes.
        given = given.trim().split_once(' ').unwrap().1.to_owned();
        self.control(&["-w", "-t", "60", "-o", &given, "start"]);
    }

    fn control(&self, words: &[&str]) {
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]);
            command.arg(self.programs.join("pg_ctl"));
            command
        } else {
            Command::new(self.programs.join("pg_ctl"))
        };
        let status = command
            .args(["-D", &format!("{}/data", self.server.folder), "-s"])
            .args(words)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "pg_ctl {words:?}");
    }
}

impl Server {
    async fn start() -> Self {
        let programs = programs();
        let mut failures = String::new();
        for _ in 0..START_ATTEMPTS {
            let port = free_port();
            match watched_server(&programs, port) {
                Ok((shell, folder)) => {
                    let server = Self {
                        port,
                        folder,
                        databases: AtomicU32::new(0),
                        _shell: shell,
                    };
                    server.make_templates().await;
                    return server;
                }
                Err(output) => failures.push_str(&output),
            }
        }
        panic!("PostgreSQL did not start:\n{failures}");
    }

    async fn make_templates(&self) {
        self.create("bare", "template1").await;
        let mut bare = PgConnection::connect(&self.url("bare")).await.unwrap();
        bare.execute(STOP_CLOCK).await.unwrap();
        sqlx::query("insert into public.test_clock values ($1)")
            .bind(START)
            .execute(&mut bare)
            .await
            .unwrap();
        bare.close().await.unwrap();
        self.create("stopped", "bare").await;
        self.create("ticking", "template1").await;
        for migrated in ["stopped", "ticking"] {
            let store = PostgresStore::connect(&self.url(migrated)).unwrap();
            store.migrate().await.unwrap();
            store.close().await;
        }
    }

    async fn create(&self, database: &str, template: &str) {
        let command = format!("create database {database} template {template}");
        let mut connection = PgConnection::connect(&self.url("postgres")).await.unwrap();
        connection.execute(AssertSqlSafe(command)).await.unwrap();
        connection.close().await.unwrap();
    }

    fn url(&self, database: &str) -> String {
        let Self { port, folder, .. } = self;
        format!("postgres://tester@localhost:{port}/{database}?host={folder}")
    }
}

/// Starts the server under its watching shell; what was printed instead of "ready" otherwise.
fn watched_server(programs: &Path, port: u16) -> Result<(Child, String), String> {
    // The server refuses to run as root; there its package's own user runs it.
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--", "sh"]);
        command
    } else {
        Command::new("sh")
    };
    let mut shell = command
        .args(["-c", WATCHED_SERVER, "sh"])
        .arg(programs)
        .arg(port.to_string())
        .current_dir("/")
        // Out of reach of a Ctrl-C, which ends the tests and thereby the server in order.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = String::new();
    for line in BufReader::new(shell.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(folder) = line.strip_prefix("ready ") {
            return Ok((shell, folder.to_owned()));
        }
        output.push_str(&line);
        output.push('\n');
    }
    shell.wait().unwrap();
    Err(output)
}

/// What a program says; it may fail, as where a process has ended meanwhile.
fn told(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}

/// A client program: beside the server's where it is there, else on the path.
pub(crate) fn client(name: &str) -> PathBuf {
    let beside = programs().join(name);
    if beside.is_file() {
        beside
    } else {
        name.into()
    }
}

/// The folder of the server programs: on the path, where `pg_config` says, or Debian's.
fn programs() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(config) = Command::new("pg_config").arg("--bindir").output() {
        let folder = String::from_utf8_lossy(&config.stdout);
        folders.push(PathBuf::from(folder.trim()));
    }
    let mut debian: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .map(|version| version.unwrap().path().join("bin"))
        .collect();
    debian.sort();
    folders.extend(debian.into_iter().rev());
    let complete = |folder: &PathBuf| {
        ["initdb", "pg_ctl", "postgres"]
            .iter()
            .all(|program| folder.join(program).is_file())
    };
    folders.into_iter().find(complete).expect(
        "these tests start a PostgreSQL server of their own and find no initdb, pg_ctl and \
         postgres: install the Debian package postgresql (or its like)",
    )
}
