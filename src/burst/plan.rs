//! What a run will do, all of it decided beforehand by its seed.
//!
//! Instants are microseconds from the beginning of the load. Bids are planned, their answers are
//! not: what each must be follows from the ledger's order, see `verify`.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::scenario::{BurstOptions, Scenario, Size};

/// A second.
pub(super) const SECOND_US: i64 = 1_000_000;
/// The lowest first bid of every auction, minor units.
pub(super) const START_PRICE: i64 = 1_000;
/// One auction in so many is bid upon at the last moment, and once more too late (`seven-pm`).
const SNIPED_ONE_IN: u32 = 20;
/// How long before its end.
const SNIPE_US: i64 = 500_000;
/// How long after its end.
const LATE_US: i64 = 200_000;
/// From the last bid of a `steady` load or a bidding war to the end of its auctions.
const CALM_US: i64 = 2_000_000;
/// Bidders of `steady`, `hot-item` and `seven-pm`.
const BIDDERS: u32 = 500;
/// Bids that are planned for a second of a load that goes as fast as it can.
const FASTEST: i64 = 25_000;

/// A run's auctions and bids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// By place.
    pub(super) lots: Vec<Lot>,
    /// By instant.
    pub(super) bids: Vec<PlannedBid>,
    /// Every bid is sent as soon as there is a connection for it, for as long as the load lasts.
    pub(super) unpaced: bool,
    /// How long bids are placed, microseconds.
    pub(super) length_us: i64,
}

/// An auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lot {
    /// When it ends.
    pub(super) end_us: i64,
    /// The hidden reserve, if any.
    pub(super) reserve: Option<i64>,
    /// Bidders and maxima that it has before the load.
    pub(super) opening: Vec<(u32, i64)>,
    /// Every step is one unit, so that bids can go on for long.
    pub(super) flat: bool,
    /// Bids near the end move it.
    pub(super) soft_close: bool,
}

/// A bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedBid {
    /// When it is meant to be sent.
    pub(super) due_us: i64,
    /// The auction's place.
    pub(super) lot: u32,
    /// Who bids.
    pub(super) bidder: u32,
    /// Up to what, minor units.
    pub(super) maximum: i64,
}

impl Plan {
    /// By the options' seed.
    pub(super) fn new(options: &BurstOptions) -> Self {
        let random = StdRng::seed_from_u64(options.seed);
        let mut maker = Maker {
            size: options.size,
            random,
            plan: Self::default(),
        };
        match options.scenario {
            Scenario::SevenPm => maker.seven_pm(),
            Scenario::HotItem => maker.hot_item(),
            Scenario::BiddingWar => maker.bidding_war(),
            Scenario::Steady => maker.steady(),
        }
        let mut plan = maker.plan;
        plan.bids.sort_by_key(|bid| bid.due_us);
        plan
    }

    /// The last end, before any extension.
    pub(super) fn last_end_us(&self) -> i64 {
        self.lots.iter().map(|lot| lot.end_us).max().unwrap_or(0)
    }

    /// Bids that the auctions have before the load.
    pub(super) fn opening_bids(&self) -> usize {
        self.lots.iter().map(|lot| lot.opening.len()).sum()
    }
}

struct Maker {
    size: Size,
    random: StdRng,
    plan: Plan,
}

impl Maker {
    /// Seconds of load, warm-up included, in microseconds.
    fn length_us(&self) -> i64 {
        i64::from(self.size.warm_up + self.size.seconds) * SECOND_US
    }

    fn rate(&self) -> i64 {
        self.size.rate.map_or(FASTEST, |rate| rate.get().into())
    }

