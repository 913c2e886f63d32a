//! The run's closer, and waiting until everything is closed, whoever closes.

use std::time::{Duration, Instant};

use super::error::BurstError;
use super::scenario::CloserChoice;
use crate::auction::{AuctionId, Micros, Remit, Status};
use crate::clock::Reading;
use crate::closer::{DaemonOptions, Notice, SweepOptions, run_daemon};
use crate::shutdown::Shutdown;
use crate::store::{AuctionFilter, AuctionOrder, Contract, StoreError};

/// From tick to tick.
const INTERVAL: Duration = Duration::from_secs(1);
/// How often it is asked whether everything is closed.
const LOOK: Duration = Duration::from_millis(250);
/// So many claims are looked through, those of others among them.
const CLAIMED_MAX: u32 = 10_000;

/// A closing that the run's closer knows to be durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    /// The auction.
    pub(super) auction_id: AuctionId,
    /// The end in force.
    pub(super) end: Micros,
    /// When it knew, by the store's clock.
    pub(super) at: Micros,
}

/// Closes the run's auctions until it is asked to stop; an external closer does it by itself, and
/// tells nothing.
pub(super) async fn close<S: Contract>(
    store: &S,
    choice: CloserChoice,
    remit: Remit,
    clock: &Reading,
    stop: &Shutdown,
) -> Result<Vec<Told>, StoreError> {
    let mut told = Vec::new();
    let CloserChoice::Own {
        strategy,
        look_ahead,
    } = choice
    else {
        stop.asked().await;
        return Ok(told);
    };
    let options = DaemonOptions {
        sweep: SweepOptions {
            remit,
            strategy,
            ..SweepOptions::default()
        },
        interval: INTERVAL,
        look_ahead,
    };
    // What it could not do shows in what is open at the end.
    run_daemon(store, &options, stop, |notice| {
        if let Notice::Closed(batch) = notice {
            let at = clock.at(Instant::now());
            told.extend(batch.iter().map(|closed| Told {
                auction_id: closed.auction_id,
                end: closed.event.end,
                at,
            }));
        }
    })
    .await?;
    Ok(told)
}

/// Waits until none of the run's auctions, which end by `last`, is open or claimed, or until nobody
/// closes any more.
pub(super) async fn wait_until_closed<S: Contract>(
    store: &S,
    patience: Duration,
    remit: Remit,
    last: Micros,
) -> Result<(), BurstError> {
    let mut since = Instant::now();
    let mut before = None;
    loop {
        let next = store
            .auctions_ending(remit, Micros::MIN, Micros::MAX, 1)
            .await;
        let due = store.backlog(remit).await;
        if let (Ok(next), Ok(due)) = (next, due) {
            // What ends later is not of the plan, or was extended by somebody.
            let next = next.first().map(|next| next.end);
            let next = next.filter(|end| *end <= last);
            if next.is_none() && !is_claimed(store, remit).await.unwrap_or(true) {
                return Ok(());
            }
            let now = (due, next);
            // While ends lie ahead, there is nothing to be done.
            if next.is_some_and(|_| due.due == 0) || before != Some(now) {
                since = Instant::now();
            }
            before = Some(now);
        }
        if since.elapsed() > patience {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Whether some of the run's auctions are in a closer's hands: one that died, perhaps, until a reaper
/// gives them back.
async fn is_claimed<S: Contract>(store: &S, remit: Remit) -> Result<bool, StoreError> {
    let filter = AuctionFilter {
        statuses: vec![Status::Closing],
        ..AuctionFilter::default()
    };
    let claimed = store
        .auction_list(&filter, AuctionOrder::Id, None, CLAIMED_MAX)
        .await?;
    Ok(claimed.iter().any(|row| remit.ids.holds(row.auction_id)))
}
