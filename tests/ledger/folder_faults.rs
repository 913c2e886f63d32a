//! Folders that somebody changed, and files that are none.

use std::fs;
use std::path::Path;

use gavel::ledger::{AuditError, Check, ReplayOptions, replay_folder};
use gavel::store::Scope;
use tempfile::TempDir;

use super::bundle::{edit, places, refit, replay, write};

type Edit = fn(String) -> String;

/// Name, file, change, and where which check finds it.
type Case = (&'static str, &'static str, Edit, i64, Option<i64>, Check);

fn without_line(text: &str, starts: &str) -> String {
    let kept = text.lines().filter(|line| !line.starts_with(starts));
    kept.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn each_change_is_named_by_auction_and_seq() {
    let cases: &[Case] = &[
        (
            "a price",
            "ledger.csv",
            |t| t.replacen(",31.00,", ",31.50,", 1),
            7731,
            Some(3),
            Check::Price,
        ),
        (
            "a maximum",
            "ledger.csv",
            |t| t.replacen(",120.00,", ",121.00,", 1),
            7731,
            Some(5),
            Check::Commitment,
        ),
        (
            "a bidder",
            "ledger.csv",
            |t| t.replacen(",cyd,", ",cid,", 1),
            7731,
            Some(4),
            Check::HashChain,
        ),
        (
            "a line deleted",
            "ledger.csv",
            |t| without_line(&t, "7731,4,"),
            7731,
            Some(4),
            Check::SeqGap,
        ),
        (
            "a tail cut",
            "ledger.csv",
            |t| without_line(&t, "7731,10,"),
            7731,
            Some(10),
            Check::Head,
        ),
        (
            "a line twice",
            "ledger.csv",
            |t| {
                t.lines()
                    .chain(t.lines().filter(|l| l.starts_with("7732,3,")))
                    .map(|l| format!("{l}\n"))
                    .collect()
            },
            7732,
            Some(3),
            Check::SeqRepeated,
        ),
        (
            "two seqs swapped",
            "ledger.csv",
            |t| {
                let t = t
                    .replace("7731,3,", "7731,X,")
                    .replace("7731,4,", "7731,3,");
                t.replace("7731,X,", "7731,4,")
            },
            7731,
            Some(3),
            Check::HashChain,
        ),
        (
            "a line moved to another auction",
            "ledger.csv",
            |t| t.replace("7731,10,", "7732,12,"),
            7731,
            Some(10),
            Check::Head,
        ),
        (
            "an amount",
            "ledger.csv",
            |t| t.replacen(",31.00,", ",31.0.0,", 1),
            7731,
            Some(3),
            Check::Unreadable,
        ),
        (
            "a seq",
            "ledger.csv",
            |t| t.replacen("7731,4,", "7731,4x,", 1),
            7731,
            Some(4),
            Check::Unreadable,
        ),
        (
            "a seq below 1",
            "ledger.csv",
            |t| t.replacen("7731,1,", "7731,-1,", 1),
            7731,
            Some(1),
            Check::Unreadable,
        ),
        (
            "no seq at the end",
            "ledger.csv",
            |t| t.replacen("7731,10,", "7731,,", 1),
            7731,
            Some(10),
            Check::Unreadable,
        ),
        (
            "an unreadable seq in a shuffled file",
            "ledger.csv",
            |t| {
                let t = t.replacen("7731,4,", "7731,four,", 1);
                let mut lines: Vec<_> = t.lines().collect();
                lines[1..].reverse();
                lines.join("\n")
            },
            7731,
            Some(4),
            Check::Unreadable,
        ),
        (
            "a line moved to no auction",
            "ledger.csv",
            |t| t.replace("7731,4,", "7799,4,"),
            7731,
            Some(4),
            Check::SeqGap,
        ),
        (
            "an event moved to no auction",
            "outbox.csv",
            |t| t.replacen("\n7731,", "\n7799,", 1),
            7731,
            None,
            Check::EventMissing,
        ),
        (
            "a row moved to another id",
            "auctions.csv",
            |t| t.replacen("\n7731,", "\n7799,", 1),
            7731,
            None,
            Check::MissingRow,
        ),
        (
            "a separator",
            "ledger.csv",
            |t| t.replacen(",1050,", ",\"1,050\",", 1),
            7733,
            Some(2),
            Check::Unreadable,
        ),
        (
            "a word",
            "ledger.csv",
            |t| t.replacen("7731,3,bid,", "7731,3,bud,", 1),
            7731,
            Some(3),
            Check::Unreadable,
        ),
        (
            "a row",
            "auctions.csv",
            |t| without_line(&t, "7732,"),
            7732,
            None,
            Check::MissingRow,
        ),
        (
            "a currency",
            "auctions.csv",
            |t| t.replacen(",USD,2,", ",CAD,2,", 1),
            7731,
            None,
            Check::RowTerms,
        ),
        (
            "a winner",
            "auctions.csv",
            |t| t.replacen(",ann,122.50,", ",ben,122.50,", 1),
            7731,
            None,
            Check::Winner,
        ),
        (
            "a row twice",
            "auctions.csv",
            |t| format!("{t}{}\n", t.lines().nth(3).unwrap()),
            7733,
            None,
            Check::Unreadable,
        ),
        (
            "an event",
            "outbox.csv",
            |t| without_line(&t, "7733,"),
            7733,
            None,
            Check::EventMissing,
        ),
        (
            "an event's price",
            "outbox.csv",
            |t| t.replacen(",122.50,", ",12.25,", 1),
            7731,
            None,
            Check::EventContent,
        ),
    ];
    for (name, file, change, auction, seq, check) in cases {
        let folder = TempDir::new().unwrap();
        write(folder.path(), false);
        edit(folder.path(), file, change);
        let found = places(&replay(folder.path()).await.listed);
        assert!(
            matches!(
                found.first(),
                Some((None, None, Check::ManifestRows | Check::ManifestSha256))
            ),
            "{name}: {found:?}"
        );
        refit(folder.path(), file);
        let found = places(&replay(folder.path()).await.listed);
        let wanted = (Some(*auction), *seq, *check);
        assert_eq!(found.first(), Some(&wanted), "{name}: {found:?}");
        // A moved line is wrong where it is absent and where it stands.
        let moved = name.contains("moved");
        assert_eq!(found.len(), if moved { 2 } else { 1 }, "{name}: {found:?}");
    }
}

#[tokio::test]
async fn a_manifest_that_counts_otherwise_is_named_once() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    edit(folder.path(), "watchers.csv", |text| {
        without_line(&text, "7732,a")
    });
    let found = places(&replay(folder.path()).await.listed);
    assert_eq!(found, [(None, None, Check::ManifestRows)]);
}

