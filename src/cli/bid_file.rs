//! `gavel bid --file`: all rows are checked, then the bids are placed, those on one auction in
//! their order.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;

use super::bid::Asked;
use super::context::{Context, mode};
use super::error::stopped;
use super::exit::Exit;
use super::fields::{FieldError, Fields};
use super::jump::{GUARDED, MaxJump};
use super::tally::{Tally, Words};
use super::upload::{Layout, Plan, Row, Upload, check, next};
use crate::auction::{AuctionId, Bid, Currency, RequestId};
use crate::output::views::bid::BidView;
use crate::output::{Progress, units};
use crate::store::{AuctionRow, BidsPlaced, Contract as _, Store, WriteMode};

const LAYOUT: Layout = Layout {
    columns: &["auction_id", "bidder", "maximum", "currency", "request_id"],
    required: &["auction_id", "bidder", "maximum"],
    name: None,
    masked: true,
};

const WORDS: Words = Words {
    noun: "bid",
    done: "accepted",
};

const INTERRUPTED: &str = "some may have been placed: the same file again places the rest";

/// Places those of a file.
pub(super) async fn run(
    file: &Path,
    guard: Option<MaxJump>,
    skip_bad: bool,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let mut upload = Upload::open(file, LAYOUT, store.upload_key().await?).await?;
    let mut planner = Planner {
        store: &store,
        guard,
    };
    if !skip_bad {
        check(&mut upload, &mut planner, &ctx.ui).await?;
        upload.unchanged()?;
    }
    place_all(&mut upload, &mut planner, skip_bad, dry_run, ctx).await
}

/// A row, ready to be placed.
struct Planned {
    bid: Bid,
    /// The auction's.
    currency: Currency,
}

struct Planner<'s> {
    store: &'s Store,
    guard: Option<MaxJump>,
}

impl Planner<'_> {
    /// Why the guard holds bids back; those that were placed before are only repeated.
    async fn objections(&self, bids: &[&Bid]) -> anyhow::Result<HashMap<RequestId, String>> {
        let Some(guard) = self.guard else {
            return Ok(HashMap::new());
        };
        let now = self.store.now().await?;
        let mut ids: Vec<AuctionId> = bids.iter().map(|bid| bid.auction_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let rows = self.store.auctions_get(&ids).await.context(GUARDED)?;
        let rows = rows.into_iter().map(|row| (row.auction_id, row));
        let rows: HashMap<AuctionId, AuctionRow> = rows.collect();
        let held = bids.iter().filter_map(|bid| {
            let refused = guard.judge(bid, rows.get(&bid.auction_id)?, now)?;
            Some(((bid.auction_id, bid.request_id), refused.message))
        });
        let (asked, messages): (Vec<_>, Vec<_>) = held.unzip();
        let found = self.store.ledger_find(&asked).await.context(GUARDED)?;
        let fresh = found.into_iter().zip(asked).zip(messages);
        Ok(fresh
            .filter(|((entry, _), _)| entry.is_none())
            .map(|((_, (_, request)), message)| (request, message))
            .collect())
    }
}

impl Plan for Planner<'_> {
    type Planned = Planned;

    async fn plan(&mut self, rows: Vec<Row>) -> anyhow::Result<Vec<Result<Planned, FieldError>>> {
        let read = rows.into_iter().map(|row| {
            let fields = row?;
            Ok((Asked::read(&fields)?, fields))
        });
        let read: Vec<Result<(Asked, Fields), FieldError>> = read.collect();
        let ids: Vec<AuctionId> = read
            .iter()
            .flatten()
            .map(|(asked, _)| asked.auction_id)
            .collect();
        let mut currencies = self.store.auction_currencies(&ids).await?.into_iter();
        let planned = read.into_iter().map(|row| {
            let (asked, fields) = row?;
            let currency = currencies.next().flatten();
            let currency =
                currency.ok_or_else(|| fields.wrong("auction_id", "there is no such auction"))?;
            let bid = asked.bid(&fields, currency)?;
            Ok((Planned { bid, currency }, fields))
        });
        let planned: Vec<Result<(Planned, Fields), FieldError>> = planned.collect();
        let bids: Vec<&Bid> = planned.iter().flatten().map(|(row, _)| &row.bid).collect();
        let objections = self.objections(&bids).await?;
        let judged = planned.into_iter().map(|row| {
            let (row, fields) = row?;
            match objections.get(&row.bid.request_id) {
                Some(why) => Err(fields.wrong("maximum", why)),
                None => Ok(row),
            }
        });
        Ok(judged.collect())
    }
}

