//! What stops an audit, an export or an import. Findings do not: they are in the report.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::report::ReplayReport;
use crate::store::{Damage, StoreError};

/// Why the work could not be done.
#[derive(Debug, Error)]
pub enum AuditError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be read or written.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was attempted.
        doing: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The folder has no manifest, or is not there.
    #[error("{}", no_bundle(.0))]
    NotABundle(PathBuf),
    /// The manifest is not one, or of another format version.
    #[error("the manifest {} cannot be used: {why}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A file is no CSV of the kind that its name says.
    #[error("{file}: {why}")]
    File {
        /// The file's name in the folder.
        file: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A value that cannot be.
    #[error("{file} line {line}: column {column}: {found}")]
    Value {
        /// The file's name in the folder.
        file: &'static str,
        /// The line, from 1; the header is line 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What stands there and what is wrong with it.
        found: String,
    },
    /// The folder holds an export already.
    #[error("{} holds an export already; choose another folder or ask to overwrite", .0.display())]
    Exists(PathBuf),
    /// A file that an export would replace is there, and is of no export.
    #[error(
        "{} is there already and belongs to no export that can be replaced; choose another folder, \
         or move it away",
        .0.display()
    )]
    NotOfAnExport(PathBuf),
    /// A public export cannot be imported: the maxima are not in it.
    #[error("a public export cannot be imported: maxima and reserves are not in it")]
    PublicImport,
    /// The folder is not clean, so nothing was imported.
    #[error(
        "the folder does not replay clean: {} finding{}; nothing was imported",
        .0.findings,
        if .0.findings == 1 { "" } else { "s" }
    )]
    Findings(Box<ReplayReport>),
    /// A damaged auction cannot be exported or imported.
    #[error("a damaged auction cannot be carried over: {0}")]
    Damaged(Damage),
    /// A worker ended without a result.
    #[error("a worker of the audit failed")]
    Worker(#[from] tokio::task::JoinError),
}

impl AuditError {
    /// An I/O error, with what was attempted.
    pub(super) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io {
            doing,
            path: path.to_owned(),
            source,
        }
    }

    /// The input is at fault (exit code 2), not the run.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::NotABundle(_)
                | Self::Manifest { .. }
                | Self::File { .. }
                | Self::Value { .. }
                | Self::Exists(_)
                | Self::NotOfAnExport(_)
                | Self::PublicImport
        )
    }
}

fn no_bundle(folder: &Path) -> String {
    let shown = folder.display();
    if folder.is_dir() {
        format!("{shown} is not an export of gavel: it has no manifest.json")
    } else if folder.exists() {
        format!("{shown} is a file, not the folder of an export; import --map reads such files")
    } else {
        format!("there is no folder {shown}")
    }
}
