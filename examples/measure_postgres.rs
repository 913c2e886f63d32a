//! Measures the PostgreSQL store against `pgbench` calling the same functions, in one run.
//!
//! `cargo run --release --example measure_postgres -- postgres://USER@HOST/SCRATCH` migrates the
//! database, fills it with auctions of its own and prints, for several rounds in turn, bids a
//! second by gavel and by pgbench (spread over many auctions, and on one; 1 and 16 connections),
//! closes a second by gavel and by the same bare statement, and the ratios. Needs the program
//! `pgbench` (Debian package postgresql) and a database that may be filled.

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

use std::io::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use gavel::auction::book::Create;
use gavel::auction::{
    Amount, AuctionId, Bid, Currency, Micros, OwnRaise, PartyId, RequestId, StepTable, Terms,
};
use gavel::store::{Contract, PostgresStore, Reply, WriteMode};
use rand::RngExt as _;
use tokio::task::JoinSet;

const AUCTIONS: i64 = 1_000;
const ROUNDS: usize = 3;
const SECONDS: u64 = 5;
const CLOSES: usize = 5_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::args()
        .nth(1)
        .context("state the URL of a scratch database")?;
    let store = PostgresStore::connect_with(&url, 16)?;
    store.migrate().await?;
    println!("bids a second: gavel / pgbench = ratio");
    for round in 1..=ROUNDS {
        for (what, auctions) in [("spread", AUCTIONS), ("one auction", 1)] {
            for clients in [1, 16] {
                let first = filled(&store, auctions, 3_600_000_000).await?;
                let ours = gavel_bids(&store, first, auctions, clients).await?;
                let first = filled(&store, auctions, 3_600_000_000).await?;
                let theirs = pgbench_bids(&url, first, auctions, clients)?;
                println!(
                    "round {round}: {what}, {clients} connections: {ours:.0} / {theirs:.0} = {:.2}",
                    ours / theirs
                );
            }
        }
        let (ours, theirs) = (
            gavel_closes(&store).await?,
            bare_closes(&store, &url).await?,
        );
        println!(
            "round {round}: closes a second: {ours:.0} / {theirs:.0} = {:.2}",
            ours / theirs
        );
    }
    Ok(())
}

/// Fresh auctions under ids of their own; the first id.
async fn filled(store: &PostgresStore, count: i64, lasting_us: i64) -> anyhow::Result<i64> {
    let first = rand::rng().random_range(1..1_000_000_000) * 1_000_000;
    let now = store.now().await?;
    let currency = Currency::from_code("USD")?;
    let terms = Terms {
        seller: PartyId::new("seller")?,
        title: "A lot".to_owned(),
        currency,
        start_price: Amount::new(1)?,
        steps: StepTable::flat(Amount::new(1)?),
        reserve: None,
        own_raise: OwnRaise::Keep,
        soft_close: None,
        start: now,
        end: Micros::new(now.get() + lasting_us)?,
    };
    let creates: Vec<Create> = (first..first + count)
        .map(|id| {
            anyhow::Ok(Create {
                auction_id: AuctionId::new(id)?,
                request_id: random_request(),
                actor: PartyId::new("seller")?,
                nonce: rand::rng().random(),
                terms: terms.clone(),
            })
        })
        .collect::<Result<_, _>>()?;
    let replies = store.auction_create(&creates, WriteMode::Commit).await?;
    let done = |reply: &Reply<_>| matches!(reply, Reply::Done(_));
    ensure!(replies.iter().all(done), "an auction was not created");
    Ok(first)
}

fn random_request() -> RequestId {
    RequestId::from_bytes(rand::rng().random())
}

