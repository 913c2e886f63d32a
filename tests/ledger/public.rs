//! What an auditor without maxima can still see.

use gavel::auction::Kind;
use gavel::ledger::{Check, audit};
use gavel::store::Dossier;

use super::corruptions::{Case, entry, row};
use super::story::{assert_one, cancelled, closed, dossier, hide, later, moment, rehash, running};
use crate::support::make::{self, END, MINUTE, START};

/// Writes an entry and everything after it anew, hashes and all, as only the record's owner can.
fn rechain(dossier: &mut Dossier) {
    entry(dossier, 1).hash = entry(dossier, 1).hash_after(&[0; 32]);
    for at in 1..dossier.entries.len() {
        let before = dossier.entries[at - 1].clone();
        rehash(&mut dossier.entries[at], &before);
    }
    let head = dossier.entries.last().unwrap().hash;
    row(dossier).head = head;
    for event in &mut dossier.events {
        event.ledger_head = head;
    }
}

const CHANGED: &[Case] = &[
    (
        "a price",
        |d| entry(d, 4).price = Some(make::usd("49")),
        Check::HashChain,
        Some(4),
    ),
    (
        "a commitment",
        |d| entry(d, 4).commit[0] ^= 1,
        Check::HashChain,
        Some(4),
    ),
    (
        "a bidder",
        |d| entry(d, 3).actor = make::party("eve"),
        Check::HashChain,
        Some(3),
    ),
    (
        "a title",
        |d| entry(d, 1).detail = entry(d, 1).detail.replace("lot", "pot"),
        Check::HashChain,
        Some(1),
    ),
    (
        "a hash",
        |d| entry(d, 4).hash[0] ^= 1,
        Check::HashChain,
        Some(4),
    ),
    (
        "the last hash",
        |d| entry(d, 10).hash[0] ^= 1,
        Check::HashChain,
        Some(10),
    ),
    (
        "a time before the last",
        |d| entry(d, 5).at = make::at(START),
        Check::TimeBackwards,
        Some(5),
    ),
    (
        "a time past the end",
        |d| entry(d, 4).at = make::at(END),
        Check::TimeAfterEnd,
        Some(4),
    ),
    (
        "an entry deleted",
        |d| drop(d.entries.remove(3)),
        Check::SeqGap,
        Some(4),
    ),
    (
        "the create entry deleted",
        |d| drop(d.entries.remove(0)),
        Check::SeqGap,
        Some(1),
    ),
    (
        "the tail cut",
        |d| d.entries.truncate(6),
        Check::Head,
        Some(7),
    ),
    (
        "all deleted",
        |d| d.entries.clear(),
        Check::MissingCreate,
        None,
    ),
    (
        "two swapped",
        |d| {
            d.entries.swap(2, 3);
            entry(d, 3).seq = 3;
            entry(d, 4).seq = 4;
        },
        Check::HashChain,
        Some(3),
    ),
    (
        "the row's price",
        |d| row(d).price = Some(make::usd("1")),
        Check::RowState,
        None,
    ),
    (
        "the row's leader",
        |d| row(d).leader = None,
        Check::RowState,
        None,
    ),
    (
        "the row's bids",
        |d| row(d).bid_count = 9,
        Check::RowState,
        None,
    ),
    (
        "the row's title",
        |d| row(d).terms.title.push('!'),
        Check::RowTerms,
        None,
    ),
    (
        "the winner",
        |d| row(d).winner = Some(make::party("ben")),
        Check::Winner,
        None,
    ),
    (
        "the final price",
        |d| row(d).final_price = Some(make::usd("1")),
        Check::FinalPrice,
        None,
    ),
    (
        "the event's winner",
        |d| d.events[0].winner = None,
        Check::EventContent,
        None,
    ),
    ("no event", |d| d.events.clear(), Check::EventMissing, None),
];

/// Wrong outcomes under hashes that fit.
const RECHAINED: &[Case] = &[
    (
        "a falling price",
        |d| entry(d, 4).price = Some(make::usd("30")),
        Check::Price,
        Some(4),
    ),
    (
        "a price after a void",
        |d| entry(d, 8).price = Some(make::usd("122.51")),
        Check::Price,
        Some(8),
    ),
    (
        "a price at an amendment",
        |d| entry(d, 6).price = Some(make::usd("101")),
        Check::Price,
        Some(6),
    ),
    (
        "a leader who did not bid",
        |d| entry(d, 5).leader = Some(make::party("eve")),
        Check::Leader,
        Some(5),
    ),
    (
        "an end",
        |d| entry(d, 4).end = make::at(END + 1),
        Check::End,
        Some(4),
    ),
    (
        "a flag",
        |d| entry(d, 4).extended = true,
        Check::Flags,
        Some(4),
    ),
    (
        "the seller bids",
        |d| entry(d, 3).actor = make::party("seller"),
        Check::NotAcceptable,
        Some(3),
    ),
    (
        "no commitment",
        |d| entry(d, 3).commit = [0; 32],
        Check::NotAcceptable,
        Some(3),
    ),
    (
        "a detail on a bid",
        |d| entry(d, 4).detail.push('x'),
        Check::Detail,
        Some(4),
    ),
    (
        "a void of another's bid",
        |d| entry(d, 8).detail = entry(d, 8).detail.replace("[7]", "[5]"),
        Check::Detail,
        Some(8),
    ),
    (
        "a create entry of another kind",
        |d| entry(d, 1).kind = Kind::Bid,
        Check::MissingCreate,
        Some(1),
    ),
];

#[test]
fn each_change_is_one_finding_without_maxima() {
    for (name, spoil, check, seq) in CHANGED {
        let mut dossier = hide(closed());
        spoil(&mut dossier);
        assert_one(name, &dossier, &later(), (*check, *seq));
    }
}

#[test]
fn outcomes_that_cannot_follow_are_seen_without_maxima() {
    for (name, spoil, check, seq) in RECHAINED {
        let mut dossier = hide(closed());
        spoil(&mut dossier);
        rechain(&mut dossier);
        let findings = audit(&dossier, &later());
        // What follows from a wrong outcome is judged by it, so more may be found after it.
        let first = findings.first().map(|finding| (finding.check, finding.seq));
        assert_eq!(first, Some((*check, *seq)), "{name}: {findings:#?}");
    }
}

#[test]
fn undone_work_is_seen_without_maxima() {
    let open = hide(dossier(&running()));
    let end = open.row.as_ref().unwrap().end;
    assert_one("due", &open, &moment(end), (Check::DueNotClosed, None));
    let mut cut = hide(cancelled());
    cut.entries.pop();
    assert_one("cancellation cut", &cut, &later(), (Check::Head, Some(11)));
    let mut late = hide(cancelled());
    row(&mut late).last_at = make::at(END + MINUTE);
    assert_one("last time", &late, &later(), (Check::RowState, None));
}
