//! A few lines at the bottom of a terminal that are redrawn in place, under what is printed.
//!
//! They are drawn on standard error, and only where results go to a terminal as well; elsewhere
//! nothing is drawn. However the work ends, the lines are taken away.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::ui::Ui;

/// The lines.
#[derive(Debug)]
pub(crate) struct Live {
    region: MultiProgress,
    lines: Vec<ProgressBar>,
    hidden: bool,
}

impl Live {
    /// None yet.
    pub(crate) fn new(ui: &Ui) -> Self {
        let hidden = !ui.shows_live();
        let region = MultiProgress::new();
        if hidden {
            region.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self {
            region,
            lines: Vec::new(),
            hidden,
        }
    }

    /// Nobody sees the lines, so they need not be made.
    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Draws these lines in the place of the last ones, each cut at the terminal's width.
    pub(crate) fn show(&mut self, lines: &[String]) {
        if self.hidden {
            return;
        }
        while self.lines.len() < lines.len() {
            let line = self.region.add(ProgressBar::no_length());
            let style = ProgressStyle::with_template("{wide_msg}");
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            self.lines.push(line);
        }
        for (line, text) in self.lines.iter().zip(lines) {
            // Every change draws the region anew.
            if line.message() != *text {
                line.set_message(text.clone());
            }
        }
    }

    /// Prints something above the lines.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.hidden {
            return print();
        }
        self.region.suspend(print)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.region.clear().unwrap_or_default();
        // What the lines would draw as they go, one by one, is drawn nowhere.
        self.region.set_draw_target(ProgressDrawTarget::hidden());
    }
}
