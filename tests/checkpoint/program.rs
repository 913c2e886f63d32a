//! The program against a record that was rewritten whole, and against one that was moved whole: by
//! what an outsider kept, the first is told and the second is the same.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use gavel::auction::Terms;
use sqlx::{AssertSqlSafe, Connection as _};

use crate::support::backend::{Backend, Sqlite, on_every_backend};
use crate::support::cli::Desk;
use crate::support::drive::{accepted, clock, closed, dossier, opened};
use crate::support::make::{MINUTE, SECOND, START, at, terms};
use crate::support::postgres::{Database, Postgres, client};
use crate::support::superuser::{erase, restore};

on_every_backend!(a_record_rewritten_whole_is_told_by_what_was_kept);

/// Long past by any clock.
const OPENS: i64 = START - 330 * 24 * 60 * MINUTE;
const ENDS: i64 = OPENS + 60 * MINUTE;

/// Auctions 1 to 3, sold; ben's maximum in the second as stated.
async fn play<B: Backend>(backend: &B, ben: i64) {
    clock(backend, OPENS).await;
    for number in 1..=3 {
        let past = Terms {
            start: at(OPENS),
            end: at(ENDS),
            ..terms()
        };
        opened(backend, number, past).await;
    }
    clock(backend, OPENS + SECOND).await;
    for number in 1..=3 {
        accepted(backend, number, 2, "ann", 5_000).await;
    }
    accepted(backend, 2, 3, "ben", ben).await;
    clock(backend, ENDS + SECOND).await;
    for number in 1..=3 {
        closed(backend, number).await;
    }
    clock(backend, ENDS + 9 * SECOND).await;
}

/// A desk on which an outsider's things lie: a checkpoint, its leaves, the events.
fn kept(url: &str) -> Desk {
    let desk = Desk::bare();
    for line in [
        "keygen desk.key",
        "checkpoint --key desk.key --out may.note --leaves may.csv",
        "export folder",
    ] {
        desk.ok(&format!("{line} --database-url '{url}'"));
    }
    desk
}

const AGAINST: &str = "--against may.note --key desk.key.pub";
const LEAVES: &str = "--leaves may.csv";
const KEPT: &str = "--kept folder/outbox.csv";

/// Auction, seq and check of each finding of a replay.
fn told(desk: &Desk, url: &str, options: &str) -> Vec<String> {
    let line = format!("replay {options} --format csv --quiet --database-url '{url}'");
    let said = desk.run(&line);
    let place = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(",");
    let found: Vec<_> = said.stdout.lines().skip(1).map(place).collect();
    let code = if found.is_empty() { 0 } else { 4 };
    assert_eq!(said.code, code, "{line}: {}{}", said.stdout, said.stderr);
    found
}

async fn a_record_rewritten_whole_is_told_by_what_was_kept<B: Backend>(backend: Arc<B>) {
    play(&*backend, 4_000).await;
    let url = backend.url();
    let desk = kept(&url);
    let all = format!("{AGAINST} {LEAVES} {KEPT}");
    assert_eq!(told(&desk, &url, &all), [""; 0]);

    // The same auction as if ben had been ready to pay less: entries, row and event.
    let elsewhere = Sqlite::fresh().await;
    play(&elsewhere, 2_000).await;
    erase(&*backend, 2).await;
    restore(&*backend, vec![dossier(&elsewhere, 2).await]).await;
    assert_eq!(told(&desk, &url, ""), [""; 0]);
    assert_eq!(told(&desk, &url, AGAINST), [",,checkpoint"]);
    let named = format!("{AGAINST} {LEAVES}");
    assert_eq!(told(&desk, &url, &named), ["2,,checkpoint"]);
    assert_eq!(told(&desk, &url, KEPT), ["2,,kept-head"]);
    assert_eq!(told(&desk, &url, &all), ["2,,checkpoint", "2,,kept-head"]);
}

/// Clean where it is now, and what the outsider kept.
fn assert_moved(desk: &Desk, url: &str, name: &str) {
    let all = format!("{AGAINST} {LEAVES} {KEPT}");
    assert_eq!(told(desk, url, &all), [""; 0], "{name}");
    desk.ok(&format!("export {name} --database-url '{url}'"));
    for file in ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"] {
        let read = |folder: &str| fs::read_to_string(desk.path(folder).join(file)).unwrap();
        assert_eq!(read("folder"), read(name), "{name}: {file}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dumped_database_is_the_same_record_where_it_is_restored() {
    let backend = Postgres::fresh().await;
    play(&backend, 4_000).await;
    let desk = kept(&backend.url());
    let empty = Database::in_encoding("UTF8").await;
    let dump = desk.path("dump.sql");
    let run = |program: &str, url: &str, words: &[&str]| {
        let mut command = Command::new(client(program));
        let output = command.args(words).args(["-d", url, "-f"]).arg(&dump);
        let output = output.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program}: {told}");
    };
    run("pg_dump", &backend.url(), &[]);
    run("psql", &empty.url, &["-qX", "-v", "ON_ERROR_STOP=1"]);
    assert_moved(&desk, &empty.url, "restored");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copied_file_is_the_same_record() {
    let backend = Sqlite::fresh().await;
    play(&backend, 4_000).await;
    let url = backend.url();
    let desk = kept(&url);
    // A copy by the database itself, while it is in use.
    let copy = desk.path("copy.db");
    let mut raw = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let into = format!("vacuum into '{}'", copy.display());
    let done = sqlx::raw_sql(AssertSqlSafe(into)).execute(&mut raw).await;
    done.unwrap();
    raw.close().await.unwrap();
    assert_moved(&desk, &format!("sqlite:{}", copy.display()), "by_itself");
    // The files as they lie there, while nobody writes.
    let from = url.strip_prefix("sqlite:").unwrap();
    let to = desk.path("files.db");
    for end in ["", "-wal"] {
        let from = format!("{from}{end}");
        if Path::new(&from).exists() {
            fs::copy(&from, format!("{}{end}", to.display())).unwrap();
        }
    }
    assert_moved(&desk, &format!("sqlite:{}", to.display()), "by_files");
}
