//! Request ids: the first answer again for the same content, a named difference for other
//! content, whatever the state is by then.

use gavel::auction::operator::Deed;
use gavel::auction::{Action, Amendment, Bid, OwnRaise, Refusal, Terms, VoidScope};
use gavel::store::{BidAnswer, Reply};

use crate::support::lot::Lot;
use crate::support::make::{
    END, MINUTE, START, action, amend, at, bid_of, create, currency, id, party, request, terms,
    usd, void,
};

fn first_bid(lot: &Lot) -> Bid {
    bid_of(lot.id, request(500), "A", 5000, currency("USD"))
}

fn repeated(reply: Reply<BidAnswer>) -> BidAnswer {
    match reply {
        Reply::Repeated(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn refusal<T: std::fmt::Debug>(reply: Reply<T>) -> Refusal {
    match reply {
        Reply::Refused { refusal, .. } => refusal,
        other => panic!("{other:?}"),
    }
}

fn reused(field: &'static str) -> Refusal {
    Refusal::RequestIdReused { field }
}

#[test]
fn a_repeated_bid_gets_its_first_answer_in_any_state() {
    let mut lot = Lot::open(terms());
    let bid = first_bid(&lot);
    let Reply::Done(first) = lot.model.bid(&bid) else {
        panic!("refused");
    };
    let same = |answer: BidAnswer, voided: bool| {
        let expected = BidAnswer {
            now: answer.now,
            voided,
            ..first.clone()
        };
        assert_eq!(answer, expected);
    };
    same(repeated(lot.model.bid(&bid)), false);
    // Outbid, then past the end, then closed.
    lot.accept("B", "60");
    same(repeated(lot.model.bid(&bid)), false);
    lot.set_clock(END);
    same(repeated(lot.model.bid(&bid)), false);
    lot.close();
    same(repeated(lot.model.bid(&bid)), false);
    assert_eq!(lot.kept().ledger.len(), 3);
}

#[test]
fn a_repeated_bid_that_was_voided_since_says_so() {
    let mut lot = Lot::open(terms());
    let bid = first_bid(&lot);
    lot.model.bid(&bid);
    lot.done(void("A", VoidScope::All));
    let answer = repeated(lot.model.bid(&bid));
    assert!(answer.voided && answer.leading);
    assert_eq!(answer.price, usd("10"));
    assert_eq!(lot.standing(), "-");
    lot.done(Deed::Cancel);
    assert!(repeated(lot.model.bid(&bid)).voided);
}

#[test]
fn another_bid_under_the_same_request_id_names_what_differs() {
    let mut lot = Lot::open(terms());
    let bid = first_bid(&lot);
    lot.model.bid(&bid);
    let before = lot.kept().clone();
    let other_amount = Bid {
        maximum: 5001,
        ..bid.clone()
    };
    let other_bidder = Bid {
        bidder: party("B"),
        ..bid.clone()
    };
    assert_eq!(refusal(lot.model.bid(&other_amount)), reused("maximum"));
    assert_eq!(refusal(lot.model.bid(&other_bidder)), reused("bidder"));
    // An amount that no bid could have, too.
    let too_high = Bid {
        maximum: i64::MAX,
        ..bid.clone()
    };
    assert_eq!(refusal(lot.model.bid(&too_high)), reused("maximum"));
    assert_eq!(*lot.kept(), before);
    // A nonce is no content: a retry draws another.
    let other_nonce = Bid {
        nonce: [7; 16],
        ..bid
    };
    repeated(lot.model.bid(&other_nonce));
}

#[test]
fn kinds_do_not_share_a_request_id() {
    let mut lot = Lot::open(terms());
    let bid = first_bid(&lot);
    lot.model.bid(&bid);
    let cancel = action(bid.request_id, Deed::Cancel);
    assert_eq!(refusal(lot.model.act(lot.id, &cancel)), reused("kind"));
    let again = create(lot.id, bid.request_id, terms());
    assert_eq!(refusal(lot.model.create(&again)), reused("kind"));
    let as_create = bid_of(lot.id, request(1), "A", 5000, currency("USD"));
    assert_eq!(refusal(lot.model.bid(&as_create)), reused("kind"));
}

#[test]
fn a_request_id_is_the_auctions_own() {
    let mut lot = Lot::open(terms());
    lot.model.create(&create(id(8), request(2), terms()));
    let bid = first_bid(&lot);
    let elsewhere = Bid {
        auction_id: id(8),
        ..bid.clone()
    };
    assert!(matches!(lot.model.bid(&bid), Reply::Done(_)));
    assert!(matches!(lot.model.bid(&elsewhere), Reply::Done(_)));
}

#[test]
fn a_refused_command_is_judged_afresh() {
    let mut lot = Lot::open(terms());
    lot.accept("B", "60");
    let bid = bid_of(lot.id, request(500), "A", 1000, currency("USD"));
    assert_eq!(refusal(lot.model.bid(&bid)).code(), "too-low");
    lot.done(void("B", VoidScope::All));
    assert!(matches!(lot.model.bid(&bid), Reply::Done(_)));
}

#[test]
fn a_repeated_create_gets_its_entry_even_after_a_change() {
    let mut lot = Lot::open(terms());
    let first = lot.kept().ledger[0].clone();
    lot.done(amend(Amendment {
        title: Some("Another".to_owned()),
        ..Amendment::default()
    }));
    let again = create(lot.id, request(1), terms());
    assert_eq!(lot.model.create(&again), Reply::Repeated(first));
    let with = |terms: Terms| create(id(7731), request(1), terms);
    let other_terms = with(Terms {
        own_raise: OwnRaise::Reprice,
        ..terms()
    });
    assert_eq!(refusal(lot.model.create(&other_terms)), reused("terms"));
    let other_reserve = with(Terms {
        reserve: Some(usd("100")),
        ..terms()
    });
    assert_eq!(refusal(lot.model.create(&other_reserve)), reused("reserve"));
    let mut other_actor = with(terms());
    other_actor.actor = party("somebody");
    assert_eq!(refusal(lot.model.create(&other_actor)), reused("actor"));
}

#[test]
fn repeated_actions_get_their_entry_whatever_happened_since() {
    let mut lot = Lot::open(terms());
    lot.accept("A", "50");
    let deeds = [
        void("A", VoidScope::All),
        amend(Amendment {
            end: Some(at(END + MINUTE)),
            ..Amendment::default()
        }),
        Deed::Cancel,
    ];
    let mut done = Vec::new();
    for (n, deed) in (100..).zip(deeds) {
        let action = action(request(n), deed);
        match lot.model.act(lot.id, &action) {
            Reply::Done(entry) => done.push((action, entry)),
            other => panic!("{other:?}"),
        }
    }
    lot.set_clock(END + 2 * MINUTE);
    for (action, entry) in &done {
        let retry = Action {
            nonce: [9; 16],
            ..action.clone()
        };
        assert_eq!(
            lot.model.act(lot.id, &retry),
            Reply::Repeated(entry.clone())
        );
        let other_reason = Action {
            reason: "another".to_owned(),
            ..action.clone()
        };
        let reply = lot.model.act(lot.id, &other_reason);
        assert_eq!(refusal(reply), reused("reason"));
        let other_actor = Action {
            actor: party("other"),
            ..action.clone()
        };
        let reply = lot.model.act(lot.id, &other_actor);
        assert_eq!(refusal(reply), reused("actor"));
    }
    let other_deed = |n: usize, deed| Action {
        deed,
        ..done[n].0.clone()
    };
    let rows = [
        (other_deed(0, void("B", VoidScope::All)), "bidder"),
        (other_deed(0, void("A", VoidScope::Latest)), "scope"),
        (other_deed(0, Deed::Cancel), "kind"),
        (
            other_deed(
                1,
                amend(Amendment {
                    end: Some(at(START + MINUTE)),
                    ..Amendment::default()
                }),
            ),
            "terms",
        ),
    ];
    for (action, field) in rows {
        assert_eq!(refusal(lot.model.act(lot.id, &action)), reused(field));
    }
}

#[test]
fn an_amendment_with_other_fields_is_no_repeat_though_the_terms_agree_with_it() {
    let mut lot = Lot::open(terms());
    let title = || Some("Another".to_owned());
    let both = Amendment {
        title: title(),
        end: Some(at(END + MINUTE)),
        ..Amendment::default()
    };
    let first = action(request(100), amend(both));
    assert!(matches!(lot.model.act(lot.id, &first), Reply::Done(_)));
    assert!(matches!(lot.model.act(lot.id, &first), Reply::Repeated(_)));
    let parts = [
        Amendment {
            title: title(),
            ..Amendment::default()
        },
        Amendment {
            start_price: Some(terms().start_price),
            ..Amendment::default()
        },
        Amendment {
            reserve: Some(None),
            ..Amendment::default()
        },
    ];
    for part in parts {
        let other = action(request(100), amend(part));
        assert_eq!(refusal(lot.model.act(lot.id, &other)), reused("terms"));
    }
}
