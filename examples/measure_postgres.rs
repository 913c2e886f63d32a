//! Measures gavel on PostgreSQL against PostgreSQL's own programs, in one run.
//!
//! `cargo build --release && cargo run --release --example measure_postgres [ROUNDS [PART …]]`
//! starts a durable server of its own, works in ROUNDS rounds (3 if not told) in turn, and prints
//! medians, the median of the rounds' ratios, and the ratios' range. The parts: `bids`, `chain`
//! (what the hash chain costs a bid), `closes`, `replay`, `one-shot`; all if none is named.
//! With `TMPDIR` in memory (`/dev/shm`) a flush costs nothing and what is left is the processors'
//! work. Needs the Debian package postgresql (or its like).

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

#[path = "measure/auctions.rs"]
mod auctions;
#[path = "measure/bids.rs"]
mod bids;
#[path = "measure/chain.rs"]
mod chain;
#[path = "measure/closes.rs"]
mod closes;
#[path = "measure/figures.rs"]
mod figures;
#[path = "measure/one_shot.rs"]
mod one_shot;
#[path = "measure/pgbench.rs"]
mod pgbench;
#[path = "measure/program.rs"]
mod program;
#[path = "measure/replays.rs"]
mod replays;
#[path = "measure/server.rs"]
mod server;

use anyhow::{Context as _, ensure};
use figures::Figures;
use server::Server;

const PARTS: [&str; 5] = ["bids", "chain", "closes", "replay", "one-shot"];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().unwrap_or_else(|| "3".to_owned());
    let rounds: u32 = rounds.parse().context("ROUNDS is a whole number")?;
    let named: Vec<String> = arguments.collect();
    for part in &named {
        ensure!(PARTS.contains(&part.as_str()), "no part {part}: {PARTS:?}");
    }
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);

    let server = Server::start()?;
    let since = bids::prepare(&server, "bids").await?;
    if wanted("chain") {
        chain::prepare(&server, "bids")?;
    }
    if wanted("closes") {
        closes::prepare(&server, "closes").await?;
    }
    if wanted("replay") {
        replays::prepare(&server, "replay").await?;
    }
    println!("{rounds} rounds; medians, the median of the ratios and their range");
    let mut figures = Figures::default();
    for _ in 0..rounds {
        if wanted("bids") {
            bids::round(&server, "bids", since, &mut figures).await?;
        }
        if wanted("chain") {
            chain::round(&server, since, &mut figures)?;
        }
        if wanted("closes") {
            closes::round(&server, "closes", &mut figures).await?;
        }
        if wanted("replay") {
            replays::round(&server, "replay", &mut figures).await?;
        }
        if wanted("one-shot") {
            one_shot::round(&server, "bids", since, &mut figures)?;
        }
    }
    for (part, lines) in [
        ("bids", bids::lines(&figures)),
        ("chain", chain::lines(&figures)),
        ("closes", closes::lines(&figures)),
        ("replay", replays::lines(&figures)),
        ("one-shot", one_shot::lines(&figures)),
    ] {
        for line in lines.iter().filter(|_| wanted(part)) {
            println!("{line}");
        }
    }
    Ok(())
}
