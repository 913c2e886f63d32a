//! Rows of a ledger of text, read where they stand.

use std::ops::Range;

use csv_core::{ReadRecordResult, Reader};
use memchr::memchr_iter;

use crate::auction::{
    AuctionId, Currency, Digest, EntryRef, Kind, Micros, Nonce, RequestId, Secret, Terms,
};
use crate::ledger::bundle::instant::instant;
use crate::ledger::bundle::table::{Places, whole};

/// Columns that a ledger can have.
pub(super) const COLUMNS: usize = 16;

/// Records of one file, one behind the other, without their line ends.
#[derive(Debug, Default)]
pub(in crate::ledger) struct TextRows {
    bytes: Vec<u8>,
    /// The same instead, once it is known to be UTF-8.
    text: String,
    ends: Vec<usize>,
    /// The seq and the line of each.
    marks: Vec<(i64, u64)>,
    /// Those with quotes, without them.
    unquoted: Vec<(usize, Fields)>,
}

/// A record's fields, one behind the other.
#[derive(Debug, Default)]
struct Fields {
    text: String,
    ends: [usize; COLUMNS],
    count: usize,
}

impl TextRows {
    pub(super) fn push(&mut self, seq: i64, line: u64, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.ends.push(self.bytes.len());
        self.marks.push((seq, line));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A record's seq and line.
    pub(super) fn mark(&self, place: usize) -> (i64, u64) {
        self.marks.get(place).copied().unwrap_or_default()
    }

    fn range(&self, place: usize) -> Range<usize> {
        let start = place
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let end = self.ends.get(place).copied().unwrap_or_default();
        start.copied().unwrap_or_default()..end
    }

    /// A record as it stands.
    pub(super) fn record(&self, place: usize) -> &[u8] {
        let bytes = match self.text.as_bytes() {
            [] => &self.bytes,
            text => text,
        };
        bytes.get(self.range(place)).unwrap_or_default()
    }

    /// Makes every field ready to be lent: all is UTF-8, and quotes are taken off.
    pub(in crate::ledger) fn prepare(&mut self) {
        // If it is not, no row can be lent; each is read by itself then.
        match String::from_utf8(std::mem::take(&mut self.bytes)) {
            Ok(text) => self.text = text,
            Err(error) => self.bytes = error.into_bytes(),
        }
        let mut reader = Reader::new();
        for place in 0..self.len() {
            let record = self.record(place);
            if memchr::memchr(b'"', record).is_some() {
                let fields = Fields::of(record, &mut reader);
                self.unquoted.push((place, fields));
            }
        }
    }

    /// Whether every record has so many fields.
    pub(in crate::ledger) fn have(&self, columns: usize) -> bool {
        (0..self.len()).all(|place| match self.is_unquoted(place) {
            Some(fields) => fields.count == columns,
            None => memchr_iter(b',', self.record(place)).count() + 1 == columns,
        })
    }

    fn is_unquoted(&self, place: usize) -> Option<&Fields> {
        let found = self
            .unquoted
            .binary_search_by_key(&place, |(place, _)| *place);
        let (_, fields) = self.unquoted.get(found.ok()?)?;
        Some(fields)
    }

    /// The currency of a create entry's terms.
    pub(in crate::ledger) fn currency(&self, place: usize, places: &Places) -> Option<Currency> {
        let cells = self.cells(place)?;
        let detail = cells.get(places.get(9).copied().flatten()?).copied()?;
        let terms = Terms::from_detail(detail, None).ok()?;
        Some(terms.currency)
    }

    /// The fields of a record, and how many it has.
    fn cells(&self, place: usize) -> Option<Cells<'_>> {
        match self.is_unquoted(place) {
            Some(fields) => fields.cells(),
            None => split(self.text.get(self.range(place))?),
        }
    }

    /// An entry where it stands; none if a value cannot be read, the names aside.
    pub(in crate::ledger) fn borrowed(
        &self,
        place: usize,
        places: &Places,
        currency: Currency,
    ) -> Option<EntryRef<'_>> {
        let cells = self.cells(place)?;
        let cell = |column: usize| -> Option<&str> {
            // A hidden column has no place and reads as empty.
            match places.get(column)? {
                Some(place) => cells.get(*place).copied(),
                None => Some(""),
            }
        };
        let amount = |column| match cell(column)? {
            "" => Some(None),
            text => currency.parse(text).ok().map(Some),
        };
        let at = |column| -> Option<Micros> { instant(cell(column)?).ok() };
        let truth = |column| match cell(column)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let nonce = cell(7)?;
        let secret = match (amount(6)?, nonce.is_empty()) {
            (None, true) => None,
            (Some(amount), false) => {
                let nonce: Nonce = bytes(nonce)?;
                Some(Secret { amount, nonce })
            }
            _ => return None,
        };
        let commit: Digest = bytes(cell(8)?)?;
        Some(EntryRef {
            auction_id: AuctionId::new(whole(cell(0)?)?).ok()?,
            seq: whole(cell(1)?)?,
            kind: Kind::from_word(cell(2)?)?,
            at: at(3)?,
            request_id: RequestId::new(uuid::Uuid::try_parse(cell(4)?).ok()?),
            actor: cell(5)?,
            secret,
            commit: Some(commit),
            detail: cell(9)?,
            price: amount(10)?,
            leader: Some(cell(11)?).filter(|leader| !leader.is_empty()),
            end: at(12)?,
            reserve_met: truth(13)?,
            extended: truth(14)?,
            hash: bytes(cell(15)?)?,
        })
    }
}

type Cells<'r> = [&'r str; COLUMNS];

/// The fields of a record without quotes; none if there are too many.
fn split(record: &str) -> Option<Cells<'_>> {
    let mut cells: Cells<'_> = [""; COLUMNS];
    let mut start = 0;
    let ends = memchr_iter(b',', record.as_bytes()).chain([record.len()]);
    for (place, end) in ends.enumerate() {
        *cells.get_mut(place)? = record.get(start..end)?;
        start = end + 1;
    }
    Some(cells)
}

impl Fields {
    /// Without fields if it is not one record of so many at most, or not UTF-8.
    fn of(record: &[u8], reader: &mut Reader) -> Self {
        reader.reset();
        let mut bytes = vec![0; record.len() + 1];
        let mut ends = [0; COLUMNS];
        // A line end of its own tells the reader that the record is whole.
        let line = [record, b"\n"].concat();
        let (read, taken, written, count) = reader.read_record(&line, &mut bytes, &mut ends);
        bytes.truncate(written);
        match (read, String::from_utf8(bytes)) {
            (ReadRecordResult::Record, Ok(text)) if taken == line.len() => {
                Self { text, ends, count }
            }
            _ => Self::default(),
        }
    }

    fn cells(&self) -> Option<Cells<'_>> {
        let mut cells: Cells<'_> = [""; COLUMNS];
        let mut start = 0;
        for (cell, end) in cells.iter_mut().zip(self.ends).take(self.count) {
            *cell = self.text.get(start..end)?;
            start = end;
        }
        (self.count > 0).then_some(cells)
    }
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    faster_hex::hex_decode(text.as_bytes(), &mut bytes).ok()?;
    Some(bytes)
}
