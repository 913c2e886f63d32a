//! The price of an auction from its unvoided bids at once, without folding them: a second,
//! independent statement of the rules.
//!
//! With r the runner-up's maximum and q the seq that first reached it, L* = the leader's last
//! maximum before q if that is at least r, else the leader's first bid above r after q (`keep`),
//! or simply the leader's last maximum (`reprice`); price = min(L*, r + step(r)); then the
//! reserve.

use gavel::auction::book::BookedBid;
use gavel::auction::{OwnRaise, Terms};

/// Leader, price and whether the reserve is met, in minor units.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) leader: String,
    pub(crate) price: i64,
    pub(crate) reserve_met: bool,
}

/// What the bids that count make of the terms; none while nobody leads.
pub(crate) fn verdict(terms: &Terms, bids: &[BookedBid]) -> Option<Verdict> {
    let live: Vec<(&str, i64, i64)> = bids
        .iter()
        .filter(|bid| !bid.voided)
        .map(|bid| (bid.bidder.as_str(), bid.seq, bid.maximum.minor()))
        .collect();
    let top = live.iter().map(|(_, _, maximum)| *maximum).max()?;
    let leader = live.iter().find(|(_, _, maximum)| *maximum == top)?.0;
    let own: Vec<(i64, i64)> = live
        .iter()
        .filter(|(bidder, ..)| *bidder == leader)
        .map(|(_, seq, maximum)| (*seq, *maximum))
        .collect();
    let others = || live.iter().filter(|(bidder, ..)| *bidder != leader);
    let by_rule = match others().map(|(_, _, maximum)| *maximum).max() {
        None => terms.start_price.minor(),
        Some(second) => {
            let reached = others().find(|(_, _, maximum)| *maximum == second)?.1;
            let before = own.iter().rfind(|(seq, _)| *seq < reached);
            let after = own
                .iter()
                .find(|(seq, maximum)| *seq > reached && *maximum > second);
            let effective = match terms.own_raise {
                OwnRaise::Reprice => own.last()?.1,
                OwnRaise::Keep => match before {
                    Some((_, maximum)) if *maximum >= second => *maximum,
                    _ => after?.1,
                },
            };
            effective.min(second + step_at(terms, second))
        }
    };
    let reserve = terms.reserve.map_or(0, |reserve| reserve.minor());
    let reserve_met = top >= reserve;
    Some(Verdict {
        leader: leader.to_owned(),
        price: if reserve_met {
            by_rule.max(reserve)
        } else {
            by_rule
        },
        reserve_met,
    })
}

/// The step of the last rung at or below an amount, by walking the rungs.
fn step_at(terms: &Terms, amount: i64) -> i64 {
    let rungs = terms.steps.rungs().iter();
    let mut below = rungs.filter(|rung| rung.0.minor() <= amount);
    below.next_back().unwrap().1.minor()
}
