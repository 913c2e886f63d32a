//! A folder of Parquet files read as a stream of whole auctions: a merge join over its files,
//! each in order. Memory is bounded by the largest single auction and a batch of each file.

use std::fs;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{Field, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use sha2::{Digest as _, Sha256};

use super::cells::{Batch, Cells};
use super::rows::{TypedRows, auction, event, watcher};
use super::schema::read_as;
use crate::ledger::bundle::columns::{File, Form};
use crate::ledger::bundle::manifest::Manifest;
use crate::ledger::bundle::reader::differs;
use crate::ledger::bundle::table::Seen;
use crate::ledger::{AuditError, Finding};
use crate::store::{DossierPage, Sheaf};

/// Rows that are decoded together.
const BATCH_ROWS: usize = 4_096;
/// A sheaf is full at this many entries or auctions.
const ENTRIES_MAX: usize = 8_192;
const AUCTIONS_MAX: usize = 1_024;

/// A folder being read.
pub(in crate::ledger) struct ParquetFolder {
    public: bool,
    tables: Vec<Table>,
}

impl ParquetFolder {
    /// Opens the files that the manifest names.
    pub(in crate::ledger) fn open(folder: &Path, manifest: &Manifest) -> Result<Self, AuditError> {
        let public = manifest.public;
        let table = |file: File| {
            let path = folder.join(file.name_in(Form::Parquet));
            Table::open(&path, file, public)
        };
        Ok(Self {
            public,
            tables: File::of(public).map(table).collect::<Result<_, _>>()?,
        })
    }

    /// The auctions by themselves, without their ledgers.
    pub(in crate::ledger) fn open_auctions(
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<Self, AuditError> {
        let path = folder.join(File::Auctions.name_in(Form::Parquet));
        Ok(Self {
            public: manifest.public,
            tables: vec![Table::open(&path, File::Auctions, manifest.public)?],
        })
    }

    /// A ledger by itself; one without maxima is a public one.
    pub(in crate::ledger) fn open_ledger(path: &Path) -> Result<Self, AuditError> {
        let (public, table) = match Table::open(path, File::Ledger, false) {
            Ok(table) => (false, table),
            Err(error) => match Table::open(path, File::Ledger, true) {
                Ok(table) => (true, table),
                Err(_) => return Err(error),
            },
        };
        let tables = vec![table];
        Ok(Self { public, tables })
    }

    /// Maxima and reserves are left out.
    pub(in crate::ledger) fn is_public(&self) -> bool {
        self.public
    }

    /// The next auctions that any file has; none after the last.
    pub(in crate::ledger) fn next(&mut self) -> Result<Option<TypedSheaf>, AuditError> {
        let mut rows = TypedRows::default();
        let mut starts = Vec::new();
        let mut others = Vec::new();
        while rows.len() < ENTRIES_MAX && starts.len() < AUCTIONS_MAX {
            let Some(auction_id) = self.tables.iter().filter_map(|table| table.ahead).min() else {
                break;
            };
            starts.push((auction_id, rows.len()));
            for table in &mut self.tables {
                while table.ahead == Some(auction_id) {
                    let (start, length) = table.run()?;
                    match table.file {
                        File::Ledger => rows.push(&table.batch, start, length),
                        file => {
                            let batch = Arc::clone(&table.batch);
                            others.push((auction_id, file, batch, start..start + length));
                        }
                    }
                    table.advance(start + length)?;
                }
            }
        }
        let public = self.public;
        Ok((!starts.is_empty()).then_some(TypedSheaf {
            public,
            rows,
            starts,
            others,
        }))
    }

    /// Compares the rows, read to their end, with the manifest: each file that differs.
    pub(in crate::ledger) fn compare(self, manifest: &Manifest) -> Vec<(&'static str, Finding)> {
        let found = self.tables.into_iter().filter_map(|table| {
            let name = table.file.name_in(Form::Parquet);
            let seen = Seen {
                rows: table.rows,
                sha256: manifest.file(name)?.sha256.clone(),
            };
            Some((table.file.name(), differs(name, &seen, manifest)?))
        });
        found.collect()
    }

    /// Compares the bytes of the files with the manifest.
    pub(in crate::ledger) fn compare_bytes(
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<Vec<(&'static str, Finding)>, AuditError> {
        let mut findings = Vec::new();
        for file in File::of(manifest.public) {
            let name = file.name_in(Form::Parquet);
            let Some(entry) = manifest.file(name) else {
                continue;
            };
            let seen = Seen {
                rows: entry.rows,
                sha256: sha256(&folder.join(name))?,
            };
            let finding = differs(name, &seen, manifest);
            findings.extend(finding.map(|finding| (file.name(), finding)));
        }
        Ok(findings)
    }
}

/// Rows of some auctions, not looked at yet.
pub(in crate::ledger) struct TypedSheaf {
    public: bool,
    rows: TypedRows,
    /// The auctions, and where their ledger rows begin.
    starts: Vec<(i64, usize)>,
    others: Vec<(i64, File, Arc<Batch>, Range<usize>)>,
}

impl TypedSheaf {
    /// The auctions with what the other files have of them.
    pub(in crate::ledger) fn open(self) -> Sheaf<TypedRows> {
        let mut page = DossierPage::new(!self.public);
        for (auction_id, _) in &self.starts {
            page.add(*auction_id);
        }
        for (auction_id, file, batch, rows) in self.others {
            put(&mut page, file, &batch, rows, auction_id);
        }
        let starts = self.starts.iter().map(|(_, start)| *start);
        let total = self.rows.len();
        Sheaf::gathered(page, starts, self.rows, total)
    }
}

/// Of a file's bytes, in hexadecimal.
pub(in crate::ledger) fn sha256(path: &Path) -> Result<String, AuditError> {
    let failed = |error| AuditError::io("read", path, error);
    let mut file = fs::File::open(path).map_err(failed)?;
    let mut sha = Sha256::new();
    let mut bytes = vec![0; 256 * 1024];
    loop {
        let read = file.read(&mut bytes).map_err(failed)?;
        if read == 0 {
            return Ok(hex::encode(sha.finalize()));
        }
        sha.update(bytes.get(..read).unwrap_or_default());
    }
}

fn put(page: &mut DossierPage, file: File, batch: &Batch, rows: Range<usize>, auction_id: i64) {
    for row in rows {
        let read = match file {
            File::Auctions => auction(batch, row, auction_id).map(|row| page.add_auction(row)),
            File::Outbox => event(batch, row, auction_id).map(|row| page.add_event(row)),
            File::Watchers => {
                watcher(batch, row, auction_id).map(|watcher| page.add_watcher(auction_id, watcher))
            }
            File::Ledger => Ok(()),
        };
        if let Err(damage) = read {
            page.add_damage(damage);
        }
    }
}

/// A file being read.
struct Table {
    file: File,
    path: PathBuf,
    /// Where each of the file's columns stands among those read; none if hidden.
    places: Vec<Option<usize>>,
    reader: ParquetRecordBatchReader,
    batch: Arc<Batch>,
    /// The row of the batch that is not given yet, and its auction; none after the last.
    next: usize,
    ahead: Option<i64>,
    last: (i64, i64),
    rows: u64,
}

impl Table {
    fn open(path: &Path, file: File, public: bool) -> Result<Self, AuditError> {
        let opened = match fs::File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(refuse(file, "the folder does not have this file"));
            }
            opened => opened.map_err(|error| AuditError::io("read", path, error))?,
        };
        let unreadable = |error: &dyn std::fmt::Display| {
            refuse(
                file,
                format!("is not a Parquet file that can be read: {error}"),
            )
        };
        let stored = ArrowReaderMetadata::load(&opened, ArrowReaderOptions::default())
            .map_err(|error| unreadable(&error))?;
        let (schema, places) = read_schema(file, public, stored.schema())?;
        let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
        let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(opened, options)
            .and_then(|builder| builder.with_batch_size(BATCH_ROWS).build())
            .map_err(|error| unreadable(&error))?;
        let mut table = Self {
            file,
            path: path.to_owned(),
            places,
            reader,
            batch: Arc::new(Batch {
                columns: Vec::new(),
                rows: 0,
            }),
            next: 0,
            ahead: None,
            last: (0, 0),
            rows: 0,
        };
        table.advance(0)?;
        Ok(table)
    }

    /// Goes to a row of the batch, or to the first of the next one.
    fn advance(&mut self, to: usize) -> Result<(), AuditError> {
        self.next = to;
        while self.next >= self.batch.rows {
            let Some(read) = self.reader.next() else {
                self.ahead = None;
                return Ok(());
            };
            let read = read
                .map_err(|error| refuse(self.file, format!("row {} on: {error}", self.rows + 1)))?;
            let cells = |place: &Option<usize>| match place {
                Some(place) => Cells::of(read.column(*place)),
                None => Cells::Hidden,
            };
            self.batch = Arc::new(Batch {
                columns: self.places.iter().map(cells).collect(),
                rows: read.num_rows(),
            });
            self.rows += u64::try_from(read.num_rows()).unwrap_or_default();
            self.next = 0;
        }
        let auction_id = self.batch.whole(0, self.next).filter(|id| *id > 0);
        let auction_id =
            auction_id.ok_or_else(|| self.bad_row("auction_id is not an auction id"))?;
        if auction_id < self.last.0 {
            return Err(self.disorder());
        }
        if auction_id > self.last.0 {
            self.last = (auction_id, 0);
        }
        self.ahead = Some(auction_id);
        Ok(())
    }

    /// The rows of the auction ahead in this batch.
    fn run(&mut self) -> Result<(usize, usize), AuditError> {
        let start = self.next;
        let mut end = start;
        while end < self.batch.rows && self.batch.whole(0, end) == self.ahead {
            if self.file == File::Ledger {
                let seq = self.batch.whole(1, end).unwrap_or_default();
                if seq < self.last.1 {
                    return Err(self.disorder());
                }
                self.last.1 = seq;
            }
            end += 1;
        }
        Ok((start, end - start))
    }

    fn disorder(&self) -> AuditError {
        let why = "its rows are out of order: write them ordered by auction_id and seq";
        refuse(self.file, format!("{}: {why}", self.path.display()))
    }

    fn bad_row(&self, why: &str) -> AuditError {
        let before = self.batch.rows - self.next;
        let row = self.rows + 1 - u64::try_from(before).unwrap_or_default();
        refuse(self.file, format!("row {row}: {why}"))
    }
}

/// The types that the columns are read as, and where each column of the file stands.
fn read_schema(
    file: File,
    public: bool,
    stored: &Schema,
) -> Result<(Schema, Vec<Option<usize>>), AuditError> {
    let mut fields = Vec::with_capacity(stored.fields().len());
    for (place, field) in stored.fields().iter().enumerate() {
        let name = field.name();
        let known = file.columns_of(public).find(|column| column.name == name);
        let known = known.ok_or_else(|| refuse(file, format!("the column {name:?} is unknown")))?;
        if stored
            .fields()
            .iter()
            .take(place)
            .any(|other| other.name() == name)
        {
            return Err(refuse(file, format!("the column {name} stands twice")));
        }
        let as_type = read_as(known.kind, field.data_type()).ok_or_else(|| {
            let (wants, has) = (known.kind, field.data_type());
            refuse(file, format!("the column {name} is {has}, not {wants:?}"))
        })?;
        fields.push(Field::new(name, as_type, field.is_nullable()));
    }
    let mut places = Vec::new();
    for column in file.columns() {
        let place = fields.iter().position(|field| field.name() == column.name);
        if place.is_none() && !(public && column.hidden) {
            return Err(refuse(
                file,
                format!("the column {} is missing", column.name),
            ));
        }
        places.push(place);
    }
    let schema = Schema::new_with_metadata(fields, stored.metadata().clone());
    Ok((schema, places))
}

fn refuse(file: File, why: impl Into<String>) -> AuditError {
    AuditError::File {
        file: file.name_in(Form::Parquet),
        why: why.into(),
    }
}
