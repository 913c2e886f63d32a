//! What a run offered, what came of it, and whether it was right.
//!
//! Instants inside are microseconds from the start of the load (0 is its first second's beginning,
//! warm-up included); latencies are microseconds from the intended instant to the answer, so that
//! a bid that had to wait for its turn is not flattered.

use serde::Serialize;

use super::scenario::Scenario;
use crate::auction::{AuctionId, Micros};
use crate::ledger::ReplayReport;
use crate::store::Setting;

/// One run.
#[derive(Debug, Clone)]
pub struct BurstReport {
    /// What was played.
    pub scenario: Scenario,
    /// Names the run; its auctions are `first ..= last`.
    pub run: u32,
    /// The lowest id of its auctions.
    pub first: AuctionId,
    /// The highest id of its auctions.
    pub last: AuctionId,
    /// What the run's choices follow from.
    pub seed: u64,
    /// Auctions made.
    pub auctions: u64,
    /// Bids placed while the auctions were made, before the load.
    pub opening_bids: u64,
    /// Connections that bid.
    pub connections: u32,
    /// Who closed: `batch`, `claim` or `external`.
    pub closer: &'static str,
    /// The run's closer closes at the ends; none for an external one.
    pub look_ahead: Option<bool>,
    /// Offered bids or closes a second; none: as fast as it goes.
    pub rate: Option<u32>,
    /// Seconds of load before the figures begin.
    pub warm_up_s: u32,
    /// Seconds that the figures cover.
    pub measured_s: u32,
    /// When the load began, by the store's clock.
    pub began: Micros,
    /// How the database is set up.
    pub settings: Vec<Setting>,
    /// What the database takes alone.
    pub probe: Probe,
    /// The bids; none were made if `offered` is 0.
    pub bids: BidFigures,
    /// The closes.
    pub closes: CloseFigures,
    /// Second by second, warm-up included.
    pub seconds: Vec<Second>,
    /// Whether everything happened as it had to.
    pub checks: Checks,
    /// Where the load was not held.
    pub shortfalls: Vec<Shortfall>,
}

impl BurstReport {
    /// Every answer, result and event was as it had to be.
    pub fn is_right(&self) -> bool {
        self.checks.faults == 0 && self.checks.replay.is_clean()
    }
}

/// What the database takes when nothing else is asked of it, microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Probe {
    /// Median of a call that writes nothing.
    pub round_trip_us: i64,
    /// Median of a bid, durable when answered.
    pub bid_us: i64,
    /// 99th percentile of the same.
    pub bid_p99_us: i64,
}

impl Probe {
    /// What a bid takes longer than a call that writes nothing: its work and the flush to disk.
    pub fn flush_us(&self) -> i64 {
        (self.bid_us - self.round_trip_us).max(0)
    }
}

/// Percentiles of many durations, microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Percentiles {
    /// How many.
    pub count: u64,
    /// Median.
    pub p50_us: i64,
    /// 90th percentile.
    pub p90_us: i64,
    /// 99th percentile.
    pub p99_us: i64,
    /// 99.9th percentile.
    pub p999_us: i64,
    /// The longest.
    pub max_us: i64,
    /// The distribution: pairs of a percentile in thousandths (99.9 % is 99,900) and a duration,
    /// ascending, closer together towards the end.
    pub curve: Vec<(u32, i64)>,
}

/// What became of the bids after warm-up, unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BidFigures {
    /// Meant to be placed, warm-up included.
    pub planned: u64,
    /// Meant to be placed.
    pub offered: u64,
    /// Answered: accepted or refused.
    pub answered: u64,
    /// Accepted.
    pub accepted: u64,
    /// Refused, by code.
    pub refused: Vec<(&'static str, u64)>,
    /// Asked again because the database failed or was too busy.
    pub retried: u64,
    /// Answers a second, in thousandths.
    pub rate_milli: u64,
    /// From the intended instant to the answer.
    pub latency: Percentiles,
    /// From the sending to the answer.
    pub service: Percentiles,
}

/// What became of the ends after warm-up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CloseFigures {
    /// Auctions that ended.
    pub ended: u64,
    /// Auctions closed.
    pub closed: u64,
    /// Closes a second, in thousandths, from the first end to the last closing; 0 where the ends come at
    /// one instant.
    pub rate_milli: u64,
    /// From the end in force to the recorded closing, by the store's clock.
    pub lag: Percentiles,
    /// From the end in force to when the run's closer knew that the closing is durable; empty with an
    /// external closer.
    pub durable: Percentiles,
}

/// One second of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Second {
    /// From the start of the load.
    pub second: i64,
    /// Bids meant for this second.
    pub bids_offered: u64,
    /// Bids answered in this second.
    pub bids_answered: u64,
    /// Median latency of the bids meant for this second.
    pub latency_p50_us: i64,
    /// 99th percentile of the same.
    pub latency_p99_us: i64,
    /// The longest of the same.
    pub latency_max_us: i64,
    /// Auctions whose end lies in this second.
    pub ends: u64,
    /// Auctions closed in this second.
    pub closes: u64,
    /// Median close lag of the auctions whose end lies in this second.
    pub lag_p50_us: i64,
    /// 99th percentile of the same.
    pub lag_p99_us: i64,
    /// The longest of the same.
    pub lag_max_us: i64,
}

/// What was checked, and what was wrong.
#[derive(Debug, Clone)]
pub struct Checks {
    /// Bids whose answer was held against the ledger.
    pub bids: u64,
    /// Auctions held against the plan.
    pub auctions: u64,
    /// How many faults there are.
    pub faults: u64,
    /// The first of them.
    pub listed: Vec<Fault>,
    /// The replay of the run's ledger.
    pub replay: ReplayReport,
}

/// Something that must not happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The auction.
    pub auction_id: AuctionId,
    /// What kind of fault; see the run's manual.
    pub kind: &'static str,
    /// What was expected and what was found.
    pub what: String,
}

/// A load that was not held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shortfall {
    /// `bids` or `closes`.
    pub of: &'static str,
    /// Meant to be done in the measured time.
    pub offered: u64,
    /// Done in it.
    pub done: u64,
}
