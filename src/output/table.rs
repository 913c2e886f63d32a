//! Tables and cards for people.
//!
//! A table is printed page by page, so a list of any length streams; the widths of the first page
//! hold for the later ones, which may only grow. On a terminal the elastic column gives way, so
//! that a row stays a line; where it would get too narrow to be read, it stands under the others,
//! on a line of its own. Off a terminal nothing is cut.

use std::io::{self, Write};

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Row, Table, Width,
};

use super::record::{Card, Column, TableRow, Tone};
use super::units;

/// How many rows are measured together.
pub(crate) const PAGE_ROWS: usize = 500;
/// Narrower than this the elastic column is not read any more.
const ELASTIC_MIN: u16 = 12;
/// Between two columns.
const GAP: u16 = 2;
/// What a column of numbers is widened by where more rows follow than were measured, so that
/// longer numbers find room and the columns stay where they are.
const HEADROOM: u16 = 3;
/// How far to the right the elastic column stands where it stands under the others.
const INDENT: u16 = 4;

/// A table that is printed in pages.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    widths: Vec<u16>,
    pending: Vec<(Vec<String>, Tone)>,
    /// More rows may follow than are measured together.
    long: bool,
    /// Decided by the first page: whether the elastic column stands under the others.
    stacked: Option<bool>,
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
        let rows = std::mem::take(&mut self.pending);
        let page = Page {
            columns,
            rows: &rows,
            header: self.stacked.is_none(),
        };
        let whole = page.table(|_| true);
        self.widths.resize(columns.len(), 0);
        for (kept, found) in self
            .widths
            .iter_mut()
            .zip(whole.column_max_content_widths())
        {
            *kept = found.max(*kept);
        }
        if self.long && self.stacked.is_none() {
            for (kept, column) in self.widths.iter_mut().zip(columns) {
                *kept += if column.right { HEADROOM } else { 0 };
            }
        }
        let mut shown = self.widths.clone();
        let elastic = columns.iter().position(|column| column.elastic);
        let room = width
            .zip(elastic)
            .map(|(width, elastic)| (elastic, room(&shown, elastic, width), width));
        let cramped = room.is_some_and(|(elastic, room, _)| room < ELASTIC_MIN.min(shown[elastic]));
        let stacked = *self.stacked.get_or_insert(cramped);
        let lines = match room {
            Some((elastic, _, width)) if stacked => {
                page.stacked(elastic, &without(shown, elastic), width)
            }
            Some((elastic, room, _)) => {
                shown[elastic] = shown[elastic].min(room.max(ELASTIC_MIN / 2));
                page.laid(whole, &shown)
            }
            None => page.laid(whole, &shown),
        };
        lines
            .iter()
            .try_for_each(|line| writeln!(out, "{}", unpadded(line)))
    }
}

/// What is left for the elastic column.
fn room(widths: &[u16], elastic: usize, width: u16) -> u16 {
    let gaps = GAP * u16::try_from(widths.len().saturating_sub(1)).unwrap_or(0);
    let others = widths
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != elastic);
    let taken = others.fold(gaps, |sum, (_, width)| sum.saturating_add(*width));
    width.saturating_sub(taken)
}

fn without(mut widths: Vec<u16>, index: usize) -> Vec<u16> {
    widths.remove(index);
    widths
}

/// Rows that are measured together.
struct Page<'p> {
    columns: &'p [Column],
    rows: &'p [(Vec<String>, Tone)],
    header: bool,
}

