//! Scripts through `pgbench`, the yardstick: the server's own load generator, prepared statements.

use std::io::Write as _;

use anyhow::{Context as _, ensure};

use super::server::Server;

/// What a run gave.
pub(crate) struct Ran {
    /// Scripts a second, without the time to connect.
    pub(crate) rate: f64,
    /// Scripts run.
    pub(crate) count: f64,
}

/// Runs a script with so many clients; `more` says how often or how long, `options` what is set in
/// their sessions (`-c name=value`).
pub(crate) fn run(
    server: &Server,
    database: &str,
    script: &str,
    clients: usize,
    more: &[&str],
    options: &str,
) -> anyhow::Result<Ran> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(script.as_bytes())?;
    let output = server
        .program("pgbench", database)
        .env("PGOPTIONS", options)
        .args(["-n", "-M", "prepared", "-c", &clients.to_string(), "-j"])
        .arg(clients.min(2).to_string())
        .args(more)
        .arg("-f")
        .arg(file.path())
        .output()
        .context("pgbench does not run")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pgbench: {text}{errors}");
    let number = |label: &str| -> anyhow::Result<f64> {
        let line = text.lines().find_map(|line| line.strip_prefix(label));
        let digits = line.and_then(|rest| rest.split([' ', '/']).next());
        let digits = digits.with_context(|| format!("no {label:?} in {text}{errors}"))?;
        Ok(digits.parse()?)
    };
    Ok(Ran {
        rate: number("tps = ")?,
        count: number("number of transactions actually processed: ")?,
    })
}
