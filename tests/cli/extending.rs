//! `amend` with a selection, by the real binary on every backend: what is selected, what is told,
//! what a rehearsal keeps, what a killed run leaves, and bids that go on meanwhile.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};
use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::terms::AmendDetail;
use gavel::auction::{Entry, ExtendMode, Kind, SoftClose, Terms};
use gavel::clock::Clock;
use gavel::store::{Contract, Scope};
use serde_json::Value;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::cli::{Desk, words};
use crate::support::drive::{clock, done, dossiers, opened};
use crate::support::make::{self, MINUTE, at, party, soft_close, span, terms, usd};
use crate::support::sound::assert_sound;

on_every_backend!(
    a_selection_is_extended_and_nothing_else,
    a_rehearsal_tells_the_same_and_writes_nothing,
    a_run_killed_anywhere_is_finished_by_the_same_line,
    bids_go_on_and_no_end_ever_falls,
);

pub(super) const OPERATION: &str = "0b5e0000-0000-4000-8000-000000000001";
pub(super) const HALF_AN_HOUR: i64 = 30 * MINUTE;
/// In 2099: ahead of every clock that runs these tests.
const FAR: i64 = 4_085_000_000_000_000;
/// In 2020: where the database's clock stands, where it is the database's.
const NOW: i64 = 1_600_000_000_000_000;

/// Processes on one backend's database.
struct Hall<B> {
    backend: Arc<B>,
    desk: Desk,
}

/// What a run with `--format json` said.
pub(super) struct Told {
    pub(super) rows: Vec<Value>,
    pub(super) stderr: String,
    pub(super) code: i32,
}

impl Told {
    /// Auction and outcome or refusal, in the order told.
    pub(super) fn outcomes(&self) -> Vec<(i64, String)> {
        let word = |row: &Value| {
            let word = row["refusal"].as_str().or(row["outcome"].as_str());
            (
                row["auction_id"].as_i64().unwrap(),
                word.unwrap().to_owned(),
            )
        };
        self.rows.iter().map(word).collect()
    }

    pub(super) fn amended(&self) -> Vec<i64> {
        let amended = self.outcomes().into_iter();
        amended
            .filter(|(_, word)| word == "amended")
            .map(|(id, _)| id)
            .collect()
    }
}

impl<B: Backend> Hall<B> {
    fn new(backend: Arc<B>) -> Self {
        let desk = Desk::bare();
        Self { backend, desk }
    }

    /// Open auctions, made long ago.
    async fn open(&self, lots: impl IntoIterator<Item = (i64, Terms)>) {
        clock(&*self.backend, MINUTE).await;
        for (number, terms) in lots {
            opened(&*self.backend, number, terms).await;
        }
        clock(&*self.backend, NOW).await;
    }

