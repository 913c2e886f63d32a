//! The binary on a PostgreSQL that refuses, stops or gives few rights.

use std::process::{Child, Output, Stdio};

use gavel::store::{Contract as _, LoadItem};
use sqlx::Executor as _;
use tokio::sync::mpsc;

use crate::support::cli::{Desk, words};
use crate::support::drive::COMMIT;
use crate::support::make::{self, END, id, request, terms, usd};
use crate::support::postgres::{Database, set_clock};

/// Auctions 1 and 2, each with a bid whose maximum nobody may see.
async fn database() -> Database {
    let database = Database::stopped().await;
    let store = database.store();
    store.roles_make().await.unwrap();
    for number in 1..=2 {
        let create = make::create(id(number), request(1), terms());
        store.auction_create(&[create], COMMIT).await.unwrap();
        let bid = make::bid_of(id(number), request(2), "zoe", 77_777, make::currency("USD"));
        store.bid_place(&bid, COMMIT).await.unwrap();
    }
    let grant = "grant select on public.test_clock to public";
    database.connect().await.execute(grant).await.unwrap();
    database
}

fn start(desk: &Desk, url: &str, line: &str) -> Child {
    desk.command(&words(line))
        .env("DATABASE_URL", url)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

struct Said {
    stdout: String,
    stderr: String,
    code: i32,
}

fn said(output: Output) -> Said {
    Said {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn run(url: &str, line: &str) -> Said {
    let child = start(&Desk::bare(), url, line);
    said(child.wait_with_output().unwrap())
}

#[tokio::test]
async fn bids_answered_before_the_connection_died_are_told() {
    let database = database().await;
    let desk = Desk::bare();
    let rows = "auction_id,bidder,maximum\n1,ann,900\n2,ben,900\n1,cid,1000\n";
    desk.write("bids.csv", rows);
    let mut other = database.connect().await;
    let lock = "begin; select from gavel.auctions where auction_id = 2 for update";
    other.execute(lock).await.unwrap();
    let bidding = start(&desk, &database.url, "bid --file bids.csv --format csv");
    database.until_waiting(1).await;
    let kill = "select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'";
    database.connect().await.execute(kill).await.unwrap();
    let said = said(bidding.wait_with_output().unwrap());
    assert_eq!(said.code, 75, "{}", said.stderr);
    // Bids on another auction do not wait for the locked one.
    assert_eq!(said.stdout.lines().count(), 3, "{}", said.stdout);
    assert!(!said.stdout.contains("ben"), "{}", said.stdout);
    for text in [
        "2 bids accepted",
        "stopped after 2 rows; 1 row under way got no answer",
        "upload the same file again: what was done is not done twice",
    ] {
        assert!(said.stderr.contains(text), "{}", said.stderr);
    }
    let ledger = database.store().ledger_get(id(1), 0, 10).await.unwrap();
    assert_eq!(ledger.len(), 4);
    other.execute("rollback").await.unwrap();
    let again = start(&desk, &database.url, "bid --file bids.csv");
    let again = self::said(again.wait_with_output().unwrap());
    assert_eq!(again.code, 0, "{}", again.stderr);
    let sums = "1 bid accepted, 2 repeated";
    assert!(again.stderr.contains(sums), "{}", again.stderr);
}

#[tokio::test]
async fn an_interrupted_file_tells_the_way_out() {
    let database = database().await;
    let desk = Desk::bare();
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n1,ann,900\n2,ben,900\n",
    );
    let mut other = database.connect().await;
    let lock = "begin; select from gavel.auctions where auction_id = 2 for update";
    other.execute(lock).await.unwrap();
    let bidding = start(&desk, &database.url, "bid --file bids.csv");
    database.until_waiting(1).await;
    let pid = bidding.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(killed.unwrap().success());
    let said = said(bidding.wait_with_output().unwrap());
    assert_eq!(said.code, 130, "{}", said.stderr);
    let way_out =
        "interrupted\nhint: some may have been placed: the same file again places the rest";
    assert!(said.stderr.contains(way_out), "{}", said.stderr);
}

/// The whole file or nothing of it, whenever its process dies.
#[tokio::test]
async fn a_file_whose_process_is_killed_leaves_no_auction() {
    let database = database().await;
    let desk = Desk::bare();
    let header = "id,seller,title,start_price,steps,ends_in\n";
    let row = |id: i64| format!("{id},alice,Lot {id},100,1,7d\n");
    let rows: String = (1_001..=4_000).map(row).collect();
    desk.write("lots.csv", header.to_owned() + &rows);
    let store = database.store();
    // Another load, not yet kept, has a row of the last part: this one waits for it there.
    let (to_other, incoming) = mpsc::channel(1);
    let (replies, mut answered) = mpsc::channel(1);
    let late = make::create(id(3_500), request(1), terms());
    to_other.send(LoadItem::Chunk(vec![late])).await.unwrap();
    let killing = async {
        answered.recv().await.unwrap();
        let mut loading = start(&desk, &database.url, "create --file lots.csv");
        database.until_waiting(1).await;
        loading.kill().unwrap();
        loading.wait().unwrap();
        drop(to_other);
    };
    let (abandoned, ()) = tokio::join!(store.auctions_load(incoming, replies, COMMIT), killing);
    assert!(abandoned.is_err());
    let busy = "select count(*) from pg_stat_activity
                where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()";
    database.until(0, busy).await;
    assert!(store.auction_get(id(1_001)).await.unwrap().is_none());

    let whole = start(&desk, &database.url, "create --file lots.csv --format json");
    let whole = self::said(whole.wait_with_output().unwrap());
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert_eq!(whole.stdout.lines().count(), 3_000);
    assert!(store.auction_get(id(4_000)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_bidder_bids_and_sees_nothing_hidden() {
    let database = database().await;
    let url = database.user("in role gavel_bidder").await;
    let bid = run(&url, "bid 1 --bidder ann --max 900 --format json");
    assert_eq!(bid.code, 0, "{}", bid.stderr);
    let none = run(&url, "bid 9 --bidder ann --max 900");
    assert_eq!(none.code, 3, "{}", none.stderr);
    for line in [
        "show 1",
        "history 1",
        "export --full --output full",
        "replay",
    ] {
        let said = run(&url, line);
        assert_ne!(said.code, 0, "{line}");
        let words = said.stdout + &said.stderr;
        assert!(!words.contains("777.77"), "{line}: {words}");
    }
}

#[tokio::test]
async fn a_closer_closes_one_and_tells_it() {
    let database = database().await;
    set_clock(&mut database.connect().await, make::at(END)).await;
    let url = database.user("in role gavel_closer").await;
    for outcome in ["closed", "already-closed"] {
        let said = run(&url, "close 1 --format json");
        assert_eq!(said.code, 0, "{}", said.stderr);
        let json: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(json["outcome"], outcome);
        assert_eq!(
            (&json["winner"], &json["currency"]),
            (&"zoe".into(), &"USD".into())
        );
    }
    assert_eq!(run(&url, "close 9").code, 3);
    assert_eq!(run(&url, "close-sweep").code, 0);
    let row = database.store().auction_get(id(2)).await.unwrap();
    assert_eq!(row.unwrap().final_price, Some(usd("10")));
}

/// A refusal is an answer: nothing is to be repeated under the same id.
#[tokio::test]
async fn what_the_server_refuses_is_not_told_as_unanswered() {
    let database = database().await;
    let closer = database.user("in role gavel_closer").await;
    database.set("default_transaction_read_only = on").await;
    for (url, line) in [
        (&closer, "bid 1 --bidder ann --max 900"),
        (&database.url, "bid 1 --bidder ann --max 900"),
        (&database.url, "cancel 1 --reason 'withdrawn'"),
        (
            &database.url,
            "create --seller alice --title Desk --start-price 40 --ends-in 7d",
        ),
    ] {
        let said = run(url, line);
        assert_eq!(said.code, 1, "{line}: {}", said.stderr);
        assert!(
            !said.stderr.contains("no answer"),
            "{line}: {}",
            said.stderr
        );
        assert!(
            !said.stderr.contains("--request-id"),
            "{line}: {}",
            said.stderr
        );
    }
}

#[tokio::test]
async fn a_sweep_without_rights_does_not_say_that_nothing_was_due() {
    let database = database().await;
    let url = database.user("in role gavel_auditor").await;
    let said = run(&url, "close-sweep");
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (1, ""),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("permission denied"), "{}", said.stderr);
}
