//! Writing many rows by COPY, in its binary form.
//!
//! The form: a signature, then per row the number of fields and each field as an `i32` length
//! (-1: null) with its big-endian bytes, then -1. The types must be the columns' own; the lists
//! of columns below and the order of the fields belong together.

use super::pool::Step;
use super::rows::{rungs, seq32};
use crate::auction::{Amount, Entry, Event, Micros, PartyId, Span};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::AuctionRow;
use crate::store::stored::{mode_text, own_raise_text, trigger_text};

/// The signature, no flags, no header extension.
const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// The type of an array's elements: `bigint`.
const INT8_OID: i32 = 20;

const COPY_AUCTIONS: &str = "copy gavel.auctions (auction_id, status, seller, title, currency,
    exponent, start_price, steps_name, steps, reserve, own_raise, soft_window_us, soft_extend_us,
    soft_mode, soft_trigger, soft_cap_us, start_us, first_end_us, end_us, leader, leader_max,
    runner_up_max, price, reserve_met, bid_count, last_seq, last_us, head, closer_epoch,
    closing_us, closed_us, winner, final_price, owner_node, owner_epoch, owner_lease_us)
    from stdin (format binary)";

const COPY_LEDGER: &str = "copy gavel.ledger (auction_id, seq, kind, flags, at_us, request_id,
    secret, price, end_us, actor, nonce, detail, leader, hash) from stdin (format binary)";

const COPY_OUTBOX: &str = "copy gavel.outbox (auction_id, event_id, kind, result, winner, price,
    end_us, closed_us, ledger_head) from stdin (format binary)";

const COPY_WATCHERS: &str = "copy gavel.watchers (auction_id, watcher) from stdin (format binary)";

/// Rows on their way into the tables, auctions first.
pub(super) struct Copied {
    auctions: CopyIn,
    ledger: CopyIn,
    outbox: CopyIn,
    watchers: CopyIn,
}

impl Copied {
    pub(super) fn new() -> Self {
        Self {
            auctions: CopyIn::new(),
            ledger: CopyIn::new(),
            outbox: CopyIn::new(),
            watchers: CopyIn::new(),
        }
    }

    pub(super) fn add_auction(&mut self, row: &AuctionRow) -> Result<(), StoreError> {
        let terms = &row.terms;
        let soft = terms.soft_close;
        let exponent = i32::try_from(terms.currency.exponent()).map_err(|_| too_long())?;
        let out = &mut self.auctions;
        out.row(36);
        out.int8(row.auction_id.get());
        out.text(row.status.as_str())?;
        out.text(terms.seller.as_str())?;
        out.text(&terms.title)?;
        out.text(terms.currency.code())?;
        out.int4(exponent);
        out.int8(terms.start_price.minor());
        out.text(terms.steps.name())?;
        out.int8_array(&rungs(row))?;
        out.int8_or_null(terms.reserve.map(Amount::minor));
        out.text(own_raise_text(terms.own_raise))?;
        out.int8_or_null(soft.map(|soft| Span::get(soft.window)));
        out.int8_or_null(soft.map(|soft| Span::get(soft.extend_by)));
        out.text_or_null(soft.map(|soft| mode_text(soft.mode)))?;
        out.text_or_null(soft.map(|soft| trigger_text(soft.trigger)))?;
        out.int8_or_null(soft.and_then(|soft| soft.cap).map(Micros::get));
        out.int8(terms.start.get());
        out.int8(terms.end.get());
        out.int8(row.end.get());
        out.text_or_null(row.leader.as_ref().map(PartyId::as_str))?;
        out.int8_or_null(row.leader_max.map(Amount::minor));
        out.int8_or_null(row.runner_up_max.map(Amount::minor));
        out.int8_or_null(row.price.map(Amount::minor));
        out.boolean(row.reserve_met);
        out.int8(row.bid_count);
        out.int4(seq32(row.last_seq)?);
        out.int8(row.last_at.get());
        out.bytes(&row.head)?;
        out.int8(row.closer_epoch);
        out.int8_or_null(row.closing_at.map(Micros::get));
        out.int8_or_null(row.closed_at.map(Micros::get));
        out.text_or_null(row.winner.as_ref().map(PartyId::as_str))?;
        out.int8_or_null(row.final_price.map(Amount::minor));
        out.text_or_null(row.owner_node.as_deref())?;
        out.int8(row.owner_epoch);
        out.int8_or_null(row.owner_lease.map(Micros::get));
        Ok(())
    }

