//! `gavel bid --file`: all rows are checked, then the bids are placed in order, in batches.

use std::collections::HashMap;
use std::path::Path;

use super::bid::Asked;
use super::context::{Context, mode};
use super::error::{Unanswered, unanswered};
use super::exit::Exit;
use super::fields::{FieldError, Fields};
use super::operate::currency_of;
use super::rows::{self, Layout};
use super::tally::{Tally, Words};
use crate::auction::{AuctionId, Bid, Currency, Micros};
use crate::output::views::bid::BidView;
use crate::output::{Progress, units};
use crate::store::{Contract as _, Store, StoreError};

const LAYOUT: Layout = Layout {
    columns: &["auction_id", "bidder", "maximum", "currency", "request_id"],
    required: &["auction_id", "bidder", "maximum"],
    masked: true,
};

const WORDS: Words = Words {
    noun: "bid",
    done: "accepted",
};

/// How many bids are made durable together.
const BATCH: usize = 200;

/// A row, ready to be placed.
enum Planned {
    Bid(Bid, Currency),
    /// There is no such auction: refused in its place.
    NotFound(Asked),
}

/// Places those of a file.
pub(super) async fn run(
    file: &Path,
    skip_bad: bool,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let rows = rows::read(file, LAYOUT).await?;
    let store = ctx.store().await?;
    let planned = plan_all(rows, &store).await?;
    let (planned, bad) = rows::sort_out(planned, skip_bad)?;
    let bar = Progress::bar(
        &ctx.ui,
        "bidding",
        u64::try_from(planned.len()).unwrap_or(0),
    );
    let mut tally = Tally::begin(&mut ctx.ui);
    // Each rehearsed bid is judged alone, as the auction stands: what a later row would be told
    // after an earlier one follows from hidden maxima.
    let batch = if dry_run { 1 } else { BATCH };
    let mut outcome = Ok(());
    for batch in planned.chunks(batch) {
        let (views, placed) = place(batch, &store, dry_run).await;
        for view in views {
            tally.add(&mut ctx.ui, &view, view.outcome);
            bar.add(1);
        }
        if let Err(failure) = placed {
            let after = units::count(tally.answered(), "row");
            outcome = Err(failure.context(format!("stopped after {after}")));
            break;
        }
    }
    bar.finish();
    if tally.answered() == 0 && bad.is_empty() && outcome.is_ok() {
        ctx.ui.note(&format!("{}: no rows", file.display()));
    }
    let told = tally.tell(WORDS, &bad, dry_run, ctx);
    // What was done before a failure has been told by now.
    outcome?;
    told
}

/// The answers that were received, and what stopped the rest.
async fn place(
    batch: &[Planned],
    store: &Store,
    dry_run: bool,
) -> (Vec<BidView>, anyhow::Result<()>) {
    let bids: Vec<Bid> = batch
        .iter()
        .filter_map(|planned| match planned {
            Planned::Bid(bid, _) => Some(bid.clone()),
            Planned::NotFound(_) => None,
        })
        .collect();
    // Before the bids: once they are answered, nothing may come between them and their report.
    let now: Micros = match store.now().await {
        Ok(now) => now,
        Err(error) => return (Vec::new(), Err(error.into())),
    };
    let placed = store.bid_place_many(&bids, mode(dry_run)).await;
    let mut replies = placed.replies.iter();
    let views = batch.iter().map_while(|planned| match planned {
        Planned::NotFound(asked) => Some(asked.not_found(now, dry_run).0),
        Planned::Bid(bid, currency) => {
            let reply = replies.next()?;
            Some(BidView::new(bid, *currency, reply, dry_run).0)
        }
    });
    let views = views.collect();
    let outcome = match (placed.stopped, bids.get(placed.replies.len())) {
        (None, _) => Ok(()),
        (Some(error), None) => Err(error.into()),
        (Some(error), Some(bid)) => Err(stopped_at(bid, error)),
    };
    (views, outcome)
}

/// Names the row that the failure came to.
fn stopped_at(bid: &Bid, error: StoreError) -> anyhow::Error {
    let row = format!("{} on auction {}", bid.bidder, bid.auction_id);
    match unanswered(error, bid.request_id) {
        failure if failure.is::<Unanswered>() => {
            failure.context(format!("the bid of {row} may have been placed or not"))
        }
        failure => failure.context(format!("the bid of {row} was not placed")),
    }
}

async fn plan_all(
    rows: Vec<Result<Fields, FieldError>>,
    store: &Store,
) -> anyhow::Result<Vec<Result<Planned, FieldError>>> {
    let mut currencies: HashMap<AuctionId, Option<Currency>> = HashMap::new();
    let mut planned = Vec::with_capacity(rows.len());
    for row in rows {
        let asked = row.and_then(|fields| Ok((Asked::read(&fields)?, fields)));
        let (asked, fields) = match asked {
            Ok(read) => read,
            Err(error) => {
                planned.push(Err(error));
                continue;
            }
        };
        let currency = match currencies.get(&asked.auction_id) {
            Some(known) => *known,
            None => {
                let found = currency_of(store, asked.auction_id).await?;
                currencies.insert(asked.auction_id, found);
                found
            }
        };
        planned.push(match currency {
            None => Ok(Planned::NotFound(asked)),
            Some(currency) => asked
                .bid(&fields, currency)
                .map(|bid| Planned::Bid(bid, currency)),
        });
    }
    Ok(planned)
}
