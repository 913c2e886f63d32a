//! Bids a second through gavel's driver, against pgbench calling the same function, and against
//! the way of BEGIN, look-up, conditional UPDATE, INSERT, COMMIT.
//!
//! The load is the same everywhere: auctions at random out of a range, fresh request ids, maxima
//! that grow with time, so that bids are accepted. Only accepted bids are counted.

use std::time::{Duration, Instant};

use anyhow::ensure;
use gavel::auction::book::Create;
use gavel::auction::{
    AuctionId, Bid, Currency, Micros, OwnRaise, PartyId, RequestId, StepTable, Terms,
};
use gavel::clock::Clock;
use gavel::store::{Contract, PostgresStore, Reply, WriteMode};
use rand::RngExt as _;
use tokio::task::JoinSet;

use super::figures::Figures;
use super::pgbench;
use super::server::Server;

const AUCTIONS: i64 = 1_000;
/// What the maxima of the bids grow by in a microsecond; more than the highest step in a bid's
/// time, and far from the highest amount in a day.
const GROWTH: i64 = 10_000;
const SECONDS: u64 = 2;

/// Where bids go, over how many connections.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    what: &'static str,
    auctions: i64,
    pub(crate) clients: usize,
}

pub(crate) const LOADS: [Load; 4] = [
    Load::new("spread", AUCTIONS, 1),
    Load::new("spread", AUCTIONS, 16),
    Load::new("one auction", 1, 1),
    Load::new("one auction", 1, 16),
];

impl Load {
    const fn new(what: &'static str, auctions: i64, clients: usize) -> Self {
        Self {
            what,
            auctions,
            clients,
        }
    }

    pub(crate) fn name(self) -> String {
        let Self { what, clients, .. } = self;
        format!("{what}, {clients} connections")
    }
}

/// A database with auctions to bid on, and tables like its own for the other way.
pub(crate) async fn prepare(server: &Server, database: &str) -> anyhow::Result<Micros> {
    server.sql("postgres", &format!("create database {database}"))?;
    let store = PostgresStore::connect(&server.url(database))?;
    store.migrate().await?;
    let now = store.now().await?;
    let currency = Currency::from_code("USD")?;
    let terms = Terms {
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
    };
    let mut creates = Vec::new();
    for id in 1..=AUCTIONS {
        creates.push(Create {
            auction_id: AuctionId::new(id)?,
            request_id: RequestId::from_bytes(rand::rng().random()),
            actor: terms.seller.clone(),
            nonce: rand::rng().random(),
            terms: terms.clone(),
        });
    }
    store.auction_create(&creates, WriteMode::Commit).await?;
    store.close().await;
    server.sql(database, THE_OTHER_WAY)?;
    server.sql(database, "vacuum analyze")?;
    Ok(now)
}

/// The same columns, keys and indexes.
const THE_OTHER_WAY: &str = "
    create schema way;
    create table way.auctions (like gavel.auctions including all excluding generated)
        with (fillfactor = 80);
    create table way.ledger (like gavel.ledger including all,
        foreign key (auction_id) references way.auctions (auction_id));
    insert into way.auctions select * from gavel.auctions;
    update way.auctions set price = 1, leader = 'nobody', leader_max = 1;
";

/// One round of each load by all three, in turn.
pub(crate) async fn round(
    server: &Server,
    database: &str,
    since: Micros,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    for load in LOADS {
        let name = load.name();
        figures.add(
            format!("gavel, {name}"),
            ours(server, database, since, load).await?,
        );
        let script = place_bid(since, load);
        let called = accepted(server, database, &script, "gavel", load.clients)?;
        figures.add(format!("pgbench, {name}"), called);
        let script = other_way(since, load);
        let other = accepted(server, database, &script, "way", load.clients)?;
        figures.add(format!("the other way, {name}"), other);
    }
    Ok(())
}

pub(crate) fn lines(figures: &Figures) -> Vec<String> {
    let mut lines = Vec::new();
    for load in LOADS {
        let name = load.name();
        for (against, theirs) in [
            ("pgbench calling place_bid", "pgbench"),
            ("pgbench the way of BEGIN", "the other way"),
        ] {
            let what = format!("bids/s, {name}, gavel against {against}");
            let (ours, theirs) = (format!("gavel, {name}"), format!("{theirs}, {name}"));
            lines.push(figures.ratio(&what, &ours, &theirs));
        }
    }
    lines
}

