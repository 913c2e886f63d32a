//! Row after row. An empty CSV cell is an absent field; a row without a request id gets one that
//! follows from the file's content and its line, so that the same file uploaded again, after an
//! interruption say, is done once. Where a row names what it makes, its own content is enough, and
//! so is a corrected file uploaded again. Request ids are public and the content holds maxima and
//! reserves, so the database's own key goes in: without it nobody can try amounts until one fits.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};

use super::file::{Form, Upload};
use super::json;
use super::layout::Layout;
use crate::cli::error::InputError;
use crate::cli::fields::{FieldError, Fields, Source};
use crate::output::units;

/// The longest row. A quote that is never closed makes one row of the rest of the file.
const ROW_BYTES_MAX: u64 = 1 << 20;
/// Rows that are held at a time have no more bytes than these and one row's.
const CHUNK_BYTES_MAX: u64 = 1 << 20;
/// How far a reader may be ahead of the row it gives.
const READ_AHEAD: usize = 1 << 16;

/// A row, or why it is none.
pub(crate) type Row = Result<Fields, FieldError>;

/// A pass over a file.
pub(crate) struct Rows<'f> {
    upload: &'f Upload,
    name: Arc<str>,
    source: Text<'f>,
    /// How many bytes may still be read for the row at hand.
    allowance: Arc<AtomicU64>,
    rows: u64,
    bytes: u64,
}

enum Text<'f> {
    Csv {
        reader: csv::Reader<Bounded<&'f File>>,
        columns: Vec<&'static str>,
        record: csv::StringRecord,
    },
    JsonLines {
        reader: BufReader<Bounded<&'f File>>,
        line: String,
        number: u64,
    },
}

impl<'f> Rows<'f> {
    /// From where the file stands now.
    pub(super) fn begin(upload: &'f Upload, file: &'f File) -> anyhow::Result<Self> {
        let allowance = Arc::new(AtomicU64::new(0));
        let bounded = Bounded {
            inner: file,
            allowance: allowance.clone(),
        };
        let source = match upload.form {
            Form::JsonLines => Text::JsonLines {
                reader: BufReader::with_capacity(READ_AHEAD, bounded),
                line: String::new(),
                number: 0,
            },
            Form::Csv => {
                allow(&allowance);
                let mut reader = csv::ReaderBuilder::new()
                    .flexible(true)
                    .buffer_capacity(READ_AHEAD)
                    .from_reader(bounded);
                let header = reader.headers().map_err(|error| {
                    InputError::new(format!("{}: {}", upload.name, told(&error)))
                })?;
                Text::Csv {
                    columns: upload.layout.of_header(&upload.name, header.iter())?,
                    reader,
                    record: csv::StringRecord::new(),
                }
            }
        };
        Ok(Self {
            upload,
            name: upload.name.as_str().into(),
            source,
            allowance,
            rows: 0,
            bytes: 0,
        })
    }

    /// Up to so many rows more, fewer where they are wide; none at the end.
    pub(crate) fn chunk(&mut self, rows_max: usize) -> anyhow::Result<Vec<Row>> {
        let mut rows = Vec::new();
        let begun = self.bytes;
        while rows.len() < rows_max && self.bytes - begun < CHUNK_BYTES_MAX {
            match self.next_row()? {
                Some(row) => rows.push(row),
                None => break,
            }
        }
        Ok(rows)
    }

    /// How many rows were read.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// How many bytes were read, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        let layout = self.upload.layout;
        allow(&self.allowance);
        let row = match &mut self.source {
            Text::Csv {
                reader,
                columns,
                record,
            } => loop {
                let line = reader.position().line();
                let read = reader.read_record(record);
                self.bytes = reader.position().byte();
                match read {
                    Ok(false) => return Ok(None),
                    Ok(true) => {}
                    Err(error) => {
                        let what = format!("{}:{line}: {}", self.name, told(&error));
                        return Err(InputError::new(what));
                    }
                }
                // What a spreadsheet writes for a blank line.
                if record.iter().any(|cell| !cell.is_empty()) {
                    let line = record.position().map_or(0, csv::Position::line);
                    break cells(layout, source(&self.name, line), columns, record);
                }
                allow(&self.allowance);
            },
            Text::JsonLines {
                reader,
                line,
                number,
            } => loop {
                line.clear();
                *number += 1;
                let read = reader
                    .read_line(line)
                    .map_err(|error| InputError::new(format!("{}:{number}: {error}", self.name)))?;
                if read == 0 {
                    return Ok(None);
                }
                self.bytes += u64::try_from(read).unwrap_or_default();
                let text = line.trim_end();
                if !text.trim().is_empty() {
                    let fields = layout.fields(source(&self.name, *number));
                    break json::read(fields, text, layout);
                }
                allow(&self.allowance);
            },
        };
        self.rows += 1;
        Ok(Some(row.map(|fields| self.identified(fields))))
    }

    fn identified(&self, mut fields: Fields) -> Fields {
        if fields.has("request_id") {
            return fields;
        }
        let named = self.upload.layout.name.is_some_and(|name| fields.has(name));
        let keyed = Sha256::new().chain_update(self.upload.key);
        let row = if named {
            keyed.chain_update(fields.digest())
        } else {
            let line = fields.line().unwrap_or_default();
            keyed
                .chain_update(self.upload.digest)
                .chain_update(line.to_be_bytes())
        };
        let row = row.finalize();
        let mut id = [0; 16];
        id.copy_from_slice(&row[..16]);
        let id = uuid::Builder::from_custom_bytes(id).into_uuid();
        fields.set("request_id", Some(id.to_string()));
        fields
    }
}

fn source(file: &Arc<str>, line: u64) -> Source {
    Source::Line {
        file: file.clone(),
        line,
    }
}

fn cells(
    layout: Layout,
    source: Source,
    columns: &[&'static str],
    record: &csv::StringRecord,
) -> Row {
    let mut fields = layout.fields(source);
    if record.len() != columns.len() {
        let cells = |number: usize| units::count(u64::try_from(number).unwrap_or(u64::MAX), "cell");
        let (row, header) = (cells(record.len()), columns.len());
        return Err(fields.unreadable(format!("the row has {row}, the header {header}")));
    }
    for (name, cell) in columns.iter().zip(record.iter()) {
        fields.set(name, (!cell.is_empty()).then_some(cell));
    }
    Ok(fields)
}

/// Without the crate's own words around a failed read.
fn told(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

fn allow(allowance: &AtomicU64) {
    allowance.store(ROW_BYTES_MAX, Ordering::Relaxed);
}

/// Fails where a single row asks for too much.
struct Bounded<R> {
    inner: R,
    allowance: Arc<AtomicU64>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.load(Ordering::Relaxed);
        if left == 0 {
            return Err(io::Error::other(
                "a row is longer than 1 MiB: is a quote left open?",
            ));
        }
        let read = self.inner.read(buffer)?;
        let taken = u64::try_from(read).unwrap_or(left);
        self.allowance
            .store(left.saturating_sub(taken), Ordering::Relaxed);
        Ok(read)
    }
}
