//! Auctions on a server, as rows alone: what a closer reads and writes. They have no ledger, so
//! nothing of them can be replayed.

use anyhow::Context as _;
use gavel::store::{Contract as _, PostgresStore};

use super::server::Server;

/// A database with gavel's tables. No vacuum comes in between: when there is one is measured too.
pub(crate) async fn database(server: &Server, name: &str) -> anyhow::Result<()> {
    server.sql("postgres", &format!("create database {name}"))?;
    let store = PostgresStore::connect(&server.url(name))?;
    store.migrate().await?;
    store.close().await;
    for table in ["auctions", "outbox"] {
        let text = format!("alter table gavel.{table} set (autovacuum_enabled = off)");
        server.sql(name, &text)?;
    }
    Ok(())
}

/// So many open auctions from an id on, ending within so many seconds after `ends` (an SQL
/// expression of Unix seconds). Three of four have bids; of them one of six is below its reserve.
pub(crate) fn fill(
    server: &Server,
    database: &str,
    ids: std::ops::Range<i64>,
    ends: &str,
    within_s: i64,
) -> anyhow::Result<()> {
    let (first, last) = (ids.start, ids.end - 1);
    let text = format!(
        "insert into gavel.auctions
            (auction_id, status, seller, title, currency, exponent, start_price, steps_name,
             steps, reserve, own_raise, start_us, first_end_us, end_us, leader, leader_max,
             runner_up_max, price, reserve_met, bid_count, last_seq, last_us, head)
         select i, 'OPEN', 'seller-' || i % 10000, 'Lot number ' || i, 'USD', 2, 100, 'ebay-us',
                array[1, 5, 100, 25, 500, 50, 2500, 100, 10000, 250, 25000, 500, 50000, 1000,
                      100000, 2500, 250000, 5000, 500000, 10000],
                case when i % 8 = 1 then 100000 end, 'keep', e.us - 604800000000, e.us, e.us,
                case when bids then 'bidder-' || i % 5000 end, case when bids then 5000 end,
                case when bids then 2000 end, case when bids then 2100 end,
                bids and i % 8 <> 1, case when bids then 2 else 0 end,
                case when bids then 3 else 1 end, e.us - 1000000, sha256(int8send(i))
         from generate_series({first}::bigint, {last}::bigint) i
         cross join lateral (select i % 4 <> 0) b (bids)
         cross join lateral (
             select ({ends})::bigint * 1000000 + i * 7919 % {within_s} * 1000000 + i % 1000000
         ) e (us)"
    );
    server.sql(database, &text).context("cannot fill")?;
    Ok(())
}
