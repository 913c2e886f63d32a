//! The changes, each on an auction of its own, with what must be found of it.
//!
//! `:a` stands for the auction; statements are those that both databases understand.

use std::collections::BTreeMap;

use gavel::ledger::Check;

use super::haystack::Needle;

/// Auction, seq, check.
pub(super) type Place = (Option<i64>, Option<i64>, Check);

/// One change of one auction, or of two that trade something.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) sql: String,
    pub(super) found: Vec<Place>,
    /// What is changed, and what stands there before.
    pub(super) needles: BTreeMap<i64, Needle>,
}

impl Case {
    fn of(auction: i64, needle: Needle, (name, sql, check, seq): Change) -> Self {
        Self {
            name: format!("{name} ({needle:?})"),
            sql: sql.replace(":a", &auction.to_string()),
            found: vec![(Some(auction), seq, check)],
            needles: BTreeMap::from([(auction, needle)]),
        }
    }
}

type Change = (&'static str, &'static str, Check, Option<i64>);

/// The same on either auction of ten entries that was sold.
const SOLD: &[Change] = &[
    (
        "a losing maximum",
        "update ledger set secret = secret + 1 where auction_id = :a and seq = 3",
        Check::HashChain,
        Some(3),
    ),
    (
        "a maximum that sets the price",
        "update ledger set secret = secret - 700 where auction_id = :a and seq = 4",
        Check::HashChain,
        Some(4),
    ),
    (
        "the winning maximum",
        "update ledger set secret = secret + 1 where auction_id = :a and seq = 10",
        Check::HashChain,
        Some(10),
    ),
    (
        "a nonce",
        "update ledger set nonce = (select nonce from ledger where auction_id = :a and seq = 2)
         where auction_id = :a and seq = 4",
        Check::HashChain,
        Some(4),
    ),
    (
        "a secret removed",
        "update ledger set secret = null, nonce = null where auction_id = :a and seq = 4",
        Check::Commitment,
        Some(4),
    ),
    (
        "a bidder",
        "update ledger set actor = 'eve' where auction_id = :a and seq = 3",
        Check::HashChain,
        Some(3),
    ),
    (
        "the operator",
        "update ledger set actor = 'eve' where auction_id = :a and seq = 1",
        Check::HashChain,
        Some(1),
    ),
    (
        "a bidder and the leader",
        "update ledger set actor = 'eve', leader = 'eve' where auction_id = :a and seq = 5",
        Check::HashChain,
        Some(5),
    ),
    (
        "a time",
        "update ledger set at_us = at_us + 1 where auction_id = :a and seq = 3",
        Check::HashChain,
        Some(3),
    ),
    (
        "a time before the last",
        "update ledger set at_us = at_us - 120000000 where auction_id = :a and seq = 5",
        Check::TimeBackwards,
        Some(5),
    ),
    (
        "a request id",
        "update ledger set request_id =
             (select request_id from ledger where auction_id = 1 and seq = 1)
         where auction_id = :a and seq = 5",
        Check::HashChain,
        Some(5),
    ),
    (
        "a price",
        "update ledger set price = price + 1 where auction_id = :a and seq = 3",
        Check::Price,
        Some(3),
    ),
    (
        "a leader",
        "update ledger set leader = 'ben' where auction_id = :a and seq = 3",
        Check::Leader,
        Some(3),
    ),
    (
        "an end",
        "update ledger set end_us = end_us + 1 where auction_id = :a and seq = 3",
        Check::End,
        Some(3),
    ),
    (
        "the reserve met",
        "update ledger set flags = flags + 1 where auction_id = :a and seq = 3",
        Check::Flags,
        Some(3),
    ),
    (
        "an end moved",
        "update ledger set flags = flags + 2 where auction_id = :a and seq = 3",
        Check::Flags,
        Some(3),
    ),
    (
        "the terms of the create entry",
        "update ledger set detail = replace(detail, 'A lot', 'A pot')
         where auction_id = :a and seq = 1",
        Check::HashChain,
        Some(1),
    ),
    (
        "the reserve of the create entry",
        "update ledger set secret = secret - 1 where auction_id = :a and seq = 1",
        Check::HashChain,
        Some(1),
    ),
    (
        "a detail of a bid",
        "update ledger set detail = '{}' where auction_id = :a and seq = 3",
        Check::Detail,
        Some(3),
    ),
    (
        "a hash",
        "update ledger set hash = (select hash from ledger where auction_id = :a and seq = 2)
         where auction_id = :a and seq = 5",
        Check::HashChain,
        Some(5),
    ),
    (
        "the last hash",
        "update ledger set hash = (select hash from ledger where auction_id = :a and seq = 2)
         where auction_id = :a and seq = 10",
        Check::HashChain,
        Some(10),
    ),
    (
        "an entry deleted",
        "delete from ledger where auction_id = :a and seq = 4",
        Check::SeqGap,
        Some(4),
    ),
    (
        "an entry deleted and the last one moved up",
        "delete from ledger where auction_id = :a and seq = 9;
         update ledger set seq = 9 where auction_id = :a and seq = 10",
        Check::HashChain,
        Some(9),
    ),
    (
        "an entry in the middle deleted and the others moved up",
        "delete from ledger where auction_id = :a and seq = 4;
         update ledger set seq = seq + 1000 where auction_id = :a and seq > 4;
         update ledger set seq = seq - 1001 where auction_id = :a and seq > 1000",
        Check::HashChain,
        Some(4),
    ),
    (
        "an entry put in the middle and the others moved down",
        "update ledger set seq = seq + 1001 where auction_id = :a and seq > 4;
         update ledger set seq = seq - 1000 where auction_id = :a and seq > 1000;
         insert into ledger (auction_id, seq, kind, flags, at_us, request_id, secret, price, end_us,
                             actor, nonce, detail, leader, hash)
         select l.auction_id, 5, l.kind, l.flags, l.at_us, o.request_id, l.secret, l.price,
                l.end_us, l.actor, l.nonce, l.detail, l.leader, l.hash
         from ledger l, ledger o
         where l.auction_id = :a and l.seq = 4 and o.auction_id = 1 and o.seq = 1",
        Check::HashChain,
        Some(5),
    ),
    (
        "the create entry deleted",
        "delete from ledger where auction_id = :a and seq = 1",
        Check::SeqGap,
        Some(1),
    ),
    (
        "the create entry deleted and the others moved up",
        "delete from ledger where auction_id = :a and seq = 1;
         update ledger set seq = seq + 1000 where auction_id = :a;
         update ledger set seq = seq - 1001 where auction_id = :a",
        Check::MissingCreate,
        Some(1),
    ),
    (
        "the last entry cut",
        "delete from ledger where auction_id = :a and seq = 10",
        Check::Head,
        Some(10),
    ),
    (
        "the tail cut",
        "delete from ledger where auction_id = :a and seq >= 6",
        Check::Head,
        Some(6),
    ),
    (
        "all entries deleted",
        "delete from ledger where auction_id = :a",
        Check::MissingCreate,
        None,
    ),
    (
        "an entry added",
        "insert into ledger (auction_id, seq, kind, flags, at_us, request_id, secret, price, end_us,
                             actor, nonce, detail, leader, hash)
         select l.auction_id, 11, l.kind, l.flags, l.at_us, o.request_id, l.secret, l.price,
                l.end_us, l.actor, l.nonce, l.detail, l.leader, l.hash
         from ledger l, ledger o
         where l.auction_id = :a and l.seq = 10 and o.auction_id = 1 and o.seq = 1",
        Check::HashChain,
        Some(11),
    ),
    (
        "two entries in each other's place",
        "update ledger set seq = 1000 where auction_id = :a and seq = 3;
         update ledger set seq = 3 where auction_id = :a and seq = 4;
         update ledger set seq = 4 where auction_id = :a and seq = 1000",
        Check::HashChain,
        Some(3),
    ),
    (
        "the title of the row",
        "update auctions set title = 'A pot' where auction_id = :a",
        Check::RowTerms,
        None,
    ),
    (
        "the start price of the row",
        "update auctions set start_price = start_price - 1 where auction_id = :a",
        Check::RowTerms,
        None,
    ),
    (
        "the reserve of the row",
        "update auctions set reserve = reserve + 1 where auction_id = :a",
        Check::RowTerms,
        None,
    ),
    (
        "no soft close on the row",
        "update auctions set soft_window_us = null, soft_extend_us = null, soft_mode = null,
                             soft_trigger = null
         where auction_id = :a",
        Check::RowTerms,
        None,
    ),
    (
        "the leader's maximum on the row",
        "update auctions set leader_max = leader_max + 1 where auction_id = :a",
        Check::RowState,
        None,
    ),
    (
        "the count of bids",
        "update auctions set bid_count = bid_count + 1 where auction_id = :a",
        Check::RowState,
        None,
    ),
    (
        "the price of the row",
        "update auctions set price = price + 1 where auction_id = :a",
        Check::RowState,
        None,
    ),
    (
        "the head of the row",
        "update auctions set head = (select hash from ledger where auction_id = :a and seq = 2)
         where auction_id = :a",
        Check::Head,
        Some(10),
    ),
    (
        "the winner",
        "update auctions set winner = 'eve' where auction_id = :a",
        Check::Winner,
        None,
    ),
    (
        "the final price",
        "update auctions set final_price = final_price - 1 where auction_id = :a",
        Check::FinalPrice,
        None,
    ),
    (
        "a status of unsold",
        "update auctions set status = 'CLOSED_RESERVE_NOT_MET' where auction_id = :a",
        Check::Status,
        None,
    ),
    (
        "opened again",
        "update auctions set status = 'OPEN' where auction_id = :a",
        Check::Status,
        None,
    ),
    (
        "closed before the end",
        "update auctions set closed_us = end_us - 1 where auction_id = :a",
        Check::RowState,
        None,
    ),
    (
        "closed later, in the row",
        "update auctions set closed_us = closed_us + 1 where auction_id = :a",
        Check::EventContent,
        None,
    ),
    (
        "a seller that cannot be",
        "update auctions set seller = 'no one' where auction_id = :a",
        Check::Unreadable,
        None,
    ),
    (
        "a bidder that cannot be",
        "update ledger set actor = '' where auction_id = :a and seq = 3",
        Check::Unreadable,
        Some(3),
    ),
    (
        "the row deleted",
        "delete from auctions where auction_id = :a",
        Check::MissingRow,
        None,
    ),
    (
        "the event's winner",
        "update outbox set winner = 'eve' where auction_id = :a",
        Check::EventContent,
        None,
    ),
    (
        "the event's price",
        "update outbox set price = price - 1 where auction_id = :a",
        Check::EventContent,
        None,
    ),
    (
        "the event's head",
        "update outbox set ledger_head =
             (select hash from ledger where auction_id = :a and seq = 2)
         where auction_id = :a",
        Check::EventContent,
        None,
    ),
    (
        "the event's time",
        "update outbox set closed_us = closed_us + 1 where auction_id = :a",
        Check::EventContent,
        None,
    ),
    (
        "the event deleted",
        "delete from outbox where auction_id = :a",
        Check::EventMissing,
        None,
    ),
    (
        "the event twice",
        "insert into outbox (auction_id, event_id, kind, result, winner, price, end_us, closed_us,
                             ledger_head)
         select auction_id, 'again', kind, result, winner, price, end_us, closed_us, ledger_head
         from outbox where auction_id = :a",
        Check::EventDuplicate,
        None,
    ),
];

