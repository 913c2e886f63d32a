//! Actions on many auctions: each judged alone, one outcome each, nothing kept of a rehearsal.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{Action, Amendment, AuctionId, Entry, Refusal, SoftClose, Status, Terms};
use gavel::store::{AuctionFilter, AuctionOrder, Contract, Reply, StoreError};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    COMMIT, REHEARSE, accepted, clock, dossier, ledger, opened, refusal, row,
};
use crate::support::make::{
    END, MINUTE, START, action, amend, at, id, request, soft_close, span, terms,
};

on_every_backend!(
    each_end_moves_from_where_a_soft_close_has_moved_it,
    refusals_stand_in_their_places_and_leave_the_others,
    a_repeat_of_all_moves_nothing,
    a_rehearsal_of_many_answers_alike_and_stores_nothing,
    more_than_are_done_at_once_keep_their_order,
    open_ends_are_listed_between_two_instants,
);

fn extend(us: i64) -> Deed {
    amend(Amendment {
        extend_by: Some(span(us)),
        ..Amendment::default()
    })
}

/// The same action on each, with the auction's number as request id.
fn on_each(numbers: impl IntoIterator<Item = i64>, deed: &Deed) -> Vec<(AuctionId, Action)> {
    let one = |number: i64| {
        let request = request(number.unsigned_abs().into());
        (id(number), action(request, deed.clone()))
    };
    numbers.into_iter().map(one).collect()
}

fn replies(outcomes: Vec<Result<Reply<Entry>, StoreError>>) -> Vec<Reply<Entry>> {
    outcomes.into_iter().map(Result::unwrap).collect()
}

async fn each_end_moves_from_where_a_soft_close_has_moved_it<B: Backend>(backend: Arc<B>) {
    let soft = Terms {
        soft_close: Some(soft_close()),
        ..terms()
    };
    for number in 1..=3 {
        opened(&*backend, number, soft.clone()).await;
    }
    clock(&*backend, END - MINUTE).await;
    accepted(&*backend, 2, 1_000, "ann", 5_000).await;
    let actions = on_each(1..=3, &extend(30 * MINUTE));
    let done = replies(backend.store().auctions_act(&actions, COMMIT).await);
    let ends = [30, 34, 30].map(|minutes| END + minutes * MINUTE);
    for ((number, reply), end) in (1..).zip(done).zip(ends) {
        let Reply::Done(entry) = reply else {
            panic!("{reply:?}");
        };
        assert_eq!((entry.auction_id, entry.end), (id(number), at(end)));
        assert_eq!(ledger(&*backend, number).await.last(), Some(&entry));
        assert_eq!(row(&*backend, number).await.end, at(end));
    }
}

async fn refusals_stand_in_their_places_and_leave_the_others<B: Backend>(backend: Arc<B>) {
    for number in [1, 2, 4, 5] {
        opened(&*backend, number, terms()).await;
    }
    let cap = Terms {
        soft_close: Some(SoftClose {
            cap: Some(at(END + MINUTE)),
            ..soft_close()
        }),
        ..terms()
    };
    opened(&*backend, 6, cap).await;
    accepted(&*backend, 6, 1_000, "ann", 5_000).await;
    backend.set_owner(id(2), Some("node-1")).await;
    backend.set_status(id(4), Status::Closing).await;
    let actions = on_each(1..=6, &extend(30 * MINUTE));
    let all = replies(backend.store().auctions_act(&actions, COMMIT).await);
    let codes: Vec<&str> = all
        .into_iter()
        .map(|reply| match reply {
            Reply::Done(_) => "done",
            other => refusal(other).code(),
        })
        .collect();
    let expected = ["done", "owned", "not-found", "ended", "done", "invalid-end"];
    assert_eq!(codes, expected);
    for (number, entries) in [(1, 2), (2, 1), (4, 1), (5, 2), (6, 2)] {
        assert_eq!(ledger(&*backend, number).await.len(), entries);
    }
}

