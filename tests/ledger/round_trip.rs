//! What is exported, imported and exported again is the same to the last byte, in either database
//! and from each to the other, however hard the content.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{
    Amendment, ExtendMode, ExtendTrigger, OwnRaise, SoftClose, StepTable, Terms, VoidScope,
};
use gavel::ledger::bundle::{ExportOptions, ImportOptions, Manifest, export, import};
use gavel::ledger::{ReplayOptions, replay_folder};
use gavel::store::{CloseReply, Contract, Scope};
use tempfile::TempDir;

use crate::support::backend::{Backend, Sqlite, fresh, on_every_backend};
use crate::support::drive::{COMMIT, accepted, clock, closed, done, opened, placed};
use crate::support::make::{
    END, MINUTE, START, amend, at, bid_of, currency, id, party, request, span, terms, void,
};
use crate::support::postgres::Postgres;

on_every_backend!(
    an_export_comes_back_to_the_same_bytes_over_either_database,
    hard_texts_stand_in_the_folder_as_they_are,
);

/// The longest title there may be.
const TITLE_BYTES: usize = 16_384;

fn titles() -> Vec<String> {
    let long = |part: &str| part.repeat(TITLE_BYTES / part.len());
    let mut titles: Vec<String> = [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "'apostrophe",
        "\"quoted\"",
        "\"",
        "a,b;c|d",
        " leading and trailing ",
        "\\N",
        "\\",
        "NULL",
        "größer ☂ 🜚 e\u{301} é 日本語",
        "\u{feff}mark",
        "{\"json\": [1, null]}",
        "%s %n $1 :x ?1 '; drop table auctions; --",
    ]
    .map(str::to_owned)
    .to_vec();
    titles.push(long("0123456789"));
    titles.push(long("\""));
    titles.push(long("☂"));
    titles
}

/// Every way an auction can go, with hard titles and reasons.
async fn fill<B: Backend>(backend: &B) {
    let titles = titles();
    for (number, title) in (1..).zip(&titles) {
        let terms = Terms {
            title: title.clone(),
            ..hard(number)
        };
        opened(backend, number, terms).await;
    }
    let count = i64::try_from(titles.len()).unwrap();
    for number in 1..=count {
        fill_one(backend, number).await;
    }
    clock(backend, START + 2 * MINUTE).await;
    for number in (5..=count).step_by(7) {
        done(backend, number, 900, Deed::Cancel).await;
    }
    clock(backend, END + 3 * MINUTE).await;
    let mut outcomes = Vec::new();
    for number in (1..=count).filter(|number| number % 3 != 0) {
        if let CloseReply::Closed(closed) = closed(backend, number).await {
            outcomes.push(closed.event.result.unwrap());
        }
    }
    for result in ["sold", "no-bids", "reserve-not-met"] {
        assert!(
            outcomes.iter().any(|outcome| outcome.as_str() == result),
            "{result}"
        );
    }
}

/// Terms of every kind, by number.
fn hard(number: i64) -> Terms {
    let code = ["USD", "JPY", "KWD"][usize::try_from(number % 3).unwrap()];
    let code = currency(code);
    let steps = match number % 4 {
        0 => StepTable::parse("0.01:0.05,1:0.25", currency("USD")),
        1 => StepTable::parse("ebay-uk", currency("USD")),
        _ => Ok(StepTable::flat(code.parse("7").unwrap())),
    };
    let two_decimals = number % 4 < 2;
    let code = if two_decimals { currency("USD") } else { code };
    let soft = SoftClose {
        window: span(MINUTE + number),
        extend_by: span(2 * MINUTE),
        mode: [ExtendMode::Reset, ExtendMode::Add][usize::try_from(number % 2).unwrap()],
        trigger: ExtendTrigger::ALL[usize::try_from(number % 3).unwrap()],
        cap: (number % 4 == 1).then(|| at(END + MINUTE)),
    };
    Terms {
        seller: party(["-neg", "@at", "a:b.c_d"][usize::try_from(number % 3).unwrap()]),
        currency: code,
        start_price: code.parse("10").unwrap(),
        steps: steps.unwrap(),
        reserve: (number % 5 == 2).then(|| code.parse("5000").unwrap()),
        own_raise: OwnRaise::ALL[usize::try_from(number % 2).unwrap()],
        soft_close: (number % 2 == 1).then_some(soft),
        ..terms()
    }
}

