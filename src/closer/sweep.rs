//! Sweeping: pass over the shards, batch by batch, until a pass closes nothing.
//!
//! One bad auction never stops the others: a batch that fails is retried one by one, the bad one
//! is reported and passed over. What no auction can be at fault for (missing rights, a read-only
//! database, a full device) ends the sweep instead: it would call every auction bad.

use std::time::Duration;

use super::lanes;
use super::reaper;
use super::report::{SweepReport, Tally};
use super::worker::Worker;
use crate::auction::{Remit, Span};
use crate::store::{Closed, Contract, StoreError, WriteMode};

/// How often a pass that closed nothing is tried again while auctions are due: what became due as
/// it ended, or is locked by another sweep or a bid that will be gone in a moment.
const IDLE_PASSES_MAX: u32 = 6;
/// The first pause before such a pass; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(10);

/// How auctions are closed; both exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// A batch a transaction; the row's lock is the claim.
    #[default]
    Batch,
    /// Claimed in one transaction and closed in another, fenced by an epoch.
    Claim,
}

/// How to sweep.
#[derive(Debug, Clone)]
pub struct SweepOptions {
    /// The most auctions closed in one transaction.
    pub batch: u32,
    /// How many batches are closed at once, each on a connection of its own. An embedded database
    /// has one writer: there it is one, whatever is asked for.
    pub jobs: u32,
    /// Kept, or only rehearsed; a rehearsal claims nothing.
    pub mode: WriteMode,
    /// The auctions to sweep.
    pub remit: Remit,
    /// How auctions are closed.
    pub strategy: Strategy,
    /// Claims that are older are given back.
    pub claim_timeout: Span,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self {
            batch: 500,
            jobs: 4,
            mode: WriteMode::Commit,
            remit: Remit::ALL,
            strategy: Strategy::Batch,
            claim_timeout: Span::HALF_MINUTE,
        }
    }
}

impl SweepOptions {
    /// At least one, or nothing would ever be closed.
    pub(super) fn batch_size(&self) -> usize {
        usize::try_from(self.batch).unwrap_or(usize::MAX).max(1)
    }
}

/// Sweeps until a pass closes nothing. `on_closed` sees every batch as it is recorded. What was
/// done before an error stays in the report.
pub async fn sweep<S: Contract>(
    store: &S,
    options: &SweepOptions,
    on_closed: impl FnMut(&[Closed]),
) -> (SweepReport, Result<(), StoreError>) {
    let tally = Tally::new(on_closed);
    let worker = Worker::of_a_sweep(store, options);
    let outcome = passes(&worker, &tally).await;
    if outcome.is_err() {
        // Nobody waits for a timeout that can be spared; if this fails too, the reaper does it.
        worker.give_back().await.unwrap_or_default();
    }
    (tally.into_report(), outcome)
}

async fn passes<S: Contract, F: FnMut(&[Closed])>(
    worker: &Worker<'_, S>,
    tally: &Tally<F>,
) -> Result<(), StoreError> {
    let (store, options) = (worker.store, worker.options);
    if options.mode == WriteMode::Commit {
        tally.reaped(reaper::reap(store, options.remit, options.claim_timeout).await?);
    }
    let due = store.backlog(options.remit).await?.due;
    if due == 0 {
        return Ok(());
    }
    // A few need no connections beside the first.
    let batches = usize::try_from(due).unwrap_or(0) / options.batch_size() + 1;
    let lanes = worker.lanes().min(batches);
    let shards: Vec<i64> = options.remit.shards.iter().collect();
    let mut idle = 0;
    loop {
        let before = tally.so_far();
        let batch = |shard| worker.shard(shard, tally);
        lanes::work_off(&shards, lanes, || true, batch).await?;
        if tally.so_far() > before {
            idle = 0;
            continue;
        }
        let due = store.backlog(options.remit).await?.due;
        let left = u64::try_from(due).unwrap_or(0);
        let left = left.saturating_sub(worker.passed_over());
        tally.left(left);
        idle += 1;
        if left == 0 || idle == IDLE_PASSES_MAX {
            return Ok(());
        }
        tokio::time::sleep(PAUSE * (1 << idle)).await;
    }
}
