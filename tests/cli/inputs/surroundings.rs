//! Files and folders in a state that only the system can bring about: without rights, read-only, or
//! full.
//!
//! Root passes over the rights of files, so a mount of its own makes the folder what it is to be; it
//! is seen by one shell alone and goes with it. Whoever is not root becomes it inside a user
//! namespace of its own.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::cli::Desk;

/// A shell in which `$GAVEL` is the binary and the folder is mounted anew by a command that knows it
/// as `$1`.
pub(super) fn mounted(folder: &Path, mount: &str, script: &str) -> Output {
    let mut command = Command::new("unshare");
    if !is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    let whole = format!("set -e; {mount}; cd \"$1\"; set +e; {script}");
    command
        .args([
            "--mount",
            "--propagation",
            "private",
            "sh",
            "-c",
            &whole,
            "sh",
        ])
        .arg(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GAVEL", env!("CARGO_BIN_EXE_gavel"))
        .env("HOME", folder)
        .output()
        .expect("unshare of util-linux runs")
}

/// Runs the binary so that the rights of files bind it, whoever runs the tests.
pub(super) fn bound_by_rights(desk: &Desk, words: &[&str]) -> Output {
    let plain = desk.command(words);
    if !is_root() {
        return output(plain);
    }
    let mut bound = Command::new("setpriv");
    bound
        .args(["--bounding-set", "-dac_override,-dac_read_search"])
        .arg(plain.get_program())
        .args(words)
        .env_clear()
        .current_dir(desk.path(""));
    for (name, value) in plain.get_envs() {
        bound.env(name, value.unwrap_or_default());
    }
    output(bound)
}

fn output(mut command: Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

/// The folder as it is, and nothing in it can be changed.
pub(super) const READ_ONLY: &str = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\"";
/// An empty folder with room for a small database.
pub(super) const SMALL: &str = "mount -t tmpfs -o size=1m none \"$1\"";

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}
