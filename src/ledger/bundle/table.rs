//! One CSV file being read: its header, its rows in order of auction and seq, its sha256.
//!
//! Taken as they come: a byte-order mark, CRLF, trailing blank lines, columns in any order.
//! Refused: UTF-16, a column that is missing, unknown or doubled, a row of another length.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use csv::ByteRecord;
use sha2::{Digest as _, Sha256};

use super::columns::File;
use super::reader::Stop;
use crate::auction::AuctionId;
use crate::ledger::AuditError;

/// How rows are expected to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ledger) enum Order {
    /// In order, as exported: memory is bounded.
    Streamed,
    /// In any order: the file is loaded whole and sorted.
    Sorted,
}

/// A row with its place.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) auction_id: i64,
    /// Of a ledger row; 0 elsewhere, or if it cannot be read.
    pub(super) seq: i64,
    pub(super) line: u64,
    pub(super) record: ByteRecord,
}

/// Where each column of a file stands; those of a public folder's hidden ones are none.
pub(super) type Places = Vec<Option<usize>>;

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) rows: u64,
    pub(super) sha256: String,
}

/// A file being read.
pub(super) struct Table {
    file: File,
    path: PathBuf,
    places: Places,
    csv: csv::Reader<Hashing>,
    sorted: Option<std::vec::IntoIter<Row>>,
    last: (i64, i64),
    rows: u64,
}

impl Table {
    /// Opens a file and reads its header.
    pub(super) fn open(
        folder: &Path,
        file: File,
        public: bool,
        order: Order,
    ) -> Result<Self, AuditError> {
        Self::open_at(folder.join(file.name()), file, public, order)
    }

    /// The same, wherever the file is.
    pub(super) fn open_at(
        path: PathBuf,
        file: File,
        public: bool,
        order: Order,
    ) -> Result<Self, AuditError> {
        let failed = |error| AuditError::io("read", &path, error);
        let mut opened = match fs::File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(refuse(file, "the folder does not have this file"));
            }
            opened => opened.map_err(failed)?,
        };
        let mut first = Vec::with_capacity(2);
        opened
            .by_ref()
            .take(2)
            .read_to_end(&mut first)
            .map_err(failed)?;
        opened.seek(SeekFrom::Start(0)).map_err(failed)?;
        if matches!(first.as_slice(), [0xff, 0xfe] | [0xfe, 0xff]) {
            return Err(refuse(file, "is UTF-16; save it as UTF-8"));
        }
        if first.is_empty() {
            return Err(refuse(file, "is empty, without even a header"));
        }
        let mut csv = csv::ReaderBuilder::new()
            .buffer_capacity(256 * 1024)
            .from_reader(Hashing {
                file: opened,
                sha: Sha256::new(),
            });
        let header = csv
            .byte_headers()
            .map_err(|error| unreadable(file, &path, error))?;
        let places = places_of(file, header, public)?;
        let mut table = Self {
            file,
            path,
            places,
            csv,
            sorted: None,
            last: (0, 0),
            rows: 0,
        };
        if order == Order::Sorted {
            let mut rows = Vec::new();
            while let Some(row) = table.read_row()? {
                rows.push(row);
            }
            rows.sort_by_key(|row| (row.auction_id, row.seq));
            table.sorted = Some(rows.into_iter());
        }
        Ok(table)
    }

    /// Where the columns stand.
    pub(super) fn places(&self) -> Places {
        self.places.clone()
    }

    /// The next row in order.
    pub(super) fn next(&mut self) -> Result<Option<Row>, Stop> {
        if let Some(sorted) = &mut self.sorted {
            return Ok(sorted.next());
        }
        let Some(row) = self.read_row()? else {
            return Ok(None);
        };
        let place = (row.auction_id, row.seq);
        if row.seq == 0 && row.auction_id == self.last.0 {
            // A seq that cannot be read is in no order; it stands where it stands.
            return Ok(Some(row));
        }
        if place < self.last {
            return Err(Stop::Disorder);
        }
        self.last = place;
        Ok(Some(row))
    }

    fn read_row(&mut self) -> Result<Option<Row>, AuditError> {
        let mut record = ByteRecord::with_capacity(256, self.places.len());
        let more = self
            .csv
            .read_byte_record(&mut record)
            .map_err(|error| unreadable(self.file, &self.path, error))?;
        if !more {
            return Ok(None);
        }
        self.rows += 1;
        let line = record.position().map_or(0, csv::Position::line);
        let auction_id = field(&record, &self.places, 0);
        let Ok(auction_id) = auction_id.parse::<AuctionId>() else {
            return Err(AuditError::Value {
                file: self.file.name(),
                line,
                column: "auction_id",
                found: format!("{auction_id:?} is not an auction id"),
            });
        };
        let seq = match self.file {
            File::Ledger => whole(field(&record, &self.places, 1)).unwrap_or(0),
            File::Auctions | File::Outbox | File::Watchers => 0,
        };
        Ok(Some(Row {
            auction_id: auction_id.get(),
            seq,
            line,
            record,
        }))
    }

    /// What the file was, once all of it is read.
    pub(super) fn seen(mut self) -> Result<Seen, AuditError> {
        // A reader may have stopped at its last row; the hash is of every byte.
        let mut rest = Vec::new();
        let hashing = self.csv.get_mut();
        hashing
            .read_to_end(&mut rest)
            .map_err(|error| AuditError::io("read", &self.path, error))?;
        let sha = std::mem::take(&mut hashing.sha);
        Ok(Seen {
            rows: self.rows,
            sha256: hex::encode(sha.finalize()),
        })
    }
}

