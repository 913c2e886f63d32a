//! A folder of text as a stream of whole auctions, the ledger's rows unread.

use std::io::Read;
use std::ops::Range;
use std::path::Path;

use csv::ByteRecord;

use super::records::Records;
use super::rows::TextRows;
use crate::auction::AuctionId;
use crate::ledger::bundle::columns::File;
use crate::ledger::bundle::manifest::Manifest;
use crate::ledger::bundle::parse::Layout;
use crate::ledger::bundle::reader::{FolderReader, RawDossier, Stop, differs};
use crate::ledger::bundle::table::{Places, Seen, places_of, whole};
use crate::ledger::{AuditError, Finding};

/// A sheaf is full at this many entries or auctions.
const ENTRIES_MAX: usize = 8_192;
const AUCTIONS_MAX: usize = 1_024;

/// Auctions whose ledger rows were not read yet.
#[derive(Debug, Default)]
pub(in crate::ledger) struct TextSheaf {
    /// How many fields each row must have.
    columns: usize,
    pub(in crate::ledger) rows: TextRows,
    /// By id: what the other files have of each, and where its ledger rows stand.
    pub(in crate::ledger) auctions: Vec<(RawDossier, Range<usize>)>,
}

impl TextSheaf {
    /// Makes the rows ready to be read. False: they are not rows as exports write them, and the
    /// general reader must say what they are.
    pub(in crate::ledger) fn prepare(&mut self) -> bool {
        self.rows.prepare();
        self.rows.have(self.columns)
    }

    /// One auction with its ledger rows, as the general reader gives it.
    pub(in crate::ledger) fn whole(&self, raw: &RawDossier, rows: Range<usize>) -> RawDossier {
        let mut raw = raw.clone();
        for place in rows {
            let (seq, line) = self.rows.mark(place);
            let record = self.rows.record(place);
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .from_reader(record);
            let mut fields = ByteRecord::new();
            // Its fields were counted, so it is a record.
            reader.read_byte_record(&mut fields).ok();
            raw.push_entry(line, fields, seq);
        }
        raw
    }
}

/// A folder being read.
pub(in crate::ledger) struct TextFolder {
    ledger: Records,
    places: Places,
    columns: usize,
    /// The ledger's next row: its auction, seq, line and place; none after the last.
    ahead: Option<(i64, i64, u64, Range<usize>)>,
    last: (i64, i64),
    rows: u64,
    others: FolderReader,
}

impl TextFolder {
    /// Opens the files that the manifest names.
    pub(in crate::ledger) fn open(
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<(Self, Layout), Stop> {
        let (others, layout) = FolderReader::open_without_ledger(folder, manifest)?;
        let mut ledger = Records::open(folder.join(File::Ledger.name()))?;
        let header = header(&mut ledger)?;
        Self::begin(ledger, &header, manifest.public, others, layout)
    }

    /// A ledger by itself; tells whether it is a public one.
    pub(in crate::ledger) fn open_ledger(
        source: Box<dyn Read + Send>,
        path: &Path,
    ) -> Result<(Self, Layout), Stop> {
        let mut ledger = Records::of(source, path.to_owned())?;
        let header = header(&mut ledger)?;
        let public = header.iter().all(|name| name != b"secret");
        let layout = Layout::empty(public);
        Self::begin(ledger, &header, public, FolderReader::empty(), layout)
    }

    fn begin(
        ledger: Records,
        header: &ByteRecord,
        public: bool,
        others: FolderReader,
        mut layout: Layout,
    ) -> Result<(Self, Layout), Stop> {
        // What is wrong with a header is said by the general reader.
        let places = places_of(File::Ledger, header, public);
        layout.ledger = places.map_err(|_| Stop::Disorder)?;
        let mut reader = Self {
            ledger,
            places: layout.ledger.clone(),
            columns: header.len(),
            ahead: None,
            last: (0, 0),
            rows: 0,
            others,
        };
        reader.advance()?;
        Ok((reader, layout))
    }

    /// The next auctions that any file has; none after the last.
    pub(in crate::ledger) fn next(&mut self) -> Result<Option<TextSheaf>, Stop> {
        let mut sheaf = TextSheaf {
            columns: self.columns,
            ..TextSheaf::default()
        };
        while sheaf.rows.len() < ENTRIES_MAX && sheaf.auctions.len() < AUCTIONS_MAX {
            let of_ledger = self.ahead.as_ref().map(|(id, ..)| *id);
            let ids = of_ledger.into_iter().chain(self.others.ahead());
            let Some(auction_id) = ids.min() else { break };
            let start = sheaf.rows.len();
            while let Some((_, seq, line, record)) =
                self.ahead.take_if(|(id, ..)| *id == auction_id)
            {
                sheaf.rows.push(seq, line, self.ledger.bytes(record));
                self.advance()?;
            }
            let raw = self.others.of(auction_id)?;
            sheaf.auctions.push((raw, start..sheaf.rows.len()));
        }
        Ok((!sheaf.auctions.is_empty()).then_some(sheaf))
    }

    fn advance(&mut self) -> Result<(), Stop> {
        let Some((line, record)) = self.ledger.next()? else {
            self.ahead = None;
            return Ok(());
        };
        let bytes = self.ledger.bytes(record.clone());
        let place = (
            number(bytes, &self.places, 0),
            number(bytes, &self.places, 1),
        );
        let (Some(auction_id), Some(seq)) = place else {
            return Err(Stop::Disorder);
        };
        if AuctionId::new(auction_id).is_err() || (auction_id, seq) < self.last {
            return Err(Stop::Disorder);
        }
        self.last = (auction_id, seq);
        self.rows += 1;
        self.ahead = Some((auction_id, seq, line, record));
        Ok(())
    }

    /// Compares the files, read to their end, with the manifest: each that differs, by its name.
    pub(in crate::ledger) fn compare(
        self,
        manifest: &Manifest,
    ) -> Result<Vec<(&'static str, Finding)>, AuditError> {
        let seen = Seen {
            rows: self.rows,
            sha256: self.ledger.sha256(),
        };
        let name = File::Ledger.name();
        let mut findings: Vec<_> = differs(name, &seen, manifest)
            .map(|finding| (name, finding))
            .into_iter()
            .collect();
        findings.extend(self.others.compare(manifest)?);
        Ok(findings)
    }
}

fn header(ledger: &mut Records) -> Result<ByteRecord, Stop> {
    let Some((_, header)) = ledger.next()? else {
        return Err(Stop::Disorder);
    };
    let names = String::from_utf8_lossy(ledger.bytes(header)).into_owned();
    Ok(names
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect())
}

/// A column that is a number without quotes.
fn number(record: &[u8], places: &Places, column: usize) -> Option<i64> {
    let place = places.get(column).copied().flatten()?;
    let mut start = 0;
    for _ in 0..place {
        // Commas in quotes stand in no file that has its columns in the exported order.
        start += memchr::memchr(b',', record.get(start..)?)? + 1;
    }
    let rest = record.get(start..)?;
    let end = memchr::memchr(b',', rest).unwrap_or(rest.len());
    whole(std::str::from_utf8(rest.get(..end)?).ok()?)
}
