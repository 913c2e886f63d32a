//! Very many due at once: gavel with either strategy against the best bare SQL and against the
//! loop of job queues, on copies of one database.

use anyhow::ensure;

use super::figures::Figures;
use super::server::Server;
use super::{live, pgbench, timed};

/// The ways to run the bare statement: clients, batch.
const WAYS: [(usize, i64); 8] = [
    (1, 500),
    (1, 2_000),
    (2, 500),
    (2, 1_000),
    (2, 2_000),
    (4, 500),
    (4, 1_000),
    (4, 2_000),
];
/// The best of them is looked for on one of so many auctions.
const SCOUTED: i64 = 5;
/// Rows for a client of the row-at-a-time loop.
const ROWS: i64 = 4_000;
const FULL: &str = "drain_full";
const WORK: &str = "drain";

pub(crate) async fn measure(server: &Server, auctions: i64, rounds: u32) -> anyhow::Result<()> {
    prepare(server, "drain_scout", auctions / SCOUTED).await?;
    let mut best = (0.0, WAYS[0]);
    for way in WAYS {
        let rate = bare(server, "drain_scout", auctions / SCOUTED, way)?;
        println!(
            "bare SQL, {} clients, batches of {}: {rate:.0}/s",
            way.0, way.1
        );
        if rate > best.0 {
            best = (rate, way);
        }
    }
    prepare(server, FULL, auctions).await?;
    let mut figures = Figures::default();
    for round in 1..=rounds {
        let batch = gavel(server, auctions, "batch", &mut figures)?;
        let bare = bare(server, FULL, auctions, best.1)?;
        let claim = gavel(server, auctions, "claim", &mut figures)?;
        let (one, eight) = (row_at_a_time(server, 1)?, row_at_a_time(server, 8)?);
        println!(
            "round {round}: gavel batch {batch:.0}/s, claim {claim:.0}/s; bare SQL {bare:.0}/s; \
             row at a time {one:.0}/s by 1 client, {eight:.0}/s by 8"
        );
        figures.add("batch", batch);
        figures.add("bare", bare);
        figures.add("claim", claim);
        figures.add("row at a time, 1 client", one);
        figures.add("row at a time, 8 clients", eight);
    }
    let (clients, size) = best.1;
    let bare = format!("bare SQL ({clients} clients, batches of {size})");
    for (ours, theirs, what) in [
        ("batch", "bare", bare.as_str()),
        ("claim", "bare", bare.as_str()),
        (
            "batch",
            "row at a time, 1 client",
            "row at a time, 1 client",
        ),
        (
            "batch",
            "row at a time, 8 clients",
            "row at a time, 8 clients",
        ),
    ] {
        let what = format!("closes/s, {auctions} due, gavel --strategy {ours} against {what}");
        println!("{}", figures.ratio(&what, ours, theirs));
    }
    println!("gavel's peak memory: {:.0} MiB", figures.median("MiB"));
    Ok(())
}

async fn prepare(server: &Server, database: &str, auctions: i64) -> anyhow::Result<()> {
    live::database(server, database).await?;
    let an_hour_ago = "extract(epoch from now()) - 3600";
    live::fill(server, database, 1..auctions + 1, an_hour_ago, 60)?;
    server.sql(database, "vacuum analyze")?;
    Ok(())
}

/// A fresh copy, in memory as far as it fits.
fn reset(server: &Server, template: &str) -> anyhow::Result<()> {
    server.sql("postgres", &format!("drop database if exists {WORK}"))?;
    let copy = format!("create database {WORK} template {template} strategy file_copy");
    server.sql("postgres", &copy)?;
    server.sql("postgres", "checkpoint")?;
    server.sql(
        WORK,
        "select count(*) from gavel.auctions where head is null",
    )?;
    Ok(())
}

fn ensure_drained(server: &Server, auctions: i64) -> anyhow::Result<()> {
    let left = server.sql(
        WORK,
        "select count(*) from gavel.auctions where closed_us is null",
    )?;
    let told = server.sql(WORK, "select count(*) from gavel.outbox")?;
    ensure!(
        left == "0" && told == auctions.to_string(),
        "{left} left, {told} told"
    );
    Ok(())
}

