//! A Merkle tree (RFC 6962, section 2.1) over leaves that come one after the other.
//!
//! Kept are the roots of the perfect subtrees so far, at most one a level, so memory is
//! logarithmic. One leaf may be marked: its inclusion proof grows as its subtree is joined with
//! others. Trees are checked with the crate `ct_merkle`, which shares nothing with this.

use ct_merkle::{InclusionProof, RootHash};
use sha2::{Digest as _, Sha256};

use super::leaf::Leaf;
use crate::auction::Digest;

/// A tree that grows.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    size: u64,
    /// Perfect subtrees from the left, each higher than the next.
    peaks: Vec<Peak>,
    marked: Option<u64>,
    /// Siblings of the marked leaf's subtree, from the leaf up.
    path: Vec<Digest>,
}

#[derive(Debug, Clone, Copy)]
struct Peak {
    level: u32,
    hash: Digest,
    /// The marked leaf is in it.
    marked: bool,
}

impl Tree {
    /// How many leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Where the marked leaf stands.
    pub fn marked(&self) -> Option<u64> {
        self.marked
    }

    /// Adds a leaf by its hash.
    pub fn push(&mut self, leaf: Digest) {
        self.add(leaf, false);
    }

    /// Adds the leaf that is to be proved. Only the first one counts.
    pub fn push_marked(&mut self, leaf: Digest) {
        let first = self.marked.is_none();
        if first {
            self.marked = Some(self.size);
        }
        self.add(leaf, first);
    }

    fn add(&mut self, leaf: Digest, marked: bool) {
        let mut new = Peak {
            level: 0,
            hash: leaf,
            marked,
        };
        while let Some(left) = self.peaks.pop_if(|left| left.level == new.level) {
            new = join(&left, &new, &mut self.path);
        }
        self.peaks.push(new);
        self.size += 1;
    }

    /// The root; of no leaves it is the hash of nothing.
    pub fn root(&self) -> Digest {
        self.bagged(&mut Vec::new())
    }

    /// From the marked leaf's sibling up to the root's child; none if no leaf is marked.
    pub fn proof(&self) -> Option<Vec<Digest>> {
        self.marked?;
        let mut path = self.path.clone();
        self.bagged(&mut path);
        Some(path)
    }

    /// Joins the subtrees from the right.
    fn bagged(&self, path: &mut Vec<Digest>) -> Digest {
        let mut peaks = self.peaks.iter().rev();
        let Some(last) = peaks.next() else {
            return Sha256::digest([]).into();
        };
        peaks
            .fold(*last, |right, left| join(left, &right, path))
            .hash
    }
}

fn join(left: &Peak, right: &Peak, path: &mut Vec<Digest>) -> Peak {
    if left.marked {
        path.push(right.hash);
    } else if right.marked {
        path.push(left.hash);
    }
    let mut sha = Sha256::new_with_prefix([1]);
    sha.update(left.hash);
    sha.update(right.hash);
    Peak {
        level: left.level + 1,
        hash: sha.finalize().into(),
        marked: left.marked || right.marked,
    }
}

/// Whether a leaf stands at an index of a tree.
pub(super) fn includes(
    (root, size): (Digest, u64),
    (leaf, index): (&Leaf, u64),
    hashes: &[Digest],
) -> bool {
    let root = RootHash::<Sha256>::new(root.into(), size);
    InclusionProof::try_from_bytes(hashes.concat())
        .and_then(|proof| root.verify_inclusion(&leaf.bytes(), index, &proof))
        .is_ok()
}
