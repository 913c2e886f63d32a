//! Some auctions of many: the same ones out of a database, a folder of text and one of Parquet; and
//! ledgers that come by themselves.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use gavel::auction::{AuctionId, IdRange, Shards};
use gavel::ledger::bundle::{ExportOptions, Form, ImportOptions, export, import};
use gavel::ledger::{
    AuditError, Check, CheckSet, LedgerSource, ReplayOptions, ReplayReport, replay_folder,
    replay_ledger, replay_store,
};
use gavel::store::{Contract, Scope, Selection};
use tempfile::TempDir;

use super::bundle::{dossiers, write};
use super::story::later;
use crate::support::backend::{Backend, Sqlite, fresh, on_every_backend};
use crate::support::make;
use crate::support::superuser::tamper;

on_every_backend!(
    a_selection_is_the_same_wherever_it_is_read,
    some_checks_are_made_and_no_others,
    what_is_exported_typed_comes_back_to_the_same_bytes,
    an_open_auction_with_a_closing_time_has_not_ended,
);

async fn filled<B: Backend>(backend: &Arc<B>, work: &TempDir) {
    let from = work.path().join("from");
    write(&from, false);
    import(backend.store(), &from, ImportOptions::default(), |_, _| ())
        .await
        .unwrap();
    for form in [Form::Csv, Form::Parquet] {
        let options = ExportOptions {
            form,
            ..ExportOptions::default()
        };
        let to = folder(work, form);
        export(backend.store(), &Scope::All, &to, options, |_| ())
            .await
            .unwrap();
    }
}

fn folder(work: &TempDir, form: Form) -> std::path::PathBuf {
    work.path().join(format!("{form:?}"))
}

/// The reports on the database and on both folders.
async fn everywhere<B: Backend>(
    backend: &Arc<B>,
    work: &TempDir,
    scope: &Scope,
    options: &ReplayOptions,
) -> [ReplayReport; 3] {
    let read = |form| async move {
        let folder = folder(work, form);
        replay_folder(&folder, scope, options, |_| ())
            .await
            .unwrap()
    };
    let of_store = replay_store(backend.store(), scope, options, |_| ());
    [
        of_store.await.unwrap(),
        read(Form::Csv).await,
        read(Form::Parquet).await,
    ]
}

async fn a_selection_is_the_same_wherever_it_is_read<B: Backend>(backend: Arc<B>) {
    let work = TempDir::new().unwrap();
    filled(&backend, &work).await;
    let made = dossiers();
    let closed_at = |place: usize| made[place].row.as_ref().unwrap().closed_at;
    let first = closed_at(0).unwrap();
    let shard = make::id(7733).shard();
    let cases = [
        Selection::default(),
        Selection {
            shards: shard.to_string().parse::<Shards>().unwrap(),
            ..Selection::default()
        },
        Selection {
            seller: Some(made[0].row.as_ref().unwrap().terms.seller.clone()),
            ..Selection::default()
        },
        Selection {
            seller: Some(make::party("nobody")),
            ..Selection::default()
        },
        Selection {
            closed_from: Some(first),
            ..Selection::default()
        },
        Selection {
            closed_before: Some(first),
            ..Selection::default()
        },
        Selection {
            not_ended_before: Some(first),
            ..Selection::default()
        },
        Selection {
            not_ended_before: Some(later().now),
            ..Selection::default()
        },
        Selection {
            ids: [make::id(7731), make::id(7733)].into(),
            closed_from: Some(first),
            ..Selection::default()
        },
    ];
    let mut counts = Vec::new();
    for selection in cases {
        let conditions = Scope::Selected(selection.clone()).conditions();
        let wanted: Vec<_> = made
            .iter()
            .filter(|dossier| conditions.hold(dossier.auction_id, dossier.row.as_ref()))
            .collect();
        let entries: usize = wanted.iter().map(|dossier| dossier.entries.len()).sum();
        let wanted = (wanted.len() as u64, entries as u64);
        let scope = Scope::Selected(selection.clone());
        for report in everywhere(&backend, &work, &scope, &ReplayOptions::default()).await {
            assert_eq!(report.listed, [], "{selection:?}");
            assert_eq!((report.auctions, report.entries), wanted, "{selection:?}");
        }
        assert_eq!(
            backend.store().dossiers_count(&scope).await.unwrap(),
            wanted
        );
        counts.push(wanted.0);
    }
    // 7732 was cancelled, then 7733 closed, and 7731, whose end had moved, last.
    assert_eq!(counts, [3, 1, 3, 0, 1, 1, 1, 0, 1]);
    let range = Scope::Range(IdRange {
        first: make::id(7732),
        last: make::id(AuctionId::MAX),
    });
    for report in everywhere(&backend, &work, &range, &ReplayOptions::default()).await {
        assert_eq!(report.auctions, 2);
    }
}

