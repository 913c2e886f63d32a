//! The `gavel` program run as a user would: how long it takes and how much memory.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::ensure;

use super::program;

/// What a run took.
pub(crate) struct Taken {
    pub(crate) seconds: f64,
    /// The most memory that was resident, in MiB.
    pub(crate) peak_mib: f64,
}

/// Runs it on a database; exit codes 0 and 3 (some were refused) are fine.
pub(crate) fn run(database_url: &str, arguments: &[&str]) -> anyhow::Result<Taken> {
    let mut command = Command::new(program::gavel()?);
    command.args(["--database-url", database_url, "--format", "json"]);
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0.0;
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        peak_kib = high_water(&status).unwrap_or(peak_kib);
        std::thread::park_timeout(Duration::from_millis(20));
    };
    let seconds = started.elapsed().as_secs_f64();
    let said = child.wait_with_output()?.stderr;
    ensure!(
        matches!(ended.code(), Some(0 | 3)),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&said)
    );
    Ok(Taken {
        seconds,
        peak_mib: peak_kib / 1_024.0,
    })
}

/// The kernel's own high-water mark, in KiB.
fn high_water(status: &str) -> Option<f64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
