//! `gavel list`.

use clap::{Args, ValueEnum};

use super::context::Context;
use super::exit::Exit;
use crate::auction::{AuctionId, CloseResult, Micros, PartyId, Status};
use crate::output::views::auction::AuctionLine;
use crate::output::{Listing, units};
use crate::store::{AuctionFilter, AuctionOrder, Contract as _, Cursor, Store};

/// How many auctions are read at once: memory does not grow with the list.
const PAGE: u32 = 1_000;

/// List auctions by their end
///
/// All conditions hold together. The list streams, however long it is, and ends quietly when its
/// reader does (`gavel list | less`). Its table tells times to the second and shortens titles to
/// the terminal's width; `gavel show`, and --format json or csv, have everything.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel list --status open --ending-before 2026-12-06T19:00Z
  gavel list --status due
  gavel list --seller alice --format csv > alice.csv
  gavel list --format csv --csv-safe > for-a-spreadsheet.csv")]
pub(crate) struct ListArgs {
    /// Where they stand
    #[arg(long, value_enum, value_name = "WORD")]
    status: Option<StatusWord>,
    /// Their end is before this instant
    #[arg(long, value_name = "TIME")]
    ending_before: Option<Micros>,
    /// Their end is after this instant
    #[arg(long, value_name = "TIME")]
    ending_after: Option<Micros>,
    /// Of this seller
    #[arg(long, value_name = "WHO")]
    seller: Option<PartyId>,
    /// At most so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StatusWord {
    /// Before the end
    Open,
    /// Past the end and not yet closed
    Due,
    /// Claimed by a closer
    Closing,
    /// Closed, whatever the result
    Closed,
    /// Closed with a buyer
    Sold,
    /// Closed without bids
    NoBids,
    /// Closed below the reserve
    ReserveNotMet,
    /// Withdrawn
    Cancelled,
}

impl ListArgs {
    fn filter(&self) -> AuctionFilter {
        let filter = AuctionFilter {
            ending_before: self.ending_before,
            ending_after: self.ending_after,
            seller: self.seller.clone(),
            ..AuctionFilter::default()
        };
        let status = |statuses: &[Status]| AuctionFilter {
            statuses: statuses.to_vec(),
            ..filter.clone()
        };
        let result = |result| AuctionFilter {
            result: Some(result),
            ..filter.clone()
        };
        match self.status {
            None => filter,
            Some(StatusWord::Open) => status(&[Status::Open]),
            Some(StatusWord::Due) => AuctionFilter {
                due: true,
                ..filter.clone()
            },
            Some(StatusWord::Closing) => status(&[Status::Closing]),
            Some(StatusWord::Closed) => status(&[Status::Closed, Status::ClosedReserveNotMet]),
            Some(StatusWord::Sold) => result(CloseResult::Sold),
            Some(StatusWord::NoBids) => result(CloseResult::NoBids),
            Some(StatusWord::ReserveNotMet) => result(CloseResult::ReserveNotMet),
            Some(StatusWord::Cancelled) => status(&[Status::Cancelled]),
        }
    }
}

/// Lists them.
pub(crate) async fn run(args: ListArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    // Open means before the end, so an open list starts behind everything that ends by now.
    let after = match args.status {
        Some(StatusWord::Open) => Some(Cursor {
            end: store.now().await?,
            auction_id: AuctionId::new(AuctionId::MAX)?,
        }),
        _ => None,
    };
    stream(&store, &args.filter(), after, args.limit, ctx).await
}

/// Prints a filtered list page by page.
async fn stream(
    store: &Store,
    filter: &AuctionFilter,
    mut after: Option<Cursor>,
    limit: Option<u64>,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let mut left = limit.unwrap_or(u64::MAX);
    let mut listing = Listing::begin(&mut ctx.ui)?;
    while left > 0 {
        let page = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
        let now = store.now().await?;
        let rows = store
            .auction_list(filter, AuctionOrder::End, after, page)
            .await?;
        for row in &rows {
            listing.push(&mut ctx.ui, &AuctionLine::new(row, now))?;
        }
        let read = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        left = left.saturating_sub(read);
        after = rows.last().map(|row| Cursor {
            end: row.end,
            auction_id: row.auction_id,
        });
        if read < u64::from(page) {
            break;
        }
    }
    let rows = listing.finish(&mut ctx.ui)?;
    ctx.ui.note(&units::count(rows, "auction"));
    Ok(Exit::DONE)
}
