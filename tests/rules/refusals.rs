//! A bid's refusals, in the documented order, and the one effective time they are judged by.
//!
//! Each row of the order has every later fault too, so that only the order can explain which one
//! is named.

use gavel::auction::{
    Amount, Book, Currency, Micros, Refusal, SoftClose, State, Status, Terms, bid,
};
use gavel::store::Reply;

use crate::support::lot::Lot;
use crate::support::make::{
    END, MINUTE, START, amount, at, bid_of, currency, id, party, request, soft_close, terms, usd,
};

/// A bid with these faults at this time against a leader A at 10.00 with 50.00.
struct Case {
    currency: Currency,
    status: Status,
    owned: bool,
    now: Micros,
    bidder: &'static str,
    maximum: i64,
}

fn led() -> Book {
    let mut lot = Lot::open(terms());
    lot.accept("A", "50");
    lot.kept().book.clone()
}

fn judge(book: &Book, case: &Case) -> Result<(), Refusal> {
    let state = State {
        status: case.status,
        owned: case.owned,
        ..book.state.clone()
    };
    let bid = bid_of(
        id(7731),
        request(99),
        case.bidder,
        case.maximum,
        case.currency,
    );
    bid::decide(&book.terms, &state, &bid, case.now).map(|_| ())
}

#[test]
fn the_first_fault_in_the_documented_order_is_named() {
    let book = led();
    let mut case = Case {
        currency: currency("EUR"),
        status: Status::Cancelled,
        owned: true,
        now: at(END),
        bidder: "seller",
        maximum: Amount::MAX + 1,
    };
    let usd_terms = currency("USD");
    assert_eq!(
        judge(&book, &case),
        Err(Refusal::WrongCurrency {
            expected: usd_terms
        })
    );
    case.currency = usd_terms;
    assert_eq!(judge(&book, &case), Err(Refusal::Cancelled));
    case.status = Status::Closed;
    assert_eq!(judge(&book, &case), Err(Refusal::Owned));
    case.owned = false;
    assert_eq!(judge(&book, &case), Err(Refusal::Ended { end: at(END) }));
    case.status = Status::Open;
    assert_eq!(judge(&book, &case), Err(Refusal::Ended { end: at(END) }));
    case.now = at(END - 1);
    assert_eq!(judge(&book, &case), Err(Refusal::SellerCannotBid));
    case.bidder = "B";
    assert_eq!(judge(&book, &case), Err(Refusal::TooHigh));
    case.maximum = 1049;
    assert_eq!(judge(&book, &case), Err(Refusal::TooLow { minimum: 1050 }));
    case.maximum = 1050;
    assert_eq!(judge(&book, &case), Ok(()));
    case.bidder = "A";
    assert_eq!(judge(&book, &case), Err(Refusal::NotAboveOwnMaximum));
    case.maximum = 5001;
    assert_eq!(judge(&book, &case), Ok(()));
}

#[test]
fn before_the_start_nothing_is_taken_and_that_is_named_before_the_status() {
    let book = {
        let mut lot = Lot::open(terms());
        lot.set_clock(START - 1);
        lot.kept().book.clone()
    };
    let mut state = State {
        last_at: at(START - MINUTE),
        ..book.state.clone()
    };
    let early = bid_of(id(7731), request(9), "seller", 0, currency("USD"));
    let judge = |state: &State, now: i64| bid::decide(&book.terms, state, &early, at(now)).err();
    let not_started = Some(Refusal::NotStarted { start: at(START) });
    assert_eq!(judge(&state, START - 1), not_started);
    state.status = Status::Closed;
    assert_eq!(judge(&state, START - 1), not_started);
    state.status = Status::Open;
    assert_eq!(judge(&state, START), Some(Refusal::SellerCannotBid));
}

#[test]
fn every_status_but_open_refuses() {
    let book = led();
    let case = |status| Case {
        currency: currency("USD"),
        status,
        owned: false,
        now: at(START + 1),
        bidder: "B",
        maximum: 6000,
    };
    let ended = Err(Refusal::Ended { end: at(END) });
    assert_eq!(judge(&book, &case(Status::Closing)), ended);
    assert_eq!(judge(&book, &case(Status::Closed)), ended);
    assert_eq!(judge(&book, &case(Status::ClosedReserveNotMet)), ended);
    assert_eq!(
        judge(&book, &case(Status::Cancelled)),
        Err(Refusal::Cancelled)
    );
}

#[test]
fn while_nobody_leads_the_start_price_is_the_bound() {
    let mut lot = Lot::open(terms());
    let below = Refusal::BelowStart { minimum: 1000 };
    for maximum in [i64::MIN, -1, 0, 1, 999] {
        assert_eq!(refused(&mut lot, "A", maximum), below, "{maximum}");
    }
    for maximum in [Amount::MAX + 1, i64::MAX] {
        assert_eq!(refused(&mut lot, "A", maximum), Refusal::TooHigh);
    }
    lot.accept("A", "10");
}

