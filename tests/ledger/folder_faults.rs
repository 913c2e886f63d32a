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
        // The manifest knows of the change too, which is not another finding.
        let unfitted = replay(folder.path()).await;
        let differ = places(&unfitted.files_differ);
        assert!(
            matches!(
                differ.as_slice(),
                [(None, None, Check::ManifestRows | Check::ManifestSha256)]
            ),
            "{name}: {differ:?}"
        );
        refit(folder.path(), file);
        let found = places(&replay(folder.path()).await.listed);
        let wanted = (Some(*auction), *seq, *check);
        assert_eq!(found.first(), Some(&wanted), "{name}: {found:?}");
        // A moved line is wrong where it is absent and where it stands.
        let moved = name.contains("moved");
        assert_eq!(found.len(), if moved { 2 } else { 1 }, "{name}: {found:?}");
        assert_eq!(places(&unfitted.listed), found, "{name}");
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

#[tokio::test]
async fn a_file_that_no_finding_explains_is_named_beside_others() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    edit(folder.path(), "ledger.csv", |t| {
        t.replacen(",31.00,", ",31.50,", 1)
    });
    edit(folder.path(), "watchers.csv", |text| {
        text.replace("7732,a", "7732,z")
    });
    let report = replay(folder.path()).await;
    let want = [
        (None, None, Check::ManifestSha256),
        (Some(7731), Some(3), Check::Price),
    ];
    assert_eq!(places(&report.listed), want);
    assert_eq!(report.files_differ.len(), 1);
}

/// Each cell of each file in turn: found, and found once.
#[tokio::test]
async fn any_cell_that_is_changed_is_one_finding() {
    let mut wrong = Vec::new();
    for (name, moves) in [
        ("auctions.csv", true),
        ("ledger.csv", true),
        ("outbox.csv", true),
        ("watchers.csv", false),
    ] {
        let folder = TempDir::new().unwrap();
        write(folder.path(), false);
        let path = folder.path().join(name);
        let honest = fs::read_to_string(&path).unwrap();
        let records: Vec<csv::StringRecord> = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(honest.as_bytes())
            .into_records()
            .map(Result::unwrap)
            .collect();
        for (line, record) in records.iter().enumerate().skip(1) {
            for (at, cell) in record.iter().enumerate() {
                for changed in changes(cell) {
                    let mut writer = csv::Writer::from_path(&path).unwrap();
                    for (other, record) in records.iter().enumerate() {
                        let cells = record.iter().enumerate().map(|(place, cell)| {
                            let here = (other, place) == (line, at);
                            if here { changed.as_str() } else { cell }
                        });
                        writer.write_record(cells).unwrap();
                    }
                    writer.flush().unwrap();
                    let found = replay(folder.path()).await.listed;
                    let column = &records[0][at];
                    let told = format!("{name} line {line} {column}: {cell} to {changed}");
                    // What is moved to another auction is wrong where it is absent and where it
                    // stands.
                    let most = if moves && at == 0 { 2 } else { 1 };
                    if !(1..=most).contains(&found.len()) {
                        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
                        wrong.push(format!("{told}:\n    {}", found.join("\n    ")));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Other values of a cell, some of them possible.
fn changes(cell: &str) -> Vec<String> {
    let digit = cell.char_indices().rev().find(|(_, c)| c.is_ascii_digit());
    let mut changes = Vec::new();
    if let Some((at, c)) = digit {
        let other = if c == '1' { "2" } else { "1" };
        changes.push(format!("{}{other}{}", &cell[..at], &cell[at + 1..]));
    }
    let id = cell.len() == 4 && cell.starts_with("77");
    if !id {
        changes.push(format!("{cell}x"));
        if !cell.is_empty() {
            changes.push(String::new());
        }
    }
    match cell {
        "true" => changes.push("false".to_owned()),
        "false" => changes.push("true".to_owned()),
        "CLOSED" | "CANCELLED" => changes.push("OPEN".to_owned()),
        "auction.closed" => changes.push("auction.cancelled".to_owned()),
        "auction.cancelled" => changes.push("auction.closed".to_owned()),
        "ann" | "ben" => changes.push("cyd".to_owned()),
        _ => {}
    }
    changes
}

/// The manifest counts the rows; one that was adjusted leaves nothing to compare with.
#[tokio::test]
async fn an_auction_removed_whole_is_known_by_the_manifest_only() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), false);
    let names = ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"];
    for name in names {
        edit(folder.path(), name, |text| without_line(&text, "7732,"));
    }
    let found = places(&replay(folder.path()).await.listed);
    assert_eq!(found, [(None, None, Check::ManifestRows); 4]);
    for name in names {
        refit(folder.path(), name);
    }
    assert_eq!(replay(folder.path()).await.listed, []);
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