async fn place_all(
    upload: &mut Upload,
    planner: &mut Planner<'_>,
    skip_bad: bool,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let store = planner.store;
    let bar = Progress::file(&ctx.ui, "bidding", upload.length());
    let mut tally = Tally::live(&mut ctx.ui);
    let mut rows = upload.rows()?;
    ctx.if_interrupted = Some(INTERRUPTED).filter(|_| !dry_run);
    let outcome = loop {
        let planned = match next(&mut rows, planner, store.bids_at_once()).await {
            Ok(planned) if planned.is_empty() => break Ok(()),
            Ok(planned) => planned,
            Err(failure) => break Err(halted(failure, tally.answered(), 0)),
        };
        let (mut bids, mut currencies) = (Vec::new(), Vec::new());
        for row in planned {
            match row {
                Ok(row) => {
                    bids.push(row.bid);
                    currencies.push(row.currency);
                }
                Err(error) => bar.aside(|| tally.pass_over(&mut ctx.ui, &error)),
            }
        }
        let placed = match dry_run {
            false => store.bid_place_many(&bids, mode(dry_run)).await,
            true => rehearse(store, &bids).await,
        };
        let answered = bids.iter().zip(currencies).zip(&placed.replies);
        let unanswered = placed.replies.iter().filter(|reply| reply.is_none());
        let unanswered = unanswered.count();
        bar.aside(|| {
            for ((bid, currency), reply) in answered {
                if let Some(reply) = reply {
                    let view = BidView::new(bid, currency, reply, dry_run).0;
                    tally.add(&mut ctx.ui, &view, view.outcome);
                }
            }
        });
        bar.set_file(rows.bytes(), rows.rows());
        if let Some(failure) = placed.stopped {
            break Err(halted(failure, tally.answered(), unanswered));
        }
    };
    bar.finish();
    if tally.is_empty() && outcome.is_ok() {
        ctx.ui.note(&format!("{}: no rows", upload.name()));
    }
    let told = tally.tell(WORDS, skip_bad, dry_run, ctx);
    // What was done before a failure has been told by now.
    outcome?;
    Ok(upload.carried_out(told?, &mut ctx.ui))
}

/// Each rehearsed bid is judged alone, as the auction stands: what a later row would be told after
/// an earlier one follows from hidden maxima.
async fn rehearse(store: &Store, bids: &[Bid]) -> BidsPlaced {
    let mut placed = BidsPlaced {
        replies: Vec::with_capacity(bids.len()),
        stopped: None,
    };
    for bid in bids {
        match store.bid_place(bid, WriteMode::Rehearse).await {
            Ok(reply) => placed.replies.push(Some(reply)),
            Err(error) => {
                placed.stopped = Some(error);
                break;
            }
        }
    }
    placed
}

fn halted(failure: impl Into<anyhow::Error>, answered: u64, unanswered: usize) -> anyhow::Error {
    let mut what = format!("stopped after {}", units::count(answered, "row"));
    if unanswered > 0 {
        let unanswered = units::count(u64::try_from(unanswered).unwrap_or(u64::MAX), "row");
        what.push_str(&format!("; {unanswered} under way got no answer"));
    }
    stopped(failure, &what)
}
