//! The bare statements of creates and bids through the `sqlite3` shell.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};

/// As gavel's own writer has it.
const SETTINGS: &str = "pragma journal_mode = wal; pragma synchronous = full;
pragma foreign_keys = on; pragma cache_size = -32768; pragma wal_autocheckpoint = 8192;
pragma temp_store = memory;\n";

/// How many bids are made durable together, as by gavel.
const BATCH: usize = 1_000;

/// Creates and bids a second: the rows and bids that stand in the database `made`, written again
/// into a fresh one.
pub(crate) fn rates(folder: &Path, made: &Path, rows: u32) -> anyhow::Result<(f64, f64)> {
    let bare = folder.join("bare.db");
    let schema = folder.join("schema.sql");
    std::fs::write(
        &schema,
        format!(
            "{SETTINGS}{}",
            include_str!("../../migrations/sqlite/0001_core.sql")
        ),
    )?;
    run(&bare, &schema)?;

    let inserts = folder.join("inserts.sql");
    write_inserts(made, &inserts)?;
    let started = Instant::now();
    run(&bare, &inserts)?;
    let created = f64::from(rows) / started.elapsed().as_secs_f64();

    let bids = folder.join("bids.sql");
    let count = write_bids(made, &bids)?;
    let started = Instant::now();
    run(&bare, &bids)?;
    Ok((created, count / started.elapsed().as_secs_f64()))
}

fn write_inserts(made: &Path, to: &Path) -> anyhow::Result<()> {
    let auctions = query(
        made,
        "select 'insert into auctions (auction_id, status, seller, title, currency, exponent, \
         start_price, steps_name, steps, reserve, own_raise, soft_window_us, soft_extend_us, \
         soft_mode, soft_trigger, start_us, first_end_us, end_us, last_seq, last_us, head) values ('
         || a.auction_id || ',''OPEN'',' || quote(seller) || ',' || quote(title) || ',' ||
         quote(currency) || ',' || exponent || ',' || start_price || ',' || quote(steps_name) || ','
         || quote(steps) || ',' || quote(reserve) || ',' || quote(own_raise) || ',' ||
         soft_window_us || ',' || soft_extend_us || ',' || quote(soft_mode) || ',' ||
         quote(soft_trigger) || ',' || start_us || ',' || first_end_us || ',' || first_end_us ||
         ',1,' || l.at_us || ',' || quote(l.hash) || ');' ||
         'insert into ledger values (' || l.auction_id || ',1,1,' || l.at_us || ',' ||
         quote(l.request_id) || ',' || quote(l.actor) || ',' || quote(l.secret) || ',' ||
         quote(l.nonce) || ',' || quote(l.detail) || ',null,null,' || l.end_us || ',0,' ||
         quote(l.hash) || ');'
         from auctions a join ledger l using (auction_id) where l.seq = 1 order by a.auction_id",
    )?;
    let mut script = BufWriter::new(File::create(to)?);
    writeln!(script, "{SETTINGS}begin immediate;")?;
    script.write_all(auctions.as_bytes())?;
    writeln!(script, "commit;")?;
    Ok(script.flush()?)
}

/// The look-ups, the update and the insert of each accepted bid, in the order of their times.
fn write_bids(made: &Path, to: &Path) -> anyhow::Result<f64> {
    let bids = query(
        made,
        "select auction_id || '|' || seq || '|' || at_us || '|' || quote(request_id) || '|' ||
                quote(actor) || '|' || secret || '|' || quote(nonce) || '|' || price || '|' ||
                quote(leader) || '|' || end_us || '|' || flags || '|' || quote(hash)
         from ledger where kind = 2 order by at_us, auction_id, seq",
    )?;
    let mut script = BufWriter::new(File::create(to)?);
    writeln!(script, "{SETTINGS}begin immediate;")?;
    let mut count = 0;
    let mut statements = String::new();
    for line in BufReader::new(bids.as_bytes()).lines() {
        let line = line?;
        let columns: Vec<&str> = line.split('|').collect();
        let [
            id,
            seq,
            at,
            request,
            actor,
            secret,
            nonce,
            price,
            leader,
            end,
            flags,
            hash,
        ] = columns.as_slice()
        else {
            anyhow::bail!("not a bid: {line}");
        };
        if count > 0 && count % BATCH == 0 {
            writeln!(script, "commit; begin immediate;")?;
        }
        count += 1;
        statements.clear();
        writeln!(
            statements,
            "select * from auctions where auction_id = {id};\n\
             select * from ledger where auction_id = {id} and request_id = {request};\n\
             update auctions set leader = {leader}, leader_max = {secret}, runner_up_max = null, \
             price = {price}, reserve_met = 1, bid_count = bid_count + 1, last_seq = {seq}, \
             last_us = {at}, head = {hash}, end_us = {end} where auction_id = {id};\n\
             insert into ledger values ({id}, {seq}, 2, {at}, {request}, {actor}, {secret}, \
             {nonce}, '', {price}, {leader}, {end}, {flags}, {hash});"
        )?;
        script.write_all(statements.as_bytes())?;
    }
    writeln!(script, "commit;")?;
    script.flush()?;
    Ok(f64::from(u32::try_from(count)?))
}

fn query(database: &Path, text: &str) -> anyhow::Result<String> {
    let output = Command::new("sqlite3")
        .arg(database)
        .arg(text)
        .stdin(Stdio::null())
        .output()
        .context("the program sqlite3 is missing: apt-get install sqlite3")?;
    ensure!(
        output.status.success(),
        "sqlite3: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

fn run(database: &Path, script: &Path) -> anyhow::Result<()> {
    let status = Command::new("sqlite3")
        .arg("-bail")
        .arg(database)
        .stdin(File::open(script)?)
        .stdout(Stdio::null())
        .status()
        .context("the program sqlite3 is missing: apt-get install sqlite3")?;
    ensure!(status.success(), "sqlite3 failed on {}", script.display());
    Ok(())
}
