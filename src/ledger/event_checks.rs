//! How far an auction is in its life, and whether row, ledger, clock and events agree on it.
//!
//! Three things say that an auction was closed: its status, its closing time and its event. Two of
//! three decide, so that one changed value is one finding.

use super::audit::{Moment, Outcome, Walked};
use super::finding::Check;
use super::notes::{Notes, party};
use super::row_checks::{Tail, column};
use crate::auction::{CloseOutcome, Event, EventKind, Micros, Status};
use crate::store::{AuctionRow, Dossier};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Open,
    Closed,
    Cancelled,
}

/// Checks status, result and the number of events.
pub(super) fn life(
    dossier: &Dossier,
    outcome: Option<&Outcome<'_>>,
    moment: &Moment,
    notes: &mut Notes,
) {
    let Some(row) = &dossier.row else {
        return;
    };
    let closed_events = count(dossier, EventKind::Closed);
    let cancelled_events = count(dossier, EventKind::Cancelled);
    let votes = u8::from(row.status.is_closed())
        + u8::from(row.closed_at.is_some())
        + u8::from(closed_events > 0);
    let life = match outcome.and_then(|outcome| outcome.cancelled) {
        Some(true) => Life::Cancelled,
        // The ledger cannot say whether it was cancelled, so the row does.
        None if row.status == Status::Cancelled => Life::Cancelled,
        _ if votes >= 2 => Life::Closed,
        _ => Life::Open,
    };
    let (wants_closed, wants_cancelled) = match life {
        Life::Open => (0, 0),
        Life::Closed => (1, 0),
        Life::Cancelled => (0, 1),
    };
    // Damage to an event is named already; it may be the one that is missing.
    let event_damaged = dossier.damage.iter().any(|damage| damage.seq.is_none());
    for (kind, wants, has) in [
        (EventKind::Closed, wants_closed, closed_events),
        (EventKind::Cancelled, wants_cancelled, cancelled_events),
    ] {
        let name = kind.as_str();
        if has == 0 && wants == 1 && !event_damaged {
            let expected = format!("one {name} event");
            notes.push(None, Check::EventMissing, expected, "none");
        } else if has > 0 && wants == 0 {
            let found = format!("{has} of {name}");
            notes.push(
                None,
                Check::EventUnexpected,
                format!("no {name} event"),
                found,
            );
        } else if has > 1 {
            let found = format!("{has} of {name}");
            notes.push(
                None,
                Check::EventDuplicate,
                format!("one {name} event"),
                found,
            );
        }
    }
    match life {
        Life::Open => open(row, outcome, moment, notes),
        Life::Closed => closed(row, outcome, notes),
        Life::Cancelled => {
            status(row, Status::Cancelled, notes);
            unsold(row, notes);
        }
    }
}

fn count(dossier: &Dossier, kind: EventKind) -> usize {
    let of_kind = dossier.events.iter().filter(|event| event.kind == kind);
    of_kind.count()
}

fn status(row: &AuctionRow, wants: Status, notes: &mut Notes) {
    if row.status != wants {
        notes.push(None, Check::Status, wants.as_str(), row.status.as_str());
    }
}

/// An auction that has no result has no winner and no final price.
fn unsold(row: &AuctionRow, notes: &mut Notes) {
    if let Some(winner) = &row.winner {
        notes.push(None, Check::Winner, "none", winner.as_str());
    }
    if row.final_price.is_some() {
        let found = notes.money(row.final_price);
        notes.push(None, Check::FinalPrice, "none", found);
    }
}

fn open(row: &AuctionRow, outcome: Option<&Outcome<'_>>, moment: &Moment, notes: &mut Notes) {
    if !matches!(row.status, Status::Open | Status::Closing) {
        notes.push(None, Check::Status, "OPEN", row.status.as_str());
    }
    unsold(row, notes);
    if let Some(closed_at) = row.closed_at {
        let found = format!("closed_at {closed_at}");
        notes.push(None, Check::RowState, "no closed_at", found);
    }
    let end = outcome.map_or(row.end, |outcome| outcome.end);
    let grace = |instant: Micros, span| match span {
        Some(span) => instant.plus(span),
        None => instant,
    };
    if row.status == Status::Closing {
        match (row.closing_at, moment.claim_timeout) {
            (None, _) => {
                notes.push(None, Check::RowState, "a closing_at", "no closing_at");
            }
            (Some(since), Some(timeout)) if since.plus(timeout) <= moment.now => {
                let found = format!("CLOSING since {since}");
                let expected = format!("closed within {timeout}");
                notes.push(None, Check::StuckInClosing, expected, found);
            }
            _ => {}
        }
    } else if row.status == Status::Open
        && row.owner_node.is_none()
        && grace(end, moment.due_grace) <= moment.now
    {
        let found = format!("OPEN, ended at {end}");
        notes.push(None, Check::DueNotClosed, "closed", found);
    }
}

