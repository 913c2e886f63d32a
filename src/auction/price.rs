//! The price rule: who leads, who is second, and what the leader would pay.
//!
//! price = min(leader's maximum, runner-up's maximum + step(runner-up's maximum)); the first bid
//! opens at the start price; whenever the leader's maximum reaches the reserve, the price is at
//! least the reserve. This is the proxy-bidding rule of the large auction sites.

use super::ids::PartyId;
use super::money::Amount;
use super::state::Leader;
use super::terms::{OwnRaise, Terms};

/// Leader, runner-up and price: what a bid or a void can change beside the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing<P = PartyId> {
    /// Who leads, with the hidden maximum.
    pub leader: Option<Leader<P>>,
    /// The highest maximum of the other bidders.
    pub runner_up: Option<Amount>,
    /// The public price; none while nobody leads.
    pub price: Option<Amount>,
}

/// Nobody has bid.
impl<P> Default for Standing<P> {
    fn default() -> Self {
        Self {
            leader: None,
            runner_up: None,
            price: None,
        }
    }
}

impl<P: Clone + PartialEq> Standing<P> {
    /// Somebody leads and the reserve, if any, is met.
    pub fn reserve_met(&self, terms: &Terms) -> bool {
        self.leader.as_ref().is_some_and(|leader| {
            terms
                .reserve
                .is_none_or(|reserve| leader.maximum >= reserve)
        })
    }

    /// The standing after a bid. Minima are the business of `decide`; a re-fold after a void
    /// comes through here too and does not check them again.
    pub fn after_bid(&self, terms: &Terms, bidder: &P, maximum: Amount) -> Self {
        let challenger = Leader {
            bidder: bidder.clone(),
            maximum,
        };
        let (leader, runner_up, raise) = match &self.leader {
            None => (challenger, None, false),
            Some(leader) if leader.bidder == *bidder => {
                let maximum = leader.maximum.max(maximum);
                (
                    Leader {
                        maximum,
                        ..challenger
                    },
                    self.runner_up,
                    true,
                )
            }
            Some(leader) if maximum > leader.maximum => (challenger, Some(leader.maximum), false),
            Some(leader) => (leader.clone(), self.runner_up.max(Some(maximum)), false),
        };
        let price = match self.price {
            Some(price) if raise && terms.own_raise == OwnRaise::Keep => price,
            _ => formula(terms, leader.maximum, runner_up),
        };
        let price = lift_to_reserve(terms, leader.maximum, price);
        Self {
            leader: Some(leader),
            runner_up,
            price: Some(price),
        }
    }
}

/// min(leader's maximum, runner-up's maximum + its step); the start price without a runner-up.
fn formula(terms: &Terms, leader: Amount, runner_up: Option<Amount>) -> Amount {
    match runner_up {
        None => terms.start_price,
        Some(second) => {
            Amount::new(terms.steps.next(second)).map_or(leader, |next| next.min(leader))
        }
    }
}

fn lift_to_reserve(terms: &Terms, leader: Amount, price: Amount) -> Amount {
    match terms.reserve {
        Some(reserve) if leader >= reserve => price.max(reserve),
        _ => price,
    }
}
