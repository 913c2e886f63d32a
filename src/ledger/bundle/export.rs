//! Auctions from a database into a folder.

use std::path::{Path, PathBuf};

use serde::Serialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::columns::Form;
use super::writer::{BundleOptions, BundleWriter};
use crate::ledger::report::{ReplayProgress, count};
use crate::ledger::{AuditError, bundle::Manifest};
use crate::store::{Contract, Dossier, Scope, WriteMode};

/// Chunks that may wait for the disk.
const CHUNKS_WAITING_MAX: usize = 2;

/// What is exported, and whether over an older export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// Without maxima, reserves, nonces and watchers; the chain still verifies.
    pub public: bool,
    /// How the tables are written.
    pub form: Form,
    /// Replace an export that the folder holds.
    pub overwrite: bool,
    /// Kept, or only rehearsed: everything is read and no file is touched.
    pub mode: WriteMode,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportReport {
    /// The folder.
    pub folder: PathBuf,
    /// Auctions written.
    pub auctions: u64,
    /// Ledger entries written.
    pub entries: u64,
    /// The manifest, with the rows and the sha256 of each file.
    pub manifest: Manifest,
}

/// Exports the auctions in scope, from one snapshot.
pub async fn export<S: Contract>(
    store: &S,
    scope: &Scope,
    folder: &Path,
    options: ExportOptions,
    progress: impl Fn(ReplayProgress),
) -> Result<ExportReport, AuditError> {
    let installation = store.installation().await?;
    let exported_at = store.now().await?;
    let (auctions_total, entries_total) = store.dossiers_count(scope).await?;
    let bundle = BundleOptions {
        public: options.public,
        form: options.form,
        overwrite: options.overwrite,
        installation,
        exported_at,
    };
    let writer = match options.mode {
        WriteMode::Commit => BundleWriter::create(folder, bundle)?,
        WriteMode::Rehearse => BundleWriter::rehearse(folder, bundle)?,
    };
    let (to_writer, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let (from_store, mut read) = mpsc::channel::<Vec<Dossier>>(CHUNKS_WAITING_MAX);
    let mut tasks = JoinSet::new();
    tasks.spawn_blocking(move || write_all(writer, chunks));
    let mut done = ReplayProgress {
        auctions_total,
        entries_total,
        ..ReplayProgress::default()
    };
    let pass_on = async {
        while let Some(chunk) = read.recv().await {
            done.auctions += count(chunk.len());
            done.entries += entries(&chunk);
            // A writer that is gone has failed: its error is told below.
            if to_writer.send(Feed::Chunk(chunk)).await.is_err() {
                break;
            }
            progress(done);
        }
        // Reading ends early when nobody takes what is read.
        read.close();
    };
    let (reading, ()) = tokio::join!(store.dossiers_read(scope, from_store), pass_on);
    if reading.is_ok() {
        // Only this makes an export of it; without it the writer leaves nothing behind.
        to_writer.send(Feed::End).await.ok();
    }
    drop(to_writer);
    let written = tasks.join_next().await.transpose()?.transpose()?.flatten();
    reading?;
    let manifest = written.ok_or_else(|| AuditError::NotABundle(folder.to_owned()))?;
    Ok(ExportReport {
        folder: folder.to_owned(),
        auctions: done.auctions,
        entries: done.entries,
        manifest,
    })
}

/// What the writer is given.
enum Feed {
    Chunk(Vec<Dossier>),
    End,
}

/// Writes until the end is told; none if it never is.
fn write_all(
    mut writer: BundleWriter,
    mut feed: mpsc::Receiver<Feed>,
) -> Result<Option<Manifest>, AuditError> {
    loop {
        match feed.blocking_recv() {
            None => return Ok(None),
            Some(Feed::End) => return writer.finish().map(Some),
            Some(Feed::Chunk(chunk)) => {
                for dossier in &chunk {
                    writer.append(dossier)?;
                }
            }
        }
    }
}

fn entries(chunk: &[Dossier]) -> u64 {
    chunk
        .iter()
        .map(|dossier| count(dossier.entries.len()))
        .sum()
}
