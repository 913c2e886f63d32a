//! Auctions that could not be closed, and how long later batches pass over them.
//!
//! Without it the earliest bad rows would come first in every batch. A sweep passes over them to
//! its end; a daemon tries each again after a pause that doubles, and remembers a bounded number.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::auction::AuctionId;

/// The first pause of a daemon; each failure doubles it.
const FIRST: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// How many auctions a daemon remembers.
const REMEMBERED_MAX: usize = 10_000;

#[derive(Debug)]
pub(super) struct SkipList {
    entries: HashMap<AuctionId, Skipped>,
    backs_off: bool,
}

#[derive(Debug, Clone, Copy)]
struct Skipped {
    /// None: for good.
    until: Option<Instant>,
    failures: u32,
}

impl Skipped {
    fn holds(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

impl SkipList {
    /// For one sweep: whatever is on it stays there.
    pub(super) fn lasting() -> Self {
        Self {
            entries: HashMap::new(),
            backs_off: false,
        }
    }

    /// For a daemon.
    pub(super) fn backing_off() -> Self {
        Self {
            backs_off: true,
            ..Self::lasting()
        }
    }

    /// An auction could not be closed, or is not to be looked at again in this sweep.
    pub(super) fn add(&mut self, auction_id: AuctionId, now: Instant) {
        let failures = self.entries.get(&auction_id).map_or(0, |old| old.failures) + 1;
        let pause = FIRST.saturating_mul(1 << failures.saturating_sub(1).min(16));
        let until = self.backs_off.then(|| now + pause.min(LONGEST));
        if self.backs_off && self.entries.len() >= REMEMBERED_MAX {
            // The one that would be tried again first, or has been already.
            let soonest = self.entries.iter().min_by_key(|(_, skipped)| skipped.until);
            if let Some(soonest) = soonest.map(|(id, _)| *id) {
                self.entries.remove(&soonest);
            }
        }
        self.entries.insert(auction_id, Skipped { until, failures });
    }

    /// It was closed after all.
    pub(super) fn forget(&mut self, auction_id: AuctionId) {
        self.entries.remove(&auction_id);
    }

    pub(super) fn holds(&self, auction_id: AuctionId, now: Instant) -> bool {
        let skipped = self.entries.get(&auction_id);
        skipped.is_some_and(|skipped| skipped.holds(now))
    }

    /// Those of one shard that are passed over now.
    pub(super) fn in_shard(&self, shard: i64, now: Instant) -> Vec<AuctionId> {
        let held = self
            .entries
            .iter()
            .filter(|(id, skipped)| id.shard() == shard && skipped.holds(now));
        held.map(|(id, _)| *id).collect()
    }

    /// How many are passed over now.
    pub(super) fn len(&self, now: Instant) -> usize {
        let entries = self.entries.values();
        entries.filter(|skipped| skipped.holds(now)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: i64) -> AuctionId {
        AuctionId::new(number).unwrap()
    }

    #[test]
    fn a_sweep_never_comes_back_to_one() {
        let (mut skip, now) = (SkipList::lasting(), Instant::now());
        skip.add(id(7), now);
        let later = now + LONGEST * 100;
        assert!(skip.holds(id(7), later) && !skip.holds(id(8), later));
        assert_eq!(skip.in_shard(id(7).shard(), later), [id(7)]);
        assert_eq!(skip.in_shard(id(7).shard() + 1, later), []);
        assert_eq!(skip.len(later), 1);
    }

    #[test]
    fn a_daemon_comes_back_later_each_time() {
        let (mut skip, mut now) = (SkipList::backing_off(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..9 {
            skip.add(id(7), now);
            let pause = (1..).find(|s| !skip.holds(id(7), now + Duration::from_secs(*s)));
            pauses.push(pause.unwrap());
            now += LONGEST;
        }
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 900, 900]);
        skip.forget(id(7));
        skip.add(id(7), now);
        assert!(!skip.holds(id(7), now + FIRST));
    }

    #[test]
    fn a_daemon_remembers_a_bounded_number() {
        let (mut skip, now) = (SkipList::backing_off(), Instant::now());
        for number in 1..=12_000 {
            skip.add(
                id(number),
                now + Duration::from_micros(number.unsigned_abs()),
            );
        }
        assert_eq!(skip.len(now), REMEMBERED_MAX);
        assert!(skip.holds(id(12_000), now) && !skip.holds(id(1), now));
    }
}
