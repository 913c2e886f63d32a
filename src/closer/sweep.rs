//! Sweeping: pass over the shards, batch by batch, until a pass closes nothing.
//!
//! One bad auction never stops the others: a batch that fails is retried one by one, the bad one
//! is reported and passed over. What no auction can be at fault for (missing rights, a read-only
//! database, a full device) ends the sweep instead: it would call every auction bad.

use std::time::Duration;

use crate::auction::{AuctionId, CloseResult};
use crate::store::{CloseReply, Closed, Contract, StoreError, StoreErrorKind, WriteMode};

/// How often a pass that closed nothing is tried again while auctions are due: what became due as
/// it ended, or is locked by another sweep or a bid that will be gone in a moment.
const IDLE_PASSES_MAX: u32 = 6;
/// The first pause before such a pass; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(10);

/// How to sweep.
#[derive(Debug, Clone)]
pub struct SweepOptions {
    /// The most auctions closed in one transaction.
    pub batch: u32,
    /// Kept, or only rehearsed.
    pub mode: WriteMode,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self {
            batch: 500,
            mode: WriteMode::Commit,
        }
    }
}

/// An auction that could not be closed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadAuction {
    /// The auction.
    pub auction_id: AuctionId,
    /// What the store said.
    pub reason: String,
}

/// What a sweep did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepReport {
    /// Auctions closed.
    pub closed: u64,
    /// Of them sold.
    pub sold: u64,
    /// Of them without bids.
    pub no_bids: u64,
    /// Of them below the reserve.
    pub reserve_not_met: u64,
    /// The longest close lag (closed - end), microseconds.
    pub lag_max_us: i64,
    /// Auctions that could not be closed.
    pub bad: Vec<BadAuction>,
    /// Auctions still due: locked by somebody else.
    pub left: u64,
}

impl SweepReport {
    fn add(&mut self, closed: &[Closed]) {
        for Closed { event, .. } in closed {
            self.closed += 1;
            match event.result {
                Some(CloseResult::Sold) => self.sold += 1,
                Some(CloseResult::NoBids) | None => self.no_bids += 1,
                Some(CloseResult::ReserveNotMet) => self.reserve_not_met += 1,
            }
            self.lag_max_us = self.lag_max_us.max(event.closed_at.since(event.end));
        }
    }
}

/// Sweeps until a pass closes nothing. `on_closed` sees every batch as it is recorded. What was
/// done before an error stays in the report.
pub async fn sweep<S: Contract>(
    store: &S,
    options: &SweepOptions,
    mut on_closed: impl FnMut(&[Closed]),
) -> (SweepReport, Result<(), StoreError>) {
    let mut report = SweepReport::default();
    let mut skip = Vec::new();
    let outcome = passes(store, options, &mut report, &mut skip, &mut on_closed).await;
    (report, outcome)
}

async fn passes<S: Contract>(
    store: &S,
    options: &SweepOptions,
    report: &mut SweepReport,
    skip: &mut Vec<AuctionId>,
    on_closed: &mut impl FnMut(&[Closed]),
) -> Result<(), StoreError> {
    let mut idle = 0;
    loop {
        let before = report.closed;
        for shard in 0..AuctionId::SHARDS {
            sweep_shard(store, options, shard, report, skip, on_closed).await?;
        }
        if report.closed > before {
            idle = 0;
            continue;
        }
        report.left = still_due(store, skip).await?;
        idle += 1;
        if report.left == 0 || idle == IDLE_PASSES_MAX {
            return Ok(());
        }
        tokio::time::sleep(PAUSE * (1 << idle)).await;
    }
}

/// One batch of one shard.
async fn sweep_shard<S: Contract>(
    store: &S,
    options: &SweepOptions,
    shard: i64,
    report: &mut SweepReport,
    skip: &mut Vec<AuctionId>,
    on_closed: &mut impl FnMut(&[Closed]),
) -> Result<(), StoreError> {
    match store
        .auction_close_due(shard, options.batch, skip, options.mode)
        .await
    {
        Ok(batch) => {
            report.add(&batch.closed);
            on_closed(&batch.closed);
            // A rehearsed batch is still due: pass over it, or it would come again.
            if options.mode == WriteMode::Rehearse {
                skip.extend(batch.closed.iter().map(|closed| closed.auction_id));
            }
            Ok(())
        }
        Err(error) if !can_be_one_auctions(&error) => Err(error),
        Err(_) => one_by_one(store, options, shard, report, skip, on_closed).await,
    }
}

async fn one_by_one<S: Contract>(
    store: &S,
    options: &SweepOptions,
    shard: i64,
    report: &mut SweepReport,
    skip: &mut Vec<AuctionId>,
    on_closed: &mut impl FnMut(&[Closed]),
) -> Result<(), StoreError> {
    for auction_id in store.auction_due_ids(shard, options.batch, skip).await? {
        match store.auction_close(auction_id, options.mode).await {
            Ok(CloseReply::Closed(closed)) => {
                let closed = [closed];
                report.add(&closed);
                on_closed(&closed);
                if options.mode == WriteMode::Rehearse {
                    skip.push(auction_id);
                }
            }
            // Closed, cancelled or extended by somebody else meanwhile: nothing to do.
            Ok(_) => {}
            Err(error) if !can_be_one_auctions(&error) => return Err(error),
            Err(error) => {
                let reason = reason(&error);
                report.bad.push(BadAuction { auction_id, reason });
                skip.push(auction_id);
            }
        }
    }
    Ok(())
}

/// Whether it can be about one auction; everything else concerns the database as a whole.
fn can_be_one_auctions(error: &StoreError) -> bool {
    matches!(
        error.kind(),
        StoreErrorKind::Damaged | StoreErrorKind::Conflict | StoreErrorKind::Failed
    )
}

fn reason(error: &StoreError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

async fn still_due<S: Contract>(store: &S, skip: &[AuctionId]) -> Result<u64, StoreError> {
    let due = u64::try_from(store.backlog().await?.due).unwrap_or(0);
    let passed_over = u64::try_from(skip.len()).unwrap_or(0);
    Ok(due.saturating_sub(passed_over))
}
