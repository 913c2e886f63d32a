//! Entries that the rules would not have made, written with a hash that fits.

use gavel::auction::Entry;
use gavel::auction::operator::VoidDetail;
use gavel::ledger::{Check, audit};
use gavel::store::Dossier;

use super::{entry, row, store_secret};
use crate::ledger::story::{assert_one, closed, dossier, forged, hide, later, moment};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, START};

type Forgery = (&'static str, fn(&mut Entry), Check);

/// Changes of a third entry whose hash is made to fit; the first is none.
pub(super) const FORGERIES: &[Forgery] = &[
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

#[test]
fn an_entry_written_past_the_rules_is_one_finding() {
    let now = moment(make::at(START + 3 * MINUTE));
    for (at, (name, spoil, check)) in FORGERIES.iter().enumerate() {
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

/// Which of the heads that stand outside the ledger are made to fit a rewritten one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fitted {
    All,
    Row,
    None,
}

/// Changes an entry and chains it and all later ones again.
fn rewritten(seq: usize, spoil: fn(&mut Entry), fitted: Fitted) -> Dossier {
    let mut dossier = closed();
    spoil(entry(&mut dossier, seq));
    let mut prev = [0; 32];
    for entry in &mut dossier.entries {
        entry.hash = entry.hash_after(&prev);
        prev = entry.hash;
    }
    if fitted != Fitted::None {
        row(&mut dossier).head = prev;
    }
    if fitted == Fitted::All {
        dossier.events[0].ledger_head = prev;
    }
    dossier
}

fn void(entry: &mut Entry, change: fn(&mut VoidDetail)) {
    let mut detail = VoidDetail::from_detail(&entry.detail).unwrap();
    change(&mut detail);
    entry.detail = detail.to_detail();
}

/// Whoever chains the whole ledger again gives one finding: where the rules first say otherwise.
#[test]
fn a_rewritten_history_is_one_finding() {
    type Rewriting = (&'static str, usize, fn(&mut Entry), Check, i64);
    let rewritings: &[Rewriting] = &[
        (
            "a void's targets",
            8,
            |e| void(e, |d| d.targets = vec![5]),
            Check::Detail,
            8,
        ),
        (
            "no targets",
            8,
            |e| void(e, |d| d.targets.clear()),
            Check::Detail,
            8,
        ),
        (
            "a void's bidder",
            8,
            |e| void(e, |d| d.bidder = make::party("ben")),
            Check::Detail,
            8,
        ),
        (
            "a void's bidder and targets",
            8,
            |e| {
                void(e, |d| {
                    d.bidder = make::party("ben");
                    d.targets = vec![3, 5];
                });
            },
            Check::Leader,
            8,
        ),
        (
            "a void of nobody",
            8,
            |e| void(e, |d| d.bidder = make::party("nobody")),
            Check::NotAcceptable,
            8,
        ),
        ("a void's text", 8, |e| e.detail.push(' '), Check::Detail, 8),
        ("no void's text", 8, |e| e.detail.clear(), Check::Detail, 8),
        ("a maximum", 2, |e| store_secret(e, 4_000), Check::Price, 4),
        (
            "the winning maximum",
            10,
            |e| store_secret(e, 19_000),
            Check::RowState,
            0,
        ),
        (
            "a bidder",
            4,
            |e| e.actor = make::party("seller"),
            Check::NotAcceptable,
            4,
        ),
        (
            "a price",
            4,
            |e| e.price = Some(make::usd("40")),
            Check::Price,
            4,
        ),
        (
            "a price and a leader",
            10,
            |e| {
                e.price = Some(make::usd("40"));
                e.leader = Some(make::party("eve"));
            },
            Check::Price,
            10,
        ),
        ("an end", 6, |e| e.end = make::at(END), Check::End, 6),
        (
            "the terms",
            1,
            |e| e.detail = e.detail.replace("A lot", "A Lot"),
            Check::NotAcceptable,
            6,
        ),
        (
            "the start price",
            1,
            |e| {
                e.detail = e
                    .detail
                    .replace("\"start_price\":1000", "\"start_price\":9999999");
            },
            Check::NotAcceptable,
            2,
        ),
    ];
    for (name, seq, spoil, check, at) in rewritings {
        for fitted in [Fitted::All, Fitted::Row, Fitted::None] {
            let dossier = rewritten(*seq, *spoil, fitted);
            let name = format!("{name}, heads fitted: {fitted:?}");
            let hidden = audit(&hide(dossier.clone()), &later());
            let one = hidden.len() <= 1 || fitted != Fitted::All;
            assert!(one, "{name}, maxima hidden: {hidden:#?}");
            let seq = (*at > 0).then_some(*at);
            // What breaks no rule is seen by whatever was not made to fit.
            if seq.is_some() || fitted == Fitted::All {
                assert_one(&name, &dossier, &later(), (*check, seq));
            } else {
                assert_ne!(audit(&dossier, &later()), [], "{name}");
            }
        }
    }
}
