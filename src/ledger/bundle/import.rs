//! A folder into a database: verified whole before anything is written, and then written in one
//! transaction, so that it happens entirely or not at all.
//!
//! The transaction is only kept if the files that were written are, byte for byte, the ones that
//! were verified.

use std::path::Path;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::columns::{File, Form};
use super::manifest::Manifest;
use super::parquet::ParquetFolder;
use super::reader::{FolderReader, RawDossier, Stop};
use crate::ledger::replay::ReplayOptions;
use crate::ledger::replay_folder::{Strictness, replay_folder, replay_of};
use crate::ledger::report::{ReplayProgress, count};
use crate::ledger::{AuditError, Finding};
use crate::store::{Contract, Dossier, ImportItem, ImportReport, Scope, WriteMode};

/// Entries and auctions that are handed over at once; a larger auction is handed over alone.
const CHUNK_ENTRIES_MAX: usize = 4_096;
const CHUNK_AUCTIONS_MAX: usize = 512;
/// Chunks that may wait for the database.
const CHUNKS_WAITING_MAX: usize = 2;

/// How an import is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Kept or only rehearsed.
    pub mode: WriteMode,
    /// Import a history that does not replay clean. Values that cannot be are never imported.
    pub accept_findings: bool,
}

/// What an import is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportPhase {
    /// Replaying the folder.
    Verify,
    /// Writing.
    Write,
}

/// Imports a folder. What is due or claimed in it is no reason to refuse: that is work to do, not
/// damage.
pub async fn import<S: Contract>(
    store: &S,
    folder: &Path,
    options: ImportOptions,
    progress: impl Fn(ImportPhase, ReplayProgress),
) -> Result<ImportReport, AuditError> {
    let manifest = Manifest::read(folder)?;
    if manifest.public {
        return Err(AuditError::PublicImport);
    }
    let replay = ReplayOptions::default();
    let told = |done| progress(ImportPhase::Verify, done);
    let strict = Strictness::Import;
    let (report, sorted) = match manifest.form() {
        Form::Csv => replay_of(folder, &manifest, &Scope::All, &replay, strict, told).await?,
        Form::Parquet => {
            let report = replay_folder(folder, &Scope::All, &replay, told).await?;
            (report, false)
        }
    };
    if report.damage() > 0 && !options.accept_findings {
        return Err(AuditError::Findings(Box::new(report)));
    }
    let (to_store, items) = mpsc::channel(CHUNKS_WAITING_MAX);
    let (from_reader, mut chunks) = mpsc::channel::<Vec<Dossier>>(CHUNKS_WAITING_MAX);
    let mut tasks = JoinSet::new();
    let folder_read = folder.to_owned();
    tasks.spawn_blocking(move || read_all(&folder_read, &manifest, sorted, &from_reader));
    let mut done = ReplayProgress {
        auctions_total: report.auctions,
        entries_total: report.entries,
        ..ReplayProgress::default()
    };
    let pass_on = async {
        while let Some(chunk) = chunks.recv().await {
            let entries = chunk.iter().map(|dossier| count(dossier.entries.len()));
            done.entries += entries.sum::<u64>();
            done.auctions += count(chunk.len());
            // A store that takes no more has failed: its error is told below.
            if to_store.send(ImportItem::Chunk(chunk)).await.is_err() {
                break;
            }
            progress(ImportPhase::Write, done);
        }
        chunks.close();
        let read = tasks.join_next().await.transpose()?.transpose()?;
        if read == Some(Verified::Whole) {
            to_store.send(ImportItem::End).await.ok();
        }
        drop(to_store);
        Ok::<(), AuditError>(())
    };
    let (imported, read) = tokio::join!(store.dossiers_import(items, options.mode), pass_on);
    read?;
    Ok(imported?)
}

/// What was handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verified {
    /// Every auction, from the files that the manifest is of.
    Whole,
    /// Not all: the store took no more.
    Part,
}

fn read_all(
    folder: &Path,
    manifest: &Manifest,
    sorted: bool,
    out: &mpsc::Sender<Vec<Dossier>>,
) -> Result<Verified, AuditError> {
    match manifest.form() {
        Form::Csv => read_text(folder, manifest, sorted, out),
        Form::Parquet => read_typed(folder, manifest, out),
    }
}

fn read_typed(
    folder: &Path,
    manifest: &Manifest,
    out: &mpsc::Sender<Vec<Dossier>>,
) -> Result<Verified, AuditError> {
    let mut reader = ParquetFolder::open(folder, manifest)?;
    while let Some(sheaf) = reader.next()? {
        let chunk = sheaf.open().into_dossiers();
        for dossier in &chunk {
            if let Some(damage) = dossier.damage.first() {
                return Err(AuditError::Damaged(damage.clone()));
            }
            if dossier.row.is_none() {
                return Err(without_row(Form::Parquet, dossier.auction_id));
            }
        }
        if out.blocking_send(chunk).is_err() {
            return Ok(Verified::Part);
        }
    }
    let mut differs = reader.compare(manifest);
    differs.extend(ParquetFolder::compare_bytes(folder, manifest)?);
    verified(folder, differs.first().map(|(_, finding)| finding))
}

fn verified(folder: &Path, differs: Option<&Finding>) -> Result<Verified, AuditError> {
    match differs {
        None => Ok(Verified::Whole),
        Some(finding) => Err(AuditError::Manifest {
            path: folder.to_owned(),
            why: format!("the folder changed during the import: {finding}"),
        }),
    }
}

fn without_row(form: Form, auction_id: i64) -> AuditError {
    AuditError::File {
        file: File::Auctions.name_in(form),
        why: format!("auction {auction_id} is not in it"),
    }
}

fn read_text(
    folder: &Path,
    manifest: &Manifest,
    sorted: bool,
    out: &mpsc::Sender<Vec<Dossier>>,
) -> Result<Verified, AuditError> {
    let (mut reader, layout) = FolderReader::open(folder, manifest, sorted).map_err(changed)?;
    let mut chunk = Vec::new();
    let mut entries = 0;
    while let Some(raw) = reader.next().map_err(changed)? {
        entries += raw.entries();
        chunk.push(with_row(layout.strict(&raw)?, &raw)?);
        if entries >= CHUNK_ENTRIES_MAX || chunk.len() >= CHUNK_AUCTIONS_MAX {
            entries = 0;
            if out.blocking_send(std::mem::take(&mut chunk)).is_err() {
                return Ok(Verified::Part);
            }
        }
    }
    if !chunk.is_empty() && out.blocking_send(chunk).is_err() {
        return Ok(Verified::Part);
    }
    let differs = reader.compare(manifest)?;
    verified(folder, differs.first().map(|(_, finding)| finding))
}

fn with_row(dossier: Dossier, raw: &RawDossier) -> Result<Dossier, AuditError> {
    if dossier.row.is_some() {
        return Ok(dossier);
    }
    Err(without_row(Form::Csv, raw.auction_id()))
}

fn changed(stop: Stop) -> AuditError {
    match stop {
        Stop::Failed(error) => error,
        Stop::Disorder => AuditError::File {
            file: "auctions.csv",
            why: "the folder changed during the import".to_owned(),
        },
    }
}
