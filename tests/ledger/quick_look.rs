//! The quick look of a replay passes nothing that the careful audit would name: random histories,
//! honest and changed in up to two places, over every way that auctions are read.

use std::collections::{BTreeMap, BTreeSet};

use gavel::auction::{CloseResult, Event, EventKind, Micros, OwnRaise, Status};
use gavel::ledger::bundle::{BundleOptions, BundleWriter, Form};
use gavel::ledger::{Finding, ReplayOptions, ReplayReport, audit, replay_folder, replay_store};
use gavel::store::{AuctionRow, Dossier, Scope};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use tempfile::TempDir;

use super::bundle::{options, renumbered};
use super::needle::haystack::{is_plain, now, played_out};
use super::story::later;
use super::tampered::{Tamper, apply, tamper};
use crate::support::backend::Backend;
use crate::support::commands::{Script, cases, scripts};
use crate::support::make;
use crate::support::postgres::Postgres;
use crate::support::superuser::restore;

/// What is changed.
#[derive(Debug, Clone, Copy)]
enum Change {
    Entry(Tamper, prop::sample::Index),
    Around(usize),
}

/// Changes of the row and of its events.
const AROUND: &[fn(&mut Dossier)] = &[
    |d| row(d).terms.title.push('!'),
    |d| row(d).terms.seller = make::party("eve"),
    |d| row(d).terms.reserve = Some(make::usd("77")),
    |d| row(d).terms.reserve = None,
    |d| row(d).terms.own_raise = OwnRaise::Reprice,
    |d| row(d).terms.soft_close = None,
    |d| row(d).terms.end = after(row(d).terms.end),
    |d| row(d).end = after(row(d).end),
    |d| row(d).leader = row(d).leader.clone().map(|_| make::party("eve")),
    |d| row(d).leader_max = row(d).leader_max.map(|_| make::usd("123456")),
    |d| row(d).runner_up_max = None,
    |d| row(d).runner_up_max = Some(make::usd("0.01")),
    |d| row(d).price = row(d).price.map(|_| make::usd("0.01")),
    |d| row(d).reserve_met ^= true,
    |d| row(d).bid_count += 1,
    |d| row(d).last_seq += 1,
    |d| row(d).last_at = after(row(d).last_at),
    |d| row(d).head[0] ^= 1,
    |d| row(d).closer_epoch = -1,
    |d| row(d).owner_epoch = -1,
    |d| row(d).status = Status::Open,
    |d| row(d).status = Status::Closing,
    |d| row(d).status = Status::Closed,
    |d| row(d).status = Status::ClosedReserveNotMet,
    |d| row(d).status = Status::Cancelled,
    |d| row(d).closing_at = Some(after(row(d).end)),
    |d| row(d).closing_at = Some(make::at(make::START)),
    |d| row(d).closed_at = None,
    |d| row(d).closed_at = row(d).closed_at.map(after),
    |d| row(d).closed_at = Some(make::at(make::START)),
    |d| row(d).winner = row(d).winner.clone().map(|_| make::party("eve")),
    |d| row(d).final_price = row(d).final_price.map(|_| make::usd("0.01")),
    |d| d.events.clear(),
    |d| {
        d.events.extend_from_within(..);
        d.events.truncate(2);
        if let [_, again] = &mut d.events[..] {
            again.event_id.push('x');
        }
    },
    |d| told(d, |event| event.event_id.push('x')),
    |d| told(d, |event| event.kind = EventKind::Cancelled),
    |d| told(d, |event| event.result = None),
    |d| told(d, |event| event.result = Some(CloseResult::NoBids)),
    |d| told(d, |event| event.winner = Some(make::party("eve"))),
    |d| told(d, |event| event.price = Some(make::usd("0.01"))),
    |d| told(d, |event| event.end = after(event.end)),
    |d| told(d, |event| event.closed_at = after(event.closed_at)),
    |d| told(d, |event| event.ledger_head[0] ^= 1),
];

fn row(dossier: &mut Dossier) -> &mut AuctionRow {
    dossier.row.as_mut().unwrap()
}

fn told(dossier: &mut Dossier, change: fn(&mut Event)) {
    dossier.events.iter_mut().for_each(change);
}

fn after(instant: Micros) -> Micros {
    make::at(instant.get() + 1)
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let entry = (tamper(), any::<prop::sample::Index>());
    let change = prop_oneof![
        entry.prop_map(|(tamper, at)| Change::Entry(tamper, at)),
        (0..AROUND.len()).prop_map(Change::Around),
    ];
    prop::collection::vec(change, 0..=2)
}

