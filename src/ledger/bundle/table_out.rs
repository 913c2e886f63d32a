//! One file of a folder being written: rows of values in, bytes with their sha256 out.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::columns::{File, Form};
use super::manifest::FileEntry;
use super::parquet::ParquetOut;
use super::values::Value;
use crate::auction::Currency;
use crate::ledger::AuditError;

/// A file being written.
pub(super) struct TableOut {
    pub(super) file: File,
    form: Form,
    path: PathBuf,
    writer: Writer,
    rows: u64,
}

enum Writer {
    Text(Box<TextOut>),
    Typed(Box<ParquetOut>),
}

impl TableOut {
    /// Begins the file; without `out` it is only made up.
    pub(super) fn create(
        folder: &Path,
        file: File,
        form: Form,
        public: bool,
        out: Option<NamedTempFile>,
    ) -> Result<Self, AuditError> {
        let inner = Hashing {
            file: out,
            sha: Sha256::new(),
        };
        let path = folder.join(file.name_in(form));
        let failed = |error| AuditError::io("write", &path, error);
        let writer = match form {
            Form::Csv => Writer::Text(Box::new(
                TextOut::create(file, public, inner).map_err(failed)?,
            )),
            Form::Parquet => Writer::Typed(Box::new(
                ParquetOut::create(file, public, inner).map_err(failed)?,
            )),
        };
        Ok(Self {
            file,
            form,
            path,
            writer,
            rows: 0,
        })
    }

    /// Adds a row; `currency` is that of its amounts.
    pub(super) fn put(
        &mut self,
        values: &[Value<'_>],
        currency: Currency,
    ) -> Result<(), AuditError> {
        self.rows += 1;
        let put = match &mut self.writer {
            Writer::Text(out) => out.put(values, currency),
            Writer::Typed(out) => out.put(values),
        };
        put.map_err(|error| AuditError::io("write", &self.path, error))
    }

    /// Ends the file and makes it durable.
    pub(super) fn finish(self) -> Result<(FileEntry, Option<NamedTempFile>), AuditError> {
        let path = self.path;
        let failed = |error| AuditError::io("write", &path, error);
        let inner = match self.writer {
            Writer::Text(out) => out.finish(),
            Writer::Typed(out) => out.finish(),
        };
        let inner = inner.map_err(failed)?;
        if let Some(file) = &inner.file {
            file.as_file().sync_all().map_err(failed)?;
        }
        let entry = FileEntry {
            name: self.file.name_in(self.form).to_owned(),
            rows: self.rows,
            sha256: hex::encode(inner.sha.finalize()),
        };
        Ok((entry, inner.file))
    }
}

/// Rows of text; a public folder's hidden columns are passed over here, so that no caller can
/// forget to.
struct TextOut {
    kept: Vec<bool>,
    text: String,
    ends: Vec<usize>,
    csv: csv::Writer<Hashing>,
}

impl TextOut {
    fn create(file: File, public: bool, inner: Hashing) -> io::Result<Self> {
        let columns = file.columns().iter();
        let mut csv = csv::WriterBuilder::new()
            .buffer_capacity(256 * 1024)
            .from_writer(inner);
        csv.write_record(file.columns_of(public).map(|column| column.name))?;
        Ok(Self {
            kept: columns.map(|column| !(public && column.hidden)).collect(),
            text: String::with_capacity(512),
            ends: Vec::with_capacity(40),
            csv,
        })
    }

    fn put(&mut self, values: &[Value<'_>], currency: Currency) -> io::Result<()> {
        self.text.clear();
        self.ends.clear();
        for (value, kept) in values.iter().zip(&self.kept) {
            if *kept {
                write(&mut self.text, value, currency);
                self.ends.push(self.text.len());
            }
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let fields = starts
            .zip(self.ends.iter().copied())
            .map(|(start, end)| self.text.get(start..end).unwrap_or_default());
        Ok(self.csv.write_record(fields)?)
    }

    fn finish(self) -> io::Result<Hashing> {
        let inner = self.csv.into_inner();
        inner.map_err(|error| io::Error::from(error.error().kind()))
    }
}

fn write(text: &mut String, value: &Value<'_>, currency: Currency) {
    match value {
        Value::Whole(Some(number)) => put(text, number),
        Value::Amount(Some(amount)) => text.push_str(&currency.format(*amount)),
        Value::Instant(Some(instant)) => put(text, instant),
        Value::Text(Some(value)) => text.push_str(value),
        Value::Bytes(Some(bytes)) => text.push_str(&hex::encode(bytes)),
        Value::Request(id) => put(text, id),
        Value::Truth(truth) => put(text, truth),
        Value::Rungs(steps) => {
            // `from:step from:step …` in major units.
            for (place, rung) in steps.rungs().iter().enumerate() {
                let space = if place == 0 { "" } else { " " };
                let (from, step) = (currency.format(rung.0), currency.format(rung.1));
                put(text, &format_args!("{space}{from}:{step}"));
            }
        }
        Value::Whole(None)
        | Value::Amount(None)
        | Value::Instant(None)
        | Value::Text(None)
        | Value::Bytes(None) => {}
    }
}

fn put(text: &mut String, value: &dyn std::fmt::Display) {
    // Writing to a String cannot fail.
    let _ = write!(text, "{value}");
}

/// Hashes what goes through, into a file or nowhere.
pub(super) struct Hashing {
    file: Option<NamedTempFile>,
    sha: Sha256,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.file {
            Some(file) => file.write(bytes)?,
            None => bytes.len(),
        };
        self.sha.update(bytes.get(..written).unwrap_or(bytes));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}
