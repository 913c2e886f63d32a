//! The reaper: gives claims back whose closers are gone.
//!
//! A closer that only slept finds its claim fenced out by the next one's epoch. Every sweep reaps,
//! whatever its own strategy: claims may be left by others.

use crate::auction::{Remit, Span};
use crate::store::{Contract, StoreError};

/// How many claims one transaction gives back.
const LIMIT: u32 = 1_000;

/// Gives back every claim that is older than `timeout`; returns how many.
pub(super) async fn reap<S: Contract>(
    store: &S,
    remit: Remit,
    timeout: Span,
) -> Result<u64, StoreError> {
    let mut all = 0;
    loop {
        let reaped = store.claims_reap(remit, timeout, LIMIT).await?;
        all += reaped;
        if reaped < u64::from(LIMIT) {
            return Ok(all);
        }
    }
}
