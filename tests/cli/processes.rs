//! The races again with separate processes, on every backend: nothing lost, nothing done twice,
//! and no "busy" shown to a bidder; a sweep that is killed leaves nothing half done.

use std::collections::BTreeSet;
use std::process::{Child, Output, Stdio};
use std::sync::Arc;

use gavel::auction::{Entry, Remit, RequestId, StepTable, Terms};
use gavel::store::{Contract as _, Scope};
use serde_json::Value;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::cli::{Desk, words};
use crate::support::drive::{COMMIT, clock, dossier, dossiers};
use crate::support::make::{MINUTE, at, create, id, party, request, terms, usd};
use crate::support::sound::{assert_sound, price_of_maxima};

on_every_backend!(
    two_hundred_bidders_end_with_the_highest_leading,
    fifty_at_once_eight_times_are_accepted_or_told_the_minimum,
    equal_bids_have_one_leader_and_one_tie,
    one_request_a_hundred_times_is_one_entry,
    five_close_one_auction_once,
    eight_sweeps_close_a_thousand_once,
    a_sweep_killed_anywhere_is_finished_by_the_next,
    a_claiming_sweep_killed_anywhere_is_reaped_and_finished_by_the_next,
);

/// When the auctions are made: before any clock that runs these tests.
const LONG_AGO: i64 = MINUTE;
/// When the database's clock stands, where it is the database's; in 2020.
const NOW: i64 = 1_600_000_000_000_000;

/// Processes on one backend's database.
struct Hall<B> {
    backend: Arc<B>,
    desk: Desk,
}

impl<B: Backend> Hall<B> {
    /// Auctions 1 to `number` with these terms, made long ago.
    async fn with(backend: Arc<B>, number: i64, terms: Terms) -> Self {
        clock(&*backend, LONG_AGO).await;
        let creates: Vec<_> = (1..=number)
            .map(|number| create(id(number), request(1), terms.clone()))
            .collect();
        let store = backend.store();
        let replies = store.auction_create(&creates, COMMIT).await.unwrap();
        assert_eq!(replies.len(), creates.len());
        clock(&*backend, NOW).await;
        let desk = Desk::bare();
        Self { backend, desk }
    }

    /// Auction 1: starts at 1000.00, steps of 10.00, open until 2099.
    async fn bidding(backend: Arc<B>) -> Self {
        let terms = Terms {
            start_price: usd("1000"),
            steps: StepTable::flat(usd("10")),
            start: at(LONG_AGO),
            end: "2099-12-06T03:00:00Z".parse().unwrap(),
            ..terms()
        };
        Self::with(backend, 1, terms).await
    }

    /// So many auctions that ended long ago and wait to be closed.
    async fn due(backend: Arc<B>, number: i64) -> Self {
        let terms = Terms {
            start: at(LONG_AGO),
            end: at(LONG_AGO + MINUTE),
            ..terms()
        };
        Self::with(backend, number, terms).await
    }

    fn start(&self, line: &str) -> Child {
        self.desk
            .command(&words(line))
            .env("DATABASE_URL", self.backend.url())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Starts every line before it waits for the first; the answers in the order of the lines.
    fn at_once(&self, lines: &[String]) -> Vec<Answer> {
        let started: Vec<Child> = lines
            .iter()
            .map(|line| self.start(&format!("{line} --format json")))
            .collect();
        let finished = started
            .into_iter()
            .map(|child| child.wait_with_output().unwrap());
        finished.map(|output| Answer::of(&output)).collect()
    }

    /// The ledger of auction 1, checked.
    async fn sound(&self) -> Vec<Entry> {
        let found = dossier(&*self.backend, 1).await;
        assert_sound(&found.entries, &found.row.unwrap());
        found.entries
    }

    /// Every auction is closed and has exactly one event.
    async fn all_closed_once(&self, expected: usize) {
        let found = dossiers(&*self.backend, &Scope::All).await.unwrap();
        let mut ids = BTreeSet::new();
        for dossier in &found {
            assert!(dossier.row.as_ref().unwrap().status.is_closed());
            assert_eq!(dossier.events.len(), 1);
            ids.insert(dossier.events[0].event_id.clone());
        }
        assert_eq!((found.len(), ids.len()), (expected, expected));
    }
}

/// What a process answered with `--format json`.
struct Answer {
    json: Value,
    code: i32,
}

impl Answer {
    fn of(output: &Output) -> Self {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let json = serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("{error}: {stdout:?} {stderr:?}"));
        let code = output.status.code().unwrap();
        Self { json, code }
    }

    fn outcome(&self) -> &str {
        self.json["outcome"].as_str().unwrap()
    }

    /// Accepted; otherwise it must be the refusal `too-low`.
    fn accepted(&self) -> bool {
        match self.code {
            0 => {
                assert_eq!(self.outcome(), "accepted");
                true
            }
            3 => {
                assert_eq!(self.json["refusal"], "too-low");
                false
            }
            code => panic!("{code}: {}", self.json),
        }
    }
}

async fn two_hundred_bidders_end_with_the_highest_leading<B: Backend>(backend: Arc<B>) {
    let hall = Hall::bidding(backend).await;
    let lines: Vec<_> = (1..=200)
        .map(|n| format!("bid 1 --bidder bidder-{n} --max {}", 1_000 + 10 * n))
        .collect();
    let answers = hall.at_once(&lines);
    assert!(answers[199].accepted(), "3000 is never too low");
    let accepted = answers.iter().filter(|answer| answer.accepted());
    let entries = hall.sound().await;
    assert_eq!(entries.len(), accepted.count() + 1);
    let last = entries.last().unwrap();
    assert_eq!(last.leader, Some(party("bidder-200")));
    let price = last.price.unwrap();
    assert!([usd("2990"), usd("3000")].contains(&price), "{price:?}");
    assert_eq!(Some(price.minor()), price_of_maxima(&entries, 1_000));
}

