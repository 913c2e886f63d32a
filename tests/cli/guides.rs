//! The guides in `docs/` cannot go stale: each page is run from top to bottom, by `sh` and with
//! the real binary, in a fresh folder, and what comes is compared with what stands in the page.
//!
//! In a ```` ```console ```` block a line that begins with `$ ` is a command, which goes on while
//! a quote, a `\` or a here-document is open; the lines after it are what a terminal shows, both
//! outputs in their order. A page shows a real run: ids, hashes and present times in it are
//! behind the same masks as in the run, times in 2099 are compared. A command that fails is
//! followed by `$ echo $?`. Blocks of other languages are not run.
//!
//! With `GAVEL_REGENERATE=1` a page that differs is written anew, as one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;

use crate::support::cli::MASKS;

const PAGES: [&str; 4] = ["auditor.md", "cron.md", "load.md", "operator.md"];
/// Beside the masks of snapshots: what a transcript shows more of.
const MORE_MASKS: [(&str, &str); 9] = [
    (r"\b[0-9a-f]{32}\b", "[nonce]"),
    (r"20(2[6-9]|[3-8]\d)-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[time]"),
    (
        r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "[uuid]",
    ),
    (r"\d+(h|m|s|ms|us)( \d+\w+)* at most", "[span] at most"),
    (r#""lag_max_us":\d+"#, r#""lag_max_us":[us]"#),
    (r"\d+ bytes", "[n] bytes"),
    (r"\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}", "+[key]"),
    (r"[A-Za-z0-9+/]{43}=", "[root]"),
    (r"(sqlite +ok +)[\d.]+", "${1}[version]"),
];
/// Stands between the outputs of two commands.
const MARK: &str = "==== a command of the guide ended with";

#[test]
fn the_operators_guide_is_true() {
    hold("operator.md");
}

#[test]
fn the_auditors_guide_is_true() {
    hold("auditor.md");
}

#[test]
fn the_guide_for_cron_is_true() {
    hold("cron.md");
}

#[test]
fn the_guide_to_load_is_true() {
    hold("load.md");
}

#[test]
fn every_page_is_run_and_linked() {
    let mut names: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, PAGES);
    let readme = fs::read_to_string(folder().with_file_name("README.md")).unwrap();
    for page in PAGES {
        assert!(readme.contains(&format!("(docs/{page})")), "{page}");
    }
}

#[test]
fn a_stale_page_would_be_seen() {
    let page = Page::parse(
        r"```console
$ gavel migrate --quiet
the database is ready: 1 migration applied
  database  sqlite:/home/ann/.local/share/gavel/gavel.db
  schema    1
$ echo 'two
lines'
two
lines
$ gavel create --id 5 --seller carl --title Clock --start-price 1 \
    --ends-in 9d
$ cat <<'EOF'
$ 1
EOF
2
$ gavel show 6 >/dev/null 2>&1
```
",
    );
    let commands: Vec<_> = page
        .steps
        .iter()
        .map(|step| step.command.as_str())
        .collect();
    assert_eq!(commands.len(), 5, "{commands:#?}");
    let runs = page.run();
    assert_eq!(runs[3].said, ["$ 1"]);
    let faults = page.faults("page.md", &runs);
    let expected = [
        "page.md:10: $ gavel create --id 5",
        "page.md:12: $ cat <<'EOF'",
        "page.md:16: $ gavel show 6 >/dev/null 2>&1\nexits with 3",
    ];
    assert_eq!(faults.len(), expected.len(), "{faults:#?}");
    for (fault, start) in faults.iter().zip(expected) {
        assert!(fault.starts_with(start), "{fault}");
    }
}

/// Runs a page and compares it, or writes it.
fn hold(name: &str) {
    let path = folder().join(name);
    let text = fs::read_to_string(&path).unwrap();
    let page = Page::parse(&text);
    assert!(!page.steps.is_empty(), "{name} shows no command");
    let runs = page.run();
    if std::env::var_os("GAVEL_REGENERATE").is_some() && page.differs(&runs) {
        fs::write(&path, page.with(&runs)).unwrap();
        return;
    }
    let faults = page.faults(&format!("docs/{name}"), &runs);
    assert!(
        faults.is_empty(),
        "{} (- the page, + the run; GAVEL_REGENERATE=1 writes it):\n{}",
        path.display(),
        faults.join("\n")
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// A page: its lines, and which of them are commands and their outputs.
struct Page {
    lines: Vec<String>,
    steps: Vec<Step>,
}

/// A command, and the lines of the page that tell what it says.
struct Step {
    /// The first line of the command, counted from 0.
    at: usize,
    command: String,
    said: std::ops::Range<usize>,
}

/// What a command said, and how it ended.
struct Run {
    said: Vec<String>,
    code: String,
}

impl Page {
    fn parse(text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut steps = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            if lines[at] != "```console" {
                at += 1;
                continue;
            }
            at += 1;
            while lines[at] != "```" {
                let step = Step::parse(&lines, at);
                at = step.said.end;
                steps.push(step);
            }
        }
        Self { lines, steps }
    }

    /// Runs all commands in one shell.
    fn run(&self) -> Vec<Run> {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("home/ann/desk")).unwrap();
        let mut script = String::new();
        for step in &self.steps {
            script.push_str(&format!(
                "{}\nguide_code=$?; printf '\\n%s %s\\n' '{MARK}' $guide_code\n(exit $guide_code)\n",
                step.command
            ));
        }
        fs::write(root.join("page.sh"), script).unwrap();
        let output = Command::new("sh")
            .args(["-c", "exec sh \"$0\" 2>&1"])
            .arg(root.join("page.sh"))
            .env_clear()
            .env("PATH", path_with_gavel())
            .env("HOME", root.join("home/ann"))
            .env("XDG_DATA_HOME", root.join("home/ann/.local/share"))
            .env("COLUMNS", "80")
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C")
            .env("TZ", "America/Los_Angeles")
            .current_dir(root.join("home/ann/desk"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let runs = runs_of(&text.replace(root.to_str().unwrap(), ""));
        assert_eq!(runs.len(), self.steps.len(), "sh stopped early: {text}");
        runs
    }

    fn faults(&self, name: &str, runs: &[Run]) -> Vec<String> {
        let mut faults = Vec::new();
        for (index, (step, run)) in self.steps.iter().zip(runs).enumerate() {
            let place = format!("{name}:{}: $ {}", step.at + 1, step.command);
            let told = self.steps.get(index + 1);
            if run.code != "0" && told.is_none_or(|next| next.command != "echo $?") {
                faults.push(format!(
                    "{place}\nexits with {}, and no `$ echo $?` tells it",
                    run.code
                ));
            }
            let (page, fresh) = (masked(self.said(step)), masked(&run.said));
            if page != fresh {
                faults.push(format!("{place}\n{}", differences(&page, &fresh)));
            }
        }
        faults
    }

    fn differs(&self, runs: &[Run]) -> bool {
        let differs = |(step, run): (&Step, &Run)| masked(self.said(step)) != masked(&run.said);
        self.steps.iter().zip(runs).any(differs)
    }

    /// The page with what was said this time.
    fn with(&self, runs: &[Run]) -> String {
        let (mut lines, mut from) = (Vec::new(), 0);
        for (step, run) in self.steps.iter().zip(runs) {
            lines.extend_from_slice(&self.lines[from..step.said.start]);
            lines.extend_from_slice(&run.said);
            from = step.said.end;
        }
        lines.extend_from_slice(&self.lines[from..]);
        lines.join("\n") + "\n"
    }

    fn said(&self, step: &Step) -> &[String] {
        &self.lines[step.said.clone()]
    }
}

