//! One corruption, one finding: of the right check, at the right place.

mod entries;
mod life;
mod past_the_rules;
mod rows;

use std::collections::BTreeSet;

use gavel::auction::{Entry, Secret};
use gavel::ledger::Check;
use gavel::store::{AuctionRow, Dossier};

use super::story::{assert_one, later};
use crate::support::make;

/// Name, what is done to the dossier, the check that must find it, the seq.
pub(crate) type Case = (&'static str, fn(&mut Dossier), Check, Option<i64>);

pub(crate) fn entry(dossier: &mut Dossier, seq: usize) -> &mut Entry {
    &mut dossier.entries[seq - 1]
}

pub(crate) fn row(dossier: &mut Dossier) -> &mut AuctionRow {
    dossier.row.as_mut().unwrap()
}

/// As a database gives it: the commitment is computed from what is stored.
pub(crate) fn store_secret(entry: &mut Entry, minor: i64) {
    let nonce = entry.secret.unwrap().nonce;
    let secret = Secret {
        amount: make::amount(minor),
        nonce,
    };
    entry.secret = Some(secret);
    entry.commit = secret.commit();
}

/// Each spoils a fresh dossier.
pub(crate) fn assert_each(fresh: impl Fn() -> Dossier, cases: &[Case]) {
    for (name, spoil, check, seq) in cases {
        let mut dossier = fresh();
        spoil(&mut dossier);
        assert_one(name, &dossier, &later(), (*check, *seq));
    }
}

#[test]
fn every_check_of_an_auction_is_provoked() {
    let mut provoked: BTreeSet<Check> = entries::ENTRIES
        .iter()
        .chain(rows::ROWS)
        .map(|case| case.2)
        .collect();
    provoked.extend(
        past_the_rules::FORGERIES[1..]
            .iter()
            .map(|forgery| forgery.2),
    );
    // In `life`, in `folder_faults`, and in `clean` (the second computation).
    provoked.extend([
        Check::DueNotClosed,
        Check::StuckInClosing,
        Check::ManifestRows,
        Check::ManifestSha256,
        Check::CrossCheck,
        // In `checkpoint::forged` and `checkpoint::program`.
        Check::Checkpoint,
        Check::KeptHead,
    ]);
    let all: BTreeSet<Check> = Check::ALL.into_iter().collect();
    assert_eq!(provoked, all);
    let names: BTreeSet<_> = all.iter().map(|check| check.name()).collect();
    assert_eq!(names.len(), all.len());
    for check in all {
        assert_eq!(Check::from_name(check.name()), Some(check));
    }
}
