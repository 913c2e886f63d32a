//! The story: five auctions that end on a Sunday evening, told on a settable clock.

use super::run::{DemoError, party};
use super::scene::{BidScene, Scene};
use crate::auction::book::Create;
use crate::auction::{
    AuctionId, Bid, Currency, ExtendMode, ExtendTrigger, Micros, OwnRaise, RequestId, SoftClose,
    StepTable, Terms,
};
use crate::clock::Clock;
use crate::closer::{SweepOptions, sweep};
use crate::store::{AuctionRow, Contract, Reply, StoreError, StoreErrorKind, WriteMode};

const OPENS: &str = "2026-11-23T09:00:00-08:00";
const ENDS: &str = "2026-11-29T19:00:00-08:00";

/// One auction of the story.
struct Lot {
    id: i64,
    title: &'static str,
    start_price: &'static str,
    reserve: &'static str,
    soft_close: bool,
}

const LOTS: [Lot; 5] = [
    Lot {
        id: 7_731,
        title: "Chronograph, steel, 1969",
        start_price: "9500",
        reserve: "0",
        soft_close: false,
    },
    Lot {
        id: 7_732,
        title: "Game console, two controllers",
        start_price: "15",
        reserve: "0",
        soft_close: false,
    },
    Lot {
        id: 7_733,
        title: "Box of cables",
        start_price: "5",
        reserve: "0",
        soft_close: false,
    },
    Lot {
        id: 7_734,
        title: "Oil painting, unsigned",
        start_price: "100",
        reserve: "500",
        soft_close: false,
    },
    Lot {
        id: 7_735,
        title: "Walnut writing desk",
        start_price: "50",
        reserve: "0",
        soft_close: true,
    },
];

