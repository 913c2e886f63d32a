//! Files and folders in a state that only the system can bring about: without rights, or full.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::cli::{Desk, words};

/// Runs the binary so that the rights of files bind it, whoever runs the tests: root gives up what
/// lets it pass over them.
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

/// Runs a script in a folder with room for a small database, in which `$GAVEL` is the binary. The
/// folder is a mount that the script alone sees and that goes with it; none where the system allows
/// no mount, neither to root nor in a user namespace.
pub(super) fn in_a_small_folder(folder: &Path, script: &str) -> Option<Output> {
    const REFUSED: i32 = 99;
    let whole = format!(
        "mount -t tmpfs -o size=1m none \"$1\" 2>/dev/null || exit {REFUSED}; \
         cd \"$1\" || exit {REFUSED}; echo mounted; {script}"
    );
    let as_user = ["--user", "--map-root-user"];
    let ways: [&[&str]; 2] = [&[], &as_user];
    let run = |way: &[&str]| {
        let mut command = Command::new("unshare");
        command
            .args(way)
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
            .env("GAVEL", env!("CARGO_BIN_EXE_gavel"))
            .env("HOME", folder)
            .env("NO_COLOR", "1")
            .env_remove("DATABASE_URL");
        output(command)
    };
    let mut outputs = ways.into_iter().map(run);
    outputs.find(|output| output.stdout.starts_with(b"mounted\n"))
}

/// Runs a line whose process may make no file larger than so many KiB.
pub(super) fn with_files_of_at_most(desk: &Desk, kib: u32, line: &str) -> Output {
    let blocks = 2 * kib;
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let mut bound = Command::new("sh");
    bound.args(["-c", &script, "sh"]);
    let command = desk.command(&words(line));
    bound.arg(command.get_program()).args(command.get_args());
    bound.env_clear().current_dir(desk.path("."));
    for (name, value) in command.get_envs() {
        bound.env(name, value.unwrap_or_default());
    }
    output(bound)
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}
