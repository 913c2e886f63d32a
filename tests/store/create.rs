//! Creating auctions: what is asked is what is stored, and refusals leave nothing.

use std::sync::Arc;

use gavel::auction::{
    Book, ExtendMode, ExtendTrigger, Micros, OwnRaise, Refusal, SoftClose, StepTable, Terms,
};
use gavel::store::{AuctionRow, Contract, Reply};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, CREATED, REHEARSE, clock, ledger, opened, refusal, row};
use crate::support::make::{
    END, MINUTE, START, amount, at, create, currency, id, party, request, soft_close, span, terms,
    usd,
};

on_every_backend!(
    what_is_created_reads_back,
    every_term_survives,
    many_are_created_in_order_and_refusals_leave_the_others,
    an_id_is_taken_once,
    a_repeat_inside_one_call_is_a_repeat,
    refusals_store_nothing,
    a_rehearsal_answers_alike_and_stores_nothing,
);

async fn what_is_created_reads_back<B: Backend>(backend: Arc<B>) {
    let entry = opened(&*backend, 7731, terms()).await;
    let asked = create(id(7731), request(CREATED), terms());
    assert_eq!(entry, Book::decide_create(&asked, at(START)).unwrap());
    assert_eq!(ledger(&*backend, 7731).await, std::slice::from_ref(&entry));
    let book = Book::open(&entry).unwrap();
    let expected = AuctionRow::of(id(7731), book.terms, &book.state);
    assert_eq!(row(&*backend, 7731).await, expected);
    let none = backend.store().auction_get(id(7732)).await.unwrap();
    assert_eq!(none, None);
}

async fn every_term_survives<B: Backend>(backend: Arc<B>) {
    let long = "Näherin 青銅 🔨 ".repeat(600);
    let mut all = vec![
        Terms {
            title: "Käthe's \"Stuhl\" — 青銅の手 🔨 \\ '; drop table auctions; --".to_owned(),
            ..terms()
        },
        Terms {
            title: long,
            reserve: Some(usd("10000000000000")),
            ..terms()
        },
        Terms {
            seller: party(&"x".repeat(64)),
            currency: currency("JPY"),
            start_price: amount(1_000),
            steps: StepTable::parse("1:1,100:5,1000:50", currency("JPY")).unwrap(),
            own_raise: OwnRaise::Reprice,
            ..terms()
        },
        Terms {
            currency: currency("KWD"),
            start_price: amount(1_000_000_000_000_000),
            steps: StepTable::parse("0.005", currency("KWD")).unwrap(),
            start: at(1),
            end: Micros::MAX,
            ..terms()
        },
    ];
    for mode in [ExtendMode::Reset, ExtendMode::Add] {
        for trigger in [
            ExtendTrigger::NotOwnRaise,
            ExtendTrigger::Any,
            ExtendTrigger::LeaderChange,
        ] {
            for cap in [None, Some(at(END + MINUTE))] {
                let soft = SoftClose {
                    window: span(1),
                    extend_by: span(2),
                    mode,
                    trigger,
                    cap,
                };
                all.push(Terms {
                    soft_close: Some(soft),
                    ..terms()
                });
            }
        }
    }
    for (number, terms) in (1..).zip(all) {
        opened(&*backend, number, terms.clone()).await;
        let found = row(&*backend, number).await;
        assert_eq!(found.terms, terms);
        let entries = ledger(&*backend, number).await;
        let reserve = entries[0].secret.map(|secret| secret.amount);
        let told = Terms::from_detail(&entries[0].detail, reserve).unwrap();
        assert_eq!(told, terms);
    }
}

