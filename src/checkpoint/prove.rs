//! Proves that one auction is in a checkpoint, from a record whose tree is the checkpoint's.

use super::error::CheckpointError;
use super::leaf::Leaf;
use super::note::SignedNote;
use super::proof::Proof;
use super::record::Record;
use super::statement::Checkpoint;
use super::tree::Tree;
use crate::auction::AuctionId;
use crate::store::Contract;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proved {
    /// A proof that verifies.
    Proof(Box<Proof>),
    /// The auction is not in that checkpoint: it had not ended by its cut, or is not there.
    NotCovered(Checkpoint),
}

/// Proves it. The note's signature is for whoever verifies: here the record itself is compared.
pub async fn prove<S: Contract>(
    record: &Record<'_, S>,
    note: SignedNote,
    auction_id: AuctionId,
) -> Result<Proved, CheckpointError> {
    let checkpoint = Checkpoint::parse(note.text())?;
    record.check_reaches(checkpoint.cut)?;
    let mut tree = Tree::default();
    let mut found = None;
    record
        .walk(checkpoint.cut, |read| {
            // What cannot be read is missing, and the root tells.
            let Ok(ended) = read else { return Ok(()) };
            let leaf = Leaf::from(&ended);
            if leaf.auction_id == auction_id {
                found.get_or_insert(leaf);
                tree.push_marked(leaf.hash());
            } else {
                tree.push(leaf.hash());
            }
            Ok(())
        })
        .await?;
    if (tree.size(), tree.root()) != (checkpoint.size, checkpoint.root) {
        let why = "the record is not the one that the checkpoint was taken of";
        return Err(CheckpointError::Differs(why.to_owned()));
    }
    let (Some(leaf), Some(index), Some(hashes)) = (found, tree.marked(), tree.proof()) else {
        return Ok(Proved::NotCovered(checkpoint));
    };
    let proof = Proof {
        leaf,
        index,
        hashes,
        note,
    };
    proof.verify_in(&checkpoint)?;
    Ok(Proved::Proof(Box::new(proof)))
}
