//! The ids that belong to a run.

use rand::RngExt as _;

use crate::auction::ids::IdError;
use crate::auction::{AuctionId, IdRange};

/// How many ids each run has.
pub(super) const RUN_SPAN: i64 = 10_000_000;
/// How many runs there can be.
const RUNS: i64 = (AuctionId::MAX - AuctionId::BURST_MIN + 1) / RUN_SPAN;

/// A run, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunId(u32);

impl RunId {
    /// A fresh one: two runs at once do not meet, short of a coincidence that creating notices.
    pub fn fresh() -> Self {
        let runs = u32::try_from(RUNS).unwrap_or(u32::MAX);
        Self(rand::rng().random_range(0..runs))
    }

    /// The run that an id belongs to; none if it belongs to none.
    pub fn of(auction_id: AuctionId) -> Option<Self> {
        let offset = auction_id.get() - AuctionId::BURST_MIN;
        if offset < 0 {
            return None;
        }
        let run = offset / RUN_SPAN;
        u32::try_from(run).ok().filter(|_| run < RUNS).map(Self)
    }

    /// By its number, if there can be such a run.
    pub fn new(number: u32) -> Option<Self> {
        (i64::from(number) < RUNS).then_some(Self(number))
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// Its ids.
    pub fn ids(self) -> Result<IdRange, IdError> {
        Ok(IdRange {
            first: self.id(0)?,
            last: AuctionId::new(self.base() + RUN_SPAN - 1)?,
        })
    }

    /// One of its ids, by place.
    pub(super) fn id(self, place: u32) -> Result<AuctionId, IdError> {
        AuctionId::new(self.base() + i64::from(place))
    }

    fn base(self) -> i64 {
        AuctionId::BURST_MIN + i64::from(self.0) * RUN_SPAN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_ids_of_their_own() {
        let last = RunId::new(u32::try_from(RUNS - 1).unwrap()).unwrap();
        for run in [RunId(0), RunId(1), last] {
            let ids = run.ids().unwrap();
            assert_eq!(RunId::of(ids.first), Some(run));
            assert_eq!(RunId::of(ids.last), Some(run));
            assert_eq!(ids.last.get() - ids.first.get() + 1, RUN_SPAN);
        }
        assert_eq!(RunId(0).ids().unwrap().first.get(), AuctionId::BURST_MIN);
        assert_eq!(RunId::new(u32::try_from(RUNS).unwrap()), None);
        let below = AuctionId::new(AuctionId::BURST_MIN - 1).unwrap();
        assert_eq!(RunId::of(below), None);
    }
}
