//! Placing bids: what is answered, what is stored, and what a refusal leaves alone.

use std::sync::Arc;

use gavel::auction::{Amount, Entry, Refusal, SoftClose, Status, Terms};
use gavel::store::{BidAnswer, Contract, Reply};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    COMMIT, REHEARSE, accepted, bid, clock, dossier, ledger, opened, placed, refusal, row,
};
use crate::support::make::{
    END, MINUTE, START, amount, at, currency, party, soft_close, terms, usd,
};

on_every_backend!(
    an_accepted_bid_is_answered_and_stored,
    the_second_bidder_moves_the_price,
    a_tie_goes_to_the_earlier,
    every_refusal_is_told_and_changes_nothing,
    the_clock_decides_to_the_microsecond,
    a_clock_that_steps_back_is_held_at_the_last_entry,
    an_owned_auction_takes_no_bid_but_still_knows_its_own,
    a_status_other_than_open_takes_no_bid,
    an_extension_is_stored_with_its_bid,
    the_reserve_lifts_the_price,
    a_rehearsal_answers_alike_and_stores_nothing,
    many_bids_are_judged_in_order,
    many_bids_may_span_auctions_and_fail_alone,
    amounts_up_to_the_bound_are_stored_exactly,
);

async fn an_accepted_bid_is_answered_and_stored<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 7731, terms()).await;
    clock(&*backend, START + 5).await;
    let answer = accepted(&*backend, 7731, 2, "ann", 50_000).await;
    let expected = BidAnswer {
        seq: 2,
        at: at(START + 5),
        price: usd("10"),
        leading: true,
        end: at(END),
        extended: false,
        minimum: 1_050,
        now: at(START + 5),
        voided: false,
    };
    assert_eq!(answer, expected);
    let [_, entry] = &ledger(&*backend, 7731).await[..] else {
        panic!("two entries");
    };
    assert_eq!(entry.actor, party("ann"));
    let secret = entry.secret.unwrap();
    assert_eq!(
        (secret.amount, secret.commit()),
        (amount(50_000), entry.commit)
    );
    let row = row(&*backend, 7731).await;
    assert_eq!(row.leader, Some(party("ann")));
    assert_eq!(row.leader_max, Some(amount(50_000)));
    assert_eq!((row.runner_up_max, row.price), (None, Some(usd("10"))));
    assert_eq!((row.bid_count, row.last_seq), (1, 2));
    assert_eq!((row.last_at, row.head), (at(START + 5), entry.hash));
    assert!(row.reserve_met);
}

async fn the_second_bidder_moves_the_price<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 7732, terms()).await;
    accepted(&*backend, 7732, 2, "ann", 4_000).await;
    let answer = accepted(&*backend, 7732, 3, "ben", 6_000).await;
    assert_eq!((answer.price, answer.leading), (usd("41"), true));
    let answer = accepted(&*backend, 7732, 4, "ann", 5_000).await;
    assert_eq!((answer.price, answer.leading), (usd("51"), false));
    assert_eq!(answer.minimum, 5_200);
    let row = row(&*backend, 7732).await;
    assert_eq!(row.runner_up_max, Some(usd("50")));
    assert_eq!((row.leader, row.bid_count), (Some(party("ben")), 3));
}

async fn a_tie_goes_to_the_earlier<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "marcus", 1_200_000).await;
    let answer = accepted(&*backend, 1, 3, "elena", 1_200_000).await;
    assert_eq!((answer.price, answer.leading), (usd("12000"), false));
    assert_eq!(row(&*backend, 1).await.leader, Some(party("marcus")));
}

