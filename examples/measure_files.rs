//! Measures `gavel create --file` and `gavel bid --file` against bare COPY, pgbench calling
//! `place_bid`, and bare SQLite statements, in one run.
//!
//! `cargo build --release && cargo run --release --example measure_files [postgres|sqlite [ROWS]]`
//! uploads ROWS auctions and as many bids (1,000,000 on PostgreSQL, 200,000 on SQLite if not told)
//! and a tenth of them, prints rows a second, the ratio to the reference, and the most memory that
//! was resident for either size: it must not grow with the file. Needs the Debian packages
//! postgresql and sqlite3 (or their like).

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

#[path = "measure/pgbench.rs"]
mod pgbench;
#[path = "measure/program.rs"]
mod program;
#[path = "measure/server.rs"]
mod server;
#[path = "measure/shell.rs"]
mod shell;
#[path = "measure/timed.rs"]
mod timed;
#[path = "measure/uploads.rs"]
mod uploads;

use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use server::Server;
use timed::Taken;
use uploads::Uploads;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let database = arguments.next();
    let rows: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    match database.as_deref() {
        None => {
            postgres(1_000_000)?;
            sqlite(200_000)
        }
        Some("postgres") => postgres(rows.unwrap_or(1_000_000)),
        Some("sqlite") => sqlite(rows.unwrap_or(200_000)),
        Some(other) => bail!("no database {other}: postgres or sqlite"),
    }
}

/// Uploads both files; tells rates, and memory for these and for a tenth.
fn upload(
    url: &dyn Fn(&str) -> anyhow::Result<String>,
    rows: u32,
) -> anyhow::Result<(String, Taken, Taken)> {
    let folder = tempfile::tempdir()?;
    let mut peaks = Vec::new();
    for (name, size) in [("tenth", rows / 10), ("whole", rows)] {
        let files = Uploads::write(folder.path(), size)?;
        let url = url(name)?;
        timed::run(&url, &["migrate"])?;
        let lots = files.lots.to_str().context("no path")?;
        let bids = files.bids.to_str().context("no path")?;
        let created = timed::run(&url, &["create", "--file", lots])?;
        let placed = timed::run(&url, &["bid", "--file", bids])?;
        peaks.push((created.peak_mib, placed.peak_mib));
        if size == rows {
            println!("{rows} auctions and {rows} bids from files:");
            for (what, tenth, whole) in [
                ("create", peaks[0].0, peaks[1].0),
                ("bid", peaks[0].1, peaks[1].1),
            ] {
                println!(
                    "  gavel {what} --file: most memory {whole:.0} MiB, for a tenth of the rows \
                     {tenth:.0} MiB"
                );
            }
            return Ok((url, created, placed));
        }
    }
    bail!("nothing was uploaded")
}

fn rate(rows: u32, seconds: f64) -> f64 {
    f64::from(rows) / seconds
}

fn tell(what: &str, ours: f64, reference: &str, theirs: f64) {
    println!(
        "  {what}: {ours:.0}/s against {theirs:.0}/s by {reference} = {:.2}",
        ours / theirs
    );
}

fn postgres(rows: u32) -> anyhow::Result<()> {
    let server = Server::start()?;
    println!("PostgreSQL, durable:");
    let (_, created, placed) = upload(
        &|name| {
            server.sql("postgres", &format!("create database {name}"))?;
            Ok(server.url(name))
        },
        rows,
    )?;
    let ours = rate(rows, created.seconds);
    tell(
        "creating",
        ours,
        "COPY of the same rows",
        copy(&server, rows)?,
    );
    let ours = rate(rows, placed.seconds);
    for (what, options) in [
        ("pgbench calling place_bid, 16 clients", ""),
        (
            "the same, commits not waiting for the disk",
            "-c synchronous_commit=off",
        ),
    ] {
        let theirs = place_bid(&server, rows, options)?;
        tell("bidding", ours, what, theirs);
    }
    Ok(())
}

/// What an auction and its first entry are stored in, but for what is computed.
const AUCTIONS: &str = "auction_id, status, seller, title, currency, exponent, start_price,
    steps_name, steps, reserve, own_raise, soft_window_us, soft_extend_us, soft_mode, soft_trigger,
    soft_cap_us, start_us, first_end_us, end_us, reserve_met, bid_count, last_seq, last_us, head";
const LEDGER: &str = "auction_id, seq, kind, flags, at_us, request_id, secret, price, end_us,
    actor, nonce, detail, leader, hash";

/// The rows that gavel made, by the server's own COPY into fresh tables of another database.
fn copy(server: &Server, rows: u32) -> anyhow::Result<f64> {
    server.sql("postgres", "create database bare")?;
    timed::run(&server.url("bare"), &["migrate"])?;
    let folder = server.sql("whole", "select current_setting('unix_socket_directories')")?;
    let first = "l.seq = 1";
    server.sql(
        "whole",
        &format!(
            "copy (select a.auction_id, 'OPEN', a.seller, a.title, a.currency, a.exponent,
                          a.start_price, a.steps_name, a.steps, a.reserve, a.own_raise,
                          a.soft_window_us, a.soft_extend_us, a.soft_mode, a.soft_trigger,
                          a.soft_cap_us, a.start_us, a.first_end_us, a.first_end_us, false,
                          0::bigint, 1, l.at_us, l.hash
                   from gavel.auctions a join gavel.ledger l using (auction_id)
                   where {first} order by a.auction_id)
             to '{folder}/auctions' (format binary);
             copy (select {LEDGER} from gavel.ledger l where {first} order by l.auction_id)
             to '{folder}/ledger' (format binary)"
        ),
    )?;
    let started = Instant::now();
    server.sql(
        "bare",
        &format!(
            "begin;
             copy gavel.auctions ({AUCTIONS}) from '{folder}/auctions' (format binary);
             copy gavel.ledger ({LEDGER}) from '{folder}/ledger' (format binary);
             commit"
        ),
    )?;
    Ok(rate(rows, started.elapsed().as_secs_f64()))
}

/// Bids like those of the file, on the auctions that COPY made.
fn place_bid(server: &Server, rows: u32, options: &str) -> anyhow::Result<f64> {
    const SECONDS: &str = "30";
    let script = format!(
        "\\set auction random(1, {rows})\n\\set bidder random(1, 50000)\n\
         \\set maximum random(5000, 20000000)\n\
         select * from gavel.place_bid(:auction, gen_random_uuid(), 'bidder-' || :bidder, \
         :maximum, 'USD', uuid_send(gen_random_uuid()));\n"
    );
    for statement in ["vacuum analyze", "checkpoint"] {
        server.sql("bare", statement)?;
    }
    let ran = pgbench::run(server, "bare", &script, 16, &["-T", SECONDS], options)?;
    ensure!(ran.count > 0.0, "no bid was placed");
    Ok(ran.rate)
}

fn sqlite(rows: u32) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    println!("SQLite, durable:");
    let (url, created, placed) = upload(
        &|name| Ok(format!("sqlite:{}/{name}.db", folder.path().display())),
        rows,
    )?;
    let made = url.trim_start_matches("sqlite:");
    let (inserts, bids) = shell::rates(folder.path(), made.as_ref(), rows)?;
    let reference = "the sqlite3 shell inserting the same rows in one transaction";
    tell("creating", rate(rows, created.seconds), reference, inserts);
    let reference = "the shell doing a bid's statements, 1,000 bids a transaction";
    tell("bidding", rate(rows, placed.seconds), reference, bids);
    Ok(())
}
