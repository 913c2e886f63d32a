//! The result an ended auction already has, and the event that tells it.

use gavel::auction::operator::Deed;
use gavel::auction::{CloseOutcome, CloseResult, Event, EventKind, Status, Terms};
use gavel::store::{CloseReply, Closed};

use crate::support::lot::Lot;
use crate::support::make::{END, START, at, id, party, terms, usd};

#[test]
fn the_outcome_follows_from_leader_and_reserve() {
    let sold = CloseOutcome::of(Some(&party("A")), Some(usd("41")), true);
    assert_eq!(sold.status, Status::Closed);
    assert_eq!(sold.result, CloseResult::Sold);
    assert_eq!(sold.winner, Some(party("A")));
    assert_eq!(sold.final_price, Some(usd("41")));
    let unmet = CloseOutcome::of(Some(&party("A")), Some(usd("41")), false);
    assert_eq!(unmet.status, Status::ClosedReserveNotMet);
    assert_eq!(unmet.result, CloseResult::ReserveNotMet);
    assert_eq!((unmet.winner, unmet.final_price), (None, None));
    let nobody = CloseOutcome::of(None, None, false);
    assert_eq!(nobody.status, Status::Closed);
    assert_eq!(nobody.result, CloseResult::NoBids);
    assert_eq!((nobody.winner, nobody.final_price), (None, None));
}

#[test]
fn closing_waits_for_the_end_and_happens_once() {
    let mut lot = Lot::open(terms());
    lot.accept("A", "50");
    lot.accept("B", "20");
    lot.set_clock(END - 1);
    let not_due = CloseReply::NotDue {
        end: at(END),
        now: at(END - 1),
    };
    assert_eq!(lot.close(), not_due);
    lot.set_clock(END + 13_000_000);
    let closed = Closed {
        auction_id: id(7731),
        event: Event {
            event_id: "7731.closed".to_owned(),
            kind: EventKind::Closed,
            result: Some(CloseResult::Sold),
            winner: Some(party("A")),
            price: Some(usd("20.50")),
            end: at(END),
            closed_at: at(END + 13_000_000),
            ledger_head: lot.kept().ledger[2].hash,
        },
    };
    assert_eq!(lot.close(), CloseReply::Closed(closed.clone()));
    lot.set_clock(END + 60_000_000);
    assert_eq!(lot.close(), CloseReply::AlreadyClosed(closed));
    assert_eq!(lot.kept().events.len(), 1);
}

#[test]
fn unsold_keeps_the_last_price_visible() {
    let mut lot = Lot::open(Terms {
        reserve: Some(usd("700")),
        ..terms()
    });
    lot.accept("A", "15");
    lot.set_clock(END);
    lot.close();
    let row = lot.kept().row();
    assert_eq!(row.status, Status::ClosedReserveNotMet);
    assert_eq!((row.winner, row.final_price), (None, None));
    assert_eq!((row.price, row.leader), (Some(usd("10")), Some(party("A"))));
}

#[test]
fn a_cancelled_auction_has_its_own_event_and_is_never_closed() {
    let mut lot = Lot::open(terms());
    lot.accept("A", "15");
    lot.set_clock(START + 1);
    let entry = lot.done(Deed::Cancel);
    lot.set_clock(END);
    assert_eq!(lot.close(), CloseReply::Cancelled);
    let [event] = &lot.kept().events[..] else {
        panic!("one event");
    };
    assert_eq!(event.event_id, "7731.cancelled");
    assert_eq!(event.ledger_head, entry.hash);
    assert_eq!(
        (event.result, &event.winner, event.price),
        (None, &None, None)
    );
}

#[test]
fn words_and_statuses_read_back() {
    for status in Status::ALL {
        assert_eq!(Status::from_stored(status.as_str()), Some(status));
    }
    for result in CloseResult::ALL {
        assert_eq!(CloseResult::from_word(result.as_str()), Some(result));
    }
    for kind in [EventKind::Closed, EventKind::Cancelled] {
        assert_eq!(EventKind::from_stored(kind.as_str()), Some(kind));
    }
    assert_eq!(Status::from_stored("open"), None);
    assert_eq!(CloseResult::from_word("SOLD"), None);
}