async fn ours(server: &Server, database: &str, since: Micros, load: Load) -> anyhow::Result<f64> {
    let connections = u32::try_from(load.clients)?;
    let store = PostgresStore::connect_with(&server.url(database), connections)?;
    warm(&store, load.clients).await?;
    let mut work = JoinSet::new();
    let started = Instant::now();
    for client in 0..load.clients {
        let store = store.clone();
        let bidder = PartyId::new(format!("bidder-{client}"))?;
        work.spawn(async move {
            let currency = Currency::from_code("USD")?;
            let mut accepted = 0_u32;
            while started.elapsed() < Duration::from_secs(SECONDS) {
                let bid = Bid {
                    auction_id: AuctionId::new(rand::rng().random_range(1..=load.auctions))?,
                    request_id: RequestId::from_bytes(rand::rng().random()),
                    bidder: bidder.clone(),
                    maximum: maximum(since),
                    currency,
                    nonce: rand::rng().random(),
                };
                let reply = store.bid_place(&bid, WriteMode::Commit).await?;
                accepted += u32::from(matches!(reply, Reply::Done(_)));
            }
            anyhow::Ok(accepted)
        });
    }
    let mut accepted = 0;
    while let Some(done) = work.join_next().await {
        accepted += done??;
    }
    let rate = f64::from(accepted) / started.elapsed().as_secs_f64();
    store.close().await;
    Ok(rate)
}

/// Higher than all before it.
pub(crate) fn maximum(since: Micros) -> i64 {
    (Clock::System.now().get() - since.get()) * GROWTH
}

/// Opens the connections, as pgbench does before it counts.
async fn warm(store: &PostgresStore, connections: usize) -> anyhow::Result<()> {
    let mut work = JoinSet::new();
    for _ in 0..connections {
        let store = store.clone();
        work.spawn(async move { store.now().await });
    }
    while let Some(done) = work.join_next().await {
        done??;
    }
    Ok(())
}

/// What pgbench gets accepted a second, by the rows that were written.
pub(crate) fn accepted(
    server: &Server,
    database: &str,
    script: &str,
    schema: &str,
    clients: usize,
) -> anyhow::Result<f64> {
    let count = format!("select sum(bid_count) from {schema}.auctions");
    let before: f64 = server.sql(database, &count)?.parse()?;
    let seconds = SECONDS.to_string();
    let ran = pgbench::run(server, database, script, clients, &["-T", &seconds], "")?;
    let after: f64 = server.sql(database, &count)?.parse()?;
    ensure!(after > before, "nothing was accepted");
    Ok(ran.rate * (after - before) / ran.count)
}

pub(crate) fn place_bid(since: Micros, load: Load) -> String {
    let (auctions, since) = (load.auctions, since.get());
    format!(
        "\\set id random(1, {auctions})
         select * from gavel.place_bid(:id, gen_random_uuid(), 'bidder-' || :client_id,
             (gavel.clock_us() - {since}) * {GROWTH}, 'USD',
             '\\x00112233445566778899aabbccddeeff');\n"
    )
}

/// What is usually written: five round trips. The hash stands for nothing here.
fn other_way(since: Micros, load: Load) -> String {
    let (auctions, since) = (load.auctions, since.get());
    format!(
        "\\set id random(1, {auctions})
         begin;
         select r.id as request, (gavel.clock_us() - {since}) * {GROWTH} as maximum
             from gen_random_uuid() r(id)
             left join way.ledger l on l.auction_id = :id and l.request_id = r.id \\gset
         with changed as (
             update way.auctions a
             set leader = 'bidder-' || :client_id, leader_max = :maximum,
                 runner_up_max = a.leader_max, price = a.leader_max + 10000,
                 bid_count = a.bid_count + 1, last_seq = a.last_seq + 1,
                 last_us = gavel.clock_us()
             where a.auction_id = :id and a.status = 'OPEN' and a.end_us > gavel.clock_us()
               and a.leader_max + 10000 <= :maximum
             returning a.last_seq, a.last_us, a.price, a.end_us, a.head)
         select coalesce(max(last_seq), 0) as seq, coalesce(max(last_us), 0) as at,
                coalesce(max(price), 0) as price, coalesce(max(end_us), 0) as until
             from changed \\gset
         \\if :seq
         insert into way.ledger (auction_id, seq, kind, flags, at_us, request_id, secret, price,
                                 end_us, actor, nonce, detail, leader, hash)
         values (:id, :seq, 2, 1, :at, :request, :maximum, :price, :until,
                 'bidder-' || :client_id, '\\x00112233445566778899aabbccddeeff', '',
                 'bidder-' || :client_id, decode(repeat('00', 32), 'hex'));
         \\endif
         commit;\n"
    )
}
