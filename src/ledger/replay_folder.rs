//! Replays a folder of files, or some auctions of it.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::bundle::{
    FolderReader, Form, Layout, Manifest, ParquetFolder, RawDossier, Stop, TextFolder, TextSheaf,
    TypedSheaf,
};
use super::error::AuditError;
use super::finding::{Check, Finding};
use super::judging::{Judge, judge_all};
use super::replay::{CHUNKS_WAITING_MAX, ReplayOptions};
use super::report::{ReplayProgress, ReplayReport, Tally};
use crate::store::Scope;

/// A folder's chunk is full at this many entries or auctions.
const CHUNK_ENTRIES_MAX: usize = 4_096;
const CHUNK_AUCTIONS_MAX: usize = 1_024;

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
    match manifest.form() {
        Form::Csv => {
            let judge = options.judge(manifest.exported_at, scope);
            let text = match TextFolder::open(folder, &manifest) {
                Ok(opened) => {
                    replay_text(opened, &manifest, scope, options, judge, &progress).await
                }
                Err(stop) => Err(stop),
            };
            match text {
                Err(Stop::Disorder) => {}
                Err(Stop::Failed(error)) => return Err(error),
                Ok(report) => return Ok(report),
            }
            let strict = Strictness::Audit;
            let replayed = replay_of(folder, &manifest, scope, options, strict, progress).await?;
            Ok(replayed.0)
        }
        Form::Parquet => {
            let judge = options.judge(manifest.exported_at, scope);
            let reader = ParquetFolder::open(folder, &manifest)?;
            replay_typed(reader, (folder, &manifest), scope, options, judge, progress).await
        }
    }
}

/// The same on text as exports write it.
pub(super) async fn replay_text(
    (mut reader, layout): (TextFolder, Layout),
    manifest: &Manifest,
    scope: &Scope,
    options: &ReplayOptions,
    judge: Judge,
    progress: &impl Fn(ReplayProgress),
) -> Result<ReplayReport, Stop> {
    let (out, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let mut readers = JoinSet::new();
    let manifest_read = manifest.clone();
    readers.spawn_blocking(move || {
        while let Some(sheaf) = reader.next()? {
            if out.blocking_send(sheaf).is_err() {
                return Ok(Vec::new());
            }
        }
        Ok(reader.compare(&manifest_read)?)
    });
    let shared = Arc::new((layout, scope.conditions()));
    let prepare = move |mut sheaf: TextSheaf| {
        if !sheaf.prepare() {
            return Ok(Tally::disordered());
        }
        let (layout, wanted) = shared.as_ref();
        Ok(judge.text(&sheaf, layout, wanted))
    };
    let tally = judge_all(chunks, prepare, options, total(manifest), progress).await?;
    let read: Result<_, Stop> = match readers.join_next().await {
        Some(read) => read.map_err(AuditError::from)?,
        None => Ok(Vec::new()),
    };
    if tally.is_disordered() {
        return Err(Stop::Disorder);
    }
    Ok(report(read?, tally, manifest, scope, judge))
}

/// The same on Parquet files.
pub(super) async fn replay_typed(
    mut reader: ParquetFolder,
    (folder, manifest): (&Path, &Manifest),
    scope: &Scope,
    options: &ReplayOptions,
    judge: Judge,
    progress: impl Fn(ReplayProgress),
) -> Result<ReplayReport, AuditError> {
    let (out, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let mut readers = JoinSet::new();
    let (manifest_read, wanted) = (manifest.clone(), Arc::new(scope.conditions()));
    readers.spawn_blocking(move || {
        while let Some(sheaf) = reader.next()? {
            if out.blocking_send(sheaf).is_err() {
                return Ok(Vec::new());
            }
        }
        Ok(reader.compare(&manifest_read))
    });
    if options.checks.holds(Check::ManifestSha256) {
        let (folder, manifest) = (folder.to_owned(), manifest.clone());
        readers.spawn_blocking(move || ParquetFolder::compare_bytes(&folder, &manifest));
    }
    let prepare = move |sheaf: TypedSheaf| {
        let mut sheaf = sheaf.open();
        sheaf.keep(|dossier| wanted.hold(dossier.auction_id, dossier.row.as_ref()));
        Ok(judge.sheaf(&sheaf))
    };
    let tally = judge_all(chunks, prepare, options, total(manifest), &progress).await;
    let mut differs: Vec<(&str, Finding)> = Vec::new();
    while let Some(read) = readers.join_next().await {
        differs.extend(read??);
    }
    // Other rows make another hash as well: one finding a file.
    differs.sort_by_key(|(file, finding)| (*file, finding.check));
    differs.dedup_by_key(|(file, _)| *file);
    Ok(report(differs, tally?, manifest, scope, judge))
}

/// The report on a folder, or on a ledger that has no manifest to be compared with.
fn report(
    differs: Vec<(&'static str, Finding)>,
    tally: Tally,
    manifest: &Manifest,
    scope: &Scope,
    judge: Judge,
) -> ReplayReport {
    let of_folder = !judge.moment.ledger_only;
    with_files(differs, tally, judge).into_report(
        manifest.exported_at,
        of_folder,
        judge.checks,
        &scope.asked(),
    )
}

fn total(manifest: &Manifest) -> ReplayProgress {
    let (auctions_total, entries_total) = manifest.counts();
    ReplayProgress {
        auctions_total,
        entries_total,
        ..ReplayProgress::default()
    }
}

/// The findings on files first; not counted are those whose reason another finding tells.
fn with_files(differs: Vec<(&'static str, Finding)>, tally: Tally, judge: Judge) -> Tally {
    let mut all = Tally::default();
    for (file, finding) in differs {
        if tally.tells_of(file) {
            all.consequence(finding);
        } else {
            all.add(vec![finding], &judge.checks, judge.listed_max);
        }
    }
    all.merge(tally, judge.listed_max);
    all
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
    let opened = FolderReader::open(folder, manifest, sorted)?;
    let judge = options.judge(manifest.exported_at, scope);
    let named = (folder, manifest);
    replay_rows(opened, named, scope, options, (judge, strict), progress).await
}

/// Rows that the general reader gives.
pub(super) async fn replay_rows(
    (reader, layout): (FolderReader, Layout),
    (folder, manifest): (&Path, &Manifest),
    scope: &Scope,
    options: &ReplayOptions,
    (judge, strict): (Judge, Strictness),
    progress: &impl Fn(ReplayProgress),
) -> Result<ReplayReport, Stop> {
    let shared = Arc::new((layout, scope.conditions()));
    let (out, chunks) = mpsc::channel(CHUNKS_WAITING_MAX);
    let mut readers = JoinSet::new();
    let manifest_read = manifest.clone();
    readers.spawn_blocking(move || read_folder(reader, &manifest_read, &out));
    let prepare = move |raw: Vec<RawDossier>| {
        let (layout, wanted) = shared.as_ref();
        judge.raw(&raw, layout, strict, wanted)
    };
    let tally = judge_all(chunks, prepare, options, total(manifest), progress).await?;
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
    Ok(report(read, tally, manifest, scope, judge))
}

/// Sends the auctions; at the end compares the files with the manifest.
fn read_folder(
    mut reader: FolderReader,
    manifest: &Manifest,
    out: &mpsc::Sender<Vec<RawDossier>>,
) -> Result<Vec<(&'static str, Finding)>, Stop> {
    let mut chunk: Vec<RawDossier> = Vec::new();
    let mut entries = 0;
    while let Some(raw) = reader.next()? {
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