async fn some_checks_are_made_and_no_others<B: Backend>(backend: Arc<B>) {
    let work = TempDir::new().unwrap();
    filled(&backend, &work).await;
    let mut options = ReplayOptions {
        checks: CheckSet::only(&[Check::Price, Check::Winner]),
        ..ReplayOptions::default()
    };
    for report in everywhere(&backend, &work, &Scope::All, &options).await {
        let made: Vec<Check> = report.checks.iter().map(|count| count.check).collect();
        assert_eq!(made, [Check::Price, Check::Winner]);
        assert!(report.is_clean());
    }
    // A hash that nobody asked about, and then one that somebody did.
    let ledger = folder(&work, Form::Csv).join("ledger.csv");
    let text = fs::read_to_string(&ledger).unwrap();
    let hash = text.trim_end().rsplit(',').next().unwrap();
    fs::write(&ledger, text.replace(hash, &"0".repeat(64))).unwrap();
    let read = |options: ReplayOptions| async move {
        let folder = folder(&work, Form::Csv);
        replay_folder(&folder, &Scope::All, &options, |_| ())
            .await
            .unwrap()
    };
    let unasked = read(options).await;
    assert_eq!((unasked.findings, unasked.auctions_with_findings), (0, 0));
    options.checks = CheckSet::without(&[Check::Price]);
    let work = TempDir::new().unwrap();
    filled(&backend, &work).await;
    let ledger = folder(&work, Form::Csv).join("ledger.csv");
    fs::write(&ledger, text.replace(hash, &"0".repeat(64))).unwrap();
    let report = replay_folder(&folder(&work, Form::Csv), &Scope::All, &options, |_| ())
        .await
        .unwrap();
    let found: Vec<_> = report
        .listed
        .iter()
        .map(|it| (it.auction_id, it.check))
        .collect();
    assert_eq!(found, [(Some(7733), Check::HashChain)]);
}

async fn what_is_exported_typed_comes_back_to_the_same_bytes<B: Backend>(backend: Arc<B>) {
    let work = TempDir::new().unwrap();
    filled(&backend, &work).await;
    let other = fresh::<Sqlite>().await;
    let typed = folder(&work, Form::Parquet);
    let report = import(other.store(), &typed, ImportOptions::default(), |_, _| ()).await;
    assert_eq!(report.unwrap().imported, 3);
    let again = work.path().join("again");
    let options = ExportOptions::default();
    export(other.store(), &Scope::All, &again, options, |_| ())
        .await
        .unwrap();
    for name in ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(&folder(&work, Form::Csv)), read(&again), "{name}");
    }
    // Other bytes in a place that no value stands in.
    let auctions = typed.join("auctions.parquet");
    let mut bytes = fs::read(&auctions).unwrap();
    bytes.push(0);
    fs::write(&auctions, bytes).unwrap();
    let third = fresh::<Sqlite>().await;
    let refused = import(third.store(), &typed, ImportOptions::default(), |_, _| ()).await;
    assert!(refused.is_err());
    assert_eq!(
        third.store().dossiers_count(&Scope::All).await.unwrap(),
        (0, 0)
    );
}

/// A checkpoint does not cover it, so an audit since that checkpoint must read it.
async fn an_open_auction_with_a_closing_time_has_not_ended<B: Backend>(backend: Arc<B>) {
    let work = TempDir::new().unwrap();
    filled(&backend, &work).await;
    let reopened = "update auctions set status = 'OPEN', closed_us = 1 where auction_id = 7731";
    tamper(backend.as_ref(), reopened).await;
    for form in [Form::Csv, Form::Parquet] {
        let options = ExportOptions {
            form,
            overwrite: true,
            ..ExportOptions::default()
        };
        let to = folder(&work, form);
        export(backend.store(), &Scope::All, &to, options, |_| ())
            .await
            .unwrap();
    }
    let since = Scope::Selected(Selection {
        not_ended_before: Some(later().now),
        ..Selection::default()
    });
    for report in everywhere(&backend, &work, &since, &ReplayOptions::default()).await {
        assert_eq!(report.auctions, 1);
        let found: Vec<_> = report.listed.iter().map(|it| it.auction_id).collect();
        assert!(
            !found.is_empty() && found.iter().all(|id| *id == Some(7731)),
            "{found:?}"
        );
    }
}

