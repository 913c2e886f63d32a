//! Files with a bad cell in each row.

use std::collections::BTreeMap;

use gavel::auction::terms::steers;

use super::witness::{Before, told};
use crate::support::cli::{Desk, Said};

/// How many bad rows gavel names.
const NAMED_MAX: usize = 20;

/// The columns of a row that is good, and who reads it.
pub(super) struct Sheet {
    command: &'static str,
    good: Vec<(&'static str, &'static str)>,
    /// Whether no cell's digits may be told.
    masked: bool,
}

impl Sheet {
    pub(super) fn of_auctions() -> Self {
        Self {
            command: "create",
            good: vec![
                ("id", ""),
                ("seller", "alice"),
                ("title", "T"),
                ("currency", "USD"),
                ("start_price", "5"),
                ("steps", "1"),
                ("reserve", ""),
                ("starts_at", "2026-01-01T00:00Z"),
                ("ends_at", "2099-12-06T03:00Z"),
                ("ends_in", ""),
                ("actor", ""),
                ("request_id", ""),
            ],
            masked: false,
        }
    }

    pub(super) fn of_bids() -> Self {
        Self {
            command: "bid",
            good: vec![
                ("auction_id", "7731"),
                ("bidder", "ann"),
                ("maximum", "5000"),
                ("currency", ""),
                ("request_id", ""),
            ],
            masked: true,
        }
    }

    /// With another good cell.
    pub(super) fn with(mut self, column: &str, cell: &'static str) -> Self {
        let place = self.good.iter_mut().find(|(name, _)| *name == column);
        place.unwrap().1 = cell;
        self
    }

    /// Tries each cell in a row of its own, as CSV and as JSON lines: each row is named by line,
    /// column and value with the reason, and nothing is written.
    pub(super) fn refuses(&self, desk: &Desk, column: &str, cells: &[(&str, &str)]) {
        for cells in cells.chunks(NAMED_MAX) {
            // An empty cell of CSV is an absent one.
            let in_csv: Vec<_> = cells.iter().filter(|(text, _)| !text.is_empty()).collect();
            let rows = in_csv.iter().map(|(text, _)| self.row(column, text));
            let said = self.upload(desk, "rows.csv", &self.csv(rows));
            self.named(&said, "rows.csv", 2, column, &in_csv);

            let all: Vec<_> = cells.iter().collect();
            let rows = all.iter().map(|(text, _)| self.row(column, text));
            let lines: String = rows.map(|row| json(row, column) + "\n").collect();
            let said = self.upload(desk, "rows.jsonl", lines.as_bytes());
            self.named(&said, "rows.jsonl", 1, column, &all);
        }
    }

    /// A file's bytes: the header and a row of good cells with this one.
    pub(super) fn file(&self, column: &str, cell: &str) -> Vec<u8> {
        self.csv(std::iter::once(self.row(column, cell)))
    }

    /// Uploads a file that must change nothing.
    pub(super) fn upload(&self, desk: &Desk, name: &str, bytes: &[u8]) -> Said {
        desk.write(name, bytes);
        let before = Before::of(desk);
        let said = desk.run_words(&[self.command, "--file", name]);
        before.still_is(desk);
        std::fs::remove_file(desk.path(name)).unwrap();
        said
    }

    fn row<'a>(&self, column: &str, cell: &'a str) -> Vec<(&'static str, &'a str)> {
        let mut row: Vec<(&'static str, &'a str)> = self.good.clone();
        row.iter_mut().find(|(name, _)| *name == column).unwrap().1 = cell;
        row
    }

    fn csv<'a>(&self, rows: impl Iterator<Item = Vec<(&'static str, &'a str)>>) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = self.good.iter().map(|(name, _)| name);
        writer.write_record(header).unwrap();
        for row in rows {
            writer
                .write_record(row.iter().map(|(_, cell)| cell))
                .unwrap();
        }
        writer.into_inner().unwrap()
    }

    fn named(&self, said: &Said, file: &str, first: usize, column: &str, cells: &[&(&str, &str)]) {
        let sums = match cells.len() {
            1 => "error: the only row is bad; nothing was written".to_owned(),
            n => format!("error: {n} of {n} rows are bad; nothing was written"),
        };
        told(said, 2, column, &[&sums]);
        let secret = self.masked || column == "reserve";
        for (line, (text, why)) in (first..).zip(cells) {
            let value = if secret {
                masked(text)
            } else {
                (*text).to_owned()
            };
            let place = format!(
                "  {file}:{line}: column {column}, value \"{}",
                short(&value)
            );
            let found = said.stderr.lines().find(|line| line.starts_with(&place));
            assert!(
                found.is_some_and(|line| line.contains(why)),
                "{place} … {why}: {}",
                said.stderr
            );
            assert!(!secret || !has_digits(text) || !found.unwrap().contains(text));
        }
    }
}

fn json(row: Vec<(&str, &str)>, column: &str) -> String {
    let stated = |(name, cell): &(&str, &str)| !cell.is_empty() || *name == column;
    let object: BTreeMap<_, _> = row.into_iter().filter(stated).collect();
    serde_json::to_string(&object).unwrap()
}

/// As it is told where its digits are secret.
pub(super) fn masked(text: &str) -> String {
    let hidden = |c: char| if c.is_numeric() { '#' } else { c };
    text.chars().map(hidden).collect()
}

/// Long enough to be recognised where a number is told otherwise.
fn has_digits(text: &str) -> bool {
    text.chars().filter(|c| c.is_numeric()).count() > 3
}

/// The beginning of a value, as far as it is told.
fn short(text: &str) -> String {
    let control = |c: char| if steers(c) { '\u{fffd}' } else { c };
    text.chars().take(60).map(control).collect()
}
