//! Generated auctions to measure with: every entry is decided by the rules.

use gavel::auction::book::Create;
use gavel::auction::{
    AuctionId, Bid, Book, CloseOutcome, Currency, Event, EventKind, Micros, OwnRaise, PartyId,
    RequestId, StepTable, Terms,
};
use gavel::store::{AuctionRow, Contract, Dossier, ImportItem, WriteMode};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::mpsc;

/// Auctions that are made and written together.
const CHUNK: i64 = 500;

/// Fills a store with closed auctions from 1, each with its create entry and so many bids.
pub(crate) async fn fill<S: Contract>(store: &S, auctions: i64, bids: i64) -> anyhow::Result<()> {
    let (to_store, incoming) = mpsc::channel(1);
    let feed = async {
        for first in (1..=auctions).step_by(usize::try_from(CHUNK)?) {
            let count = CHUNK.min(auctions - first + 1);
            let chunk = closed(first, count, bids, u64::try_from(first)?)?;
            to_store.send(ImportItem::Chunk(chunk)).await?;
        }
        to_store.send(ImportItem::End).await?;
        anyhow::Ok(())
    };
    let (written, fed) = tokio::join!(store.dossiers_import(incoming, WriteMode::Commit), feed);
    written?;
    fed
}

fn closed(first: i64, auctions: i64, bids: i64, seed: u64) -> anyhow::Result<Vec<Dossier>> {
    let mut random = StdRng::seed_from_u64(seed);
    (first..first + auctions)
        .map(|id| auction(AuctionId::new(id)?, bids, &mut random))
        .collect()
}

fn auction(auction_id: AuctionId, bids: i64, random: &mut StdRng) -> anyhow::Result<Dossier> {
    let currency = Currency::from_code("USD")?;
    let start: Micros = "2026-01-05T09:00:00Z".parse()?;
    let end = start.plus("7d".parse()?);
    let create = Create {
        auction_id,
        request_id: RequestId::from_bytes(random.random()),
        actor: PartyId::new("seller")?,
        nonce: random.random(),
        terms: Terms {
            seller: PartyId::new("seller")?,
            title: format!("Lot {auction_id}"),
            currency,
            start_price: currency.parse("1.00")?,
            steps: StepTable::parse("ebay-us", currency)?,
            reserve: None,
            own_raise: OwnRaise::Keep,
            soft_close: None,
            start,
            end,
        },
    };
    let mut entries = vec![Book::decide_create(&create, start)?];
    let mut book = Book::open(&entries[0])?;
    let mut at = start;
    while i64::try_from(entries.len())? <= bids {
        at = at.plus("10s".parse()?);
        let minimum = book.terms.minimum(book.state.price());
        let bid = Bid {
            auction_id,
            request_id: RequestId::from_bytes(random.random()),
            bidder: PartyId::new(format!("bidder-{}", random.random_range(1..=20)))?,
            maximum: minimum + random.random_range(0..500),
            currency,
            nonce: random.random(),
        };
        // A leader's raise below the own maximum is refused; another bidder comes next.
        if let Ok(entry) = book.decide_bid(&bid, at) {
            book.fold(&entry)?;
            entries.push(entry);
        }
    }
    let state = &book.state;
    let outcome = CloseOutcome::of(
        state.leader_id(),
        state.price(),
        state.standing.reserve_met(&book.terms),
    );
    let event = Event {
        event_id: EventKind::Closed.event_id(auction_id),
        kind: EventKind::Closed,
        result: Some(outcome.result),
        winner: outcome.winner.clone(),
        price: outcome.final_price,
        end,
        closed_at: end,
        ledger_head: state.head,
    };
    let row = AuctionRow {
        status: outcome.status,
        closed_at: Some(end),
        winner: outcome.winner,
        final_price: outcome.final_price,
        ..AuctionRow::of(auction_id, book.terms.clone(), state)
    };
    Ok(Dossier {
        auction_id: auction_id.get(),
        row: Some(row),
        entries,
        events: vec![event],
        watchers: Vec::new(),
        damage: Vec::new(),
        secrets_visible: true,
    })
}
