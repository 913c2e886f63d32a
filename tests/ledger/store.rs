//! Replay, export and import against a real database.

use std::cell::Cell;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use gavel::auction::AuctionId;
use gavel::clock::Clock;
use gavel::ledger::bundle::{ExportOptions, ImportOptions, ImportPhase, Manifest, export, import};
use gavel::ledger::{AuditError, Check, ReplayOptions, ReplayReport, replay_store};
use gavel::store::{Contract, ImportReport, Scope, SqliteStore, StoreErrorKind, WriteMode};
use tempfile::TempDir;

use super::bundle::{dossiers, edit, places, refit, write};
use super::story::later;

async fn empty(folder: &TempDir, name: &str) -> SqliteStore {
    let clock = Clock::settable(later().now);
    let store = SqliteStore::open(&folder.path().join(name), clock, true).unwrap();
    store.migrate().await.unwrap();
    store
}

async fn imported(store: &SqliteStore, from: &Path) -> Result<ImportReport, AuditError> {
    import(store, from, ImportOptions::default(), |_, _| ()).await
}

async fn replayed(store: &SqliteStore, scope: &Scope) -> ReplayReport {
    let options = ReplayOptions::default();
    replay_store(store, scope, &options, |_| ()).await.unwrap()
}

async fn exported(store: &SqliteStore, to: &Path) -> Manifest {
    let options = ExportOptions::default();
    let report = export(store, &Scope::All, to, options, |_| ()).await;
    report.unwrap().manifest
}

#[tokio::test]
async fn an_import_exports_to_the_same_bytes() {
    let work = TempDir::new().unwrap();
    let (from, to) = (work.path().join("from"), work.path().join("to"));
    write(&from, false);
    let store = empty(&work, "gavel.db").await;
    let report = imported(&store, &from).await.unwrap();
    assert_eq!((report.imported, report.unchanged), (3, 0));
    let again = imported(&store, &from).await.unwrap();
    assert_eq!((again.imported, again.unchanged), (0, 3));
    exported(&store, &to).await;
    for name in ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(&from), read(&to), "{name}");
    }
    let lines = |folder: &Path| {
        let text = fs::read_to_string(folder.join("manifest.json")).unwrap();
        text.lines().map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    let differing: Vec<_> = lines(&from)
        .into_iter()
        .zip(lines(&to))
        .filter(|(a, b)| a != b)
        .map(|(a, _)| a.trim().split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        differing,
        ["\"installation\""],
        "the instant is pinned here"
    );
}

#[tokio::test]
async fn a_database_replays_clean_and_in_parts() {
    let work = TempDir::new().unwrap();
    let from = work.path().join("from");
    write(&from, false);
    let store = empty(&work, "gavel.db").await;
    imported(&store, &from).await.unwrap();
    let report = replayed(&store, &Scope::All).await;
    assert_eq!(report.listed, []);
    assert_eq!((report.auctions, report.entries), (3, 24));
    assert!(
        report
            .checks
            .iter()
            .all(|count| !count.check.is_of_manifest())
    );
    let ids = [7732, 5].map(|id| AuctionId::new(id).unwrap());
    let part = replayed(&store, &Scope::Ids(ids.to_vec())).await;
    assert_eq!((part.auctions, part.not_found), (1, vec![5]));
}

#[tokio::test]
async fn progress_comes_to_its_end() {
    let work = TempDir::new().unwrap();
    let from = work.path().join("from");
    write(&from, false);
    let store = empty(&work, "gavel.db").await;
    let written = Cell::new(0);
    import(&store, &from, ImportOptions::default(), |phase, done| {
        if phase == ImportPhase::Write {
            written.set(done.entries);
            assert_eq!(done.entries_total, 24);
        }
    })
    .await
    .unwrap();
    assert_eq!(written.get(), 24);
    let seen = Cell::new((0, 0));
    let options = ReplayOptions {
        threads: NonZeroUsize::MIN,
        ..ReplayOptions::default()
    };
    let told = |done: gavel::ledger::ReplayProgress| seen.set((done.auctions, done.auctions_total));
    replay_store(&store, &Scope::All, &options, told)
        .await
        .unwrap();
    assert_eq!(seen.get(), (3, 3));
}

