//! How far an auction is in its life, and whether row, ledger, clock and events agree on it.
//!
//! Three things say that an auction was closed: its status, its closing time and its event. Two of
//! three decide, so that one changed value is one finding. An event is compared as a whole: what
//! differs in it is one finding that names the columns.

use super::audit::{Moment, Outcome, Walked};
use super::finding::Check;
use super::notes::{Notes, party};
use super::row_checks::Tail;
use crate::auction::{AuctionId, CloseOutcome, CloseResult, Event, EventKind, Micros, Status};
use crate::store::{AuctionRow, Dossier};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Open,
    Closed,
    Cancelled,
}

/// Checks status, result and the number of events; gives the kind of the event that there must be.
pub(super) fn life(
    dossier: &Dossier,
    outcome: Option<&Outcome<'_>>,
    moment: &Moment,
    notes: &mut Notes,
) -> Option<EventKind> {
    let row = dossier.row.as_ref()?;
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
    let wants = match life {
        Life::Open => None,
        Life::Closed => Some(EventKind::Closed),
        Life::Cancelled => Some(EventKind::Cancelled),
    };
    // The only event there is, of the other kind: the kind was changed, and is named there.
    let of_other_kind = wants.is_some()
        && matches!(dossier.events.as_slice(), [event] if Some(event.kind) != wants);
    if !of_other_kind {
        events(dossier, wants, [closed_events, cancelled_events], notes);
    }
    claim(row, outcome, notes);
    match life {
        Life::Open => open(row, outcome, moment, closed_events > 0, notes),
        Life::Closed => closed(row, outcome, notes),
        Life::Cancelled => {
            status(row, Status::Cancelled, notes);
            unsold(row, notes);
        }
    }
    wants
}

/// Checks that every event that must be is there, once, and no other.
fn events(dossier: &Dossier, wants: Option<EventKind>, has: [usize; 2], notes: &mut Notes) {
    // Damage to an event is named already; it may be the one that is missing. Where the whole
    // ledger is missing, that is named.
    let named =
        dossier.damage.iter().any(|damage| damage.seq.is_none()) || dossier.entries.is_empty();
    for (kind, has) in [EventKind::Closed, EventKind::Cancelled]
        .into_iter()
        .zip(has)
    {
        let name = kind.as_str();
        let wanted = wants == Some(kind);
        if has == 0 && wanted && !named {
            let expected = format!("one {name} event");
            notes.push(None, Check::EventMissing, expected, "none");
        } else if has > 0 && !wanted {
            let expected = format!("no {name} event");
            let found = format!("{has} of {name}");
            notes.push(None, Check::EventUnexpected, expected, found);
        } else if has > 1 {
            let expected = format!("one {name} event");
            let found = format!("{has} of {name}");
            notes.push(None, Check::EventDuplicate, expected, found);
        }
    }
}

fn count(dossier: &Dossier, kind: EventKind) -> usize {
    let of_kind = dossier.events.iter().filter(|event| event.kind == kind);
    of_kind.count()
}

