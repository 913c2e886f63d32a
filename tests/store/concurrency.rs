//! Many at once: nothing lost, nothing done twice, no contention shown to a bidder.

use std::collections::BTreeSet;
use std::sync::Arc;

use gavel::auction::{Bid, Entry, Refusal, StepTable, Terms, VoidScope};
use gavel::closer::{SweepOptions, sweep};
use gavel::store::{BidAnswer, CloseReply, Contract, Reply, Scope};
use tokio::task::JoinSet;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    COMMIT, bid, clock, closed, dossier, dossiers, ledger, opened, placed, row,
};
use crate::support::make::{END, action, create, id, party, request, terms, usd, void};
use crate::support::sound::{assert_sound, price_of_maxima};

on_every_backend!(
    two_hundred_bidders_end_with_the_highest_leading,
    fifty_at_once_eight_times_are_accepted_or_told_the_minimum,
    one_request_a_hundred_times_is_one_entry,
    five_close_one_auction_once,
    eight_sweeps_close_a_thousand_once,
    bids_voids_and_closes_at_once_leave_sound_ledgers,
    two_stores_on_one_database_share_it,
);

/// Starts at 1000, steps of 10.
fn by_tens() -> Terms {
    Terms {
        start_price: usd("1000"),
        steps: StepTable::flat(usd("10")),
        ..terms()
    }
}

/// All bids at once, each from a task of its own; the answers in the order of the bids.
async fn at_once<B: Backend>(backend: &Arc<B>, bids: Vec<Bid>) -> Vec<Reply<BidAnswer>> {
    let mut tasks = JoinSet::new();
    for (n, bid) in bids.into_iter().enumerate() {
        let backend = Arc::clone(backend);
        tasks.spawn(async move { (n, placed(&*backend, &bid).await) });
    }
    let mut replies = tasks.join_all().await;
    replies.sort_by_key(|(n, _)| *n);
    replies.into_iter().map(|(_, reply)| reply).collect()
}

/// The auction's ledger, after checking it and its row.
async fn sound<B: Backend>(backend: &B, number: i64) -> Vec<Entry> {
    let entries = ledger(backend, number).await;
    assert_sound(&entries, &row(backend, number).await);
    entries
}

async fn two_hundred_bidders_end_with_the_highest_leading<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, by_tens()).await;
    let bids = (1..=200).map(|n| {
        let request = u128::try_from(n).unwrap();
        bid(1, request, &format!("bidder-{n}"), 100_000 + n * 1_000)
    });
    let replies = at_once(&backend, bids.collect()).await;
    for (n, reply) in (1..).zip(&replies) {
        let acceptable = match reply {
            Reply::Done(_) => true,
            Reply::Refused { refusal, .. } => matches!(refusal, Refusal::TooLow { .. }),
            Reply::Repeated(_) => false,
        };
        assert!(acceptable, "bidder {n}: {reply:?}");
    }
    assert!(
        matches!(replies[199], Reply::Done(_)),
        "3000 is never too low"
    );
    let accepted = replies
        .iter()
        .filter(|reply| matches!(reply, Reply::Done(_)));
    let entries = sound(&*backend, 1).await;
    assert_eq!(entries.len(), accepted.count() + 1);
    let row = row(&*backend, 1).await;
    assert_eq!(row.leader, Some(party("bidder-200")));
    let price = row.price.unwrap();
    // 2990 is refused only above a price of 2980, and beside 3000 it makes the price 3000.
    assert!([usd("2990"), usd("3000")].contains(&price), "{price:?}");
    assert_eq!(Some(price.minor()), price_of_maxima(&entries, 1_000));
}

async fn fifty_at_once_eight_times_are_accepted_or_told_the_minimum<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, by_tens()).await;
    let mut accepted = 0;
    for round in 0..8 {
        let bids = (0..50).map(|n| {
            let request = u128::try_from(round * 50 + n + 1).unwrap();
            let maximum = 100_000 + round * 50_000 + n * 1_000;
            bid(1, request, &format!("bidder-{n}"), maximum)
        });
        for reply in at_once(&backend, bids.collect()).await {
            match reply {
                Reply::Done(_) => accepted += 1,
                Reply::Refused { refusal, .. } => {
                    let told = matches!(refusal, Refusal::TooLow { .. });
                    assert!(told, "{refusal:?}");
                }
                Reply::Repeated(_) => panic!("every request is new"),
            }
        }
        let row = row(&*backend, 1).await;
        assert_eq!(row.leader, Some(party("bidder-49")), "round {round}");
    }
    assert_eq!(sound(&*backend, 1).await.len(), accepted + 1);
}

