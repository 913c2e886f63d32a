//! The rows of a file as they are answered: printed one by one, counted, and summed up.
//!
//! The work comes first. When the answers cannot be printed, because nobody reads or because the
//! device is full, the rest is done without them, and a failure is told with the sums at the end.

use super::context::Context;
use super::error::Untold;
use super::exit::Exit;
use super::fields::FieldError;
use crate::auction::RequestId;
use crate::output::{Listing, OutputError, TableRow, Ui, units};
use crate::store::StoreError;

/// What became of the rows so far.
pub(super) struct Tally<R> {
    /// None once nothing more can be printed.
    listing: Option<Listing<R>>,
    failure: Option<OutputError>,
    done: u64,
    repeated: u64,
    refused: u64,
}

/// A batch that failed: which rows, by their place and by the first one's request id.
pub(super) fn unanswered(
    failure: StoreError,
    answered: u64,
    first: Option<RequestId>,
) -> anyhow::Error {
    let after = units::count(answered, "row");
    let request = first.map_or(String::new(), |id| {
        format!(", beginning with request {id},")
    });
    let fate = if failure.leaves_outcome_open() {
        "got no answer; they may have been done or not"
    } else {
        "were not done"
    };
    anyhow::Error::new(failure).context(format!("after {after} the next ones{request} {fate}"))
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
    /// Nothing yet.
    pub(super) fn begin(ui: &mut Ui) -> Self {
        let mut tally = Self {
            listing: None,
            failure: None,
            done: 0,
            repeated: 0,
            refused: 0,
        };
        let begun = Listing::begin(ui);
        tally.listing = tally.printed(begun);
        tally
    }

    /// One more row with its outcome's word.
    pub(super) fn add(&mut self, ui: &mut Ui, row: &R, outcome: &str) {
        match outcome {
            "refused" => self.refused += 1,
            "repeated" => self.repeated += 1,
            _ => self.done += 1,
        }
        if let Some(mut listing) = self.listing.take() {
            let pushed = listing.push(ui, row);
            self.listing = self.printed(pushed).map(|()| listing);
        }
    }

    /// How many rows were answered.
    pub(super) fn answered(&self) -> u64 {
        self.done + self.repeated + self.refused
    }

    fn printed<T>(&mut self, outcome: Result<T, OutputError>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(error) => {
                self.failure = Some(error).filter(|error| !error.is_closed());
                None
            }
        }
    }

    /// Tells the sums and the rows passed over; gives the exit code.
    pub(super) fn tell(
        mut self,
        words: Words,
        bad: &[FieldError],
        dry_run: bool,
        ctx: &mut Context,
    ) -> anyhow::Result<Exit> {
        if let Some(listing) = self.listing.take() {
            let finished = listing.finish(&mut ctx.ui);
            self.printed(finished);
        }
        for error in bad {
            ctx.ui.warn(&format!("passed over: {error}"));
        }
        let text = self.sums(words, bad.len(), dry_run);
        if let Some(failure) = self.failure {
            return Err(anyhow::Error::new(failure).context(Untold::sums(text, dry_run)));
        }
        ctx.ui.note(&text);
        Ok(match (bad.is_empty(), self.refused) {
            (_, 1..) => Exit::REFUSED,
            (false, 0) => Exit::FINDINGS,
            (true, 0) => Exit::DONE,
        })
    }

    fn sums(&self, words: Words, bad: usize, dry_run: bool) -> String {
        let mut text = format!("{} {}", units::count(self.done, words.noun), words.done);
        let more = [
            (self.repeated, "repeated"),
            (self.refused, "refused"),
            (u64::try_from(bad).unwrap_or(u64::MAX), "passed over"),
        ];
        for (number, word) in more.into_iter().filter(|(number, _)| *number > 0) {
            text.push_str(&format!(", {number} {word}"));
        }
        if dry_run {
            text = format!("dry run: {text}; nothing was written");
        }
        text
    }
}
