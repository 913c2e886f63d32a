//! The auctions row against the ledger: the head, the terms, and every cached column.
//!
//! Where the ledger does not end as the row says, that is the one finding: what the row caches
//! belongs to another ledger then and is not compared.

use super::audit::{Outcome, Walked};
use super::finding::Check;
use super::notes::{Notes, party};
use crate::auction::{Amount, Micros, SoftClose, Terms};
use crate::store::{AuctionRow, Dossier};

/// Whether the ledger that was read is the one the row was written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// It is, or there is no row to say otherwise.
    Whole,
    /// It ends elsewhere, or its end cannot be read.
    Differs,
}

impl Tail {
    /// The row can be compared with the ledger.
    pub(super) fn is_whole(self) -> bool {
        self == Self::Whole
    }
}

/// Compares the end of the ledger with the row's `last_seq` and `head`.
pub(super) fn head(dossier: &Dossier, walked: &Walked<'_>, notes: &mut Notes) -> Tail {
    let Some(row) = &dossier.row else {
        return Tail::Whole;
    };
    let Some(last) = walked.last.filter(|_| !walked.tail_damaged) else {
        return Tail::Differs;
    };
    // Entries past the row's last one that do not even hang on the chain are named already.
    let named_past_row = row.last_seq < last.seq
        && walked
            .broken_from
            .is_some_and(|first| first <= row.last_seq + 1);
    if named_past_row {
        return Tail::Differs;
    }
    if walked.chain.ends_with(&row.head) {
        // Entries that moved up where others were removed are named where that was.
        let moved_up = row.last_seq > last.seq && walked.broken_from.is_some();
        if row.last_seq != last.seq && !walked.gap && !moved_up {
            column(notes, Check::RowState, "last_seq", last.seq, row.last_seq);
        }
        return Tail::Whole;
    }
    let (seq, expected, found) = if row.last_seq > last.seq {
        (
            last.seq + 1,
            format!("entries up to seq {}, as the row says", row.last_seq),
            format!(
                "the ledger ends at seq {}: later entries are missing",
                last.seq
            ),
        )
    } else if row.last_seq < last.seq {
        (
            row.last_seq + 1,
            format!("the ledger ends at seq {}, as the row says", row.last_seq),
            format!("it goes on to seq {}", last.seq),
        )
    } else if walked.broken_from.is_some() || walked.rewritten {
        return Tail::Differs;
    } else {
        (
            last.seq,
            "the row's head is the last entry's hash".to_owned(),
            "it is not: the last entry or the row was changed".to_owned(),
        )
    };
    notes.push(Some(seq), Check::Head, expected, found);
    Tail::Differs
}

/// Compares terms and cached columns.
pub(super) fn row(
    dossier: &Dossier,
    walked: &Walked<'_>,
    outcome: Option<&Outcome<'_>>,
    notes: &mut Notes,
) {
    let Some(row) = &dossier.row else {
        if dossier.damage.iter().all(|damage| damage.seq.is_some()) {
            notes.push(None, Check::MissingRow, "an auctions row", "none");
        }
        return;
    };
    let Some(outcome) = outcome else { return };
    if let Some(terms) = &walked.terms {
        compare_terms(terms, row, walked.reserve_known, notes);
    }
    compare_state(row, walked, outcome, notes);
}

fn compare_terms(terms: &Terms, row: &AuctionRow, reserve_known: bool, notes: &mut Notes) {
    // One comparison for nearly all auctions.
    if *terms == row.terms {
        return;
    }
    let has = &row.terms;
    let check = Check::RowTerms;
    column(notes, check, "seller", &terms.seller, &has.seller);
    column(notes, check, "title", &terms.title, &has.title);
    column(
        notes,
        check,
        "currency",
        terms.currency.code(),
        has.currency.code(),
    );
    let exponents = (terms.currency.exponent(), has.currency.exponent());
    column(notes, check, "exponent", exponents.0, exponents.1);
    if terms.start_price != has.start_price {
        let wants = notes.money(Some(terms.start_price));
        let found = notes.money(Some(has.start_price));
        column(notes, check, "start_price", wants, found);
    }
    if terms.steps != has.steps {
        let found = format!("steps: other rungs, named {}", has.steps.name());
        let expected = format!("steps: the rungs of the ledger's {}", terms.steps.name());
        notes.push(None, check, expected, found);
    }
    if reserve_known {
        secret(notes, check, "reserve", terms.reserve, has.reserve);
    }
    if terms.own_raise != has.own_raise {
        let wants = format!("{:?}", terms.own_raise).to_lowercase();
        let found = format!("{:?}", has.own_raise).to_lowercase();
        column(notes, check, "own_raise", wants, found);
    }
    if terms.soft_close != has.soft_close {
        let (wants, found) = (soft(terms.soft_close), soft(has.soft_close));
        column(notes, check, "soft_close", wants, found);
    }
    column(notes, check, "start", terms.start, has.start);
    column(notes, check, "first_end", terms.end, has.end);
}

fn compare_state(row: &AuctionRow, walked: &Walked<'_>, outcome: &Outcome<'_>, notes: &mut Notes) {
    let check = Check::RowState;
    column(notes, check, "end", outcome.end, row.end);
    if outcome.price != row.price {
        let (wants, found) = (notes.money(outcome.price), notes.money(row.price));
        column(notes, check, "price", wants, found);
    }
    if outcome.leader != row.leader.as_ref() {
        let (wants, found) = (party(outcome.leader), party(row.leader.as_ref()));
        column(notes, check, "leader", wants, found);
    }
    column(
        notes,
        check,
        "reserve_met",
        outcome.reserve_met,
        row.reserve_met,
    );
    if let Some(bid_count) = walked.bid_count {
        column(notes, check, "bid_count", bid_count, row.bid_count);
    }
    if let Some(last_at) = walked.last_at {
        column(notes, check, "last_at", last_at, row.last_at);
    }
    if let Some(book) = &walked.book {
        let standing = &book.state.standing;
        let maximum = standing.leader.as_ref().map(|leader| leader.maximum);
        secret(notes, check, "leader_max", maximum, row.leader_max);
        secret(
            notes,
            check,
            "runner_up_max",
            standing.runner_up,
            row.runner_up_max,
        );
    }
}

/// Compares one column; a difference is one finding that names it.
#[allow(
    clippy::needless_pass_by_value,
    reason = "values and references alike come in"
)]
fn column<T: PartialEq + std::fmt::Display>(
    notes: &mut Notes,
    check: Check,
    name: &str,
    wants: T,
    has: T,
) {
    if wants != has {
        notes.push(
            None,
            check,
            format!("{name} {wants}"),
            format!("{name} {has}"),
        );
    }
}

/// Compares a secret without telling it.
fn secret(notes: &mut Notes, check: Check, name: &str, wants: Option<Amount>, has: Option<Amount>) {
    if wants != has {
        let found = match has {
            None => format!("no {name}"),
            Some(_) => format!("another {name}"),
        };
        let expected = match wants {
            None => format!("no {name}"),
            Some(_) => format!("the {name} that the ledger gives"),
        };
        notes.push(None, check, expected, found);
    }
}

fn soft(soft: Option<SoftClose>) -> String {
    let Some(soft) = soft else {
        return "none".to_owned();
    };
    let mode = format!("{:?}", soft.mode).to_lowercase();
    let cap = soft
        .cap
        .map_or("none".to_owned(), |cap: Micros| cap.to_string());
    let trigger = soft.trigger;
    format!(
        "window {} extend {} mode {mode} trigger {trigger:?} cap {cap}",
        soft.window, soft.extend_by
    )
}