/// On auctions of other kinds.
const OTHERS: &[(Needle, Change)] = &[
    (
        Needle::Eventful,
        (
            "the reason of a void",
            "update ledger set detail = replace(detail, 'by phone', 'by post')
             where auction_id = :a and seq = 8",
            Check::HashChain,
            Some(8),
        ),
    ),
    (
        Needle::Eventful,
        (
            "the end of an amendment",
            "update ledger set end_us = end_us + 1 where auction_id = :a and seq = 6",
            Check::End,
            Some(6),
        ),
    ),
    (
        Needle::Cancelled,
        (
            "open again",
            "update auctions set status = 'OPEN' where auction_id = :a",
            Check::Status,
            None,
        ),
    ),
    (
        Needle::Cancelled,
        (
            "the cancellation cut",
            "delete from ledger where auction_id = :a and seq = 11",
            Check::Head,
            Some(11),
        ),
    ),
    (
        Needle::Cancelled,
        (
            "an event of a closing",
            "update outbox set kind = 'auction.closed' where auction_id = :a",
            Check::EventContent,
            None,
        ),
    ),
    (
        Needle::Open,
        (
            "a time after the end",
            "update ledger set at_us = end_us where auction_id = :a and seq = 5",
            Check::TimeAfterEnd,
            Some(5),
        ),
    ),
    (
        Needle::Open,
        (
            "closed early",
            "update auctions set status = 'CLOSED' where auction_id = :a",
            Check::Status,
            None,
        ),
    ),
    (
        Needle::Open,
        (
            "an end in force that has passed",
            "update auctions set end_us = last_us + 1 where auction_id = :a",
            Check::RowState,
            None,
        ),
    ),
    (
        Needle::Open,
        (
            "a winner before the end",
            "update auctions set winner = leader where auction_id = :a",
            Check::Winner,
            None,
        ),
    ),
    (
        Needle::NoBids,
        (
            "a winner from nowhere",
            "update auctions set winner = 'eve' where auction_id = :a",
            Check::Winner,
            None,
        ),
    ),
    (
        Needle::NoBids,
        (
            "an event of a sale",
            "update outbox set result = 'sold', winner = 'eve', price = 1000
             where auction_id = :a",
            Check::EventContent,
            None,
        ),
    ),
    (
        Needle::ReserveNotMet,
        (
            "the reserve lowered to what was bid",
            "update ledger set secret = 2000 where auction_id = :a and seq = 1",
            Check::HashChain,
            Some(1),
        ),
    ),
    (
        Needle::ReserveNotMet,
        (
            "sold after all",
            "update auctions set status = 'CLOSED' where auction_id = :a",
            Check::Status,
            None,
        ),
    ),
];

