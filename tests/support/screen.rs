//! The binary on a real pseudo-terminal, which `script` of util-linux makes, and what is to be seen
//! there in the end.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::cli::{Desk, words};

/// What came to a terminal.
pub(crate) struct Shown {
    /// Every byte, colours and all.
    pub(crate) raw: String,
    pub(crate) code: i32,
}

/// How a terminal is set up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    pub(crate) columns: u16,
    /// Whether NO_COLOR is absent.
    pub(crate) colours: bool,
}

impl Terminal {
    /// Without colours.
    pub(crate) fn of(columns: u16) -> Self {
        Self {
            columns,
            colours: false,
        }
    }

    /// Runs a line on it.
    pub(crate) fn run(self, desk: &Desk, line: &str) -> Shown {
        let inside = format!("stty cols {} rows 50; exec {}", self.columns, shell(line));
        let output = self
            .command(desk, &inside)
            .stdin(Stdio::null())
            .output()
            .expect("script of util-linux runs");
        Shown {
            raw: String::from_utf8(output.stdout).unwrap(),
            code: output.status.code().unwrap(),
        }
    }

    /// Starts a line on one of 24 rows, to be spoken to; of this database, if one is named.
    pub(crate) fn start(self, desk: &Desk, line: &str, database_url: &str) -> Session {
        let inside = format!(
            "stty cols {} rows 24; stty -g > before; \
             sh -c 'echo $$ > pid; exec \"$@\"' sh {}; code=$?; stty -g > after; exit $code",
            self.columns,
            shell(line)
        );
        let mut child = self
            .command(desk, &inside)
            .env("DATABASE_URL", database_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script of util-linux runs");
        Session {
            keys: child.stdin.take().unwrap(),
            shown: read_along(child.stdout.take().unwrap()),
            child,
            folder: desk.path(""),
            raw: Vec::new(),
            heard: 0,
        }
    }

    /// `script`, with this inside.
    fn command(self, desk: &Desk, inside: &str) -> Command {
        let plain = desk.command::<&str>(&[]);
        let mut command = Command::new("script");
        command
            .args(["--quiet", "--return", "--command", inside, "/dev/null"])
            .env_clear()
            .current_dir(desk.path(""));
        let settings = plain.get_envs().filter(|(name, _)| *name != "COLUMNS");
        for (name, value) in settings.filter(|(name, _)| !self.colours || *name != "NO_COLOR") {
            command.env(name, value.unwrap_or_default());
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        command
            .env("PATH", path)
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm-256color");
        command
    }
}

/// gavel and its words, quoted.
fn shell(line: &str) -> String {
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
    let gavel = quoted(env!("CARGO_BIN_EXE_gavel"));
    let words = words(line);
    let words = words.iter().map(|word| quoted(word));
    std::iter::once(gavel)
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A line under way on a terminal.
pub(crate) struct Session {
    child: Child,
    keys: ChildStdin,
    shown: Receiver<Vec<u8>>,
    folder: PathBuf,
    raw: Vec<u8>,
    /// Up to where what was awaited has come.
    heard: usize,
}

impl Drop for Session {
    /// What a failed test leaves is hung up.
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// How long a program may take for what is awaited.
const PATIENCE: Duration = Duration::from_secs(60);

/// Reads as it comes, so that waiting has an end.
fn read_along(mut shown: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut part = [0; 4096];
        while let Ok(read @ 1..) = shown.read(&mut part) {
            if sender.send(part[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// How it was left.
pub(crate) struct Left {
    pub(crate) raw: String,
    pub(crate) code: i32,
    /// The terminal's settings are as they were.
    pub(crate) restored: bool,
}

impl Session {
    /// Waits until this is drawn, after what was awaited last. Only what is new is drawn: a space
    /// that was one before is not, so it is for one word.
    pub(crate) fn until(&mut self, text: &str) {
        let begun = Instant::now();
        loop {
            let rest = &self.raw[self.heard..];
            let found = rest
                .windows(text.len())
                .position(|part| part == text.as_bytes());
            if let Some(found) = found {
                self.heard += found + text.len();
                return;
            }
            match self
                .shown
                .recv_timeout(PATIENCE.saturating_sub(begun.elapsed()))
            {
                Ok(part) => self.raw.extend(part),
                Err(why) => panic!("{text} was not drawn ({why}): {}", self.raw()),
            }
        }
    }

    fn raw(&self) -> String {
        String::from_utf8_lossy(&self.raw).into_owned()
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Asks the program itself to end, as systemd would.
    pub(crate) fn terminate(&self) {
        let pid = std::fs::read_to_string(self.folder.join("pid")).unwrap();
        let status = Command::new("kill").args(["-TERM", pid.trim()]).status();
        assert!(status.unwrap().success());
    }

    /// Waits for its end.
    pub(crate) fn left(mut self) -> Left {
        loop {
            match self.shown.recv_timeout(PATIENCE) {
                Ok(part) => self.raw.extend(part),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(why) => panic!("it did not end ({why}): {}", self.raw()),
            }
        }
        let settings = |name| std::fs::read_to_string(self.folder.join(name)).unwrap();
        let code = self.child.wait().unwrap().code().unwrap();
        Left {
            raw: self.raw(),
            code,
            restored: settings("before") == settings("after"),
        }
    }
}

impl Shown {
    /// Whether anything is coloured, bold, faint or underlined.
    pub(crate) fn is_styled(&self) -> bool {
        self.raw.split("\u{1b}[").skip(1).any(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
                .starts_with('m')
        })
    }

    /// What stands on the screen in the end: returns, cleared lines and moves carried out.
    pub(crate) fn screen(&self) -> String {
        let mut lines: Vec<Vec<char>> = vec![Vec::new()];
        let (mut row, mut column) = (0, 0);
        let mut rest = self.raw.chars();
        while let Some(c) = rest.next() {
            match c {
                '\r' => column = 0,
                '\n' => {
                    row += 1;
                    lines.resize(lines.len().max(row + 1), Vec::new());
                }
                '\u{1b}' => {
                    assert_eq!(rest.next(), Some('['), "an unknown sequence");
                    let mut number = String::new();
                    let kind = loop {
                        match rest.next().unwrap() {
                            c if c.is_ascii_alphabetic() => break c,
                            c => number.push(c),
                        }
                    };
                    match (kind, number.as_str()) {
                        ('m', _) | ('h' | 'l', "?25") => {}
                        ('K', "2") => lines[row].clear(),
                        ('K', _) => lines[row].truncate(column),
                        ('A', _) => row -= number.parse().unwrap_or(1),
                        other => panic!("an unknown sequence: {other:?}"),
                    }
                }
                c => {
                    let line = &mut lines[row];
                    line.resize(line.len().max(column + 1), ' ');
                    line[column] = c;
                    column += 1;
                }
            }
        }
        let text =
            |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_owned() + "\n";
        let all: String = lines.into_iter().map(text).collect();
        all.trim_end().to_owned() + "\n"
    }
}