async fn a_repeat_of_all_moves_nothing<B: Backend>(backend: Arc<B>) {
    for number in 1..=3 {
        opened(&*backend, number, terms()).await;
    }
    let store = backend.store();
    let first = replies(
        store
            .auctions_act(&on_each(1..=2, &extend(MINUTE)), COMMIT)
            .await,
    );
    // The third was not reached; by now nothing could be extended any more.
    let all = on_each(1..=3, &extend(MINUTE));
    clock(&*backend, END).await;
    let again = replies(store.auctions_act(&all, COMMIT).await);
    for (reply, again) in first.into_iter().zip(&again) {
        let Reply::Done(entry) = reply else {
            panic!("{reply:?}");
        };
        assert_eq!(*again, Reply::Repeated(entry));
    }
    assert_eq!(refusal(again[2].clone()), Refusal::Ended { end: at(END) });
    let other = replies(
        store
            .auctions_act(&on_each(1..=2, &extend(1)), COMMIT)
            .await,
    );
    for reply in other {
        let reused = Refusal::RequestIdReused { field: "terms" };
        assert_eq!(refusal(reply), reused);
    }
    assert_eq!(row(&*backend, 1).await.end, at(END + MINUTE));
}

async fn a_rehearsal_of_many_answers_alike_and_stores_nothing<B: Backend>(backend: Arc<B>) {
    for number in 1..=3 {
        opened(&*backend, number, terms()).await;
    }
    let before = dossier(&*backend, 2).await;
    let store = backend.store();
    let actions = on_each(1..=4, &extend(MINUTE));
    let rehearsed = replies(store.auctions_act(&actions, REHEARSE).await);
    assert_eq!(dossier(&*backend, 2).await, before);
    let kept = replies(store.auctions_act(&actions, COMMIT).await);
    assert_eq!(rehearsed, kept);
    assert_eq!(dossier(&*backend, 2).await.entries.len(), 2);
}

async fn more_than_are_done_at_once_keep_their_order<B: Backend>(backend: Arc<B>) {
    for number in 1..=40 {
        opened(&*backend, number, terms()).await;
    }
    let numbers: Vec<i64> = (1..=50).rev().collect();
    let actions = on_each(numbers.iter().copied(), &extend(MINUTE));
    let all = replies(backend.store().auctions_act(&actions, COMMIT).await);
    assert_eq!(all.len(), 50);
    for (number, reply) in numbers.into_iter().zip(all) {
        match reply {
            Reply::Done(entry) => assert_eq!(entry.auction_id, id(number)),
            other => assert_eq!((refusal(other), number > 40), (Refusal::NotFound, true)),
        }
    }
    assert!(backend.store().auctions_act(&[], COMMIT).await.is_empty());
}

async fn open_ends_are_listed_between_two_instants<B: Backend>(backend: Arc<B>) {
    for number in 1..=4 {
        let end = at(END + number * MINUTE);
        opened(&*backend, number, Terms { end, ..terms() }).await;
    }
    let listed = async |after: Option<i64>, before: Option<i64>, order| {
        let filter = AuctionFilter {
            ending_after: after.map(at),
            ending_before: before.map(at),
            ..AuctionFilter::default()
        };
        let rows = backend.store().auction_list(&filter, order, None, 10).await;
        let rows = rows.unwrap().into_iter();
        rows.map(|row| row.auction_id.get()).collect::<Vec<_>>()
    };
    for order in [AuctionOrder::End, AuctionOrder::Id] {
        let second = END + 2 * MINUTE;
        assert_eq!(listed(Some(second), None, order).await, [3, 4]);
        assert_eq!(listed(Some(second - 1), None, order).await, [2, 3, 4]);
        let fourth = END + 4 * MINUTE;
        assert_eq!(listed(Some(second), Some(fourth), order).await, [3]);
        assert_eq!(listed(Some(START), None, order).await, [1, 2, 3, 4]);
        assert!(listed(Some(fourth), None, order).await.is_empty());
    }
}
