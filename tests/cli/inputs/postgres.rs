//! Servers that refuse: told with their code, no password repeated, nothing half done.

use std::process::Stdio;

use gavel::store::Contract as _;
use sqlx::Executor as _;

use super::witness::told;
use crate::support::cli::{Desk, Said};
use crate::support::make::id;
use crate::support::postgres::Database;

fn run(url: &str, line: &str) -> Said {
    Desk::bare().run(&format!("{line} --database-url {url}"))
}

/// What is done to a database before it is used, the code, and what is said.
pub(super) const STATEMENTS: [(&str, i32, &[&str]); 3] = [
    (
        "drop schema gavel cascade",
        1,
        &["is not migrated", "hint: run gavel migrate first"],
    ),
    (
        "insert into gavel._sqlx_migrations
         select 9999, 'later', installed_on, success, checksum, execution_time
         from gavel._sqlx_migrations where version = 1",
        1,
        &["was migrated by a newer gavel", "hint: use the newer gavel"],
    ),
    (
        "update gavel._sqlx_migrations set checksum = '\\x00' where version = 1",
        1,
        &["migration 1 of this database is another one"],
    ),
];

#[tokio::test]
async fn a_schema_that_is_not_this_gavels_is_told() {
    for (statement, code, expected) in STATEMENTS {
        let database = Database::ticking().await;
        database.connect().await.execute(statement).await.unwrap();
        for line in [
            "list",
            "bid 1 --bidder ann --max 50",
            "create --seller s --title T --start-price 5 --ends-in 7d",
            "close-sweep",
            "replay",
        ] {
            told(&run(&database.url, line), code, line, expected);
        }
    }
}

#[tokio::test]
async fn a_database_or_user_that_is_not_there_is_told() {
    let database = Database::ticking().await;
    let (before, after) = database.url.split_once("?host=").unwrap();
    let absent = format!("{before}_absent?host={after}");
    told(
        &run(&absent, "list"),
        2,
        "database",
        &["_absent", "does not exist"],
    );
    let nobody = database.url.replacen("tester@", "nobody_here@", 1);
    told(
        &run(&nobody, "list"),
        1,
        "user",
        &["nobody_here", "hint: check the rights"],
    );
}

#[tokio::test]
async fn a_refused_password_is_shown_nowhere() {
    let database = Database::ticking().await;
    let url = database.guarded("right-pa55word").await;
    told(
        &run(&url("right-pa55word"), "list"),
        0,
        "right",
        &["0 auctions"],
    );
    for (wrong, expected) in [
        ("wrong-pa55word", "password authentication failed"),
        ("", "password"),
    ] {
        for form in ["table", "json", "csv"] {
            for command in ["list", "doctor", "migrate", "replay"] {
                let output = Desk::bare()
                    .command(&[command, "--format", form])
                    .env("DATABASE_URL", url(wrong))
                    .env("RUST_BACKTRACE", "1")
                    .stdin(Stdio::null())
                    .output()
                    .unwrap();
                let all = [output.stdout, output.stderr].concat();
                let all = String::from_utf8_lossy(&all);
                assert_eq!(output.status.code(), Some(1), "{command} {form}: {all}");
                assert!(all.contains(expected), "{command} {form}: {all}");
                assert!(!all.contains("pa55word"), "{command} {form}: {all}");
                assert!(!all.contains("RUST_BACKTRACE"), "{command} {form}: {all}");
            }
        }
    }
}

/// As on a standby: reading goes on, every verb that writes is refused and was not done.
#[tokio::test]
async fn a_server_that_takes_no_writes_is_read_and_not_written() {
    let database = Database::ticking().await;
    let store = database.store();
    database.set("default_transaction_read_only = on").await;
    let url = &database.url;
    for line in ["list", "replay", "doctor --format csv"] {
        let said = run(url, line);
        assert!(said.code < 2, "{line}: {}", said.stderr);
    }
    let desk = Desk::bare();
    desk.write(
        "lots.csv",
        "id,seller,title,start_price,ends_in\n7,s,T,5,7d\n",
    );
    for line in [
        "create --id 8 --seller s --title T --start-price 5 --ends-in 7d",
        "create --file lots.csv",
        "create --file lots.csv --skip-bad",
    ] {
        let said = desk.run(&format!("{line} --database-url {url}"));
        assert_eq!(said.code, 1, "{line}: {}", said.stderr);
        let words = ["read-only transaction", "hint: check the rights"];
        for text in words {
            assert!(said.stderr.contains(text), "{line}: {}", said.stderr);
        }
    }
    for number in [7, 8] {
        assert!(store.auction_get(id(number)).await.unwrap().is_none());
    }
}

/// All connections are taken: waited for a while, then a temporary failure.
#[tokio::test]
async fn a_server_without_a_free_connection_is_a_temporary_failure() {
    let database = Database::ticking().await;
    let url = database.user("connection limit 0").await;
    told(
        &run(&url, "list"),
        75,
        "no connection",
        &["max_connections", "hint: try again"],
    );
}

/// Bids of a file are carried out as they are read: what was done is told, and that the file is
/// another by now.
#[tokio::test]
async fn a_file_that_changes_while_its_bids_are_placed_is_told() {
    let database = Database::ticking().await;
    let desk = Desk::bare();
    let lot = "create --id 1 --seller s --title T --start-price 5 --ends-in 7d --database-url";
    desk.ok(&format!("{lot} {}", database.url));
    desk.write("bids.csv", "auction_id,bidder,maximum\n1,ann,50\n");
    let mut other = database.connect().await;
    let lock = "begin; select from gavel.auctions where auction_id = 1 for update";
    other.execute(lock).await.unwrap();
    let child = desk
        .command(&["bid", "--file", "bids.csv", "--database-url", &database.url])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    database.until_waiting(1).await;
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n1,ann,50\n1,ben,70\n",
    );
    other.execute("rollback").await.unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for text in [
        "1 bid accepted",
        "warning: bids.csv was written to while it was read",
    ] {
        assert!(stderr.contains(text), "{stderr}");
    }
}

/// The file grows between the check and the last row: it is not taken, and nothing of it is kept.
#[tokio::test]
async fn a_file_that_changes_while_it_is_read_is_not_taken() {
    let database = Database::ticking().await;
    let desk = Desk::bare();
    let rows: String = (1..=50)
        .map(|id| format!("{id},s,Lot {id},5,7d\n"))
        .collect();
    desk.write(
        "lots.csv",
        format!("id,seller,title,start_price,ends_in\n{rows}"),
    );
    let mut other = database.connect().await;
    other
        .execute("begin; lock table gavel.auctions in share mode")
        .await
        .unwrap();
    let child = desk
        .command(&[
            "create",
            "--file",
            "lots.csv",
            "--database-url",
            &database.url,
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It has been checked and is being written.
    database.until_waiting(1).await;
    let mut text = std::fs::read_to_string(desk.path("lots.csv")).unwrap();
    text.push_str("51,s,Lot 51,5,7d\n");
    desk.write("lots.csv", text);
    other.execute("rollback").await.unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(
        stderr.contains("lots.csv was written to while it was read"),
        "{stderr}"
    );
    let store = database.store();
    assert!(store.auction_get(id(1)).await.unwrap().is_none());
}
