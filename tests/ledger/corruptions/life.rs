//! Open, claimed and cancelled auctions, and what must not stand on them.

use gavel::auction::{EventKind, Status};
use gavel::ledger::{Check, audit};

use super::{Case, assert_each, entry, row};
use crate::ledger::story::{assert_one, cancelled, closed, dossier, later, moment, running};
use crate::support::make::{self, END, MINUTE};

#[test]
fn what_is_left_undone_is_one_finding() {
    let open = || dossier(&running());
    let end = open().row.unwrap().end;
    let just_before = moment(make::at(end.get() - 1));
    assert_eq!(audit(&open(), &just_before), []);
    assert_one("due", &open(), &moment(end), (Check::DueNotClosed, None));
    let mut graced = moment(end);
    graced.due_grace = Some(make::span(MINUTE));
    assert_eq!(audit(&open(), &graced), []);

    let mut claimed = open();
    let since = make::at(end.get() + 1);
    row(&mut claimed).status = Status::Closing;
    row(&mut claimed).closing_at = Some(since);
    assert_eq!(audit(&claimed, &moment(since)), []);
    assert_one("stuck", &claimed, &later(), (Check::StuckInClosing, None));
    row(&mut claimed).closing_at = None;
    assert_one("claimed never", &claimed, &later(), (Check::RowState, None));
}

#[test]
fn an_open_auction_has_no_result() {
    let now = moment(make::at(END));
    let spoils: &[Case] = &[
        (
            "a winner",
            |d| row(d).winner = Some(make::party("ann")),
            Check::Winner,
            None,
        ),
        (
            "a price",
            |d| row(d).final_price = Some(make::usd("1")),
            Check::FinalPrice,
            None,
        ),
        (
            "closed",
            |d| row(d).status = Status::Closed,
            Check::Status,
            None,
        ),
        (
            "cancelled",
            |d| row(d).status = Status::Cancelled,
            Check::Status,
            None,
        ),
        (
            "a closing time",
            |d| row(d).closed_at = Some(make::at(END)),
            Check::RowState,
            None,
        ),
        (
            "a claim",
            |d| row(d).closing_at = Some(make::at(END + MINUTE)),
            Check::RowState,
            None,
        ),
        (
            "a closer's epoch",
            |d| row(d).closer_epoch = -1,
            Check::RowState,
            None,
        ),
        (
            "an owner's epoch",
            |d| row(d).owner_epoch = -1,
            Check::RowState,
            None,
        ),
        (
            "an event",
            |d| d.events = closed().events,
            Check::EventUnexpected,
            None,
        ),
    ];
    for (name, spoil, check, seq) in spoils {
        let mut dossier = dossier(&running());
        spoil(&mut dossier);
        assert_one(name, &dossier, &now, (*check, *seq));
    }
}

#[test]
fn a_cancelled_auction_stays_so() {
    let spoils: &[Case] = &[
        (
            "open",
            |d| row(d).status = Status::Open,
            Check::Status,
            None,
        ),
        (
            "closed",
            |d| row(d).status = Status::Closed,
            Check::Status,
            None,
        ),
        (
            "a winner",
            |d| row(d).winner = Some(make::party("ann")),
            Check::Winner,
            None,
        ),
        ("no event", |d| d.events.clear(), Check::EventMissing, None),
        (
            "a claim",
            |d| row(d).closing_at = Some(make::at(END + 60 * MINUTE)),
            Check::RowState,
            None,
        ),
        (
            "twice told",
            |d| d.events.extend_from_within(..),
            Check::EventDuplicate,
            None,
        ),
        (
            "an event's kind",
            |d| d.events[0].kind = EventKind::Closed,
            Check::EventContent,
            None,
        ),
        (
            "an event's time",
            |d| d.events[0].closed_at = make::at(END),
            Check::EventContent,
            None,
        ),
        (
            "an event's price",
            |d| d.events[0].price = Some(make::usd("1")),
            Check::EventContent,
            None,
        ),
        (
            "the cancellation cut",
            |d| drop(d.entries.pop()),
            Check::Head,
            Some(11),
        ),
        (
            "the reason",
            |d| entry(d, 11).detail = entry(d, 11).detail.replace("phone", "mail"),
            Check::HashChain,
            Some(11),
        ),
    ];
    assert_each(cancelled, spoils);
}

#[test]
fn two_corruptions_are_two_findings() {
    let mut dossier = closed();
    entry(&mut dossier, 4).price = Some(make::usd("49"));
    entry(&mut dossier, 7).hash[0] ^= 1;
    row(&mut dossier).winner = None;
    let found: Vec<_> = audit(&dossier, &later())
        .iter()
        .map(|finding| (finding.check, finding.seq))
        .collect();
    let wanted = [
        (Check::Price, Some(4)),
        (Check::HashChain, Some(7)),
        (Check::Winner, None),
    ];
    assert_eq!(found, wanted);
}
