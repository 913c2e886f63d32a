//! The whole of the live view, laid out for the terminal's size: on a small one parts give way,
//! the figures last.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Row, Table};

use super::{charts, figures};
use crate::auction::{Micros, Shards};
use crate::output::{Tone, units};
use crate::top::{Next, Reading};

/// Borders, the headings of the table and two rows need at least so many lines.
const TABLE_MIN: u16 = 5;

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// Which database, without a password.
    pub(crate) database: &'a str,
    /// What of it.
    pub(crate) shards: Shards,
    /// How it stood when it was looked at.
    pub(crate) reading: &'a Reading,
    /// Its clock now, as far as it can be told from here.
    pub(crate) now: Micros,
    /// Why there is no newer reading.
    pub(crate) trouble: Option<&'a str>,
    /// Whether colours are wanted.
    pub(crate) coloured: bool,
}

impl Scene<'_> {
    /// Draws all of it.
    pub(crate) fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let heights = [Constraint::Max(2), Constraint::Min(0)];
        let [head, rest] = Layout::vertical(heights).areas(area);
        self.head(frame, head);
        if area.height < 12 || area.width < 60 {
            let heights = [Constraint::Max(3), Constraint::Min(0)];
            let [lines, rest] = Layout::vertical(heights).areas(rest);
            figures::lines(self, frame, lines);
            self.ending(frame, rest);
            return;
        }
        let [boxes, rest] =
            Layout::vertical([Constraint::Length(4), Constraint::Min(0)]).areas(rest);
        figures::boxes(self, frame, boxes);
        let charts = charts::height(rest.width, rest.height.saturating_sub(TABLE_MIN));
        let heights = [Constraint::Length(charts), Constraint::Min(0)];
        let [charts, rest] = Layout::vertical(heights).areas(rest);
        charts::draw(self, frame, charts);
        self.ending(frame, rest);
    }

    /// Which database, its clock, and what is wrong or how to leave.
    fn head(&self, frame: &mut Frame<'_>, area: Rect) {
        let [top, below] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        let clock = units::second(&units::utc(self.now));
        // Where there is no room for both, the name says more.
        let clock_width = if area.width >= 50 { clock.len() } else { 0 };
        let widths = [
            Constraint::Min(0),
            Constraint::Length(u16::try_from(clock_width).unwrap_or_default()),
        ];
        let [name, time] = Layout::horizontal(widths).spacing(1).areas(top);
        let bold = self.style(Tone::Good).patch(self.strong());
        let first = Line::from(vec![
            Span::styled("gavel top", bold),
            Span::raw(format!("  {}", units::one_line(self.database))),
        ]);
        frame.render_widget(first, name);
        frame.render_widget(Line::raw(clock), time);
        let second = match self.trouble {
            Some(trouble) => {
                let text = format!("error: {}", units::one_line(trouble));
                Line::styled(text, self.style(Tone::Bad))
            }
            None => {
                let text = format!("shards {}; q leaves", self.shards);
                Line::styled(text, self.style(Tone::Faint))
            }
        };
        frame.render_widget(second, below);
    }

    /// What ends next.
    fn ending(&self, frame: &mut Frame<'_>, area: Rect) {
        if area.height < 2 {
            return;
        }
        let next = &self.reading.ending;
        let block = self.block(" ending next ".to_owned());
        let inner = block.inner(area);
        frame.render_widget(block, area);
        if next.is_empty() {
            frame.render_widget(
                Line::styled("no auction is open", self.style(Tone::Faint)),
                inner,
            );
            return;
        }
        let shown = next.iter().take(usize::from(inner.height));
        let cells: Vec<[String; 5]> = shown.map(|next| cells(next, self.now)).collect();
        let headings = ["ID", "LEFT", "PRICE", "BIDS", "TITLE"];
        let width = |column: usize| {
            let widths = cells.iter().map(|row| row[column].chars().count());
            let widest = widths.max().unwrap_or(0).max(headings[column].len());
            Constraint::Length(u16::try_from(widest).unwrap_or(u16::MAX))
        };
        let widths = [width(0), width(1), width(2), width(3), Constraint::Fill(1)];
        let row = |cells: [String; 5]| {
            let [id, left, price, bids, title] = cells;
            let right = |text| Line::raw(text).right_aligned();
            Row::new([
                right(id),
                right(left),
                right(price),
                right(bids),
                Line::raw(title),
            ])
        };
        let heading = row(headings.map(str::to_owned)).style(self.strong());
        let table = Table::new(cells.iter().cloned().map(row), widths);
        frame.render_widget(table.header(heading).column_spacing(2), inner);
    }

    /// A frame with a title.
    pub(super) fn block(&self, title: String) -> Block<'static> {
        Block::bordered()
            .border_style(self.style(Tone::Faint))
            .title(Line::styled(title, self.strong()))
    }

    /// A tone as a style; none where colours are not wanted.
    pub(super) fn style(&self, tone: Tone) -> Style {
        let style = Style::new();
        match tone {
            _ if !self.coloured => style,
            Tone::Plain => style,
            Tone::Good => style.fg(Color::Green),
            Tone::Caution => style.fg(Color::Yellow),
            Tone::Bad => style.fg(Color::Red),
            Tone::Faint => style.add_modifier(Modifier::DIM),
        }
    }

    fn strong(&self) -> Style {
        if self.coloured {
            Style::reset().add_modifier(Modifier::BOLD)
        } else {
            Style::new()
        }
    }
}

/// A row of what ends next.
fn cells(next: &Next, now: Micros) -> [String; 5] {
    let left_us = next.end.since(now);
    let left = if left_us > 0 {
        // Upwards, so that nothing seems over before it is.
        units::span(left_us.saturating_add(999_999) / 1_000_000 * 1_000_000)
    } else {
        "due".to_owned()
    };
    let price = next.price.map_or("-".to_owned(), |price| {
        let amount = units::decimal(next.currency, price);
        format!("{amount} {}", next.currency.code())
    });
    let id = next.auction_id.to_string();
    [
        id,
        left,
        price,
        next.bids.to_string(),
        units::one_line(&next.title),
    ]
}