#[tokio::test]
async fn an_import_that_is_refused_names_its_folder() {
    let work = TempDir::new().unwrap();
    let from = work.path().join("spelt-otherwise");
    write(&from, false);
    let outbox = from.join("outbox.csv");
    let text = fs::read_to_string(&outbox).unwrap();
    fs::write(&outbox, text.replace('T', "t")).unwrap();
    let store = fresh::<Sqlite>().await;
    let refused = import(store.store(), &from, ImportOptions::default(), |_, _| ()).await;
    let told = refused.unwrap_err().to_string();
    assert!(
        told.contains("spelt-otherwise") && told.contains("outbox.csv"),
        "{told}"
    );
}

async fn alone(source: LedgerSource) -> Result<ReplayReport, AuditError> {
    let options = ReplayOptions::default();
    replay_ledger(source, later().now, &Scope::All, &options, |_| ()).await
}

fn stream(text: &str) -> LedgerSource {
    LedgerSource::Stream(Box::new(Cursor::new(text.to_owned())))
}

fn file(path: &Path, text: &str) -> LedgerSource {
    fs::write(path, text).unwrap();
    LedgerSource::File(path.to_owned())
}

/// `ledger.csv` of a folder, or of a public one.
fn exported(work: &TempDir, public: bool) -> String {
    let folder = work.path().join(format!("public-{public}"));
    write(&folder, public);
    fs::read_to_string(folder.join("ledger.csv")).unwrap()
}

#[tokio::test]
async fn a_ledger_by_itself_is_checked_as_far_as_it_goes() {
    let work = TempDir::new().unwrap();
    let path = work.path().join("some.csv");
    let text = exported(&work, false);
    let marked = format!("\u{feff}{}\r\n\r\n", text.replace('\n', "\r\n"));
    let mut rows: Vec<&str> = text.lines().skip(1).collect();
    rows.reverse();
    let header = text.lines().next().unwrap();
    let reversed = format!("{header}\n{}\n", rows.join("\n"));
    for source in [
        stream(&text),
        stream(&marked),
        file(&path, &text),
        file(&path, &reversed),
    ] {
        let report = alone(source).await.unwrap();
        assert_eq!(report.listed, []);
        assert_eq!((report.auctions, report.entries), (3, 24));
        assert!(report.checks.iter().all(|count| count.check.is_of_ledger()));
        assert!(
            report
                .checks
                .iter()
                .any(|count| count.check == Check::CrossCheck)
        );
    }
    let public = exported(&work, true);
    for source in [stream(&public), file(&path, &public)] {
        let report = alone(source).await.unwrap();
        assert_eq!((report.findings, report.entries), (0, 24));
        assert!(report.not_possible.contains(&Check::Commitment));
    }
}

#[tokio::test]
async fn a_change_of_a_ledger_by_itself_is_one_finding() {
    let work = TempDir::new().unwrap();
    let path = work.path().join("some.csv");
    let text = exported(&work, false);
    let without_third: Vec<&str> = text
        .lines()
        .filter(|row| !row.starts_with("7731,3,"))
        .collect();
    for source in [
        stream(&without_third.join("\n")),
        file(&path, &without_third.join("\n")),
    ] {
        let report = alone(source).await.unwrap();
        let found: Vec<_> = report
            .listed
            .iter()
            .map(|it| (it.auction_id, it.seq, it.check))
            .collect();
        assert_eq!(found, [(Some(7731), Some(3), Check::SeqGap)]);
    }
}

#[tokio::test]
async fn what_is_no_ledger_is_refused_and_a_stream_must_be_in_order() {
    let work = TempDir::new().unwrap();
    let path = work.path().join("some.csv");
    let text = exported(&work, false);
    let mut rows: Vec<&str> = text.lines().collect();
    rows.swap(1, 2);
    let refused = alone(stream(&rows.join("\n"))).await.unwrap_err();
    assert!(
        refused.is_input() && refused.to_string().contains("ordered by auction"),
        "{refused}"
    );
    for (broken, why) in [
        (String::new(), "empty"),
        ("a,b\n1,2\n".to_owned(), "unknown"),
        (text.replacen("7731,1,", "7731,1,,", 1), "fields"),
        (text.replacen("7731,1,", "x,1,", 1), "auction id"),
        (format!("{text}7733,9,\"never closed\n"), "fields"),
    ] {
        let refused = alone(file(&path, &broken)).await.unwrap_err();
        assert!(refused.is_input(), "{refused}");
        assert!(refused.to_string().contains(why), "{why}: {refused}");
        assert!(
            alone(stream(&broken)).await.unwrap_err().is_input(),
            "{why}"
        );
    }
}
