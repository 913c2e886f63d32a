//! Separate processes on one PostgreSQL database: nothing lost, nothing done twice, no contention
//! shown to anybody. The clock stands in the database, so all processes share it.

use std::process::{Child, Stdio};

use gavel::auction::entry::ZERO;
use gavel::store::{Contract as _, WriteMode};

use crate::support::backend::Backend as _;
use crate::support::cli::{Desk, words};
use crate::support::make::{self, END};
use crate::support::postgres::Postgres;

/// Starts all lines at once and waits for all; what each printed and its exit code.
fn at_once(desk: &Desk, url: &str, lines: &[String]) -> Vec<(String, i32)> {
    let started: Vec<Child> = lines
        .iter()
        .map(|line| {
            desk.command(&words(line))
                .env("DATABASE_URL", url)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    let ended = started.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (said, output.status.code().unwrap())
    });
    ended.collect()
}

async fn opened(auctions: i64) -> Postgres {
    let backend = Postgres::fresh().await;
    let creates: Vec<_> = (1..=auctions)
        .map(|number| make::create(make::id(number), make::request(1), make::terms()))
        .collect();
    let store = backend.store();
    store
        .auction_create(&creates, WriteMode::Commit)
        .await
        .unwrap();
    backend
}

fn count(results: &[(String, i32)], code: i32) -> usize {
    results.iter().filter(|(_, ended)| *ended == code).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_bids_from_many_processes_have_one_leader() {
    let backend = opened(1).await;
    let lines: Vec<String> = (1..=24)
        .map(|n| format!("bid 1 --bidder b{n} --max 500 --format json"))
        .collect();
    let results = at_once(&Desk::bare(), backend.url(), &lines);
    let accepted = count(&results, 0);
    // All others are told the minimum: the price has reached their maximum.
    assert_eq!(accepted + count(&results, 3), lines.len(), "{results:?}");
    let leading = results
        .iter()
        .filter(|(said, _)| said.contains(r#""leading":true"#))
        .count();
    assert_eq!(leading, 1, "{results:?}");
    let ledger = backend.store().ledger_get(make::id(1), 0, 100).await;
    let ledger = ledger.unwrap();
    assert_eq!(ledger.len(), accepted + 1);
    let mut prev = ZERO;
    for (seq, entry) in (1..).zip(&ledger) {
        assert_eq!((entry.seq, entry.hash), (seq, entry.hash_after(&prev)));
        prev = entry.hash;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_id_in_many_processes_is_one_entry() {
    let backend = opened(1).await;
    let line = "bid 1 --bidder ann --max 500 \
                --request-id 6a1f7c1e-0f5e-4a51-9d2a-6d2f0f6f9b11";
    let results = at_once(&Desk::bare(), backend.url(), &vec![line.to_owned(); 12]);
    assert_eq!(count(&results, 0), 12, "{results:?}");
    let ledger = backend.store().ledger_get(make::id(1), 0, 100).await;
    assert_eq!(ledger.unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn sweeps_in_many_processes_close_everything_once() {
    let backend = opened(1_000).await;
    backend.set_clock(make::at(END)).await;
    let line = "close-sweep --batch 20 --format json";
    let desk = Desk::bare();
    let results = at_once(&desk, backend.url(), &vec![line.to_owned(); 8]);
    assert_eq!(count(&results, 0), 8, "{results:?}");
    let closed: u64 = results.iter().map(|(said, _)| closed_in(said)).sum();
    assert_eq!(closed, 1_000, "{results:?}");
    let (again, _) = &at_once(&desk, backend.url(), &[line.to_owned()])[0];
    assert_eq!(closed_in(again), 0);
    let replay = at_once(&desk, backend.url(), &["replay".to_owned()]);
    assert_eq!(replay[0].1, 0, "{replay:?}");
}

/// What a sweep reports to have closed.
fn closed_in(said: &str) -> u64 {
    said.lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|report| report.get("closed")?.as_u64())
        .sum()
}
