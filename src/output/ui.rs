//! The terminal as commands see it: where results and words go, in which format and colour.
//!
//! Decided once, at the start. A failed write of a result comes back as an [`OutputError`], which
//! no other failure can be mistaken for. What nobody reads any more is dropped: a closed pipe is
//! no failure, and only a stream tells of it (a [`Listing`], a feed), because only a stream can
//! save work.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use thiserror::Error;

use super::listing::Listing;
use super::record::{Card, Record, TableRow, Tone};
use super::{csv, json, table};

/// The form of the results on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC
    Json,
    /// A header and one row a record
    Csv,
}

/// What the command line decided about output.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Settings {
    /// The form of the results.
    pub(crate) format: Format,
    /// CSV for a spreadsheet: no text can be run as a formula.
    pub(crate) csv_safe: bool,
    /// No words beside errors and refusals.
    pub(crate) quiet: bool,
    /// When to colour.
    pub(crate) color: ColorChoice,
    /// No progress bars.
    pub(crate) no_progress: bool,
    /// Lay tables out for this many columns; none: the terminal's width, or all there is.
    pub(crate) width: Option<u16>,
}

/// A result could not be written to standard output.
#[derive(Debug, Error)]
#[error("cannot write to standard output")]
pub(crate) struct OutputError(#[from] io::Error);

impl OutputError {
    /// Nobody reads any more, as when a pager or `head` has ended. Nothing is wrong: a list ends
    /// quietly, and a command that writes goes on with its work.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

/// How the writing of a result went.
type Printed = Result<(), OutputError>;

/// Results to standard output, words to standard error.
pub(crate) struct Ui {
    settings: Settings,
    out: BufWriter<AutoStream<io::Stdout>>,
    err: AutoStream<io::Stderr>,
}

impl Ui {
    /// Opens both streams.
    pub(crate) fn new(settings: Settings) -> Self {
        let out = AutoStream::new(io::stdout(), resolved(settings.color, &io::stdout()));
        let err = AutoStream::new(io::stderr(), resolved(settings.color, &io::stderr()));
        let terminal_width = || {
            let term = console_width()?;
            io::stdout().is_terminal().then_some(term)
        };
        let width = settings.width.or_else(terminal_width);
        Self {
            settings: Settings { width, ..settings },
            out: BufWriter::new(out),
            err,
        }
    }

    /// The form of the results.
    pub(crate) fn format(&self) -> Format {
        self.settings.format
    }

    /// Whether CSV is for a spreadsheet.
    pub(crate) fn csv_safe(&self) -> bool {
        self.settings.csv_safe
    }

    /// Whether results are coloured.
    pub(crate) fn colours_results(&self) -> bool {
        resolved(self.settings.color, &io::stdout()) != ColorChoice::Never
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.settings.quiet && !self.settings.no_progress && io::stderr().is_terminal()
    }

    /// Whether a part of the terminal may be redrawn under the results.
    pub(crate) fn shows_live(&self) -> bool {
        self.settings.format == Format::Table && self.shows_progress() && io::stdout().is_terminal()
    }

    /// Where results go, and how.
    pub(super) fn results(&mut self) -> (&mut dyn Write, Settings) {
        (&mut self.out, self.settings)
    }

    /// Prints a record that stands alone.
    pub(crate) fn card<C: Card>(&mut self, card: &C) -> Printed {
        self.cards(std::slice::from_ref(card))
    }

    /// Prints records that stand alone, one after the other.
    pub(crate) fn cards<C: Card>(&mut self, cards: &[C]) -> Printed {
        let (format, safe) = (self.settings.format, self.settings.csv_safe);
        let width = self.settings.width;
        self.print(|out| {
            if format == Format::Csv && !cards.is_empty() {
                csv::write_header::<C>(out)?;
            }
            for (index, card) in cards.iter().enumerate() {
                match format {
                    Format::Table => {
                        if index > 0 {
                            writeln!(out)?;
                        }
                        table::write_card(out, card, width)?;
                    }
                    Format::Json => json::write(out, card)?,
                    Format::Csv => csv::write(out, card, safe)?,
                }
            }
            Ok(())
        })
    }

    /// Prints a heading, and labels and values under it; empty values are left out.
    pub(crate) fn summary(
        &mut self,
        tone: Tone,
        heading: &str,
        lines: Vec<(&str, String)>,
    ) -> Printed {
        let width = self.settings.width;
        self.print(|out| table::write_summary(out, tone, heading, lines, width))
    }

    /// Prints a line of a story.
    pub(crate) fn line(&mut self, tone: Tone, text: &str) -> Printed {
        let style = style(tone);
        self.print(|out| writeln!(out, "{style}{text}{style:#}"))
    }

    /// Prints a report that is no flat record, as one JSON object.
    pub(crate) fn object(&mut self, report: &impl Serialize) -> Printed {
        self.print(|out| json::write(out, report))
    }

    /// Prints the rows of a CSV file.
    pub(crate) fn csv<R: Record>(&mut self, rows: &[R]) -> Printed {
        let safe = self.settings.csv_safe;
        self.print(|out| {
            csv::write_header::<R>(out)?;
            rows.iter().try_for_each(|row| csv::write(out, row, safe))
        })
    }

    /// Prints records as one list, whole.
    pub(crate) fn list<R: TableRow>(&mut self, rows: &[R]) -> Printed {
        let mut printed = || {
            let mut listing = Listing::begin(self)?;
            rows.iter().try_for_each(|row| listing.push(self, row))?;
            listing.finish(self)
        };
        match printed() {
            Err(error) if !error.is_closed() => Err(error),
            _ => Ok(()),
        }
    }

    /// Writes text or bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Printed {
        self.print(|out| out.write_all(bytes))
    }

    /// Prints something whole and sends it on its way.
    fn print(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Printed {
        let written = write(&mut self.out).and_then(|()| self.out.flush());
        match written.map_err(OutputError) {
            Err(error) if error.is_closed() => Ok(()),
            printed => printed,
        }
    }

    /// The width for running text.
    pub(crate) fn width(&self) -> usize {
        const WIDEST: u16 = 100;
        usize::from(self.settings.width.unwrap_or(WIDEST).clamp(40, WIDEST))
    }

    /// Words to the reader; `--quiet` drops them.
    pub(crate) fn note(&mut self, text: &str) {
        if !self.settings.quiet {
            self.say("", Tone::Plain, text);
        }
    }

    /// Something to look at; told even under `--quiet`.
    pub(crate) fn warn(&mut self, text: &str) {
        self.say("warning: ", Tone::Caution, text);
    }

    /// What went wrong.
    pub(crate) fn error(&mut self, text: &str) {
        self.say("error: ", Tone::Bad, text);
    }

    /// What the rules answered.
    pub(crate) fn refusal(&mut self, text: &str, facts: &[(&str, String)]) {
        self.say("refused: ", Tone::Bad, text);
        table::write_pairs(&mut self.err, facts, self.settings.width).unwrap_or_default();
    }

    /// What to do next; `--quiet` drops it.
    pub(crate) fn hint(&mut self, text: &str) {
        if !self.settings.quiet {
            self.say("hint: ", Tone::Good, text);
        }
    }

    /// A line under an error.
    pub(crate) fn detail(&mut self, text: &str) {
        self.say("  ", Tone::Plain, text);
    }

    fn say(&mut self, lead: &str, tone: Tone, text: &str) {
        let style = style(tone).bold();
        // Results that were printed before stand before; nobody is left to tell about a failure.
        self.out.flush().unwrap_or_default();
        let line = if lead.trim().is_empty() {
            writeln!(self.err, "{lead}{text}")
        } else {
            writeln!(self.err, "{style}{lead}{style:#}{text}")
        };
        line.unwrap_or_default();
    }
}

/// The style of a tone.
pub(crate) fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Caution => AnsiColor::Yellow.on_default(),
        Tone::Bad => AnsiColor::Red.on_default(),
        Tone::Faint => Style::new().dimmed(),
    }
}

fn resolved(choice: ColorChoice, raw: &impl anstream::stream::RawStream) -> ColorChoice {
    match choice {
        ColorChoice::Auto => AutoStream::choice(raw),
        decided => decided,
    }
}

fn console_width() -> Option<u16> {
    comfy_table::Table::new().width()
}
