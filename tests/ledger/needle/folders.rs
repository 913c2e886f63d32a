//! Each change in an exported folder of either form, its manifest left as it was or written anew:
//! alone, and all of them among ten thousand auctions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use gavel::ledger::bundle::{BundleOptions, BundleWriter, Form};
use gavel::store::{Dossier, Scope};
use tempfile::TempDir;

use super::cases::{Case, Place, cases};
use super::haystack::{haystack, now, of, with_actions};
use crate::ledger::bundle::{options, places, replay};
use crate::support::backend::{Backend, Sqlite};
use crate::support::drive::dossiers;
use crate::support::superuser::{restore, tamper};

/// So many honest auctions stand before and after.
const NEIGHBOURS: i64 = 2;

/// The auctions as a superuser leaves them, by id.
async fn changed(cases: &[Case]) -> BTreeMap<i64, Dossier> {
    let backend = Arc::new(Sqlite::fresh().await);
    let needles = cases.iter().flat_map(|case| case.needles.keys());
    let honest = [1].iter().chain(needles).map(|number| of(*number).clone());
    restore(&*backend, honest.collect()).await;
    for case in cases {
        tamper(&*backend, &case.sql).await;
    }
    let all = dossiers(&*backend, &Scope::All).await.unwrap();
    all.into_iter().map(|one| (one.auction_id, one)).collect()
}

/// An export has a row for every auction, and no value that cannot be: such folders are what
/// `folder_faults` makes by hand.
fn is_exported(dossier: &Dossier) -> bool {
    dossier.row.is_some() && dossier.damage.is_empty()
}

fn are_exported(case: &Case, changed: &BTreeMap<i64, Dossier>) -> bool {
    let mut needles = case.needles.keys();
    needles.all(|number| changed.get(number).is_some_and(is_exported))
}

fn write<'d>(folder: &Path, form: Form, dossiers: impl Iterator<Item = &'d Dossier>) {
    let options = BundleOptions {
        form,
        overwrite: true,
        exported_at: now(),
        ..options(false)
    };
    let mut writer = BundleWriter::create(folder, options).unwrap();
    for dossier in dossiers {
        writer.append(dossier).unwrap();
    }
    writer.finish().unwrap();
}

/// What is found where the manifest fits, and where it is that of the honest folder.
async fn found(folder: &Path, form: Form, honest: &[&Dossier], spoiled: &[&Dossier]) -> Vec<Place> {
    let manifest = folder.join("manifest.json");
    write(folder, form, honest.iter().copied());
    let before = fs::read(&manifest).unwrap();
    write(folder, form, spoiled.iter().copied());
    let fitted = replay(folder).await;
    assert_eq!(fitted.files_differ, []);
    fs::write(&manifest, before).unwrap();
    let report = replay(folder).await;
    assert_eq!(report.listed, fitted.listed);
    assert!(!report.files_differ.is_empty());
    // The next folder may be written in its place.
    fs::remove_dir_all(folder).unwrap();
    places(&fitted.listed)
}

async fn each_change_is_named_alone(form: Form) {
    let cases = cases();
    let changed = changed(&cases).await;
    let work = TempDir::new().unwrap();
    let folder = work.path().join("folder");
    let mut wrong = Vec::new();
    let mut tried = 0;
    for case in cases.iter().filter(|case| are_exported(case, &changed)) {
        tried += 1;
        let near = case.needles.keys().flat_map(|number| {
            let first = (number - NEIGHBOURS).max(1);
            first..=number + NEIGHBOURS
        });
        let honest: Vec<&Dossier> = near.map(of).collect();
        let spoil = |one: &&'static Dossier| match case.needles.get(&one.auction_id) {
            Some(_) => &changed[&one.auction_id],
            None => *one,
        };
        let spoiled: Vec<&Dossier> = honest.iter().map(spoil).collect();
        let found = found(&folder, form, &honest, &spoiled).await;
        if found != case.found {
            wrong.push(format!("{}: {found:?}", case.name));
        }
    }
    assert!(tried + 6 >= cases.len(), "{tried} of {}", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn each_change_in_text_is_named_alone() {
    each_change_is_named_alone(Form::Csv).await;
}

#[tokio::test]
async fn each_change_in_parquet_is_named_alone() {
    each_change_is_named_alone(Form::Parquet).await;
}

#[tokio::test]
async fn all_changes_among_ten_thousand_are_named_and_nothing_else() {
    let cases = cases();
    let changed = changed(&cases).await;
    let cases = cases.iter().filter(|case| are_exported(case, &changed));
    let mut expected: Vec<Place> = cases.flat_map(|case| case.found.clone()).collect();
    expected.sort();
    let honest: Vec<&Dossier> = haystack().iter().collect();
    let spoil = |one: &&'static Dossier| match changed.get(&one.auction_id) {
        Some(spoiled) if is_exported(spoiled) => spoiled,
        _ => *one,
    };
    let spoiled: Vec<&Dossier> = honest.iter().map(spoil).collect();
    let work = TempDir::new().unwrap();
    for form in [Form::Csv, Form::Parquet] {
        let folder = work.path().join(format!("{form:?}"));
        write(&folder, form, honest.iter().copied());
        let clean = replay(&folder).await;
        assert_eq!(places(&clean.listed), []);
        assert_eq!(clean.looked_twice, with_actions());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found(&folder, form, &honest, &spoiled).await, expected);
    }
}