impl Step {
    fn parse(lines: &[String], at: usize) -> Self {
        let first = lines[at].strip_prefix("$ ");
        let mut command = first
            .unwrap_or_else(|| panic!("line {}: a block begins with a command", at + 1))
            .to_owned();
        let mut next = at + 1;
        while is_open(&command) {
            command.push('\n');
            command.push_str(&lines[next]);
            next += 1;
        }
        let said = next;
        while lines[next] != "```" && !lines[next].starts_with("$ ") {
            next += 1;
        }
        Self {
            at,
            command,
            said: said..next,
        }
    }
}

/// Whether a command goes on in the next line.
fn is_open(command: &str) -> bool {
    match command.split_once("<<'EOF'\n") {
        Some((_, document)) => document != "EOF" && !document.ends_with("\nEOF"),
        None => {
            command.ends_with('\\')
                || command.ends_with("<<'EOF'")
                || command.matches('\'').count() % 2 == 1
        }
    }
}

fn path_with_gavel() -> std::ffi::OsString {
    let gavel = Path::new(env!("CARGO_BIN_EXE_gavel")).parent().unwrap();
    let inherited = std::env::var_os("PATH").unwrap();
    let folders = std::iter::once(gavel.to_owned()).chain(std::env::split_paths(&inherited));
    std::env::join_paths(folders).unwrap()
}

fn runs_of(mut text: &str) -> Vec<Run> {
    let mark = format!("\n{MARK} ");
    let mut runs = Vec::new();
    while let Some((said, rest)) = text.split_once(&mark) {
        let (code, next) = rest.split_once('\n').unwrap();
        runs.push(Run {
            said: said.lines().map(str::to_owned).collect(),
            code: code.to_owned(),
        });
        text = next;
    }
    runs
}

fn masked(lines: &[String]) -> Vec<String> {
    let mut text = lines.join("\n");
    for (pattern, mask) in MASKS.into_iter().chain(MORE_MASKS) {
        text = Regex::new(pattern)
            .unwrap()
            .replace_all(&text, mask)
            .into_owned();
    }
    text.lines().map(str::to_owned).collect()
}

/// Line by line, without what both begin and end with.
fn differences(page: &[String], run: &[String]) -> String {
    let same = |(one, other): &(&String, &String)| one == other;
    let head = page.iter().zip(run).take_while(same).count();
    let (page, run) = (&page[head..], &run[head..]);
    let tail = page
        .iter()
        .rev()
        .zip(run.iter().rev())
        .take_while(same)
        .count();
    let gone = page[..page.len() - tail]
        .iter()
        .map(|line| format!("- {line}\n"));
    let come = run[..run.len() - tail]
        .iter()
        .map(|line| format!("+ {line}\n"));
    gone.chain(come).collect()
}
