//! A folder into a database: verified whole before anything is written.
//!
//! First the manifest and every check of a replay, then one transaction for all of it, which is
//! kept only if the bytes written are the bytes that were verified. A repeated import finds
//! everything unchanged.

use std::path::{Path, PathBuf};

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::manifest::Manifest;
use super::reader::{FolderReader, RawDossier, Stop};
use crate::ledger::AuditError;
use crate::ledger::replay::{ReplayOptions, Strictness, replay_of};
use crate::ledger::report::{ReplayProgress, count};
use crate::store::{Contract, Dossier, ImportItem, ImportReport, Scope, WriteMode};

/// Entries handed to the store at a time, unless a single auction has more.
const CHUNK_ENTRIES_MAX: usize = 10_000;
/// Auctions handed to the store at a time.
const CHUNK_AUCTIONS_MAX: usize = 2_000;

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

/// Imports a folder.
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
    let (report, sorted) = replay_of(folder, &manifest, &Scope::All, &replay, strict, told).await?;
    if report.damage() > 0 && !options.accept_findings {
        return Err(AuditError::Findings(Box::new(report)));
    }
    let pass = Pass {
        folder: folder.to_owned(),
        manifest,
        sorted,
        total: (report.auctions, report.entries),
    };
    let told = |done| progress(ImportPhase::Write, done);
    pass.run(store, options.mode, told).await
}

/// What the writing pass over the folder needs.
struct Pass {
    folder: PathBuf,
    manifest: Manifest,
    sorted: bool,
    total: (u64, u64),
}

impl Pass {
    async fn run<S: Contract>(
        self,
        store: &S,
        mode: WriteMode,
        progress: impl Fn(ReplayProgress),
    ) -> Result<ImportReport, AuditError> {
        let (from_folder, chunks) = mpsc::channel(1);
        let (to_store, incoming) = mpsc::channel(1);
        let (auctions_total, entries_total) = self.total;
        let mut tasks = JoinSet::new();
        tasks.spawn_blocking(move || {
            read_all(&self.folder, &self.manifest, self.sorted, &from_folder)
        });
        let fed = async {
            let done = ReplayProgress {
                auctions_total,
                entries_total,
                ..ReplayProgress::default()
            };
            feed(chunks, &to_store, done, progress).await;
            // Only a folder read to its end, and found unchanged, is kept.
            let read = match tasks.join_next().await {
                Some(read) => read?,
                None => Ok(()),
            };
            if read.is_ok() {
                // A store that has failed already says so itself.
                drop(to_store.send(ImportItem::End).await);
            }
            drop(to_store);
            read
        };
        let (written, read) = tokio::join!(store.dossiers_import(incoming, mode), fed);
        read?;
        Ok(written?)
    }
}

/// Hands the folder's chunks to the store until either is done.
async fn feed(
    mut chunks: mpsc::Receiver<Vec<Dossier>>,
    to_store: &mpsc::Sender<ImportItem>,
    mut done: ReplayProgress,
    progress: impl Fn(ReplayProgress),
) {
    while let Some(chunk) = chunks.recv().await {
        done.auctions += count(chunk.len());
        let entries = chunk.iter().map(|dossier| count(dossier.entries.len()));
        done.entries += entries.sum::<u64>();
        if to_store.send(ImportItem::Chunk(chunk)).await.is_err() {
            return;
        }
        progress(done);
    }
}

fn read_all(
    folder: &Path,
    manifest: &Manifest,
    sorted: bool,
    to_store: &mpsc::Sender<Vec<Dossier>>,
) -> Result<(), AuditError> {
    let (mut reader, layout) = FolderReader::open(folder, manifest, sorted).map_err(changed)?;
    let mut chunk = Vec::new();
    let mut entries = 0;
    while let Some(raw) = reader.next().map_err(changed)? {
        let more = raw.entries();
        let full = entries + more > CHUNK_ENTRIES_MAX || chunk.len() >= CHUNK_AUCTIONS_MAX;
        if full && !chunk.is_empty() && !send(to_store, &mut chunk) {
            return Ok(());
        }
        if chunk.is_empty() {
            entries = 0;
        }
        entries += more;
        chunk.push(whole(layout.strict(&raw)?, &raw)?);
    }
    if !chunk.is_empty() {
        send(to_store, &mut chunk);
    }
    // The bytes that were verified are the bytes that were written.
    match reader.compare(manifest)?.first() {
        None => Ok(()),
        Some(finding) => Err(AuditError::Manifest {
            path: folder.to_owned(),
            why: format!("the folder changed during the import: {finding}"),
        }),
    }
}

/// False if the store has failed and takes no more.
fn send(to_store: &mpsc::Sender<Vec<Dossier>>, chunk: &mut Vec<Dossier>) -> bool {
    to_store.blocking_send(std::mem::take(chunk)).is_ok()
}

fn whole(dossier: Dossier, raw: &RawDossier) -> Result<Dossier, AuditError> {
    if dossier.row.is_some() {
        return Ok(dossier);
    }
    Err(AuditError::File {
        file: "auctions.csv",
        why: format!("auction {} is not in it", raw.auction_id()),
    })
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
