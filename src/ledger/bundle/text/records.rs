//! The records of a file: where each begins and ends, and the sha256 of all bytes.

use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::PathBuf;

use memchr::memchr3;
use sha2::{Digest as _, Sha256};

use crate::ledger::AuditError;
use crate::ledger::bundle::reader::Stop;

/// Bytes that are read at once.
const BLOCK_BYTES: usize = 1 << 20;
/// No row is longer: a quote that is never closed must not take the whole file into memory.
const RECORD_BYTES_MAX: usize = 16 << 20;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file being cut into records.
pub(super) struct Records {
    source: Box<dyn Read + Send>,
    path: PathBuf,
    sha: Sha256,
    buffer: Vec<u8>,
    /// The next record begins here.
    start: usize,
    /// Up to here there is no end of it.
    scanned: usize,
    in_quotes: bool,
    ended: bool,
    line: u64,
}

impl Records {
    pub(super) fn open(path: PathBuf) -> Result<Self, Stop> {
        // What is missing is said by the general reader.
        let file = fs::File::open(&path).map_err(|_| Stop::Disorder)?;
        Self::of(Box::new(file), path)
    }

    /// Of anything that can be read; `path` is what errors call it.
    pub(super) fn of(source: Box<dyn Read + Send>, path: PathBuf) -> Result<Self, Stop> {
        let mut records = Self {
            source,
            path,
            sha: Sha256::new(),
            buffer: Vec::with_capacity(2 * BLOCK_BYTES),
            start: 0,
            scanned: 0,
            in_quotes: false,
            ended: false,
            line: 1,
        };
        records.fill()?;
        if records.buffer.starts_with(BYTE_ORDER_MARK) {
            (records.start, records.scanned) = (BYTE_ORDER_MARK.len(), BYTE_ORDER_MARK.len());
        }
        Ok(records)
    }

    /// The next record that is not blank: its line, and where it stands until the next call.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Range<usize>)>, Stop> {
        let mut line = self.line;
        loop {
            let rest = self.buffer.get(self.scanned..).unwrap_or_default();
            let Some(found) = memchr3(b'"', b'\n', b'\r', rest) else {
                self.scanned = self.buffer.len();
                if !self.ended {
                    self.fill()?;
                    continue;
                }
                let last = self.start..self.buffer.len();
                self.start = self.buffer.len();
                return match (last.is_empty(), self.in_quotes) {
                    (true, _) => Ok(None),
                    (false, true) => Err(Stop::Disorder),
                    (false, false) => Ok(Some((line, last))),
                };
            };
            let end = self.scanned + found;
            self.scanned = end + 1;
            match rest.get(found) {
                Some(b'"') => self.in_quotes = !self.in_quotes,
                byte => {
                    self.line += u64::from(byte == Some(&b'\n'));
                    if self.in_quotes {
                        continue;
                    }
                    let record = self.start..end;
                    self.start = end + 1;
                    if !record.is_empty() {
                        return Ok(Some((line, record)));
                    }
                    line = self.line;
                }
            }
        }
    }

    /// The bytes of the record that was found last.
    pub(super) fn bytes(&self, record: Range<usize>) -> &[u8] {
        self.buffer.get(record).unwrap_or_default()
    }

    /// Reads more, behind what is not done with.
    fn fill(&mut self) -> Result<(), Stop> {
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        if self.buffer.len() > RECORD_BYTES_MAX {
            return Err(Stop::Disorder);
        }
        let before = self.buffer.len();
        let block = u64::try_from(BLOCK_BYTES).unwrap_or(u64::MAX);
        let mut source = self.source.by_ref().take(block);
        let read = source
            .read_to_end(&mut self.buffer)
            .map_err(|error| AuditError::io("read", &self.path, error))?;
        self.sha
            .update(self.buffer.get(before..).unwrap_or_default());
        self.ended = read == 0;
        Ok(())
    }

    /// The hash of the file, once all of it is read.
    pub(super) fn sha256(self) -> String {
        hex::encode(self.sha.finalize())
    }
}
