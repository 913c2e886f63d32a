//! The rules of the auction, pure: no I/O, no async, no clock, no randomness.
//!
//! Follow a bid through `bid` (decide, fold), `price` and `soft_close`; an operator's action
//! through `operator`; the recorded form and its hash chain through `entry`. Everything that
//! changes an auction is an [`Entry`], decided by [`Book::decide`] or [`bid::decide`] and applied
//! by the matching `fold`. Instants, ids and nonces come in as arguments.
//!
//! Invariants: a refusal changes nothing; the price never falls except by a void; an entry's
//! instant is never before the one of the entry before it; no sum overflows, because amounts,
//! instants and spans are bounded by their types.
#![deny(clippy::float_arithmetic, clippy::as_conversions)]

pub mod bid;
pub mod book;
pub mod closing;
pub mod entry;
pub mod ids;
pub mod money;
pub mod operator;
pub mod price;
pub mod refusal;
pub mod repeat;
pub mod shards;
pub mod soft_close;
pub mod state;
pub mod steps;
pub mod terms;
pub mod time;

pub use bid::Bid;
pub use book::Book;
pub use closing::{CloseOutcome, CloseResult, Event, EventKind};
pub use entry::{Digest, Entry, EntryRef, Kind, Nonce, Secret};
pub use ids::{AuctionId, IdRange, PartyId, RequestId};
pub use money::{Amount, Currency};
pub use operator::{Action, Amendment, SoftClosePatch, VoidScope};
pub use refusal::Refusal;
pub use shards::{Remit, Shards};
pub use state::{Leader, State, Status};
pub use steps::StepTable;
pub use terms::{ExtendMode, ExtendTrigger, OwnRaise, SoftClose, Terms};
pub use time::{Micros, Span};