    fn start(&self, line: &str) -> Child {
        self.desk
            .command(&words(line))
            .env("DATABASE_URL", self.backend.url())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn run(&self, line: &str) -> Told {
        told(self.start(&format!("{line} --format json")))
    }

    async fn ledgers(&self) -> Vec<Vec<Entry>> {
        let all = dossiers(&*self.backend, &Scope::All).await.unwrap();
        let sound = |dossier: gavel::store::Dossier| {
            assert_sound(&dossier.entries, &dossier.row.unwrap());
            dossier.entries
        };
        all.into_iter().map(sound).collect()
    }
}

pub(super) fn told(child: Child) -> Told {
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let read = |line| serde_json::from_str(line).unwrap();
    Told {
        rows: stdout.lines().map(read).collect(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn lot(seller: &str, end: i64) -> Terms {
    Terms {
        seller: party(seller),
        start: at(MINUTE),
        end: at(end),
        ..terms()
    }
}

async fn a_selection_is_extended_and_nothing_else<B: Backend>(backend: Arc<B>) {
    let hall = Hall::new(backend);
    let capped = Terms {
        soft_close: Some(SoftClose {
            cap: Some(at(FAR + MINUTE)),
            ..soft_close()
        }),
        ..lot("bob", FAR)
    };
    hall.open([
        (1, lot("alice", FAR)),
        (2, lot("bob", FAR + MINUTE)),
        (3, lot("alice", FAR + 2 * MINUTE)),
        // Over, and nobody has closed it yet; and one withdrawn.
        (4, lot("alice", NOW - 1)),
        (5, lot("alice", FAR)),
        (6, capped),
    ])
    .await;
    done(&*hall.backend, 5, 900, Deed::Cancel).await;
    let amend = |rest: &str| hall.run(&format!("amend {rest} --reason outage --actor dana"));

    let first = amend("--seller alice --extend-by 30m");
    assert_eq!((first.code, first.amended()), (0, vec![1, 3]));
    let window = format!(
        "--ending-after {} --ending-before {}",
        at(FAR),
        at(FAR + 2 * MINUTE)
    );
    assert_eq!(amend(&format!("{window} --extend-by 1s")).amended(), [2]);
    let both = format!("--seller alice {window} --extend-by 1s");
    let none = amend(&both);
    assert_eq!((none.code, none.rows.len()), (0, 0));
    assert!(
        none.stderr.contains("0 auctions amended"),
        "{}",
        none.stderr
    );

    let all = amend(&format!(
        "--all-open --extend-by 30m --request-id {OPERATION}"
    ));
    assert_eq!(all.code, 3, "{}", all.stderr);
    let words = ["amended", "amended", "amended", "invalid-terms"];
    let expected: Vec<_> = [1, 2, 3, 6]
        .into_iter()
        .zip(words.map(str::to_owned))
        .collect();
    assert_eq!(all.outcomes(), expected);
    assert_eq!(
        all.rows[0]["old_ends_at"],
        at(FAR + HALF_AN_HOUR).to_string()
    );
    assert_eq!(
        all.rows[0]["ends_at"],
        at(FAR + 2 * HALF_AN_HOUR).to_string()
    );
    for words in [
        "3 auctions amended, 1 refused",
        "not extended: auction 6: ",
        &format!("operation {OPERATION}: 4 open auctions to extend by 30m"),
    ] {
        assert!(all.stderr.contains(words), "{}", all.stderr);
    }
    let requests: BTreeSet<String> = all
        .rows
        .iter()
        .map(|row| row["request_id"].to_string())
        .collect();
    assert_eq!(requests.len(), 4);
    for row in &all.rows {
        assert_eq!(row["operation_id"], OPERATION);
        assert_ne!(row["request_id"], row["operation_id"]);
    }

    let again = amend(&format!(
        "--all-open --extend-by 30m --request-id {OPERATION}"
    ));
    assert_eq!(again.code, 3);
    let repeated = again
        .outcomes()
        .iter()
        .filter(|(_, word)| word == "repeated")
        .count();
    assert_eq!(repeated, 3);
    assert_eq!(again.rows[0]["ends_at"], all.rows[0]["ends_at"]);

    let ledgers = hall.ledgers().await;
    let lengths: Vec<usize> = ledgers.iter().map(Vec::len).collect();
    assert_eq!(lengths, [3, 3, 3, 1, 2, 1]);
    let last = ledgers[0].last().unwrap();
    assert_eq!((last.kind, last.actor.as_str()), (Kind::Amend, "dana"));
    let detail = AmendDetail::from_detail(&last.detail, None).unwrap();
    assert_eq!(detail.reason, "outage");
}

async fn a_rehearsal_tells_the_same_and_writes_nothing<B: Backend>(backend: Arc<B>) {
    let hall = Hall::new(backend);
    hall.open((1..=250).map(|number| (number, lot("alice", FAR + number))))
        .await;
    let before = hall.ledgers().await;
    let line = format!("amend --all-open --extend-by 30m --reason outage --request-id {OPERATION}");
    let rehearsed = hall.run(&format!("{line} --dry-run"));
    assert_eq!(rehearsed.code, 0, "{}", rehearsed.stderr);
    let words = "dry run: 250 auctions amended; nothing was written";
    assert!(rehearsed.stderr.contains(words), "{}", rehearsed.stderr);
    assert_eq!(hall.ledgers().await, before);
    let kept = hall.run(&line);
    assert_eq!(rehearsed.outcomes(), kept.outcomes());
    for (rehearsed, kept) in rehearsed.rows.iter().zip(&kept.rows) {
        assert_eq!(
            (&rehearsed["dry_run"], &kept["dry_run"]),
            (&true.into(), &false.into())
        );
        for field in ["old_ends_at", "ends_at", "seq", "request_id"] {
            assert_eq!(rehearsed[field], kept[field], "{field}");
        }
    }
}

async fn a_run_killed_anywhere_is_finished_by_the_same_line<B: Backend>(backend: Arc<B>) {
    const LOTS: usize = 600;
    let hall = Hall::new(backend);
    let lots = (1_i64..).take(LOTS);
    hall.open(lots.map(|number| (number, lot("alice", FAR + number))))
        .await;
    let line = format!("amend --all-open --extend-by 30m --reason outage --request-id {OPERATION}");
    let store = hall.backend.store();
    let mut killed = 0;
    for target in [1, 150, 300, 450] {
        let mut run = hall.start(&line);
        let mut running = true;
        while running && added(store, LOTS).await < target {
            running = run.try_wait().unwrap().is_none();
        }
        run.kill().unwrap();
        killed += i32::from(run.wait().unwrap().code().is_none());
        for entries in hall.ledgers().await {
            assert!(entries.len() <= 2, "extended twice: {entries:?}");
        }
    }
    assert!(killed >= 2, "the runs ended before they could be killed");
    let left = LOTS - added(store, LOTS).await;
    let last = hall.run(&line);
    assert_eq!((last.code, last.rows.len()), (0, LOTS), "{}", last.stderr);
    assert_eq!(last.amended().len(), left);
    for (number, entries) in (1..).zip(hall.ledgers().await) {
        let ends: Vec<i64> = entries.iter().map(|entry| entry.end.get()).collect();
        assert_eq!(ends, [FAR + number, FAR + number + HALF_AN_HOUR]);
    }
    assert_eq!(hall.run("replay").code, 0);
}

/// How many entries there are beside the creates.
async fn added(store: &impl Contract, lots: usize) -> usize {
    let (_, entries) = store.dossiers_count(&Scope::All).await.unwrap();
    usize::try_from(entries).unwrap() - lots
}

/// Every bid moves the end by a second, and the operation moves it by half an hour somewhere
/// between them.
async fn bids_go_on_and_no_end_ever_falls<B: Backend>(backend: Arc<B>) {
    const LOTS: i64 = 40;
    const ROUNDS: i64 = 6;
    let hall = Hall::new(backend);
    let now = Clock::System.now().get();
    let soft = Terms {
        start_price: usd("1"),
        soft_close: Some(SoftClose {
            window: span(24 * 60 * MINUTE),
            extend_by: span(make::SECOND),
            mode: ExtendMode::Add,
            ..soft_close()
        }),
        start: at(now - 24 * 60 * MINUTE),
        ..lot("alice", now + 60 * MINUTE)
    };
    clock(&*hall.backend, now - 24 * 60 * MINUTE).await;
    for number in 1..=LOTS {
        opened(&*hall.backend, number, soft.clone()).await;
    }
    clock(&*hall.backend, now).await;
    let mut crowds = Vec::new();
    for bidder in ["ann", "ben", "cid"] {
        let mut rows = String::from("auction_id,bidder,maximum\n");
        for round in 1..=ROUNDS {
            for number in 1..=LOTS {
                rows.push_str(&format!("{number},{bidder},{}\n", 100 * round));
            }
        }
        hall.desk.write(&format!("{bidder}.csv"), rows);
        crowds.push(hall.start(&format!("bid --file {bidder}.csv --format json")));
    }
    // In the midst of them.
    while added(hall.backend.store(), 40).await < 60 {
        tokio::task::yield_now().await;
    }
    let extended = hall.run("amend --all-open --extend-by 30m --reason outage");
    assert_eq!(extended.code, 0, "{}", extended.stderr);
    assert_eq!(extended.rows.len(), 40);
    for crowd in crowds {
        let told = told(crowd);
        // Some bids come too late for their amount; none is lost and none fails.
        assert!([0, 3].contains(&told.code), "{}", told.stderr);
        assert_eq!(told.rows.len(), 240);
    }
    let mut moved_before = 0;
    for entries in hall.ledgers().await {
        for pair in entries.windows(2) {
            let moved = pair[1].end.since(pair[0].end);
            match pair[1].kind {
                Kind::Amend => assert_eq!(moved, HALF_AN_HOUR),
                _ => assert!([0, make::SECOND].contains(&moved), "{moved}"),
            }
        }
        let amends = entries.iter().filter(|entry| entry.kind == Kind::Amend);
        assert_eq!(amends.count(), 1);
        moved_before += usize::from(entries[1].kind == Kind::Bid);
    }
    assert!(moved_before > 0, "no bid came before the operation");
    assert_eq!(hall.run("replay").code, 0);
}

#[test]
fn a_selection_and_an_id_exclude_each_other_and_one_is_needed() {
    let desk = Desk::with_guitar();
    for (line, words) in [
        ("amend --extend-by 30m --reason x", "no auction was stated"),
        (
            "amend 7731 --all-open --extend-by 30m --reason x",
            "cannot be used with",
        ),
        (
            "amend 7731 --seller alice --extend-by 30m --reason x",
            "cannot be used with",
        ),
        ("amend --all-open --reason x", "--extend-by is required"),
        (
            "amend --all-open --ends-in 3d --reason x",
            "only the end can be moved, by --extend-by",
        ),
        (
            "amend --all-open --extend-by 3m --title T --reason x",
            "only the end can be moved",
        ),
        (
            "amend --all-open --extend-by 3m --no-reserve --reason x",
            "only the end can be moved",
        ),
        (
            "amend --all-open --extend-by 0s --reason x",
            "--extend-by \"0s\": write a span",
        ),
        (
            "amend --all-open --extend-by -5m --reason x",
            "--extend-by \"-5m\": write a span",
        ),
        (
            "amend --all-open --extend-by 367d --reason x",
            "write a span",
        ),
        ("amend --all-open --extend-by 3m", "--reason"),
        (
            "amend --ending-before tomorrow --extend-by 3m --reason x",
            "--ending-before",
        ),
        (
            "amend 7731 --extend-by 3m --ends-in 3d --reason x",
            "cannot be used with",
        ),
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{line}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{line}: {}", said.stderr);
    }
    assert!(
        desk.ok("show 7731 --format json")
            .contains("\"ends_at\":\"2099-12-06T03:00:00.000000Z\"")
    );
}

#[test]
fn one_auction_is_extended_by_a_span_too_and_a_repeat_moves_nothing() {
    let desk = Desk::with_guitar();
    let line = format!(
        "amend 7731 --extend-by 30m --reason outage --format json --request-id {OPERATION}"
    );
    for outcome in ["done", "repeated"] {
        let told: Value = serde_json::from_str(&desk.ok(&line)).unwrap();
        assert_eq!(told["outcome"], outcome);
        assert_eq!(told["ends_at"], "2099-12-06T03:30:00.000000Z");
    }
    let other = desk.run(&line.replace("30m", "31m"));
    assert_eq!(other.code, 3);
    assert!(
        other.stderr.contains("request-id-reused"),
        "{}",
        other.stderr
    );
}

#[test]
fn people_read_a_table() {
    let desk = Desk::with_guitar();
    desk.ok(
        "create --id 2 --seller bob --title Lamp --start-price 5 --starts-at 2026-01-01T00:00Z \
         --ends-at 2099-12-06T03:00Z --soft-close-window 2m --soft-close-cap 2099-12-06T03:10Z",
    );
    let lines = [
        "amend --all-open --extend-by 30m --reason outage --dry-run",
        "amend --all-open --extend-by 30m --reason outage",
        "amend --seller nobody --extend-by 30m --reason outage",
    ];
    let said = desk.transcript(&lines);
    crate::support::cli::masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel amend --all-open --extend-by 30m --reason outage --dry-run
          ID  OUTCOME        END                   NEW END
           2  invalid-terms  2099-12-06T03:00:00Z  -
        7731  amended        2099-12-06T03:00:00Z  2099-12-06T03:30:00Z
        ! operation [uuid]: 2 open auctions to extend by 30m
        ! dry run: 1 auction amended, 1 refused; nothing was written
        ! warning: not extended: auction 2: invalid soft_close.cap: the cap must not lie before the end (invalid-terms)
        [exit 3]
        $ gavel amend --all-open --extend-by 30m --reason outage
          ID  OUTCOME        END                   NEW END
           2  invalid-terms  2099-12-06T03:00:00Z  -
        7731  amended        2099-12-06T03:00:00Z  2099-12-06T03:30:00Z
        ! operation [uuid]: 2 open auctions to extend by 30m
        ! 1 auction amended, 1 refused
        ! warning: not extended: auction 2: invalid soft_close.cap: the cap must not lie before the end (invalid-terms)
        [exit 3]
        $ gavel amend --seller nobody --extend-by 30m --reason outage
        ! operation [uuid]: 0 open auctions to extend by 30m
        ! 0 auctions amended
        ");
    });
}
