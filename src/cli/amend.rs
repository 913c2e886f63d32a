//! `gavel amend`.

use clap::Args;

use super::amend_many::{self, SelectionArgs};
use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use super::fields::{Fields, Source};
use super::operate::OperateArgs;
use super::terms::{self, TermsArgs};
use crate::auction::operator::Deed;
use crate::auction::{Amendment, AuctionId, Kind, Micros, RequestId, Terms};
use crate::store::{Contract as _, Store};

/// Change the terms of an auction, or extend many at once
///
/// Before the first bid everything but id, seller and currency can change; after it only the
/// end. Nothing can change once the auction has ended. What is not stated stays as it is.
///
/// In the place of an ID a selection (--all-open, --seller, --ending-before, --ending-after; all
/// that are stated hold together) names every open auction that fits, those that have not started
/// too, and --extend-by moves the end of each. The selection is made once, at the start. Each
/// auction is extended by itself, under its own lock, from the end in force at that moment; bids
/// go on meanwhile. One that has ended by then is refused, named, and leaves the others (exit 3).
///
/// It is one operation with one request id, which is told first (with --quiet, state one). An
/// operation that was interrupted
/// is finished by the same line with that --request-id: what it has extended is not extended
/// again. Its selection is made anew, so what has been created since is in it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel amend 7731 --ends-at 2026-12-07T05:00Z --reason 'outage'
  gavel amend 7731 --title 'Desk, 1920s' --no-reserve --reason 'seller asked'
  gavel amend 7731 --extend-by 30m --reason 'outage'
  gavel amend --all-open --extend-by 30m --reason 'outage' --dry-run
  gavel amend --seller alice --ending-before 2026-12-06T19:00Z \\
      --extend-by 1h --reason 'outage'")]
pub(crate) struct AmendArgs {
    /// The auction; in its place there can be a selection
    #[arg(value_name = "ID")]
    auction_id: Option<AuctionId>,
    #[command(flatten)]
    operate: OperateArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    terms: TermsArgs,
    /// Move the end in force by this span, wherever a soft close has moved it
    #[arg(long, value_name = "SPAN", help_heading = "Terms",
        conflicts_with_all = ["ends_at", "ends_in"])]
    extend_by: Option<String>,
    /// Take the reserve away
    #[arg(long, conflicts_with = "reserve", help_heading = "Terms")]
    no_reserve: bool,
    /// Take the soft close away
    #[arg(long, help_heading = "Terms", conflicts_with_all = ["soft_close_window",
        "soft_close_extend", "soft_close_mode", "soft_close_trigger", "soft_close_cap"])]
    no_soft_close: bool,
}

/// Amends.
pub(crate) async fn run(args: AmendArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let mut fields = Fields::new(Source::Options);
    args.terms.put_into(&mut fields);
    let alone = fields.is_empty() && !args.no_reserve && !args.no_soft_close;
    fields.set("extend_by", args.extend_by);
    let Some(auction_id) = args.auction_id else {
        let filter = args.selection.filter()?;
        let by = amend_many::span(&fields, alone)?;
        return amend_many::run(filter, by, args.operate, ctx).await;
    };
    if fields.is_empty() && !args.no_reserve && !args.no_soft_close {
        return Err(InputError::new("nothing to change was stated")
            .hint("state a term, such as --ends-at; gavel help amend lists them")
            .into());
    }
    let store = ctx.store().await?;
    // An auction that is not there is refused by the store, in the order of refusals.
    let row = store.auction_get(auction_id).await?;
    let mut amendment = match &row {
        None => Amendment::default(),
        Some(row) => {
            let in_force = Terms {
                end: row.end,
                ..row.terms.clone()
            };
            terms::amendment(&fields, &in_force, store.now().await?).map_err(InputError::from)?
        }
    };
    // A span counts from now; in a repeat it means the end that it gave the first time.
    if let (true, Some(request_id)) = (fields.has("ends_in"), args.operate.request_id)
        && let Some(first) = first_end(&store, auction_id, request_id).await?
    {
        amendment.end = Some(first);
    }
    if args.no_reserve {
        amendment.reserve = Some(None);
    }
    if args.no_soft_close {
        amendment.soft_close = Some(None);
    }
    let currency = row.map(|row| row.terms.currency);
    let deed = Deed::Amend(Box::new(amendment));
    let act = args.operate.act(auction_id, deed, currency, &store, ctx);
    act.await
}

/// The end that this request gave the auction when it was done before.
async fn first_end(
    store: &Store,
    auction_id: AuctionId,
    request_id: RequestId,
) -> anyhow::Result<Option<Micros>> {
    const PAGE: u32 = 1_000;
    let mut after = 0;
    loop {
        let page = store.ledger_get(auction_id, after, PAGE).await?;
        let Some(last) = page.last().map(|entry| entry.seq) else {
            return Ok(None);
        };
        let first = page
            .iter()
            .find(|entry| entry.request_id == request_id && entry.kind == Kind::Amend);
        if let Some(entry) = first {
            return Ok(Some(entry.end));
        }
        after = last;
    }
}
