//! Progress bars: on standard error, only on a terminal, never under `--quiet` or
//! `--no-progress`. Callers draw without asking.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::ui::Ui;

/// A bar, or nothing.
#[derive(Debug, Clone)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar towards a known total.
    pub(crate) fn bar(ui: &Ui, label: &'static str, total: u64) -> Self {
        let template = "{prefix:>12} [{bar:30}] {human_pos}/{human_len} {eta}";
        // What is not counted yet is not done.
        let bar = match total {
            0 => ProgressBar::no_length(),
            _ => ProgressBar::new(total),
        };
        Self::draw(ui, bar, template, label)
    }

    /// A bar that also tells how many are done a second.
    pub(crate) fn rate(ui: &Ui, label: &'static str, unit: &'static str) -> Self {
        let template = "{prefix:>12} [{bar:20}] {human_pos}/{human_len} {msg} {per_sec} {eta}";
        let bar = Self::draw(ui, ProgressBar::no_length(), template, label);
        bar.tell(unit.to_owned());
        bar
    }

    /// A bar over a file's bytes, with the rows so far.
    pub(crate) fn file(ui: &Ui, label: &'static str, bytes: u64) -> Self {
        let template = "{prefix:>12} [{bar:30}] {percent:>3}% {msg} {eta}";
        Self::draw(ui, ProgressBar::new(bytes), template, label)
    }

    /// A bar over steps, with what is said of them.
    pub(crate) fn told(ui: &Ui, label: &'static str) -> Self {
        let template = "{prefix:>9} [{bar:10}] {wide_msg}";
        Self::draw(ui, ProgressBar::new(1), template, label)
    }

    fn draw(ui: &Ui, bar: ProgressBar, template: &str, label: &'static str) -> Self {
        if !ui.shows_progress() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
            return Self(bar);
        }
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        bar.set_style(style);
        bar.set_prefix(label);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// So many more are done.
    pub(crate) fn add(&self, done: u64) {
        self.0.inc(done);
    }

    /// So many are done.
    pub(crate) fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// So many bytes and rows of a file are done.
    pub(crate) fn set_file(&self, bytes: u64, rows: u64) {
        self.0.set_position(bytes);
        self.0.set_message(format!("{} rows", HumanCount(rows)));
    }

    /// So many there are.
    pub(crate) fn set_total(&self, total: u64) {
        self.0.set_length(total);
    }

    /// What is being done now.
    pub(crate) fn label(&self, label: &'static str) {
        self.0.set_prefix(label);
    }

    /// What is said beside the bar.
    pub(crate) fn tell(&self, text: String) {
        self.0.set_message(text);
    }

    /// Prints something while the bar stands still.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