/// As somebody with the file and a shell: the triggers and checks go first.
async fn tamper(path: &Path, sql: &'static str) {
    use sqlx::ConnectOptions as _;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.unwrap();
    let unlock = "pragma ignore_check_constraints = on; drop trigger ledger_never_updated;
                  drop trigger ledger_never_deleted; pragma foreign_keys = off;";
    sqlx::raw_sql(unlock)
        .execute(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
}

#[tokio::test]
async fn what_is_not_clean_is_not_imported() {
    let work = TempDir::new().unwrap();
    let from = work.path().join("from");
    write(&from, false);
    let store = empty(&work, "gavel.db").await;
    let count = async |store: &SqliteStore| store.dossiers_count(&Scope::All).await.unwrap().0;

    edit(&from, "ledger.csv", |text| {
        text.replacen(",31.00,", ",31.50,", 1)
    });
    let changed = imported(&store, &from).await;
    assert!(
        matches!(changed, Err(AuditError::Manifest { .. })),
        "{changed:?}"
    );
    refit(&from, "ledger.csv");
    let damaged = imported(&store, &from).await;
    match damaged {
        Err(AuditError::Findings(report)) => {
            assert_eq!(
                places(&report.listed),
                [(Some(7731), Some(3), Check::Price)]
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(count(&store).await, 0);
    let accepting = ImportOptions {
        mode: WriteMode::Rehearse,
        accept_findings: true,
    };
    let rehearsed = import(&store, &from, accepting, |_, _| ()).await.unwrap();
    assert_eq!((rehearsed.imported, count(&store).await), (3, 0));

    edit(&from, "ledger.csv", |text| {
        text.replacen(",31.50,", ",31.5.0,", 1)
    });
    refit(&from, "ledger.csv");
    let unreadable = import(&store, &from, accepting, |_, _| ())
        .await
        .unwrap_err();
    let text = unreadable.to_string();
    assert!(
        text.starts_with("ledger.csv line 4: column price: \"31.5.0\""),
        "{text}"
    );
    edit(&from, "ledger.csv", |text| {
        text.replacen(",120.00,", ",777.7.7,", 1)
    });
    refit(&from, "ledger.csv");
    edit(&from, "ledger.csv", |text| {
        text.replacen(",31.5.0,", ",31.00,", 1)
    });
    refit(&from, "ledger.csv");
    let text = imported(&store, &from).await.unwrap_err().to_string();
    assert!(
        text.contains("line 6: column secret") && !text.contains("777"),
        "{text}"
    );
}

#[tokio::test]
async fn a_public_folder_is_not_imported() {
    let work = TempDir::new().unwrap();
    let from = work.path().join("from");
    write(&from, true);
    let store = empty(&work, "gavel.db").await;
    let refused = imported(&store, &from).await;
    assert!(
        matches!(refused, Err(AuditError::PublicImport)),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_id_with_other_content_undoes_the_import() {
    let work = TempDir::new().unwrap();
    let (from, other) = (work.path().join("from"), work.path().join("other"));
    write(&from, false);
    let store = empty(&work, "gavel.db").await;
    imported(&store, &from).await.unwrap();
    let mut changed = dossiers();
    changed[2].watchers.clear();
    changed.remove(0);
    let mut extra = super::bundle::options(false);
    extra.overwrite = true;
    let mut writer = gavel::ledger::bundle::BundleWriter::create(&other, extra).unwrap();
    for dossier in &changed {
        writer.append(dossier).unwrap();
    }
    writer.finish().unwrap();
    match imported(&store, &other).await {
        Err(AuditError::Store(error)) => assert_eq!(error.kind(), StoreErrorKind::Conflict),
        result => panic!("{result:?}"),
    }
}

#[tokio::test]
async fn a_damaged_database_is_not_exported() {
    let work = TempDir::new().unwrap();
    let (from, to) = (work.path().join("from"), work.path().join("to"));
    write(&from, false);
    let store = empty(&work, "gavel.db").await;
    imported(&store, &from).await.unwrap();
    let sql = "update ledger set actor = '' where auction_id = 7732 and seq = 7";
    tamper(&work.path().join("gavel.db"), sql).await;
    let options = ExportOptions::default();
    let refused = export(&store, &Scope::All, &to, options, |_| ()).await;
    match refused {
        Err(AuditError::Damaged(damage)) => assert_eq!(damage.auction_id, 7732),
        other => panic!("{other:?}"),
    }
    assert!(!to.exists(), "nothing half done is left");
    // A folder that was there before stays.
    fs::create_dir(&to).unwrap();
    let refused = export(&store, &Scope::All, &to, options, |_| ()).await;
    assert!(matches!(refused, Err(AuditError::Damaged(_))));
    assert_eq!(fs::read_dir(&to).unwrap().count(), 0);
}
