//! The rows of a file as they are answered: printed, counted, and summed up.
//!
//! The work comes first. When the answers cannot be printed, because nobody reads or because the
//! device is full, the rest is done without them, and a failure is told with the sums at the end.

use super::context::Context;
use super::error::Untold;
use super::exit::Exit;
use super::fields::FieldError;
use crate::output::{HeldListing, Listing, OutputError, TableRow, Ui, units};

/// What became of the rows so far.
pub(super) struct Tally<R> {
    out: Out<R>,
    failure: Option<OutputError>,
    done: u64,
    repeated: u64,
    refused: u64,
    passed_over: u64,
    failed: u64,
}

enum Out<R> {
    /// Printed as they come.
    Live(Listing<R>),
    /// Printed when all of it is kept.
    Held(HeldListing<R>),
    /// Nothing more can be printed.
    Closed,
}

/// The words of a command's sums.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    /// What a row is.
    pub(super) noun: &'static str,
    /// What was done with it.
    pub(super) done: &'static str,
}

impl<R: TableRow> Tally<R> {
    /// Of answers that stand as soon as they come.
    pub(super) fn live(ui: &mut Ui) -> Self {
        Self::of(Listing::begin(ui).map(Out::Live))
    }

    /// Of answers that stand when all of them are kept: they wait for [`Self::tell`].
    pub(super) fn held(ui: &mut Ui) -> Self {
        Self::of(HeldListing::begin(ui).map(Out::Held))
    }

    fn of(out: Result<Out<R>, OutputError>) -> Self {
        let mut tally = Self {
            out: Out::Closed,
            failure: None,
            done: 0,
            repeated: 0,
            refused: 0,
            passed_over: 0,
            failed: 0,
        };
        match out {
            Ok(out) => tally.out = out,
            Err(error) => tally.fail(error),
        }
        tally
    }

    /// One more row with its outcome's word.
    pub(super) fn add(&mut self, ui: &mut Ui, row: &R, outcome: &str) {
        match outcome {
            "refused" => self.refused += 1,
            "repeated" => self.repeated += 1,
            "failed" => self.failed += 1,
            _ => self.done += 1,
        }
        let pushed = match &mut self.out {
            Out::Live(listing) => listing.push(ui, row),
            Out::Held(listing) => listing.push(row),
            Out::Closed => Ok(()),
        };
        if let Err(error) = pushed {
            self.fail(error);
        }
    }

    /// One more row that cannot be used.
    pub(super) fn pass_over(&mut self, ui: &mut Ui, error: &FieldError) {
        self.passed_over += 1;
        ui.warn(&format!("passed over: {error}"));
    }

    /// How many rows were answered.
    pub(super) fn answered(&self) -> u64 {
        self.done + self.repeated + self.refused + self.failed
    }

    /// Whether there was no row.
    pub(super) fn is_empty(&self) -> bool {
        self.answered() == 0 && self.passed_over == 0
    }

    /// Nothing more can be printed.
    fn fail(&mut self, error: OutputError) {
        self.out = Out::Closed;
        self.failure = Some(error).filter(|error| !error.is_closed());
    }

    /// Prints what is left, tells the sums, and gives the exit code. With `skip_bad` a row that
    /// was not taken is a finding, whoever did not take it.
    pub(super) fn tell(
        mut self,
        words: Words,
        skip_bad: bool,
        dry_run: bool,
        ctx: &mut Context,
    ) -> anyhow::Result<Exit> {
        let printed = match std::mem::replace(&mut self.out, Out::Closed) {
            Out::Live(listing) => listing.finish(&mut ctx.ui).map(drop),
            Out::Held(listing) => listing.release(&mut ctx.ui),
            Out::Closed => Ok(()),
        };
        if let Err(error) = printed {
            self.fail(error);
        }
        let text = self.sums(words, dry_run);
        if let Some(failure) = self.failure {
            return Err(anyhow::Error::new(failure).context(Untold::sums(text, dry_run)));
        }
        ctx.ui.note(&text);
        Ok(match (self.passed_over, self.refused, self.failed) {
            (0, 0, 0) => Exit::DONE,
            (0, 0, _) => Exit::FINDINGS,
            _ if skip_bad => Exit::FINDINGS,
            _ => Exit::REFUSED,
        })
    }

    fn sums(&self, words: Words, dry_run: bool) -> String {
        let mut text = format!("{} {}", units::count(self.done, words.noun), words.done);
        let more = [
            (self.repeated, "repeated"),
            (self.refused, "refused"),
            (self.failed, "failed"),
            (self.passed_over, "passed over"),
        ];
        for (number, word) in more.into_iter().filter(|(number, _)| *number > 0) {
            text.push_str(&format!(", {number} {word}"));
        }
        if self.repeated > 0 && self.done + self.refused + self.passed_over == 0 {
            text.push_str(": done before, nothing changed");
        }
        if dry_run {
            text = format!("dry run: {text}; nothing was written");
        }
        text
    }
}