async fn fifty_at_once_eight_times_are_accepted_or_told_the_minimum<B: Backend>(backend: Arc<B>) {
    let hall = Hall::bidding(backend).await;
    let mut accepted = 0;
    for round in 0..8 {
        let lines: Vec<_> = (0..50)
            .map(|n| {
                let maximum = 1_000 + round * 500 + n * 10;
                format!("bid 1 --bidder bidder-{n} --max {maximum}")
            })
            .collect();
        let answers = hall.at_once(&lines);
        accepted += answers.iter().filter(|answer| answer.accepted()).count();
    }
    let entries = hall.sound().await;
    assert_eq!(entries.len(), accepted + 1);
    assert_eq!(entries.last().unwrap().leader, Some(party("bidder-49")));
}

/// The first leads, the second ties and lifts the price to their maximum, all others are too low.
async fn equal_bids_have_one_leader_and_one_tie<B: Backend>(backend: Arc<B>) {
    let hall = Hall::bidding(backend).await;
    let lines: Vec<_> = (1..=100)
        .map(|n| format!("bid 1 --bidder bidder-{n} --max 5000"))
        .collect();
    let answers = hall.at_once(&lines);
    let accepted = answers.iter().filter(|answer| answer.accepted());
    assert_eq!(accepted.count(), 2);
    let leading = |answer: &&Answer| answer.json["leading"] == true;
    assert_eq!(answers.iter().filter(leading).count(), 1);
    let entries = hall.sound().await;
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[2].price, Some(usd("5000")));
    assert_eq!(entries[2].leader, Some(entries[1].actor.clone()));
}

async fn one_request_a_hundred_times_is_one_entry<B: Backend>(backend: Arc<B>) {
    let hall = Hall::bidding(backend).await;
    let request = RequestId::from_bytes([7; 16]);
    let line = format!("bid 1 --bidder ann --max 5000 --request-id {request}");
    let answers = hall.at_once(&vec![line; 100]);
    for answer in &answers {
        assert_eq!(answer.code, 0, "{}", answer.json);
        assert_eq!(answer.json["seq"], 2);
        assert_eq!(answer.json["price"], "1000.00");
    }
    let count = |outcome| answers.iter().filter(|a| a.outcome() == outcome).count();
    assert_eq!((count("accepted"), count("repeated")), (1, 99));
    assert_eq!(hall.sound().await.len(), 2);
}

async fn five_close_one_auction_once<B: Backend>(backend: Arc<B>) {
    let hall = Hall::due(backend, 1).await;
    let answers = hall.at_once(&vec!["close 1".to_owned(); 5]);
    assert!(answers.iter().all(|answer| answer.code == 0));
    let count = |outcome| answers.iter().filter(|a| a.outcome() == outcome).count();
    assert_eq!((count("closed"), count("already-closed")), (1, 4));
    hall.all_closed_once(1).await;
}

async fn eight_sweeps_close_a_thousand_once<B: Backend>(backend: Arc<B>) {
    let hall = Hall::due(backend, 1_000).await;
    let lines: Vec<_> = (0..8)
        .map(|n| {
            let strategy = ["batch", "claim"][n % 2];
            format!("close-sweep --batch {} --strategy {strategy}", 10 + n)
        })
        .collect();
    let mut closed = 0;
    for sums in hall.at_once(&lines) {
        // 75: a sweep that ended while others still held what was left.
        assert!([0, 75].contains(&sums.code), "{}", sums.json);
        closed += sums.json["closed"].as_u64().unwrap();
    }
    assert_eq!(closed, 1_000);
    hall.all_closed_once(1_000).await;
}

async fn a_sweep_killed_anywhere_is_finished_by_the_next<B: Backend>(backend: Arc<B>) {
    killed_anywhere(backend, "close-sweep").await;
}

async fn a_claiming_sweep_killed_anywhere_is_reaped_and_finished_by_the_next<B: Backend>(
    backend: Arc<B>,
) {
    let line = "close-sweep --strategy claim --claim-timeout 1us";
    killed_anywhere(backend, line).await;
}

async fn killed_anywhere<B: Backend>(backend: Arc<B>, line: &str) {
    let hall = Hall::due(backend, 600).await;
    let store = hall.backend.store();
    let mut killed = 0;
    // Killed as soon as so many are left, wherever the sweep is by then.
    for target in (0..12).rev().map(|n| n * 50) {
        let mut sweep = hall.start(&format!("{line} --batch 3"));
        let mut running = true;
        while running && store.backlog(Remit::ALL).await.unwrap().due > target {
            running = sweep.try_wait().unwrap().is_none();
        }
        sweep.kill().unwrap();
        killed += i32::from(sweep.wait().unwrap().code().is_none());
        for dossier in dossiers(&*hall.backend, &Scope::All).await.unwrap() {
            let closed = dossier.row.unwrap().status.is_closed();
            assert_eq!(dossier.events.len(), usize::from(closed));
        }
    }
    assert!(killed >= 3, "the sweeps ended before they could be killed");
    // Where the database's clock stands, no claim would ever be old.
    clock(&*hall.backend, NOW + MINUTE).await;
    let last = hall.start(line).wait_with_output().unwrap();
    assert!(last.status.success());
    hall.all_closed_once(600).await;
}
