//! A folder carries auctions without loss, in any form a spreadsheet leaves it in.

use std::fs;
use std::path::Path;

use gavel::auction::AuctionId;
use gavel::ledger::bundle::{BundleOptions, BundleWriter, Form, Manifest};
use gavel::ledger::{AuditError, Check, Finding, ReplayOptions, ReplayReport, replay_folder};
use gavel::store::{Damage, Dossier, Scope};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use uuid::Uuid;

use super::story::{cancelled, closed, dossier, later};
use crate::support::lot::Lot;
use crate::support::make;

pub(crate) fn options(public: bool) -> BundleOptions {
    BundleOptions {
        public,
        form: Form::Csv,
        overwrite: false,
        installation: Uuid::from_u128(7),
        exported_at: later().now,
    }
}

/// Three auctions: closed, cancelled, and one in yen with flat steps and a quoted title.
pub(crate) fn dossiers() -> Vec<Dossier> {
    let mut terms = make::terms();
    terms.currency = make::currency("JPY");
    terms.steps = gavel::auction::StepTable::flat(make::amount(50));
    terms.title = "Jar, \"blue\" – größer".to_owned();
    let mut lot = Lot::open(terms);
    lot.accept("ann", "1050");
    lot.accept("ben", "1200");
    lot.set_clock(make::END);
    lot.close();
    let mut made = vec![
        closed(),
        renumbered(&cancelled(), 7732),
        renumbered(&dossier(&lot), 7733),
    ];
    made[1].watchers = vec![make::party("a"), make::party("b")];
    made
}

/// The same auction under another id, hashes and all.
pub(crate) fn renumbered(of: &Dossier, number: i64) -> Dossier {
    let mut dossier = of.clone();
    dossier.auction_id = number;
    let mut prev = [0; 32];
    for entry in &mut dossier.entries {
        entry.auction_id = make::id(number);
        entry.hash = entry.hash_after(&prev);
        prev = entry.hash;
    }
    let row = dossier.row.as_mut().unwrap();
    row.auction_id = make::id(number);
    row.head = prev;
    for event in &mut dossier.events {
        event.event_id = event.kind.event_id(make::id(number));
        event.ledger_head = prev;
    }
    dossier
}

pub(crate) fn write(folder: &Path, public: bool) -> Manifest {
    let mut writer = BundleWriter::create(folder, options(public)).unwrap();
    for dossier in dossiers() {
        writer.append(&dossier).unwrap();
    }
    writer.finish().unwrap()
}

pub(crate) async fn replay(folder: &Path) -> ReplayReport {
    let all = Scope::All;
    replay_folder(folder, &all, &ReplayOptions::default(), |_| ())
        .await
        .unwrap()
}

/// Makes the manifest fit a file that was changed on purpose.
pub(crate) fn refit(folder: &Path, name: &str) {
    let bytes = fs::read(folder.join(name)).unwrap();
    let mut manifest = Manifest::read(folder).unwrap();
    let entry = manifest.files.iter_mut().find(|entry| entry.name == name);
    let entry = entry.unwrap();
    entry.sha256 = hex::encode(Sha256::digest(&bytes));
    let text = String::from_utf8_lossy(&bytes);
    entry.rows = u64::try_from(text.lines().filter(|line| !line.is_empty()).count() - 1).unwrap();
    let text = serde_json::to_string_pretty(&manifest).unwrap();
    fs::write(folder.join("manifest.json"), text).unwrap();
}

pub(crate) fn edit(folder: &Path, name: &str, change: impl FnOnce(String) -> String) {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "the edit changes nothing");
    fs::write(path, changed).unwrap();
}

pub(crate) fn places(findings: &[Finding]) -> Vec<(Option<i64>, Option<i64>, Check)> {
    findings
        .iter()
        .map(|finding| (finding.auction_id, finding.seq, finding.check))
        .collect()
}

