//! Leader and price computed a second way, from the bids as a set instead of one by one.
//!
//! Written apart from the rules' fold and sharing nothing with it but the step table, so that a
//! mistake in one of the two shows. With `r` the runner-up's maximum and `q` the seq that first
//! reached it: `L*` is the leader's last maximum before `q` if that is at least `r`, else the
//! leader's first bid above `r` after `q` (`keep`); or the leader's last maximum (`reprice`). The
//! price is min(`L*`, `r` + step(`r`)), then at least the reserve if the leader reaches it.

use crate::auction::book::BookedBid;
use crate::auction::price::Standing;
use crate::auction::{Amount, OwnRaise, PartyId, Terms};

/// Who leads, at what price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossChecked<'a, P = PartyId> {
    /// The leading bidder.
    pub leader: &'a P,
    /// The public price.
    pub price: Amount,
}

/// Leader and price of the bids that count; none without any.
pub fn cross_check<'a, P: PartialEq>(
    terms: &Terms,
    bids: &'a [BookedBid<P>],
) -> Option<CrossChecked<'a, P>> {
    let counted = || bids.iter().filter(|bid| !bid.voided);
    // The highest maximum; among equals whoever reached it first.
    let top = counted().reduce(|best, bid| {
        if bid.maximum > best.maximum {
            bid
        } else {
            best
        }
    })?;
    let leader = &top.bidder;
    let second = counted()
        .filter(|bid| bid.bidder != *leader)
        .reduce(|best, bid| {
            if bid.maximum > best.maximum {
                bid
            } else {
                best
            }
        });
    let price = match second {
        None => terms.start_price,
        Some(second) => {
            let mut own = counted().filter(|bid| bid.bidder == *leader);
            let limit = match terms.own_raise {
                OwnRaise::Reprice => top.maximum,
                OwnRaise::Keep => own
                    .clone()
                    .take_while(|bid| bid.seq < second.seq)
                    .last()
                    .filter(|bid| bid.maximum >= second.maximum)
                    .or_else(|| {
                        own.find(|bid| bid.seq > second.seq && bid.maximum > second.maximum)
                    })
                    .map_or(top.maximum, |bid| bid.maximum),
            };
            let stepped = second.maximum.minor() + terms.steps.step_at(second.maximum);
            Amount::new(stepped).map_or(limit, |stepped| stepped.min(limit))
        }
    };
    let price = match terms.reserve {
        Some(reserve) if top.maximum >= reserve => price.max(reserve),
        _ => price,
    };
    Some(CrossChecked { leader, price })
}

/// Whether the fold's standing is another one than the cross-check's.
pub fn cross_check_differs<P: PartialEq>(
    terms: &Terms,
    bids: &[BookedBid<P>],
    standing: &Standing<P>,
) -> bool {
    let folded = standing.leader.as_ref().map(|leader| &leader.bidder);
    match cross_check(terms, bids) {
        None => folded.is_some() || standing.price.is_some(),
        Some(second) => folded != Some(second.leader) || standing.price != Some(second.price),
    }
}
