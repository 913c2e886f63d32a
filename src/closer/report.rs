//! What a sweep did.

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

/// A report as it grows, and who sees each batch as it is recorded.
pub(super) struct Tally<F> {
    pub(super) report: SweepReport,
    on_closed: F,
}

impl<F: FnMut(&[Closed])> Tally<F> {
    pub(super) fn new(on_closed: F) -> Self {
        Self {
            report: SweepReport::default(),
            on_closed,
        }
    }

    pub(super) fn closed(&mut self, closed: &[Closed]) {
        if closed.is_empty() {
            return;
        }
        let report = &mut self.report;
        for Closed { event, .. } in closed {
            report.closed += 1;
            match event.result {
                Some(CloseResult::Sold) => report.sold += 1,
                Some(CloseResult::NoBids) | None => report.no_bids += 1,
                Some(CloseResult::ReserveNotMet) => report.reserve_not_met += 1,
            }
            report.lag_max_us = report.lag_max_us.max(event.closed_at.since(event.end));
        }
        (self.on_closed)(closed);
    }

    pub(super) fn bad(&mut self, auction_id: AuctionId, error: &StoreError) {
        let reason = match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        self.report.bad.push(BadAuction { auction_id, reason });
    }
}
