//! Measures audits at size against bare readers and against two databases' own derivations, in one
//! run.
//!
//! `cargo build --release && cargo run --release --example measure_audit [AUCTIONS [ROUNDS]]`
//! starts a durable PostgreSQL of its own, fills it with so many closed auctions (400,000 if not
//! told) of 24 bids each, exports them as Parquet and as CSV, and runs the `gavel` program and its
//! references in turn (3 rounds if not told). Medians, the median of the rounds' ratios, and their
//! range; entries a second, and the most memory that was resident.
//!
//! Needs the Debian package postgresql; `duckdb` (or the program that DUCKDB names) where there is
//! one. The query in PostgreSQL derives leader and price of every auction from its bids and
//! compares them with the rows; the one in DuckDB derives the winners.

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

#[path = "measure/auctions.rs"]
mod auctions;
#[path = "measure/figures.rs"]
mod figures;
#[path = "measure/program.rs"]
mod program;
#[path = "measure/server.rs"]
mod server;
#[path = "measure/timed.rs"]
mod timed;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use figures::Figures;
use gavel::store::{Contract, PostgresStore};
use server::Server;

const BIDS: i64 = 24;
const UNHASHED: [&str; 3] = [
    "replay",
    "--no-check",
    "hash-chain,commitment,manifest-sha256",
];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut whole = |usual: i64| -> anyhow::Result<i64> {
        let stated = arguments.next().map(|text| text.parse());
        Ok(stated
            .transpose()
            .context("AUCTIONS and ROUNDS are whole numbers")?
            .unwrap_or(usual))
    };
    let (auctions, rounds) = (whole(400_000)?, whole(3)?);
    let entries = auctions * (BIDS + 1);
    let server = Server::start()?;
    let url = prepare(&server, auctions).await?;
    let folder = tempfile::tempdir()?;
    let (parquet, csv) = (folder.path().join("parquet"), folder.path().join("csv"));
    timed::run(&url, &["export", text(&parquet)?, "--as", "parquet"])?;
    timed::run(&url, &["export", text(&csv)?])?;

    let mut figures = Figures::default();
    let mut peak: f64 = 0.0;
    for round in 1..=rounds {
        let mut gavel = |name: &'static str, arguments: &[&str]| -> anyhow::Result<()> {
            let taken = timed::run(&url, arguments)?;
            figures.add(name, per_second(entries, taken.seconds));
            println!("  round {round}: {name} {:.0} MiB", taken.peak_mib);
            peak = peak.max(taken.peak_mib);
            Ok(())
        };
        gavel("database", &["replay"])?;
        gavel("database unhashed", &UNHASHED)?;
        let from = |folder| -> anyhow::Result<[&str; 2]> { Ok(["--from", text(folder)?]) };
        gavel(
            "parquet",
            &[&["replay"], from(&parquet)?.as_slice()].concat(),
        )?;
        gavel(
            "parquet unhashed",
            &[UNHASHED.as_slice(), &from(&parquet)?].concat(),
        )?;
        gavel("csv", &[&["replay"], from(&csv)?.as_slice()].concat())?;
        gavel(
            "csv unhashed",
            &[UNHASHED.as_slice(), &from(&csv)?].concat(),
        )?;
        let mut reference = |name, command: &mut Command| -> anyhow::Result<()> {
            figures.add(name, per_second(entries, seconds(command)?));
            Ok(())
        };
        reference("copy", &mut psql(&server, COPY))?;
        reference("query", &mut psql(&server, DERIVE))?;
        reference(
            "sha256sum",
            Command::new("sha256sum").arg(csv.join("ledger.csv")),
        )?;
        if let Some(mut duckdb) = duckdb(&parquet.join("ledger.parquet")) {
            reference("duckdb", &mut duckdb)?;
        }
    }
    println!("{auctions} auctions, {entries} entries, {rounds} rounds: entries a second");
    for (told, name, reference) in [
        (
            "replay from PostgreSQL against ordered COPY",
            "database",
            "copy",
        ),
        ("  the same, nothing hashed", "database unhashed", "copy"),
        (
            "replay from PostgreSQL against the derivation in one query",
            "database",
            "query",
        ),
        (
            "replay from Parquet against DuckDB's winners",
            "parquet",
            "duckdb",
        ),
        ("  the same, nothing hashed", "parquet unhashed", "duckdb"),
        (
            "replay from Parquet against the same, nothing hashed",
            "parquet",
            "parquet unhashed",
        ),
        ("replay from CSV against sha256sum", "csv", "sha256sum"),
        (
            "  the same, nothing hashed but the files",
            "csv unhashed",
            "sha256sum",
        ),
    ] {
        println!("{}", figures.ratio(told, name, reference));
    }
    println!("most memory resident: {peak:.0} MiB");
    Ok(())
}

