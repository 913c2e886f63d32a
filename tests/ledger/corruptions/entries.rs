//! Changed, moved, deleted and inserted ledger entries of a closed auction.

use gavel::auction::operator::VoidDetail;
use gavel::auction::{Kind, VoidScope};
use gavel::ledger::Check;
use gavel::store::{Damage, Dossier};

use super::{Case, assert_each, entry, store_secret};
use crate::ledger::story::{closed, rehash, running};
use crate::support::make::{self, END, MINUTE, START};

fn append_forged(dossier: &mut Dossier) {
    let mut lot = running();
    lot.accept("eve", "500");
    dossier.entries.push(lot.kept().ledger[10].clone());
}

pub(super) const ENTRIES: &[Case] = &[
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

#[test]
fn each_changed_entry_is_one_finding() {
    assert_each(closed, ENTRIES);
}
