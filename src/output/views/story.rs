//! An auction told as a table: a row an entry, and its sentences under it. What an auditor and what
//! a bidder is told have the same form.

use crate::output::{Tone, units};

/// An entry's row.
#[derive(Debug)]
pub(crate) struct StoryRow {
    pub(crate) seq: i64,
    /// With its fraction, which the table leaves out.
    pub(crate) at: String,
    pub(crate) who: String,
    pub(crate) what: String,
    pub(crate) price_before: Option<String>,
    pub(crate) price_after: Option<String>,
    pub(crate) leader: Option<String>,
    pub(crate) tone: Tone,
    /// What happened and why.
    pub(crate) sentences: String,
}

const TITLES: [&str; 6] = ["SEQ", "TIME", "WHO", "WHAT", "PRICE", "LEADER"];
/// The columns that give way: names stand in full in the sentences.
const NAMES: [usize; 2] = [2, 5];
const NAME_MIN: usize = 8;
const GAP: usize = 2;
/// How far to the right the sentences stand.
const INDENT: usize = 5;

/// The table as lines of at most `width` characters.
pub(crate) fn table(rows: &[StoryRow], width: usize) -> Vec<(Tone, String)> {
    let cells: Vec<[String; 6]> = rows.iter().map(StoryRow::cells).collect();
    let widths = widths(&cells, width);
    let mut lines = vec![(Tone::Plain, line(&TITLES.map(str::to_owned), widths))];
    for (row, cells) in rows.iter().zip(&cells) {
        lines.push((row.tone, line(cells, widths)));
        for sentence in units::wrapped(&row.sentences, width.saturating_sub(INDENT)) {
            lines.push((row.tone, format!("{:INDENT$}{sentence}", "")));
        }
    }
    lines
}

impl StoryRow {
    fn cells(&self) -> [String; 6] {
        [
            self.seq.to_string(),
            units::second(&self.at),
            self.who.clone(),
            self.what.clone(),
            price(self.price_before.as_deref(), self.price_after.as_deref()),
            self.leader.clone().unwrap_or_else(|| "-".to_owned()),
        ]
    }
}

/// `76.00 -> 78.00`, or the price alone where it stays.
fn price(before: Option<&str>, after: Option<&str>) -> String {
    match (before, after) {
        (None, None) => "-".to_owned(),
        (Some(before), Some(after)) if before == after => after.to_owned(),
        (before, after) => format!("{} -> {}", before.unwrap_or("-"), after.unwrap_or("-")),
    }
}

fn widths(cells: &[[String; 6]], width: usize) -> [usize; 6] {
    let mut widths = TITLES.map(str::len);
    for row in cells {
        for (kept, cell) in widths.iter_mut().zip(row) {
            *kept = (*kept).max(cell.chars().count());
        }
    }
    let total = widths.iter().sum::<usize>() + GAP * (widths.len() - 1);
    let mut over = total.saturating_sub(width);
    // The longer one first, down to the other; then both.
    while over > 0 {
        let [who, leader] = NAMES;
        let longer = if widths[who] > widths[leader] {
            who
        } else {
            leader
        };
        if widths[longer] <= NAME_MIN {
            break;
        }
        widths[longer] -= 1;
        over -= 1;
    }
    widths
}

fn line(cells: &[String; 6], widths: [usize; 6]) -> String {
    let mut text = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if index > 0 {
            text.push_str(&" ".repeat(GAP));
        }
        let cell = fitted(cell, width);
        let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
        // Numbers to the right, words to the left.
        let (left, right) = if index == 0 {
            (pad.as_str(), "")
        } else {
            ("", pad.as_str())
        };
        text.push_str(&format!("{left}{cell}{right}"));
    }
    text.trim_end().to_owned()
}

fn fitted(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    let kept: String = cell.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// What became of a bid, as a sentence for whoever reads the record.
pub(crate) fn fate(name: &str, seq: Option<i64>) -> String {
    let seq = seq.map_or_else(|| "a later entry".to_owned(), |seq| format!("seq {seq}"));
    match name {
        "wins" => "This bid wins.".to_owned(),
        "leads" => "This bid leads so far.".to_owned(),
        "reserve-not-met" => "This bid led at the end, but below the reserve.".to_owned(),
        "cancelled" => "This bid led when the auction was cancelled.".to_owned(),
        "raised" => format!("It led until its bidder raised it at {seq}."),
        "outbid" => format!("It led until {seq}, and lost."),
        "voided" => format!("It was voided at {seq}."),
        _ => "So this bid lost.".to_owned(),
    }
}

/// Lines under the heading that tell the terms.
pub(crate) fn terms(parts: &[String], width: usize) -> Vec<(Tone, String)> {
    let lines = units::wrapped(&parts.join("; "), width.saturating_sub(2));
    let lines = lines
        .into_iter()
        .map(|line| (Tone::Faint, format!("  {line}")));
    lines.collect()
}

/// The closing lines.
pub(crate) fn result(text: &str, width: usize) -> Vec<(Tone, String)> {
    let lines = units::wrapped(text, width.saturating_sub(2));
    let lines = lines
        .into_iter()
        .map(|line| (Tone::Good, format!("  {line}")));
    std::iter::once((Tone::Plain, String::new()))
        .chain(lines)
        .collect()
}