/// All, each to be found alone and all together.
pub(super) fn cases() -> Vec<Case> {
    let sold = [Needle::Eventful, Needle::Plain].map(|needle| {
        let changes = SOLD.iter();
        changes.map(move |change| (needle, *change))
    });
    let changes = sold.into_iter().flatten().chain(OTHERS.iter().copied());
    let mut places = (0..).map(place);
    let mut cases: Vec<Case> = places
        .by_ref()
        .zip(changes)
        .map(|(auction, (needle, change))| Case::of(auction, needle, change))
        .collect();
    let one = i64::try_from(cases.len()).unwrap();
    cases.push(trade(place(one), place(one + 1)));
    cases
}

/// Where in the haystack a needle lies: all over it, auction 1 aside.
fn place(number: i64) -> i64 {
    2 + number * 79
}

/// Two auctions trade an entry: each is wrong at its place.
fn trade(one: i64, two: i64) -> Case {
    let sql = format!(
        "update ledger set auction_id = 99999 where auction_id = {one} and seq = 3;
         update ledger set auction_id = {one} where auction_id = {two} and seq = 3;
         update ledger set auction_id = {two} where auction_id = 99999"
    );
    let found = [one, two].map(|auction| (Some(auction), Some(3), Check::HashChain));
    Case {
        name: "two auctions trade an entry".to_owned(),
        sql,
        found: found.to_vec(),
        needles: BTreeMap::from([(one, Needle::Eventful), (two, Needle::Plain)]),
    }
}
