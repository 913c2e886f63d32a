//! What stops a checkpoint, and what a text that somebody wrote may lack.

use std::io;

use thiserror::Error;

use crate::ledger::AuditError;
use crate::store::{Damage, StoreError};

/// A text that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("this is no {what}: {why}")]
pub struct FormatError {
    /// What it should be.
    pub what: &'static str,
    /// Why it is not.
    pub why: String,
}

impl FormatError {
    pub(super) fn new(what: &'static str, why: impl Into<String>) -> Self {
        Self {
            what,
            why: why.into(),
        }
    }
}

/// Why the work could not be done, or what does not hold.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// A key, note, proof or list that is none.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A damaged head cannot be put into a tree.
    #[error("no checkpoint can be taken of a damaged record: {0}")]
    Damaged(Damage),
    /// It asks for what this record cannot give.
    #[error("{0}")]
    Input(String),
    /// A signature or a proof does not hold.
    #[error("{0}")]
    NotVerified(String),
    /// The record is not the one that the checkpoint was taken of.
    #[error("{0}")]
    Differs(String),
    /// The list of leaves could not be written.
    #[error("cannot write the leaves")]
    Write(#[source] io::Error),
    /// A worker ended without a result.
    #[error("a worker failed")]
    Worker(#[from] tokio::task::JoinError),
}
