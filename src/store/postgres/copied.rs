//! Ledger rows as COPY sends them, in its binary form: an audit reads them where they are.

use super::copy_out::Fields;
use crate::auction::{Entry, EntryRef};
use crate::store::rows::Damage;
use crate::store::sheaf::LedgerRows;
use crate::store::stored::EntryColumns;

/// What [`CopiedRows`] understands. The columns' own types, unlike what a query selects: a cast
/// costs a tenth of the reading.
pub(super) const COPY_LEDGER: &str =
    "copy (select l.auction_id, l.seq, l.kind, l.at_us, l.request_id, l.actor,
    l.secret, l.nonce, l.detail, l.price, l.leader, l.end_us, l.flags, l.hash
    from gavel.ledger l order by l.auction_id, l.seq) to stdout (format binary)";

/// Rows of the ledger, one behind the other.
#[derive(Debug, Default)]
pub struct CopiedRows {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl CopiedRows {
    /// Makes room for what a sheaf may hold.
    pub(super) fn with_room(rows: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(rows * ROW_BYTES_EXPECTED),
            ends: Vec::with_capacity(rows),
        }
    }

    /// Adds a row's fields.
    pub(super) fn push(&mut self, fields: &[u8]) {
        self.bytes.extend_from_slice(fields);
        self.ends.push(self.bytes.len());
    }

    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn columns(&self, place: usize) -> Option<EntryColumns<'_>> {
        let start = match place.checked_sub(1) {
            None => 0,
            Some(before) => *self.ends.get(before)?,
        };
        let row = self.bytes.get(start..*self.ends.get(place)?)?;
        let mut fields = Fields::of(row);
        Some(EntryColumns {
            auction_id: fields.int8()?,
            seq: fields.int4()?.into(),
            kind: fields.int2()?.into(),
            at_us: fields.int8()?,
            request_id: fields.uuid()?,
            actor: fields.text()?,
            secret: fields.int8_or_null()?,
            nonce: fields.bytes_or_null()?,
            detail: fields.text()?,
            price: fields.int8_or_null()?,
            leader: fields.text_or_null()?,
            end_us: fields.int8()?,
            flags: fields.int2()?.into(),
            hash: fields.bytes()?,
        })
    }
}

/// Of a bid, the usual row.
const ROW_BYTES_EXPECTED: usize = 224;

impl LedgerRows for CopiedRows {
    fn borrowed(&self, place: usize) -> Option<EntryRef<'_>> {
        self.columns(place)?.borrowed()
    }

    fn entry(&self, place: usize) -> Result<Entry, Damage> {
        match self.columns(place) {
            Some(columns) => columns.to_entry(),
            None => Err(Damage::row(0, "ledger", "a row that is not understood")),
        }
    }

    fn into_entries(self) -> impl Iterator<Item = Result<Entry, Damage>> {
        (0..self.len()).map(move |place| self.entry(place))
    }
}