    pub(super) fn add_entry(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let out = &mut self.ledger;
        out.row(14);
        out.int8(entry.auction_id.get());
        out.int4(seq32(entry.seq)?);
        out.int2(entry.kind.code().into());
        out.int2(entry.flags().into());
        out.int8(entry.at.get());
        out.bytes(&entry.request_id.bytes())?;
        out.int8_or_null(entry.secret.map(|secret| secret.amount.minor()));
        out.int8_or_null(entry.price.map(Amount::minor));
        out.int8(entry.end.get());
        out.text(entry.actor.as_str())?;
        match &entry.secret {
            Some(secret) => out.bytes(&secret.nonce)?,
            None => out.null(),
        }
        out.text(&entry.detail)?;
        out.text_or_null(entry.leader.as_ref().map(PartyId::as_str))?;
        out.bytes(&entry.hash)
    }

    pub(super) fn add_event(&mut self, auction_id: i64, event: &Event) -> Result<(), StoreError> {
        let out = &mut self.outbox;
        out.row(9);
        out.int8(auction_id);
        out.text(&event.event_id)?;
        out.text(event.kind.as_str())?;
        out.text_or_null(event.result.map(|result| result.as_str()))?;
        out.text_or_null(event.winner.as_ref().map(PartyId::as_str))?;
        out.int8_or_null(event.price.map(Amount::minor));
        out.int8(event.end.get());
        out.int8(event.closed_at.get());
        out.bytes(&event.ledger_head)
    }

    pub(super) fn add_watcher(
        &mut self,
        auction_id: i64,
        watcher: &PartyId,
    ) -> Result<(), StoreError> {
        self.watchers.row(2);
        self.watchers.int8(auction_id);
        self.watchers.text(watcher.as_str())
    }

    /// Writes everything added, in the order the foreign keys need.
    pub(super) async fn write(self, step: &mut Step) -> Result<(), StoreError> {
        self.auctions.write(step, COPY_AUCTIONS).await?;
        self.ledger.write(step, COPY_LEDGER).await?;
        self.outbox.write(step, COPY_OUTBOX).await?;
        self.watchers.write(step, COPY_WATCHERS).await
    }
}

/// The bytes of one COPY.
struct CopyIn {
    bytes: Vec<u8>,
}

impl CopyIn {
    fn new() -> Self {
        Self {
            bytes: SIGNATURE.to_vec(),
        }
    }

    fn row(&mut self, fields: i16) {
        self.bytes.extend_from_slice(&fields.to_be_bytes());
    }

    fn null(&mut self) {
        self.bytes.extend_from_slice(&(-1_i32).to_be_bytes());
    }

    fn bytes(&mut self, value: &[u8]) -> Result<(), StoreError> {
        let length = i32::try_from(value.len()).map_err(|_| too_long())?;
        self.bytes.extend_from_slice(&length.to_be_bytes());
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    /// A value whose size is known: its length always fits.
    fn fixed<const N: usize>(&mut self, length: i32, value: [u8; N]) {
        self.bytes.extend_from_slice(&length.to_be_bytes());
        self.bytes.extend_from_slice(&value);
    }

    fn int8(&mut self, value: i64) {
        self.fixed(8, value.to_be_bytes());
    }

    fn int8_or_null(&mut self, value: Option<i64>) {
        match value {
            Some(value) => self.int8(value),
            None => self.null(),
        }
    }

    fn int4(&mut self, value: i32) {
        self.fixed(4, value.to_be_bytes());
    }

    fn int2(&mut self, value: i16) {
        self.fixed(2, value.to_be_bytes());
    }

    fn boolean(&mut self, value: bool) {
        self.fixed(1, [value.into()]);
    }

    fn text(&mut self, value: &str) -> Result<(), StoreError> {
        self.bytes(value.as_bytes())
    }

    fn text_or_null(&mut self, value: Option<&str>) -> Result<(), StoreError> {
        match value {
            Some(value) => self.text(value),
            None => {
                self.null();
                Ok(())
            }
        }
    }

    /// One dimension, lower bound 1, no nulls.
    fn int8_array(&mut self, values: &[i64]) -> Result<(), StoreError> {
        let length = i32::try_from(values.len()).map_err(|_| too_long())?;
        let mut array = Vec::with_capacity(20 + 12 * values.len());
        for number in [1, 0, INT8_OID, length, 1] {
            array.extend_from_slice(&number.to_be_bytes());
        }
        for value in values {
            array.extend_from_slice(&8_i32.to_be_bytes());
            array.extend_from_slice(&value.to_be_bytes());
        }
        self.bytes(&array)
    }

    async fn write(mut self, step: &mut Step, text: &'static str) -> Result<(), StoreError> {
        if self.bytes.len() == SIGNATURE.len() {
            return Ok(());
        }
        self.bytes.extend_from_slice(&(-1_i16).to_be_bytes());
        let mut copy = step.connection().copy_in_raw(text).await?;
        copy.send(self.bytes).await?;
        copy.finish().await?;
        Ok(())
    }
}

fn too_long() -> StoreError {
    StoreError::new(
        StoreErrorKind::Failed,
        "a value is too long for the database",
    )
}
