//! Request ids in the store: one entry, one answer, whatever happened since.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{Amendment, Bid, Refusal, Terms, VoidScope};
use gavel::store::{BidAnswer, Contract, Reply};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    COMMIT, CREATED, accepted, acted, bid, clock, closed, done, ledger, opened, placed, refusal,
};
use crate::support::make::{
    END, MINUTE, START, action, amend, at, create, id, party, request, terms, usd, void,
};

on_every_backend!(
    a_bid_gets_its_first_answer_in_any_state,
    a_bid_voided_since_says_so,
    other_content_is_refused_with_the_field,
    a_request_id_belongs_to_one_auction_and_all_kinds,
    a_refused_request_is_judged_afresh,
    a_create_gets_its_entry_after_later_changes,
    actions_get_their_entry_after_the_end,
);

fn reused<T>(field: &'static str, now: i64) -> Reply<T> {
    Reply::Refused {
        refusal: Refusal::RequestIdReused { field },
        now: at(now),
    }
}

async fn a_bid_gets_its_first_answer_in_any_state<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let first = bid(1, 2, "ann", 5_000);
    let Reply::Done(answer) = placed(&*backend, &first).await else {
        panic!("refused");
    };
    let again = |now: i64| {
        Reply::Repeated(BidAnswer {
            now: at(now),
            ..answer.clone()
        })
    };
    assert_eq!(placed(&*backend, &first).await, again(START));
    accepted(&*backend, 1, 3, "ben", 9_000).await;
    clock(&*backend, START + MINUTE).await;
    assert_eq!(placed(&*backend, &first).await, again(START + MINUTE));
    clock(&*backend, END).await;
    assert_eq!(placed(&*backend, &first).await, again(END));
    closed(&*backend, 1).await;
    assert_eq!(placed(&*backend, &first).await, again(END));
    // A retry may draw another nonce, and comes back with the first entry.
    let other_nonce = Bid {
        nonce: [1; 16],
        ..first
    };
    assert_eq!(placed(&*backend, &other_nonce).await, again(END));
    assert_eq!(ledger(&*backend, 1).await.len(), 3);
}

async fn a_bid_voided_since_says_so<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let (first, second) = (bid(1, 2, "ann", 5_000), bid(1, 3, "ann", 6_000));
    placed(&*backend, &first).await;
    placed(&*backend, &second).await;
    done(&*backend, 1, 4, void("ann", VoidScope::Latest)).await;
    let voided = |reply| match reply {
        Reply::Repeated(answer) => {
            let BidAnswer { price, voided, .. } = answer;
            assert_eq!(price, usd("10"));
            voided
        }
        other => panic!("{other:?}"),
    };
    assert!(!voided(placed(&*backend, &first).await));
    assert!(voided(placed(&*backend, &second).await));
    done(&*backend, 1, 5, void("ann", VoidScope::All)).await;
    assert!(voided(placed(&*backend, &first).await));
    // The others' repeats are not marked, even if they came between.
    accepted(&*backend, 1, 6, "ben", 5_000).await;
    assert!(!voided(placed(&*backend, &bid(1, 6, "ben", 5_000)).await));
}

async fn other_content_is_refused_with_the_field<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let first = bid(1, 2, "ann", 5_000);
    placed(&*backend, &first).await;
    let other_bidder = bid(1, 2, "ben", 5_000);
    let other_maximum = bid(1, 2, "ann", 5_001);
    let too_high = bid(1, 2, "ann", i64::MAX);
    let below_zero = bid(1, 2, "ann", -5);
    assert_eq!(
        placed(&*backend, &other_bidder).await,
        reused("bidder", START)
    );
    for bid in [other_maximum, too_high, below_zero] {
        assert_eq!(placed(&*backend, &bid).await, reused("maximum", START));
    }
    // The reuse is named before anything about the auction.
    clock(&*backend, END).await;
    assert_eq!(
        placed(&*backend, &other_bidder).await,
        reused("bidder", END)
    );
    assert_eq!(ledger(&*backend, 1).await.len(), 2);
}

async fn a_request_id_belongs_to_one_auction_and_all_kinds<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    accepted(&*backend, 2, 2, "ann", 5_000).await;
    let cancel = acted(&*backend, 1, 2, Deed::Cancel).await;
    assert_eq!(cancel, reused("kind", START));
    let as_created = placed(&*backend, &bid(1, CREATED, "ann", 5_000)).await;
    assert_eq!(as_created, reused("kind", START));
    let as_bid = [create(id(1), request(2), terms())];
    let replies = backend.store().auction_create(&as_bid, COMMIT).await;
    assert_eq!(replies.unwrap(), [reused("kind", START)]);
}

async fn a_refused_request_is_judged_afresh<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ben", 9_000).await;
    let low = bid(1, 3, "ann", 1_000);
    assert_eq!(refusal(placed(&*backend, &low).await).code(), "too-low");
    done(&*backend, 1, 4, void("ben", VoidScope::All)).await;
    assert!(matches!(placed(&*backend, &low).await, Reply::Done(_)));
    // An action too.
    let again = void("ben", VoidScope::All);
    let refused = acted(&*backend, 1, 5, again.clone()).await;
    assert_eq!(refusal(refused), Refusal::AlreadyVoided);
    accepted(&*backend, 1, 6, "ben", 2_000).await;
    done(&*backend, 1, 5, again).await;
}

async fn a_create_gets_its_entry_after_later_changes<B: Backend>(backend: Arc<B>) {
    let entry = opened(&*backend, 1, terms()).await;
    let retitle = amend(Amendment {
        title: Some("Another".to_owned()),
        ..Amendment::default()
    });
    done(&*backend, 1, 2, retitle).await;
    clock(&*backend, END + MINUTE).await;
    let mut other_actor = create(id(1), request(CREATED), terms());
    other_actor.actor = party("somebody");
    let asked = [
        create(id(1), request(CREATED), terms()),
        other_actor,
        create(
            id(1),
            request(CREATED),
            Terms {
                reserve: Some(usd("50")),
                ..terms()
            },
        ),
        create(
            id(1),
            request(CREATED),
            Terms {
                title: "Another".to_owned(),
                ..terms()
            },
        ),
    ];
    let replies = backend.store().auction_create(&asked, COMMIT).await;
    let now = END + MINUTE;
    assert_eq!(
        replies.unwrap(),
        [
            Reply::Repeated(entry),
            reused("actor", now),
            reused("reserve", now),
            reused("terms", now)
        ]
    );
}

async fn actions_get_their_entry_after_the_end<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    let deeds = [
        void("ann", VoidScope::All),
        amend(Amendment {
            end: Some(at(END + MINUTE)),
            ..Amendment::default()
        }),
        Deed::Cancel,
    ];
    let mut entries = Vec::new();
    for (number, deed) in (10..).zip(deeds.clone()) {
        entries.push(done(&*backend, 1, number, deed).await);
    }
    clock(&*backend, END + 2 * MINUTE).await;
    for ((number, deed), entry) in (10..).zip(deeds).zip(entries) {
        let again = acted(&*backend, 1, number, deed.clone()).await;
        assert_eq!(again, Reply::Repeated(entry));
        let mut other = action(request(number), deed);
        other.reason.push('!');
        let reply = backend.store().auction_act(id(1), &other, COMMIT).await;
        assert_eq!(reply.unwrap(), reused("reason", END + 2 * MINUTE));
    }
    assert_eq!(ledger(&*backend, 1).await.len(), 5);
}