/// Maxima grow with time, in both programs alike, so that nearly every bid is accepted.
async fn gavel_bids(
    store: &PostgresStore,
    first: i64,
    auctions: i64,
    clients: usize,
) -> anyhow::Result<f64> {
    let started = Instant::now();
    let mut work = JoinSet::new();
    for client in 0..clients {
        let store = store.clone();
        work.spawn(async move {
            let mut placed = 0_u32;
            while started.elapsed() < Duration::from_secs(SECONDS) {
                let bid = Bid {
                    auction_id: AuctionId::new(first + rand::rng().random_range(0..auctions))?,
                    request_id: random_request(),
                    bidder: PartyId::new(format!("b{client}"))?,
                    maximum: 1_000 + i64::try_from(started.elapsed().as_micros())?,
                    currency: Currency::from_code("USD")?,
                    nonce: rand::rng().random(),
                };
                store.bid_place(&bid, WriteMode::Commit).await?;
                placed += 1;
            }
            anyhow::Ok(placed)
        });
    }
    let mut placed = 0;
    while let Some(done) = work.join_next().await {
        placed += done??;
    }
    Ok(f64::from(placed) / started.elapsed().as_secs_f64())
}

fn pgbench_bids(url: &str, first: i64, auctions: i64, clients: usize) -> anyhow::Result<f64> {
    let last = first + auctions - 1;
    let start = gavel::clock::Clock::System.now().get();
    let script = format!(
        "\\set id random({first}, {last})
         select * from gavel.place_bid(:id, gen_random_uuid(), 'b' || :client_id,
             1000 + gavel.clock_us() - {start},
             'USD', '\\x00112233445566778899aabbccddeeff');\n"
    );
    pgbench(url, &script, clients, &["-T", &SECONDS.to_string()])
}

fn pgbench(url: &str, script: &str, clients: usize, more: &[&str]) -> anyhow::Result<f64> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(script.as_bytes())?;
    let output = Command::new("pgbench")
        .args([
            "-n",
            "-M",
            "prepared",
            "-c",
            &clients.to_string(),
            "-j",
            "2",
        ])
        .args(more)
        .arg("-f")
        .arg(file.path())
        .arg(url)
        .output()
        .context("pgbench does not run: install the Debian package postgresql")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let rate = text
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))
        .and_then(|rest| rest.split(' ').next())
        .with_context(|| format!("{text}{}", String::from_utf8_lossy(&output.stderr)))?;
    Ok(rate.parse()?)
}

async fn due(store: &PostgresStore) -> anyhow::Result<()> {
    filled(store, i64::try_from(CLOSES)?, 1_000_000).await?;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    Ok(())
}

async fn gavel_closes(store: &PostgresStore) -> anyhow::Result<f64> {
    due(store).await?;
    let started = Instant::now();
    let mut closed = 0;
    for shard in 0..AuctionId::SHARDS {
        let batch = store
            .auction_close_due(shard, 500, &[], WriteMode::Commit)
            .await?;
        closed += batch.closed.len();
    }
    ensure!(closed == CLOSES, "{closed} closed");
    Ok(f64::from(u32::try_from(closed)?) / started.elapsed().as_secs_f64())
}

/// The statement that `close_due` wraps, one shard after the other.
async fn bare_closes(store: &PostgresStore, url: &str) -> anyhow::Result<f64> {
    due(store).await?;
    let now = store.now().await?;
    let script = format!(
        "\\set shard mod(:n, 32)
         with due as materialized (
             select d.auction_id from gavel.auctions d
             where d.shard = :shard and d.status = 'OPEN' and d.owner_node is null
               and d.end_us <= {now}
             order by d.end_us limit 500 for no key update skip locked
         ), closed as (
             update gavel.auctions a
             set status = 'CLOSED', winner = case when a.reserve_met then a.leader end,
                 final_price = case when a.reserve_met then a.price end, closed_us = {now}
             where a.auction_id = any (array(select due.auction_id from due))
             returning a.auction_id, a.winner, a.final_price, a.end_us, a.head
         )
         insert into gavel.outbox (auction_id, event_id, kind, result, winner, price, end_us,
                                   closed_us, ledger_head)
         select c.auction_id, c.auction_id::text || '.closed', 'auction.closed', 'no-bids',
                c.winner, c.final_price, c.end_us, {now}, c.head
         from closed c returning *;
         \\set n :n + 1\n",
        now = now.get()
    );
    let batches = pgbench(url, &script, 1, &["-D", "n=0", "-t", "32"])?;
    ensure!(store.backlog().await?.due == 0, "some are left");
    Ok(batches / 32.0 * f64::from(u32::try_from(CLOSES)?))
}
