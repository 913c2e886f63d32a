//! One auction's audit: the entries, then the row, the result and the events.
//!
//! Pure: a dossier and an instant go in, findings come out, ordered by seq. A corruption gives one
//! finding where it sits. To that end, what an entry says is not judged any more once the entries
//! before it are known to have been changed (`sound` in the walk): from there on, later places
//! are compared with what the entries record instead of with what the rules would derive.

use super::chain::Chain;
use super::finding::{Check, Finding};
use super::notes::Notes;
use super::reseat::reseat;
use super::{entry_checks, event_checks, public_checks, row_checks};
use crate::auction::entry::Entry;
use crate::auction::{Amount, Book, Micros, PartyId, Span, Terms};
use crate::store::Dossier;

/// When the audit takes place, and how long work may be left undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The store's clock, or the instant of an export.
    pub now: Micros,
    /// How long past its end an auction may still be open; none: not at all.
    pub due_grace: Option<Span>,
    /// How long a closer's claim may last; none: that is not checked.
    pub claim_timeout: Option<Span>,
    /// There is nothing but ledgers: no rows and no events to compare them with.
    pub ledger_only: bool,
}

/// All findings of one auction.
pub fn audit(dossier: &Dossier, moment: &Moment) -> Vec<Finding> {
    let mut notes = Notes::of(dossier);
    match reseat(dossier, &mut notes) {
        Some(reseated) => judge(&reseated, moment, notes),
        None => judge(dossier, moment, notes),
    }
}

fn judge(dossier: &Dossier, moment: &Moment, mut notes: Notes) -> Vec<Finding> {
    for damage in &dossier.damage {
        let found = if SECRET_COLUMNS.contains(&damage.column) {
            format!("a value of {} that cannot be", damage.column)
        } else {
            format!("{}: {}", damage.column, damage.found)
        };
        notes.push(
            damage.seq,
            Check::Unreadable,
            "a value of the column",
            found,
        );
    }
    if moment.ledger_only {
        walk(dossier, &mut notes);
        return notes.finish();
    }
    if is_stray(dossier) {
        let found = "none, and no create entry: these rows belong elsewhere";
        notes.push(None, Check::MissingRow, "an auctions row", found);
        return notes.finish();
    }
    let walked = walk(dossier, &mut notes);
    let tail = row_checks::head(dossier, &walked, &mut notes);
    let outcome = walked.outcome().filter(|_| tail.is_whole());
    row_checks::row(dossier, &walked, outcome.as_ref(), &mut notes);
    let event = event_checks::life(dossier, outcome.as_ref(), moment, &mut notes);
    event_checks::content(
        dossier,
        &walked,
        outcome.as_ref(),
        (tail, event),
        &mut notes,
    );
    notes.finish()
}

fn walk<'d>(dossier: &'d Dossier, notes: &mut Notes) -> Walked<'d> {
    if dossier.secrets_visible {
        entry_checks::walk(dossier, notes)
    } else {
        public_checks::walk(dossier, notes)
    }
}

/// Entries, events or watchers that were moved here from another auction.
fn is_stray(dossier: &Dossier) -> bool {
    let begins = dossier.entries.first().is_some_and(|entry| entry.seq == 1);
    dossier.row.is_none() && dossier.damage.is_empty() && !begins
}

/// Damaged values of these are not repeated: they may be an amount with one wrong character.
const SECRET_COLUMNS: [&str; 5] = ["secret", "nonce", "reserve", "leader_max", "runner_up_max"];

/// What the walk over the entries leaves for the checks of the row and the events.
pub(super) struct Walked<'d> {
    pub(super) last: Option<&'d Entry>,
    /// The last entry's instant, as it was when it was chained.
    pub(super) last_at: Option<Micros>,
    pub(super) chain: Chain,
    /// What the rules derive; none once that cannot be relied on.
    pub(super) book: Option<Book>,
    /// The terms that the ledger records, where their entries hold.
    pub(super) terms: Option<Terms>,
    /// Bids that count, where that is known.
    pub(super) bid_count: Option<i64>,
    /// The reserve is among the terms.
    pub(super) reserve_known: bool,
    /// Whether it was withdrawn; none where the entries do not allow to say so.
    pub(super) cancelled: Option<bool>,
    /// Entries after the last readable one are damaged.
    pub(super) tail_damaged: bool,
    /// A seq was absent or damaged.
    pub(super) gap: bool,
    /// An entry is named that was chained past the rules: heads kept elsewhere may be of the
    /// ledger that was there before.
    pub(super) rewritten: bool,
    /// The run of broken entries that reaches the end of the ledger starts here.
    pub(super) broken_from: Option<i64>,
}

/// What the ledger gives for the row, the result and the event.
pub(super) struct Outcome<'w> {
    pub(super) cancelled: Option<bool>,
    pub(super) end: Micros,
    pub(super) price: Option<Amount>,
    pub(super) leader: Option<&'w PartyId>,
    pub(super) reserve_met: bool,
}

impl Walked<'_> {
    /// By the rules where the entries allow it, else as the last entry records it, if that entry
    /// is the one that was chained.
    fn outcome(&self) -> Option<Outcome<'_>> {
        if let Some(book) = &self.book {
            let state = &book.state;
            return Some(Outcome {
                cancelled: self.cancelled,
                end: state.end,
                price: state.standing.price,
                leader: state.leader_id(),
                reserve_met: state.standing.reserve_met(&book.terms),
            });
        }
        let last = self.last.filter(|_| self.broken_from.is_none());
        last.map(|last| Outcome {
            cancelled: self.cancelled,
            end: last.end,
            price: last.price,
            leader: last.leader.as_ref(),
            reserve_met: last.reserve_met,
        })
    }
}
