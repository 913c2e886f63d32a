//! Measures the embedded store against bare SQL through the `sqlite3` shell, in one run.
//!
//! `cargo run --release --example measure_sqlite` prints, for several rounds in turn, durable
//! bids a second by gavel (one at a time, sixteen tasks, fifty a transaction) and by the shell
//! doing the same statements, and the ratios. Needs the program `sqlite3` (Debian package
//! sqlite3).

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use gavel::auction::book::Create;
use gavel::auction::{AuctionId, Bid, Currency, OwnRaise, PartyId, RequestId, StepTable, Terms};
use gavel::clock::Clock;
use gavel::store::{Contract, Reply, SqliteStore, WriteMode};
use rand::RngExt as _;
use tokio::task::JoinSet;

const AUCTIONS: i64 = 500;
const BIDS: i64 = 3_000;
const ROUNDS: usize = 3;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    println!(
        "{BIDS} bids over {AUCTIONS} auctions a run, each accepted; bids/s and ratio to the shell"
    );
    for round in 1..=ROUNDS {
        let shell = shell_rate()?;
        let single = gavel_rate(1, 1).await?;
        let tasks = gavel_rate(16, 1).await?;
        let batches = gavel_rate(1, 50).await?;
        println!(
            "round {round}: shell {shell:.0}; gavel one by one {single:.0} ({:.2}), \
             16 tasks {tasks:.0} ({:.2}), 50 a transaction {batches:.0} ({:.2})",
            single / shell,
            tasks / shell,
            batches / shell,
        );
    }
    Ok(())
}

async fn gavel_rate(tasks: i64, batch: usize) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let store = prepared(&folder.path().join("gavel.db")).await?;
    let mut work = JoinSet::new();
    let started = Instant::now();
    for task in 0..tasks {
        let store = store.clone();
        let own = |number: &i64| number % AUCTIONS % tasks == task;
        let bids: Vec<Bid> = (0..BIDS).filter(own).map(bid).collect::<Result<_, _>>()?;
        work.spawn(async move {
            for chunk in bids.chunks(batch) {
                let replies = match chunk {
                    [one] => vec![store.bid_place(one, WriteMode::Commit).await?],
                    many => store
                        .bid_place_many(many, WriteMode::Commit)
                        .await
                        .complete()?,
                };
                ensure!(
                    replies.iter().all(|reply| matches!(reply, Reply::Done(_))),
                    "refused"
                );
            }
            anyhow::Ok(())
        });
    }
    while let Some(done) = work.join_next().await {
        done??;
    }
    Ok(rate(started))
}

async fn prepared(path: &Path) -> anyhow::Result<SqliteStore> {
    let store = SqliteStore::open(path, Clock::System, true)?;
    store.migrate().await?;
    let now = Clock::System.now();
    let currency = Currency::from_code("USD")?;
    let creates: Vec<Create> = (1..=AUCTIONS)
        .map(|id| {
            anyhow::Ok(Create {
                auction_id: AuctionId::new(id)?,
                request_id: random_request(),
                actor: PartyId::new("seller")?,
                nonce: rand::rng().random(),
                terms: Terms {
                    seller: PartyId::new("seller")?,
                    title: "Measured".to_owned(),
                    currency,
                    start_price: currency.parse("10")?,
                    steps: StepTable::parse("ebay-us", currency)?,
                    reserve: None,
                    own_raise: OwnRaise::Keep,
                    soft_close: None,
                    start: now,
                    end: now.plus("7d".parse()?),
                },
            })
        })
        .collect::<Result<_, _>>()?;
    store.auction_create(&creates, WriteMode::Commit).await?;
    Ok(store)
}

/// Every auction's bids rise, and one task places all of an auction's bids, so each is accepted.
fn bid(number: i64) -> anyhow::Result<Bid> {
    Ok(Bid {
        auction_id: AuctionId::new(number % AUCTIONS + 1)?,
        request_id: random_request(),
        bidder: PartyId::new(format!("bidder-{number}"))?,
        maximum: 1_000 * 3_i64.pow(u32::try_from(number / AUCTIONS)?),
        currency: Currency::from_code("USD")?,
        nonce: rand::rng().random(),
    })
}

fn random_request() -> RequestId {
    RequestId::from_bytes(rand::rng().random())
}

/// The same look-ups, update and insert as a script, on the same schema.
fn shell_rate() -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("shell.db");
    let schema = concat!(
        "pragma journal_mode = wal;\n",
        include_str!("../migrations/sqlite/0001_core.sql")
    );
    let mut setup = schema.to_owned();
    for id in 1..=AUCTIONS {
        writeln!(
            setup,
            "insert into auctions (auction_id, status, seller, title, currency, exponent, \
             start_price, steps_name, steps, own_raise, start_us, first_end_us, end_us, last_seq, \
             last_us, head) values ({id}, 'OPEN', 'seller', 'Measured', 'USD', 2, 1000, 'ebay-us', \
             '[[1,5],[100,25]]', 'keep', 1, 9, 9, 1, 1, zeroblob(32));"
        )?;
    }
    sqlite3(&path, &setup)?;
    let mut script = String::from("pragma synchronous = full; pragma foreign_keys = on;\n");
    for number in 0..BIDS {
        let id = number % AUCTIONS + 1;
        let seq = number / AUCTIONS + 2;
        let request = hex::encode(random_request().bytes());
        let hash = hex::encode(rand::rng().random::<[u8; 32]>());
        writeln!(
            script,
            "begin immediate;\n\
             select * from auctions where auction_id = {id};\n\
             select * from ledger where auction_id = {id} and request_id = x'{request}';\n\
             update auctions set leader = 'bidder-{number}', leader_max = 5000, runner_up_max = 4000, \
             price = 4100, reserve_met = 1, bid_count = bid_count + 1, last_seq = {seq}, \
             last_us = {number} + 2, head = x'{hash}', end_us = 9 where auction_id = {id};\n\
             insert into ledger values ({id}, {seq}, 2, {number} + 2, x'{request}', \
             'bidder-{number}', 5000, x'{request}', '', 4100, 'bidder-{number}', 9, 1, x'{hash}');\n\
             commit;"
        )?;
    }
    let started = Instant::now();
    sqlite3(&path, &script)?;
    Ok(rate(started))
}

fn sqlite3(path: &Path, script: &str) -> anyhow::Result<()> {
    let mut shell = Command::new("sqlite3")
        .arg("-bail")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .context("the program sqlite3 is missing: apt-get install sqlite3")?;
    shell
        .stdin
        .take()
        .context("no stdin")?
        .write_all(script.as_bytes())?;
    ensure!(shell.wait()?.success(), "sqlite3 failed");
    Ok(())
}

fn rate(started: Instant) -> f64 {
    f64::from(u32::try_from(BIDS).unwrap_or(u32::MAX)) / started.elapsed().as_secs_f64()
}
