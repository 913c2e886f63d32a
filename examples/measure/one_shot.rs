//! One bid from a shell: the `gavel` program against `psql -c` of the same call, connecting
//! included.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::ensure;

use gavel::auction::Micros;

use super::bids::maximum;
use super::figures::Figures;
use super::program;
use super::server::Server;

const BIDS: u32 = 40;

/// In turn; each maximum is above all before it.
pub(crate) fn round(
    server: &Server,
    database: &str,
    since: Micros,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let gavel = program::gavel()?;
    let url = server.url(database);
    for _ in 0..BIDS {
        let major = maximum(since) / 100;
        let mut ours = Command::new(&gavel);
        ours.args(["--database-url", &url, "--quiet", "bid", "7"]);
        ours.args(["--bidder", "one-shot", "--max", &major.to_string()]);
        figures.add("gavel bid", milliseconds(&mut ours)?);
        let minor = maximum(since);
        let call = format!(
            "select * from gavel.place_bid(7, gen_random_uuid(), 'one-shot', {minor}, 'USD',
                 '\\x00112233445566778899aabbccddeeff')"
        );
        let mut theirs = server.program("psql", database);
        theirs.args(["-X", "-c", &call]);
        figures.add("psql -c", milliseconds(&mut theirs)?);
    }
    Ok(())
}

fn milliseconds(command: &mut Command) -> anyhow::Result<f64> {
    let started = Instant::now();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    let taken = started.elapsed().as_secs_f64() * 1_000.0;
    ensure!(status.success(), "a bid was not taken: {command:?}");
    Ok(taken)
}

pub(crate) fn lines(figures: &Figures) -> Vec<String> {
    let what = "ms for one bid from a shell, gavel bid against psql -c";
    vec![figures.ratio(what, "gavel bid", "psql -c")]
}
