//! Checkpoints: what an outsider keeps, to prove later that an ended auction's record was changed.
//!
//! A [`Checkpoint`] is the root of a Merkle tree (RFC 6962) over the heads of all auctions that
//! ended before its cut, in the order of their ends, signed as a note: C2SP `signed-note` and
//! `tlog-checkpoint`. A [`Proof`] (C2SP `tlog-proof`) shows offline that one auction is in it.
//! [`compare`] holds a record against a checkpoint, [`compare_kept`] against single heads.
//!
//! The cut is settled: whatever ended before it is in the record for good (see
//! [`crate::store::Contract::heads_settled`]), so the next checkpoint's tree begins with this
//! one's. Two things do not keep to that: a server's clock that is set back, and an import of
//! auctions that ended before. Taking a checkpoint after a previous one tells.
//!
//! Parsers take what anybody may have written: they are bounded and do not panic.
//!
//! Must not: print, make keys or read clocks of its own, change a database.
#![deny(clippy::float_arithmetic, clippy::as_conversions)]

mod compare;
mod error;
mod kept;
mod key;
mod leaf;
mod leaves;
mod note;
mod proof;
mod prove;
mod record;
mod statement;
mod take;
mod tree;

pub use compare::{Comparison, Differences, Mismatch, compare, compare_kept};
pub use error::{CheckpointError, FormatError};
pub use kept::{Kept, KeptHead};
pub use key::{SignerKey, VerifierKey};
pub use leaf::Leaf;
pub use leaves::{HEADER as LEAVES_HEADER, Leaves, line as leaves_line};
pub use note::SignedNote;
pub use proof::Proof;
pub use prove::{Proved, prove};
pub use record::Record;
pub use statement::Checkpoint;
pub use take::{Request, take};
pub use tree::Tree;
