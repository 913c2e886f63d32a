//! Closing what is due in batches, against pgbench calling the same function, and running the
//! statement inside it.

use std::time::Instant;

use anyhow::{Context as _, ensure};
use gavel::auction::{AuctionId, IdRange};
use gavel::store::{Contract, PostgresStore, WriteMode};

use super::figures::Figures;
use super::server::Server;
use super::{auctions, pgbench};

const AUCTIONS: i64 = 50_000;
const BIDS: i64 = 2;
const BATCH: u32 = 500;

pub(crate) async fn prepare(server: &Server, database: &str) -> anyhow::Result<()> {
    server.sql("postgres", &format!("create database {database}"))?;
    let store = PostgresStore::connect(&server.url(database))?;
    store.migrate().await?;
    auctions::fill(&store, AUCTIONS, BIDS).await?;
    store.close().await;
    server.sql(database, "vacuum analyze")?;
    Ok(())
}

/// One round of each, in turn, on the same auctions opened again.
pub(crate) async fn round(
    server: &Server,
    database: &str,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let store = PostgresStore::connect_with(&server.url(database), 1)?;
    let shards = usize::try_from(AuctionId::SHARDS)?;
    // Shards differ in size by little; one batch more than the average needs.
    let passes = usize::try_from(AUCTIONS)?.div_ceil(shards * usize::try_from(BATCH)?) + 1;

    reopen(server, database)?;
    store.now().await?;
    let started = Instant::now();
    let mut closed = 0;
    for _ in 0..passes {
        for shard in 0..AuctionId::SHARDS {
            let batch = store.auction_close_due(shard, IdRange::ALL, BATCH, &[], WriteMode::Commit);
            closed += batch.await?.closed.len();
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    ensure!(closed == usize::try_from(AUCTIONS)?, "{closed} closed");
    figures.add("closes by gavel", per_second(seconds));
    store.close().await;

    let batches = (passes * shards).to_string();
    for (name, statement) in [
        ("closes by close_due", CALL),
        ("closes by its statement", STATEMENT),
    ] {
        reopen(server, database)?;
        let script = format!("\\set shard mod(:n, 32)\n{statement}\n\\set n :n + 1\n");
        let more = ["-D", "n=0", "-t", &batches];
        let ran = pgbench::run(server, database, &script, 1, &more, "")?;
        let left = "select count(*) from gavel.auctions where status = 'OPEN'";
        ensure!(server.sql(database, left)? == "0", "some are left");
        figures.add(name, per_second(ran.count / ran.rate));
    }
    Ok(())
}

pub(crate) fn lines(figures: &Figures) -> Vec<String> {
    let line = |what: &str, theirs: &str| {
        let what = format!("closes/s, batches of {BATCH}, gavel against pgbench {what}");
        figures.ratio(&what, "closes by gavel", theirs)
    };
    vec![
        line("calling close_due", "closes by close_due"),
        line("running its statement", "closes by its statement"),
    ]
}

fn per_second(seconds: f64) -> f64 {
    f64::from(u32::try_from(AUCTIONS).unwrap_or(u32::MAX)) / seconds
}

fn reopen(server: &Server, database: &str) -> anyhow::Result<()> {
    for text in [
        "update gavel.auctions set status = 'OPEN', winner = null, final_price = null,
             closed_us = null",
        "truncate gavel.outbox",
        "vacuum analyze gavel.auctions",
        "checkpoint",
    ] {
        server.sql(database, text).context("cannot reopen")?;
    }
    Ok(())
}

const CALL: &str = "select * from gavel.close_due(:shard, 500, '{}');";

/// What `close_due` does, sent as it is.
const STATEMENT: &str = "
with due as materialized (
    select d.auction_id
      from gavel.auctions d
     where d.shard = :shard and d.status = 'OPEN' and d.owner_node is null
       and d.end_us <= (select gavel.clock_us())
     order by d.end_us
     limit 500
       for no key update skip locked
), closed as (
    update gavel.auctions a
       set status = case when a.leader is null or a.reserve_met then 'CLOSED'
                         else 'CLOSED_RESERVE_NOT_MET' end,
           winner = case when a.reserve_met then a.leader end,
           final_price = case when a.reserve_met then a.price end,
           closed_us = (select gavel.clock_us())
     where a.auction_id = any (array(select due.auction_id from due))
    returning a.auction_id, a.leader, a.winner, a.final_price, a.end_us, a.closed_us, a.head
)
insert into gavel.outbox as o (auction_id, event_id, kind, result, winner, price, end_us,
                               closed_us, ledger_head)
select c.auction_id, c.auction_id::text || '.closed', 'auction.closed',
       case when c.leader is null then 'no-bids' when c.winner is null then 'reserve-not-met'
            else 'sold' end,
       c.winner, c.final_price, c.end_us, c.closed_us, c.head
  from closed c
returning o.auction_id, o.event_id, o.result, o.winner, o.price, o.end_us, o.closed_us,
          o.ledger_head;";