fn gavel(
    server: &Server,
    auctions: i64,
    strategy: &str,
    figures: &mut Figures,
) -> anyhow::Result<f64> {
    reset(server, FULL)?;
    let taken = timed::run(&server.url(WORK), &["close-sweep", "--strategy", strategy])?;
    ensure_drained(server, auctions)?;
    figures.add("MiB", taken.peak_mib);
    Ok(float(auctions) / taken.seconds)
}

fn bare(
    server: &Server,
    template: &str,
    auctions: i64,
    (clients, batch): (usize, i64),
) -> anyhow::Result<f64> {
    reset(server, template)?;
    let fullest = "select max(n) from (select count(*) n from gavel.auctions group by shard) s";
    let fullest: i64 = server.sql(WORK, fullest)?.parse()?;
    let passes = (fullest - 1) / batch + 1;
    // Each client has shards of its own: 1, 2 and 4 divide 32.
    let script = format!(
        "\\set shard (:client_id + :n * {clients}) % 32\n{}\n\\set n :n + 1\n",
        statement(batch)
    );
    let times = (passes * 32 / i64::try_from(clients)?).to_string();
    let more = ["-D", "n=0", "-t", &times];
    let ran = pgbench::run(server, WORK, &script, clients, &more, "")?;
    ensure_drained(server, auctions)?;
    Ok(float(auctions) / (ran.count / ran.rate))
}

/// One set-wise statement a batch, without any of gavel's functions.
fn statement(batch: i64) -> String {
    format!(
        "with due as materialized (
            select d.auction_id
              from gavel.auctions d
             where d.shard = :shard and d.status = 'OPEN' and d.owner_node is null
               and d.end_us <= (select {CLOCK})
             order by d.end_us
             limit {batch}
               for no key update skip locked
        ), closed as (
            update gavel.auctions a set {RESULT}
             where a.auction_id = any (array(select due.auction_id from due))
            {RETURNING}
        )
        {TELL}"
    )
}

fn row_at_a_time(server: &Server, clients: usize) -> anyhow::Result<f64> {
    reset(server, FULL)?;
    let rows = ROWS.to_string();
    let script = format!(
        "\\set shard random(0, 31)
        with due as materialized (
            select d.auction_id
              from gavel.auctions d
             where d.shard = :shard and d.status = 'OPEN' and d.owner_node is null
               and d.end_us <= (select {CLOCK})
             order by d.end_us
             limit 1
               for no key update skip locked
        )
        update gavel.auctions a
           set status = 'CLOSING', closer_epoch = a.closer_epoch + 1, closing_us = (select {CLOCK})
          from due
         where a.auction_id = due.auction_id
        returning a.auction_id as id, a.closer_epoch as epoch \\gset
        with closed as (
            update gavel.auctions a set {RESULT}
             where a.auction_id = :id and a.closer_epoch = :epoch and a.status || '' = 'CLOSING'
            {RETURNING}
        )
        {TELL}\n"
    );
    let ran = pgbench::run(server, WORK, &script, clients, &["-t", &rows], "")?;
    let told = server.sql(WORK, "select count(*) from gavel.outbox")?;
    ensure!(told == format!("{:.0}", ran.count), "{told} told");
    Ok(ran.rate)
}

const CLOCK: &str = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

const RESULT: &str = "
    status = case when a.leader is null or a.reserve_met then 'CLOSED'
                  else 'CLOSED_RESERVE_NOT_MET' end,
    winner = case when a.reserve_met then a.leader end,
    final_price = case when a.reserve_met then a.price end,
    closed_us = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)";

const RETURNING: &str =
    "returning a.auction_id, a.leader, a.winner, a.final_price, a.end_us, a.closed_us, a.head";

const TELL: &str = "
    insert into gavel.outbox (auction_id, event_id, kind, result, winner, price, end_us,
                              closed_us, ledger_head)
    select c.auction_id, c.auction_id::text || '.closed', 'auction.closed',
           case when c.leader is null then 'no-bids' when c.winner is null then 'reserve-not-met'
                else 'sold' end,
           c.winner, c.final_price, c.end_us, c.closed_us, c.head
      from closed c;";

fn float(number: i64) -> f64 {
    f64::from(i32::try_from(number).unwrap_or(i32::MAX))
}
