//! Every verb that writes can be rehearsed, and a rehearsal writes nothing: to the database, to
//! the disk, or to the server's roles.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;

use gavel::auction::Terms;
use gavel::store::{Contract as _, Dossier, Scope};
use sqlx::Connection as _;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::cli::{Desk, words};
use crate::support::drive::{COMMIT, accepted, clock, dossiers, opened};
use crate::support::make::{MINUTE, at, id, party, terms};
use crate::support::postgres::Database;

on_every_backend!(
    nothing_is_written_by_any_verb,
    a_migration_that_is_rehearsed_leaves_an_empty_database,
    an_export_that_is_rehearsed_refuses_what_a_real_one_would,
);

/// In 2099: ahead of every clock that runs these tests.
const FAR: i64 = 4_085_000_000_000_000;
/// In 2020: where the database's clock stands, where it is the database's.
const NOW: i64 = 1_600_000_000_000_000;

/// The verbs that write, and those that do not: together they are all.
const WRITING: [&str; 15] = [
    "amend",
    "bid",
    "burst",
    "cancel",
    "checkpoint",
    "close",
    "close-sweep",
    "create",
    "export",
    "import",
    "keygen",
    "migrate",
    "void",
    "watchlist add",
    "watchlist remove",
];

/// Processes on one backend's database.
struct Hall<B> {
    backend: Arc<B>,
    desk: Desk,
}

impl<B: Backend> Hall<B> {
    fn run(&self, line: &str) -> (i32, String) {
        let output: Output = self
            .desk
            .command(&words(line))
            .env("DATABASE_URL", self.backend.url())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let said = text(output.stdout) + &text(output.stderr);
        (output.status.code().unwrap(), said)
    }

    async fn stored(&self) -> Vec<Dossier> {
        dossiers(&*self.backend, &Scope::All).await.unwrap()
    }
}

/// Auction 1 with bids, 2 without, 3 due, 4 watched by wanda.
async fn hall<B: Backend>(backend: Arc<B>) -> Hall<B> {
    clock(&*backend, MINUTE).await;
    for number in 1..=4 {
        let end = at(if number == 3 { 2 * MINUTE } else { FAR });
        let start = at(MINUTE);
        opened(
            &*backend,
            number,
            Terms {
                start,
                end,
                ..terms()
            },
        )
        .await;
    }
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    accepted(&*backend, 1, 3, "ben", 6_000).await;
    let wanda = party("wanda");
    let watch = backend.store().watch_add(id(4), &wanda, COMMIT);
    watch.await.unwrap();
    clock(&*backend, NOW).await;
    let desk = Desk::bare();
    desk.write(
        "lots.csv",
        "id,seller,title,start_price,ends_in\n71,s,A,5,7d\n72,s,B,5,7d\n",
    );
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n1,cid,90\n2,cid,90\n",
    );
    Hall { backend, desk }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            let bytes = if path.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path.display().to_string(), bytes);
        }
    }
    found
}

async fn nothing_is_written_by_any_verb<B: Backend>(backend: Arc<B>) {
    let hall = hall(backend).await;
    // A folder to import: two more auctions, from another database.
    let other = "--database-url sqlite:other.db";
    for line in ["migrate", "create --file lots.csv", "export elsewhere"] {
        assert_eq!(hall.run(&format!("{line} {other}")).0, 0);
    }
    assert_eq!(hall.run("keygen old.key").0, 0);
    let (database, disk) = (hall.stored().await, files(&hall.desk.path("")));
    let lines = [
        "create --id 8 --seller s --title T --start-price 5 --ends-in 7d",
        "create --file lots.csv",
        "bid 1 --bidder cid --max 90",
        "bid --file bids.csv",
        "amend 2 --title Another --extend-by 5m --reason x",
        "amend --all-open --extend-by 5m --reason x",
        "void 1 --bidder ben --all --reason x",
        "cancel 1 --reason x",
        "close 3",
        "close-sweep",
        "import elsewhere",
        "watchlist add 1 --watcher wanda",
        "watchlist remove 4 --watcher wanda",
        "migrate",
        "export folder",
        "export elsewhere --overwrite",
        "export new/folder --public",
        "keygen new.key --origin example.org/auctions",
        "checkpoint --key old.key --out may.note --leaves may.csv",
        "burst steady --rate 5 --auctions 2 --for 1s --warm-up 0",
    ];
    for verb in WRITING {
        assert!(lines.iter().any(|line| line.starts_with(verb)), "{verb}");
    }
    for line in lines {
        let (code, said) = hall.run(&format!("{line} --dry-run"));
        assert_eq!(code, 0, "{line}: {said}");
        let told = said.contains("dry run") || said.contains("up to date");
        assert!(told, "{line}: {said}");
        assert_eq!(hall.stored().await, database, "{line}");
        assert_eq!(files(&hall.desk.path("")), disk, "{line}");
    }
    // Each of them can be done, so what was rehearsed was no refusal.
    for line in lines {
        // A burst lasts as long as its load, by a clock that goes on.
        if line != "create --file lots.csv" && !line.starts_with("burst") {
            let (code, said) = hall.run(line);
            assert!([0, 3].contains(&code), "{line}: {said}");
        }
    }
    assert_ne!(hall.stored().await, database);
}

