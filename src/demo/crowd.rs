//! The crowd: many auctions, many bidders at once, one sweep.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::run::{DemoError, DemoOptions, party};
use super::scene::Scene;
use super::story;
use crate::auction::book::Create;
use crate::auction::{
    Amount, AuctionId, Bid, Currency, Micros, OwnRaise, RequestId, Span, StepTable, Terms,
};
use crate::clock::Clock;
use crate::closer::{SweepOptions, SweepReport, sweep};
use crate::store::{Contract, Reply, WriteMode};

/// The crowd's auctions start here.
const FIRST_ID: i64 = 100_000;
/// Between two bids on the crowd's clock.
const BID_EVERY_US: i64 = 50_000;

/// What the crowd did.
#[derive(Debug, Clone, Default)]
pub struct CrowdReport {
    /// Auctions created.
    pub auctions: u64,
    /// Bids accepted.
    pub accepted: u64,
    /// Bids refused by the rules.
    pub refused: u64,
    /// The sweep after the end.
    pub sweep: SweepReport,
}

pub(super) async fn bid_and_sweep<S: Contract + Clone + 'static>(
    store: &S,
    clock: &Clock,
    options: &DemoOptions,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<CrowdReport, DemoError> {
    observe(Scene::Chapter("The crowd: everybody bids at once"));
    let opens = clock.now();
    let bids = i64::from(options.bids);
    let ends = opens.plus(Span::new((bids + 1) * BID_EVERY_US)?);
    let mut random = StdRng::seed_from_u64(options.seed);
    let creates: Vec<Create> = (0..options.auctions)
        .map(|index| create(FIRST_ID + i64::from(index), opens, ends, &mut random))
        .collect::<Result<_, _>>()?;
    story::done(store.auction_create(&creates, WriteMode::Commit).await?)?;

    let mut report = CrowdReport {
        auctions: u64::from(options.auctions),
        ..Default::default()
    };
    let total = u64::from(options.bids);
    let (answers, mut answered) = mpsc::channel::<bool>(256);
    let mut bidders = JoinSet::new();
    for number in 0..options.bidders {
        let share = (number..options.bids).step_by(usize::try_from(options.bidders).unwrap_or(1));
        let plan: Vec<Bid> = share
            .map(|index| bid(options, index, &mut random))
            .collect::<Result<_, _>>()?;
        bidders.spawn(bid_all(store.clone(), clock.clone(), plan, answers.clone()));
    }
    drop(answers);
    while let Some(accepted) = answered.recv().await {
        let counted = if accepted {
            &mut report.accepted
        } else {
            &mut report.refused
        };
        *counted += 1;
        observe(Scene::Crowd {
            done: report.accepted + report.refused,
            total,
        });
    }
    while let Some(outcome) = bidders.join_next().await {
        outcome.map_err(|error| DemoError::Bidder(error.to_string()))??;
    }
    clock.set(ends);
    let (swept, outcome) = sweep(store, &SweepOptions::default(), |_| {}).await;
    outcome?;
    report.sweep = swept.clone();
    observe(Scene::Swept {
        at: ends,
        report: swept,
        rows: Vec::new(),
    });
    Ok(report)
}

async fn bid_all<S: Contract>(
    store: S,
    clock: Clock,
    plan: Vec<Bid>,
    answers: mpsc::Sender<bool>,
) -> Result<(), DemoError> {
    for bid in plan {
        clock.advance(Span::new(BID_EVERY_US)?);
        let reply = store.bid_place(&bid, WriteMode::Commit).await?;
        let accepted = !matches!(reply, Reply::Refused { .. });
        // The receiver outlives the bidders; if it is gone, the demonstration has failed already.
        if answers.send(accepted).await.is_err() {
            break;
        }
    }
    Ok(())
}

fn create(id: i64, opens: Micros, ends: Micros, random: &mut StdRng) -> Result<Create, DemoError> {
    let currency = Currency::from_code("USD")?;
    let start_price = Amount::new(random.random_range(1..=50) * 100)?;
    let reserve = random
        .random_bool(0.2)
        .then(|| start_price.minor() * random.random_range(4..=60));
    Ok(Create {
        auction_id: AuctionId::new(id)?,
        request_id: RequestId::from_bytes(random.random()),
        actor: party("estate-sales")?,
        nonce: random.random(),
        terms: Terms {
            seller: party("estate-sales")?,
            title: format!("Lot {}", id - FIRST_ID + 1),
            currency,
            start_price,
            steps: StepTable::parse("ebay-us", currency)?,
            reserve: reserve.map(Amount::new).transpose()?,
            own_raise: OwnRaise::Keep,
            soft_close: None,
            start: opens,
            end: ends,
        },
    })
}

/// The later the bid, the higher the maxima go; one auction in twenty is left alone.
fn bid(options: &DemoOptions, index: u32, random: &mut StdRng) -> Result<Bid, DemoError> {
    let wanted = (options.auctions - options.auctions / 20).max(1);
    let auction = FIRST_ID + i64::from(random.random_range(0..wanted));
    let bidder = random.random_range(1..=400_u32);
    Ok(Bid {
        auction_id: AuctionId::new(auction)?,
        request_id: RequestId::from_bytes(random.random()),
        bidder: party(&format!("bidder-{bidder}"))?,
        maximum: random.random_range(10..=100 + i64::from(index)) * 50,
        currency: Currency::from_code("USD")?,
        nonce: random.random(),
    })
}
