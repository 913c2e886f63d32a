//! A bid: decided from the row's state alone, so that accepting one costs the same however long
//! the ledger is.

use super::entry::{Entry, Kind, Nonce, Secret, ZERO};
use super::ids::{AuctionId, PartyId, RequestId};
use super::money::{Amount, Currency};
use super::price::Standing;
use super::refusal::Refusal;
use super::soft_close::{BidKind, end_after_bid};
use super::state::{State, Status};
use super::terms::Terms;
use super::time::Micros;

/// A bid as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    /// The auction.
    pub auction_id: AuctionId,
    /// The idempotency key.
    pub request_id: RequestId,
    /// Who bids.
    pub bidder: PartyId,
    /// The hidden maximum in minor units; anything above [`Amount::MAX`] is `too-high`.
    pub maximum: i64,
    /// The currency the bidder meant.
    pub currency: Currency,
    /// Hides the maximum in the commitment.
    pub nonce: Nonce,
}

/// Names the first refusal in the documented order, or the entry to append. `not-found` and the
/// request id have been settled by the caller.
pub fn decide(terms: &Terms, state: &State, bid: &Bid, now: Micros) -> Result<Entry, Refusal> {
    if bid.currency.code() != terms.currency.code() {
        return Err(Refusal::WrongCurrency {
            expected: terms.currency,
        });
    }
    let t = state.effective_time(now);
    let (maximum, Taken { standing, end }) = judge(terms, state, &bid.bidder, bid.maximum, t)?;
    let secret = Secret {
        amount: maximum,
        nonce: bid.nonce,
    };
    let entry = Entry {
        auction_id: bid.auction_id,
        seq: state.last_seq + 1,
        kind: Kind::Bid,
        at: t,
        request_id: bid.request_id,
        actor: bid.bidder.clone(),
        secret: Some(secret),
        commit: secret.commit(),
        detail: String::new(),
        price: standing.price,
        leader: standing.leader.as_ref().map(|leader| leader.bidder.clone()),
        end,
        reserve_met: standing.reserve_met(terms),
        extended: end > state.end,
        hash: ZERO,
    };
    Ok(entry.sealed(&state.head))
}

/// What a bid that was accepted changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken<P = PartyId> {
    /// Leader, runner-up and price after it.
    pub standing: Standing<P>,
    /// The end in force after it.
    pub end: Micros,
}

/// A bid in the auction's currency at its effective time: its maximum and what it changes, or the
/// first refusal in the documented order.
pub fn judge<P: Clone + PartialEq + PartialEq<PartyId>>(
    terms: &Terms,
    state: &State<P>,
    bidder: &P,
    maximum: i64,
    t: Micros,
) -> Result<(Amount, Taken<P>), Refusal> {
    let maximum = check(terms, state, bidder, maximum, t)?;
    let taken = outcome(terms, state, bidder, maximum, t);
    debug_assert!(
        taken.standing.price >= state.price(),
        "a bid never lowers the price"
    );
    Ok((maximum, taken))
}

fn check<P: PartialEq + PartialEq<PartyId>>(
    terms: &Terms,
    state: &State<P>,
    bidder: &P,
    maximum: i64,
    t: Micros,
) -> Result<Amount, Refusal> {
    if state.status == Status::Cancelled {
        return Err(Refusal::Cancelled);
    }
    if state.owned {
        return Err(Refusal::Owned);
    }
    if t < terms.start {
        return Err(Refusal::NotStarted { start: terms.start });
    }
    if t >= state.end || state.status != Status::Open {
        return Err(Refusal::Ended { end: state.end });
    }
    if *bidder == terms.seller {
        return Err(Refusal::SellerCannotBid);
    }
    if maximum > Amount::MAX {
        return Err(Refusal::TooHigh);
    }
    let minimum = terms.minimum(state.price());
    let refused = match &state.standing.leader {
        None => (maximum < minimum).then_some(Refusal::BelowStart { minimum }),
        Some(leader) if leader.bidder == *bidder => {
            (maximum <= leader.maximum.minor()).then_some(Refusal::NotAboveOwnMaximum)
        }
        Some(_) => (maximum < minimum).then_some(Refusal::TooLow { minimum }),
    };
    if let Some(refusal) = refused {
        return Err(refusal);
    }
    // Every minimum is at least 1, so what is left can only be an amount.
    Amount::new(maximum).map_err(|_| Refusal::TooLow { minimum })
}

/// The state after a bid entry with this maximum. Nothing of the outcome that the entry records
/// is used, so that comparing the two means something.
pub fn fold(terms: &Terms, state: &State, entry: &Entry, maximum: Amount) -> State {
    let Taken { standing, end } = outcome(terms, state, &entry.actor, maximum, entry.at);
    let bid_count = state.bid_count + 1;
    State {
        standing,
        end,
        bid_count,
        ..stamped(state, entry)
    }
}

/// The standing and the end after an accepted bid at `t`.
fn outcome<P: Clone + PartialEq>(
    terms: &Terms,
    state: &State<P>,
    bidder: &P,
    maximum: Amount,
    t: Micros,
) -> Taken<P> {
    let standing = state.standing.after_bid(terms, bidder, maximum);
    let leads = state.leader_id();
    let kind = BidKind {
        own_raise: leads == Some(bidder),
        leader_change: leads != standing.leader.as_ref().map(|leader| &leader.bidder),
    };
    let end = end_after_bid(terms.soft_close, state.end, t, kind);
    Taken { standing, end }
}

/// The part of every fold that only says: this entry came last.
pub(super) fn stamped(state: &State, entry: &Entry) -> State {
    State {
        last_seq: entry.seq,
        last_at: entry.at,
        head: entry.hash,
        ..state.clone()
    }
}
