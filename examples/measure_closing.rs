//! Measures the closer on a durable PostgreSQL server of its own.
//!
//! `cargo build --release && cargo run --release --example measure_closing [ROUNDS [PART …]]`
//! works in ROUNDS rounds (3 if not told) in turn. The parts, both if none is named:
//! `drain[=AUCTIONS]`: so many (500,000) due at once, closed by the `gavel` program with either
//! strategy, by the best bare SQL that `pgbench` runs, and row by row as job queues do;
//! `flatness[=MOST]`: one sweep of 500 due among 10 thousand, a million and ten million (or up to
//! MOST) live auctions: buffers, time and plans. Ten million take about 9 GB in `TMPDIR` and some
//! minutes. Needs the Debian package postgresql (or its like).

#![allow(clippy::print_stdout, reason = "a program whose output is its point")]

#[path = "measure/drain.rs"]
mod drain;
#[path = "measure/figures.rs"]
mod figures;
#[path = "measure/flatness.rs"]
mod flatness;
#[path = "measure/live.rs"]
mod live;
#[path = "measure/pgbench.rs"]
mod pgbench;
#[path = "measure/plans.rs"]
mod plans;
#[path = "measure/program.rs"]
mod program;
#[path = "measure/server.rs"]
mod server;
#[path = "measure/timed.rs"]
mod timed;

use anyhow::{Context as _, bail};
use server::Server;

const DRAIN: i64 = 500_000;
const FLATNESS: i64 = 10_000_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().unwrap_or_else(|| "3".to_owned());
    let rounds: u32 = rounds.parse().context("ROUNDS is a whole number")?;
    let mut parts: Vec<String> = arguments.collect();
    if parts.is_empty() {
        parts = vec!["drain".to_owned(), "flatness".to_owned()];
    }
    for part in &parts {
        let (name, number) = part.split_once('=').unwrap_or((part, ""));
        let number: Option<i64> = match number {
            "" => None,
            number => Some(number.replace('_', "").parse()?),
        };
        // A server each: what one part leaves in memory and on disk is none of the other's.
        let server = Server::start()?;
        match name {
            "drain" => drain::measure(&server, number.unwrap_or(DRAIN), rounds).await?,
            "flatness" => flatness::measure(&server, number.unwrap_or(FLATNESS), rounds).await?,
            other => bail!("no part {other}: drain[=AUCTIONS], flatness[=MOST]"),
        }
    }
    Ok(())
}
