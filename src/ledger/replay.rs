//! Replays many auctions: a stream of dossiers, judged in parallel, reported in order.
//!
//! Memory is bounded by the largest single auction times the chunks in flight. The order of the
//! findings does not depend on which worker was first.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::audit::{Moment, audit};
use super::bundle::{FolderReader, Layout, Manifest, RawDossier, Stop};
use super::error::AuditError;
use super::finding::Finding;
use super::report::{ReplayProgress, ReplayReport, Tally, count};
use crate::auction::{Micros, Span};
use crate::store::{Contract, Dossier, Scope};

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
}

impl Default for ReplayOptions {
    /// All processors, a thousand findings, no grace, a minute for a claim.
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            findings_listed_max: 1_000,
            due_grace: None,
            claim_timeout: Span::new(60_000_000).ok(),
        }
    }
}

impl ReplayOptions {
    fn moment(&self, now: Micros) -> Moment {
        Moment {
            now,
            due_grace: self.due_grace,
            claim_timeout: self.claim_timeout,
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
    let judge = Judge {
        moment: options.moment(now),
        listed_max: options.findings_listed_max,
        with_ids: matches!(scope, Scope::Ids(_)),
    };
    let total = ReplayProgress {
        auctions_total,
        entries_total,
        ..ReplayProgress::default()
    };
    let (out, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let judging = judge_all(
        chunks,
        move |chunk: Vec<Dossier>| Ok(judge.chunk(&chunk)),
        options,
        total,
        &progress,
    );
    let (reading, tally) = tokio::join!(store.dossiers_read(scope, out), judging);
    reading?;
    Ok(tally?.into_report(now, false, asked(scope)))
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
    let judge = Judge {
        moment: options.moment(manifest.exported_at),
        listed_max: options.findings_listed_max,
        with_ids: matches!(scope, Scope::Ids(_)),
    };
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
            all.add(vec![finding], options.findings_listed_max);
        }
    }
    all.merge(tally, options.findings_listed_max);
    Ok(all.into_report(manifest.exported_at, true, asked(scope)))
}

fn asked(scope: &Scope) -> &[crate::auction::AuctionId] {
    match scope {
        Scope::All | Scope::Range(_) => &[],
        Scope::Ids(ids) => ids,
    }
}

/// Sends the auctions in scope; at the end compares the files with the manifest.
fn read_folder(
    mut reader: FolderReader,
    manifest: &Manifest,
    scope: &Scope,
    out: &mpsc::Sender<Vec<RawDossier>>,
) -> Result<Vec<(&'static str, Finding)>, Stop> {
    let named: BTreeSet<i64> = asked(scope).iter().map(|id| id.get()).collect();
    let wanted = |id: i64| match scope {
        Scope::All => true,
        Scope::Ids(_) => named.contains(&id),
        Scope::Range(ids) => (ids.first.get()..=ids.last.get()).contains(&id),
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

/// What a worker needs to judge a chunk.
#[derive(Debug, Clone, Copy)]
struct Judge {
    moment: Moment,
    listed_max: usize,
    /// Ids are asked for one by one, so those met are told.
    with_ids: bool,
}

impl Judge {
    fn chunk(self, chunk: &[Dossier]) -> Tally {
        let mut tally = Tally::default();
        for dossier in chunk {
            self.one(dossier, &mut tally);
        }
        tally
    }

    fn raw(
        self,
        chunk: &[RawDossier],
        layout: &Layout,
        strict: Strictness,
    ) -> Result<Tally, AuditError> {
        let mut tally = Tally::default();
        for raw in chunk {
            let dossier = match strict {
                Strictness::Audit => layout.lenient(raw),
                Strictness::Import => layout.strict(raw)?,
            };
            self.one(&dossier, &mut tally);
        }
        Ok(tally)
    }

    fn one(self, dossier: &Dossier, tally: &mut Tally) {
        let findings = audit(dossier, &self.moment);
        tally.auctions += 1;
        tally.entries += count(dossier.entries.len());
        tally.auctions_with_findings += u64::from(!findings.is_empty());
        tally.hidden |= !dossier.secrets_visible;
        if self.with_ids {
            tally.ids.push(dossier.auction_id);
        }
        tally.add(findings, self.listed_max);
    }
}

/// Gives chunks to workers and puts their tallies together in the order of the chunks.
async fn judge_all<C: Send + 'static>(
    mut chunks: mpsc::Receiver<C>,
    judge: impl Fn(C) -> Result<Tally, AuditError> + Clone + Send + 'static,
    options: &ReplayOptions,
    mut done: ReplayProgress,
    progress: &impl Fn(ReplayProgress),
) -> Result<Tally, AuditError> {
    let mut workers = JoinSet::new();
    let mut open = true;
    let mut sent = 0_u64;
    let mut merged = 0_u64;
    let mut waiting: BTreeMap<u64, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    loop {
        tokio::select! {
            chunk = chunks.recv(), if open && workers.len() < options.threads.get() => {
                let Some(chunk) = chunk else {
                    open = false;
                    continue;
                };
                let (judge, place) = (judge.clone(), sent);
                sent += 1;
                workers.spawn_blocking(move || judge(chunk).map(|tally| (place, tally)));
            }
            Some(judged) = workers.join_next(), if !workers.is_empty() => {
                let (place, tally) = judged??;
                done.auctions += tally.auctions;
                done.entries += tally.entries;
                done.findings += tally.findings;
                waiting.insert(place, tally);
                while let Some(next) = waiting.remove(&merged) {
                    merged += 1;
                    all.merge(next, options.findings_listed_max);
                }
                progress(done);
            }
            else => return Ok(all),
        }
    }
}