#[tokio::test]
async fn a_folder_replays_clean() {
    let folder = TempDir::new().unwrap();
    let manifest = write(folder.path(), false);
    assert_eq!(manifest, Manifest::read(folder.path()).unwrap());
    let report = replay(folder.path()).await;
    assert_eq!(report.listed, []);
    assert!(report.is_clean() && report.secrets_visible);
    assert_eq!((report.auctions, report.entries), (3, 24));
    assert_eq!(report.not_possible, []);
    let made = Check::ALL.iter().filter(|check| !check.is_of_kept());
    assert_eq!(report.checks.len(), made.count());
}

#[tokio::test]
async fn some_auctions_of_a_folder_can_be_asked_for() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    let ids = [7733, 99].map(|id| AuctionId::new(id).unwrap());
    let scope = Scope::Ids(ids.to_vec());
    let report = replay_folder(folder.path(), &scope, &ReplayOptions::default(), |_| ())
        .await
        .unwrap();
    assert_eq!((report.auctions, report.findings), (1, 0));
    assert_eq!(report.not_found, [99]);
}

#[test]
fn the_same_auctions_give_the_same_bytes() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(one.path(), false);
    write(two.path(), false);
    for name in [
        "auctions.csv",
        "ledger.csv",
        "outbox.csv",
        "watchers.csv",
        "manifest.json",
    ] {
        let read = |folder: &TempDir| fs::read(folder.path().join(name)).unwrap();
        assert_eq!(read(&one), read(&two), "{name}");
    }
    let names = fs::read_dir(one.path()).unwrap().count();
    assert_eq!(names, 5, "no temporary file is left");
}

#[tokio::test]
async fn a_public_folder_verifies_and_has_no_maxima() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), true);
    let report = replay(folder.path()).await;
    assert_eq!(report.listed, []);
    assert!(!report.secrets_visible);
    assert_eq!(report.not_possible, [Check::Commitment, Check::CrossCheck]);
    assert!(!folder.path().join("watchers.csv").exists());
    let mut text = String::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        text.push_str(&fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    for maximum in ["180.00", "150.00", "200.00", "120.00", "1200,"] {
        assert!(!text.contains(maximum), "{maximum} is told");
    }
    assert!(!text.contains("secret") && !text.contains("nonce") && !text.contains("watcher"));

    // A price that was raised is seen all the same.
    edit(folder.path(), "ledger.csv", |text| {
        text.replacen(",31.00,", ",32.00,", 1)
    });
    refit(folder.path(), "ledger.csv");
    let found = replay(folder.path()).await.listed;
    assert_eq!(places(&found), [(Some(7731), Some(3), Check::HashChain)]);
}

#[tokio::test]
async fn spreadsheets_may_save_it_their_way() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    edit(folder.path(), "ledger.csv", |text| {
        format!("\u{feff}{}\r\n\r\n", text.replace('\n', "\r\n"))
    });
    edit(folder.path(), "watchers.csv", |text| {
        let turned = text.lines().map(|line| {
            let (id, watcher) = line.split_once(',').unwrap();
            format!("{watcher},{id}\n")
        });
        turned.collect()
    });
    // Other bytes are other files, and that is all that is found.
    let found = replay(folder.path()).await.listed;
    let want = (None, None, Check::ManifestSha256);
    assert_eq!(places(&found), [want, want]);
    refit(folder.path(), "ledger.csv");
    refit(folder.path(), "watchers.csv");
    assert_eq!(replay(folder.path()).await.listed, []);
}

#[tokio::test]
async fn shuffled_rows_give_the_same_result() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    for name in ["ledger.csv", "auctions.csv", "watchers.csv", "outbox.csv"] {
        edit(folder.path(), name, |text| {
            let mut lines: Vec<_> = text.lines().collect();
            lines[1..].reverse();
            lines.join("\n")
        });
        refit(folder.path(), name);
    }
    let report = replay(folder.path()).await;
    assert_eq!(report.listed, []);
    assert_eq!((report.auctions, report.entries), (3, 24));
}

#[test]
fn a_folder_is_not_overwritten_unasked() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    let refused = BundleWriter::create(folder.path(), options(false)).err();
    assert!(
        matches!(refused, Some(AuditError::Exists(_))),
        "{refused:?}"
    );

    let mut again = options(true);
    again.overwrite = true;
    let mut writer = BundleWriter::create(folder.path(), again).unwrap();
    writer.append(&closed()).unwrap();
    writer.finish().unwrap();
    let manifest = Manifest::read(folder.path()).unwrap();
    assert!(manifest.public);
    assert!(
        !folder.path().join("watchers.csv").exists(),
        "no stale maxima or watchers"
    );
}

