//! Replays a ledger that comes by itself: one file, or a stream, without rows, events or manifest.
//!
//! Every check that needs no more than entries is made. A stream must be in the order of exports;
//! a file of text may be in any.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::bundle::{FolderReader, Layout, Manifest, ParquetFolder, Stop, TextFolder};
use super::error::AuditError;
use super::judging::Judge;
use super::replay::ReplayOptions;
use super::replay_folder::{Strictness, replay_rows, replay_text, replay_typed};
use super::report::{ReplayProgress, ReplayReport};
use crate::auction::Micros;
use crate::store::Scope;

/// Where a ledger comes from.
pub enum LedgerSource {
    /// A file of CSV or Parquet, as its first bytes say.
    File(PathBuf),
    /// CSV from somewhere that cannot be read twice.
    Stream(Box<dyn Read + Send>),
}

/// How a Parquet file begins.
const PARQUET: [u8; 4] = *b"PAR1";

/// Replays the ledgers in scope; `now` only stands in the report.
pub async fn replay_ledger(
    source: LedgerSource,
    now: Micros,
    scope: &Scope,
    options: &ReplayOptions,
    progress: impl Fn(ReplayProgress),
) -> Result<ReplayReport, AuditError> {
    let mut judge = options.judge(now, scope);
    judge.moment.ledger_only = true;
    judge.checks = options.checks.of_ledger();
    let mut options = *options;
    options.checks = judge.checks;
    let path = match source {
        LedgerSource::File(path) => path,
        LedgerSource::Stream(stream) => {
            let text = of_text(
                stream,
                Path::new("-"),
                (now, judge),
                scope,
                &options,
                &progress,
            );
            return text.await.map_err(told);
        }
    };
    if is_parquet(&path)? {
        let reader = ParquetFolder::open_ledger(&path)?;
        let manifest = Manifest::none(now, reader.is_public());
        let whole = (path.as_path(), &manifest);
        return replay_typed(reader, whole, scope, &options, judge, progress).await;
    }
    let file = File::open(&path).map_err(|error| AuditError::io("read", &path, error))?;
    let text = of_text(
        Box::new(file),
        &path,
        (now, judge),
        scope,
        &options,
        &progress,
    );
    match text.await {
        Err(Stop::Disorder) => {}
        settled => return settled.map_err(told),
    }
    let opened = open_any(&path).map_err(told)?;
    let manifest = Manifest::none(now, opened.1.is_public());
    let (named, how) = ((path.as_path(), &manifest), (judge, Strictness::Audit));
    let rows = replay_rows(opened, named, scope, &options, how, &progress);
    rows.await.map_err(told)
}

/// Rows of text as exports write them.
async fn of_text(
    source: Box<dyn Read + Send>,
    path: &Path,
    (now, judge): (Micros, Judge),
    scope: &Scope,
    options: &ReplayOptions,
    progress: &impl Fn(ReplayProgress),
) -> Result<ReplayReport, Stop> {
    let (reader, layout) = TextFolder::open_ledger(source, path)?;
    let manifest = Manifest::none(now, layout.is_public());
    let opened = (reader, layout);
    replay_text(opened, &manifest, scope, options, judge, progress).await
}

/// A file of text in any order; one without maxima is a public one.
fn open_any(path: &Path) -> Result<(FolderReader, Layout), Stop> {
    FolderReader::open_ledger(path, false).or_else(|error| {
        let public = FolderReader::open_ledger(path, true);
        public.map_err(|_| error)
    })
}

fn told(stop: Stop) -> AuditError {
    match stop {
        Stop::Failed(error) => error,
        Stop::Disorder => unordered(),
    }
}

fn is_parquet(path: &Path) -> Result<bool, AuditError> {
    let failed = |error| AuditError::io("read", path, error);
    let mut first = [0; 4];
    match File::open(path).map_err(failed)?.read_exact(&mut first) {
        Ok(()) => Ok(first == PARQUET),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

fn unordered() -> AuditError {
    AuditError::File {
        file: "the ledger",
        why: "is no stream of rows with a header as gavel exports them, ordered by auction and \
              seq; saved as a file, it may be in any order, and what is wrong is named"
            .to_owned(),
    }
}
