//! Replays many auctions: a stream of dossiers, judged in parallel, reported in order.
//!
//! Memory is bounded by the largest single auction times the chunks in flight. The order of the
//! findings does not depend on which worker was first.

use std::num::NonZeroUsize;

use tokio::sync::mpsc;

use super::audit::Moment;
use super::check_set::CheckSet;
use super::error::AuditError;
use super::judging::{Judge, judge_all};
use super::report::{ReplayProgress, ReplayReport};
use crate::auction::{Micros, Span};
use crate::store::{Contract, Scope, Sheaf, StoredRows};

/// Chunks that wait between the reader and the workers.
pub(super) const CHUNKS_WAITING_MAX: usize = 4;

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
            ledger_only: false,
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
