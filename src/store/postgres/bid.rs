//! Accepting a bid: one call, decided in the database.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;

use super::PostgresStore;
use super::pool::{Step, retrying};
use crate::auction::{Amount, AuctionId, Bid, Currency, Micros, Refusal};
use crate::store::contract::{BidAnswer, BidsPlaced, Reply, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};

pub(super) async fn bid_place(
    store: &PostgresStore,
    bid: &Bid,
    mode: WriteMode,
) -> Result<Reply<BidAnswer>, StoreError> {
    let mut step = store.step(mode).await?;
    let reply = place(&mut step, bid).await?;
    step.finish(mode).await?;
    Ok(reply)
}

/// One call each, so that no lock is held while another bid waits for one; what was answered
/// before a call fails stays answered. Those on one auction follow each other, those on others go
/// beside them, so that one flush of the server makes many durable. Each is durable before anybody
/// sees it: what does not wait for the disk could be told to a watcher and then be lost. A
/// rehearsal is one transaction: its later bids see its earlier ones.
pub(super) async fn bid_place_many(
    store: &PostgresStore,
    bids: &[Bid],
    mode: WriteMode,
) -> BidsPlaced {
    if mode == WriteMode::Rehearse {
        return BidsPlaced::of(bids.len(), rehearse(store, bids).await);
    }
    let stop = AtomicBool::new(false);
    let lanes = lanes(bids, store.connections_max());
    let placing = lanes
        .iter()
        .map(|lane| place_lane(store, bids, lane, &stop));
    let mut placed = BidsPlaced::of(bids.len(), Ok(Vec::new()));
    placed.replies.resize_with(bids.len(), || None);
    for (replies, stopped) in join_all(placing).await {
        for (at, reply) in replies {
            placed.replies[at] = Some(reply);
        }
        placed.stopped = placed.stopped.or(stopped);
    }
    placed
}

/// The places of the bids, put to so many lanes at most: those on one auction to one lane.
fn lanes(bids: &[Bid], lanes_max: usize) -> Vec<Vec<usize>> {
    let mut lanes: Vec<Vec<usize>> = Vec::new();
    let mut lane_of: HashMap<AuctionId, usize> = HashMap::new();
    for (at, bid) in bids.iter().enumerate() {
        let next = lane_of.len() % lanes_max.max(1);
        let lane = *lane_of.entry(bid.auction_id).or_insert(next);
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push(at);
    }
    lanes
}

type Answered = (Vec<(usize, Reply<BidAnswer>)>, Option<StoreError>);

/// Places one lane's bids in order, until one fails here or elsewhere.
async fn place_lane(
    store: &PostgresStore,
    bids: &[Bid],
    lane: &[usize],
    stop: &AtomicBool,
) -> Answered {
    let mut replies = Vec::with_capacity(lane.len());
    for at in lane {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match retrying(|| bid_place(store, &bids[*at], WriteMode::Commit)).await {
            Ok(reply) => replies.push((*at, reply)),
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                return (replies, Some(error));
            }
        }
    }
    (replies, None)
}

async fn rehearse(
    store: &PostgresStore,
    bids: &[Bid],
) -> Result<Vec<Reply<BidAnswer>>, StoreError> {
    let mut step = store.transaction().await?;
    let mut replies = Vec::with_capacity(bids.len());
    for bid in bids {
        replies.push(place(&mut step, bid).await?);
    }
    step.finish(WriteMode::Rehearse).await?;
    Ok(replies)
}

/// The row that `place_bid` returns.
#[derive(sqlx::FromRow)]
struct Placed {
    outcome: String,
    seq: Option<i32>,
    at_us: Option<i64>,
    price: Option<i64>,
    leading: Option<bool>,
    end_us: Option<i64>,
    extended: Option<bool>,
    minimum: Option<i64>,
    now_us: i64,
    voided: Option<bool>,
    hint: Option<String>,
}

async fn place(step: &mut Step, bid: &Bid) -> Result<Reply<BidAnswer>, StoreError> {
    let query = "select * from gavel.place_bid($1, $2, $3, $4, $5, $6)";
    let placed: Placed = step
        .query_as(query)
        .bind(bid.auction_id.get())
        .bind(bid.request_id.uuid())
        .bind(bid.bidder.as_str())
        .bind(bid.maximum)
        .bind(bid.currency.code())
        .bind(&bid.nonce[..])
        .fetch_one(step.connection())
        .await?;
    placed.into_reply().ok_or_else(|| {
        let message = "place_bid answered in a way this gavel does not understand";
        StoreError::new(StoreErrorKind::Failed, message)
    })
}

impl Placed {
    fn into_reply(self) -> Option<Reply<BidAnswer>> {
        let now = Micros::new(self.now_us).ok()?;
        match self.outcome.as_str() {
            "accepted" => Some(Reply::Done(self.answer(now)?)),
            "duplicate" => Some(Reply::Repeated(self.answer(now)?)),
            _ => Some(Reply::Refused {
                refusal: self.refusal()?,
                now,
            }),
        }
    }

    fn answer(&self, now: Micros) -> Option<BidAnswer> {
        Some(BidAnswer {
            seq: self.seq?.into(),
            at: Micros::new(self.at_us?).ok()?,
            price: Amount::new(self.price?).ok()?,
            leading: self.leading?,
            end: Micros::new(self.end_us?).ok()?,
            extended: self.extended?,
            minimum: self.minimum?,
            now,
            voided: self.voided?,
        })
    }

    fn refusal(&self) -> Option<Refusal> {
        let hint = self.hint.as_deref();
        Some(match self.outcome.as_str() {
            "not-found" => Refusal::NotFound,
            "request-id-reused" => Refusal::RequestIdReused {
                field: ["kind", "bidder", "maximum"]
                    .into_iter()
                    .find(|field| Some(*field) == hint)?,
            },
            "wrong-currency" => {
                let (code, exponent) = hint?.split_once(' ')?;
                let expected = Currency::from_stored(code, exponent.parse().ok()?).ok()?;
                Refusal::WrongCurrency { expected }
            }
            "cancelled" => Refusal::Cancelled,
            "owned" => Refusal::Owned,
            "not-started" => Refusal::NotStarted {
                start: Micros::new(hint?.parse().ok()?).ok()?,
            },
            "ended" => Refusal::Ended {
                end: Micros::new(self.end_us?).ok()?,
            },
            "seller-cannot-bid" => Refusal::SellerCannotBid,
            "too-high" => Refusal::TooHigh,
            "below-start" => Refusal::BelowStart {
                minimum: self.minimum?,
            },
            "too-low" => Refusal::TooLow {
                minimum: self.minimum?,
            },
            "not-above-own-maximum" => Refusal::NotAboveOwnMaximum,
            _ => return None,
        })
    }
}
