//! Void, amend and cancel in the store: ledger, row and event move together, or nothing does.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{Amendment, Book, EventKind, OwnRaise, Refusal, Status, StepTable, VoidScope};
use gavel::store::{AuctionRow, CloseReply, Contract, Reply};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    COMMIT, REHEARSE, accepted, acted, bid, clock, closed, done, dossier, ledger, opened, placed,
    refusal, row,
};
use crate::support::make::{
    END, MINUTE, START, action, amend, at, currency, id, party, request, soft_close, terms, usd,
    void,
};

on_every_backend!(
    a_void_refolds_the_row,
    voiding_the_last_bid_leaves_nobody_leading,
    an_amendment_before_the_first_bid_changes_every_column,
    an_amendment_after_a_bid_moves_the_end_alone,
    a_cancellation_writes_its_event_and_is_final,
    refusals_change_nothing,
    an_owned_auction_takes_no_action,
    a_rehearsed_action_answers_alike_and_stores_nothing,
);

async fn as_folded<B: Backend>(backend: &B, number: i64) {
    let entries = ledger(backend, number).await;
    let mut book = Book::open(&entries[0]).unwrap();
    for entry in &entries[1..] {
        book.fold(entry).unwrap();
    }
    let expected = AuctionRow::of(id(number), book.terms, &book.state);
    assert_eq!(row(backend, number).await, expected);
}

async fn a_void_refolds_the_row<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    accepted(&*backend, 1, 3, "ben", 10_000).await;
    accepted(&*backend, 1, 4, "cyd", 8_000).await;
    let entry = done(&*backend, 1, 5, void("ben", VoidScope::All)).await;
    assert_eq!((entry.seq, entry.price), (5, Some(usd("51"))));
    let found = row(&*backend, 1).await;
    assert_eq!(found.leader, Some(party("cyd")));
    assert_eq!(found.leader_max, Some(usd("80")));
    assert_eq!(found.runner_up_max, Some(usd("50")));
    assert_eq!((found.price, found.bid_count), (Some(usd("51")), 2));
    as_folded(&*backend, 1).await;
    // Bidding goes on from there, the voided bidder included.
    let answer = accepted(&*backend, 1, 6, "ben", 6_000).await;
    assert_eq!((answer.price, answer.leading), (usd("61"), false));
    as_folded(&*backend, 1).await;
}

async fn voiding_the_last_bid_leaves_nobody_leading<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    done(&*backend, 1, 3, void("ann", VoidScope::Bid(2))).await;
    let found = row(&*backend, 1).await;
    assert_eq!(
        (&found.leader, found.price, found.bid_count),
        (&None, None, 0)
    );
    assert_eq!((found.leader_max, found.reserve_met), (None, false));
    as_folded(&*backend, 1).await;
    let reply = placed(&*backend, &bid(1, 4, "ben", 999)).await;
    assert_eq!(refusal(reply), Refusal::BelowStart { minimum: 1_000 });
    accepted(&*backend, 1, 5, "ben", 1_000).await;
}

async fn an_amendment_before_the_first_bid_changes_every_column<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let all = amend(Amendment {
        title: Some("Ein anderer Titel ☂".to_owned()),
        start_price: Some(usd("25")),
        steps: Some(StepTable::parse("5", currency("USD")).unwrap()),
        reserve: Some(Some(usd("40"))),
        own_raise: Some(OwnRaise::Reprice),
        soft_close: Some(Some(soft_close().into())),
        start: Some(at(START + MINUTE)),
        end: Some(at(END + MINUTE)),
        extend_by: None,
    });
    let entry = done(&*backend, 1, 2, all).await;
    assert_eq!(entry.end, at(END + MINUTE));
    let found = row(&*backend, 1).await;
    assert_eq!(found.terms.title, "Ein anderer Titel ☂");
    assert_eq!(found.terms.reserve, Some(usd("40")));
    assert_eq!(
        (found.terms.end, found.end),
        (at(END + MINUTE), at(END + MINUTE))
    );
    as_folded(&*backend, 1).await;
    let none = amend(Amendment {
        reserve: Some(None),
        soft_close: Some(None),
        ..Amendment::default()
    });
    done(&*backend, 1, 3, none).await;
    let found = row(&*backend, 1).await;
    assert_eq!((found.terms.reserve, found.terms.soft_close), (None, None));
    as_folded(&*backend, 1).await;
}

