//! A folder read as a stream of whole auctions: a merge join over its files, each in order.
//!
//! Memory is bounded by the largest single auction. Rows out of order stop the stream; the caller
//! then begins again with the files loaded and sorted, which takes as much memory as they have
//! bytes, some times over.

use std::path::Path;

use super::columns::File;
use super::manifest::Manifest;
use super::parse::Layout;
use super::table::{Order, Row, Seen, Table};
use crate::ledger::{AuditError, Check, Finding};

/// Why a stream ended before its end.
#[derive(Debug)]
pub(in crate::ledger) enum Stop {
    /// Rows are out of order.
    Disorder,
    /// It cannot be read.
    Failed(AuditError),
}

impl From<AuditError> for Stop {
    fn from(error: AuditError) -> Self {
        Self::Failed(error)
    }
}

/// All rows of one auction, not parsed yet.
#[derive(Debug, Default, Clone)]
pub(in crate::ledger) struct RawDossier {
    pub(super) auction_id: i64,
    pub(super) auctions: Vec<Row>,
    pub(super) ledger: Vec<Row>,
    pub(super) outbox: Vec<Row>,
    pub(super) watchers: Vec<Row>,
}

impl RawDossier {
    /// The rows of its ledger.
    pub(in crate::ledger) fn entries(&self) -> usize {
        self.ledger.len()
    }

    /// Adds a row of its ledger.
    pub(super) fn push_entry(&mut self, line: u64, record: csv::ByteRecord, seq: i64) {
        self.ledger.push(Row {
            auction_id: self.auction_id,
            seq,
            line,
            record,
        });
    }

    /// The id of its auction.
    pub(in crate::ledger) fn auction_id(&self) -> i64 {
        self.auction_id
    }

    fn rows_mut(&mut self, file: File) -> &mut Vec<Row> {
        match file {
            File::Auctions => &mut self.auctions,
            File::Ledger => &mut self.ledger,
            File::Outbox => &mut self.outbox,
            File::Watchers => &mut self.watchers,
        }
    }
}

/// A folder being read.
pub(in crate::ledger) struct FolderReader {
    sources: Vec<Source>,
}

struct Source {
    file: File,
    table: Table,
    /// The row that is read and not given yet.
    ahead: Option<Row>,
}

impl FolderReader {
    /// Opens the files that the manifest names.
    pub(in crate::ledger) fn open(
        folder: &Path,
        manifest: &Manifest,
        sorted: bool,
    ) -> Result<(Self, Layout), Stop> {
        let order = if sorted {
            Order::Sorted
        } else {
            Order::Streamed
        };
        Self::open_files(folder, manifest, order, File::of(manifest.public))
    }

    /// Nothing to read.
    pub(super) fn empty() -> Self {
        let sources = Vec::new();
        Self { sources }
    }

    /// A ledger by itself, in any order of its rows.
    pub(in crate::ledger) fn open_ledger(
        path: &Path,
        public: bool,
    ) -> Result<(Self, Layout), Stop> {
        let mut table = Table::open_at(path.to_owned(), File::Ledger, public, Order::Sorted)?;
        let ahead = table.next()?;
        let mut layout = Layout::empty(public);
        layout.ledger = table.places();
        let file = File::Ledger;
        let sources = vec![Source { file, table, ahead }];
        Ok((Self { sources }, layout))
    }

    /// All files but the ledger, which somebody else reads.
    pub(super) fn open_without_ledger(
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<(Self, Layout), Stop> {
        let files = File::of(manifest.public).filter(|file| *file != File::Ledger);
        Self::open_files(folder, manifest, Order::Streamed, files)
    }

    fn open_files(
        folder: &Path,
        manifest: &Manifest,
        order: Order,
        files: impl Iterator<Item = File>,
    ) -> Result<(Self, Layout), Stop> {
        let mut sources = Vec::new();
        for file in files {
            let mut table = Table::open(folder, file, manifest.public, order)?;
            let ahead = table.next()?;
            sources.push(Source { file, table, ahead });
        }
        let places = |file| {
            let source = sources.iter().find(|source| source.file == file);
            source
                .map(|source| source.table.places())
                .unwrap_or_default()
        };
        let layout = Layout {
            public: manifest.public,
            auctions: places(File::Auctions),
            ledger: places(File::Ledger),
            outbox: places(File::Outbox),
            watchers: places(File::Watchers),
        };
        Ok((Self { sources }, layout))
    }

    /// The rows of the next auction that any file has.
    pub(in crate::ledger) fn next(&mut self) -> Result<Option<RawDossier>, Stop> {
        match self.ahead() {
            Some(auction_id) => self.of(auction_id).map(Some),
            None => Ok(None),
        }
    }

    /// The next auction that any file has.
    pub(super) fn ahead(&self) -> Option<i64> {
        let heads = self
            .sources
            .iter()
            .filter_map(|source| source.ahead.as_ref());
        heads.map(|row| row.auction_id).min()
    }

    /// The rows of an auction that no file has passed.
    pub(super) fn of(&mut self, auction_id: i64) -> Result<RawDossier, Stop> {
        let mut raw = RawDossier {
            auction_id,
            ..RawDossier::default()
        };
        for source in &mut self.sources {
            let rows = raw.rows_mut(source.file);
            while let Some(row) = source.ahead.take_if(|row| row.auction_id == auction_id) {
                rows.push(row);
                source.ahead = source.table.next()?;
            }
        }
        Ok(raw)
    }

    /// Compares the files, read to their end, with the manifest: each that differs, by its name.
    pub(in crate::ledger) fn compare(
        self,
        manifest: &Manifest,
    ) -> Result<Vec<(&'static str, Finding)>, AuditError> {
        let mut findings = Vec::new();
        for source in self.sources {
            let name = source.file.name();
            let seen = source.table.seen()?;
            let differs = differs(name, &seen, manifest);
            findings.extend(differs.map(|finding| (name, finding)));
        }
        Ok(findings)
    }
}

/// One finding for a file: other rows make another hash as well.
pub(super) fn differs(name: &'static str, seen: &Seen, manifest: &Manifest) -> Option<Finding> {
    let entry = manifest.file(name)?;
    let (check, expected, found) = if entry.rows != seen.rows {
        let told = |rows| format!("{name} with {rows} rows");
        (Check::ManifestRows, told(entry.rows), told(seen.rows))
    } else if entry.sha256 != seen.sha256 {
        let told = |sha: &str| format!("{name} with sha256 {sha}");
        let check = Check::ManifestSha256;
        (check, told(&entry.sha256), told(&seen.sha256))
    } else {
        return None;
    };
    Some(Finding {
        auction_id: None,
        seq: None,
        check,
        expected,
        found,
    })
}
