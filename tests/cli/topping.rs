//! `top`: the screen on a real pseudo-terminal, how it is left, and one reading for scripts.

use std::process::Command;

use serde_json::Value;
use sqlx::{Connection as _, Executor as _, PgConnection};

use super::schemas::{faults, kept};
use crate::support::backend::Backend as _;
use crate::support::cli::{Desk, words};
use crate::support::drive::{clock, closed, opened};
use crate::support::make::{END, MINUTE, terms};
use crate::support::postgres::{Database, OwnServer, Postgres};
use crate::support::screen::{Session, Terminal};

fn session(desk: &Desk, line: &str) -> Session {
    Terminal::of(80).start(desk, line, "")
}

#[test]
fn every_way_out_gives_the_terminal_back() {
    let desk = Desk::with_guitar();
    for key in ["q", "Q", "\u{1b}", "\u{3}"] {
        let mut top = session(&desk, "top");
        top.until("Guitar,");
        top.press("x");
        top.press(key);
        let left = top.left();
        assert_eq!((left.code, left.restored), (0, true), "{key:?}");
        let (taken, given) = ("\u{1b}[?1049h", "\u{1b}[?1049l");
        let (taken, given) = (left.raw.find(taken), left.raw.find(given));
        assert!(taken.is_some() && taken < given, "{key:?}");
        let cursor = left.raw.rfind("\u{1b}[?25h");
        assert!(cursor > left.raw.rfind("\u{1b}[?25l"), "{key:?}");
    }
    let mut top = session(&desk, "top --interval 1h");
    top.until("Guitar,");
    top.terminate();
    let left = top.left();
    assert_eq!((left.code, left.restored), (0, true));
    assert!(left.raw.contains("\u{1b}[?1049l"), "{}", left.raw);
}

#[test]
fn colours_are_for_those_who_want_them() {
    let desk = Desk::with_guitar();
    let coloured = Terminal {
        colours: true,
        ..Terminal::of(80)
    };
    let styles = |terminal: Terminal, line: &str| {
        let mut top = terminal.start(&desk, line, "");
        top.until("Guitar,");
        top.press("q");
        top.left().raw.contains("\u{1b}[38;5;")
    };
    assert!(styles(coloured, "top"));
    assert!(!styles(coloured, "top --color never"));
    assert!(!styles(Terminal::of(80), "top"));
    assert!(styles(Terminal::of(80), "top --color always"));
}

#[test]
fn news_are_drawn_as_they_come() {
    let desk = Desk::with_guitar();
    let mut top = session(&desk, "top --interval 100ms");
    top.until("Guitar,");
    desk.ok("bid 7731 --bidder ann --max 777777");
    top.until("USD");
    desk.ok("close-sweep");
    desk.ok("create --id 2 --seller s --title Lamp --start-price 5 --ends-in 1h");
    top.until("Lamp");
    top.press("q");
    let left = top.left();
    assert!(!left.raw.contains("7777"), "{}", left.raw);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_is_told_and_comes_back() {
    let server = OwnServer::start().await;
    // It loses what it did not keep.
    let mut owner = PgConnection::connect(&server.url()).await.unwrap();
    owner.execute("checkpoint").await.unwrap();
    let desk = Desk::bare();
    let mut top = Terminal::of(80).start(&desk, "top --interval 100ms", &server.url());
    top.until("auction");
    server.stop();
    top.until("error:");
    server.start_again();
    top.until("shards");
    top.press("q");
    let left = top.left();
    assert_eq!((left.code, left.restored), (0, true));
}

#[test]
fn without_a_terminal_it_names_the_way_out() {
    let desk = Desk::ready();
    for (line, said) in [
        ("top", "needs a terminal"),
        ("top --interval 99ms", "--interval: from 100ms to 1h"),
        ("top --interval 2h", "--interval: from 100ms to 1h"),
        ("top --format json", "--once prints one reading"),
        ("top --shards 40", "shards are numbers and ranges"),
        ("top --once --interval 1s", "cannot be used with"),
    ] {
        let run = desk.run(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(said), "{line}: {}", run.stderr);
    }
    let run = desk.run("top");
    assert!(run.stderr.contains("--once"), "{}", run.stderr);
    let bare = Desk::bare();
    assert_ne!(bare.run("top --once").code, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_reading_tells_what_is_due_closed_and_next() {
    let backend = Postgres::fresh().await;
    for (number, end) in [(1, 0), (2, 1), (3, 2), (4, MINUTE)] {
        let end = crate::support::make::at(END + end);
        opened(&backend, number, gavel::auction::Terms { end, ..terms() }).await;
    }
    clock(&backend, END + 5).await;
    closed(&backend, 1).await;
    closed(&backend, 2).await;
    clock(&backend, END + 10).await;
    let desk = Desk::bare();
    let run = |line: &str| {
        let mut command = desk.command(&words(line));
        let output = command.env("DATABASE_URL", backend.url()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    };
    let reading: Value = serde_json::from_str(&run("top --once --format json")).unwrap();
    assert_eq!(
        faults(&kept("top"), &reading),
        [] as [String; 0],
        "{reading}"
    );
    for (key, expected) in [
        ("at", Value::from("2026-12-01T10:00:00.000010Z")),
        ("shards", Value::from("0-31")),
        ("due", Value::from(1)),
        ("due_oldest_age_us", Value::from(8)),
        ("closed_last_minute", Value::from(2)),
        ("lag_p50_us", Value::from(4)),
        ("lag_p99_us", Value::from(5)),
        ("outbox_pending", Value::from(2)),
        ("outbox_oldest_age_us", Value::from(5)),
    ] {
        assert_eq!(reading[key], expected, "{key}: {reading}");
    }
    let next = &reading["ending"][0];
    assert_eq!(
        (&next["auction_id"], &next["left_us"]),
        (&4.into(), &(MINUTE - 10).into())
    );
    assert_eq!(reading["ending"].as_array().unwrap().len(), 1);

    let csv = run("top --once --format csv");
    let lines: Vec<&str> = csv.lines().collect();
    let mut columns: Vec<&str> = lines[0].split(',').collect();
    columns.push("ending");
    let stated = kept("top");
    let stated: Vec<&str> = stated["required"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!((columns, lines.len()), (stated, 2));
    let table = run("top --once");
    for part in [
        "1, the oldest for 8us",
        "2 that ended in the last minute",
        "A lot",
    ] {
        assert!(table.contains(part), "{table}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_roles_that_the_help_names_may_look() {
    let database = Database::ticking().await;
    database.store().roles_make().await.unwrap();
    let desk = Desk::bare();
    let help = desk.ok("top --help");
    for (role, may) in [
        ("gavel_auditor", true),
        ("gavel_operator", true),
        ("gavel_closer", false),
        ("gavel_bidder", false),
        ("gavel_public", false),
    ] {
        let url = database.user(&format!("in role {role}")).await;
        let mut command: Command = desk.command(&["top", "--once", "--database-url", &url]);
        let output = command.output().unwrap();
        assert_eq!(output.status.success(), may, "{role}");
        assert_eq!(help.contains(role), may, "{role}");
    }
}
