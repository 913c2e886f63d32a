//! One sweep of a few due auctions among ever more live ones: what it reads must not grow.

use anyhow::{Context as _, ensure};

use super::figures::Figures;
use super::plans::{Explained, explained};
use super::server::Server;
use super::{live, timed};

const SIZES: [i64; 3] = [10_000, 1_000_000, 10_000_000];
const DUE: i64 = 500;
const DATABASE: &str = "flatness";
/// The statements whose growth is told: a name, and words of their text.
const STATEMENTS: [(&str, &str); 4] = [
    ("the sweep's batches", "from gavel.close_due("),
    ("the daemon's look-ahead", "prepare ending"),
    ("the backlog", "prepare backlog"),
    ("the reaper", "from gavel.reap_claims("),
];

pub(crate) async fn measure(server: &Server, most: i64, rounds: u32) -> anyhow::Result<()> {
    let mut table: Vec<(String, [u64; 4])> = Vec::new();
    let mut last = Vec::new();
    for live in SIZES.into_iter().filter(|live| *live <= most) {
        live::database(server, DATABASE).await?;
        live::fill(
            server,
            DATABASE,
            1..live + 1,
            "extract(epoch from now()) + 86400",
            2_592_000,
        )?;
        let mut next_id = live + 1;
        for state in ["never analyzed", "analyzed"] {
            if state == "analyzed" {
                server.sql(DATABASE, "vacuum analyze")?;
            }
            due(server, &mut next_id)?;
            last = explained(server, DATABASE, &script())?;
            let buffers = STATEMENTS.map(|(_, words)| buffers(&last, words));
            table.push((format!("{live} live, {state}"), buffers));
        }
        println!("{}", seconds(server, live, &mut next_id, rounds)?);
        server.sql("postgres", &format!("drop database {DATABASE}"))?;
    }
    for (at, (name, words)) in STATEMENTS.into_iter().enumerate() {
        println!("\n{name}: buffers");
        let counts = table.iter().map(|(_, buffers)| buffers[at]);
        for (size, buffers) in &table {
            println!("  {size}: {}", buffers[at]);
        }
        let (least, most) = (counts.clone().min(), counts.max());
        let growth = ratio(most.unwrap_or(0), least.unwrap_or(0));
        println!("  most against least: {growth:.2}");
        let plan = last
            .iter()
            .rfind(|statement| statement.text.contains(words));
        println!("{}", indented(&plan.context("nothing explained")?.text));
    }
    println!("\ninside the last batch, at the largest size");
    let inside = last.iter().filter(|statement| {
        let text = &statement.text;
        text.contains("skip locked") || text.starts_with("with closed as")
    });
    for statement in inside.collect::<Vec<_>>().into_iter().rev().take(2).rev() {
        println!("{}", indented(&statement.text));
    }
    Ok(())
}

/// So many more auctions that have ended.
fn due(server: &Server, next_id: &mut i64) -> anyhow::Result<()> {
    let ids = *next_id..*next_id + DUE;
    *next_id = ids.end;
    live::fill(server, DATABASE, ids, "extract(epoch from now()) - 60", 30)
}

/// What a sweep and the daemon send, each a few times before, so that the plan is the one kept.
fn script() -> String {
    let mut script = format!("{ENDING};\n{BACKLOG};\n");
    script += "select array(select generate_series(0, 31)) as shards,
                      gavel.clock_us() + 1000000 as ahead \\gset\n";
    for _ in 0..7 {
        script += "execute ending(:'shards', 0, :ahead, 10000, 1, 9007199254740991);
            execute backlog(:'shards', 1, 9007199254740991, gavel.clock_us());
            select count(*) from gavel.reap_claims(:'shards', 1, 9007199254740991, 30000000, 1000);\n";
    }
    for shard in 0..32 {
        script += &format!(
            "select count(*) from gavel.close_due({shard}, 1, 9007199254740991, 500, '{{}}');\n"
        );
    }
    script
}

/// Of all batches together; of anything else once.
fn buffers(statements: &[Explained], words: &str) -> u64 {
    let found = statements.iter().filter(|one| one.text.contains(words));
    let counts: Vec<u64> = found.map(|one| one.buffers).collect();
    if words.contains("close_due") {
        return counts.iter().sum();
    }
    counts.last().copied().unwrap_or(0)
}

/// The program, as a user runs it.
fn seconds(server: &Server, live: i64, next_id: &mut i64, rounds: u32) -> anyhow::Result<String> {
    let mut figures = Figures::default();
    for _ in 0..rounds {
        due(server, next_id)?;
        server.sql(DATABASE, "checkpoint")?;
        let taken = timed::run(&server.url(DATABASE), &["close-sweep"])?;
        let left = "select count(*) from gavel.auctions
                    where status = 'OPEN' and end_us <= gavel.clock_us()";
        ensure!(server.sql(DATABASE, left)? == "0", "some are left");
        figures.add("sweep", taken.seconds * 1_000.0);
        let taken = timed::run(&server.url(DATABASE), &["close-sweep"])?;
        figures.add("idle", taken.seconds * 1_000.0);
    }
    let what = format!("ms for a sweep of {DUE} among {live} live, against one of nothing");
    Ok(figures.ratio(&what, "sweep", "idle"))
}

fn ratio(most: u64, least: u64) -> f64 {
    let float = |number: u64| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    float(most) / float(least)
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}\n"));
    lines.collect::<String>().trim_end().to_owned()
}

/// The reads of the store's `auctions_ending` and `backlog`.
const ENDING: &str = "
    prepare ending (integer[], bigint, bigint, bigint, bigint, bigint) as
    select e.end_us, e.auction_id
    from unnest($1) s (shard)
    cross join lateral (
        select a.end_us, a.auction_id from gavel.auctions a
        where a.shard = s.shard and a.status = 'OPEN' and a.owner_node is null
          and a.end_us > $2 and a.end_us <= $3
          and a.auction_id + 0 between $5 and $6
        order by a.end_us
        limit $4) e
    order by e.end_us, e.auction_id
    limit $4";

const BACKLOG: &str = "
    prepare backlog (integer[], bigint, bigint, bigint) as
    select coalesce(sum(d.due), 0)::bigint, min(d.oldest)
    from unnest($1) s (shard)
    cross join lateral (
        select count(*) as due, min(a.end_us) as oldest from gavel.auctions a
        where a.shard = s.shard and a.status = 'OPEN' and a.owner_node is null
          and a.end_us <= $4 and a.auction_id + 0 between $2 and $3) d";
