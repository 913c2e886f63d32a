//! A checkpoint's leaves as a list that somebody keeps: CSV with `index,auction_id,head`.
//!
//! The list needs no signature: it is worth something once its root is a checkpoint's
//! ([`Leaves::belong_to`]). 40 bytes an auction are kept in memory.

use super::error::{CheckpointError, FormatError};
use super::leaf::Leaf;
use super::statement::{Checkpoint, decimal};
use super::tree::Tree;
use crate::auction::{AuctionId, Digest};

const WHAT: &str = "list of leaves";
/// The first line.
pub const HEADER: &str = "index,auction_id,head\n";

/// One leaf's line.
pub fn line(index: u64, leaf: &Leaf) -> String {
    let head = hex::encode(leaf.head);
    format!("{index},{},{head}\n", leaf.auction_id)
}

/// The leaves of a tree, in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leaves(Vec<Leaf>);

impl Leaves {
    /// Reads the list.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let refused = |why: String| FormatError::new(WHAT, why);
        let mut rows = csv::Reader::from_reader(bytes);
        let header = rows
            .byte_headers()
            .map_err(|error| refused(error.to_string()))?;
        let stated = HEADER.trim_end().split(',').map(str::as_bytes);
        if !header.iter().eq(stated) {
            return Err(refused(
                "its first line is not index,auction_id,head".to_owned(),
            ));
        }
        let mut leaves = Vec::new();
        let mut record = csv::ByteRecord::new();
        let mut index = 0_u64;
        loop {
            let more = rows.read_byte_record(&mut record);
            if !more.map_err(|error| refused(error.to_string()))? {
                return Ok(Self(leaves));
            }
            let leaf = leaf(&record, index);
            let line = index + 2;
            leaves.push(leaf.ok_or_else(|| refused(format!("line {line} is no leaf")))?);
            index += 1;
        }
    }

    /// Whether this is the list of that checkpoint's tree.
    pub fn belong_to(&self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let mut tree = Tree::default();
        for leaf in &self.0 {
            tree.push(leaf.hash());
        }
        if (tree.size(), tree.root()) == (checkpoint.size, checkpoint.root) {
            return Ok(());
        }
        let why = "the leaves are not those of the checkpoint".to_owned();
        Err(CheckpointError::NotVerified(why))
    }

    pub(super) fn as_slice(&self) -> &[Leaf] {
        &self.0
    }
}

fn leaf(record: &csv::ByteRecord, index: u64) -> Option<Leaf> {
    let text = |at| std::str::from_utf8(record.get(at)?).ok();
    if decimal(text(0)?)? != index {
        return None;
    }
    let mut head = Digest::default();
    hex::decode_to_slice(text(2)?, &mut head).ok()?;
    let auction_id: AuctionId = text(1)?.parse().ok()?;
    Some(Leaf { auction_id, head })
}