async fn every_refusal_is_told_and_changes_nothing<B: Backend>(backend: Arc<B>) {
    let later = Terms {
        start: at(START + MINUTE),
        ..terms()
    };
    opened(&*backend, 2, later).await;
    opened(&*backend, 1, terms()).await;
    let euros = |number| {
        let mut bid = bid(number, 90, "ben", 5_000);
        bid.currency = currency("EUR");
        bid
    };
    let before = dossier(&*backend, 1).await;
    let below_start = Refusal::BelowStart { minimum: 1_000 };
    for (bid, expected) in [
        (bid(3, 91, "ben", 5_000), Refusal::NotFound),
        (
            euros(1),
            Refusal::WrongCurrency {
                expected: currency("USD"),
            },
        ),
        (
            bid(2, 92, "ben", 5_000),
            Refusal::NotStarted {
                start: at(START + MINUTE),
            },
        ),
        (bid(1, 93, "seller", 5_000), Refusal::SellerCannotBid),
        (bid(1, 94, "ben", Amount::MAX + 1), Refusal::TooHigh),
        (bid(1, 94, "ben", i64::MAX), Refusal::TooHigh),
        (bid(1, 95, "ben", 999), below_start.clone()),
        (bid(1, 95, "ben", 0), below_start.clone()),
        (bid(1, 95, "ben", -1), below_start.clone()),
        (bid(1, 95, "ben", i64::MIN), below_start),
    ] {
        let reply = placed(&*backend, &bid).await;
        let now = at(START);
        let refusal = expected;
        assert_eq!(reply, Reply::Refused { refusal, now }, "{bid:?}");
    }
    assert_eq!(dossier(&*backend, 1).await, before);

    accepted(&*backend, 1, 2, "ann", 5_000).await;
    let before = dossier(&*backend, 1).await;
    let too_low = Refusal::TooLow { minimum: 1_050 };
    for (bid, expected) in [
        (bid(1, 96, "ben", 1_049), too_low.clone()),
        (bid(1, 96, "ben", 1), too_low.clone()),
        (bid(1, 96, "ben", -5), too_low),
        (bid(1, 97, "ann", 5_000), Refusal::NotAboveOwnMaximum),
        (bid(1, 97, "ann", 4_999), Refusal::NotAboveOwnMaximum),
    ] {
        assert_eq!(refusal(placed(&*backend, &bid).await), expected, "{bid:?}");
    }
    assert_eq!(dossier(&*backend, 1).await, before);
}

async fn the_clock_decides_to_the_microsecond<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let early = bid(1, 9, "ann", 2_000);
    clock(&*backend, START - 1).await;
    // Created at the start, so the effective time is the start: taken.
    assert_eq!(accepted(&*backend, 1, 2, "ann", 2_000).await.at, at(START));
    clock(&*backend, END - 1).await;
    accepted(&*backend, 1, 3, "ben", 3_000).await;
    for late in [END, END + 50_000, END + 86_400_000_000] {
        clock(&*backend, late).await;
        let reply = placed(&*backend, &early).await;
        let expected = Reply::Refused {
            refusal: Refusal::Ended { end: at(END) },
            now: at(late),
        };
        assert_eq!(reply, expected);
    }
    // Nothing has closed it yet.
    assert_eq!(row(&*backend, 1).await.status, Status::Open);
}

async fn a_clock_that_steps_back_is_held_at_the_last_entry<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, START + MINUTE).await;
    accepted(&*backend, 1, 2, "ann", 2_000).await;
    clock(&*backend, START + 1).await;
    let answer = accepted(&*backend, 1, 3, "ben", 3_000).await;
    assert_eq!((answer.at, answer.now), (at(START + MINUTE), at(START + 1)));
    let times: Vec<_> = ledger(&*backend, 1).await.iter().map(|e| e.at).collect();
    assert_eq!(times, [at(START), at(START + MINUTE), at(START + MINUTE)]);
}

async fn an_owned_auction_takes_no_bid_but_still_knows_its_own<B: Backend>(backend: Arc<B>) {
    let number = 1;
    let auction_id = opened(&*backend, number, terms()).await.auction_id;
    let first = bid(number, 2, "ann", 2_000);
    placed(&*backend, &first).await;
    backend.set_owner(auction_id, Some("node-1")).await;
    let reply = placed(&*backend, &bid(number, 3, "ben", 3_000)).await;
    assert_eq!(refusal(reply), Refusal::Owned);
    // Before the end of the order: a repeat is still answered, a wrong currency still named.
    assert!(matches!(
        placed(&*backend, &first).await,
        Reply::Repeated(_)
    ));
    let mut euros = bid(number, 4, "ben", 3_000);
    euros.currency = currency("EUR");
    assert_eq!(
        refusal(placed(&*backend, &euros).await).code(),
        "wrong-currency"
    );
    backend.set_owner(auction_id, None).await;
    accepted(&*backend, number, 3, "ben", 3_000).await;
}

async fn a_status_other_than_open_takes_no_bid<B: Backend>(backend: Arc<B>) {
    let auction_id = opened(&*backend, 1, terms()).await.auction_id;
    backend.set_status(auction_id, Status::Closing).await;
    let reply = placed(&*backend, &bid(1, 2, "ann", 2_000)).await;
    assert_eq!(refusal(reply), Refusal::Ended { end: at(END) });
    backend.set_status(auction_id, Status::Open).await;
    accepted(&*backend, 1, 2, "ann", 2_000).await;
}

