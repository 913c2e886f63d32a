//! Void, amend, cancel: what they do, and their refusals in the documented order.

use gavel::auction::operator::{CancelDetail, Deed, VoidDetail};
use gavel::auction::terms::AmendDetail;
use gavel::auction::{
    Amendment, ExtendMode, Kind, OwnRaise, Refusal, SoftClose, SoftClosePatch, Status, StepTable,
    Terms, VoidScope,
};
use gavel::store::Reply;

use crate::support::lot::Lot;
use crate::support::make::{
    END, MINUTE, START, action, amend, at, currency, id, party, request, soft_close, span, terms,
    usd, void,
};

fn with_bids(rows: &[(&str, &str)]) -> Lot {
    let mut lot = Lot::open(terms());
    for (bidder, maximum) in rows {
        lot.accept(bidder, maximum);
    }
    lot
}

fn end_only(us: i64) -> Deed {
    amend(Amendment {
        end: Some(at(us)),
        ..Amendment::default()
    })
}

fn title(text: &str) -> Amendment {
    Amendment {
        title: Some(text.to_owned()),
        ..Amendment::default()
    }
}

#[test]
fn voiding_a_bidder_refolds_the_rest() {
    let mut lot = with_bids(&[("A", "50"), ("B", "100"), ("C", "80")]);
    assert_eq!(lot.standing(), "B 81.00");
    let entry = lot.done(void("B", VoidScope::All));
    assert_eq!(lot.standing(), "C 51.00");
    assert_eq!(entry.kind, Kind::Void);
    assert_eq!(entry.seq, 5);
    assert_eq!(entry.price, Some(usd("51")));
    assert_eq!(entry.leader, Some(party("C")));
    let detail = VoidDetail::from_detail(&entry.detail).unwrap();
    assert_eq!(detail.targets, [3]);
    assert_eq!(lot.kept().book.state.bid_count, 2);
}

#[test]
fn voiding_every_bidder_leaves_no_price_and_the_start_price_as_minimum() {
    let mut lot = with_bids(&[("A", "50"), ("B", "60")]);
    lot.done(void("B", VoidScope::All));
    assert_eq!(lot.standing(), "A 10.00");
    let entry = lot.done(void("A", VoidScope::All));
    assert_eq!(lot.standing(), "-");
    assert_eq!(
        (entry.price, &entry.leader, entry.flags()),
        (None, &None, 0)
    );
    assert_eq!(
        lot.refuse("C", "9.99"),
        Refusal::BelowStart { minimum: 1000 }
    );
    lot.accept("C", "10");
}

#[test]
fn the_latest_bid_alone_uncovers_the_one_before() {
    let mut lot = with_bids(&[("A", "50"), ("B", "60"), ("A", "100"), ("A", "150")]);
    assert_eq!(lot.standing(), "A 61.00");
    // 150 goes, 100 stays.
    lot.done(void("A", VoidScope::Latest));
    assert_eq!(lot.standing(), "A 61.00");
    // 100 goes; 50 is below B's 60, whose price is 50 + 1.
    lot.done(void("A", VoidScope::Latest));
    assert_eq!(lot.standing(), "B 51.00");
    lot.done(void("A", VoidScope::Bid(2)));
    assert_eq!(lot.standing(), "B 10.00");
    assert_eq!(
        lot.act_refused(void("A", VoidScope::Latest)),
        Refusal::AlreadyVoided
    );
}

#[test]
fn a_refold_does_not_check_minima_again() {
    // C's 51 was a legal challenge at 50; without B, A's 50 is the runner-up of C.
    let mut lot = with_bids(&[("A", "20"), ("B", "50"), ("A", "22"), ("C", "51")]);
    assert_eq!(lot.standing(), "C 51.00");
    lot.done(void("B", VoidScope::All));
    assert_eq!(lot.standing(), "C 22.50");
    lot.done(void("C", VoidScope::All));
    // A's own raise from 20 to 22 is an own raise now: the price stays at the start price.
    assert_eq!(lot.standing(), "A 10.00");
}

#[test]
fn a_voided_bidder_may_bid_again() {
    let mut lot = with_bids(&[("A", "50"), ("B", "60")]);
    lot.done(void("B", VoidScope::All));
    lot.accept("B", "40");
    assert_eq!(lot.standing(), "A 41.00");
    // Only the new bid is left to void.
    let entry = lot.done(void("B", VoidScope::All));
    let detail = VoidDetail::from_detail(&entry.detail).unwrap();
    assert_eq!(detail.targets, [5]);
}

