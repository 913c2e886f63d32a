//! Why a run could not be made or finished.

use thiserror::Error;

use super::scenario::SIZE_MAX;
use crate::ledger::AuditError;
use crate::store::StoreError;

/// A run could not be made or finished.
#[derive(Debug, Error)]
pub enum BurstError {
    /// The auctions could not be made; none is there.
    #[error("the auctions of the run could not be made")]
    SetUp(#[source] StoreError),
    /// Only the owner may remove what runs have made.
    #[error("what runs have made can be removed by the database's owner alone")]
    NotOwner(#[source] StoreError),
    /// Removing failed.
    #[error("what the run has made could not be removed; what is left of it can be removed again")]
    Remove(#[source] StoreError),
    /// Making them took longer than was reckoned, so the load's beginning has passed.
    #[error("making the auctions took longer than reckoned: the load would have begun already")]
    Late,
    /// More than can be kept in memory.
    #[error("a run has at most {SIZE_MAX} auctions and {SIZE_MAX} bids; this one would have {0}")]
    TooLarge(u64),
    /// The database failed, and did not come back in time.
    #[error("the load was given up")]
    Store(#[from] StoreError),
    /// The ledger could not be read.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// A task stopped.
    #[error("a part of the load stopped: {0}")]
    Task(#[from] tokio::task::JoinError),
    /// A run's own values are not valid: a defect.
    #[error("the run's own script is wrong: {0}")]
    Script(String),
    /// It was asked to stop.
    #[error("stopped before the end")]
    Interrupted,
}

impl BurstError {
    #[allow(clippy::needless_pass_by_value, reason = "it is a mapping of errors")]
    pub(super) fn script(why: impl ToString) -> Self {
        Self::Script(why.to_string())
    }
}