async fn an_extension_is_stored_with_its_bid<B: Backend>(backend: Arc<B>) {
    let soft = Terms {
        soft_close: Some(SoftClose {
            cap: Some(at(END + 7 * MINUTE)),
            ..soft_close()
        }),
        ..terms()
    };
    opened(&*backend, 1, soft.clone()).await;
    clock(&*backend, END - MINUTE).await;
    let answer = accepted(&*backend, 1, 2, "ann", 2_000).await;
    assert_eq!((answer.end, answer.extended), (at(END + 4 * MINUTE), true));
    clock(&*backend, END + 3 * MINUTE).await;
    let answer = accepted(&*backend, 1, 3, "ben", 3_000).await;
    assert_eq!((answer.end, answer.extended), (at(END + 7 * MINUTE), true));
    clock(&*backend, END + 4 * MINUTE).await;
    let answer = accepted(&*backend, 1, 4, "ann", 4_000).await;
    assert_eq!((answer.end, answer.extended), (at(END + 7 * MINUTE), false));
    let row = row(&*backend, 1).await;
    assert_eq!((row.end, row.terms), (at(END + 7 * MINUTE), soft));
    let flags: Vec<_> = ledger(&*backend, 1)
        .await
        .iter()
        .map(Entry::flags)
        .collect();
    assert_eq!(flags, [0, 3, 3, 1]);
}

async fn the_reserve_lifts_the_price<B: Backend>(backend: Arc<B>) {
    let reserve = Terms {
        reserve: Some(usd("100")),
        ..terms()
    };
    opened(&*backend, 1, reserve).await;
    let below = accepted(&*backend, 1, 2, "ann", 9_999).await;
    assert_eq!(below.price, usd("10"));
    assert!(!row(&*backend, 1).await.reserve_met);
    let met = accepted(&*backend, 1, 3, "ann", 10_000).await;
    assert_eq!(met.price, usd("100"));
    assert!(row(&*backend, 1).await.reserve_met);
}

async fn a_rehearsal_answers_alike_and_stores_nothing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let before = dossier(&*backend, 1).await;
    let bids = [bid(1, 2, "ann", 2_000), bid(1, 3, "ben", 3_000)];
    let store = backend.store();
    let one = store.bid_place(&bids[0], REHEARSE).await.unwrap();
    let many = store
        .bid_place_many(&bids, REHEARSE)
        .await
        .complete()
        .unwrap();
    assert_eq!(dossier(&*backend, 1).await, before);
    assert_eq!(placed(&*backend, &bids[0]).await, one);
    assert_eq!(placed(&*backend, &bids[1]).await, many[1]);
    assert_eq!(many[0], one);
}

async fn many_bids_are_judged_in_order<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let bids = [
        bid(1, 2, "ann", 2_000),
        bid(1, 3, "ben", 1_000),
        bid(1, 4, "ben", 3_000),
        bid(1, 2, "ann", 2_000),
        bid(1, 4, "ben", 4_000),
        bid(1, 5, "ben", 3_001),
    ];
    let replies = backend.store().bid_place_many(&bids, COMMIT).await;
    let told: Vec<_> = replies
        .complete()
        .unwrap()
        .into_iter()
        .map(|reply| match reply {
            Reply::Done(answer) => format!("{}: {}", answer.seq, answer.price.minor()),
            Reply::Repeated(answer) => format!("again {}", answer.seq),
            Reply::Refused { refusal, .. } => refusal.code().to_owned(),
        })
        .collect();
    assert_eq!(
        told,
        [
            "2: 1000",
            "too-low",
            "3: 2050",
            "again 2",
            "request-id-reused",
            "4: 2050"
        ]
    );
    assert_eq!(ledger(&*backend, 1).await.len(), 4);
}

async fn many_bids_may_span_auctions_and_fail_alone<B: Backend>(backend: Arc<B>) {
    for number in 1..=3 {
        opened(&*backend, number, terms()).await;
    }
    let bids: Vec<_> = (1..=4).map(|number| bid(number, 2, "ann", 2_000)).collect();
    let store = backend.store();
    let replies = store
        .bid_place_many(&bids, COMMIT)
        .await
        .complete()
        .unwrap();
    assert_eq!(replies.len(), 4);
    assert!(
        replies[..3]
            .iter()
            .all(|reply| matches!(reply, Reply::Done(_)))
    );
    assert_eq!(refusal(replies[3].clone()), Refusal::NotFound);
    for number in 1..=3 {
        assert_eq!(row(&*backend, number).await.bid_count, 1);
    }
    let none = store.bid_place_many(&[], COMMIT).await.complete().unwrap();
    assert_eq!(none, []);
}

async fn amounts_up_to_the_bound_are_stored_exactly<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", Amount::MAX).await;
    let answer = accepted(&*backend, 1, 3, "ben", Amount::MAX).await;
    assert_eq!((answer.price.minor(), answer.leading), (Amount::MAX, false));
    assert_eq!(answer.minimum, Amount::MAX + 10_000);
    let row = row(&*backend, 1).await;
    assert_eq!(row.runner_up_max, Some(amount(Amount::MAX)));
    let reply = placed(&*backend, &bid(1, 4, "ben", Amount::MAX)).await;
    let minimum = Amount::MAX + 10_000;
    assert_eq!(refusal(reply), Refusal::TooLow { minimum });
}
