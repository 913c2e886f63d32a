//! `gavel burst` as a process, and pgbench doing the like beside it.

use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use gavel::auction::Micros;
use serde_json::Value;

use super::bids::{self, LOADS};
use super::figures::Figures;
use super::server::Server;
use super::{pgbench, program};

/// Seconds that pgbench works beside a run.
const SECONDS: u32 = 20;
/// Bids a second of the steady load.
const STEADY: u32 = 5_000;

pub(crate) fn prepare(server: &Server, database: &str) -> anyhow::Result<()> {
    server.sql("postgres", &format!("create database {database}"))?;
    let status = Command::new(program::gavel()?)
        .args(["migrate", "--quiet"])
        .env("DATABASE_URL", server.url(database))
        .status()?;
    ensure!(status.success(), "gavel migrate failed");
    Ok(())
}

/// Plays and cleans up; the report, if everything was right.
fn play(server: &Server, database: &str, line: &str) -> anyhow::Result<Value> {
    let output = Command::new(program::gavel()?)
        .args(["burst", "--cleanup", "--format", "json"])
        .args(line.split(' '))
        .env("DATABASE_URL", server.url(database))
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("gavel burst {line}: {said}"))?;
    ensure!(
        output.status.success() && report["right"] == true,
        "gavel burst {line}: {said}{report}"
    );
    // As a new run finds it: the rows of the last one are gone for good.
    server.sql(database, "vacuum analyze")?;
    Ok(report)
}

fn number(report: &Value, name: &str) -> anyhow::Result<f64> {
    report[name].as_f64().with_context(|| format!("no {name}"))
}

fn ms(report: &Value, name: &str) -> anyhow::Result<f64> {
    Ok(number(report, name)? / 1_000.0)
}

/// Percentiles of what a prefix names, in milliseconds.
fn told(report: &Value, of: &str) -> anyhow::Result<String> {
    Ok(format!(
        "p50 {:.1}, p90 {:.1}, p99 {:.1}, p99.9 {:.1}, max {:.1} ms",
        ms(report, &format!("{of}_p50_us"))?,
        ms(report, &format!("{of}_p90_us"))?,
        ms(report, &format!("{of}_p99_us"))?,
        ms(report, &format!("{of}_p999_us"))?,
        ms(report, &format!("{of}_max_us"))?,
    ))
}

pub(crate) fn seven_pm(server: &Server, database: &str) -> anyhow::Result<()> {
    for (strategy, ahead) in [
        ("batch", true),
        ("claim", true),
        ("batch", false),
        ("claim", false),
    ] {
        let option = if ahead { "" } else { " --no-look-ahead" };
        let line = format!("seven-pm --strategy {strategy}{option}");
        let report = play(server, database, &line)?;
        let with = if ahead { "look-ahead" } else { "ticks of 1 s" };
        println!(
            "  {line}: {} closed at {:.0}/s, {strategy}, {with}",
            number(&report, "auctions_closed")?,
            number(&report, "closes_rate_milli")? / 1_000.0,
        );
        println!("    close lag {}", told(&report, "lag")?);
        println!("    until durable {}", told(&report, "durable")?);
        println!(
            "    one bid alone {:.2} ms, a call that writes nothing {:.2} ms",
            ms(&report, "probe_bid_us")?,
            ms(&report, "probe_round_trip_us")?,
        );
    }
    Ok(())
}

pub(crate) fn steady(
    server: &Server,
    database: &str,
    since: Micros,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let report = play(server, database, &format!("steady --rate {STEADY}"))?;
    println!(
        "  steady: {:.0} bids/s of {STEADY}, shortfalls {}",
        number(&report, "bids_rate_milli")? / 1_000.0,
        report["shortfalls"],
    );
    println!("    latency {}", told(&report, "latency")?);
    figures.add("burst, p99 at 5000", ms(&report, "latency_p99_us")?);
    let load = LOADS[1];
    let script = bids::place_bid(since, load);
    let latencies = paced(server, "bids", &script, load.clients, STEADY, SECONDS)?;
    let at = |percent: usize| latencies[(latencies.len() * percent / 100).min(latencies.len() - 1)];
    println!(
        "    pgbench -R {STEADY}, place_bid over 1000 auctions: {:.0}/s, p50 {:.1}, p99 {:.1}, max \
         {:.1} ms",
        latencies.len() as f64 / f64::from(SECONDS),
        at(50),
        at(99),
        at(100),
    );
    figures.add("pgbench, p99 at 5000", at(99));
    let most = bids::accepted(server, "bids", &script, "gavel", load.clients)?;
    println!("    pgbench as fast as it goes: {most:.0}/s accepted");
    Ok(())
}

pub(crate) fn hot_item(
    server: &Server,
    database: &str,
    since: Micros,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let load = LOADS[3];
    let seconds = 10.0;
    let line = format!(
        "hot-item --plain --rate max --for {seconds}s --connections {}",
        load.clients
    );
    let report = play(server, database, &line)?;
    let accepted = number(&report, "bids_accepted")? / seconds;
    let answered = number(&report, "bids_answered")? / seconds;
    let script = bids::place_bid(since, load);
    let theirs = bids::accepted(server, "bids", &script, "gavel", load.clients)?;
    println!(
        "  {line}: {accepted:.0}/s accepted of {answered:.0}/s answered; pgbench {theirs:.0}/s \
         accepted"
    );
    println!("    latency {}", told(&report, "latency")?);
    figures.add("burst, one auction", accepted);
    figures.add("pgbench, one auction", theirs);
    Ok(())
}

pub(crate) fn bidding_war(server: &Server, database: &str) -> anyhow::Result<()> {
    let report = play(server, database, "bidding-war --bidders 50 --rounds 8")?;
    println!(
        "  bidding-war 50 x 8: {} of {} bids answered and checked, {} accepted",
        report["bids_checked"], report["bids_planned"], report["bids_accepted"],
    );
    println!("    latency {}", told(&report, "latency")?);
    Ok(())
}

/// Latencies in milliseconds, ascending, of a script at a rate, each from its scheduled instant.
fn paced(
    server: &Server,
    database: &str,
    script: &str,
    clients: usize,
    rate: u32,
    seconds: u32,
) -> anyhow::Result<Vec<f64>> {
    let folder = tempfile::tempdir()?;
    let prefix = folder.path().join("latencies");
    let [rate, seconds] = [rate, seconds].map(|number| number.to_string());
    let log = format!("--log-prefix={}", prefix.display());
    let more = ["-T", &seconds, "-R", &rate, "-l", &log];
    pgbench::run(server, database, script, clients, &more, "")?;
    let mut latencies = Vec::new();
    for file in std::fs::read_dir(folder.path())? {
        for line in std::fs::read_to_string(file?.path())?.lines() {
            let us = line.split(' ').nth(2).context("a line of pgbench's log")?;
            latencies.push(us.parse::<f64>()? / 1_000.0);
        }
    }
    latencies.sort_by(f64::total_cmp);
    Ok(latencies)
}