#[test]
fn what_is_of_no_export_is_never_replaced() {
    let refused = |folder: &Path, overwrite: bool| {
        let options = BundleOptions {
            overwrite,
            ..options(false)
        };
        match BundleWriter::create(folder, options).err() {
            Some(AuditError::NotOfAnExport(path)) => path,
            other => panic!("{other:?}"),
        }
    };
    for name in ["ledger.csv", "watchers.csv", "manifest.json"] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, "mine").unwrap();
        for overwrite in [false, true] {
            assert_eq!(refused(folder.path(), overwrite), path);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
    // A public export has no watchers.csv, so this one is not of it.
    let folder = TempDir::new().unwrap();
    write(folder.path(), true);
    let watchers = folder.path().join("watchers.csv");
    fs::write(&watchers, "mine").unwrap();
    assert_eq!(refused(folder.path(), true), watchers);

    // Nor is a file that comes while the export runs.
    let folder = TempDir::new().unwrap();
    let writer = BundleWriter::create(folder.path(), options(false)).unwrap();
    let ledger = folder.path().join("ledger.csv");
    fs::write(&ledger, "mine").unwrap();
    let late = writer.finish().err();
    assert!(
        matches!(&late, Some(AuditError::NotOfAnExport(path)) if *path == ledger),
        "{late:?}"
    );
    assert_eq!(fs::read_to_string(&ledger).unwrap(), "mine");
}

#[test]
fn what_a_killed_export_left_is_removed_by_the_next() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in [".gavel-export-aB3dE9", ".gavel-export-notes", ".gavel"] {
        fs::write(at(name), "maxima").unwrap();
    }
    // Another export that runs at the same time keeps its files.
    let running = BundleWriter::create(folder.path(), options(true)).unwrap();
    write(folder.path(), false);
    assert!(!at(".gavel-export-aB3dE9").exists());
    assert!(at(".gavel-export-notes").exists() && at(".gavel").exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5 + 2 + 3);
    drop(running);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5 + 2);
}

#[cfg(unix)]
#[test]
fn what_holds_maxima_is_for_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let modes = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let modes = entries.map(|entry| entry.unwrap().metadata().unwrap().permissions().mode());
        modes.map(|mode| mode & 0o777).collect::<Vec<_>>()
    };
    let writer = BundleWriter::create(folder.path(), options(false)).unwrap();
    assert_eq!(modes(), [0o600; 4]);
    writer.finish().unwrap();
    assert_eq!(modes(), [0o600; 5]);
}

#[test]
fn an_abandoned_writer_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let mut writer = BundleWriter::create(folder.path(), options(false)).unwrap();
    writer.append(&closed()).unwrap();
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_writer_refuses_what_it_cannot_carry() {
    let folder = TempDir::new().unwrap();
    let mut writer = BundleWriter::create(folder.path(), options(false)).unwrap();
    let refused = |result: Result<(), AuditError>| match result {
        Err(AuditError::Damaged(damage)) => damage.column,
        other => panic!("{other:?}"),
    };
    writer.append(&closed()).unwrap();
    assert_eq!(refused(writer.append(&closed())), "auction_id");
    let mut damaged = renumbered(&closed(), 7740);
    damaged.damage.push(Damage::entry(7740, 3, "price", "0"));
    assert_eq!(refused(writer.append(&damaged)), "price");
    let mut rowless = renumbered(&closed(), 7741);
    rowless.row = None;
    assert_eq!(refused(writer.append(&rowless)), "auction_id");
    let hidden = super::story::hide(renumbered(&closed(), 7742));
    assert_eq!(refused(writer.append(&hidden)), "secret");
}

/// Programs of others read these files: a change of a column or a form is a new format.
#[tokio::test]
async fn the_format_is_kept() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audit/folder");
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    for name in ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(&kept), read(folder.path()), "{name}");
    }
    assert_eq!(replay(&kept).await.listed, []);
}
