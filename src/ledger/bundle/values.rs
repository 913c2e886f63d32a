//! Dossiers as rows of values, in the order of the files' columns.

use crate::auction::{Amount, Entry, Event, Micros, PartyId, RequestId, StepTable};
use crate::store::AuctionRow;

use super::columns::{MODES, OWN_RAISES, TRIGGERS, word};

/// A cell; none is an empty one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'v> {
    Whole(Option<i64>),
    Amount(Option<Amount>),
    Instant(Option<Micros>),
    Text(Option<&'v str>),
    Bytes(Option<&'v [u8]>),
    Request(RequestId),
    Rungs(&'v StepTable),
    Truth(bool),
}

impl<'v> Value<'v> {
    fn whole(number: i64) -> Self {
        Self::Whole(Some(number))
    }

    fn text(text: &'v str) -> Self {
        Self::Text(Some(text))
    }

    fn party(id: Option<&'v PartyId>) -> Self {
        Self::Text(id.map(PartyId::as_str))
    }

    fn at(instant: Micros) -> Self {
        Self::Instant(Some(instant))
    }
}

/// A row of the auctions.
pub(super) fn of_auction(row: &AuctionRow) -> [Value<'_>; 36] {
    let terms = &row.terms;
    let soft = terms.soft_close.as_ref();
    [
        Value::whole(row.auction_id.get()),
        Value::text(row.status.as_str()),
        Value::text(terms.seller.as_str()),
        Value::text(&terms.title),
        Value::text(terms.currency.code()),
        Value::whole(i64::from(terms.currency.exponent())),
        Value::Amount(Some(terms.start_price)),
        Value::text(terms.steps.name()),
        Value::Rungs(&terms.steps),
        Value::Amount(terms.reserve),
        Value::text(word(&OWN_RAISES, terms.own_raise)),
        Value::Whole(soft.map(|soft| soft.window.get())),
        Value::Whole(soft.map(|soft| soft.extend_by.get())),
        Value::Text(soft.map(|soft| word(&MODES, soft.mode))),
        Value::Text(soft.map(|soft| word(&TRIGGERS, soft.trigger))),
        Value::Instant(soft.and_then(|soft| soft.cap)),
        Value::at(terms.start),
        Value::at(terms.end),
        Value::at(row.end),
        Value::party(row.leader.as_ref()),
        Value::Amount(row.leader_max),
        Value::Amount(row.runner_up_max),
        Value::Amount(row.price),
        Value::Truth(row.reserve_met),
        Value::whole(row.bid_count),
        Value::whole(row.last_seq),
        Value::at(row.last_at),
        Value::Bytes(Some(&row.head)),
        Value::whole(row.closer_epoch),
        Value::Instant(row.closing_at),
        Value::Instant(row.closed_at),
        Value::party(row.winner.as_ref()),
        Value::Amount(row.final_price),
        Value::Text(row.owner_node.as_deref()),
        Value::whole(row.owner_epoch),
        Value::Instant(row.owner_lease),
    ]
}

/// A row of the ledger.
pub(super) fn of_entry(entry: &Entry) -> [Value<'_>; 16] {
    let secret = entry.secret.as_ref();
    [
        Value::whole(entry.auction_id.get()),
        Value::whole(entry.seq),
        Value::text(entry.kind.as_str()),
        Value::at(entry.at),
        Value::Request(entry.request_id),
        Value::text(entry.actor.as_str()),
        Value::Amount(secret.map(|secret| secret.amount)),
        Value::Bytes(secret.map(|secret| secret.nonce.as_slice())),
        Value::Bytes(Some(&entry.commit)),
        Value::text(&entry.detail),
        Value::Amount(entry.price),
        Value::party(entry.leader.as_ref()),
        Value::at(entry.end),
        Value::Truth(entry.reserve_met),
        Value::Truth(entry.extended),
        Value::Bytes(Some(&entry.hash)),
    ]
}

/// A row of the outbox.
pub(super) fn of_event(auction_id: i64, event: &Event) -> [Value<'_>; 9] {
    [
        Value::whole(auction_id),
        Value::text(&event.event_id),
        Value::text(event.kind.as_str()),
        Value::Text(event.result.map(|result| result.as_str())),
        Value::party(event.winner.as_ref()),
        Value::Amount(event.price),
        Value::at(event.end),
        Value::at(event.closed_at),
        Value::Bytes(Some(&event.ledger_head)),
    ]
}

/// A row of the watch lists.
pub(super) fn of_watcher(auction_id: i64, watcher: &PartyId) -> [Value<'_>; 2] {
    [Value::whole(auction_id), Value::text(watcher.as_str())]
}