fn closed(row: &AuctionRow, outcome: Option<&Outcome<'_>>, notes: &mut Notes) {
    let Some(outcome) = outcome else {
        if !row.status.is_closed() {
            notes.push(None, Check::Status, "closed", row.status.as_str());
        }
        return;
    };
    let result = CloseOutcome::of(outcome.leader, outcome.price, outcome.reserve_met);
    status(row, result.status, notes);
    if row.winner != result.winner {
        let (wants, has) = (party(result.winner.as_ref()), party(row.winner.as_ref()));
        notes.push(None, Check::Winner, wants, has);
    }
    if row.final_price != result.final_price {
        let (wants, has) = (
            notes.money(result.final_price),
            notes.money(row.final_price),
        );
        notes.push(None, Check::FinalPrice, wants, has);
    }
    match row.closed_at {
        None => {
            notes.push(None, Check::RowState, "a closed_at", "no closed_at");
        }
        Some(at) if at < outcome.end => {
            let expected = format!("closed_at not before the end, {}", outcome.end);
            notes.push(None, Check::RowState, expected, format!("closed_at {at}"));
        }
        Some(_) => {}
    }
}

/// Checks what the events tell.
pub(super) fn content(
    dossier: &Dossier,
    walked: &Walked<'_>,
    outcome: Option<&Outcome<'_>>,
    tail: Tail,
    notes: &mut Notes,
) {
    let mut seen: Vec<EventKind> = Vec::new();
    for event in &dossier.events {
        // A repeated event is named as such.
        if seen.contains(&event.kind) {
            continue;
        }
        seen.push(event.kind);
        let row = dossier.row.as_ref();
        let of_rows_ledger = row.is_some_and(|row| row.head == event.ledger_head);
        if !walked.chain.ends_with(&event.ledger_head) {
            // Written for the ledger that the row has: its end is missing, and named already.
            let named = !tail.is_whole() && (of_rows_ledger || row.is_none());
            let tail_known = walked.last.is_some() && !walked.tail_damaged;
            if !named && tail_known && walked.broken_from.is_none() {
                let expected = format!("ledger_head of the last entry in {}", event.event_id);
                let found = "the head of another ledger";
                notes.push(None, Check::EventContent, expected, found);
            }
            continue;
        }
        if let Some(outcome) = outcome {
            told(event, dossier, walked.last_at, outcome, notes);
        }
    }
}

fn told(
    event: &Event,
    dossier: &Dossier,
    last_at: Option<Micros>,
    outcome: &Outcome<'_>,
    notes: &mut Notes,
) {
    let check = Check::EventContent;
    if let Ok(auction_id) = crate::auction::AuctionId::new(dossier.auction_id) {
        let event_id = event.kind.event_id(auction_id);
        column(notes, check, "event_id", event_id, event.event_id.clone());
    }
    column(notes, check, "end", outcome.end, event.end);
    if event.kind == EventKind::Cancelled {
        if let Some(last_at) = last_at {
            column(notes, check, "closed_at", last_at, event.closed_at);
        }
        if event.result.is_some() || event.winner.is_some() || event.price.is_some() {
            notes.push(
                None,
                check,
                "neither result, winner nor price",
                "one of them",
            );
        }
        return;
    }
    let result = CloseOutcome::of(outcome.leader, outcome.price, outcome.reserve_met);
    let word = |result: Option<crate::auction::CloseResult>| {
        result.map_or("none", crate::auction::CloseResult::as_str)
    };
    column(
        notes,
        check,
        "result",
        word(Some(result.result)),
        word(event.result),
    );
    let (wants, has) = (party(result.winner.as_ref()), party(event.winner.as_ref()));
    column(notes, check, "winner", wants, has);
    let (wants, has) = (notes.money(result.final_price), notes.money(event.price));
    column(notes, check, "price", wants, has);
    let closed_at = dossier.row.as_ref().and_then(|row| row.closed_at);
    // A closing time before the end is the row's fault, and named there.
    if let Some(closed_at) = closed_at.filter(|at| *at >= outcome.end) {
        column(notes, check, "closed_at", closed_at, event.closed_at);
    }
}