/// A field as text; what is not UTF-8 is no value of any column.
pub(super) fn field<'r>(record: &'r ByteRecord, places: &Places, column: usize) -> &'r str {
    let place = places.get(column).copied().flatten();
    let bytes = place.and_then(|place| record.get(place));
    bytes.map_or("", |bytes| std::str::from_utf8(bytes).unwrap_or("\u{fffd}"))
}

/// A whole number in digits.
pub(super) fn whole(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Where each column of a file stands, by its header.
pub(super) fn places_of(
    file: File,
    header: &ByteRecord,
    public: bool,
) -> Result<Places, AuditError> {
    let names: Vec<String> = header
        .iter()
        .map(|name| String::from_utf8_lossy(name).trim().to_owned())
        .collect();
    for (at, name) in names.iter().enumerate() {
        if names.iter().take(at).any(|earlier| earlier == name) {
            return Err(refuse(file, format!("the column {name} stands twice")));
        }
        if file.columns_of(public).all(|column| column.name != name) {
            return Err(refuse(file, format!("the column {name:?} is unknown")));
        }
    }
    let place = |name| names.iter().position(|known| known == name);
    let mut places = Places::new();
    for column in file.columns() {
        let place = place(column.name);
        if place.is_none() && !(public && column.hidden) {
            let why = format!("the column {} is missing", column.name);
            return Err(refuse(file, why));
        }
        places.push(place);
    }
    Ok(places)
}

fn refuse(file: File, why: impl Into<String>) -> AuditError {
    AuditError::File {
        file: file.name(),
        why: why.into(),
    }
}

fn unreadable(file: File, path: &Path, error: csv::Error) -> AuditError {
    let line = error.position().map_or(0, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(error) => AuditError::io("read", path, error),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => refuse(
            file,
            format!("line {line} has {len} fields, the header has {expected_len}"),
        ),
        other => refuse(file, format!("line {line} is not readable: {other:?}")),
    }
}

/// Hashes what goes through.
struct Hashing {
    file: fs::File,
    sha: Sha256,
}

impl Read for Hashing {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.sha.update(bytes.get(..read).unwrap_or_default());
        Ok(read)
    }
}
