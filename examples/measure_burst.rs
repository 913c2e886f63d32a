//! Measures load generation and the closer under it, against pgbench in the same run.
//!
//! `cargo build --release && cargo run --release --example measure_burst [ROUNDS [PART …]]` starts
//! a durable server of its own and works in ROUNDS rounds (3 if not told). The parts, all if none is
//! named: `seven-pm` (1,600 closes a second for a minute, by both strategies, with look-ahead and
//! without), `steady` (5,000 bids a second over 10,000 auctions for a minute, beside pgbench at the
//! same rate), `hot-item` (as many bids on one auction as go, against pgbench calling place_bid on
//! one row), `bidding-war` (50 at once, 8 times). Every run is verified; one that is not right ends
//! the program. Needs the Debian package postgresql (or its like).

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]
#![allow(dead_code, reason = "modules are shared with the other measurements")]

#[path = "measure/auctions.rs"]
mod auctions;
#[path = "measure/bids.rs"]
mod bids;
#[path = "measure/figures.rs"]
mod figures;
#[path = "measure/pgbench.rs"]
mod pgbench;
#[path = "measure/program.rs"]
mod program;
#[path = "measure/runs.rs"]
mod runs;
#[path = "measure/server.rs"]
mod server;

use anyhow::{Context as _, ensure};
use figures::Figures;
use server::Server;

const PARTS: [&str; 4] = ["seven-pm", "steady", "hot-item", "bidding-war"];

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
    runs::prepare(&server, "burst")?;
    let mut figures = Figures::default();
    for round in 1..=rounds {
        println!("round {round} of {rounds}");
        if wanted("seven-pm") {
            runs::seven_pm(&server, "burst")?;
        }
        if wanted("steady") {
            runs::steady(&server, "burst", since, &mut figures)?;
        }
        if wanted("hot-item") {
            runs::hot_item(&server, "burst", since, &mut figures)?;
        }
        if wanted("bidding-war") {
            runs::bidding_war(&server, "burst")?;
        }
    }
    if wanted("hot-item") {
        println!(
            "{}",
            figures.ratio(
                "bids accepted a second on one auction, gavel burst against pgbench calling \
                 place_bid, 16 connections",
                "burst, one auction",
                "pgbench, one auction",
            )
        );
    }
    if wanted("steady") {
        println!(
            "{}",
            figures.ratio(
                "p99 in ms at 5,000 bids a second, gavel burst against pgbench -R 5000, 16 \
                 connections",
                "burst, p99 at 5000",
                "pgbench, p99 at 5000",
            )
        );
    }
    Ok(())
}
