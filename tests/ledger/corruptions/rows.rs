//! Changed rows and events of a closed auction.

use gavel::auction::{CloseResult, Currency, EventKind, Status, StepTable};
use gavel::ledger::Check;
use gavel::store::{Damage, Dossier};

use super::{Case, assert_each, row};
use crate::ledger::story::{assert_one, closed, dossier as story_of, later};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, START};

pub(super) const ROWS: &[Case] = &[
    (
        "the title",
        |d| row(d).terms.title.push('!'),
        Check::RowTerms,
        None,
    ),
    (
        "the seller",
        |d| row(d).terms.seller = make::party("eve"),
        Check::RowTerms,
        None,
    ),
    (
        "the currency",
        |d| row(d).terms.currency = make::currency("EUR"),
        Check::RowTerms,
        None,
    ),
    (
        "the exponent",
        |d| row(d).terms.currency = Currency::from_stored("USD", 3).unwrap(),
        Check::RowTerms,
        None,
    ),
    (
        "the start price",
        |d| row(d).terms.start_price = make::usd("9"),
        Check::RowTerms,
        None,
    ),
    (
        "the steps",
        |d| row(d).terms.steps = StepTable::flat(make::usd("1")),
        Check::RowTerms,
        None,
    ),
    (
        "the reserve",
        |d| row(d).terms.reserve = Some(make::usd("180")),
        Check::RowTerms,
        None,
    ),
    (
        "no reserve",
        |d| row(d).terms.reserve = None,
        Check::RowTerms,
        None,
    ),
    (
        "own raise",
        |d| row(d).terms.own_raise = gavel::auction::OwnRaise::Reprice,
        Check::RowTerms,
        None,
    ),
    (
        "no soft close",
        |d| row(d).terms.soft_close = None,
        Check::RowTerms,
        None,
    ),
    (
        "the start",
        |d| row(d).terms.start = make::at(START + 1),
        Check::RowTerms,
        None,
    ),
    (
        "the first end",
        |d| row(d).terms.end = make::at(END + 1),
        Check::RowTerms,
        None,
    ),
    (
        "the end in force",
        |d| row(d).end = make::at(END),
        Check::RowState,
        None,
    ),
    (
        "the price",
        |d| row(d).price = Some(make::usd("122")),
        Check::RowState,
        None,
    ),
    (
        "the leader",
        |d| row(d).leader = Some(make::party("ben")),
        Check::RowState,
        None,
    ),
    (
        "the leader's maximum",
        |d| row(d).leader_max = Some(make::usd("180.01")),
        Check::RowState,
        None,
    ),
    (
        "the runner-up's maximum",
        |d| row(d).runner_up_max = None,
        Check::RowState,
        None,
    ),
    (
        "reserve met",
        |d| row(d).reserve_met = false,
        Check::RowState,
        None,
    ),
    (
        "the count of bids",
        |d| row(d).bid_count += 1,
        Check::RowState,
        None,
    ),
    (
        "the last seq",
        |d| row(d).last_seq = 11,
        Check::RowState,
        None,
    ),
    (
        "the last time",
        |d| row(d).last_at = make::at(END),
        Check::RowState,
        None,
    ),
    ("the head", |d| row(d).head[0] ^= 1, Check::Head, Some(10)),
    (
        "open again",
        |d| row(d).status = Status::Open,
        Check::Status,
        None,
    ),
    (
        "closing again",
        |d| row(d).status = Status::Closing,
        Check::Status,
        None,
    ),
    (
        "sold into unsold",
        |d| row(d).status = Status::ClosedReserveNotMet,
        Check::Status,
        None,
    ),
    (
        "closed into cancelled",
        |d| row(d).status = Status::Cancelled,
        Check::Status,
        None,
    ),
    (
        "the winner",
        |d| row(d).winner = Some(make::party("ben")),
        Check::Winner,
        None,
    ),
    ("no winner", |d| row(d).winner = None, Check::Winner, None),
    (
        "the final price",
        |d| row(d).final_price = Some(make::usd("1")),
        Check::FinalPrice,
        None,
    ),
    (
        "no closing time",
        |d| row(d).closed_at = None,
        Check::RowState,
        None,
    ),
    (
        "claimed before the end",
        |d| row(d).closing_at = Some(make::at(END)),
        Check::RowState,
        None,
    ),
    (
        "claimed after it was closed",
        |d| row(d).closing_at = Some(make::at(END + 61 * MINUTE)),
        Check::RowState,
        None,
    ),
    (
        "closed before the end",
        |d| row(d).closed_at = Some(make::at(END)),
        Check::RowState,
        None,
    ),
    ("the row deleted", |d| d.row = None, Check::MissingRow, None),
    (
        "a row that cannot be",
        |d| {
            d.row = None;
            d.damage
                .push(Damage::row(7731, "leader_max", "18000000000000000000"));
        },
        Check::Unreadable,
        None,
    ),
    (
        "the event deleted",
        |d| d.events.clear(),
        Check::EventMissing,
        None,
    ),
    (
        "the event twice",
        |d| d.events.extend_from_within(..),
        Check::EventDuplicate,
        None,
    ),
    (
        "a cancellation told",
        |d| {
            let mut event = d.events[0].clone();
            event.kind = EventKind::Cancelled;
            event.event_id = "7731.cancelled".to_owned();
            (event.result, event.winner, event.price) = (None, None, None);
            event.closed_at = d.entries[9].at;
            d.events.push(event);
        },
        Check::EventUnexpected,
        None,
    ),
    (
        "an event that cannot be",
        |d| {
            d.events.clear();
            d.damage.push(Damage::row(7731, "outbox.price", "0"));
        },
        Check::Unreadable,
        None,
    ),
    (
        "the event's kind",
        |d| d.events[0].kind = EventKind::Cancelled,
        Check::EventContent,
        None,
    ),
    (
        "the event made a cancellation",
        |d| {
            let event = &mut d.events[0];
            event.kind = EventKind::Cancelled;
            event.event_id = "7731.cancelled".to_owned();
            (event.result, event.winner, event.price) = (None, None, None);
        },
        Check::EventContent,
        None,
    ),
    (
        "the event's result, winner and price",
        |d| {
            let event = &mut d.events[0];
            event.result = Some(CloseResult::NoBids);
            (event.winner, event.price) = (None, None);
        },
        Check::EventContent,
        None,
    ),
    (
        "made open again, result and all",
        |d| {
            let row = row(d);
            row.status = Status::Open;
            (row.closed_at, row.winner, row.final_price) = (None, None, None);
        },
        Check::EventUnexpected,
        None,
    ),
    (
        "ledger and event deleted",
        |d| {
            d.entries.clear();
            d.events.clear();
        },
        Check::MissingCreate,
        None,
    ),
    (
        "the event's id",
        |d| d.events[0].event_id.push('x'),
        Check::EventContent,
        None,
    ),
    (
        "the event's result",
        |d| d.events[0].result = None,
        Check::EventContent,
        None,
    ),
    (
        "the event's winner",
        |d| d.events[0].winner = None,
        Check::EventContent,
        None,
    ),
    (
        "the event's price",
        |d| d.events[0].price = Some(make::usd("1")),
        Check::EventContent,
        None,
    ),
    (
        "the event's end",
        |d| d.events[0].end = make::at(END),
        Check::EventContent,
        None,
    ),
    (
        "the event's time",
        |d| d.events[0].closed_at = make::at(END + 99 * MINUTE),
        Check::EventContent,
        None,
    ),
    (
        "the event's head",
        |d| d.events[0].ledger_head[0] ^= 1,
        Check::EventContent,
        None,
    ),
];

/// The tail cut and the row patched to match: the event still proves it.
fn cut_and_patched(dossier: &mut Dossier) {
    let mut lot = Lot::open(dossier.row.as_ref().unwrap().terms.clone());
    let kept = lot.model.auctions.get_mut(&lot.id).unwrap();
    kept.ledger = dossier.entries[..9].to_vec();
    kept.book = gavel::auction::Book::open(&kept.ledger[0]).unwrap();
    for entry in &kept.ledger[1..] {
        kept.book.fold(entry).unwrap();
    }
    lot.set_clock(END + 60 * MINUTE);
    lot.close();
    let patched = story_of(&lot);
    dossier.row = patched.row;
    dossier.entries = patched.entries;
}

#[test]
fn each_changed_row_or_event_is_one_finding() {
    assert_each(closed, ROWS);
}

#[test]
fn a_cut_tail_behind_a_patched_row_is_proved_by_the_event() {
    let mut spoiled = closed();
    cut_and_patched(&mut spoiled);
    let want = (Check::EventContent, None);
    assert_one("cut and patched", &spoiled, &later(), want);
}
