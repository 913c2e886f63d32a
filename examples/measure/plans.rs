//! What a session's statements read, those inside functions too, as the server explains them.

use std::io::Write as _;
use std::process::Stdio;

use anyhow::{Context as _, bail};

use super::server::Server;

/// Explains every statement to the one who sends it.
const EXPLAINING: &str = "
    load 'auto_explain';
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on;
    set auto_explain.log_buffers = on;
    set client_min_messages = log;
    set auto_explain.log_min_duration = 0;\n";

/// A statement that was run.
pub(crate) struct Explained {
    /// Its text and its plan.
    pub(crate) text: String,
    /// Buffers that it found or read, with all that was run inside it.
    pub(crate) buffers: u64,
}

/// Runs a script in one session; what it ran, in the order in which it ended.
pub(crate) fn explained(
    server: &Server,
    database: &str,
    script: &str,
) -> anyhow::Result<Vec<Explained>> {
    let mut psql = server.program("psql", database);
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]);
    psql.stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = psql.spawn().context("psql does not run")?;
    let mut input = child.stdin.take().context("no input")?;
    let text = format!("{EXPLAINING}{script}");
    let feeding = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    let said = String::from_utf8(output.stderr)?;
    if !output.status.success() || feeding.join().is_err() {
        bail!("psql: {said}");
    }
    let statements = said.split("LOG:  duration:").skip(1);
    Ok(statements.map(Explained::of).collect())
}

impl Explained {
    fn of(text: &str) -> Self {
        let (_, text) = text.split_once("Query Text: ").unwrap_or(("", text));
        let first = text
            .lines()
            .find(|line| line.trim().starts_with("Buffers: shared"));
        // "Buffers: shared hit=12 read=3 dirtied=4": what is dirtied was found or read before.
        let counts = first
            .unwrap_or_default()
            .split_whitespace()
            .filter_map(|word| {
                let count = word.strip_prefix("hit=").or(word.strip_prefix("read="));
                count.and_then(|count| count.trim_end_matches(',').parse::<u64>().ok())
            });
        Self {
            text: text.trim().to_owned(),
            buffers: counts.sum(),
        }
    }
}
