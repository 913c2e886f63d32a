//! The auditor: replays ledgers by the rules, explains them, and carries them in files.
//!
//! Start at [`replay_store`] and [`replay_folder`]: they stream [`crate::store::Dossier`]s and hand
//! each to [`audit`], which re-decides every entry and compares the whole of it with what is
//! recorded. Every check has a name ([`Check`]); all run, and a corruption gives one finding where
//! it sits, not one wherever its effects show. [`cross_check`] computes the price a second way.
//! [`bundle`] writes and reads the folder that an audit without the database works on.
//!
//! Must not: print, change a database (import aside), or put a hidden maximum into a finding.
#![deny(clippy::float_arithmetic, clippy::as_conversions)]

mod as_of;
mod audit;
pub mod bundle;
mod chain;
mod check_set;
mod cross_check;
mod entry_checks;
mod error;
mod event_checks;
mod explain;
mod fate;
mod finding;
mod gaps;
mod judging;
mod notes;
mod own_story;
mod public_checks;
mod rebuild;
mod replay;
mod replay_folder;
mod replay_ledger;
mod report;
mod reseat;
mod row_checks;
mod shill;
mod shill_auction;
mod skim;
mod stream;
mod what_if;
mod what_if_change;

pub use as_of::{AsOf, AsOfError, Then, as_of, cut};
pub use audit::{Moment, audit};
pub use check_set::CheckSet;
pub use cross_check::{CrossChecked, cross_check, cross_check_differs};
pub use error::AuditError;
pub use explain::{ExplainError, Explanation, Told, explain};
pub use fate::Fate;
pub use finding::{Check, Finding, UnknownCheck};
pub use own_story::{OwnBid, OwnRule, OwnStory, own_story};
pub use replay::{ReplayOptions, replay_store};
pub use replay_folder::replay_folder;
pub use replay_ledger::{LedgerSource, replay_ledger};
pub use report::{CheckCount, ReplayProgress, ReplayReport};
pub use shill::{Pattern, ShillOptions, ShillReport, ShillTally, Sums};
pub use stream::{Origin, each};
pub use what_if::{Compared, Derived, Outcome, what_if};
pub use what_if_change::{WhatIf, WhatIfError};