#[test]
fn a_void_can_take_the_reserve_away_again() {
    let mut lot = Lot::open(Terms {
        reserve: Some(usd("100")),
        ..terms()
    });
    lot.accept("A", "60");
    lot.accept("B", "150");
    assert_eq!(lot.standing(), "B 100.00");
    let entry = lot.done(void("B", VoidScope::Latest));
    assert_eq!(lot.standing(), "A 10.00");
    assert!(!entry.reserve_met);
}

#[test]
fn void_refusals_in_their_order() {
    let mut lot = with_bids(&[("A", "50"), ("A", "60"), ("B", "55")]);
    let mut refused = |scope, bidder: &str| lot.act_refused(void(bidder, scope));
    assert_eq!(refused(VoidScope::All, "nobody"), Refusal::NoSuchBid);
    assert_eq!(refused(VoidScope::Latest, "nobody"), Refusal::NoSuchBid);
    // Seq 4 is B's; seq 1 is the create entry.
    for seq in [4, 1, 0, -1, 99, i64::MAX, i64::MIN] {
        assert_eq!(refused(VoidScope::Bid(seq), "A"), Refusal::NoSuchBid);
    }
    let not_latest = Refusal::NotLatest { latest: 3 };
    assert_eq!(refused(VoidScope::Bid(2), "A"), not_latest);
    lot.done(void("A", VoidScope::Bid(3)));
    assert_eq!(
        lot.act_refused(void("A", VoidScope::Bid(3))),
        Refusal::AlreadyVoided
    );
    lot.done(void("A", VoidScope::Bid(2)));
    for scope in [VoidScope::All, VoidScope::Latest, VoidScope::Bid(2)] {
        assert_eq!(
            lot.act_refused(void("A", scope)),
            Refusal::AlreadyVoided,
            "{scope:?}"
        );
    }
}

#[test]
fn every_action_is_refused_from_the_end_on_and_once_the_status_is_not_open() {
    let deeds = || {
        [
            void("A", VoidScope::All),
            end_only(END + MINUTE),
            Deed::Cancel,
        ]
    };
    for deed in deeds() {
        let mut lot = with_bids(&[("A", "50")]);
        lot.set_clock(END);
        let ended = Refusal::Ended { end: at(END) };
        assert_eq!(lot.act_refused(deed.clone()), ended);
        lot.close();
        // A clock that steps back after the close revives nothing.
        lot.set_clock(START);
        assert_eq!(lot.act_refused(deed), ended);
    }
    for deed in deeds() {
        let mut lot = with_bids(&[("A", "50")]);
        lot.set_clock(END - 1);
        lot.done(deed);
    }
}

#[test]
fn cancelled_then_owned_then_ended() {
    let mut lot = with_bids(&[("A", "50")]);
    let book = &lot.kept().book.clone();
    for deed in [void("nobody", VoidScope::All), end_only(1), Deed::Cancel] {
        let mut book = book.clone();
        let action = action(request(50), deed);
        book.state.status = Status::Cancelled;
        book.state.owned = true;
        assert_eq!(book.decide(&action, at(END)), Err(Refusal::Cancelled));
        book.state.status = Status::Closed;
        assert_eq!(book.decide(&action, at(END)), Err(Refusal::Owned));
        book.state.owned = false;
        let ended = Err(Refusal::Ended { end: at(END) });
        assert_eq!(book.decide(&action, at(END - 1)), ended);
        book.state.status = Status::Open;
        assert_eq!(book.decide(&action, at(END)), ended);
    }
    lot.done(Deed::Cancel);
}

#[test]
fn cancelling_stops_everything_and_keeps_the_last_price() {
    let mut lot = with_bids(&[("A", "50"), ("B", "20")]);
    let entry = lot.done(Deed::Cancel);
    assert_eq!(entry.price, Some(usd("20.50")));
    let detail = CancelDetail::from_detail(&entry.detail).unwrap();
    assert_eq!(detail.reason, "asked for by phone");
    assert_eq!(lot.refuse("C", "100"), Refusal::Cancelled);
    assert_eq!(lot.act_refused(Deed::Cancel), Refusal::Cancelled);
    lot.set_clock(END);
    assert_eq!(lot.close(), gavel::store::CloseReply::Cancelled);
}