impl Page<'_> {
    /// A table of some of the columns, each row one line.
    fn table(&self, takes: impl Fn(usize) -> bool) -> Table {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.enforce_styling();
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_truncation_indicator("…");
        let columns = || {
            self.columns
                .iter()
                .enumerate()
                .filter(|(index, _)| takes(*index))
        };
        if self.header {
            let title = |column: &Column| {
                Cell::new(column.title.to_uppercase()).add_attribute(Attribute::Dim)
            };
            table.set_header(
                columns()
                    .map(|(_, column)| title(column))
                    .collect::<Vec<_>>(),
            );
        }
        for (cells, tone) in self.rows {
            let cells = cells.iter().enumerate().filter(|(index, _)| takes(*index));
            let cells = cells.map(|(_, text)| toned(text.clone(), *tone));
            let mut row = Row::from(cells.collect::<Vec<_>>());
            row.max_height(1);
            table.add_row(row);
        }
        for (place, (_, column)) in columns().enumerate() {
            if column.right
                && let Some(laid) = table.column_mut(place)
            {
                laid.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// The lines where the elastic column stands under the others, which have these widths; it has
    /// no line where it says nothing.
    fn stacked(&self, elastic: usize, widths: &[u16], width: u16) -> Vec<String> {
        let above = self.laid(self.table(|index| index != elastic), widths);
        let below = width.saturating_sub(INDENT);
        let below = self.laid(self.table(|index| index == elastic), &[below]);
        let says = |(cells, _): &(Vec<String>, Tone)| !cells[elastic].trim().is_empty();
        let says =
            std::iter::repeat_n(true, usize::from(self.header)).chain(self.rows.iter().map(says));
        let mut lines = Vec::new();
        for ((above, below), says) in above.into_iter().zip(below).zip(says) {
            lines.push(above);
            lines.extend(
                says.then(|| format!("{:indent$}{below}", "", indent = usize::from(INDENT))),
            );
        }
        lines
    }

    /// The lines of a table whose columns have these widths.
    fn laid(&self, mut table: Table, widths: &[u16]) -> Vec<String> {
        let last = widths.len().saturating_sub(1);
        for (place, width) in widths.iter().enumerate() {
            let gap = if place == last { 0 } else { GAP };
            if let Some(laid) = table.column_mut(place) {
                laid.set_padding((0, gap));
                laid.set_constraint(ColumnConstraint::Absolute(Width::Fixed(
                    width.saturating_add(gap),
                )));
            }
        }
        table.lines().collect()
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

/// Writes a card.
pub(crate) fn write_card(
    out: &mut dyn Write,
    card: &impl Card,
    width: Option<u16>,
) -> io::Result<()> {
    write_summary(out, card.tone(), &card.heading(), card.lines(), width)
}

/// Writes a heading, then labels and values in two columns; empty values are left out.
pub(crate) fn write_summary(
    out: &mut dyn Write,
    tone: Tone,
    heading: &str,
    mut lines: Vec<(&str, String)>,
    width: Option<u16>,
) -> io::Result<()> {
    let style = super::ui::style(tone).bold();
    writeln!(out, "{style}{heading}{style:#}")?;
    lines.retain(|(_, value)| !value.is_empty());
    write_pairs(out, &lines, width)
}

/// Writes labels and values in two columns; on a terminal a long value is broken at its spaces and
/// stays in its column.
pub(crate) fn write_pairs(
    out: &mut dyn Write,
    pairs: &[(&str, String)],
    width: Option<u16>,
) -> io::Result<()> {
    let labels = pairs.iter().map(|(label, _)| label.len()).max();
    let margin = labels.unwrap_or(0) + 2 * usize::from(GAP);
    let faint = super::ui::style(Tone::Faint);
    for (label, value) in pairs {
        let lines = match width {
            Some(width) => units::wrapped(value, usize::from(width).saturating_sub(margin)),
            None => vec![value.clone()],
        };
        let mut lines = lines.iter();
        let first = lines.next().map_or("", String::as_str);
        let pad = margin - 2 - label.len();
        writeln!(out, "  {faint}{label}{faint:#}{:pad$}{first}", "")?;
        lines.try_for_each(|line| writeln!(out, "{:margin$}{line}", ""))?;
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
    fn a_title_without_room_stands_under_its_row() {
        let (mut pages, mut out) = (Pages::default(), Vec::new());
        for number in [1, 1_000_000_000] {
            pages.push(&mut out, &Number { number }, Some(15)).unwrap();
        }
        pages.flush(&mut out, Number::COLUMNS, Some(15)).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with("         1\n    a text\n1000000000\n    a text\n"),
            "{text}"
        );
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
