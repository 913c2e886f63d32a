//! Makes a run's auctions, with what they have before the load.
//!
//! The ledger of each is decided and folded here by the rules and written whole, many auctions in
//! one transaction: making 96,000 of them bid by bid would take longer than the load.

use tokio::sync::mpsc;

use super::error::BurstError;
use super::plan::{Lot, Plan, START_PRICE};
use super::run_id::RunId;
use crate::auction::book::Create;
use crate::auction::{
    Amount, AuctionId, Bid, Book, Currency, ExtendMode, ExtendTrigger, Micros, OwnRaise, PartyId,
    RequestId, SoftClose, Span, StepTable, Terms,
};
use crate::store::{AuctionRow, Contract, Dossier, ImportItem, StoreError, WriteMode};

/// Auctions in a chunk.
const CHUNK: usize = 1_000;
/// Chunks that wait to be written.
const AHEAD: usize = 2;
/// The step of a hot item, minor units.
const HOT_STEP: i64 = 100;
/// Soft close of a hot item: bids in the last ten seconds leave ten more, for half a minute.
const SOFT_US: i64 = 10_000_000;
pub(super) const SOFT_CAP_US: i64 = 30_000_000;

/// Everything that is the same for all of a run's auctions and bids.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) run: RunId,
    pub(super) currency: Currency,
    seller: PartyId,
    steps: StepTable,
    seed: u64,
}

/// The load's beginning and the place of what follows, by the store's clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    /// When the auctions are made.
    pub(super) made: Micros,
    /// When the load begins.
    pub(super) began: Micros,
}

impl Stage {
    pub(super) fn new(run: RunId, seed: u64) -> Result<Self, BurstError> {
        let currency = Currency::from_code("USD").map_err(BurstError::script)?;
        Ok(Self {
            run,
            currency,
            seller: PartyId::new("burst-seller").map_err(BurstError::script)?,
            steps: StepTable::parse("ebay-us", currency).map_err(BurstError::script)?,
            seed,
        })
    }

    /// A bid of the run; the number tells it from the others and makes its ids.
    pub(super) fn bid(
        &self,
        number: u64,
        lot: u32,
        bidder: u32,
        maximum: i64,
    ) -> Result<Bid, BurstError> {
        let auction_id = self.run.id(lot).map_err(BurstError::script)?;
        let bidder = PartyId::new(format!("burst-{bidder}")).map_err(BurstError::script)?;
        Ok(Bid {
            auction_id,
            request_id: self.request_id(number),
            bidder,
            maximum,
            currency: self.currency,
            nonce: self.key(number, 1),
        })
    }

    /// The request id of a numbered bid.
    pub(super) fn request_id(&self, number: u64) -> RequestId {
        RequestId::from_bytes(self.key(number, 0))
    }

    /// Sixteen bytes that differ for every number, run and purpose.
    fn key(&self, number: u64, purpose: u8) -> [u8; 16] {
        use sha2::{Digest as _, Sha256};
        let mut sha = Sha256::new();
        sha.update(b"gavel burst");
        sha.update([purpose]);
        sha.update(self.seed.to_be_bytes());
        sha.update(self.run.get().to_be_bytes());
        sha.update(number.to_be_bytes());
        let hash: [u8; 32] = sha.finalize().into();
        let mut key = [0; 16];
        key.copy_from_slice(&hash[..16]);
        key
    }

    /// Writes the auctions at these places, or rehearses it.
    pub(super) async fn write<S: Contract>(
        &self,
        store: &S,
        lots: &[Lot],
        times: Times,
        mode: WriteMode,
        made: impl Fn(u64),
    ) -> Result<(), BurstError> {
        let (chunks, incoming) = mpsc::channel(AHEAD);
        let feeding = async {
            let mut place = 0;
            for some in lots.chunks(CHUNK) {
                let mut dossiers = Vec::with_capacity(some.len());
                for lot in some {
                    dossiers.push(self.dossier(place, lot, times)?);
                    place += 1;
                }
                if chunks.send(ImportItem::Chunk(dossiers)).await.is_err() {
                    // The store has failed and says why.
                    return Ok(());
                }
                made(u64::from(place));
            }
            drop(chunks.send(ImportItem::End).await);
            Ok::<(), BurstError>(())
        };
        let (fed, written) = tokio::join!(feeding, store.dossiers_import(incoming, mode));
        written.map_err(|error: StoreError| BurstError::SetUp(error))?;
        fed
    }

    pub(super) fn dossier(
        &self,
        place: u32,
        lot: &Lot,
        times: Times,
    ) -> Result<Dossier, BurstError> {
        let auction_id = self.run.id(place).map_err(BurstError::script)?;
        // Numbers from the top, so that they do not meet those of the load's bids.
        let mut number = u64::MAX - 16 * u64::from(place);
        let create = Create {
            auction_id,
            request_id: self.request_id(number),
            actor: self.seller.clone(),
            nonce: self.key(number, 1),
            terms: self.terms(auction_id, lot, times)?,
        };
        let entry = Book::decide_create(&create, times.made).map_err(BurstError::script)?;
        let mut book = Book::open(&entry).map_err(BurstError::script)?;
        let mut entries = vec![entry];
        for (bidder, maximum) in &lot.opening {
            number -= 1;
            let bid = self.bid(number, place, *bidder, *maximum)?;
            let entry = book.decide_bid(&bid, times.made);
            let entry = entry.map_err(BurstError::script)?;
            book.fold(&entry).map_err(BurstError::script)?;
            entries.push(entry);
        }
        Ok(Dossier {
            auction_id: auction_id.get(),
            row: Some(AuctionRow::of(auction_id, book.terms.clone(), &book.state)),
            entries,
            events: Vec::new(),
            watchers: Vec::new(),
            damage: Vec::new(),
            secrets_visible: true,
        })
    }

    fn terms(&self, auction_id: AuctionId, lot: &Lot, times: Times) -> Result<Terms, BurstError> {
        let end = after(times.began, lot.end_us)?;
        let span = |us| Span::new(us).map_err(BurstError::script);
        let soft_close = SoftClose {
            window: span(SOFT_US.min(end.since(times.made)))?,
            extend_by: span(SOFT_US)?,
            mode: ExtendMode::Reset,
            trigger: ExtendTrigger::NotOwnRaise,
            cap: Some(after(end, SOFT_CAP_US)?),
        };
        let amount = |minor| Amount::new(minor).map_err(BurstError::script);
        Ok(Terms {
            seller: self.seller.clone(),
            title: format!("Load generation, auction {auction_id}"),
            currency: self.currency,
            start_price: amount(START_PRICE)?,
            steps: if lot.flat {
                StepTable::flat(amount(HOT_STEP)?)
            } else {
                self.steps.clone()
            },
            reserve: lot.reserve.map(amount).transpose()?,
            own_raise: OwnRaise::Keep,
            soft_close: lot.soft_close.then_some(soft_close),
            start: times.made,
            end,
        })
    }
}

/// So many microseconds later.
pub(super) fn after(at: Micros, us: i64) -> Result<Micros, BurstError> {
    match us {
        0 => Ok(at),
        _ => Ok(at.plus(Span::new(us).map_err(BurstError::script)?)),
    }
}

/// How many auctions a rehearsal writes, to tell how long all of them take.
pub(super) fn sample(plan: &Plan) -> &[Lot] {
    &plan.lots[..plan.lots.len().min(CHUNK)]
}
