//! What a sweep did.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::auction::{AuctionId, CloseResult};
use crate::store::{Closed, StoreError};

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
    /// Claims of closers that are gone, given back.
    pub reaped: u64,
}

/// A report as it grows, and who sees each batch as it is recorded, one after another. Lanes that
/// work at once share it.
pub(super) struct Tally<F> {
    kept: Mutex<Kept<F>>,
}

struct Kept<F> {
    report: SweepReport,
    on_closed: F,
}

impl<F: FnMut(&[Closed])> Tally<F> {
    pub(super) fn new(on_closed: F) -> Self {
        Self {
            kept: Mutex::new(Kept {
                report: SweepReport::default(),
                on_closed,
            }),
        }
    }

    /// What was done. Which lane was the first is chance: bad auctions are told by id.
    pub(super) fn into_report(self) -> SweepReport {
        let kept = self.kept.into_inner();
        let mut report = kept.unwrap_or_else(PoisonError::into_inner).report;
        report.bad.sort_by_key(|bad| bad.auction_id);
        report
    }

    /// How many were closed so far.
    pub(super) fn so_far(&self) -> u64 {
        self.kept().report.closed
    }

    pub(super) fn reaped(&self, claims: u64) {
        self.kept().report.reaped += claims;
    }

    /// How many are still due as far as is known now.
    pub(super) fn left(&self, auctions: u64) {
        self.kept().report.left = auctions;
    }

    pub(super) fn closed(&self, closed: &[Closed]) {
        if closed.is_empty() {
            return;
        }
        let mut kept = self.kept();
        let report = &mut kept.report;
        for Closed { event, .. } in closed {
            report.closed += 1;
            match event.result {
                Some(CloseResult::Sold) => report.sold += 1,
                Some(CloseResult::NoBids) | None => report.no_bids += 1,
                Some(CloseResult::ReserveNotMet) => report.reserve_not_met += 1,
            }
            report.lag_max_us = report.lag_max_us.max(event.closed_at.since(event.end));
        }
        (kept.on_closed)(closed);
    }

    pub(super) fn bad(&self, auction_id: AuctionId, error: &StoreError) {
        let reason = match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        let bad = BadAuction { auction_id, reason };
        self.kept().report.bad.push(bad);
    }

    fn kept(&self) -> MutexGuard<'_, Kept<F>> {
        // Counts are never half changed.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
