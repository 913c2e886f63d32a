//! The audit of everything, for tests that end with it.

use gavel::ledger::{Finding, ReplayOptions, replay_store};
use gavel::store::{Contract, Scope};

/// Replays every auction; what was found.
pub(crate) async fn findings(store: &impl Contract) -> Vec<Finding> {
    let options = ReplayOptions::default();
    let report = replay_store(store, &Scope::All, &options, |_| ()).await;
    report.unwrap().listed
}
