//! Replays many auctions: a stream of dossiers, judged in parallel, reported in order.
//!
//! Memory is bounded by the largest single auction times the chunks in flight. The order of the
//! findings does not depend on which worker was first.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::audit::Moment;
use super::bundle::{FolderReader, Manifest, RawDossier, Stop};
use super::check_set::CheckSet;
use super::error::AuditError;
use super::finding::Finding;
use super::judging::{Judge, judge_all};
use super::report::{ReplayProgress, ReplayReport, Tally};
use crate::auction::{Micros, Span};
use crate::store::{Contract, Scope, Sheaf, StoredRows};

/// Chunks that wait between the reader and the workers.
const CHUNKS_WAITING_MAX: usize = 4;
/// A folder's chunk is full at this many entries or auctions.
const CHUNK_ENTRIES_MAX: usize = 4_096;
const CHUNK_AUCTIONS_MAX: usize = 1_024;

/// How a replay is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Auctions are judged by so many workers.
    pub threads: NonZeroUsize,
    /// So many findings are listed; all are counted.
    pub findings_listed_max: usize,
    /// How long past its end an auction may still be open; none: not at all.
    pub due_grace: Option<Span>,
    /// How long a closer's claim may last; none: that is not checked.
    pub claim_timeout: Option<Span>,
    /// What is checked.
    pub checks: CheckSet,
}

impl Default for ReplayOptions {
    /// All processors, a thousand findings, no grace, a minute for a claim, all checks.
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            findings_listed_max: 1_000,
            due_grace: None,
            claim_timeout: Span::new(60_000_000).ok(),
            checks: CheckSet::default(),
        }
    }
}

impl ReplayOptions {
    /// Judges by these options at an instant.
    pub(super) fn judge(&self, now: Micros, scope: &Scope) -> Judge {
        let moment = Moment {
            now,
            due_grace: self.due_grace,
            claim_timeout: self.claim_timeout,
        };
        Judge {
            moment,
            checks: self.checks,
            listed_max: self.findings_listed_max,
            with_ids: !scope.asked().is_empty(),
        }
    }
}

/// Replays the auctions in scope from one snapshot of a database; reading rights suffice.
pub async fn replay_store<S: Contract>(
    store: &S,
    scope: &Scope,
    options: &ReplayOptions,
    progress: impl Fn(ReplayProgress),
) -> Result<ReplayReport, AuditError> {
    // Read before the snapshot: what is due by it had its end before anything that is read.
    let now = store.now().await?;
    let (auctions_total, entries_total) = store.dossiers_count(scope).await?;
    let judge = options.judge(now, scope);
    let total = ReplayProgress {
        auctions_total,
        entries_total,
        ..ReplayProgress::default()
    };
    let (out, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let judging = judge_all(
        chunks,
        move |sheaf: Sheaf<StoredRows>| Ok(judge.sheaf(&sheaf)),
        options,
        total,
        &progress,
    );
    let (reading, tally) = tokio::join!(store.sheaves_read(scope, out), judging);
    reading?;
    Ok(tally?.into_report(now, false, options.checks, &scope.asked()))
}

/// Replays an exported folder, or some auctions of it. The manifest's counts and hashes are
/// checked over whole files in either case; what they say is a finding where no auction's finding
/// tells why.
pub async fn replay_folder(
    folder: &Path,
    scope: &Scope,
    options: &ReplayOptions,
    progress: impl Fn(ReplayProgress),
) -> Result<ReplayReport, AuditError> {
    let manifest = Manifest::read(folder)?;
    let strict = Strictness::Audit;
    let replayed = replay_of(folder, &manifest, scope, options, strict, progress).await?;
    Ok(replayed.0)
}

/// What a value that cannot be, or a file that is not the manifest's, leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// A finding.
    Audit,
    /// An error.
    Import,
}

/// Replays a folder; also tells whether its rows had to be sorted.
pub(super) async fn replay_of(
    folder: &Path,
    manifest: &Manifest,
    scope: &Scope,
    options: &ReplayOptions,
    strict: Strictness,
    progress: impl Fn(ReplayProgress),
) -> Result<(ReplayReport, bool), AuditError> {
    for sorted in [false, true] {
        let replay = folder_once(
            folder,
            manifest,
            scope,
            options,
            (strict, sorted),
            &progress,
        );
        match replay.await {
            Ok(report) => return Ok((report, sorted)),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Disorder) => {}
        }
    }
    // Sorted rows are in order.
    Err(AuditError::NotABundle(folder.to_owned()))
}

async fn folder_once(
    folder: &Path,
    manifest: &Manifest,
    scope: &Scope,
    options: &ReplayOptions,
    (strict, sorted): (Strictness, bool),
    progress: &impl Fn(ReplayProgress),
) -> Result<ReplayReport, Stop> {
    let (reader, layout) = FolderReader::open(folder, manifest, sorted)?;
    let layout = Arc::new(layout);
    let judge = options.judge(manifest.exported_at, scope);
    let total = ReplayProgress {
        auctions_total: manifest.rows("auctions.csv"),
        entries_total: manifest.rows("ledger.csv"),
        ..ReplayProgress::default()
    };
    let (out, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let mut readers = JoinSet::new();
    let (manifest_read, scope_read) = (manifest.clone(), scope.clone());
    readers.spawn_blocking(move || read_folder(reader, &manifest_read, &scope_read, &out));
    let prepare = move |raw: Vec<RawDossier>| judge.raw(&raw, &layout, strict);
    let tally = judge_all(chunks, prepare, options, total, progress).await?;
    let read = match readers.join_next().await {
        Some(read) => read.map_err(AuditError::from)??,
        None => Vec::new(),
    };
    if let (Strictness::Import, Some((_, finding))) = (strict, read.first()) {
        return Err(Stop::Failed(AuditError::Manifest {
            path: folder.to_owned(),
            why: finding.to_string(),
        }));
    }
    let mut all = Tally::default();
    for (file, finding) in read {
        if tally.tells_of(file) {
            all.consequence(finding);
        } else {
            all.add(vec![finding], &options.checks, options.findings_listed_max);
        }
    }
    all.merge(tally, options.findings_listed_max);
    let now = manifest.exported_at;
    Ok(all.into_report(now, true, options.checks, &scope.asked()))
}

/// Sends the auctions in scope; at the end compares the files with the manifest.
fn read_folder(
    mut reader: FolderReader,
    manifest: &Manifest,
    scope: &Scope,
    out: &mpsc::Sender<Vec<RawDossier>>,
) -> Result<Vec<(&'static str, Finding)>, Stop> {
    let named = scope.asked();
    let wanted = |id: i64| match scope {
        Scope::All => true,
        Scope::Range(ids) => (ids.first.get()..=ids.last.get()).contains(&id),
        Scope::Ids(_) | Scope::Selected(_) => named.is_empty() || named.contains(&id),
    };
    let mut chunk: Vec<RawDossier> = Vec::new();
    let mut entries = 0;
    while let Some(raw) = reader.next()? {
        if !wanted(raw.auction_id()) {
            continue;
        }
        entries += raw.entries();
        chunk.push(raw);
        if entries >= CHUNK_ENTRIES_MAX || chunk.len() >= CHUNK_AUCTIONS_MAX {
            entries = 0;
            if out.blocking_send(std::mem::take(&mut chunk)).is_err() {
                // The judge has failed and says why.
                return Ok(Vec::new());
            }
        }
    }
    if !chunk.is_empty() && out.blocking_send(chunk).is_err() {
        return Ok(Vec::new());
    }
    Ok(reader.compare(manifest)?)
}
