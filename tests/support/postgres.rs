//! A PostgreSQL server for the tests: the installed programs, one server a run, one database a
//! test, made from a migrated template.
//!
//! The server lives in a folder of its own and is watched by a shell that waits for the end of
//! its input: however the tests end, killed or not, the server stops and the folder goes.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use gavel::auction::Micros;
use gavel::store::{Contract as _, PostgresStore};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tokio::sync::OnceCell;

/// `$1`: the folder of the server programs, `$2`: a free port.
const WATCHED_SERVER: &str = r#"
set -eu
dir=$(mktemp -d "${TMPDIR:-/tmp}/gavel-test-postgres.XXXXXX")
trap 'rm -rf "$dir"' EXIT
"$1/initdb" -D "$dir/data" -U gavel --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log"; exit 1; }
"$1/pg_ctl" -D "$dir/data" -l "$dir/server.log" -s -w -t 60 -o "-c port=$2 \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir -c max_connections=300 \
    -c shared_buffers=64MB -c fsync=off -c full_page_writes=off -c synchronous_commit=off \
    -c autovacuum=off" start >/dev/null 2>&1 || { cat "$dir/server.log"; exit 1; }
echo ready
cat >/dev/null || true
"$1/pg_ctl" -D "$dir/data" -s -m immediate stop
"#;

/// How often another port is tried: one that was free may be taken by the time it is used.
const START_ATTEMPTS: u32 = 3;

static SERVER: OnceCell<Server> = OnceCell::const_new();

struct Server {
    port: u16,
    databases: AtomicU32,
    /// Holds the input that the watching shell waits on.
    _shell: Child,
}

/// One test's database, migrated and empty.
pub(crate) struct Database {
    pub(crate) url: String,
}

impl Database {
    pub(crate) async fn fresh() -> Self {
        let server = SERVER.get_or_init(Server::start).await;
        let name = format!("t{}", server.databases.fetch_add(1, Ordering::SeqCst));
        server
            .maintain(&format!("create database {name} template gavel_template"))
            .await;
        Self {
            url: server.url(&name),
        }
    }

    pub(crate) fn store(&self) -> PostgresStore {
        PostgresStore::connect(&self.url).unwrap()
    }

    /// A connection past gavel, as the owner of everything.
    pub(crate) async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.unwrap()
    }

    /// Puts a clock in the place of the server's that stands until it is set. Only tests do.
    pub(crate) async fn stop_clock(&self) -> StoppedClock {
        let mut connection = self.connect().await;
        connection
            .execute(
                r"
                create table public.test_clock (us bigint not null);
                insert into public.test_clock values (1);
                create or replace function gavel.clock_us() returns bigint
                language sql volatile as $$ select us from public.test_clock $$;
                ",
            )
            .await
            .unwrap();
        StoppedClock { connection }
    }
}

/// A database's clock in a test's hand.
pub(crate) struct StoppedClock {
    connection: PgConnection,
}

impl StoppedClock {
    pub(crate) async fn set(&mut self, at: Micros) {
        sqlx::query("update public.test_clock set us = $1")
            .bind(at.get())
            .execute(&mut self.connection)
            .await
            .unwrap();
    }
}

impl Server {
    async fn start() -> Self {
        let programs = programs();
        let mut failures = String::new();
        for _ in 0..START_ATTEMPTS {
            let port = free_port();
            match watched_server(&programs, port) {
                Ok(shell) => {
                    let server = Self {
                        port,
                        databases: AtomicU32::new(0),
                        _shell: shell,
                    };
                    server.make_template().await;
                    return server;
                }
                Err(output) => failures.push_str(&output),
            }
        }
        panic!("PostgreSQL did not start:\n{failures}");
    }

    async fn make_template(&self) {
        self.maintain("create database gavel_template").await;
        let store = PostgresStore::connect(&self.url("gavel_template")).unwrap();
        assert_eq!(store.migrate().await.unwrap(), [1]);
        store.close().await;
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://gavel@127.0.0.1:{}/{database}", self.port)
    }

    async fn maintain(&self, command: &str) {
        let url = self.url("postgres");
        let mut connection = PgConnection::connect(&url).await.unwrap();
        connection
            .execute(AssertSqlSafe(command.to_owned()))
            .await
            .unwrap();
        connection.close().await.unwrap();
    }
}

/// Starts the server under its watching shell; what was printed instead of "ready" otherwise.
fn watched_server(programs: &Path, port: u16) -> Result<Child, String> {
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
        if line == "ready" {
            return Ok(shell);
        }
        output.push_str(&line);
        output.push('\n');
    }
    shell.wait().unwrap();
    Err(output)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
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