/// One auction, and what was done to it.
struct Changed {
    changes: Vec<Change>,
    dossier: Dossier,
}

fn changed(number: usize, script: Script, changes: Vec<Change>) -> Changed {
    let id = i64::try_from(number).unwrap() + 1;
    let mut dossier = renumbered(&played_out(number, script), id);
    for change in &changes {
        match change {
            Change::Entry(tamper, at) if !dossier.entries.is_empty() => {
                let at = at.index(dossier.entries.len());
                apply(*tamper, at, &mut dossier);
            }
            Change::Entry(..) => {}
            Change::Around(at) => AROUND[*at](&mut dossier),
        }
    }
    Changed { changes, dossier }
}

fn many() -> Vec<Changed> {
    let config = cases(2_000);
    let count = usize::try_from(config.cases).unwrap();
    let mut runner = TestRunner::new(config);
    let all = (scripts(), changes());
    let one = |number| {
        let (script, changes) = all.new_tree(&mut runner).unwrap().current();
        changed(number, script, changes)
    };
    (0..count).map(one).collect()
}

fn replay_options() -> ReplayOptions {
    ReplayOptions {
        findings_listed_max: usize::MAX,
        ..ReplayOptions::default()
    }
}

/// A replay says what the audit says of each, and looks twice at no plain one without need.
fn assert_same<'c>(all: impl Iterator<Item = &'c Changed>, report: &ReplayReport) {
    let mut told: BTreeMap<i64, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.listed {
        let id = finding.auction_id.unwrap();
        told.entry(id).or_default().push(finding);
    }
    let (mut looked_twice, mut found) = (0, 0);
    for Changed { changes, dossier } in all {
        let careful = audit(dossier, &later());
        let replayed = told.remove(&dossier.auction_id).unwrap_or_default();
        let careful: Vec<&Finding> = careful.iter().collect();
        assert_eq!(replayed, careful, "{changes:?}");
        looked_twice += u64::from(!careful.is_empty() || !is_plain(dossier));
        found += usize::from(!careful.is_empty());
    }
    assert_eq!(told, BTreeMap::new());
    assert!(found > 10, "{found} with findings");
    assert_eq!(report.looked_twice, looked_twice);
}

async fn a_folder_says_what_the_audit_says(form: Form) {
    let mut all = many();
    if form == Form::Csv {
        // No text of an epoch below 0 is read as one.
        let epochs = |row: &AuctionRow| row.closer_epoch.min(row.owner_epoch);
        all.retain(|one| one.dossier.row.as_ref().is_some_and(|row| epochs(row) >= 0));
    }
    let folder = TempDir::new().unwrap();
    let options = BundleOptions {
        form,
        exported_at: now(),
        ..options(false)
    };
    let mut writer = BundleWriter::create(folder.path(), options).unwrap();
    for changed in &all {
        writer.append(&changed.dossier).unwrap();
    }
    writer.finish().unwrap();
    let options = replay_options();
    let report = replay_folder(folder.path(), &Scope::All, &options, |_| ());
    assert_same(all.iter(), &report.await.unwrap());
}

async fn a_database_says_what_the_audit_says<B: Backend>() {
    let all: Vec<Changed> = many();
    let fitting = || all.iter().filter(|changed| fits(&changed.dossier));
    let backend = B::fresh().await;
    backend.set_clock(now()).await;
    let dossiers = fitting().map(|changed| changed.dossier.clone());
    restore(&backend, dossiers.collect()).await;
    let options = replay_options();
    let report = replay_store(backend.store(), &Scope::All, &options, |_| ());
    assert_same(fitting(), &report.await.unwrap());
}

/// The keys and the checks of the tables let it in.
fn fits(dossier: &Dossier) -> bool {
    let requests = dossier.entries.iter().map(|entry| entry.request_id);
    let row = dossier.row.as_ref().unwrap();
    requests.collect::<BTreeSet<_>>().len() == dossier.entries.len()
        && row.leader.is_some() == row.price.is_some()
        && row.winner.is_some() == row.final_price.is_some()
}

#[tokio::test]
async fn a_folder_of_text_says_what_the_audit_says() {
    a_folder_says_what_the_audit_says(Form::Csv).await;
}

#[tokio::test]
async fn a_folder_of_parquet_says_what_the_audit_says() {
    a_folder_says_what_the_audit_says(Form::Parquet).await;
}

#[tokio::test]
async fn sqlite_says_what_the_audit_says() {
    a_database_says_what_the_audit_says::<crate::support::backend::Sqlite>().await;
}

#[tokio::test]
async fn postgres_says_what_the_audit_says() {
    a_database_says_what_the_audit_says::<Postgres>().await;
}