/// Bids, voids, amendments and watchers.
async fn fill_one<B: Backend>(backend: &B, number: i64) {
    clock(backend, START + number).await;
    for watcher in ["-walt", "wanda", "@w"]
        .iter()
        .take(usize::try_from(number % 4).unwrap())
    {
        let watcher = party(watcher);
        backend
            .store()
            .watch_add(id(number), &watcher, COMMIT)
            .await
            .unwrap();
    }
    if number % 4 == 3 {
        let change = amend(Amendment {
            title: Some(format!("={number}, \"amended\"")),
            extend_by: Some(span(1)),
            ..Amendment::default()
        });
        done(backend, number, 100, change).await;
    }
    if number % 8 == 2 {
        return;
    }
    let code = hard(number).currency;
    for (n, (bidder, whole)) in (200..).zip([("@ann", 50), ("-ben", 70), ("cid", 60), ("@ann", 90)])
    {
        let maximum = code.parse(&whole.to_string()).unwrap().minor();
        let bid = bid_of(id(number), request(n), bidder, maximum, code);
        placed(backend, &bid).await;
    }
    if number % 4 == 1 {
        done(backend, number, 300, void("@ann", VoidScope::Latest)).await;
    }
    if number % 7 == 2 {
        done(backend, number, 301, void("-ben", VoidScope::All)).await;
    }
    let extend = amend(Amendment {
        extend_by: Some(span(number)),
        ..Amendment::default()
    });
    if number % 4 != 1 {
        done(backend, number, 400, extend).await;
    }
}

async fn exported<S: Contract>(store: &S, to: &Path) {
    let options = ExportOptions::default();
    export(store, &Scope::All, to, options, |_| ())
        .await
        .unwrap();
}

async fn imported<S: Contract>(store: &S, from: &Path) -> (u64, u64) {
    let report = import(store, from, ImportOptions::default(), |_, _| ()).await;
    let report = report.unwrap();
    (report.imported, report.unchanged)
}

/// The files, and what the manifest says of them; only the instant and the place differ.
fn same_bytes(one: &Path, other: &Path) {
    for name in ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"] {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(one) == read(other), "{name} differs");
    }
    let files = |folder: &Path| Manifest::read(folder).unwrap().files;
    assert_eq!(files(one), files(other));
}

async fn an_export_comes_back_to_the_same_bytes_over_either_database<B: Backend>(backend: Arc<B>) {
    let work = TempDir::new().unwrap();
    let folder = |name: &str| work.path().join(name);
    fill(&*backend).await;
    let lots = u64::try_from(titles().len()).unwrap();
    exported(backend.store(), &folder("first")).await;
    let manifest = Manifest::read(&folder("first")).unwrap();
    assert!(
        manifest.files.iter().all(|file| file.rows > 10),
        "{manifest:?}"
    );
    let (sqlite, postgres) = (fresh::<Sqlite>().await, fresh::<Postgres>().await);
    assert_eq!(imported(sqlite.store(), &folder("first")).await, (lots, 0));
    exported(sqlite.store(), &folder("sqlite")).await;
    same_bytes(&folder("first"), &folder("sqlite"));
    assert_eq!(
        imported(postgres.store(), &folder("sqlite")).await,
        (lots, 0)
    );
    exported(postgres.store(), &folder("postgres")).await;
    same_bytes(&folder("first"), &folder("postgres"));
    // Home again: everything is there, identical to the last byte.
    assert_eq!(
        imported(backend.store(), &folder("postgres")).await,
        (0, lots)
    );

    let options = ReplayOptions::default();
    let report = replay_folder(&folder("postgres"), &Scope::All, &options, |_| ()).await;
    let report = report.unwrap();
    assert_eq!((report.listed, report.auctions), (Vec::new(), lots));
    // Who imported it goes on with it.
    let answer = accepted_in(&*sqlite).await;
    assert_eq!(answer, accepted_in(&*postgres).await);
}

/// Auction 3 takes bids still: not closed, and its end is ahead of this clock.
async fn accepted_in<B: Backend>(backend: &B) -> (i64, i64) {
    clock(backend, START + 2 * MINUTE).await;
    let code = hard(3).currency;
    let bid = bid_of(
        id(3),
        request(7_000),
        "dan",
        code.parse("900").unwrap().minor(),
        code,
    );
    match placed(backend, &bid).await {
        gavel::store::Reply::Done(answer) => (answer.seq, answer.price.minor()),
        other => panic!("{other:?}"),
    }
}

async fn hard_texts_stand_in_the_folder_as_they_are<B: Backend>(backend: Arc<B>) {
    for (number, title) in (1..).zip(titles()) {
        opened(&*backend, number, Terms { title, ..terms() }).await;
    }
    accepted(&*backend, 1, 2, "@ann", 5_000).await;
    let work = TempDir::new().unwrap();
    let folder = work.path().join("folder");
    exported(backend.store(), &folder).await;
    let mut reader = csv::Reader::from_path(folder.join("auctions.csv")).unwrap();
    let place = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "title")
        .unwrap();
    let found: Vec<String> = reader
        .records()
        .map(|record| record.unwrap()[place].to_owned())
        .collect();
    assert_eq!(found, titles());
}
