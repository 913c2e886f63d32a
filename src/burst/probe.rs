//! What the database takes when nothing else is asked of it: the measure to hold a load against.

use std::time::Instant;

use futures_util::future::join_all;

use super::error::BurstError;
use super::plan::START_PRICE;
use super::report::Probe;
use super::stage::Stage;
use crate::store::{Contract, Reply, WriteMode};

/// How many calls of each kind.
const CALLS: u32 = 40;
/// Calls that are not counted: the first prepares the statement.
const WARM: u32 = 5;

/// Bids on the auction at this place, one after the other. Numbers from `first` up are used.
pub(super) async fn probe<S: Contract>(
    store: &S,
    stage: &Stage,
    place: u32,
    first: u64,
) -> Result<Probe, BurstError> {
    let mut accepted = Vec::new();
    let mut refused = Vec::new();
    for call in 0..CALLS + WARM {
        let number = first + u64::from(call);
        let bid = stage.bid(number, place, call, START_PRICE + 1_000 * i64::from(call))?;
        let sent = Instant::now();
        let reply = store.bid_place(&bid, WriteMode::Commit).await?;
        let took = sent.elapsed();
        if !matches!(reply, Reply::Done(_)) {
            return Err(BurstError::script("a bid of the probe was not accepted"));
        }
        // Refused before the lock: nothing is written, nothing waits for the disk.
        let low = stage.bid(number + u64::from(u32::MAX), place, call + 1, 1)?;
        let sent = Instant::now();
        store.bid_place(&low, WriteMode::Commit).await?;
        if call >= WARM {
            accepted.push(took);
            refused.push(sent.elapsed());
        }
    }
    accepted.sort_unstable();
    refused.sort_unstable();
    let at = |times: &[std::time::Duration], percent: usize| {
        let place = (times.len() * percent / 100).min(times.len() - 1);
        i64::try_from(times[place].as_micros()).unwrap_or(i64::MAX)
    };
    Ok(Probe {
        round_trip_us: at(&refused, 50),
        bid_us: at(&accepted, 50),
        bid_p99_us: at(&accepted, 99),
    })
}

/// Opens every connection and prepares what it will be asked, by bids that are refused.
pub(super) async fn warm<S: Contract>(
    store: &S,
    stage: &Stage,
    place: u32,
    first: u64,
    connections: u32,
) -> Result<(), BurstError> {
    let mut bids = Vec::new();
    for connection in 0..connections {
        bids.push(stage.bid(first + u64::from(connection), place, 0, 1)?);
    }
    let calls = bids
        .iter()
        .map(|bid| store.bid_place(bid, WriteMode::Commit));
    for outcome in join_all(calls).await {
        outcome?;
    }
    Ok(())
}