#[test]
fn before_the_first_bid_all_terms_may_change() {
    let mut lot = Lot::open(terms());
    let entry = lot.done(amend(Amendment {
        title: Some("A better lot".to_owned()),
        start_price: Some(usd("25")),
        steps: Some(StepTable::parse("5", currency("USD")).unwrap()),
        reserve: Some(Some(usd("40"))),
        own_raise: Some(OwnRaise::Reprice),
        soft_close: Some(Some(soft_close().into())),
        start: Some(at(START + MINUTE)),
        end: Some(at(END + MINUTE)),
        extend_by: None,
    }));
    let reserve = entry.secret.unwrap();
    assert_eq!(reserve.amount, usd("40"));
    assert_eq!(entry.commit, reserve.commit());
    assert!(!entry.detail.contains("40"), "the reserve is hidden");
    let stated = AmendDetail::from_detail(&entry.detail, Some(reserve.amount)).unwrap();
    assert_eq!(stated.terms, lot.kept().book.terms);
    assert_eq!(lot.refuse("A", "30").code(), "not-started");
    lot.set_clock(START + MINUTE);
    assert_eq!(
        lot.refuse("A", "24.99"),
        Refusal::BelowStart { minimum: 2500 }
    );
    lot.accept("A", "50");
    assert_eq!(lot.standing(), "A 40.00");
    // A flat step of 5 now, above the reserve's 40.
    assert_eq!(lot.refuse("B", "44.99"), Refusal::TooLow { minimum: 4500 });
    lot.accept("B", "45");
    assert_eq!(lot.standing(), "A 50.00");
}

#[test]
fn after_a_bid_only_the_end_may_change_even_if_the_bid_was_voided() {
    let changes = [
        ("title", title("Another lot")),
        (
            "start_price",
            Amendment {
                start_price: Some(usd("1")),
                ..Amendment::default()
            },
        ),
        (
            "steps",
            Amendment {
                steps: Some(StepTable::parse("1", currency("USD")).unwrap()),
                ..Amendment::default()
            },
        ),
        (
            "reserve",
            Amendment {
                reserve: Some(Some(usd("12"))),
                ..Amendment::default()
            },
        ),
        (
            "own_raise",
            Amendment {
                own_raise: Some(OwnRaise::Reprice),
                ..Amendment::default()
            },
        ),
        (
            "soft_close",
            Amendment {
                soft_close: Some(Some(soft_close().into())),
                ..Amendment::default()
            },
        ),
        (
            "start",
            Amendment {
                start: Some(at(START + 1)),
                ..Amendment::default()
            },
        ),
    ];
    let mut lot = with_bids(&[("A", "50")]);
    lot.done(void("A", VoidScope::All));
    for (field, change) in changes {
        // A bad end as well: the frozen field is named first.
        let both = Amendment {
            end: Some(at(START)),
            ..change
        };
        assert_eq!(lot.act_refused(amend(both)), Refusal::TermsFrozen { field });
    }
    let entry = lot.done(end_only(END + MINUTE));
    assert_eq!(entry.end, at(END + MINUTE));
    assert_eq!(lot.kept().book.terms.end, at(END), "the first end stays");
    lot.set_clock(END + MINUTE - 1);
    lot.accept("A", "12");
}

#[test]
fn the_end_may_move_either_way_but_not_into_the_past_nor_past_the_cap() {
    let mut lot = Lot::open(Terms {
        soft_close: Some(SoftClose {
            cap: Some(at(END + 10 * MINUTE)),
            ..soft_close()
        }),
        ..terms()
    });
    lot.accept("A", "50");
    lot.set_clock(START + MINUTE);
    for bad in [START, START + MINUTE, END + 10 * MINUTE + 1] {
        assert_eq!(lot.act_refused(end_only(bad)).code(), "invalid-end");
    }
    for good in [START + MINUTE + 1, END + 10 * MINUTE, END] {
        lot.done(end_only(good));
        assert_eq!(lot.kept().book.state.end, at(good));
    }
}

#[test]
fn an_amended_end_is_what_soft_close_counts_from() {
    let mut lot = Lot::open(Terms {
        soft_close: Some(soft_close()),
        ..terms()
    });
    lot.accept("A", "50");
    lot.done(end_only(START + 10 * MINUTE));
    lot.set_clock(START + 5 * MINUTE);
    assert!(!lot.accept("B", "60").extended);
    lot.set_clock(START + 5 * MINUTE + 1);
    let answer = lot.accept("A", "70");
    assert_eq!(answer.end, at(START + 10 * MINUTE + 1));
}

#[test]
fn an_amendment_states_the_end_in_force() {
    let mut lot = Lot::open(Terms {
        soft_close: Some(soft_close()),
        ..terms()
    });
    lot.set_clock(END - MINUTE);
    lot.accept("A", "50");
    let extended = END + 4 * MINUTE;
    assert_eq!(lot.act_refused(end_only(extended)), Refusal::NoChange);
    let entry = lot.done(end_only(extended + 1));
    let stated = AmendDetail::from_detail(&entry.detail, None).unwrap();
    assert_eq!(stated.terms.end, at(extended + 1));
}

