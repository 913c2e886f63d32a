//! Tables and cards for people.
//!
//! A table is printed page by page, so a list of any length streams; the widths of the first page
//! hold for the later ones, which may only grow. On a terminal the elastic column gives way, so
//! that a row stays a line; off a terminal nothing is cut.

use std::io::{self, Write};

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Row, Table, Width,
};

use super::record::{Card, Column, TableRow, Tone};

/// How many rows are measured together.
pub(crate) const PAGE_ROWS: usize = 500;
/// The elastic column never gets narrower than this.
const ELASTIC_MIN: u16 = 6;
/// Between two columns.
const GAP: u16 = 2;
/// What a column of numbers is widened by where more rows follow than were measured, so that
/// longer numbers find room and the columns stay where they are.
const HEADROOM: u16 = 3;

/// A table that is printed in pages.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    widths: Vec<u16>,
    pending: Vec<(Vec<String>, Tone)>,
    started: bool,
    /// More rows may follow than are measured together.
    long: bool,
}

impl Pages {
    /// Takes a row; prints a page when enough have come together.
    pub(crate) fn push<R: TableRow>(
        &mut self,
        out: &mut dyn Write,
        row: &R,
        width: Option<u16>,
    ) -> io::Result<()> {
        self.pending.push((row.cells(), row.tone()));
        if self.pending.len() < PAGE_ROWS {
            return Ok(());
        }
        self.long = true;
        self.flush(out, R::COLUMNS, width)
    }

    /// Prints what is left; a table without rows is not printed.
    pub(crate) fn flush(
        &mut self,
        out: &mut dyn Write,
        columns: &[Column],
        width: Option<u16>,
    ) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut table = Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.enforce_styling();
        if !self.started {
            let header = columns
                .iter()
                .map(|column| Cell::new(column.title.to_uppercase()).add_attribute(Attribute::Dim));
            table.set_header(header.collect::<Vec<_>>());
        }
        for (cells, tone) in self.pending.drain(..) {
            let mut row = Row::from(
                cells
                    .into_iter()
                    .map(|text| toned(text, tone))
                    .collect::<Vec<_>>(),
            );
            row.max_height(1);
            table.add_row(row);
        }
        self.measure(&mut table, columns, width);
        self.started = true;
        table
            .lines()
            .try_for_each(|line| writeln!(out, "{}", unpadded(&line)))
    }

    fn measure(&mut self, table: &mut Table, columns: &[Column], width: Option<u16>) {
        let natural = table.column_max_content_widths();
        self.widths.resize(natural.len(), 0);
        for (kept, found) in self.widths.iter_mut().zip(natural) {
            *kept = found.max(*kept);
        }
        if self.long && !self.started {
            for (kept, column) in self.widths.iter_mut().zip(columns) {
                *kept += if column.right { HEADROOM } else { 0 };
            }
        }
        let mut shown = self.widths.clone();
        if let Some(width) = width {
            let elastic = columns.iter().position(|column| column.elastic);
            let gaps = GAP * u16::try_from(columns.len().saturating_sub(1)).unwrap_or(0);
            let total: u16 = shown.iter().fold(gaps, |sum, w| sum.saturating_add(*w));
            if let (Some(elastic), Some(excess)) = (elastic, total.checked_sub(width)) {
                let narrow = shown[elastic].saturating_sub(excess).max(ELASTIC_MIN);
                shown[elastic] = narrow.min(shown[elastic]);
            }
        }
        table.set_content_arrangement(ContentArrangement::Disabled);
        let last = columns.len().saturating_sub(1);
        for (index, (column, width)) in columns.iter().zip(shown).enumerate() {
            let gap = if index == last { 0 } else { GAP };
            if let Some(laid) = table.column_mut(index) {
                laid.set_padding((0, gap));
                laid.set_constraint(ColumnConstraint::Absolute(Width::Fixed(
                    width.saturating_add(gap),
                )));
                if column.right {
                    laid.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        table.set_truncation_indicator("…");
    }
}

/// A line without what nobody sees at its end: padding, whatever colours it has.
fn unpadded(line: &str) -> String {
    const ESCAPE: char = '\u{1b}';
    const RESET: &str = "\u{1b}[0m";
    let (mut end, mut in_code) = (0, false);
    for (at, c) in line.char_indices() {
        match c {
            ESCAPE => in_code = true,
            'm' if in_code => in_code = false,
            c if !in_code && c != ' ' => end = at + c.len_utf8(),
            _ => {}
        }
    }
    let reset = if line.contains(ESCAPE) { RESET } else { "" };
    format!("{}{reset}", &line[..end])
}

fn toned(text: String, tone: Tone) -> Cell {
    let cell = Cell::new_owned(text);
    match tone {
        Tone::Plain => cell,
        Tone::Good => cell.fg(Color::Green),
        Tone::Caution => cell.fg(Color::Yellow),
        Tone::Bad => cell.fg(Color::Red),
        Tone::Faint => cell.add_attribute(Attribute::Dim),
    }
}

/// Writes a card: the heading, then labels and values in two columns.
pub(crate) fn write_card(out: &mut dyn Write, card: &impl Card) -> io::Result<()> {
    let style = super::ui::style(card.tone()).bold();
    writeln!(out, "{style}{}{style:#}", card.heading())?;
    let lines: Vec<_> = card
        .lines()
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect();
    write_pairs(out, &lines)
}

/// Writes labels and values in two columns.
pub(crate) fn write_pairs(out: &mut dyn Write, pairs: &[(&str, String)]) -> io::Result<()> {
    let width = pairs
        .iter()
        .map(|(label, _)| label.len())
        .max()
        .unwrap_or(0);
    let faint = super::ui::style(Tone::Faint);
    for (label, value) in pairs {
        let pad = width - label.len();
        writeln!(out, "  {faint}{label}{faint:#}{:pad$}  {value}", "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::record::record;

    record! {
        struct Number {
            number: u32,
        }
    }

    impl TableRow for Number {
        const COLUMNS: &'static [Column] = &[Column::right("n"), Column::elastic("text")];
        fn cells(&self) -> Vec<String> {
            vec![self.number.to_string(), "a text".to_owned()]
        }
    }

    #[test]
    fn columns_of_a_long_table_stay_where_they_are() {
        let (mut pages, mut out) = (Pages::default(), Vec::new());
        for number in 1..=99_999 {
            pages.push(&mut out, &Number { number }, Some(20)).unwrap();
        }
        pages.flush(&mut out, Number::COLUMNS, Some(20)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let starts = text.lines().skip(1).map(|line| line.find('a'));
        assert!(starts.into_iter().all(|start| start == Some(8)));
        assert_eq!(text.lines().count(), 100_000);
        assert_eq!(text.matches("TEXT").count(), 1);
    }

    #[test]
    fn padding_goes_and_colours_end() {
        assert_eq!(unpadded("a  b   "), "a  b");
        assert_eq!(
            unpadded("\u{1b}[2ma  \u{1b}[0m\u{1b}[2m  \u{1b}[0m"),
            "\u{1b}[2ma\u{1b}[0m"
        );
        assert_eq!(unpadded(""), "");
    }
}
