//! The terminal as commands see it: where results and words go, in which format and colour.
//!
//! Decided once, at the start. A write to a closed pipe comes back as an error that ends the
//! command quietly; words that nobody reads are dropped.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::marker::PhantomData;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::record::{Card, Record, TableRow, Tone};
use super::table::{self, Pages};
use super::{csv, json};

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
    /// No words beside errors and refusals.
    pub(crate) quiet: bool,
    /// When to colour.
    pub(crate) color: ColorChoice,
    /// No progress bars.
    pub(crate) no_progress: bool,
    /// Lay tables out for this many columns; none: the terminal's width, or all there is.
    pub(crate) width: Option<u16>,
}

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

    /// Whether a progress bar may be drawn.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.settings.quiet && !self.settings.no_progress && io::stderr().is_terminal()
    }

    /// Prints a record that stands alone.
    pub(crate) fn card<C: Card>(&mut self, card: &C) -> io::Result<()> {
        self.cards(std::slice::from_ref(card))
    }

    /// Prints records that stand alone, one after the other.
    pub(crate) fn cards<C: Card>(&mut self, cards: &[C]) -> io::Result<()> {
        if self.settings.format == Format::Csv && !cards.is_empty() {
            csv::write_header::<C>(&mut self.out)?;
        }
        for (index, card) in cards.iter().enumerate() {
            match self.settings.format {
                Format::Table => {
                    if index > 0 {
                        writeln!(self.out)?;
                    }
                    table::write_card(&mut self.out, card)?;
                }
                Format::Json => json::write(&mut self.out, card)?,
                Format::Csv => csv::write(&mut self.out, card)?,
            }
        }
        self.flush()
    }

    /// Prints a line of a story.
    pub(crate) fn line(&mut self, tone: Tone, text: &str) -> io::Result<()> {
        let style = style(tone);
        writeln!(self.out, "{style}{text}{style:#}")?;
        self.flush()
    }

    /// Prints a report that is no flat record, as one JSON object.
    pub(crate) fn object(&mut self, report: &impl Serialize) -> io::Result<()> {
        json::write(&mut self.out, report)?;
        self.flush()
    }

    /// Prints the rows of a CSV file.
    pub(crate) fn csv<R: Record>(&mut self, rows: &[R]) -> io::Result<()> {
        csv::write_header::<R>(&mut self.out)?;
        rows.iter()
            .try_for_each(|row| csv::write(&mut self.out, row))?;
        self.flush()
    }

    /// The width for running text.
    pub(crate) fn width(&self) -> usize {
        const WIDEST: u16 = 100;
        usize::from(self.settings.width.unwrap_or(WIDEST).clamp(40, WIDEST))
    }

    /// Writes text or bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.flush()
    }

    /// Sends everything on its way.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
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
        table::write_pairs(&mut self.err, facts).unwrap_or_default();
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

/// Records of one kind, printed as they come.
pub(crate) struct Listing<R> {
    pages: Pages,
    rows: u64,
    kind: PhantomData<R>,
}

impl<R: TableRow> Listing<R> {
    /// Begins a list.
    pub(crate) fn begin(ui: &mut Ui) -> io::Result<Self> {
        if ui.settings.format == Format::Csv {
            csv::write_header::<R>(&mut ui.out)?;
        }
        Ok(Self {
            pages: Pages::default(),
            rows: 0,
            kind: PhantomData,
        })
    }

    /// Adds a record.
    pub(crate) fn push(&mut self, ui: &mut Ui, row: &R) -> io::Result<()> {
        self.rows += 1;
        match ui.settings.format {
            Format::Table => self.pages.push(&mut ui.out, row, ui.settings.width),
            Format::Json => json::write(&mut ui.out, row),
            Format::Csv => csv::write(&mut ui.out, row),
        }
    }

    /// Ends the list; returns the number of records.
    pub(crate) fn finish(mut self, ui: &mut Ui) -> io::Result<u64> {
        self.pages
            .flush(&mut ui.out, R::COLUMNS, ui.settings.width)?;
        ui.flush()?;
        Ok(self.rows)
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
