//! Runs the demonstration from beginning to end.

use super::{CrowdReport, Scene, crowd, story};
use thiserror::Error;

use crate::auction::PartyId;
use crate::auction::ids::IdError;
use crate::auction::money::MoneyError;
use crate::auction::steps::StepError;
use crate::auction::time::TimeError;
use crate::clock::Clock;
use crate::store::{Contract, StoreError};

/// How large the crowd is.
#[derive(Debug, Clone)]
pub struct DemoOptions {
    /// Auctions of the crowd.
    pub auctions: u32,
    /// Bids of the crowd.
    pub bids: u32,
    /// Bidders that bid at the same time.
    pub bidders: u32,
    /// Seeds the crowd's choices.
    pub seed: u64,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self {
            auctions: 200,
            bids: 3_000,
            bidders: 16,
            seed: 7_731,
        }
    }
}

/// The demonstration could not go on.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is the error of a part")]
pub enum DemoError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the demonstration's own script is wrong: {0}")]
    Script(String),
    #[error("a bidder of the crowd stopped: {0}")]
    Bidder(String),
}

macro_rules! script_error {
    ($($error:ty),*) => {$(
        impl From<$error> for DemoError {
            fn from(error: $error) -> Self {
                Self::Script(error.to_string())
            }
        }
    )*};
}
script_error!(IdError, MoneyError, StepError, TimeError);

/// Runs the story and the crowd on an empty, migrated store that keeps `clock`.
pub async fn run<S: Contract + Clone + 'static>(
    store: &S,
    clock: &Clock,
    options: &DemoOptions,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<CrowdReport, DemoError> {
    story::tell(store, clock, observe).await?;
    crowd::bid_and_sweep(store, clock, options, observe).await
}

pub(super) fn party(name: &str) -> Result<PartyId, DemoError> {
    Ok(PartyId::new(name)?)
}
