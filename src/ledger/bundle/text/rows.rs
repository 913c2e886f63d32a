//! Rows of a ledger of text, read where they stand.

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
    ends: Vec<usize>,
    /// The seq and the line of each.
    marks: Vec<(i64, u64)>,
    /// Those with quotes, without them.
    unquoted: Vec<(usize, Fields)>,
}

/// A record's fields, one behind the other.
#[derive(Debug, Default)]
struct Fields {
    bytes: Vec<u8>,
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

    /// A record as it stands.
    pub(super) fn record(&self, place: usize) -> &[u8] {
        let start = place
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let start = start.copied().unwrap_or_default();
        let end = self.ends.get(place).copied().unwrap_or_default();
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Takes the quotes off, so that every field can be lent.
    pub(in crate::ledger) fn unquote(&mut self) {
        let mut reader = Reader::new();
        for place in 0..self.len() {
            let record = self.record(place);
            if memchr::memchr(b'"', record).is_some() {
                let fields = Fields::of(record, &mut reader);
                self.unquoted.push((place, fields));
            }
        }
    }

    /// The currency of a create entry's terms.
    pub(in crate::ledger) fn currency(&self, place: usize, places: &Places) -> Option<Currency> {
        let detail = self
            .cells(place)?
            .get(places.get(9).copied().flatten()?)
            .copied()?;
        let terms = Terms::from_detail(std::str::from_utf8(detail).ok()?, None).ok()?;
        Some(terms.currency)
    }

    fn cells(&self, place: usize) -> Option<Cells<'_>> {
        let unquoted = self
            .unquoted
            .binary_search_by_key(&place, |(place, _)| *place);
        match unquoted.ok().and_then(|found| self.unquoted.get(found)) {
            Some((_, fields)) => fields.cells(),
            None => split(self.record(place)),
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
        let cell = |column: usize| -> Option<&[u8]> {
            // A hidden column has no place and reads as empty.
            match places.get(column)? {
                Some(place) => cells.get(*place).copied(),
                None => Some(&[]),
            }
        };
        let text = |column| std::str::from_utf8(cell(column)?).ok();
        let amount = |column| match text(column)? {
            "" => Some(None),
            text => currency.parse(text).ok().map(Some),
        };
        let at = |column| -> Option<Micros> { instant(text(column)?).ok() };
        let truth = |column| match cell(column)? {
            b"true" => Some(true),
            b"false" => Some(false),
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
            auction_id: AuctionId::new(whole(text(0)?)?).ok()?,
            seq: whole(text(1)?)?,
            kind: Kind::from_word(text(2)?)?,
            at: at(3)?,
            request_id: RequestId::new(uuid::Uuid::try_parse_ascii(cell(4)?).ok()?),
            actor: text(5)?,
            secret,
            commit: Some(commit),
            detail: text(9)?,
            price: amount(10)?,
            leader: Some(text(11)?).filter(|leader| !leader.is_empty()),
            end: at(12)?,
            reserve_met: truth(13)?,
            extended: truth(14)?,
            hash: bytes(cell(15)?)?,
        })
    }
}

type Cells<'r> = [&'r [u8]; COLUMNS];

/// The fields of a record without quotes; none if there are too many.
fn split(record: &[u8]) -> Option<Cells<'_>> {
    let mut cells: Cells<'_> = [&[]; COLUMNS];
    let mut start = 0;
    let mut count = 0;
    for end in memchr_iter(b',', record).chain([record.len()]) {
        *cells.get_mut(count)? = record.get(start..end)?;
        start = end + 1;
        count += 1;
    }
    Some(cells)
}

/// How many fields a record has, quotes respected.
pub(super) fn count(record: &[u8], reader: &mut Reader) -> usize {
    if memchr::memchr(b'"', record).is_none() {
        return memchr_iter(b',', record).count() + 1;
    }
    Fields::of(record, reader).count
}

impl Fields {
    /// Without fields if it is not one record of so many at most.
    fn of(record: &[u8], reader: &mut Reader) -> Self {
        reader.reset();
        let mut fields = Self {
            bytes: vec![0; record.len() + 1],
            ..Self::default()
        };
        // A line end of its own tells the reader that the record is whole.
        let line = [record, b"\n"].concat();
        let (read, taken, _, count) =
            reader.read_record(&line, &mut fields.bytes, &mut fields.ends);
        if read == ReadRecordResult::Record && taken == line.len() {
            fields.count = count;
        }
        fields
    }

    fn cells(&self) -> Option<Cells<'_>> {
        let mut cells: Cells<'_> = [&[]; COLUMNS];
        let mut start = 0;
        for (cell, end) in cells.iter_mut().zip(self.ends).take(self.count) {
            *cell = self.bytes.get(start..end)?;
            start = end;
        }
        (self.count > 0).then_some(cells)
    }
}

fn bytes<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    faster_hex::hex_decode(text, &mut bytes).ok()?;
    Some(bytes)
}
