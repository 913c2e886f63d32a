//! What `mine` and `watchlist list` have in common: a person's list, due soon first.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use crate::auction::Micros;
use crate::output::{Listing, TableRow, units};
use crate::store::{AuctionRow, Contract as _, DueFirst, Store, StoreError};

/// How many auctions are read at once.
const PAGE: u32 = 500;

/// Options of a person's list.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct DueFirstArgs {
    /// Only those that still take bids
    #[arg(long)]
    open: bool,
    /// At most so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

impl DueFirstArgs {
    /// Prints the list page by page. `read` reads a page, `row` is an item's auction, `line` how
    /// it is told at an instant.
    pub(super) async fn stream<T, L: TableRow>(
        self,
        store: &Store,
        ctx: &mut Context,
        read: impl AsyncFn(DueFirst, u32) -> Result<Vec<T>, StoreError>,
        row: impl Fn(&T) -> &AuctionRow,
        line: impl Fn(&T, Micros) -> L,
    ) -> anyhow::Result<Exit> {
        let mut left = self.limit.unwrap_or(u64::MAX);
        let mut place = DueFirst::at(store.now().await?);
        let mut listing = Listing::begin(&mut ctx.ui)?;
        while left > 0 {
            let now = store.now().await?;
            let limit = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
            let page = read(place, limit).await?;
            let wanted = |item: &&T| !self.open || place.is_open(row(item));
            let mut told = 0;
            for item in page.iter().take_while(wanted) {
                listing.push(&mut ctx.ui, &line(item, now))?;
                told += 1;
            }
            let Some(last) = page.last().filter(|_| told == page.len()) else {
                break;
            };
            place = place.after(row(last));
            left = left.saturating_sub(u64::from(limit));
        }
        let rows = listing.finish(&mut ctx.ui)?;
        ctx.ui.note(&units::count(rows, "auction"));
        Ok(Exit::DONE)
    }
}
