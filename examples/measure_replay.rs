//! Measures the replay from SQLite and from a CSV folder against reading alone, in one run.
//!
//! `cargo run --release --example measure_replay [AUCTIONS]` makes a database of so many closed
//! auctions (20,000 if not told) of 24 bids each, exports it, and prints entries a second and the
//! ratio to a reader that checks nothing: the `sqlite3` shell selecting the ledger in order (Debian
//! package sqlite3), and `sha256sum` over the folder's ledger.

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

#[path = "measure/auctions.rs"]
mod auctions;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use gavel::clock::Clock;
use gavel::ledger::bundle::{ExportOptions, export};
use gavel::ledger::{ReplayOptions, ReplayReport, replay_folder, replay_store};
use gavel::store::{Contract, Scope, SqliteStore};

const BIDS: i64 = 24;
const ROUNDS: usize = 3;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let wanted = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "20000".to_owned());
    let auctions: i64 = wanted.parse().context("AUCTIONS is a whole number")?;
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("gavel.db");
    let exported = folder.path().join("export");
    let store = filled(&database, auctions).await?;
    export(
        &store,
        &Scope::All,
        &exported,
        ExportOptions::default(),
        |_| {},
    )
    .await?;
    let entries = auctions * (BIDS + 1);
    println!("{auctions} auctions, {entries} entries; entries/s and ratio to reading alone");
    let options = ReplayOptions::default();
    for round in 1..=ROUNDS {
        let mut select = Command::new("sqlite3");
        select
            .arg(&database)
            .arg("select * from ledger order by auction_id, seq");
        let shell = rate(entries, &mut select)?;
        let started = Instant::now();
        clean(&replay_store(&store, &Scope::All, &options, |_| {}).await?)?;
        let database = per_second(entries, started);
        let sum = rate(
            entries,
            Command::new("sha256sum").arg(exported.join("ledger.csv")),
        )?;
        let started = Instant::now();
        clean(&replay_folder(&exported, &Scope::All, &options, |_| {}).await?)?;
        let files = per_second(entries, started);
        println!(
            "round {round}: SQLite {database:.0} (sqlite3 {shell:.0}, {:.2}); \
             CSV {files:.0} (sha256sum {sum:.0}, {:.2})",
            database / shell,
            files / sum,
        );
    }
    Ok(())
}

async fn filled(path: &Path, auctions: i64) -> anyhow::Result<SqliteStore> {
    let store = SqliteStore::open(path, Clock::System, true)?;
    store.migrate().await?;
    auctions::fill(&store, auctions, BIDS).await?;
    Ok(store)
}

fn clean(report: &ReplayReport) -> anyhow::Result<()> {
    ensure!(
        report.is_clean(),
        "the replay has {} findings",
        report.findings
    );
    Ok(())
}

fn rate(entries: i64, command: &mut Command) -> anyhow::Result<f64> {
    let started = Instant::now();
    let status = command
        .stdout(Stdio::null())
        .status()
        .context("a reference program is missing")?;
    ensure!(status.success(), "a reference program failed");
    Ok(per_second(entries, started))
}

fn per_second(entries: i64, started: Instant) -> f64 {
    f64::from(u32::try_from(entries).unwrap_or(u32::MAX)) / started.elapsed().as_secs_f64()
}
