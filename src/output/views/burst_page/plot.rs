//! A plot: axes with their ticks, lines, and what a reader who cannot see it is told.
//!
//! Everything inside is drawn in places from 0 to 1; only here they become coordinates.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::axis::Tick;

/// The drawing's size, and what its axes take of it. Large enough for the larger letters of a
/// narrow screen.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 68.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 38.0;

/// A point, or a gap in the line.
pub(super) type Point = Option<(f64, f64)>;

/// A line of a plot.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// What it shows, for the key.
    pub(super) name: &'static str,
    /// Its look, a class of the page's style.
    pub(super) look: &'static str,
    /// From left to right.
    pub(super) points: Vec<Point>,
    /// Its last point is marked.
    pub(super) dot_at_end: bool,
}

/// A part of the plot's width.
#[derive(Debug, Clone)]
pub(super) struct Band {
    /// Where it begins.
    pub(super) from: f64,
    /// Where it ends.
    pub(super) to: f64,
    /// What is told of it under a pointer.
    pub(super) text: String,
}

/// A plot.
#[derive(Debug, Clone)]
pub(super) struct Plot {
    /// Names it in the document.
    pub(super) id: &'static str,
    /// What it shows.
    pub(super) title: &'static str,
    /// What is to be seen, in words.
    pub(super) description: String,
    /// Along the bottom.
    pub(super) x_ticks: Vec<Tick>,
    /// Along the side.
    pub(super) y_ticks: Vec<Tick>,
    /// Drawn in this order.
    pub(super) lines: Vec<Line>,
    /// The part that the figures leave out.
    pub(super) warm_up: Option<Band>,
    /// What a pointer may ask for.
    pub(super) bands: Vec<Band>,
}

impl Plot {
    /// The plot with its title, key and description.
    pub(super) fn figure(&self) -> Markup {
        html! {
            figure {
                figcaption {
                    h3 { (self.title) }
                    ul class="key" {
                        @for line in &self.lines {
                            li { span class=(line.look) {} (line.name) }
                        }
                        @if self.warm_up.is_some() {
                            li { span class="warm-up" {} "warm-up" }
                        }
                    }
                }
                (self.drawing())
            }
        }
    }

    fn drawing(&self) -> Markup {
        let (title, description) = (format!("{}-title", self.id), format!("{}-desc", self.id));
        html! {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
                aria-labelledby=(title) aria-describedby=(description) {
                title id=(title) { (self.title) }
                desc id=(description) { (self.description) }
                @if let Some(band) = &self.warm_up { (shade(band, "warm-up")) }
                (self.axes())
                @for line in &self.lines { (drawn(line)) }
                @for band in &self.bands { (shade(band, "ask")) }
            }
        }
    }

    fn axes(&self) -> Markup {
        let (left, right) = (coordinate(LEFT), coordinate(x(1.0)));
        let (bottom, labels) = (coordinate(y(0.0)), coordinate(HEIGHT - BOTTOM + 23.0));
        html! {
            g class="grid" {
                @for tick in &self.y_ticks {
                    @let at = coordinate(y(tick.place));
                    line x1=(left) x2=(right) y1=(at) y2=(at) {}
                    text class="side" x=(coordinate(LEFT - 8.0)) y=(at) { (tick.label) }
                }
                @for tick in &self.x_ticks {
                    @let at = coordinate(x(tick.place));
                    line x1=(at) x2=(at) y1=(bottom) y2=(coordinate(y(0.0) + 4.0)) {}
                    text class="foot" x=(at) y=(labels) { (tick.label) }
                }
                line class="base" x1=(left) x2=(right) y1=(bottom) y2=(bottom) {}
            }
        }
    }
}

fn shade(band: &Band, look: &str) -> Markup {
    let (from, to) = (x(band.from), x(band.to));
    html! {
        rect class=(look) x=(coordinate(from)) width=(coordinate(to - from))
            y=(coordinate(TOP)) height=(coordinate(y(0.0) - TOP)) {
            title { (band.text) }
        }
    }
}

/// A line, broken where it has gaps; a point without neighbours is a dot.
fn drawn(line: &Line) -> Markup {
    let (mut path, mut dots) = (String::new(), Vec::new());
    for run in line.points.split(Option::is_none) {
        let run: Vec<(f64, f64)> = run.iter().flatten().copied().collect();
        if let [alone] = run[..] {
            dots.push(alone);
            continue;
        }
        for (index, (across, up)) in run.iter().enumerate() {
            let verb = if index == 0 { 'M' } else { 'L' };
            let (across, up) = (coordinate(x(*across)), coordinate(y(*up)));
            write!(path, "{verb}{across} {up}").unwrap_or_default();
        }
    }
    let last = line.points.iter().flatten().last().copied();
    dots.extend(last.filter(|_| line.dot_at_end));
    html! {
        g class=(line.look) {
            @if !path.is_empty() { path d=(path) {} }
            @for (across, up) in dots {
                circle cx=(coordinate(x(across))) cy=(coordinate(y(up))) r="3.5" {}
            }
        }
    }
}

fn x(place: f64) -> f64 {
    LEFT + place * (WIDTH - LEFT - RIGHT)
}

fn y(place: f64) -> f64 {
    HEIGHT - BOTTOM - place * (HEIGHT - BOTTOM - TOP)
}

fn coordinate(at: f64) -> String {
    let text = format!("{at:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