    fn seven_pm(&mut self) {
        let rate = self.rate();
        self.plan.length_us = self.length_us() + LATE_US;
        let lots = rate * i64::from(self.size.warm_up + self.size.seconds);
        for (place, lot) in (0..u32::try_from(lots).unwrap_or(u32::MAX)).zip(0..lots) {
            let end_us = lot * SECOND_US / rate;
            let opening = match self.random.random_range(0..20) {
                0 => 0,
                drawn => 1 + drawn % 3,
            };
            let mut level = START_PRICE;
            let mut raised = || {
                level += 100 * self.random.random_range(1..=20_i64);
                (self.random.random_range(0..BIDDERS), level)
            };
            let opening: Vec<(u32, i64)> = (0..opening).map(|_| raised()).collect();
            if place % SNIPED_ONE_IN == 0 {
                for (due_us, (bidder, maximum)) in
                    [(end_us - SNIPE_US, raised()), (end_us + LATE_US, raised())]
                {
                    if due_us >= 0 {
                        self.plan.bids.push(PlannedBid {
                            due_us,
                            lot: place,
                            bidder,
                            maximum,
                        });
                    }
                }
            }
            let reserved = self.random.random_range(0..10) == 0;
            let reserve = reserved.then(|| START_PRICE + 100 * self.random.random_range(0..60_i64));
            self.plan.lots.push(Lot {
                end_us,
                reserve,
                opening,
                flat: false,
                soft_close: false,
            });
        }
    }

    fn steady(&mut self) {
        let rate = self.rate();
        let length_us = self.length_us();
        let lots = self.size.lots.max(1);
        self.plan.length_us = length_us;
        self.plan.unpaced = self.size.rate.is_none();
        self.many_lots(lots, length_us + CALM_US);
        let mut levels = vec![START_PRICE; usize::try_from(lots).unwrap_or_default()];
        for number in 0..rate * length_us / SECOND_US {
            let lot = self.random.random_range(0..lots);
            let level = &mut levels[usize::try_from(lot).unwrap_or_default()];
            let maximum = *level + 50 * self.random.random_range(-4..=16_i64);
            *level = maximum.max(*level);
            self.bid(number * SECOND_US / rate, lot, maximum.max(1));
        }
    }

    /// From a tenth of the rate at the beginning to all of it at the end.
    fn hot_item(&mut self) {
        let rate = self.rate();
        let (length_us, plain) = (self.length_us(), self.size.plain);
        self.plan.length_us = length_us;
        self.plan.unpaced = self.size.rate.is_none();
        self.plan.lots.push(Lot {
            end_us: length_us + if plain { CALM_US } else { 0 },
            reserve: None,
            opening: Vec::new(),
            flat: true,
            soft_close: !plain,
        });
        const SLICE_US: i64 = 100;
        let mut level = START_PRICE;
        let mut owed = 0;
        for slice in 0..length_us / SLICE_US {
            let due_us = slice * SLICE_US;
            owed += match self.size.rate {
                Some(_) => rate / 10 + (rate - rate / 10) * due_us / length_us.max(1),
                None => rate,
            };
            while owed >= SECOND_US / SLICE_US {
                owed -= SECOND_US / SLICE_US;
                // One in twenty comes too low.
                let raise = match self.random.random_range(0..20) {
                    0 => -500,
                    _ => 200,
                };
                level += raise.max(0);
                self.bid(due_us, 0, level + raise.min(0));
            }
        }
    }

    fn bidding_war(&mut self) {
        let bidders = u32::try_from(self.rate()).unwrap_or(u32::MAX);
        self.plan.length_us = self.length_us();
        self.plan.lots.push(Lot {
            end_us: self.length_us() + CALM_US,
            reserve: None,
            opening: Vec::new(),
            flat: false,
            soft_close: false,
        });
        for round in 0..self.size.warm_up + self.size.seconds {
            let base = START_PRICE + 10_000 * i64::from(round);
            for bidder in 0..bidders {
                let maximum = base + 10 * self.random.random_range(0..1_000_i64);
                self.plan.bids.push(PlannedBid {
                    due_us: i64::from(round) * SECOND_US,
                    lot: 0,
                    bidder,
                    maximum,
                });
            }
        }
    }