async fn refused(folder: &Path) -> AuditError {
    let all = Scope::All;
    let options = ReplayOptions::default();
    let replay = replay_folder(folder, &all, &options, |_| ());
    replay.await.unwrap_err()
}

#[tokio::test]
async fn files_that_are_none_are_refused() {
    let cases: &[(&str, &str, Edit, &str)] = &[
        (
            "no column",
            "ledger.csv",
            |t| t.replacen("detail,", "details,", 1),
            "details",
        ),
        (
            "missing column",
            "watchers.csv",
            |_| "auction_id\n7731\n".to_owned(),
            "watcher is missing",
        ),
        (
            "doubled column",
            "watchers.csv",
            |_| "auction_id,watcher,watcher\n".to_owned(),
            "twice",
        ),
        (
            "an empty file",
            "ledger.csv",
            |_| String::new(),
            "ledger.csv: is empty",
        ),
        (
            "no header",
            "watchers.csv",
            |_| "\n".to_owned(),
            "auction_id is missing",
        ),
        (
            "a short row",
            "watchers.csv",
            |t| format!("{t}7733\n"),
            "line 6 has 1 fields",
        ),
        (
            "an id",
            "outbox.csv",
            |t| t.replacen("\n7731,", "\n77x1,", 1),
            "outbox.csv line 2: column auction_id",
        ),
    ];
    for (name, file, change, told) in cases {
        let folder = TempDir::new().unwrap();
        write(folder.path(), false);
        edit(folder.path(), file, change);
        let error = refused(folder.path()).await;
        assert!(error.is_input(), "{name}: {error:?}");
        assert!(error.to_string().contains(told), "{name}: {error}");
    }
}

#[tokio::test]
async fn utf_16_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    let text = "auction_id,watcher\n".encode_utf16();
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(text.flat_map(u16::to_le_bytes));
    fs::write(folder.path().join("watchers.csv"), bytes).unwrap();
    let error = refused(folder.path()).await;
    assert_eq!(
        error.to_string(),
        "watchers.csv: is UTF-16; save it as UTF-8"
    );
}

#[tokio::test]
async fn a_folder_without_its_manifest_is_none() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    edit(folder.path(), "manifest.json", |t| {
        t.replace("\"format\": 1", "\"format\": 2")
    });
    let error = refused(folder.path()).await;
    assert!(error.to_string().contains("format is 2"), "{error}");
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    assert!(matches!(
        refused(folder.path()).await,
        AuditError::Manifest { .. }
    ));
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    assert!(matches!(
        refused(folder.path()).await,
        AuditError::NotABundle(_)
    ));
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    fs::remove_file(folder.path().join("outbox.csv")).unwrap();
    let error = refused(folder.path()).await;
    assert!(error.is_input(), "{error:?}");
    assert_eq!(
        error.to_string(),
        "outbox.csv: the folder does not have this file"
    );
}
