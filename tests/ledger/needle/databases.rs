//! Each change in a database of ten thousand auctions: alone, and all of them at once.

use std::sync::Arc;

use gavel::auction::AuctionId;
use gavel::ledger::{ReplayOptions, ReplayReport, replay_store};
use gavel::store::Scope;

use super::cases::{Case, Place, cases};
use super::haystack::{AUCTIONS, haystack, now, of, with_actions};
use crate::ledger::bundle::places;
use crate::support::backend::{Backend, on_every_backend};
use crate::support::cli::Desk;
use crate::support::make::id;
use crate::support::superuser::{erase, restore, tamper};

on_every_backend!(each_change_among_ten_thousand_is_named);

/// So many auctions on either side are replayed with the one that is changed.
const NEIGHBOURS: i64 = 40;
/// Every so many cases, all ten thousand are.
const WHOLE: usize = 16;

async fn replayed<B: Backend>(backend: &B, scope: &Scope) -> ReplayReport {
    let options = ReplayOptions::default();
    let report = replay_store(backend.store(), scope, &options, |_| ());
    report.await.unwrap()
}

fn neighbourhood(case: &Case) -> Scope {
    let ids = case.needles.keys().flat_map(|number| {
        let first = (number - NEIGHBOURS).max(1);
        (first..=(number + NEIGHBOURS).min(AUCTIONS)).map(id)
    });
    Scope::Ids(ids.collect::<Vec<AuctionId>>())
}

async fn undo<B: Backend>(backend: &B, case: &Case) {
    for number in case.needles.keys() {
        erase(backend, *number).await;
        restore(backend, vec![of(*number).clone()]).await;
    }
}

async fn each_change_among_ten_thousand_is_named<B: Backend>(backend: Arc<B>) {
    let all = haystack();
    backend.set_clock(now()).await;
    for chunk in all.chunks(2_500) {
        restore(&*backend, chunk.to_vec()).await;
    }
    let clean = replayed(&*backend, &Scope::All).await;
    assert_eq!(places(&clean.listed), []);
    assert_eq!(clean.auctions, AUCTIONS.unsigned_abs());
    // Bids alone are passed by the quick look, and with them most of what there is.
    assert_eq!(clean.looked_twice, with_actions());
    let cases = cases();
    let mut wrong = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        tamper(&*backend, &case.sql).await;
        let scope = if at % WHOLE == 0 {
            Scope::All
        } else {
            neighbourhood(case)
        };
        let report = replayed(&*backend, &scope).await;
        if places(&report.listed) != case.found {
            let found: Vec<_> = report.listed.iter().map(ToString::to_string).collect();
            wrong.push(format!("{}:\n    {}", case.name, found.join("\n    ")));
        }
        undo(&*backend, case).await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for case in &cases {
        tamper(&*backend, &case.sql).await;
    }
    let report = replayed(&*backend, &Scope::All).await;
    let mut expected: Vec<Place> = cases.iter().flat_map(|case| case.found.clone()).collect();
    expected.sort();
    assert_eq!(places(&report.listed), expected);
    if let Some(told) = told_by_the_program(&*backend, 4) {
        assert_eq!(told, expected);
    }
    for case in &cases {
        undo(&*backend, case).await;
    }
    let told = told_by_the_program(&*backend, 0);
    assert_eq!(told.unwrap_or_default(), []);
    let again = replayed(&*backend, &Scope::All).await;
    assert_eq!(places(&again.listed), []);
}

/// What the program says on a database whose clock it can be told: an embedded one has the
/// machine's.
fn told_by_the_program<B: Backend>(backend: &B, code: i32) -> Option<Vec<Place>> {
    let url = backend.url();
    if url.starts_with("sqlite:") {
        return None;
    }
    let desk = Desk::bare();
    let said = desk.run(&format!(
        "replay --format csv --quiet --database-url '{url}'"
    ));
    assert_eq!(said.code, code, "{}{}", said.stdout, said.stderr);
    let mut rows = csv::Reader::from_reader(said.stdout.as_bytes());
    let place = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.unwrap();
        let number = |at: usize| row[at].parse().ok();
        (number(0), number(1), row[2].parse().unwrap())
    };
    Some(rows.records().map(place).collect())
}
