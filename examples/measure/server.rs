//! A PostgreSQL server to measure on: durable as one in use is, in a folder of its own, gone with
//! the program, however that ends.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, bail};

/// `$1`: the folder of the server programs, `$2`: a free port. It ends with its input. Settings
/// are the defaults, with room for the data so that no checkpoint falls into a round.
const WATCHED_SERVER: &str = r#"
set -eu
dir=$(mktemp -d "${TMPDIR:-/tmp}/gavel-measure.XXXXXX")
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT
"$1/initdb" -D "$dir/data" -U measurer --auth=trust --encoding=UTF8 --locale=C \
    >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log"; exit 1; }
"$1/pg_ctl" -D "$dir/data" -l "$dir/server.log" -s -w -t 60 -o "-c port=$2 \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir -c shared_buffers=256MB \
    -c max_wal_size=8GB -c checkpoint_timeout=1h" start >/dev/null 2>&1 \
    || { cat "$dir/server.log"; exit 1; }
echo "ready $dir"
cat >/dev/null || true
"$1/pg_ctl" -D "$dir/data" -s -m immediate stop
"#;

/// Runs until it is dropped or the program ends.
pub(crate) struct Server {
    programs: PathBuf,
    port: u16,
    socket_folder: String,
    /// Holds the input that the watching shell waits on.
    shell: Child,
}

impl Server {
    /// Where the installed programs are is asked of `pg_config` or looked for as Debian has it.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let programs = programs()?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        // The server refuses to run as root; there its package's own user runs it.
        let id = Command::new("id").arg("-u").output()?;
        let mut command = if id.stdout.trim_ascii() == b"0" {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        let mut shell = command
            .args(["-c", WATCHED_SERVER, "sh"])
            .arg(&programs)
            .arg(port.to_string())
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut output = String::new();
        for line in BufReader::new(shell.stdout.take().context("no output")?).lines() {
            let line = line?;
            if let Some(folder) = line.strip_prefix("ready ") {
                return Ok(Self {
                    programs,
                    port,
                    socket_folder: folder.to_owned(),
                    shell,
                });
            }
            output.push_str(&line);
            output.push('\n');
        }
        bail!("PostgreSQL did not start:\n{output}");
    }

    pub(crate) fn url(&self, database: &str) -> String {
        let Self {
            port,
            socket_folder,
            ..
        } = self;
        format!("postgres://measurer@localhost:{port}/{database}?host={socket_folder}")
    }

    /// One of the installed programs (`psql`, `pgbench`), told which database to use.
    pub(crate) fn program(&self, name: &str, database: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command
            .env("PGHOST", &self.socket_folder)
            .env("PGPORT", self.port.to_string())
            .env("PGUSER", "measurer")
            .env("PGDATABASE", database)
            .stdin(Stdio::null());
        command
    }

    /// Runs statements; the last one's single value, if it has one.
    pub(crate) fn sql(&self, database: &str, text: &str) -> anyhow::Result<String> {
        let output = self
            .program("psql", database)
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text])
            .output()
            .context("psql does not run")?;
        if !output.status.success() {
            bail!("psql: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // Nothing is left to be done about a shell that cannot be waited for.
        self.shell.wait().ok();
    }
}

fn programs() -> anyhow::Result<PathBuf> {
    let complete = |folder: &Path| {
        ["initdb", "pg_ctl", "pgbench", "psql"]
            .iter()
            .all(|program| folder.join(program).is_file())
    };
    let mut folders = Vec::new();
    if let Ok(config) = Command::new("pg_config").arg("--bindir").output() {
        folders.push(PathBuf::from(
            String::from_utf8_lossy(&config.stdout).trim(),
        ));
    }
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        for version in versions {
            folders.push(version?.path().join("bin"));
        }
    }
    folders.sort();
    let newest = folders.into_iter().rev().find(|folder| complete(folder));
    newest.context("initdb, pg_ctl, pgbench, psql: install the Debian package postgresql")
}
