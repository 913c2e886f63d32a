//! Runs the real binary as a user would: its own home and database, no inherited environment, 80
//! columns, no colour. A run is written down as a transcript for snapshots.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use std::sync::LazyLock;

use gavel::auction::book::Create;
use gavel::auction::operator::Deed;
use gavel::auction::{Action, Bid, Micros, RequestId, StepTable, Terms};
use gavel::clock::Clock;
use gavel::store::{CloseReply, Contract as _, Reply, Store, StoreUrl, WriteMode};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::make;

/// A desk with a home, a folder for files, and a database.
pub(crate) struct Desk {
    folder: TempDir,
}

/// What a run said.
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Desk {
    /// Without a database.
    pub(crate) fn bare() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// With a migrated database.
    pub(crate) fn ready() -> Self {
        let desk = Self::bare();
        assert_eq!(desk.run("migrate").code, 0);
        desk
    }

    /// Ready, with auction 7731: starts at 1000, step 100, open until 2099.
    pub(crate) fn with_guitar() -> Self {
        let desk = Self::ready();
        desk.ok(
            "create --id 7731 --seller alice --title 'Guitar, 1962' --start-price 1000 \
                 --steps 100 --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z",
        );
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path("home/data/gavel/gavel.db")
    }

    /// The same database in this process, on a clock that the test sets.
    pub(crate) fn store_at(&self, instant: &str) -> (Store, Clock) {
        let clock = Clock::settable(instant.parse::<Micros>().unwrap());
        let url = StoreUrl::Sqlite(self.database());
        let _entered = RUNTIME.enter();
        (Store::connect(&url, clock.clone(), false).unwrap(), clock)
    }

    /// The binary, in this desk's surroundings.
    pub(crate) fn command<S: AsRef<std::ffi::OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gavel"));
        command
            .args(args)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("XDG_DATA_HOME", self.path("home/data"))
            .env("COLUMNS", "80")
            .env("NO_COLOR", "1")
            .env("TZ", "America/Los_Angeles")
            .current_dir(self.folder.path());
        command
    }

    /// Runs a line; single quotes keep words together.
    pub(crate) fn run(&self, line: &str) -> Said {
        Said::of(
            self.command(&words(line))
                .stdin(Stdio::null())
                .output()
                .unwrap(),
        )
    }

    /// Runs words as they are.
    pub(crate) fn run_words(&self, words: &[&str]) -> Said {
        Said::of(self.command(words).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs a line with standard input.
    pub(crate) fn run_with(&self, line: &str, input: &[u8]) -> Said {
        let mut child = self
            .command(&words(line))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Said::of(child.wait_with_output().unwrap())
    }

    /// Runs a line that must succeed; gives its results.
    pub(crate) fn ok(&self, line: &str) -> String {
        let said = self.run(line);
        assert_eq!(said.code, 0, "{line}: {}", said.stderr);
        said.stdout
    }

    /// Runs lines and writes down what they said.
    pub(crate) fn transcript(&self, lines: &[&str]) -> String {
        let mut text = String::new();
        for line in lines {
            let said = self.run(line);
            text.push_str(&format!("$ gavel {line}\n{}", self.masked(&said)));
        }
        text
    }

    /// What a run said, with the folder, fresh ids and present times masked.
    pub(crate) fn masked(&self, said: &Said) -> String {
        let folder = self.folder.path().to_str().unwrap();
        let code = match said.code {
            0 => String::new(),
            code => format!("[exit {code}]\n"),
        };
        let noted: String = said
            .stderr
            .lines()
            .map(|line| format!("! {line}\n"))
            .collect();
        format!("{}{noted}{code}", said.stdout).replace(folder, "[folder]")
    }
}

impl Said {
    fn of(output: Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// Splits at spaces; single quotes keep words together.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// What differs from run to run: fresh ids and hashes, present times. Far and fixed times stay.
pub(crate) const MASKS: [(&str, &str); 5] = [
    (
        r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "[uuid]",
    ),
    (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{2,6}Z", "[time]"),
    (r"[0-9a-f]{64}", "[sha256]"),
    (r"head [0-9a-f]{16}…", "head [hash]"),
    (
        r"\((in )?\d+(d|h|m|s|ms|us)( \d+\w+)?( ago)?\)",
        "([relative])",
    ),
];

/// Runs a snapshot behind the masks.
pub(crate) fn masking(check: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    for (pattern, mask) in MASKS {
        settings.add_filter(pattern, mask);
    }
    settings.bind(check);
}

/// Auctions that have ended, made in the past through the store.
impl Desk {
    /// Starts at 100.00, flat step 1.00.
    pub(crate) fn past_auction(&self, store: &Store, id: i64, end: &str) {
        self.past_create(store, id, end, None);
    }

    /// The same with a reserve of 777.77.
    pub(crate) fn past_reserve(&self, store: &Store, id: i64, end: &str) {
        self.past_create(store, id, end, Some("777.77"));
    }

    fn past_create(&self, store: &Store, id: i64, end: &str, reserve: Option<&str>) {
        let terms = Terms {
            seller: make::party("alice"),
            title: format!("Lot {id}"),
            start_price: make::usd("100"),
            steps: StepTable::parse("1", make::currency("USD")).unwrap(),
            reserve: reserve.map(make::usd),
            start: "2026-01-01T00:00:00Z".parse().unwrap(),
            end: end.parse().unwrap(),
            ..make::terms()
        };
        let create = Create {
            auction_id: make::id(id),
            request_id: RequestId::from_bytes(rand::random()),
            actor: make::party("alice"),
            nonce: [7; 16],
            terms,
        };
        let replies = block_on(store.auction_create(&[create], WriteMode::Commit)).unwrap();
        assert!(matches!(replies[..], [Reply::Done(_)]), "{replies:?}");
    }

    /// A bid, in minor units.
    pub(crate) fn past_bid(&self, store: &Store, id: i64, bidder: &str, maximum: i64) {
        let bid = Bid {
            auction_id: make::id(id),
            request_id: RequestId::from_bytes(rand::random()),
            bidder: make::party(bidder),
            maximum,
            currency: make::currency("USD"),
            nonce: rand::random(),
        };
        let reply = block_on(store.bid_place(&bid, WriteMode::Commit)).unwrap();
        assert!(matches!(reply, Reply::Done(_)), "{reply:?}");
    }

    pub(crate) fn past_cancel(&self, store: &Store, id: i64) {
        let action = Action {
            request_id: RequestId::from_bytes(rand::random()),
            actor: make::party("operator"),
            reason: "withdrawn".to_owned(),
            nonce: [0; 16],
            deed: Deed::Cancel,
        };
        let reply = block_on(store.auction_act(make::id(id), &action, WriteMode::Commit)).unwrap();
        assert!(matches!(reply, Reply::Done(_)), "{reply:?}");
    }

    pub(crate) fn past_close(&self, store: &Store, id: i64) {
        let reply = block_on(store.auction_close(make::id(id), WriteMode::Commit)).unwrap();
        assert!(matches!(reply, CloseReply::Closed(_)), "{reply:?}");
    }
}

/// One runtime for the tests that reach into a database.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

fn block_on<T>(work: impl Future<Output = T>) -> T {
    RUNTIME.block_on(work)
}
