//! The watcher on both databases: what it tells, in which order, and by whose clock.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{Kind, Micros, VoidScope};
use gavel::clock::Clock;
use gavel::store::Contract;
use gavel::watch::{News, Polled, Stage, Watcher};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, accepted, bid, clock, closed, done, opened};
use crate::support::make::{END, MINUTE, START, at, id, terms, void};

on_every_backend!(
    news_come_in_order_and_the_rest_stays_untold,
    an_end_is_told_by_the_stores_clock,
    a_long_ledger_is_read_by_pages,
    absent_auctions_are_named_and_nothing_is_watched,
);

async fn watching<'a, S: Contract>(store: &'a S, ids: &[i64], clock: Clock) -> Watcher<'a, S> {
    let ids: Vec<_> = ids.iter().map(|number| id(*number)).collect();
    Watcher::open(store, &ids, clock).await.unwrap().unwrap()
}

/// A word and a seq for each piece of news.
fn told(polled: &Polled) -> Vec<(i64, &'static str, i64)> {
    let told = polled.news.iter().map(|news| {
        let (word, seq) = match news {
            News::Past(entry) => ("past", entry.seq),
            News::Begun { row, .. } => ("begun", row.last_seq),
            News::Entry(entry) => (Kind::as_str(entry.kind), entry.seq),
            News::Ended { row, .. } => ("ended", row.last_seq),
            News::Closed(row) => ("closed", row.last_seq),
        };
        (news.auction_id().get(), word, seq)
    });
    told.collect()
}

async fn news_come_in_order_and_the_rest_stays_untold<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    let store = backend.store();
    let mut watcher = watching(store, &[2, 1, 2], Clock::settable(at(START))).await;
    let first = watcher.poll().await.unwrap();
    assert_eq!(
        told(&first),
        [
            (2, "past", 1),
            (2, "begun", 1),
            (1, "past", 1),
            (1, "past", 2),
            (1, "begun", 2)
        ]
    );
    assert_eq!(told(&watcher.poll().await.unwrap()), []);
    accepted(&*backend, 1, 3, "ben", 6_000).await;
    accepted(&*backend, 2, 2, "ann", 5_000).await;
    done(&*backend, 1, 4, void("ben", VoidScope::All)).await;
    let news = watcher.poll().await.unwrap();
    assert_eq!(told(&news), [(2, "bid", 2), (1, "bid", 3), (1, "void", 4)]);
    assert!(!news.behind && !watcher.is_done(true));
    done(&*backend, 2, 3, Deed::Cancel).await;
    assert_eq!(told(&watcher.poll().await.unwrap()), [(2, "cancel", 3)]);
    let stages: Vec<_> = watcher.lots().iter().map(|lot| lot.stage).collect();
    assert_eq!(stages, [Stage::Over, Stage::Running]);
}

async fn an_end_is_told_by_the_stores_clock<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    let store = backend.store();
    // This machine's clock is an hour past the end, the store's an hour before it.
    let here = Clock::settable(at(END + 60 * MINUTE));
    let mut watcher = watching(store, &[1], here.clone()).await;
    watcher.poll().await.unwrap();
    assert_eq!(watcher.now(), at(START));
    here.set(Micros::MAX);
    assert_eq!(told(&watcher.poll().await.unwrap()), []);
    assert_eq!(watcher.now(), at(START));
    clock(&*backend, END - 1).await;
    here.set(at(END + 120 * MINUTE));
    assert_eq!(told(&watcher.poll().await.unwrap()), []);
    clock(&*backend, END).await;
    here.set(Micros::MAX);
    assert_eq!(told(&watcher.poll().await.unwrap()), [(1, "ended", 2)]);
    assert!(watcher.is_done(true) && !watcher.is_done(false));
    assert_eq!(told(&watcher.poll().await.unwrap()), []);
    closed(&*backend, 1).await;
    assert_eq!(told(&watcher.poll().await.unwrap()), [(1, "closed", 2)]);
    assert!(watcher.is_done(false));
}

async fn a_long_ledger_is_read_by_pages<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let bids: Vec<_> = (2..=2_100_u128)
        .map(|n| bid(1, n, "ann", 10_000 * i64::try_from(n).unwrap()))
        .collect();
    let store = backend.store();
    let placed = store.bid_place_many(&bids, COMMIT).await.complete();
    assert_eq!(placed.unwrap().len(), 2_099);
    let mut watcher = watching(store, &[1], Clock::settable(at(START))).await;
    let mut seqs = Vec::new();
    for (entries, behind) in [(1_000, true), (1_000, true), (100, false)] {
        let polled = watcher.poll().await.unwrap();
        let past = told(&polled)
            .into_iter()
            .filter(|(_, word, _)| *word == "past");
        let past: Vec<i64> = past.map(|(.., seq)| seq).collect();
        assert_eq!((past.len(), polled.behind), (entries, behind));
        seqs.extend(past);
    }
    assert!(seqs.into_iter().eq(1..=2_100));
    assert_eq!(watcher.lots()[0].stage, Stage::Running);
}

async fn absent_auctions_are_named_and_nothing_is_watched<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 2, terms()).await;
    let ids = [id(3), id(2), id(9), id(3)];
    let opened = Watcher::open(backend.store(), &ids, Clock::System).await;
    let absent = opened.unwrap().err();
    assert_eq!(absent, Some(vec![id(3), id(9)]));
}
