//! Soft close: when an accepted bid moves the end, and to where.

use gavel::auction::{ExtendMode, ExtendTrigger, OwnRaise, SoftClose, Terms, VoidScope};

use crate::support::lot::Lot;
use crate::support::make::{END, MINUTE, SECOND, at, soft_close, span, terms, void};

fn with(soft: SoftClose) -> Lot {
    Lot::open(Terms {
        soft_close: Some(soft),
        ..terms()
    })
}

/// The end after one bid at `END + offset`, as an offset from `END`.
fn end_after(soft: SoftClose, offset: i64) -> i64 {
    let mut lot = with(soft);
    lot.set_clock(END + offset);
    let answer = lot.accept("A", "50");
    assert_eq!(answer.extended, answer.end > at(END));
    assert_eq!(lot.kept().book.state.end, answer.end);
    answer.end.get() - END
}

#[test]
fn reset_counts_from_the_bid_and_add_from_the_end() {
    let reset = soft_close();
    let add = SoftClose {
        mode: ExtendMode::Add,
        ..reset
    };
    let add_more = SoftClose {
        extend_by: span(10 * MINUTE),
        ..add
    };
    assert_eq!(end_after(reset, -3 * MINUTE), 2 * MINUTE);
    assert_eq!(end_after(add, -3 * MINUTE), 5 * MINUTE);
    assert_eq!(end_after(add_more, -3 * MINUTE), 10 * MINUTE);
}

#[test]
fn only_less_than_the_window_left_triggers_it() {
    let soft = SoftClose {
        mode: ExtendMode::Add,
        ..soft_close()
    };
    assert_eq!(end_after(soft, -5 * MINUTE - 1), 0);
    assert_eq!(end_after(soft, -5 * MINUTE), 0);
    assert_eq!(end_after(soft, -5 * MINUTE + 1), 5 * MINUTE);
    assert_eq!(end_after(soft, -1), 5 * MINUTE);
}

#[test]
fn the_end_never_moves_back() {
    // One second of extension, a minute before the end: reset would give an earlier end.
    let soft = SoftClose {
        extend_by: span(SECOND),
        ..soft_close()
    };
    assert_eq!(end_after(soft, -MINUTE), 0);
    assert_eq!(end_after(soft, -SECOND), 0);
    assert_eq!(end_after(soft, -SECOND + 1), 1);
}

#[test]
fn the_cap_holds_the_end() {
    let capped = |cap: i64| SoftClose {
        mode: ExtendMode::Add,
        cap: Some(at(END + cap)),
        ..soft_close()
    };
    assert_eq!(end_after(capped(6 * MINUTE), -MINUTE), 5 * MINUTE);
    assert_eq!(end_after(capped(2 * MINUTE), -MINUTE), 2 * MINUTE);
    // At the cap already: accepted, not extended, not flagged.
    assert_eq!(end_after(capped(0), -MINUTE), 0);
}

#[test]
fn extensions_follow_one_another_up_to_the_cap() {
    let mut lot = with(SoftClose {
        cap: Some(at(END + 7 * MINUTE)),
        ..soft_close()
    });
    let mut ends = Vec::new();
    for (bidder, maximum, offset) in [
        ("A", "20", -MINUTE),
        ("B", "30", 3 * MINUTE),
        ("A", "40", 4 * MINUTE),
        ("B", "50", 7 * MINUTE - 1),
    ] {
        lot.set_clock(END + offset);
        let answer = lot.accept(bidder, maximum);
        ends.push((answer.end.get() - END, answer.extended));
    }
    assert_eq!(
        ends,
        [
            (4 * MINUTE, true),
            (7 * MINUTE, true),
            (7 * MINUTE, false),
            (7 * MINUTE, false)
        ]
    );
    lot.set_clock(END + 7 * MINUTE);
    assert_eq!(lot.refuse("A", "100").code(), "ended");
}

#[test]
fn the_trigger_says_which_bids_extend() {
    // The leader's first bid, the leader's own raise, a challenger who loses, one who wins.
    let rows = [
        (ExtendTrigger::NotOwnRaise, [true, false, true, true]),
        (ExtendTrigger::Any, [true, true, true, true]),
        (ExtendTrigger::LeaderChange, [true, false, false, true]),
    ];
    for (trigger, expected) in rows {
        for own_raise in [OwnRaise::Keep, OwnRaise::Reprice] {
            let mut lot = Lot::open(Terms {
                own_raise,
                soft_close: Some(SoftClose {
                    trigger,
                    ..soft_close()
                }),
                ..terms()
            });
            let bids = [("A", "50"), ("A", "100"), ("B", "80"), ("B", "200")];
            let extended: Vec<bool> = bids
                .iter()
                .map(|(bidder, maximum)| {
                    // One minute before whatever the end is now.
                    let end = lot.kept().book.state.end.get();
                    lot.set_clock(end - MINUTE);
                    lot.accept(bidder, maximum).extended
                })
                .collect();
            assert_eq!(extended, expected, "{trigger:?} {own_raise:?}");
        }
    }
}

#[test]
fn the_entry_that_caused_it_carries_the_extension() {
    let mut lot = with(soft_close());
    lot.set_clock(END - MINUTE);
    lot.accept("A", "50");
    let entry = lot.kept().ledger.last().unwrap();
    assert!(entry.extended);
    assert_eq!(entry.end, at(END + 4 * MINUTE));
    assert_eq!(entry.flags(), 0b11, "reserve met and extended");
}

#[test]
fn an_operators_action_never_triggers_it_and_an_extension_outlives_a_void() {
    let mut lot = with(soft_close());
    lot.set_clock(END - MINUTE);
    lot.accept("A", "50");
    lot.set_clock(END + 3 * MINUTE);
    let entry = lot.done(void("A", VoidScope::All));
    assert!(!entry.extended);
    assert_eq!(entry.end, at(END + 4 * MINUTE));
    // Bids are taken in the time once given.
    lot.set_clock(END + 4 * MINUTE - 1);
    assert_eq!(lot.accept("B", "20").seq, 4);
}

#[test]
fn without_soft_close_the_last_microsecond_moves_nothing() {
    let mut lot = Lot::open(terms());
    lot.set_clock(END - 1);
    let answer = lot.accept("A", "50");
    assert_eq!((answer.end, answer.extended), (at(END), false));
}
