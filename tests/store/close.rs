//! Closing one auction by id: the clock decides, once.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{CloseResult, Event, EventKind, Refusal, Status, Terms};
use gavel::store::{CloseReply, Closed, Contract};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    REHEARSE, accepted, bid, clock, closed, done, dossier, opened, placed, refusal, row,
};
use crate::support::make::{END, MINUTE, START, at, id, party, soft_close, terms, usd};

on_every_backend!(
    a_sold_auction_is_recorded_with_its_event,
    nobody_bid,
    the_reserve_is_not_met,
    it_waits_for_the_end_and_for_an_extension,
    what_cannot_be_closed_says_why,
    a_closed_auction_stays_closed_when_the_clock_steps_back,
    a_rehearsal_answers_alike_and_stores_nothing,
);

async fn a_sold_auction_is_recorded_with_its_event<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 7731, terms()).await;
    accepted(&*backend, 7731, 2, "marcus", 1_200_000).await;
    accepted(&*backend, 7731, 3, "elena", 1_200_000).await;
    let before = row(&*backend, 7731).await;
    clock(&*backend, END + 50_000).await;
    let expected = Closed {
        auction_id: id(7731),
        event: Event {
            event_id: "7731.closed".to_owned(),
            kind: EventKind::Closed,
            result: Some(CloseResult::Sold),
            winner: Some(party("marcus")),
            price: Some(usd("12000")),
            end: at(END),
            closed_at: at(END + 50_000),
            ledger_head: before.head,
        },
    };
    let first = closed(&*backend, 7731).await;
    assert_eq!(first, CloseReply::Closed(expected.clone()));
    let found = dossier(&*backend, 7731).await;
    assert_eq!(found.events, std::slice::from_ref(&expected.event));
    let after = found.row.unwrap();
    assert_eq!(after.status, Status::Closed);
    assert_eq!(after.closed_at, Some(at(END + 50_000)));
    assert_eq!(after.winner, Some(party("marcus")));
    assert_eq!(after.final_price, Some(usd("12000")));
    assert_eq!((after.price, after.head), (before.price, before.head));
    // The answer of a second call is the first result, not a new one.
    clock(&*backend, END + MINUTE).await;
    let second = closed(&*backend, 7731).await;
    assert_eq!(second, CloseReply::AlreadyClosed(expected));
    assert_eq!(dossier(&*backend, 7731).await.events.len(), 1);
}

async fn nobody_bid<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, END).await;
    let CloseReply::Closed(reply) = closed(&*backend, 1).await else {
        panic!("not closed");
    };
    assert_eq!(reply.event.result, Some(CloseResult::NoBids));
    assert_eq!((reply.event.winner, reply.event.price), (None, None));
    let found = row(&*backend, 1).await;
    assert_eq!((found.status, found.winner), (Status::Closed, None));
    assert_eq!((found.final_price, found.price), (None, None));
}

async fn the_reserve_is_not_met<B: Backend>(backend: Arc<B>) {
    let reserve = Terms {
        reserve: Some(usd("700")),
        ..terms()
    };
    opened(&*backend, 1, reserve).await;
    accepted(&*backend, 1, 2, "ann", 1_500).await;
    clock(&*backend, END).await;
    let CloseReply::Closed(reply) = closed(&*backend, 1).await else {
        panic!("not closed");
    };
    assert_eq!(reply.event.result, Some(CloseResult::ReserveNotMet));
    assert_eq!((reply.event.winner, reply.event.price), (None, None));
    let found = row(&*backend, 1).await;
    assert_eq!(found.status, Status::ClosedReserveNotMet);
    assert_eq!((found.winner, found.final_price), (None, None));
    assert_eq!(found.price, Some(usd("10")), "the last price stays visible");
}

async fn it_waits_for_the_end_and_for_an_extension<B: Backend>(backend: Arc<B>) {
    let soft = Terms {
        soft_close: Some(soft_close()),
        ..terms()
    };
    opened(&*backend, 1, soft).await;
    let not_due = |end: i64, now: i64| CloseReply::NotDue {
        end: at(end),
        now: at(now),
    };
    clock(&*backend, END - 1).await;
    let before = dossier(&*backend, 1).await;
    assert_eq!(closed(&*backend, 1).await, not_due(END, END - 1));
    assert_eq!(dossier(&*backend, 1).await, before);
    accepted(&*backend, 1, 2, "ann", 1_500).await;
    let end = END - 1 + 5 * MINUTE;
    clock(&*backend, END).await;
    assert_eq!(closed(&*backend, 1).await, not_due(end, END));
    clock(&*backend, end - 1).await;
    assert_eq!(closed(&*backend, 1).await, not_due(end, end - 1));
    clock(&*backend, end).await;
    assert!(matches!(closed(&*backend, 1).await, CloseReply::Closed(_)));
}

async fn what_cannot_be_closed_says_why<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    done(&*backend, 1, 2, Deed::Cancel).await;
    backend.set_owner(id(2), Some("node-1")).await;
    clock(&*backend, END).await;
    assert_eq!(closed(&*backend, 1).await, CloseReply::Cancelled);
    assert_eq!(closed(&*backend, 2).await, CloseReply::Owned);
    assert_eq!(closed(&*backend, 3).await, CloseReply::NotFound);
    backend.set_owner(id(2), None).await;
    assert!(matches!(closed(&*backend, 2).await, CloseReply::Closed(_)));
}

async fn a_closed_auction_stays_closed_when_the_clock_steps_back<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 1_500).await;
    clock(&*backend, END).await;
    closed(&*backend, 1).await;
    clock(&*backend, START + MINUTE).await;
    let reply = placed(&*backend, &bid(1, 3, "ben", 9_000)).await;
    assert_eq!(refusal(reply), Refusal::Ended { end: at(END) });
    let again = closed(&*backend, 1).await;
    assert!(matches!(again, CloseReply::AlreadyClosed(_)), "{again:?}");
}

async fn a_rehearsal_answers_alike_and_stores_nothing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 1_500).await;
    clock(&*backend, END).await;
    let before = dossier(&*backend, 1).await;
    let store = backend.store();
    let rehearsed = store.auction_close(id(1), REHEARSE).await.unwrap();
    assert_eq!(dossier(&*backend, 1).await, before);
    assert_eq!(closed(&*backend, 1).await, rehearsed);
}