    fn many_lots(&mut self, lots: u32, end_us: i64) {
        let lot = Lot {
            end_us,
            reserve: None,
            opening: Vec::new(),
            flat: false,
            soft_close: false,
        };
        let lots = usize::try_from(lots).unwrap_or_default();
        self.plan.lots = vec![lot; lots];
    }

    fn bid(&mut self, due_us: i64, lot: u32, maximum: i64) {
        let bidder = self.random.random_range(0..BIDDERS);
        self.plan.bids.push(PlannedBid {
            due_us,
            lot,
            bidder,
            maximum,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::burst::CloserChoice;

    fn plan(scenario: Scenario, rate: u32, seconds: u32) -> Plan {
        let size = Size {
            rate: NonZeroU32::new(rate),
            seconds,
            warm_up: 1,
            ..scenario.size()
        };
        Plan::new(&BurstOptions {
            scenario,
            size,
            seed: 7,
            closer: CloserChoice::External,
            patience: std::time::Duration::ZERO,
        })
    }

    fn within(bids: &[PlannedBid], from_s: i64, to_s: i64) -> usize {
        let second = |bid: &&PlannedBid| (from_s..to_s).contains(&(bid.due_us / SECOND_US));
        bids.iter().filter(second).count()
    }

    #[test]
    fn the_same_seed_makes_the_same_plan() {
        for scenario in [
            Scenario::SevenPm,
            Scenario::HotItem,
            Scenario::BiddingWar,
            Scenario::Steady,
        ] {
            let made = plan(scenario, 40, 3);
            assert_eq!(made, plan(scenario, 40, 3), "{}", scenario.as_str());
            assert!(made.bids.is_sorted_by_key(|bid| bid.due_us));
        }
    }

    #[test]
    fn seven_pm_ends_at_its_rate() {
        let plan = plan(Scenario::SevenPm, 1_600, 5);
        assert_eq!(plan.lots.len(), 6 * 1_600);
        for second in 0..6 {
            let ends = plan.lots.iter();
            let ends = ends.filter(|lot| lot.end_us / SECOND_US == second);
            assert_eq!(ends.count(), 1_600);
        }
        // 480 auctions are bid upon late; those that end at once not before.
        let late = plan.bids.iter().filter(|bid| {
            let lot = &plan.lots[usize::try_from(bid.lot).unwrap()];
            bid.due_us > lot.end_us
        });
        assert_eq!((late.count(), plan.bids.len()), (480, 920));
        let unbid = plan.lots.iter().filter(|lot| lot.opening.is_empty());
        assert!((300..700).contains(&unbid.count()));
    }

    #[test]
    fn a_hot_item_grows_hotter() {
        let plan = plan(Scenario::HotItem, 1_000, 9);
        assert_eq!(plan.lots.len(), 1);
        let (first, last) = (within(&plan.bids, 0, 1), within(&plan.bids, 9, 10));
        assert!((130..160).contains(&first), "{first}");
        assert!((940..970).contains(&last), "{last}");
        assert!(
            (5_400..5_600).contains(&plan.bids.len()),
            "{}",
            plan.bids.len()
        );
    }

    #[test]
    fn a_war_has_rounds_of_everybody() {
        let plan = plan(Scenario::BiddingWar, 50, 7);
        assert_eq!(plan.bids.len(), 8 * 50);
        for round in 0..8 {
            assert_eq!(within(&plan.bids, round, round + 1), 50);
        }
    }

    #[test]
    fn steady_is_steady() {
        let plan = plan(Scenario::Steady, 5_000, 2);
        assert_eq!(plan.lots.len(), 10_000);
        for second in 0..3 {
            assert_eq!(within(&plan.bids, second, second + 1), 5_000);
        }
        assert_eq!(plan.last_end_us(), 5 * SECOND_US);
    }
}