async fn an_amendment_after_a_bid_moves_the_end_alone<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    let end = |us: i64| {
        amend(Amendment {
            end: Some(at(us)),
            ..Amendment::default()
        })
    };
    done(&*backend, 1, 3, end(END + MINUTE)).await;
    let found = row(&*backend, 1).await;
    assert_eq!((found.end, found.terms.end), (at(END + MINUTE), at(END)));
    as_folded(&*backend, 1).await;
    clock(&*backend, END).await;
    accepted(&*backend, 1, 4, "ben", 6_000).await;
    done(&*backend, 1, 5, end(END + 1)).await;
    clock(&*backend, END + 1).await;
    let reply = placed(&*backend, &bid(1, 6, "ann", 9_000)).await;
    assert_eq!(refusal(reply), Refusal::Ended { end: at(END + 1) });
    as_folded(&*backend, 1).await;
}

async fn a_cancellation_writes_its_event_and_is_final<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    clock(&*backend, START + MINUTE).await;
    let entry = done(&*backend, 1, 3, Deed::Cancel).await;
    let found = dossier(&*backend, 1).await;
    let [event] = &found.events[..] else {
        panic!("one event: {:?}", found.events);
    };
    assert_eq!(event.event_id, "1.cancelled");
    assert_eq!(event.kind, EventKind::Cancelled);
    assert_eq!(
        (event.result, &event.winner, event.price),
        (None, &None, None)
    );
    assert_eq!((event.end, event.closed_at), (at(END), at(START + MINUTE)));
    assert_eq!(event.ledger_head, entry.hash);
    let cached = found.row.unwrap();
    assert_eq!(
        (cached.status, cached.price),
        (Status::Cancelled, Some(usd("10")))
    );
    as_folded(&*backend, 1).await;

    let reply = placed(&*backend, &bid(1, 4, "ben", 6_000)).await;
    assert_eq!(refusal(reply), Refusal::Cancelled);
    let again = acted(&*backend, 1, 5, Deed::Cancel).await;
    assert_eq!(refusal(again), Refusal::Cancelled);
    clock(&*backend, END).await;
    assert_eq!(closed(&*backend, 1).await, CloseReply::Cancelled);
    assert_eq!(dossier(&*backend, 1).await.events.len(), 1);
}

async fn refusals_change_nothing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    accepted(&*backend, 1, 3, "ann", 6_000).await;
    let before = dossier(&*backend, 1).await;
    let end = |us: i64| {
        amend(Amendment {
            end: Some(at(us)),
            ..Amendment::default()
        })
    };
    let title = amend(Amendment {
        title: Some("x".to_owned()),
        ..Amendment::default()
    });
    for (number, deed, code) in [
        (1, void("ben", VoidScope::All), "no-such-bid"),
        (1, void("ann", VoidScope::Bid(1)), "no-such-bid"),
        (1, void("ann", VoidScope::Bid(2)), "not-latest"),
        (1, title, "terms-frozen"),
        (1, end(START), "invalid-end"),
        (1, end(END), "no-change"),
        (2, Deed::Cancel, "not-found"),
        (2, void("ann", VoidScope::All), "not-found"),
    ] {
        let reply = acted(&*backend, number, 50, deed).await;
        assert_eq!(refusal(reply).code(), code);
    }
    clock(&*backend, END).await;
    for deed in [void("ann", VoidScope::All), end(END + 5), Deed::Cancel] {
        let reply = acted(&*backend, 1, 50, deed).await;
        assert_eq!(refusal(reply), Refusal::Ended { end: at(END) });
    }
    assert_eq!(dossier(&*backend, 1).await, before);
}

async fn an_owned_auction_takes_no_action<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    backend.set_owner(id(1), Some("node-1")).await;
    for deed in [void("ann", VoidScope::All), Deed::Cancel] {
        let reply = acted(&*backend, 1, 3, deed).await;
        assert_eq!(refusal(reply), Refusal::Owned);
    }
}

async fn a_rehearsed_action_answers_alike_and_stores_nothing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    for (number, deed) in [(3, void("ann", VoidScope::All)), (4, Deed::Cancel)] {
        let before = dossier(&*backend, 1).await;
        let action = action(request(number), deed);
        let store = backend.store();
        let rehearsed = store.auction_act(id(1), &action, REHEARSE).await.unwrap();
        assert!(matches!(rehearsed, Reply::Done(_)));
        assert_eq!(dossier(&*backend, 1).await, before);
        let kept = store.auction_act(id(1), &action, COMMIT).await.unwrap();
        assert_eq!(rehearsed, kept);
    }
}
