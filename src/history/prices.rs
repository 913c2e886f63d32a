//! A history that shows prices and not maxima: the least maxima that the record allows.
//!
//! A row that is no automatic answer is a bid; the answers are what the rules make of it. What the
//! leader had reached when beaten, and what a beaten bid shows, is what the maxima must have been
//! at least; the winner's is known up to the price.

use super::lot::LotBid;
use crate::auction::{Amount, StepTable};

/// A bid, together with the automatic answer it caused.
#[derive(Debug, Clone, Copy)]
pub(super) enum Challenge<'a> {
    /// The leader's answer holds the lead, at the answer's price.
    Beaten {
        /// The bid.
        bid: &'a LotBid,
        /// The answer's price.
        answer: Amount,
    },
    /// The bid takes the lead.
    Leads {
        /// The bid.
        bid: &'a LotBid,
        /// The leader had gone as far as this; none: nobody led.
        beaten: Option<Amount>,
    },
}

impl<'a> Challenge<'a> {
    /// The bid.
    pub(super) fn bid(self) -> &'a LotBid {
        match self {
            Self::Beaten { bid, .. } | Self::Leads { bid, .. } => bid,
        }
    }

    /// The price shown after it.
    pub(super) fn price(self) -> Amount {
        match self {
            Self::Beaten { answer, .. } => answer,
            Self::Leads { bid, .. } => bid.amount,
        }
    }
}

/// Puts every automatic answer to its bid. A site lists an answer that holds the lead after the
/// bid, and one that was not enough before it; it bears the bid's instant, or one up to `skew_us`
/// before. The answers that belong to no bid are the second part.
pub(super) fn pair(events: &[LotBid], skew_us: i64) -> (Vec<Challenge<'_>>, Vec<&LotBid>) {
    let belongs = |answer: &LotBid, bid: &LotBid| {
        answer.automatic && !bid.automatic && (0..=skew_us).contains(&bid.at.since(answer.at))
    };
    let mut challenges: Vec<Challenge<'_>> = Vec::new();
    let mut alone = Vec::new();
    let mut events = events.iter().peekable();
    while let Some(event) = events.next() {
        if event.automatic {
            match events.next_if(|bid| belongs(event, bid)) {
                None => alone.push(event),
                Some(bid) => challenges.push(Challenge::Leads {
                    bid,
                    beaten: Some(event.amount),
                }),
            }
        } else if let Some(answer) = events.next_if(|answer| belongs(answer, event)) {
            challenges.push(Challenge::Beaten {
                bid: event,
                answer: answer.amount,
            });
        } else {
            challenges.push(Challenge::Leads {
                bid: event,
                beaten: challenges.last().map(|before| before.price()),
            });
        }
    }
    (challenges, alone)
}

/// A bid's maximum, and what the bidder raised it to later while leading, unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Maximum {
    pub(super) bid: Amount,
    pub(super) raised: Option<Amount>,
}

/// The least maxima that the record allows.
pub(super) fn maxima(challenges: &[Challenge<'_>], steps: &StepTable) -> Vec<Maximum> {
    let mut maxima = Vec::with_capacity(challenges.len());
    // What the leader goes as far as, seen from the end; the winner's is shown up to the price.
    let mut reached: Option<Amount> = None;
    for challenge in challenges.iter().rev() {
        maxima.push(match *challenge {
            Challenge::Beaten { bid, answer } => {
                reached = reached.max(Some(answer));
                Maximum {
                    bid: bid.amount,
                    raised: None,
                }
            }
            Challenge::Leads { bid, beaten } => {
                let all = reached.max(Some(bid.amount)).unwrap_or(bid.amount);
                reached = beaten;
                // A price short of a full step above the beaten one is the new leader's maximum.
                let short = beaten.is_some_and(|beaten| bid.amount.minor() < steps.next(beaten));
                let raised = short && all > bid.amount;
                Maximum {
                    bid: if raised { bid.amount } else { all },
                    raised: raised.then_some(all),
                }
            }
        });
    }
    maxima.reverse();
    maxima
}
