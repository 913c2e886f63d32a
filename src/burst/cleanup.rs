//! Removes what runs have left.

use std::time::Duration;

use super::driver::may_pass;
use super::error::BurstError;
use super::run_id::{RUN_SPAN, RunId};
use crate::store::{Contract, StoreErrorKind, WriteMode};

/// Auctions a transaction.
const AT_ONCE: u32 = 2_000;
/// How often a step is tried that met others' locks, or a server that is away.
const TRIES_MAX: u32 = 30;
/// Before another try.
const PAUSE: Duration = Duration::from_secs(1);

/// What is left of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leftover {
    /// The run.
    pub run: RunId,
    /// Its auctions that are there.
    pub auctions: u64,
}

/// The runs of which something is there.
pub async fn leftovers<S: Contract>(store: &S) -> Result<Vec<Leftover>, BurstError> {
    let rows = store
        .burst_rows(RUN_SPAN)
        .await
        .map_err(BurstError::Remove)?;
    let leftover = |row: crate::store::BurstRows| {
        RunId::of(row.first).map(|run| Leftover {
            run,
            auctions: row.auctions,
        })
    };
    Ok(rows.into_iter().filter_map(leftover).collect())
}

/// Removes a run's auctions with all that belongs to them, or rehearses the first step of it;
/// returns how many.
pub async fn remove<S: Contract>(
    store: &S,
    run: RunId,
    mode: WriteMode,
    removed: impl Fn(u64),
) -> Result<u64, BurstError> {
    let ids = run.ids().map_err(BurstError::script)?;
    let mut all = 0;
    let mut tries = 0;
    loop {
        match store.burst_remove(ids, AT_ONCE, mode).await {
            Ok(some) => {
                tries = 0;
                all += some;
                removed(all);
                if some < u64::from(AT_ONCE) || mode == WriteMode::Rehearse {
                    return Ok(all);
                }
            }
            Err(error) if may_pass(error.kind()) && tries < TRIES_MAX => {
                tries += 1;
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) if error.kind() == StoreErrorKind::Denied => {
                return Err(BurstError::NotOwner(error));
            }
            Err(error) => return Err(BurstError::Remove(error)),
        }
    }
}
