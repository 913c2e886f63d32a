//! What is due, what was closed, what waits in the outbox: in boxes, or on a line each.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use crate::auction::Micros;
use crate::output::{Tone, units};

/// Due for so long, closers do not keep up, microseconds.
const LATE_US: i64 = 5_000_000;
/// Due for so long, none seems to run.
const VERY_LATE_US: i64 = 60_000_000;

/// A figure with what belongs to it.
struct Figure {
    title: &'static str,
    first: String,
    second: String,
    tone: Tone,
}

/// Three boxes side by side.
pub(super) fn boxes(scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect) {
    let areas: [Rect; 3] = Layout::horizontal([Constraint::Fill(1); 3]).areas(area);
    for (figure, area) in figures(scene).into_iter().zip(areas) {
        let lines = vec![
            Line::styled(figure.first, scene.style(figure.tone)),
            Line::raw(figure.second),
        ];
        let block = scene.block(format!(" {} ", figure.title));
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }
}

/// Three lines.
pub(super) fn lines(scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect) {
    let lines = figures(scene).into_iter().map(|figure| {
        let text = format!("{:<7}{}, {}", figure.title, figure.first, figure.second);
        Line::styled(text, scene.style(figure.tone))
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

fn figures(scene: &Scene<'_>) -> [Figure; 3] {
    let reading = scene.reading;
    let pace = &reading.pace;
    let age = |since: Micros| reading.at.since(since).max(0);
    let oldest = |since: Option<Micros>| {
        since.map_or("none waits".to_owned(), |since| {
            format!("oldest {}", units::span(age(since)))
        })
    };
    let second = pace.seconds.last().map_or(0, |second| second.closed);
    let due_tone = match reading.due.oldest_end.map(age) {
        Some(VERY_LATE_US..) => Tone::Bad,
        Some(LATE_US..) => Tone::Caution,
        _ => Tone::Good,
    };
    [
        Figure {
            title: "due",
            first: units::count(reading.due.due, "auction"),
            second: oldest(reading.due.oldest_end),
            tone: due_tone,
        },
        Figure {
            title: "closed",
            first: format!("{second} in the last second"),
            second: format!("{} in the last minute", pace.closed),
            tone: Tone::Plain,
        },
        Figure {
            title: "outbox",
            first: format!("{} pending", reading.outbox.pending),
            second: oldest(reading.outbox.oldest),
            tone: Tone::Plain,
        },
    ]
}