/// A claim by a closer: only once the auction has ended, and kept when it has closed.
fn claim(row: &AuctionRow, outcome: Option<&Outcome<'_>>, notes: &mut Notes) {
    for (name, epoch) in [
        ("closer_epoch", row.closer_epoch),
        ("owner_epoch", row.owner_epoch),
    ] {
        if epoch < 0 {
            let expected = format!("{name} from 0");
            notes.push(None, Check::RowState, expected, format!("{name} {epoch}"));
        }
    }
    let Some(since) = row.closing_at else { return };
    let end = outcome.map_or(row.end, |outcome| outcome.end);
    let expected = match row.status {
        Status::Open if row.closed_at.is_none() => "no closing_at while OPEN".to_owned(),
        Status::Cancelled => "no closing_at: it was cancelled before its end".to_owned(),
        // Where the status is wrong, that is named.
        Status::Open => return,
        Status::Closing | Status::Closed | Status::ClosedReserveNotMet => {
            let closed_before = row.closed_at.is_some_and(|closed_at| closed_at < since);
            if since >= end && !closed_before {
                return;
            }
            "closing_at from the end to closed_at".to_owned()
        }
    };
    notes.push(
        None,
        Check::RowState,
        expected,
        format!("closing_at {since}"),
    );
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

fn open(
    row: &AuctionRow,
    outcome: Option<&Outcome<'_>>,
    moment: &Moment,
    told_closed: bool,
    notes: &mut Notes,
) {
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
        // One that was closed by its event is not left undone but wrong, and named so.
        && !told_closed
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

/// Checks what the event that must be tells; others are named as such.
pub(super) fn content(
    dossier: &Dossier,
    walked: &Walked<'_>,
    outcome: Option<&Outcome<'_>>,
    (tail, wants): (Tail, Option<EventKind>),
    notes: &mut Notes,
) {
    // Without a row nothing says which event there must be.
    let wants = match (wants, dossier.events.as_slice()) {
        (None, [event]) if dossier.row.is_none() => event.kind,
        (None, _) => return,
        (Some(wants), _) => wants,
    };
    let of_kind = dossier.events.iter().find(|event| event.kind == wants);
    let only = || dossier.events.first().filter(|_| dossier.events.len() == 1);
    let Some(event) = of_kind.or_else(only) else {
        return;
    };
    let row = dossier.row.as_ref();
    if !walked.chain.ends_with(&event.ledger_head) {
        // Written for the ledger that the row has: its end is missing, and named already.
        let of_rows_ledger = row.is_none_or(|row| row.head == event.ledger_head);
        let named = walked.rewritten || (!tail.is_whole() && of_rows_ledger);
        let tail_known = walked.last.is_some() && !walked.tail_damaged;
        if !named && tail_known && walked.broken_from.is_none() {
            let expected = format!("ledger_head of the last entry in {}", event.event_id);
            let found = "the head of another ledger";
            notes.push(None, Check::EventContent, expected, found);
        }
        return;
    }
    let Some(outcome) = outcome else { return };
    let mut differing = Differing::default();
    told(event, wants, outcome, notes, &mut differing);
    if let Ok(auction_id) = AuctionId::new(dossier.auction_id) {
        differing.column("event_id", wants.event_id(auction_id), &event.event_id);
    }
    let closed_at = match wants {
        EventKind::Cancelled => walked.last_at,
        // A closing time before the end is the row's fault, and named there.
        EventKind::Closed => row
            .and_then(|row| row.closed_at)
            .filter(|at| *at >= outcome.end),
    };
    if let Some(closed_at) = closed_at {
        differing.column("closed_at", closed_at, event.closed_at);
    }
    if !differing.expected.is_empty() {
        let (expected, found) = (differing.expected.join(", "), differing.found.join(", "));
        notes.push(None, Check::EventContent, expected, found);
    }
}

fn told(
    event: &Event,
    wants: EventKind,
    outcome: &Outcome<'_>,
    notes: &Notes,
    differing: &mut Differing,
) {
    differing.column("kind", wants.as_str(), event.kind.as_str());
    let (result, winner, price) = match wants {
        EventKind::Cancelled => (None, None, None),
        EventKind::Closed => {
            let of = CloseOutcome::of(outcome.leader, outcome.price, outcome.reserve_met);
            (Some(of.result), of.winner, of.final_price)
        }
    };
    let word = |result: Option<CloseResult>| result.map_or("none", CloseResult::as_str);
    differing.column("result", word(result), word(event.result));
    differing.column(
        "winner",
        party(winner.as_ref()),
        party(event.winner.as_ref()),
    );
    differing.column("price", notes.money(price), notes.money(event.price));
    differing.column("end", outcome.end, event.end);
}

/// The columns of one event that are not what they must be.
#[derive(Default)]
struct Differing {
    expected: Vec<String>,
    found: Vec<String>,
}

impl Differing {
    #[allow(
        clippy::needless_pass_by_value,
        reason = "values and references alike come in"
    )]
    fn column(&mut self, name: &str, wants: impl ToString, has: impl ToString) {
        let (wants, has) = (wants.to_string(), has.to_string());
        if wants != has {
            self.expected.push(format!("{name} {wants}"));
            self.found.push(format!("{name} {has}"));
        }
    }
}
