//! Ids of load-generation runs: a closer's remit, an audit's range, and removal.

use std::sync::Arc;

use gavel::auction::{AuctionId, IdRange, Remit, Status, Terms};
use gavel::closer::{Strategy, SweepOptions, sweep};
use gavel::store::{BurstRows, Contract, Scope, Watch};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, REHEARSE, accepted, clock, dossier, dossiers, opened, row};
use crate::support::make::{END, id, party, terms};

on_every_backend!(
    a_remit_of_ids_closes_those_alone,
    a_range_is_read_alone,
    runs_are_removed_with_all_that_is_theirs,
    other_auctions_are_never_removed,
);

const RUN: i64 = 10_000;
const FIRST: i64 = AuctionId::BURST_MIN;

fn range(first: i64, last: i64) -> IdRange {
    IdRange {
        first: id(first),
        last: id(last),
    }
}

/// One of everything in two runs and outside of them.
async fn furnished<B: Backend>(backend: &B) {
    for number in [7, FIRST, FIRST + 1, FIRST + RUN, AuctionId::MAX] {
        let seller = party("burst-seller");
        let terms = Terms { seller, ..terms() };
        opened(backend, number, terms).await;
        accepted(backend, number, 2, "ann", 50_000).await;
        let (store, eve) = (backend.store(), party("eve"));
        let watch = store.watch_add(id(number), &eve, COMMIT).await;
        assert_eq!(watch.unwrap(), Watch::Added);
    }
}

async fn a_remit_of_ids_closes_those_alone<B: Backend>(backend: Arc<B>) {
    furnished(&*backend).await;
    clock(&*backend, END).await;
    let own = Remit {
        ids: range(FIRST, FIRST + 1),
        ..Remit::ALL
    };
    let store = backend.store();
    assert_eq!(store.backlog(own).await.unwrap().due, 2);
    assert_eq!(store.backlog(Remit::ALL).await.unwrap().due, 5);
    for (strategy, last) in [(Strategy::Batch, FIRST), (Strategy::Claim, FIRST + 1)] {
        let options = SweepOptions {
            remit: Remit {
                ids: range(FIRST, last),
                ..Remit::ALL
            },
            strategy,
            ..SweepOptions::default()
        };
        let (report, outcome) = sweep(store, &options, |_| {}).await;
        outcome.unwrap();
        assert_eq!((report.closed, report.left), (1, 0));
        assert_eq!(row(&*backend, last).await.status, Status::Closed);
    }
    for others in [7, FIRST + RUN, AuctionId::MAX] {
        assert_eq!(row(&*backend, others).await.status, Status::Open);
    }
}

async fn a_range_is_read_alone<B: Backend>(backend: Arc<B>) {
    furnished(&*backend).await;
    let scope = Scope::Range(range(FIRST, FIRST + RUN));
    let read = dossiers(&*backend, &scope).await.unwrap();
    let ids: Vec<i64> = read.iter().map(|dossier| dossier.auction_id).collect();
    assert_eq!(ids, [FIRST, FIRST + 1, FIRST + RUN]);
    assert_eq!(read[1], dossier(&*backend, FIRST + 1).await);
    let counted = backend.store().dossiers_count(&scope).await.unwrap();
    assert_eq!(counted, (3, 6));
}

async fn runs_are_removed_with_all_that_is_theirs<B: Backend>(backend: Arc<B>) {
    furnished(&*backend).await;
    clock(&*backend, END).await;
    let (_, outcome) = sweep(backend.store(), &SweepOptions::default(), |_| {}).await;
    outcome.unwrap();
    let store = backend.store();
    let runs = store.burst_rows(RUN).await.unwrap();
    let spans: Vec<(i64, i64, u64)> = runs
        .iter()
        .map(|run: &BurstRows| (run.first.get(), run.last.get(), run.auctions))
        .collect();
    let max = AuctionId::MAX;
    assert_eq!(
        spans,
        [
            (FIRST, FIRST + 1, 2),
            (FIRST + RUN, FIRST + RUN, 1),
            (max, max, 1)
        ]
    );
    let first = range(FIRST, FIRST + RUN - 1);
    let rehearsed = store.burst_remove(first, 10, REHEARSE).await;
    assert_eq!(rehearsed.unwrap(), 2);
    let all = dossiers(&*backend, &Scope::All).await.unwrap();
    assert_eq!(all.len(), 5);
    for left in [1, 1, 0] {
        assert_eq!(store.burst_remove(first, 1, COMMIT).await.unwrap(), left);
    }
    let kept = dossiers(&*backend, &Scope::All).await.unwrap();
    assert_eq!(kept, [all[0].clone(), all[3].clone(), all[4].clone()]);
}

async fn other_auctions_are_never_removed<B: Backend>(backend: Arc<B>) {
    furnished(&*backend).await;
    let all = dossiers(&*backend, &Scope::All).await.unwrap();
    let wide = range(FIRST - 1, AuctionId::MAX);
    for mode in [COMMIT, REHEARSE] {
        assert!(backend.store().burst_remove(wide, 10, mode).await.is_err());
    }
    assert_eq!(dossiers(&*backend, &Scope::All).await.unwrap(), all);
    // Nor one of another seller that has such an id.
    opened(&*backend, FIRST + 2, terms()).await;
    let store = backend.store();
    let runs = store.burst_rows(RUN).await.unwrap();
    assert_eq!((runs[0].last.get(), runs[0].auctions), (FIRST + 1, 2));
    let all = range(FIRST, AuctionId::MAX);
    assert_eq!(store.burst_remove(all, 10, COMMIT).await.unwrap(), 4);
    let left = dossiers(&*backend, &Scope::All).await.unwrap();
    let ids: Vec<i64> = left.iter().map(|dossier| dossier.auction_id).collect();
    assert_eq!(ids, [7, FIRST + 2]);
}