#[test]
fn amend_refusals_after_the_end_of_their_order() {
    let mut lot = Lot::open(terms());
    assert_eq!(
        lot.act_refused(amend(Amendment::default())),
        Refusal::NoChange
    );
    assert_eq!(
        lot.act_refused(amend(title("A lot"))),
        Refusal::NoChange,
        "the same title"
    );
    // Judged as at create: the end before the terms.
    let both = Amendment {
        end: Some(at(START)),
        ..title("")
    };
    assert_eq!(lot.act_refused(amend(both)).code(), "invalid-end");
    assert_eq!(
        lot.act_refused(amend(title(""))),
        Refusal::invalid_terms("title", "must not be empty")
    );
    let long_window = Amendment {
        soft_close: Some(Some(SoftClosePatch {
            window: Some(span(60 * MINUTE + 1)),
            ..soft_close().into()
        })),
        ..Amendment::default()
    };
    assert!(matches!(
        lot.act_refused(amend(long_window)),
        Refusal::InvalidTerms {
            field: "soft_close.window",
            ..
        }
    ));
}

#[test]
fn a_reason_is_a_text_that_can_be_kept() {
    let mut lot = with_bids(&[("A", "50")]);
    let bad = ["", "  ", "a\0b", "two\nlines"];
    for (n, reason) in (100..).zip(bad) {
        for deed in [void("A", VoidScope::All), end_only(END + 1), Deed::Cancel] {
            let mut action = action(request(n), deed);
            reason.clone_into(&mut action.reason);
            let reply = lot.model.act(id(7731), &action);
            let Reply::Refused { refusal, .. } = reply else {
                panic!("{reason:?}: {reply:?}");
            };
            assert_eq!(refusal.code(), "invalid-terms", "{reason:?}");
        }
    }
    let mut action = action(request(200), Deed::Cancel);
    action.reason = "Käufer: „gefälscht“ 🔨".to_owned();
    assert!(matches!(lot.model.act(id(7731), &action), Reply::Done(_)));
}

#[test]
fn a_commitment_stands_only_where_there_is_a_secret() {
    let mut lot = with_bids(&[("A", "50")]);
    let void = lot.done(void("A", VoidScope::All));
    let amend = lot.done(end_only(END + 1));
    let cancel = lot.done(Deed::Cancel);
    for entry in [void, amend, cancel] {
        assert_eq!((entry.secret, entry.commit), (None, [0; 32]));
        assert!(!entry.extended);
    }
}

#[test]
fn an_amended_end_after_a_bid_repeats_the_reserves_commitment() {
    let mut lot = Lot::open(Terms {
        reserve: Some(usd("100")),
        ..terms()
    });
    lot.accept("A", "50");
    let entry = lot.done(end_only(END + 1));
    assert_eq!(entry.secret.unwrap().amount, usd("100"));
    assert_eq!(lot.kept().book.terms.reserve, Some(usd("100")));
}

#[test]
fn two_operators_who_change_different_parts_of_the_soft_close_both_succeed() {
    let mut lot = Lot::open(terms());
    let change = |patch| {
        amend(Amendment {
            soft_close: Some(Some(patch)),
            ..Amendment::default()
        })
    };
    let mode = SoftClosePatch {
        mode: Some(ExtendMode::Add),
        ..SoftClosePatch::default()
    };
    assert_eq!(
        lot.act_refused(change(mode)),
        Refusal::invalid_terms("soft_close.window", "a soft close needs a window")
    );
    // A bad end is named before a soft close that cannot be.
    let both = Amendment {
        soft_close: Some(Some(mode)),
        end: Some(at(START)),
        ..Amendment::default()
    };
    assert_eq!(lot.act_refused(amend(both)).code(), "invalid-end");
    let window = |minutes| SoftClosePatch {
        window: Some(span(minutes * MINUTE)),
        ..SoftClosePatch::default()
    };
    lot.done(change(window(2)));
    lot.done(change(mode));
    lot.done(change(window(3)));
    let soft = lot.kept().book.terms.soft_close.unwrap();
    assert_eq!(soft.window, span(3 * MINUTE));
    assert_eq!(soft.extend_by, span(2 * MINUTE), "stated by nobody since");
    assert_eq!(soft.mode, ExtendMode::Add);
    lot.accept("A", "50");
    let cap = SoftClosePatch {
        cap: Some(Some(at(END))),
        ..SoftClosePatch::default()
    };
    let frozen = Refusal::TermsFrozen {
        field: "soft_close",
    };
    assert_eq!(lot.act_refused(change(cap)), frozen);
}
