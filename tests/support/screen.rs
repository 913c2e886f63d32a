//! The binary on a real pseudo-terminal, which `script` of util-linux makes, and what is to be seen
//! there in the end.

use std::process::Stdio;

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
        let quoted = words(line)
            .iter()
            .map(|word| format!("'{}'", word.replace('\'', "'\\''")))
            .collect::<Vec<_>>()
            .join(" ");
        let gavel = env!("CARGO_BIN_EXE_gavel");
        let inside = format!(
            "stty cols {} rows 50; exec '{gavel}' {quoted}",
            self.columns
        );
        let plain = desk.command::<&str>(&[]);
        let mut command = std::process::Command::new("script");
        command
            .args(["--quiet", "--return", "--command", &inside, "/dev/null"])
            .env_clear()
            .current_dir(desk.path(""));
        let settings = plain.get_envs().filter(|(name, _)| *name != "COLUMNS");
        for (name, value) in settings.filter(|(name, _)| !self.colours || *name != "NO_COLOR") {
            command.env(name, value.unwrap_or_default());
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let output = command
            .env("PATH", path)
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm-256color")
            .stdin(Stdio::null())
            .output()
            .expect("script of util-linux runs");
        Shown {
            raw: String::from_utf8(output.stdout).unwrap(),
            code: output.status.code().unwrap(),
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