async fn one_request_a_hundred_times_is_one_entry<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let bids = vec![bid(1, 2, "ann", 5_000); 100];
    let replies = at_once(&backend, bids).await;
    let mut done = 0;
    for reply in &replies {
        match reply {
            Reply::Done(answer) => {
                done += 1;
                assert_eq!(answer.seq, 2);
            }
            Reply::Repeated(answer) => assert_eq!((answer.seq, answer.price), (2, usd("10"))),
            Reply::Refused { refusal, .. } => panic!("{refusal:?}"),
        }
    }
    assert_eq!(done, 1);
    assert_eq!(ledger(&*backend, 1).await.len(), 2);
    // The same id with another amount, at once: one is the entry, the others name the maximum.
    let bids = (0..50).map(|n| bid(1, 3, "ben", 6_000 + n));
    let replies = at_once(&backend, bids.collect()).await;
    let refused = replies.iter().filter(|reply| {
        matches!(reply, Reply::Refused { refusal, .. }
            if *refusal == Refusal::RequestIdReused { field: "maximum" })
    });
    assert_eq!(refused.count(), 49);
    assert_eq!(sound(&*backend, 1).await.len(), 3);
}

async fn five_close_one_auction_once<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    placed(&*backend, &bid(1, 2, "ann", 5_000)).await;
    clock(&*backend, END).await;
    let mut tasks = JoinSet::new();
    for _ in 0..5 {
        let backend = Arc::clone(&backend);
        tasks.spawn(async move { closed(&*backend, 1).await });
    }
    let (mut now, mut before) = (Vec::new(), Vec::new());
    for reply in tasks.join_all().await {
        match reply {
            CloseReply::Closed(closed) => now.push(closed),
            CloseReply::AlreadyClosed(closed) => before.push(closed),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((now.len(), before.len()), (1, 4));
    assert!(before.iter().all(|closed| *closed == now[0]));
    assert_eq!(dossier(&*backend, 1).await.events, [now.remove(0).event]);
}

async fn eight_sweeps_close_a_thousand_once<B: Backend>(backend: Arc<B>) {
    let creates: Vec<_> = (1..=1_000)
        .map(|number| create(id(number), request(1), terms()))
        .collect();
    let store = backend.store();
    store.auction_create(&creates, COMMIT).await.unwrap();
    clock(&*backend, END).await;
    let mut tasks = JoinSet::new();
    for n in 0..8 {
        let backend = Arc::clone(&backend);
        tasks.spawn(async move {
            let options = SweepOptions {
                batch: 10 + n,
                ..SweepOptions::default()
            };
            let mut ids = Vec::new();
            let (report, outcome) = sweep(backend.store(), &options, |closed| {
                ids.extend(closed.iter().map(|closed| closed.auction_id));
            })
            .await;
            outcome.unwrap();
            assert_eq!((report.left, report.bad), (0, Vec::new()));
            (report.closed, ids)
        });
    }
    let results = tasks.join_all().await;
    assert_eq!(results.iter().map(|(closed, _)| closed).sum::<u64>(), 1_000);
    let ids: Vec<_> = results.into_iter().flat_map(|(_, ids)| ids).collect();
    assert_eq!(ids.len(), 1_000);
    assert_eq!(ids.into_iter().collect::<BTreeSet<_>>().len(), 1_000);
    let all = dossiers(&*backend, &Scope::All).await.unwrap();
    let events: usize = all.iter().map(|dossier| dossier.events.len()).sum();
    assert_eq!((all.len(), events), (1_000, 1_000));
}

async fn bids_voids_and_closes_at_once_leave_sound_ledgers<B: Backend>(backend: Arc<B>) {
    for number in 1..=4 {
        opened(&*backend, number, by_tens()).await;
    }
    let mut tasks = JoinSet::new();
    for n in 0..240_i64 {
        let backend = Arc::clone(&backend);
        tasks.spawn(async move {
            let (number, request_number) = (1 + n % 4, u128::try_from(n + 10).unwrap());
            let bidder = format!("bidder-{}", n % 7);
            match n % 12 {
                11 => {
                    let void = void(&bidder, VoidScope::All);
                    let action = action(request(request_number), void);
                    let store = backend.store();
                    let reply = store.auction_act(id(number), &action, COMMIT).await;
                    drop(reply.unwrap());
                }
                10 => drop(closed(&*backend, number).await),
                _ => {
                    let maximum = 100_000 + (n * 7_919 % 240) * 1_000;
                    let bid = bid(number, request_number, &bidder, maximum);
                    drop(placed(&*backend, &bid).await);
                }
            }
        });
    }
    tasks.join_all().await;
    for number in 1..=4 {
        sound(&*backend, number).await;
    }
}

async fn two_stores_on_one_database_share_it<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, by_tens()).await;
    let other = Arc::new(backend.other().await);
    let mut tasks = JoinSet::new();
    for n in 1..=60_i64 {
        let bid = bid(
            1,
            u128::try_from(n).unwrap(),
            &format!("bidder-{n}"),
            100_000 + n * 1_000,
        );
        let (backend, other) = (Arc::clone(&backend), Arc::clone(&other));
        tasks.spawn(async move {
            if n % 2 == 0 {
                placed(&*backend, &bid).await
            } else {
                other.bid_place(&bid, COMMIT).await.unwrap()
            }
        });
    }
    let replies = tasks.join_all().await;
    let accepted = replies
        .iter()
        .filter(|reply| matches!(reply, Reply::Done(_)));
    assert_eq!(sound(&*backend, 1).await.len(), accepted.count() + 1);
    assert_eq!(row(&*backend, 1).await.leader, Some(party("bidder-60")));
}