#[test]
fn the_bound_of_amounts_itself_is_taken() {
    let mut lot = Lot::open(terms());
    assert!(matches!(lot.bid_minor("A", Amount::MAX), Reply::Done(_)));
    assert_eq!(lot.standing(), "A 10.00");
    assert_eq!(
        refused(&mut lot, "A", Amount::MAX),
        Refusal::NotAboveOwnMaximum
    );
    // A tie at the bound: no step fits any more.
    assert!(matches!(lot.bid_minor("B", Amount::MAX), Reply::Done(_)));
    assert_eq!(lot.standing(), "A 10000000000000.00");
}

#[test]
fn the_last_microsecond_counts_and_the_end_does_not() {
    let mut lot = Lot::open(terms());
    lot.set_clock(END - 1);
    lot.accept("A", "20");
    for late in [END, END + 1, END + 50_000, END + 400_000] {
        lot.set_clock(late);
        let refusal = lot.refuse("B", "30");
        assert_eq!(refusal, Refusal::Ended { end: at(END) });
        assert!(refusal.to_string().contains("2026-12-01T10:00:00.000000Z"));
    }
    // The status still reads OPEN: the clock decides, the closer only notices.
    assert_eq!(lot.kept().book.state.status, Status::Open);
}

#[test]
fn an_end_is_kept_to_the_microsecond() {
    let mut lot = Lot::open(Terms {
        end: at(END + 250_000),
        ..terms()
    });
    lot.set_clock(END + 249_999);
    lot.accept("A", "20");
    lot.set_clock(END + 250_000);
    assert_eq!(lot.refuse("B", "30").code(), "ended");
}

#[test]
fn a_clock_that_steps_back_neither_admits_nor_reorders() {
    let mut lot = Lot::open(Terms {
        soft_close: Some(SoftClose {
            extend_by: soft_close().window,
            ..soft_close()
        }),
        ..terms()
    });
    lot.set_clock(END - MINUTE);
    lot.accept("A", "20");
    lot.set_clock(START);
    // Judged and stamped at the last entry's time, and extended from there.
    let answer = lot.accept("B", "30");
    assert_eq!(answer.at, at(END - MINUTE));
    assert_eq!(answer.end, at(END + 4 * MINUTE));
    assert_eq!(answer.now, at(START));
}

#[test]
fn a_late_bid_stays_late_when_the_clock_steps_back_before_the_start() {
    let mut lot = Lot::open(terms());
    lot.set_clock(START - MINUTE);
    // The create entry was made at the start, so that is the effective time.
    assert_eq!(lot.accept("A", "20").at, at(START));
}

#[test]
fn ids_are_compared_exactly() {
    let mut lot = Lot::open(Terms {
        seller: party("alice"),
        ..terms()
    });
    assert_eq!(lot.refuse("alice", "20"), Refusal::SellerCannotBid);
    lot.accept("Alice", "20");
}

#[test]
fn codes_are_kept_and_no_refusal_text_tells_an_amount() {
    let refusals = [
        (Refusal::NotFound, "not-found"),
        (Refusal::AuctionExists, "auction-exists"),
        (
            Refusal::RequestIdReused { field: "maximum" },
            "request-id-reused",
        ),
        (
            Refusal::WrongCurrency {
                expected: currency("USD"),
            },
            "wrong-currency",
        ),
        (Refusal::Cancelled, "cancelled"),
        (Refusal::Owned, "owned"),
        (Refusal::NotStarted { start: at(START) }, "not-started"),
        (Refusal::Ended { end: at(END) }, "ended"),
        (Refusal::SellerCannotBid, "seller-cannot-bid"),
        (Refusal::TooHigh, "too-high"),
        (Refusal::BelowStart { minimum: 1 }, "below-start"),
        (Refusal::TooLow { minimum: 1 }, "too-low"),
        (Refusal::NotAboveOwnMaximum, "not-above-own-maximum"),
        (Refusal::NoSuchBid, "no-such-bid"),
        (Refusal::AlreadyVoided, "already-voided"),
        (Refusal::NotLatest { latest: 2 }, "not-latest"),
        (Refusal::TermsFrozen { field: "title" }, "terms-frozen"),
        (Refusal::InvalidEnd { why: "late" }, "invalid-end"),
        (Refusal::invalid_terms("title", "x"), "invalid-terms"),
        (Refusal::NoChange, "no-change"),
    ];
    for (refusal, code) in refusals {
        assert_eq!(refusal.code(), code);
    }
}

#[test]
fn no_refusal_reveals_a_maximum_or_a_reserve() {
    let mut lot = Lot::open(Terms {
        reserve: Some(usd("888.88")),
        ..terms()
    });
    lot.accept("A", "777.77");
    for refusal in [
        lot.refuse("B", "10"),
        lot.refuse("A", "777.77"),
        lot.refuse("A", "5"),
        lot.refuse("seller", "900"),
    ] {
        let told = format!("{refusal} {refusal:?} {:?}", refusal.minimum());
        for secret in ["777", "888", "77777", "88888"] {
            assert!(!told.contains(secret), "{told}");
        }
    }
    assert_eq!(amount(77_777), usd("777.77"));
}

fn refused(lot: &mut Lot, bidder: &str, maximum: i64) -> Refusal {
    let before = lot.kept().clone();
    match lot.bid_minor(bidder, maximum) {
        Reply::Refused { refusal, .. } => {
            assert_eq!(*lot.kept(), before, "a refusal changes nothing");
            refusal
        }
        other => panic!("{bidder} {maximum}: {other:?}"),
    }
}
