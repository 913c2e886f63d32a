//! `gavel bid --file`: all rows are checked, then the bids are placed in order, in batches.

use std::collections::HashMap;
use std::path::Path;

use super::bid::Asked;
use super::context::{Context, mode};
use super::create_file::Tally;
use super::exit::Exit;
use super::fields::{FieldError, Fields};
use super::operate::currency_of;
use super::rows::{self, Layout};
use crate::auction::{AuctionId, Bid, Currency, Micros};
use crate::output::views::bid::BidView;
use crate::output::{Listing, Progress};
use crate::store::{Contract as _, Store};

const LAYOUT: Layout = Layout {
    columns: &["auction_id", "bidder", "maximum", "currency", "request_id"],
    required: &["auction_id", "bidder", "maximum"],
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
    let mut listing = Listing::begin(&mut ctx.ui)?;
    let mut tally = Tally::default();
    // A rehearsal undoes each batch, so that later bids see earlier ones only in one batch.
    let batch = if dry_run { planned.len().max(1) } else { BATCH };
    let mut outcome = Ok(());
    for batch in planned.chunks(batch) {
        match place(batch, &store, dry_run).await {
            Ok(views) => {
                for view in views {
                    tally.count(view.outcome);
                    listing.push(&mut ctx.ui, &view)?;
                    bar.add(1);
                }
            }
            Err(failure) => {
                outcome = Err(failure);
                break;
            }
        }
    }
    bar.finish();
    listing.finish(&mut ctx.ui)?;
    let exit = tally.tell("bid", "accepted", &bad, dry_run, ctx);
    // What was done before a failure has been told by now.
    outcome?;
    Ok(exit)
}

async fn place(batch: &[Planned], store: &Store, dry_run: bool) -> anyhow::Result<Vec<BidView>> {
    let bids: Vec<Bid> = batch
        .iter()
        .filter_map(|planned| match planned {
            Planned::Bid(bid, _) => Some(bid.clone()),
            Planned::NotFound(_) => None,
        })
        .collect();
    let replies = store.bid_place_many(&bids, mode(dry_run)).await?;
    let now: Micros = store.now().await?;
    let mut replies = replies.iter();
    let views = batch.iter().filter_map(|planned| match planned {
        Planned::NotFound(asked) => Some(asked.not_found(now, dry_run).0),
        Planned::Bid(bid, currency) => {
            let reply = replies.next()?;
            Some(BidView::new(bid, *currency, reply, dry_run).0)
        }
    });
    Ok(views.collect())
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
