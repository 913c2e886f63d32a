//! Rows of the tables as what a database would have stored.

use std::sync::Arc;

use super::cells::{Batch, need};
use crate::auction::{Digest, Entry, EntryRef, Kind};
use crate::store::{Damage, EntryColumns, LedgerRows, StoredAuction, StoredEvent};

/// Rows of the ledger where they were read: parts of batches, one behind the other.
#[derive(Debug, Default)]
pub(in crate::ledger) struct TypedRows {
    parts: Vec<Part>,
    rows: usize,
}

#[derive(Debug)]
struct Part {
    batch: Arc<Batch>,
    /// The place of its first row.
    place: usize,
    /// Where that row stands in the batch.
    start: usize,
    length: usize,
}

/// A ledger row; `None` is an empty cell where there must be none.
type Cells<'r> = (EntryColumns<'r>, Option<&'r [u8]>);

impl TypedRows {
    /// Adds rows of a batch.
    pub(super) fn push(&mut self, batch: &Arc<Batch>, start: usize, length: usize) {
        let follows = self
            .parts
            .last_mut()
            .filter(|part| Arc::ptr_eq(&part.batch, batch) && part.start + part.length == start);
        match follows {
            Some(part) => part.length += length,
            None => self.parts.push(Part {
                batch: Arc::clone(batch),
                place: self.rows,
                start,
                length,
            }),
        }
        self.rows += length;
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    fn cells(&self, place: usize) -> Result<Cells<'_>, Damage> {
        let part = self.parts.iter().rev().find(|part| part.place <= place);
        let part = part.ok_or_else(|| Damage::row(0, "ledger", "no such row"))?;
        let mut row = part.batch.row(part.start + place - part.place);
        let auction_id = row.whole().unwrap_or_default();
        let seq = row.whole().unwrap_or_default();
        let missing = |column| Damage::entry(auction_id, seq, column, "nothing");
        let kind = row.text().ok_or_else(|| missing("kind"))?;
        let at_us = row.whole().ok_or_else(|| missing("at"))?;
        let request_id = row.bytes().and_then(|id| uuid::Uuid::from_slice(id).ok());
        let request_id = request_id.ok_or_else(|| missing("request_id"))?;
        let actor = row.text().ok_or_else(|| missing("actor"))?;
        let (secret, nonce, commit) = (row.whole(), row.bytes(), row.bytes());
        let detail = row.text().ok_or_else(|| missing("detail"))?;
        let (price, leader) = (row.whole(), row.text());
        let end_us = row.whole().ok_or_else(|| missing("end"))?;
        let reserve_met = row.truth().ok_or_else(|| missing("reserve_met"))?;
        let extended = row.truth().ok_or_else(|| missing("extended"))?;
        let hash = row.bytes().ok_or_else(|| missing("hash"))?;
        let columns = EntryColumns {
            auction_id,
            seq,
            // No kind has this code: it is named by the check of the column.
            kind: Kind::from_word(kind).map_or(0, |kind| i64::from(kind.code())),
            at_us,
            request_id,
            actor,
            secret,
            nonce,
            detail,
            price,
            leader,
            end_us,
            flags: i64::from(reserve_met) | i64::from(extended) << 1,
            hash,
        };
        Ok((columns, commit))
    }
}

impl LedgerRows for TypedRows {
    fn borrowed(&self, place: usize) -> Option<EntryRef<'_>> {
        let (columns, commit) = self.cells(place).ok()?;
        let commit: Digest = commit?.try_into().ok()?;
        let entry = columns.borrowed()?;
        Some(EntryRef {
            commit: Some(commit),
            ..entry
        })
    }

    fn entry(&self, place: usize) -> Result<Entry, Damage> {
        let (columns, commit) = self.cells(place)?;
        let entry = columns.to_entry()?;
        let commit = commit.and_then(|commit| commit.try_into().ok());
        let commit = need(commit, columns.auction_id, Some(columns.seq), "commit")?;
        Ok(Entry { commit, ..entry })
    }

    fn into_entries(self) -> impl Iterator<Item = Result<Entry, Damage>> {
        (0..self.len()).map(move |place| self.entry(place))
    }
}

/// A row of the auctions.
pub(super) fn auction(batch: &Batch, row: usize, auction_id: i64) -> Result<StoredAuction, Damage> {
    let mut row = batch.row(row);
    let owned =
        |text: Option<&str>, column| need(text, auction_id, None, column).map(str::to_owned);
    let whole = |number, column| need(number, auction_id, None, column);
    row.skip();
    Ok(StoredAuction {
        auction_id,
        status: owned(row.text(), "status")?,
        seller: owned(row.text(), "seller")?,
        title: owned(row.text(), "title")?,
        currency: owned(row.text(), "currency")?,
        exponent: whole(row.whole(), "exponent")?,
        start_price: whole(row.whole(), "start_price")?,
        steps_name: owned(row.text(), "steps_name")?,
        steps: owned(row.text(), "steps")?,
        reserve: row.whole(),
        own_raise: owned(row.text(), "own_raise")?,
        soft_window_us: row.whole(),
        soft_extend_us: row.whole(),
        soft_mode: row.text().map(str::to_owned),
        soft_trigger: row.text().map(str::to_owned),
        soft_cap_us: row.whole(),
        start_us: whole(row.whole(), "start")?,
        first_end_us: whole(row.whole(), "first_end")?,
        end_us: whole(row.whole(), "end")?,
        leader: row.text().map(str::to_owned),
        leader_max: row.whole(),
        runner_up_max: row.whole(),
        price: row.whole(),
        reserve_met: need(row.truth(), auction_id, None, "reserve_met")?,
        bid_count: whole(row.whole(), "bid_count")?,
        last_seq: whole(row.whole(), "last_seq")?,
        last_us: whole(row.whole(), "last_at")?,
        head: need(row.bytes(), auction_id, None, "head")?.to_vec(),
        closer_epoch: whole(row.whole(), "closer_epoch")?,
        closing_us: row.whole(),
        closed_us: row.whole(),
        winner: row.text().map(str::to_owned),
        final_price: row.whole(),
        owner_node: row.text().map(str::to_owned),
        owner_epoch: whole(row.whole(), "owner_epoch")?,
        owner_lease_us: row.whole(),
    })
}

/// A row of the outbox.
pub(super) fn event(batch: &Batch, row: usize, auction_id: i64) -> Result<StoredEvent, Damage> {
    let mut row = batch.row(row);
    row.skip();
    Ok(StoredEvent {
        auction_id,
        event_id: need(row.text(), auction_id, None, "outbox.event_id")?.to_owned(),
        kind: need(row.text(), auction_id, None, "outbox.kind")?.to_owned(),
        result: row.text().map(str::to_owned),
        winner: row.text().map(str::to_owned),
        price: row.whole(),
        end_us: need(row.whole(), auction_id, None, "outbox.end")?,
        closed_us: need(row.whole(), auction_id, None, "outbox.closed_at")?,
        ledger_head: need(row.bytes(), auction_id, None, "outbox.ledger_head")?.to_vec(),
    })
}

/// A row of the watch lists.
pub(super) fn watcher(batch: &Batch, row: usize, auction_id: i64) -> Result<String, Damage> {
    let mut row = batch.row(row);
    row.skip();
    need(row.text(), auction_id, None, "watchers.watcher").map(str::to_owned)
}