async fn a_migration_that_is_rehearsed_leaves_an_empty_database<B: Backend>(_: Arc<B>) {
    let backend = Arc::new(B::bare().await);
    let desk = Desk::bare();
    let hall = Hall { backend, desk };
    let before = hall.backend.store().migration_state().await.unwrap();
    let (code, said) = hall.run("migrate --dry-run");
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("would be applied; nothing was written"),
        "{said}"
    );
    let after = hall.backend.store().migration_state().await.unwrap();
    assert_eq!(
        (after.applied, after.pending),
        (before.applied, before.pending)
    );
}

async fn an_export_that_is_rehearsed_refuses_what_a_real_one_would<B: Backend>(backend: Arc<B>) {
    let hall = hall(backend).await;
    assert_eq!(hall.run("export folder").0, 0);
    hall.desk.write("file", "text");
    fs::create_dir(hall.desk.path("mine")).unwrap();
    hall.desk.write("mine/auctions.csv", "my own");
    let disk = files(&hall.desk.path(""));
    for line in [
        "export folder",
        "export file",
        "export mine",
        "export other 9",
    ] {
        let (real, rehearsed) = (hall.run(line), hall.run(&format!("{line} --dry-run")));
        assert_ne!(real.0, 0, "{line}");
        assert_eq!(real.0, rehearsed.0, "{line}: {} {}", real.1, rehearsed.1);
        let first = |said: &str| said.lines().next().map(str::to_owned);
        assert_eq!(first(&real.1), first(&rehearsed.1));
        assert_eq!(files(&hall.desk.path("")), disk, "{line}");
    }
}

#[test]
fn every_verb_that_writes_offers_a_rehearsal_and_no_other_does() {
    const READING: [&str; 18] = [
        "completions",
        "demo",
        "doctor",
        "history",
        "list",
        "man",
        "mine",
        "prove",
        "replay",
        "report",
        "report shill",
        "show",
        "top",
        "verify",
        "verify-proof",
        "watch",
        "watchlist",
        "watchlist list",
    ];
    let desk = Desk::bare();
    let top = desk.ok("-h");
    let commands = super::help::commands(&top);
    for command in &commands {
        let known = WRITING.iter().chain(&READING).any(|name| name == command);
        assert!(known, "does {command} write? say so here");
    }
    for (verbs, offered) in [(&WRITING[..], true), (&READING[..], false)] {
        for verb in verbs {
            let help = desk.ok(&format!("{verb} --help"));
            assert_eq!(help.contains("--dry-run"), offered, "{verb}");
        }
    }
}

#[tokio::test]
async fn roles_are_rehearsed_where_the_schema_is_there() {
    let database = Database::stopped().await;
    let granted = async || {
        let query = "select count(*) from information_schema.role_table_grants
                     where table_schema = 'gavel' and grantee = 'gavel_auditor'";
        let mut owner = database.connect().await;
        let count: i64 = sqlx::query_scalar(query)
            .fetch_one(&mut owner)
            .await
            .unwrap();
        owner.close().await.unwrap();
        count
    };
    let desk = Desk::bare();
    let run = |line: &str, url: &str| {
        let output = desk.command(&words(line)).env("DATABASE_URL", url).output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), said)
    };
    assert_eq!(granted().await, 0);
    let (code, said) = run("migrate --roles --dry-run", &database.url);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("the roles can be made; none was"), "{said}");
    assert_eq!(granted().await, 0);
    // Who may not make them learns it from the rehearsal.
    let other = database.user("nocreaterole").await;
    assert_eq!(run("migrate --roles --dry-run", &other).0, 1);
    assert_eq!(run("migrate --roles", &database.url).0, 0);
    assert!(granted().await > 0);

    let bare = Database::bare().await;
    let (code, said) = run("migrate --roles --dry-run", &bare.url);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("not rehearsed"), "{said}");
    let (code, said) = run("migrate --roles --dry-run", "sqlite:new.db");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("SQLite has no roles"), "{said}");
    assert!(!desk.path("new.db").exists());
}
