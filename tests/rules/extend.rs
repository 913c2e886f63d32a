//! An end moved by a span: counted from the end in force, judged like a stated one, repeated only
//! by the same span.

use gavel::auction::operator::Deed;
use gavel::auction::terms::AmendDetail;
use gavel::auction::{Amendment, Micros, Refusal, SoftClose, SoftClosePatch, Terms, VoidScope};
use gavel::store::Reply;

use crate::support::lot::Lot;
use crate::support::make::{
    END, MINUTE, START, action, amend, at, party, request, soft_close, span, terms, usd, void,
};

fn by(us: i64) -> Amendment {
    Amendment {
        extend_by: Some(span(us)),
        ..Amendment::default()
    }
}

fn extend(us: i64) -> Deed {
    amend(by(us))
}

fn soft(cap: Option<i64>) -> Terms {
    Terms {
        soft_close: Some(SoftClose {
            cap: cap.map(at),
            ..soft_close()
        }),
        ..terms()
    }
}

#[test]
fn a_span_counts_from_the_end_that_a_soft_close_has_moved() {
    let mut lot = Lot::open(soft(None));
    lot.set_clock(END - MINUTE);
    assert_eq!(lot.accept("A", "50").end, at(END + 4 * MINUTE));
    let entry = lot.done(extend(30 * MINUTE));
    assert_eq!(entry.end, at(END + 34 * MINUTE));
    assert!(!entry.extended, "no bid moved it");
    // The entry is like that of an amendment which states the end.
    let stated = AmendDetail::from_detail(&entry.detail, None).unwrap();
    assert_eq!(stated.terms.end, at(END + 34 * MINUTE));
    assert_eq!(lot.kept().book.terms.end, at(END), "the first end stays");
    lot.set_clock(END + 34 * MINUTE - 1);
    lot.accept("B", "60");
}

#[test]
fn two_extensions_add_up_and_a_void_between_them_takes_nothing_back() {
    let mut lot = Lot::open(terms());
    lot.accept("A", "50");
    lot.done(extend(MINUTE));
    lot.done(void("A", VoidScope::All));
    assert_eq!(lot.kept().book.state.end, at(END + MINUTE));
    lot.done(extend(1));
    assert_eq!(lot.kept().book.state.end, at(END + MINUTE + 1));
    lot.accept("B", "60");
    lot.done(void("B", VoidScope::Latest));
    assert_eq!(lot.kept().book.state.end, at(END + MINUTE + 1));
}

#[test]
fn the_cap_holds_whether_or_not_there_are_bids() {
    for bids in [false, true] {
        let mut lot = Lot::open(soft(Some(END + 10 * MINUTE)));
        if bids {
            lot.accept("A", "50");
        }
        let refused = lot.act_refused(extend(10 * MINUTE + 1));
        // Without bids the terms are judged as at create, where the cap is at fault.
        let code = if bids { "invalid-end" } else { "invalid-terms" };
        assert_eq!(refused.code(), code);
        lot.done(extend(10 * MINUTE));
        assert_eq!(lot.kept().book.state.end, at(END + 10 * MINUTE));
    }
}

#[test]
fn what_has_ended_is_not_extended() {
    let mut lot = Lot::open(terms());
    lot.accept("A", "50");
    lot.set_clock(END - 1);
    lot.done(extend(1));
    lot.set_clock(END + 1);
    let ended = Refusal::Ended { end: at(END + 1) };
    assert_eq!(lot.act_refused(extend(30 * MINUTE)), ended);
}

#[test]
fn no_end_beyond_every_instant_and_none_shorter_than_asked() {
    let last = Micros::MAX.get();
    let mut lot = Lot::open(Terms {
        end: at(last - MINUTE),
        ..terms()
    });
    lot.accept("A", "50");
    assert_eq!(lot.act_refused(extend(MINUTE + 1)).code(), "invalid-end");
    lot.done(extend(MINUTE));
    assert_eq!(lot.act_refused(extend(1)).code(), "invalid-end");
}

#[test]
fn an_end_and_a_span_do_not_go_together() {
    let both = Amendment {
        end: Some(at(END + MINUTE)),
        ..by(MINUTE)
    };
    for bids in [false, true] {
        let mut lot = Lot::open(terms());
        if bids {
            lot.accept("A", "50");
        }
        assert_eq!(lot.act_refused(amend(both.clone())).code(), "invalid-end");
    }
}

#[test]
fn frozen_terms_are_named_before_the_end() {
    let mut lot = Lot::open(terms());
    lot.accept("A", "50");
    let beyond = Amendment {
        title: Some("Another".to_owned()),
        end: Some(at(END)),
        ..by(MINUTE)
    };
    let frozen = |field| Refusal::TermsFrozen { field };
    assert_eq!(lot.act_refused(amend(beyond)), frozen("title"));
    // A soft close that cannot be, because none is there to change.
    let patch = SoftClosePatch {
        extend_by: Some(span(MINUTE)),
        ..SoftClosePatch::default()
    };
    let soft = Amendment {
        soft_close: Some(Some(patch)),
        ..by(MINUTE)
    };
    assert_eq!(lot.act_refused(amend(soft)), frozen("soft_close"));
}

#[test]
fn other_terms_may_change_with_it_before_the_first_bid() {
    let mut lot = Lot::open(terms());
    lot.done(amend(Amendment {
        reserve: Some(Some(usd("40"))),
        title: Some("Another".to_owned()),
        ..by(MINUTE)
    }));
    let book = &lot.kept().book;
    assert_eq!(
        (book.terms.end, book.state.end),
        (at(END + MINUTE), at(END + MINUTE))
    );
    assert_eq!(book.terms.title, "Another");
}

#[test]
fn a_repeat_moves_nothing_whatever_has_moved_the_end_since() {
    let mut lot = Lot::open(soft(None));
    lot.accept("A", "50");
    let first = action(request(100), extend(30 * MINUTE));
    let Reply::Done(entry) = lot.model.act(lot.id, &first) else {
        panic!("refused");
    };
    lot.set_clock(END + 29 * MINUTE);
    assert_eq!(lot.accept("B", "60").end, at(END + 34 * MINUTE));
    let repeated = Reply::Repeated(entry.clone());
    assert_eq!(lot.model.act(lot.id, &first), repeated);
    // The same terms, stated as an end, are the same content.
    let stated = Amendment {
        end: Some(entry.end),
        ..Amendment::default()
    };
    let stated = action(request(100), amend(stated));
    assert_eq!(lot.model.act(lot.id, &stated), repeated);
    lot.set_clock(END + 60 * MINUTE);
    assert_eq!(lot.model.act(lot.id, &first), repeated);
    lot.close();
    assert_eq!(lot.model.act(lot.id, &first), repeated);
    assert_eq!(lot.kept().book.state.end, at(END + 34 * MINUTE));

    let mut reused = |action, field| {
        let reply = lot.model.act(lot.id, &action);
        let now = lot.model.now;
        let refusal = Refusal::RequestIdReused { field };
        assert_eq!(reply, Reply::Refused { refusal, now });
    };
    reused(action(request(100), extend(29 * MINUTE)), "terms");
    let mut other = first.clone();
    other.reason = "another".to_owned();
    reused(other, "reason");
    let mut other = first.clone();
    other.actor = party("other");
    reused(other, "actor");
}

#[test]
fn the_clock_of_the_lock_decides_and_not_the_span() {
    let mut lot = Lot::open(terms());
    lot.set_clock(START + MINUTE);
    let entry = lot.done(extend(MINUTE));
    assert_eq!(
        (entry.at, entry.end),
        (at(START + MINUTE), at(END + MINUTE))
    );
}
