//! The replay of a whole database, against a bare COPY of the columns it reads of the ledger.

use std::process::Stdio;
use std::time::Instant;

use anyhow::ensure;
use gavel::ledger::{ReplayOptions, replay_store};
use gavel::store::{Contract, PostgresStore, Scope};

use super::auctions;
use super::figures::Figures;
use super::server::Server;

const AUCTIONS: i64 = 20_000;
const BIDS: i64 = 24;

pub(crate) async fn prepare(server: &Server, database: &str) -> anyhow::Result<()> {
    server.sql("postgres", &format!("create database {database}"))?;
    let store = PostgresStore::connect(&server.url(database))?;
    store.migrate().await?;
    auctions::fill(&store, AUCTIONS, BIDS).await?;
    store.close().await;
    server.sql(database, "vacuum analyze")?;
    Ok(())
}

pub(crate) async fn round(
    server: &Server,
    database: &str,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let store = PostgresStore::connect(&server.url(database))?;
    let started = Instant::now();
    let report = replay_store(&store, &Scope::All, &ReplayOptions::default(), |_| {}).await?;
    figures.add("replay", per_second(started));
    ensure!(report.is_clean(), "{} findings", report.findings);
    store.close().await;
    for (name, text) in [("copy", COPY), ("copy unordered", COPY_UNORDERED)] {
        let started = Instant::now();
        let status = server
            .program("psql", database)
            .args(["-X", "-q", "-c", text])
            .stdout(Stdio::null())
            .status()?;
        figures.add(name, per_second(started));
        ensure!(status.success(), "psql failed");
    }
    Ok(())
}

const COPY: &str = "copy (
    select auction_id, seq, kind, at_us, request_id, actor, secret, nonce, detail, price, leader,
           end_us, flags, hash
    from gavel.ledger order by auction_id, seq) to stdout (format binary)";
const COPY_UNORDERED: &str = "copy gavel.ledger (
    auction_id, seq, kind, at_us, request_id, actor, secret, nonce, detail, price, leader, end_us,
    flags, hash) to stdout (format binary)";

fn per_second(started: Instant) -> f64 {
    let entries = AUCTIONS * (BIDS + 1);
    f64::from(u32::try_from(entries).unwrap_or(u32::MAX)) / started.elapsed().as_secs_f64()
}

pub(crate) fn lines(figures: &Figures) -> Vec<String> {
    vec![
        figures.ratio("entries/s, replay against ordered COPY", "replay", "copy"),
        figures.ratio(
            "entries/s, replay against unordered COPY",
            "replay",
            "copy unordered",
        ),
    ]
}