/// One bid: when, on what, by whom, up to what.
struct Move(&'static str, i64, &'static str, &'static str);

const BEFORE_THE_END: [Move; 8] = [
    Move("2026-11-24T20:15:00-08:00", 7_731, "marcus", "12000"),
    Move("2026-11-25T08:05:00-08:00", 7_732, "ines", "40"),
    Move("2026-11-26T12:30:00-08:00", 7_734, "noor", "320"),
    Move("2026-11-27T18:40:00-08:00", 7_731, "elena", "12000"),
    Move("2026-11-28T21:00:00-08:00", 7_732, "tomas", "55"),
    Move("2026-11-29T18:10:00-08:00", 7_735, "ada", "80"),
    Move("2026-11-29T18:58:30-08:00", 7_735, "ben", "95"),
    Move("2026-11-29T18:59:59.999999-08:00", 7_735, "ada", "120"),
];
const AFTER_THE_END: Move = Move("2026-11-29T19:00:00.050-08:00", 7_731, "theo", "12100");
const SWEEPS: [&str; 2] = ["2026-11-29T19:00:01-08:00", "2026-11-29T19:05:01-08:00"];

pub(super) async fn tell<S: Contract>(
    store: &S,
    clock: &Clock,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<(), DemoError> {
    observe(Scene::Chapter(
        "Monday: five auctions open, all to end on Sunday at 7 p.m.",
    ));
    clock.set(OPENS.parse()?);
    for lot in &LOTS {
        let create = lot.create()?;
        done(
            store
                .auction_create(std::slice::from_ref(&create), WriteMode::Commit)
                .await?,
        )?;
        observe(Scene::Created(Box::new(
            row(store, create.auction_id).await?,
        )));
    }
    observe(Scene::Chapter(
        "The week: maxima are hidden, the price is what the rules make of them",
    ));
    for (index, step) in BEFORE_THE_END.iter().enumerate() {
        bid(store, clock, step, index, observe).await?;
    }
    observe(Scene::Chapter(
        "7 p.m.: the clock decides, the closer only notices",
    ));
    bid(store, clock, &AFTER_THE_END, BEFORE_THE_END.len(), observe).await?;
    let at = clock.now();
    let row = row(store, AuctionId::new(AFTER_THE_END.1)?).await?;
    observe(Scene::Looked {
        row: Box::new(row),
        at,
    });
    for instant in SWEEPS {
        run_sweep(store, clock, instant, observe).await?;
    }
    Ok(())
}

impl Lot {
    fn create(&self) -> Result<Create, DemoError> {
        let currency = Currency::from_code("USD")?;
        let soft_close = SoftClose {
            window: "5m".parse()?,
            extend_by: "5m".parse()?,
            mode: ExtendMode::Reset,
            trigger: ExtendTrigger::NotOwnRaise,
            cap: None,
        };
        Ok(Create {
            auction_id: AuctionId::new(self.id)?,
            request_id: request_id(self.id, 0),
            actor: party("estate-sales")?,
            nonce: nonce(self.id, 0),
            terms: Terms {
                seller: party("estate-sales")?,
                title: self.title.to_owned(),
                currency,
                start_price: currency.parse(self.start_price)?,
                steps: StepTable::parse("ebay-us", currency)?,
                reserve: currency.parse_optional(self.reserve)?,
                own_raise: OwnRaise::Keep,
                soft_close: self.soft_close.then_some(soft_close),
                start: OPENS.parse()?,
                end: ENDS.parse()?,
            },
        })
    }
}

async fn bid<S: Contract>(
    store: &S,
    clock: &Clock,
    Move(instant, id, bidder, maximum): &Move,
    index: usize,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<(), DemoError> {
    clock.set(instant.parse()?);
    let auction_id = AuctionId::new(*id)?;
    let before = row(store, auction_id).await?;
    let currency = before.terms.currency;
    let number = i64::try_from(index).unwrap_or(0) + 1;
    let bid = Bid {
        auction_id,
        request_id: request_id(*id, number),
        bidder: party(bidder)?,
        maximum: currency.parse(maximum)?.minor(),
        currency,
        nonce: nonce(*id, number),
    };
    let reply = store.bid_place(&bid, WriteMode::Commit).await?;
    let after = row(store, auction_id).await?;
    observe(Scene::Bid(Box::new(BidScene {
        at: clock.now(),
        title: after.terms.title,
        bidder: bid.bidder,
        maximum: (*maximum).to_owned(),
        currency,
        led: before.leader,
        leads: after.leader,
        reply,
        status: after.status,
    })));
    Ok(())
}

async fn run_sweep<S: Contract>(
    store: &S,
    clock: &Clock,
    instant: &str,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<(), DemoError> {
    let at: Micros = instant.parse()?;
    clock.set(at);
    let mut closed = Vec::new();
    let (report, outcome) = sweep(store, &SweepOptions::default(), |batch| {
        closed.extend(batch.iter().map(|closed| closed.auction_id));
    })
    .await;
    outcome?;
    closed.sort_unstable();
    let mut rows = Vec::new();
    for auction_id in closed {
        rows.push(row(store, auction_id).await?);
    }
    observe(Scene::Swept { at, report, rows });
    Ok(())
}

pub(super) fn done<T>(replies: Vec<Reply<T>>) -> Result<(), DemoError> {
    for reply in replies {
        if let Reply::Refused { refusal, .. } = reply {
            return Err(DemoError::Script(refusal.to_string()));
        }
    }
    Ok(())
}

async fn row<S: Contract>(store: &S, auction_id: AuctionId) -> Result<AuctionRow, DemoError> {
    store.auction_get(auction_id).await?.ok_or_else(|| {
        DemoError::Store(StoreError::new(
            StoreErrorKind::Failed,
            "the story's auction is gone",
        ))
    })
}

/// The story's ids and nonces are fixed: its ledger is the same in every run.
fn request_id(auction: i64, number: i64) -> RequestId {
    RequestId::from_bytes(nonce(auction, number))
}

fn nonce(auction: i64, number: i64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&auction.to_be_bytes());
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    bytes
}
