//! The agenda of a tick: which auctions are to be closed when.
//!
//! Instants are the store's. An auction that was not closed when its turn came (extended, or
//! locked for a moment by a bid) gets another turn; what does not fit before the next tick is left
//! to that.

use std::collections::{BTreeSet, HashMap};

use crate::auction::{AuctionId, Micros, Span};
use crate::store::Ending;

/// How often an auction gets another turn in one tick.
const TURNS_MAX: u32 = 6;
/// The first wait for another turn, in microseconds; each is twice the one before.
const WAIT_US: i64 = 5_000;

#[derive(Debug)]
pub(super) struct Agenda {
    /// By instant.
    turns: BTreeSet<Ending>,
    missed: HashMap<AuctionId, u32>,
    until: Micros,
}

impl Agenda {
    /// For a tick that lasts until an instant.
    pub(super) fn new(endings: impl IntoIterator<Item = Ending>, until: Micros) -> Self {
        Self {
            turns: endings.into_iter().collect(),
            missed: HashMap::new(),
            until,
        }
    }

    /// When the next turn comes.
    pub(super) fn next(&self) -> Option<Micros> {
        self.turns.first().map(|turn| turn.end)
    }

    /// Those whose turn has come, the earliest first.
    pub(super) fn take(&mut self, now: Micros, limit: usize) -> Vec<AuctionId> {
        let mut taken = Vec::new();
        for _ in 0..limit {
            match self.turns.first() {
                Some(turn) if turn.end <= now => taken.push(turn.auction_id),
                _ => break,
            }
            self.turns.pop_first();
        }
        taken
    }

    /// One that was not closed at its turn, with the end that is in force now.
    pub(super) fn rearm(&mut self, ending: Ending, now: Micros) {
        let Ending { end, auction_id } = ending;
        let turn = if end > now {
            end
        } else {
            let missed = self.missed.entry(auction_id).or_default();
            *missed += 1;
            if *missed > TURNS_MAX {
                return;
            }
            match Span::new(WAIT_US << (*missed - 1)) {
                Ok(wait) => now.plus(wait),
                Err(_) => return,
            }
        };
        if turn <= self.until {
            self.turns.insert(Ending {
                end: turn,
                auction_id,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: i64) -> Micros {
        Micros::new(us).unwrap()
    }

    fn ending(id: i64, us: i64) -> Ending {
        Ending {
            end: at(us),
            auction_id: AuctionId::new(id).unwrap(),
        }
    }

    fn taken(agenda: &mut Agenda, us: i64, limit: usize) -> Vec<i64> {
        let ids = agenda.take(at(us), limit);
        ids.into_iter().map(AuctionId::get).collect()
    }

    #[test]
    fn turns_come_by_instant_and_in_batches() {
        let endings = [ending(1, 30), ending(2, 10), ending(3, 20), ending(4, 10)];
        let mut agenda = Agenda::new(endings, at(1_000));
        assert_eq!(agenda.next(), Some(at(10)));
        assert_eq!(taken(&mut agenda, 9, 10), [0; 0]);
        assert_eq!(taken(&mut agenda, 20, 2), [2, 4]);
        assert_eq!(taken(&mut agenda, 20, 2), [3]);
        assert_eq!(
            (taken(&mut agenda, 20, 2), agenda.next()),
            (vec![], Some(at(30)))
        );
    }

    #[test]
    fn an_extended_auction_gets_its_turn_at_the_new_end() {
        let mut agenda = Agenda::new([ending(1, 10), ending(2, 10)], at(50));
        assert_eq!(taken(&mut agenda, 10, 10), [1, 2]);
        agenda.rearm(ending(1, 50), at(10));
        agenda.rearm(ending(2, 51), at(10));
        assert_eq!(taken(&mut agenda, 49, 10), [0; 0]);
        assert_eq!(
            taken(&mut agenda, 50, 10),
            [1],
            "the other is the next tick's"
        );
        assert_eq!(agenda.next(), None);
    }

    #[test]
    fn a_locked_auction_is_tried_again_for_a_while() {
        let mut agenda = Agenda::new([ending(1, 10)], at(1_000_000));
        let (mut now, mut waits) = (10, Vec::new());
        while let Some(turn) = agenda.next() {
            waits.push(turn.get() - now);
            now = turn.get();
            assert_eq!(taken(&mut agenda, now, 10), [1]);
            agenda.rearm(ending(1, 10), at(now));
        }
        assert_eq!(waits, [0, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000]);
    }
}
