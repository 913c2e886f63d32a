//! Whatever is changed in whatever history is found, and found once, at its place.

use std::cell::Cell;

use gavel::auction::{Entry, Kind, Secret};
use gavel::ledger::{Check, Finding, audit};
use gavel::store::Dossier;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::clean::play;
use super::story::{hide, moment};
use crate::support::commands::{cases, scripts};
use crate::support::make;

/// What is done to an entry, as a database holds it: commitments are computed from the secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tamper {
    Secret(i64),
    Nonce,
    Price(i64),
    NoPrice,
    Leader,
    NoLeader,
    End(i64),
    Met,
    Extended,
    Actor,
    Request,
    At(i64),
    Detail,
    Hash,
    Delete,
    MoveUp,
    Cut,
    Swap,
}

pub(super) fn tamper() -> impl Strategy<Value = Tamper> {
    let by = prop_oneof![
        Just(-1_i64),
        Just(1),
        Just(100),
        Just(-100),
        -5_000_i64..5_000
    ];
    prop_oneof![
        4 => by.clone().prop_map(Tamper::Secret),
        1 => Just(Tamper::Nonce),
        2 => by.clone().prop_map(Tamper::Price),
        1 => Just(Tamper::NoPrice),
        1 => Just(Tamper::Leader),
        1 => Just(Tamper::NoLeader),
        2 => by.clone().prop_map(Tamper::End),
        1 => Just(Tamper::Met),
        1 => Just(Tamper::Extended),
        2 => Just(Tamper::Actor),
        1 => Just(Tamper::Request),
        3 => by.prop_map(|by| Tamper::At(by * 20_000)),
        2 => Just(Tamper::Detail),
        1 => Just(Tamper::Hash),
        1 => Just(Tamper::Delete),
        1 => Just(Tamper::MoveUp),
        1 => Just(Tamper::Cut),
        1 => Just(Tamper::Swap),
    ]
}

/// Changes the dossier; false if the change would be none or makes no value.
pub(super) fn apply(tamper: Tamper, at: usize, dossier: &mut Dossier) -> bool {
    let before = dossier.clone();
    match tamper {
        Tamper::Delete | Tamper::MoveUp if at + 1 == dossier.entries.len() => return false,
        Tamper::Delete => drop(dossier.entries.remove(at)),
        Tamper::MoveUp => {
            dossier.entries.remove(at);
            let later = dossier.entries.iter_mut().skip(at);
            later.for_each(|entry| entry.seq -= 1);
        }
        Tamper::Cut => dossier.entries.truncate(at.max(1)),
        Tamper::Swap => {
            if at == 0 || at + 1 == dossier.entries.len() {
                return false;
            }
            dossier.entries.swap(at, at + 1);
            let [one, two] = &mut dossier.entries[at..at + 2] else {
                unreachable!()
            };
            std::mem::swap(&mut one.seq, &mut two.seq);
        }
        _ => {
            if change(tamper, &mut dossier.entries[at]).is_none() {
                return false;
            }
        }
    }
    *dossier != before
}

fn change(tamper: Tamper, entry: &mut Entry) -> Option<()> {
    match tamper {
        Tamper::Secret(by) => {
            let secret = entry.secret?;
            let amount = gavel::auction::Amount::new(secret.amount.minor() + by).ok()?;
            store(entry, Secret { amount, ..secret });
        }
        Tamper::Nonce => {
            let nonce = [9; 16];
            let secret = entry.secret?;
            store(entry, Secret { nonce, ..secret });
        }
        Tamper::Price(by) => {
            let minor = entry.price.map_or(0, gavel::auction::Amount::minor);
            entry.price = Some(gavel::auction::Amount::new(minor + by).ok()?);
        }
        Tamper::NoPrice => entry.price = None,
        Tamper::Leader => entry.leader = Some(make::party("eve")),
        Tamper::NoLeader => entry.leader = None,
        Tamper::End(by) => entry.end = make::at(entry.end.get() + by),
        Tamper::Met => entry.reserve_met = !entry.reserve_met,
        Tamper::Extended => entry.extended = !entry.extended,
        Tamper::Actor => entry.actor = make::party("eve"),
        Tamper::Request => entry.request_id = make::request(u128::MAX),
        Tamper::At(by) => entry.at = make::at(entry.at.get() + by),
        Tamper::Detail => match entry.kind {
            Kind::Bid => entry.detail.push('x'),
            Kind::Create => entry.detail = entry.detail.replace("A lot", "A pot"),
            Kind::Void | Kind::Amend | Kind::Cancel => {
                entry.detail = entry.detail.replace("by phone", "by post");
            }
        },
        Tamper::Hash => entry.hash[0] ^= 1,
        Tamper::Delete | Tamper::MoveUp | Tamper::Cut | Tamper::Swap => {}
    }
    Some(())
}

fn store(entry: &mut Entry, secret: Secret) {
    entry.secret = Some(secret);
    entry.commit = secret.commit();
}

/// Where the finding must be. A cut shows where the missing entries begin.
fn place(tamper: Tamper, at: usize, dossier: &Dossier) -> i64 {
    match tamper {
        Tamper::Cut => i64::try_from(dossier.entries.len()).unwrap() + 1,
        _ => i64::try_from(at).unwrap() + 1,
    }
}

#[test]
fn every_change_is_found_once_at_its_place() {
    let config = cases(6_000);
    let (tried, applied) = (config.cases, Cell::new(0));
    let input = (scripts(), any::<prop::sample::Index>(), tamper());
    TestRunner::new(config)
        .run(&input, |(script, index, tamper)| {
            let honest = play(&script);
            let at = index.index(honest.entries.len());
            let mut spoiled = honest.clone();
            if !apply(tamper, at, &mut spoiled) {
                return Ok(());
            }
            applied.set(applied.get() + 1);
            let place = place(tamper, at, &spoiled);
            assert_found(&spoiled, place, tamper);
            let hidden = hide(spoiled);
            assert_found(&hidden, place, tamper);
            Ok(())
        })
        .unwrap();
    assert!(applied.get() > tried / 2, "{} of {tried}", applied.get());
}

fn assert_found(dossier: &Dossier, place: i64, tamper: Tamper) {
    let findings: Vec<Finding> = audit(dossier, &moment(make::at(1)));
    let places: Vec<_> = findings.iter().map(|finding| finding.seq).collect();
    assert_eq!(places, [Some(place)], "{tamper:?}: {findings:#?}");
    assert!(
        findings
            .iter()
            .all(|finding| finding.check != Check::CrossCheck)
    );
}
