//! Auctions one after the other, out of a database or a folder, for reports that need each once.
//!
//! Memory is bounded by the largest single auction times the chunks in flight. Auctions come by id,
//! each once, whole; what cannot be read of one is in its damage.

use std::path::Path;

use tokio::sync::mpsc;

use super::bundle::{FolderReader, Form, Layout, Manifest, ParquetFolder, RawDossier, Stop};
use super::error::AuditError;
use crate::store::{Conditions, Contract, Dossier, Scope};

const CHUNKS_WAITING_MAX: usize = 4;
/// A folder's chunk is full at this many auctions or entries.
const CHUNK_AUCTIONS_MAX: usize = 256;
const CHUNK_ENTRIES_MAX: usize = 4_096;

/// Where auctions are read from.
#[derive(Debug)]
pub enum Origin<'a, S> {
    /// One snapshot of a database.
    Store(&'a S),
    /// An exported folder.
    Folder(&'a Path),
}

/// Hands each auction in scope to `take`, in the order of their ids; an error of `take` ends it.
/// Returns the ids that were asked for and are not there.
pub async fn each<S: Contract, E: From<AuditError>>(
    origin: Origin<'_, S>,
    scope: &Scope,
    mut take: impl FnMut(&Dossier) -> Result<(), E>,
) -> Result<Vec<i64>, E> {
    let (out, mut chunks) = mpsc::channel::<Vec<Dossier>>(CHUNKS_WAITING_MAX);
    let mut missing = scope.asked();
    let taking = async move {
        while let Some(chunk) = chunks.recv().await {
            for dossier in &chunk {
                missing.remove(&dossier.auction_id);
                take(dossier)?;
            }
        }
        Ok::<_, E>(missing)
    };
    let reading = async {
        match origin {
            Origin::Store(store) => Ok(store.dossiers_read(scope, out).await?),
            Origin::Folder(folder) => {
                let (folder, scope) = (folder.to_owned(), scope.clone());
                let read = move || read_folder(&folder, &scope, &out);
                tokio::task::spawn_blocking(read).await?
            }
        }
    };
    tokio::pin!(taking);
    tokio::pin!(reading);
    // Whoever takes may stop; then nothing is read to its end.
    let (missing, read): (_, Result<(), AuditError>) = tokio::select! {
        taken = &mut taking => (taken?, reading.await),
        read = &mut reading => (taking.await?, read),
    };
    read?;
    Ok(missing.into_iter().collect())
}

/// Gathers auctions to chunks and hands those on.
struct Chunks<'a> {
    wanted: Conditions,
    out: &'a mpsc::Sender<Vec<Dossier>>,
    chunk: Vec<Dossier>,
    entries: usize,
}

impl Chunks<'_> {
    /// False where nobody takes any more.
    fn put(&mut self, dossier: Dossier) -> bool {
        if !self.wanted.hold(dossier.auction_id, dossier.row.as_ref()) {
            return true;
        }
        self.entries += dossier.entries.len();
        self.chunk.push(dossier);
        if self.chunk.len() < CHUNK_AUCTIONS_MAX && self.entries < CHUNK_ENTRIES_MAX {
            return true;
        }
        self.hand_on()
    }

    fn hand_on(&mut self) -> bool {
        self.entries = 0;
        let chunk = std::mem::take(&mut self.chunk);
        chunk.is_empty() || self.out.blocking_send(chunk).is_ok()
    }
}

fn read_folder(
    folder: &Path,
    scope: &Scope,
    out: &mpsc::Sender<Vec<Dossier>>,
) -> Result<(), AuditError> {
    let manifest = Manifest::read(folder)?;
    let mut chunks = Chunks {
        wanted: scope.conditions(),
        out,
        chunk: Vec::new(),
        entries: 0,
    };
    match manifest.form() {
        Form::Csv => read_csv(folder, &manifest, &mut chunks)?,
        Form::Parquet => read_parquet(folder, &manifest, &mut chunks)?,
    }
    // Nobody takes any more: then nobody misses the rest.
    chunks.hand_on();
    Ok(())
}

fn read_parquet(
    folder: &Path,
    manifest: &Manifest,
    chunks: &mut Chunks<'_>,
) -> Result<(), AuditError> {
    let mut reader = ParquetFolder::open(folder, manifest)?;
    while let Some(sheaf) = reader.next()? {
        for dossier in sheaf.open().into_dossiers() {
            if !chunks.put(dossier) {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn read_csv(folder: &Path, manifest: &Manifest, chunks: &mut Chunks<'_>) -> Result<(), AuditError> {
    // What was handed on cannot be taken back, so the order is found out first.
    let in_order = match pass(folder, manifest, false, &mut |_| true) {
        Err(Stop::Disorder) => false,
        passed => {
            settled(folder, passed)?;
            true
        }
    };
    let mut put = |read: Read<'_>| {
        let unwanted = !chunks.wanted.may_hold(read.raw.auction_id());
        unwanted || chunks.put(read.layout.lenient(read.raw))
    };
    settled(folder, pass(folder, manifest, !in_order, &mut put))
}

/// An auction's rows, and what reads them.
struct Read<'a> {
    raw: &'a RawDossier,
    layout: &'a Layout,
}

/// Reads a folder once, as long as `take` wants more.
fn pass(
    folder: &Path,
    manifest: &Manifest,
    sorted: bool,
    take: &mut dyn FnMut(Read<'_>) -> bool,
) -> Result<(), Stop> {
    let (mut reader, layout) = FolderReader::open(folder, manifest, sorted)?;
    while let Some(raw) = reader.next()? {
        let (raw, layout) = (&raw, &layout);
        if !take(Read { raw, layout }) {
            break;
        }
    }
    Ok(())
}

fn settled(folder: &Path, passed: Result<(), Stop>) -> Result<(), AuditError> {
    match passed {
        Ok(()) => Ok(()),
        Err(Stop::Failed(error)) => Err(error),
        // Sorted rows are in order.
        Err(Stop::Disorder) => Err(AuditError::NotABundle(folder.to_owned())),
    }
}
