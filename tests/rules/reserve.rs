//! The hidden reserve: the price jumps to it once the leader's maximum reaches it.

use gavel::auction::{CloseResult, OwnRaise, Terms};
use gavel::store::CloseReply;

use crate::support::lot::Lot;
use crate::support::make::{END, terms, usd};

fn reserve(text: &str) -> Terms {
    Terms {
        reserve: Some(usd(text)),
        ..terms()
    }
}

fn result(lot: &mut Lot) -> CloseResult {
    lot.set_clock(END);
    match lot.close() {
        CloseReply::Closed(closed) => closed.event.result.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn below_the_reserve_the_rule_holds_and_nothing_is_sold() {
    let mut lot = Lot::open(reserve("100"));
    lot.accept("A", "99.99");
    assert_eq!(lot.standing(), "A 10.00");
    assert!(!lot.kept().ledger[1].reserve_met);
    assert_eq!(result(&mut lot), CloseResult::ReserveNotMet);

    let mut lot = Lot::open(reserve("700"));
    lot.accept("A", "15");
    assert_eq!(result(&mut lot), CloseResult::ReserveNotMet);
}

#[test]
fn a_maximum_at_the_reserve_lifts_the_price_to_it() {
    let mut lot = Lot::open(reserve("100"));
    lot.accept("A", "100");
    assert_eq!(lot.standing(), "A 100.00");
    assert!(lot.kept().ledger[1].reserve_met);
    assert_eq!(result(&mut lot), CloseResult::Sold);
}

#[test]
fn the_leaders_own_raise_across_the_reserve_lifts_the_price_under_both_settings() {
    for own_raise in [OwnRaise::Keep, OwnRaise::Reprice] {
        let mut lot = Lot::open(Terms {
            own_raise,
            ..reserve("100")
        });
        lot.accept("A", "60");
        assert_eq!(lot.standing(), "A 10.00");
        lot.accept("A", "120");
        assert_eq!(lot.standing(), "A 100.00", "{own_raise:?}");
        lot.accept("B", "110");
        assert_eq!(lot.standing(), "A 112.50", "{own_raise:?}");
    }
}

#[test]
fn two_below_the_reserve_follow_the_rule() {
    let mut lot = Lot::open(reserve("100"));
    lot.accept("A", "60");
    lot.accept("B", "50");
    assert_eq!(lot.standing(), "A 51.00");
    // B passes the reserve: 60 + 1 would be 61.
    lot.accept("B", "150");
    assert_eq!(lot.standing(), "B 100.00");
}

#[test]
fn no_reserve_or_one_at_the_start_price_is_met_by_any_leader() {
    for terms in [terms(), reserve("10")] {
        let mut lot = Lot::open(terms);
        lot.accept("A", "10");
        assert!(lot.kept().ledger[1].reserve_met);
        assert_eq!(result(&mut lot), CloseResult::Sold);
    }
}

#[test]
fn nobody_meets_a_reserve_while_nobody_leads() {
    let mut lot = Lot::open(terms());
    assert!(!lot.kept().ledger[0].reserve_met);
    assert_eq!(result(&mut lot), CloseResult::NoBids);
    let mut lot = Lot::open(reserve("100"));
    assert_eq!(result(&mut lot), CloseResult::NoBids);
}
