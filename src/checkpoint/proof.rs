//! A proof that one auction is in a checkpoint (C2SP `tlog-proof`), whole in itself.
//!
//! The line `extra` carries the leaf's bytes. They are worth nothing by themselves: what verifies
//! is that their hash, by the proof's hashes, gives the root that is signed.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::error::{CheckpointError, FormatError};
use super::key::VerifierKey;
use super::leaf::Leaf;
use super::note::{NOTE_BYTES_MAX, SignedNote};
use super::statement::{Checkpoint, decimal, digest};
use super::tree;
use crate::auction::Digest;

const WHAT: &str = "proof of a checkpoint";
const HEADER: &str = "c2sp.org/tlog-proof@v1";
/// More levels than a tree can have.
const HASHES_MAX: usize = 64;
const PROOF_BYTES_MAX: usize = NOTE_BYTES_MAX + 8 * 1024;

/// One auction's place in a checkpoint's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The auction and its head.
    pub leaf: Leaf,
    /// Its place, from 0.
    pub index: u64,
    /// From its sibling up.
    pub hashes: Vec<Digest>,
    /// The checkpoint as it was signed.
    pub note: SignedNote,
}

impl Proof {
    /// Reads a proof. Nothing of it holds before [`Self::verify`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let refused = |why: &str| FormatError::new(WHAT, why);
        if text.len() > PROOF_BYTES_MAX {
            return Err(refused("it is too long"));
        }
        let (head, note) = text
            .split_once("\n\n")
            .ok_or_else(|| refused("no empty line parts it from its checkpoint"))?;
        let mut lines = head.split('\n');
        if lines.next() != Some(HEADER) {
            return Err(refused("its first line is not c2sp.org/tlog-proof@v1"));
        }
        let extra = lines.next().and_then(|line| line.strip_prefix("extra "));
        let extra = extra.and_then(|extra| BASE64_STANDARD.decode(extra).ok());
        let extra = extra.ok_or_else(|| refused("its second line is not the leaf (extra)"))?;
        let leaf = Leaf::parse(&extra)?;
        let index = lines.next().and_then(|line| line.strip_prefix("index "));
        let index = index.and_then(decimal);
        let index = index.ok_or_else(|| refused("its third line is not the index"))?;
        let hashes: Option<Vec<_>> = lines.by_ref().take(HASHES_MAX + 1).map(digest).collect();
        let hashes = hashes.filter(|hashes| hashes.len() <= HASHES_MAX);
        Ok(Self {
            leaf,
            index,
            hashes: hashes.ok_or_else(|| refused("a line is not a hash, or there are too many"))?,
            note: SignedNote::parse(note)?,
        })
    }

    /// The proof as it is kept.
    pub fn to_text(&self) -> String {
        let extra = BASE64_STANDARD.encode(self.leaf.bytes());
        let mut text = format!("{HEADER}\nextra {extra}\nindex {}\n", self.index);
        for hash in &self.hashes {
            text.push_str(&BASE64_STANDARD.encode(hash));
            text.push('\n');
        }
        text.push('\n');
        text.push_str(&self.note.to_text());
        text
    }

    /// Holds if this key signed the checkpoint and the auction is in it, with this head.
    pub fn verify(&self, key: &VerifierKey) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = Checkpoint::verified(&self.note, key)?;
        self.verify_in(&checkpoint)?;
        Ok(checkpoint)
    }

    /// Holds if the auction is in this checkpoint's tree.
    pub(super) fn verify_in(&self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let tree = (checkpoint.root, checkpoint.size);
        if tree::includes(tree, (&self.leaf, self.index), &self.hashes) {
            return Ok(());
        }
        let id = self.leaf.auction_id;
        let why = format!("the proof does not show that auction {id} is in the checkpoint");
        Err(CheckpointError::NotVerified(why))
    }
}
