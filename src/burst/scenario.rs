//! The scenarios, and how large each is unless it is told otherwise.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::closer::Strategy;

/// The most bids or auctions of one run: they and their answers are kept in memory.
pub const SIZE_MAX: u64 = 5_000_000;

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenario {
    /// Auctions that end at so many a second, all with bids; some bid upon to the last moment and
    /// some too late.
    SevenPm,
    /// One auction with soft close; bids come faster and faster in its last minute.
    HotItem,
    /// Everybody bids at once on one auction, again and again.
    BiddingWar,
    /// Bids at one rate over many auctions.
    Steady,
}

impl Scenario {
    /// Its name at the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SevenPm => "seven-pm",
            Self::HotItem => "hot-item",
            Self::BiddingWar => "bidding-war",
            Self::Steady => "steady",
        }
    }

    /// Its size unless it is told otherwise.
    pub fn size(self) -> Size {
        let (rate, seconds, warm_up, lots) = match self {
            Self::SevenPm => (1_600, 60, 2, 0),
            Self::HotItem => (1_000, 60, 0, 1),
            Self::BiddingWar => (50, 8, 0, 1),
            Self::Steady => (5_000, 60, 5, 10_000),
        };
        Size {
            rate: NonZeroU32::new(rate),
            seconds,
            warm_up,
            lots,
            connections: if self == Self::BiddingWar { 50 } else { 16 },
            plain: false,
        }
    }
}

/// How large a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Closes a second (`seven-pm`), bidders at once (`bidding-war`), otherwise bids a second; none:
    /// as fast as it goes.
    pub rate: Option<NonZeroU32>,
    /// Seconds that are measured; rounds of a bidding war.
    pub seconds: u32,
    /// Seconds of load before.
    pub warm_up: u32,
    /// Auctions; those of `seven-pm` follow from the rate.
    pub lots: u32,
    /// Connections that bid.
    pub connections: u32,
    /// A hot item without soft close.
    pub plain: bool,
}

/// Who closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloserChoice {
    /// The run itself, its own auctions alone.
    Own {
        /// How.
        strategy: Strategy,
        /// At the ends, or at the next tick.
        look_ahead: bool,
    },
    /// Daemons that somebody else runs.
    External,
}

/// How to run.
#[derive(Debug, Clone)]
pub struct BurstOptions {
    /// What is played.
    pub scenario: Scenario,
    /// How large.
    pub size: Size,
    /// What all choices follow from.
    pub seed: u64,
    /// Who closes.
    pub closer: CloserChoice,
    /// For how long nothing may be closed before it is given up.
    pub patience: Duration,
}