async fn prepare(server: &Server, auctions: i64) -> anyhow::Result<String> {
    server.sql("postgres", "create database audit")?;
    let url = server.url("audit");
    let store = PostgresStore::connect(&url)?;
    store.migrate().await?;
    auctions::fill(&store, auctions, BIDS).await?;
    store.close().await;
    server.sql("audit", "vacuum analyze")?;
    Ok(url)
}

fn text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("a folder whose name is no text")
}

fn psql(server: &Server, query: &str) -> Command {
    let mut command = server.program("psql", "audit");
    command.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", query]);
    command
}

fn duckdb(ledger: &Path) -> Option<Command> {
    let program = std::env::var_os("DUCKDB").unwrap_or_else(|| OsString::from("duckdb"));
    let found = Command::new(&program)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if found.is_err() {
        println!("  duckdb is missing: name it by DUCKDB");
        return None;
    }
    let query = format!(
        "select count(*), sum(secret) from (select actor, secret, row_number() over \
         (partition by auction_id order by secret desc, seq) as place from '{}' \
         where kind = 'bid') where place = 1",
        ledger.display()
    );
    let mut command = Command::new(program);
    command.args(["-c", &query]);
    Some(command)
}

fn seconds(command: &mut Command) -> anyhow::Result<f64> {
    let started = Instant::now();
    let status = command.stdout(Stdio::null()).status();
    let status = status.context("a reference program is missing")?;
    ensure!(status.success(), "a reference program failed");
    Ok(started.elapsed().as_secs_f64())
}

fn per_second(entries: i64, seconds: f64) -> f64 {
    f64::from(u32::try_from(entries).unwrap_or(u32::MAX)) / seconds
}

const COPY: &str = "copy (
    select auction_id, seq, kind, at_us, request_id, actor, secret, nonce, detail, price, leader,
           end_us, flags, hash
    from gavel.ledger order by auction_id, seq) to stdout (format binary)";

/// The second computation of `gavel::ledger::cross_check`, for auctions without voids and
/// reserves; fails unless every row agrees.
const DERIVE: &str = r"
with bids as materialized (
    select auction_id, seq, actor, secret from gavel.ledger where kind = 2
), top as materialized (
    select distinct on (auction_id) auction_id, actor as leader, secret as top
    from bids order by auction_id, secret desc, seq
), second as materialized (
    select distinct on (b.auction_id) b.auction_id, b.secret as r, b.seq as q
    from bids b join top t using (auction_id)
    where b.actor <> t.leader order by b.auction_id, b.secret desc, b.seq
), own as (
    select t.auction_id,
           (array_agg(b.secret order by b.seq desc) filter (where b.seq < s.q))[1] as before,
           (array_agg(b.secret order by b.seq) filter (where b.seq > s.q and b.secret > s.r))[1]
               as after
    from top t join second s using (auction_id)
    join bids b on b.auction_id = t.auction_id and b.actor = t.leader
    group by t.auction_id
), derived as (
    select a.auction_id, a.winner, a.final_price, t.leader,
           case when s.r is null then a.start_price
                else least(case when o.before >= s.r then o.before else o.after end,
                           s.r + (select a.steps[i + 1] from generate_subscripts(a.steps, 1) i
                                  where i % 2 = 1 and a.steps[i] <= s.r
                                  order by a.steps[i] desc limit 1))
           end as price
    from gavel.auctions a join top t using (auction_id)
    left join second s using (auction_id) left join own o using (auction_id)
)
select 1 / (count(*) filter (where winner is distinct from leader
                                or final_price is distinct from price) = 0)::int, count(*)
from derived";
