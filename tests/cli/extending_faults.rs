//! `amend` with a selection when something is in the way: an end that passes, a connection that is
//! lost, an auction that others keep locked, and one that is damaged.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use gavel::auction::Terms;
use gavel::store::Contract as _;
use serde_json::Value;
use sqlx::Executor as _;

use super::audit::tamper;
use super::extending::{HALF_AN_HOUR, OPERATION, told};
use crate::support::cli::{Desk, words};
use crate::support::drive::COMMIT;
use crate::support::make::{self, MINUTE, at, id, request, terms};
use crate::support::postgres::{Database, set_clock};

/// The lock of auction 1 is held while its end passes: it was selected, and is then refused.
#[tokio::test]
async fn what_ends_between_selection_and_extension_is_refused_and_named() {
    let database = Database::stopped().await;
    let store = database.store();
    for (number, end) in [(1, make::END), (2, make::END + MINUTE)] {
        let terms = Terms {
            end: at(end),
            ..terms()
        };
        let create = make::create(id(number), request(1), terms);
        store.auction_create(&[create], COMMIT).await.unwrap();
    }
    let mut other = database.connect().await;
    let lock = "begin; select from gavel.auctions where auction_id = 1 for update";
    other.execute(lock).await.unwrap();
    let desk = Desk::bare();
    let line = "amend --all-open --extend-by 30m --reason outage --format json";
    let mut run = desk
        .command(&words(line))
        .env("DATABASE_URL", &database.url)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(run.stderr.take().unwrap());
    let mut first = String::new();
    stderr.read_line(&mut first).unwrap();
    assert!(first.contains("2 open auctions"), "{first}");
    database.until_waiting(1).await;
    set_clock(&mut database.connect().await, at(make::END)).await;
    other.execute("commit").await.unwrap();
    let told = told(run);
    assert_eq!(told.code, 3);
    assert_eq!(told.outcomes()[0], (1, "ended".to_owned()));
    assert_eq!(told.outcomes()[1], (2, "amended".to_owned()));
    let rest = std::io::read_to_string(stderr).unwrap();
    assert!(
        rest.contains("not extended: auction 1: the auction ended at"),
        "{rest}"
    );
}

/// Thirty auctions, the twentieth locked by another session until that ends.
async fn locked_hall() -> (Database, sqlx::postgres::PgConnection) {
    let database = Database::stopped().await;
    for number in 1..=30 {
        let create = make::create(id(number), request(1), terms());
        database
            .store()
            .auction_create(&[create], COMMIT)
            .await
            .unwrap();
    }
    let mut other = database.connect().await;
    let lock = "begin; select from gavel.auctions where auction_id = 20 for update";
    other.execute(lock).await.unwrap();
    (database, other)
}

fn start_on(database: &Database) -> Child {
    let line = format!(
        "amend --all-open --extend-by 30m --reason outage --format json --request-id {OPERATION}"
    );
    Desk::bare()
        .command(&words(&line))
        .env("DATABASE_URL", &database.url)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The same line finishes it, and every end has moved once.
async fn finished_by_the_same_line(database: &Database, left: usize) {
    let last = told(start_on(database));
    assert_eq!(
        (last.code, last.amended().len()),
        (0, left),
        "{}",
        last.stderr
    );
    assert_eq!(last.rows.len(), 30);
    for number in 1..=30 {
        let row = database
            .store()
            .auction_get(id(number))
            .await
            .unwrap()
            .unwrap();
        assert_eq!((row.end, row.last_seq), (at(make::END + HALF_AN_HOUR), 2));
    }
}

#[tokio::test]
async fn a_lost_connection_stops_it_and_the_id_to_go_on_with_is_told() {
    let (database, mut other) = locked_hall().await;
    let run = start_on(&database);
    database.until_waiting(1).await;
    let kill = "select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'";
    database.connect().await.execute(kill).await.unwrap();
    let stopped = told(run);
    assert_eq!(stopped.code, 75, "{}", stopped.stderr);
    assert!(
        stopped.stderr.contains("at auction 20"),
        "{}",
        stopped.stderr
    );
    let hint = format!("--request-id {OPERATION} goes on where it stopped");
    assert!(stopped.stderr.contains(&hint), "{}", stopped.stderr);
    other.execute("rollback").await.unwrap();
    let left = 30 - stopped.amended().len();
    finished_by_the_same_line(&database, left).await;
}

#[tokio::test]
async fn an_auction_that_others_keep_locked_stops_no_other() {
    let (database, mut other) = locked_hall().await;
    let patient = told(start_on(&database));
    assert_eq!(patient.code, 75, "{}", patient.stderr);
    assert_eq!((patient.rows.len(), patient.amended().len()), (30, 29));
    assert_eq!(patient.outcomes()[19], (20, "failed".to_owned()));
    let words = "not extended: auction 20: ";
    assert!(patient.stderr.contains(words), "{}", patient.stderr);
    other.execute("rollback").await.unwrap();
    finished_by_the_same_line(&database, 1).await;
}

#[test]
fn a_damaged_auction_is_named_and_stops_no_other() {
    let desk = Desk::with_guitar();
    for id in [2, 9_000] {
        desk.ok(&format!(
            "create --id {id} --seller alice --title Lamp --start-price 5 --ends-in 7d"
        ));
    }
    tamper(
        &desk,
        "update auctions set price = 77777, leader = 'zoe' where auction_id = 7731",
    );
    let said = desk.run("amend --all-open --extend-by 30m --reason outage --format json");
    assert_eq!(said.code, 4, "{}", said.stderr);
    let outcomes: Vec<Value> = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["amended", "failed", "amended"]);
    assert!(
        said.stderr.contains("not extended: auction 7731: "),
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("2 auctions amended, 1 failed"),
        "{}",
        said.stderr
    );
    assert!(!said.stderr.contains("777.77"), "{}", said.stderr);
}
