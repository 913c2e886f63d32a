//! The last minute, a column a second: how many were closed, and how late.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::{RenderDirection, Sparkline};

use super::scene::Scene;
use crate::output::{Tone, units};
use crate::top::Second;

/// Borders and a line of bars.
const CHART_MIN: u16 = 3;
/// Higher, bars say no more.
const CHART_MAX: u16 = 8;
/// From this width on, each of two charts has room for a minute.
const WIDE: u16 = 124;

/// How high both are together, with so much room.
pub(super) fn height(width: u16, room: u16) -> u16 {
    let charts = if width >= WIDE { 1 } else { 2 };
    // A third of the room is left to what ends next.
    match (room * 2 / 3 / charts).min(CHART_MAX) {
        CHART_MIN.. => charts * (room * 2 / 3 / charts).min(CHART_MAX),
        _ => 0,
    }
}

/// Draws both.
pub(super) fn draw(scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect) {
    if area.height < CHART_MIN {
        return;
    }
    let layout = if area.width >= WIDE {
        Layout::horizontal([Constraint::Fill(1); 2])
    } else {
        Layout::vertical([Constraint::Fill(1); 2])
    };
    let [left, right] = layout.areas(area);
    let pace = &scene.reading.pace;
    let most = pace.seconds.iter().map(|second| second.closed).max();
    let title = format!(" closed per second, at most {} ", most.unwrap_or(0));
    chart(scene, frame, left, title, |second| second.closed);
    let title = match &pace.lag {
        None => " close lag: none measured in the last minute ".to_owned(),
        Some(lag) => format!(
            " close lag, longest per second: p50 {}, p99 {}, max {} ",
            span(lag.p50_us),
            span(lag.p99_us),
            span(lag.max_us)
        ),
    };
    chart(scene, frame, right, title, |second| {
        second.lag_max_us.unwrap_or(0)
    });
}

fn chart(
    scene: &Scene<'_>,
    frame: &mut Frame<'_>,
    area: Rect,
    title: String,
    value: impl Fn(&Second) -> u64,
) {
    let latest_first = scene.reading.pace.seconds.iter().rev();
    let sparkline = Sparkline::default()
        .data(latest_first.map(value))
        .direction(RenderDirection::RightToLeft)
        .style(scene.style(Tone::Good))
        .block(scene.block(title));
    frame.render_widget(sparkline, area);
}

/// With tenths of a second where they matter.
fn span(us: u64) -> String {
    match us {
        1_000_000..60_000_000 => format!("{}.{}s", us / 1_000_000, us / 100_000 % 10),
        _ => units::span(i64::try_from(us).unwrap_or(i64::MAX)),
    }
}