async fn many_are_created_in_order_and_refusals_leave_the_others<B: Backend>(backend: Arc<B>) {
    let bad_title = Terms {
        title: " ".to_owned(),
        ..terms()
    };
    let bad_end = Terms {
        end: at(START),
        ..terms()
    };
    let creates = [
        create(id(1), request(1), terms()),
        create(id(2), request(1), bad_title),
        create(id(3), request(1), bad_end),
        create(id(1), request(2), terms()),
        create(id(4), request(1), terms()),
    ];
    let replies = backend.store().auction_create(&creates, COMMIT).await;
    let told: Vec<_> = replies
        .unwrap()
        .into_iter()
        .map(|reply| match reply {
            Reply::Done(entry) => entry.auction_id.to_string(),
            other => refusal(other).code().to_owned(),
        })
        .collect();
    assert_eq!(
        told,
        ["1", "invalid-terms", "invalid-end", "auction-exists", "4"]
    );
    for (number, there) in [(1, true), (2, false), (3, false), (4, true)] {
        let found = backend.store().auction_get(id(number)).await.unwrap();
        assert_eq!(found.is_some(), there, "{number}");
    }
    let none = backend.store().auction_create(&[], COMMIT).await.unwrap();
    assert_eq!(none, []);
}

async fn an_id_is_taken_once<B: Backend>(backend: Arc<B>) {
    let first = opened(&*backend, 1, terms()).await;
    clock(&*backend, START + MINUTE).await;
    let again = [create(id(1), request(2), terms())];
    let replies = backend.store().auction_create(&again, COMMIT).await;
    assert_eq!(
        replies.unwrap(),
        [Reply::Refused {
            refusal: Refusal::AuctionExists,
            now: at(START + MINUTE)
        }]
    );
    // Even one that would be refused for its terms: the id is named first.
    let bad = [create(
        id(1),
        request(3),
        Terms {
            end: at(1),
            ..terms()
        },
    )];
    let replies = backend.store().auction_create(&bad, COMMIT).await.unwrap();
    assert_eq!(refusal(replies[0].clone()), Refusal::AuctionExists);
    assert_eq!(ledger(&*backend, 1).await, [first]);
}

async fn a_repeat_inside_one_call_is_a_repeat<B: Backend>(backend: Arc<B>) {
    let create = create(id(1), request(1), terms());
    let twice = [create.clone(), create];
    let replies = backend.store().auction_create(&twice, COMMIT).await;
    let [Reply::Done(first), Reply::Repeated(again)] = &replies.unwrap()[..] else {
        panic!("not done once and repeated once");
    };
    assert_eq!(first, again);
    assert_eq!(ledger(&*backend, 1).await.len(), 1);
}

async fn refusals_store_nothing<B: Backend>(backend: Arc<B>) {
    clock(&*backend, END).await;
    let creates = [create(id(1), request(1), terms())];
    let replies = backend.store().auction_create(&creates, COMMIT).await;
    assert_eq!(
        replies.unwrap(),
        [Reply::Refused {
            refusal: Refusal::InvalidEnd {
                why: "the end must lie in the future"
            },
            now: at(END)
        }]
    );
    let none = backend.store().auction_get(id(1)).await.unwrap();
    assert_eq!((none, ledger(&*backend, 1).await), (None, Vec::new()));
    // The refusal is not recorded: the same request is judged afresh.
    clock(&*backend, END - 1).await;
    let replies = backend.store().auction_create(&creates, COMMIT).await;
    assert!(matches!(replies.unwrap()[..], [Reply::Done(_)]));
}

async fn a_rehearsal_answers_alike_and_stores_nothing<B: Backend>(backend: Arc<B>) {
    let soft = Terms {
        soft_close: Some(soft_close()),
        reserve: Some(usd("50")),
        ..terms()
    };
    let creates = [
        create(id(1), request(1), soft),
        create(id(1), request(2), terms()),
    ];
    let store = backend.store();
    let rehearsed = store.auction_create(&creates, REHEARSE).await.unwrap();
    assert_eq!(store.auction_get(id(1)).await.unwrap(), None);
    let kept = store.auction_create(&creates, COMMIT).await.unwrap();
    assert_eq!(rehearsed, kept);
}
