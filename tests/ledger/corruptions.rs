//! One corruption, one finding: of the right check, at the right place.

use std::collections::BTreeSet;

use gavel::auction::operator::VoidDetail;
use gavel::auction::{Currency, Entry, EventKind, Kind, Secret, Status, StepTable, VoidScope};
use gavel::ledger::{Check, audit};
use gavel::store::{AuctionRow, Damage, Dossier};

use super::story::{
    assert_one, cancelled, closed, dossier, forged, later, moment, rehash, running,
};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, START};

/// Name, what is done to the dossier, the check that must find it, the seq.
type Case = (&'static str, fn(&mut Dossier), Check, Option<i64>);

fn entry(dossier: &mut Dossier, seq: usize) -> &mut Entry {
    &mut dossier.entries[seq - 1]
}

fn row(dossier: &mut Dossier) -> &mut AuctionRow {
    dossier.row.as_mut().unwrap()
}

/// As a database gives it: the commitment is computed from what is stored.
fn store_secret(entry: &mut Entry, minor: i64) {
    let nonce = entry.secret.unwrap().nonce;
    let secret = Secret {
        amount: make::amount(minor),
        nonce,
    };
    entry.secret = Some(secret);
    entry.commit = secret.commit();
}

fn append_forged(dossier: &mut Dossier) {
    let mut lot = running();
    lot.accept("eve", "500");
    dossier.entries.push(lot.kept().ledger[10].clone());
}

const ENTRIES: &[Case] = &[
    (
        "a losing maximum",
        |d| store_secret(entry(d, 3), 3_500),
        Check::HashChain,
        Some(3),
    ),
    (
        "a winning maximum",
        |d| store_secret(entry(d, 9), 16_000),
        Check::HashChain,
        Some(9),
    ),
    (
        "a maximum below the minimum",
        |d| store_secret(entry(d, 7), 100),
        Check::HashChain,
        Some(7),
    ),
    (
        "the reserve",
        |d| store_secret(entry(d, 1), 5_000),
        Check::HashChain,
        Some(1),
    ),
    (
        "a maximum beside its commitment",
        |d| entry(d, 5).secret.as_mut().unwrap().amount = make::usd("121"),
        Check::Commitment,
        Some(5),
    ),
    (
        "a nonce",
        |d| entry(d, 5).secret.as_mut().unwrap().nonce = [7; 16],
        Check::Commitment,
        Some(5),
    ),
    (
        "a commitment",
        |d| entry(d, 7).commit = [7; 32],
        Check::Commitment,
        Some(7),
    ),
    (
        "a secret taken away",
        |d| entry(d, 5).secret = None,
        Check::Commitment,
        Some(5),
    ),
    (
        "a price",
        |d| entry(d, 4).price = Some(make::usd("49")),
        Check::Price,
        Some(4),
    ),
    (
        "the last price",
        |d| entry(d, 10).price = Some(make::usd("150.01")),
        Check::Price,
        Some(10),
    ),
    (
        "no price",
        |d| entry(d, 4).price = None,
        Check::Price,
        Some(4),
    ),
    (
        "a leader",
        |d| entry(d, 5).leader = Some(make::party("ann")),
        Check::Leader,
        Some(5),
    ),
    (
        "an end",
        |d| entry(d, 9).end = make::at(END + 20 * MINUTE),
        Check::End,
        Some(9),
    ),
    (
        "an amended end",
        |d| entry(d, 6).end = make::at(END),
        Check::End,
        Some(6),
    ),
    (
        "the reserve flag",
        |d| entry(d, 3).reserve_met = true,
        Check::Flags,
        Some(3),
    ),
    (
        "the extension flag",
        |d| entry(d, 9).extended = false,
        Check::Flags,
        Some(9),
    ),
    (
        "a bidder",
        |d| entry(d, 3).actor = make::party("eve"),
        Check::HashChain,
        Some(3),
    ),
    (
        "the winner's name",
        |d| entry(d, 9).actor = make::party("eve"),
        Check::HashChain,
        Some(9),
    ),
    (
        "a bidder into the seller",
        |d| entry(d, 7).actor = make::party("seller"),
        Check::HashChain,
        Some(7),
    ),
    (
        "a request id",
        |d| entry(d, 4).request_id = make::request(99),
        Check::HashChain,
        Some(4),
    ),
    (
        "a request id twice",
        |d| entry(d, 4).request_id = make::request(3),
        Check::RequestIdRepeated,
        Some(4),
    ),
    (
        "a time a little later",
        |d| entry(d, 4).at = make::at(START + 3 * MINUTE + 1),
        Check::HashChain,
        Some(4),
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
        "a hash",
        |d| entry(d, 4).hash[0] ^= 1,
        Check::HashChain,
        Some(4),
    ),
    (
        "the first hash",
        |d| entry(d, 1).hash[0] ^= 1,
        Check::HashChain,
        Some(1),
    ),
    (
        "the last hash",
        |d| entry(d, 10).hash[31] ^= 1,
        Check::HashChain,
        Some(10),
    ),
    (
        "a void's targets",
        |d| {
            let mut detail = VoidDetail::from_detail(&entry(d, 8).detail).unwrap();
            detail.targets = vec![5];
            entry(d, 8).detail = detail.to_detail();
        },
        Check::Detail,
        Some(8),
    ),
    (
        "a void's bidder",
        |d| {
            let mut detail = VoidDetail::from_detail(&entry(d, 8).detail).unwrap();
            detail.bidder = make::party("ben");
            detail.scope = VoidScope::All;
            entry(d, 8).detail = detail.to_detail();
        },
        Check::HashChain,
        Some(8),
    ),
    (
        "a reason",
        |d| entry(d, 8).detail = entry(d, 8).detail.replace("phone", "mail"),
        Check::HashChain,
        Some(8),
    ),
    (
        "an unreadable detail",
        |d| entry(d, 8).detail.push('}'),
        Check::Detail,
        Some(8),
    ),
    (
        "a detail spaced otherwise",
        |d| entry(d, 8).detail.push(' '),
        Check::Detail,
        Some(8),
    ),
    (
        "a detail on a bid",
        |d| entry(d, 4).detail.push_str("{}"),
        Check::Detail,
        Some(4),
    ),
    (
        "a title in the ledger",
        |d| entry(d, 1).detail = entry(d, 1).detail.replace("A lot", "A Lot"),
        Check::HashChain,
        Some(1),
    ),
    (
        "unreadable terms",
        |d| entry(d, 1).detail.clear(),
        Check::Detail,
        Some(1),
    ),
    (
        "a bid into a cancellation",
        |d| entry(d, 10).kind = Kind::Cancel,
        Check::Detail,
        Some(10),
    ),
    (
        "a void into a bid",
        |d| entry(d, 8).kind = Kind::Bid,
        Check::Commitment,
        Some(8),
    ),
    (
        "an entry deleted",
        |d| drop(d.entries.remove(3)),
        Check::SeqGap,
        Some(4),
    ),
    (
        "two entries deleted",
        |d| drop(d.entries.drain(3..5)),
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
        "the last entry cut",
        |d| drop(d.entries.pop()),
        Check::Head,
        Some(10),
    ),
    (
        "the tail cut",
        |d| d.entries.truncate(6),
        Check::Head,
        Some(7),
    ),
    (
        "all entries deleted",
        |d| d.entries.clear(),
        Check::MissingCreate,
        None,
    ),
    (
        "the create entry made another kind",
        |d| entry(d, 1).kind = Kind::Amend,
        Check::MissingCreate,
        Some(1),
    ),
    (
        "two entries swapped",
        |d| {
            d.entries.swap(2, 3);
            entry(d, 3).seq = 3;
            entry(d, 4).seq = 4;
        },
        Check::HashChain,
        Some(3),
    ),
    (
        "the last two swapped",
        |d| {
            d.entries.swap(8, 9);
            entry(d, 9).seq = 9;
            entry(d, 10).seq = 10;
        },
        Check::HashChain,
        Some(9),
    ),
    (
        "an entry twice",
        |d| {
            let twice = entry(d, 4).clone();
            d.entries.insert(4, twice);
        },
        Check::SeqRepeated,
        Some(4),
    ),
    (
        "a forged entry beside an honest one",
        |d| {
            let mut forged = entry(d, 4).clone();
            store_secret(&mut forged, 9_000);
            d.entries.insert(3, forged);
        },
        Check::SeqRepeated,
        Some(4),
    ),
    (
        "an entry under a seq far away",
        |d| {
            let mut moved = d.entries.remove(3);
            moved.seq = 40;
            d.entries.push(moved);
        },
        Check::SeqGap,
        Some(4),
    ),
    (
        "the last entry under another seq",
        |d| entry(d, 10).seq = 12,
        Check::SeqGap,
        Some(10),
    ),
    (
        "a well-forged entry appended",
        append_forged,
        Check::Head,
        Some(11),
    ),
    (
        "a badly forged entry appended",
        |d| {
            append_forged(d);
            entry(d, 11).actor = make::party("eva");
        },
        Check::HashChain,
        Some(11),
    ),
    (
        "a forged entry inserted, the later ones renumbered",
        |d| {
            let mut forged = entry(d, 3).clone();
            forged.request_id = make::request(99);
            d.entries.insert(3, forged);
            for (at, entry) in d.entries.iter_mut().enumerate() {
                entry.seq = i64::try_from(at).unwrap() + 1;
            }
        },
        Check::HashChain,
        Some(4),
    ),
    (
        "the last entry written anew, hash and all",
        |d| {
            let before = entry(d, 9).clone();
            let last = entry(d, 10);
            store_secret(last, 17_000);
            rehash(last, &before);
        },
        Check::Head,
        Some(10),
    ),
    (
        "a middle entry written anew, hash and all",
        |d| {
            let before = entry(d, 2).clone();
            let middle = entry(d, 3);
            middle.request_id = make::request(99);
            rehash(middle, &before);
        },
        Check::HashChain,
        Some(4),
    ),
    (
        "a value that cannot be",
        |d| {
            d.entries.remove(3);
            d.damage.push(Damage::entry(7731, 4, "secret", "50.0.0"));
        },
        Check::Unreadable,
        Some(4),
    ),
    (
        "a last value that cannot be",
        |d| {
            d.entries.pop();
            d.damage.push(Damage::entry(7731, 10, "price", "0"));
        },
        Check::Unreadable,
        Some(10),
    ),
];

const ROWS: &[Case] = &[
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
    let patched = self::dossier(&lot);
    dossier.row = patched.row;
    dossier.entries = patched.entries;
}

#[test]
fn each_changed_entry_is_one_finding() {
    for (name, spoil, check, seq) in ENTRIES {
        let mut dossier = closed();
        spoil(&mut dossier);
        assert_one(name, &dossier, &later(), (*check, *seq));
    }
}

#[test]
fn each_changed_row_or_event_is_one_finding() {
    for (name, spoil, check, seq) in ROWS {
        let mut dossier = closed();
        spoil(&mut dossier);
        assert_one(name, &dossier, &later(), (*check, *seq));
    }
    let mut dossier = closed();
    cut_and_patched(&mut dossier);
    assert_one(
        "cut and patched",
        &dossier,
        &later(),
        (Check::EventContent, None),
    );
}

#[test]
fn an_entry_written_past_the_rules_is_one_finding() {
    let now = moment(make::at(START + 3 * MINUTE));
    type Forgery = (&'static str, fn(&mut Entry), Check);
    let forgeries: &[Forgery] = &[
        ("nothing", |_| (), Check::Price),
        (
            "by the seller",
            |e| e.actor = make::party("seller"),
            Check::NotAcceptable,
        ),
        ("too low", |e| store_secret(e, 1_010), Check::NotAcceptable),
        (
            "another price",
            |e| e.price = Some(make::usd("20")),
            Check::Price,
        ),
        (
            "another leader",
            |e| e.leader = Some(make::party("ben")),
            Check::Leader,
        ),
        ("another end", |e| e.end = make::at(END + 1), Check::End),
        ("a flag", |e| e.extended = true, Check::Flags),
        ("a detail", |e| e.detail = "{}".to_owned(), Check::Detail),
        (
            "before the last",
            |e| e.at = make::at(START),
            Check::TimeBackwards,
        ),
        (
            "after the end",
            |e| e.at = make::at(END),
            Check::TimeAfterEnd,
        ),
        (
            "the first request again",
            |e| e.request_id = make::request(1),
            Check::RequestIdRepeated,
        ),
    ];
    for (at, (name, spoil, check)) in forgeries.iter().enumerate() {
        let dossier = forged(spoil);
        if at == 0 {
            assert_eq!(audit(&dossier, &now), [], "{name}");
        } else {
            assert_one(name, &dossier, &now, (*check, Some(3)));
        }
    }
    let create = dossier(&Lot::open(make::terms())).entries.remove(0);
    let twice = forged(|entry| {
        let request_id = entry.request_id;
        *entry = create.clone();
        (entry.seq, entry.request_id) = (3, request_id);
        entry.at = make::at(START + 2 * MINUTE);
    });
    assert_one(
        "created twice",
        &twice,
        &now,
        (Check::NotAcceptable, Some(3)),
    );
}

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
            "twice told",
            |d| d.events.extend_from_within(..),
            Check::EventDuplicate,
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
    for (name, spoil, check, seq) in spoils {
        let mut dossier = cancelled();
        spoil(&mut dossier);
        assert_one(name, &dossier, &later(), (*check, *seq));
    }
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

#[test]
fn every_check_of_an_auction_is_provoked() {
    let mut provoked: BTreeSet<Check> = ENTRIES.iter().chain(ROWS).map(|case| case.2).collect();
    // Elsewhere in this file, in `folder_faults`, and in `clean` (the second computation).
    provoked.extend([
        Check::NotAcceptable,
        Check::DueNotClosed,
        Check::StuckInClosing,
        Check::ManifestRows,
        Check::ManifestSha256,
        Check::CrossCheck,
    ]);
    let all: BTreeSet<Check> = Check::ALL.into_iter().collect();
    assert_eq!(provoked, all);
    let names: BTreeSet<_> = all.iter().map(|check| check.name()).collect();
    assert_eq!(names.len(), all.len());
    for check in all {
        assert_eq!(Check::from_name(check.name()), Some(check));
    }
}
