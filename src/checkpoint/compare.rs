//! Holds a record against what somebody kept: a checkpoint, its leaves, or single heads.
//!
//! With the leaves every auction that differs is named; without them the tree alone tells that
//! something does. A difference is told once: of the tree only where no auction explains it. So
//! many differences are listed as the caller wants; all are counted.

use super::error::CheckpointError;
use super::kept::KeptHead;
use super::leaf::Leaf;
use super::leaves::Leaves;
use super::record::Record;
use super::statement::Checkpoint;
use super::tree::Tree;
use crate::auction::{AuctionId, Digest, Micros};
use crate::ledger::{Check, Finding};
use crate::store::{Contract, EndedHead};

/// A record that is not what was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// Other auctions, or other heads, than the checkpoint has; which ones only leaves tell.
    Tree {
        /// Size and root of the checkpoint.
        expected: (u64, Digest),
        /// Size and root of the record.
        found: (u64, Digest),
    },
    /// An auction's head is another one.
    Changed {
        /// The auction.
        auction_id: AuctionId,
        /// In the checkpoint.
        expected: Digest,
        /// In the record.
        found: Digest,
    },
    /// An auction is not there any more, or not as one that ended then.
    Gone {
        /// The auction.
        auction_id: AuctionId,
        /// In the checkpoint.
        expected: Digest,
    },
    /// An auction is there that the checkpoint does not have.
    Added {
        /// The auction.
        auction_id: AuctionId,
        /// In the record.
        found: Digest,
    },
    /// All heads are the same, their order of ends is not: this auction stands elsewhere.
    Moved {
        /// The first auction that is out of its place.
        auction_id: AuctionId,
        /// Its place in the checkpoint.
        expected: u64,
        /// Its place in the record.
        found: u64,
    },
    /// A single head that was kept is not the recorded one.
    KeptHead {
        /// The auction.
        auction_id: AuctionId,
        /// As it was kept.
        expected: Digest,
        /// In the record; none where no auction of that id has ended.
        found: Option<Digest>,
    },
}

impl Mismatch {
    /// As a replay tells it.
    pub fn finding(&self) -> Finding {
        let head = |head: &Digest| format!("head {}", hex::encode(head));
        let tree = |(size, root): &(u64, Digest)| {
            format!("{size} ended auctions with root {}", hex::encode(root))
        };
        let ended = "no auction of that id that ended then";
        let none = "no such auction".to_owned();
        let (auction_id, expected, found) = match self {
            Self::Tree { expected, found } => (None, tree(expected), tree(found)),
            Self::Changed {
                auction_id,
                expected,
                found,
            } => (Some(auction_id), head(expected), head(found)),
            Self::Gone {
                auction_id,
                expected,
            } => (Some(auction_id), head(expected), ended.to_owned()),
            Self::Added { auction_id, found } => (Some(auction_id), none, head(found)),
            Self::Moved {
                auction_id,
                expected,
                found,
            } => {
                let place = |index| format!("place {index} in the order of the ends");
                (Some(auction_id), place(expected), place(found))
            }
            Self::KeptHead {
                auction_id,
                expected,
                found,
            } => {
                let absent = "no auction of that id that has ended".to_owned();
                let found = found.as_ref().map_or(absent, head);
                (Some(auction_id), head(expected), found)
            }
        };
        Finding {
            auction_id: auction_id.map(|id| id.get()),
            seq: None,
            check: match self {
                Self::KeptHead { .. } => Check::KeptHead,
                _ => Check::Checkpoint,
            },
            expected,
            found,
        }
    }
}

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Differences {
    /// Listed or not.
    pub total: u64,
    /// The first ones.
    pub listed: Vec<Mismatch>,
}

impl Differences {
    fn add(&mut self, mismatch: Mismatch, listed_max: usize) {
        self.total += 1;
        if self.listed.len() < listed_max {
            self.listed.push(mismatch);
        }
    }
}

/// A record being held against a checkpoint: push what ended before the cut, in order.
#[derive(Debug)]
pub struct Comparison<'a> {
    checkpoint: &'a Checkpoint,
    leaves: Option<Named<'a>>,
    tree: Tree,
    listed_max: usize,
    found: Differences,
}

/// The leaves by auction, and which of them were met.
#[derive(Debug)]
struct Named<'a> {
    leaves: &'a [Leaf],
    /// Places of the leaves, by auction.
    by_id: Vec<u32>,
    met: Vec<bool>,
    moved: Option<Mismatch>,
}

impl<'a> Comparison<'a> {
    /// The leaves must be those of the checkpoint.
    pub fn new(
        checkpoint: &'a Checkpoint,
        leaves: Option<&'a Leaves>,
        listed_max: usize,
    ) -> Result<Self, CheckpointError> {
        let leaves = match leaves {
            None => None,
            Some(leaves) => {
                leaves.belong_to(checkpoint)?;
                Some(Named::new(leaves.as_slice())?)
            }
        };
        Ok(Self {
            checkpoint,
            leaves,
            tree: Tree::default(),
            listed_max,
            found: Differences::default(),
        })
    }

    /// The next auction of the record.
    pub fn push(&mut self, ended: &EndedHead) {
        let leaf = Leaf::from(ended);
        let index = self.tree.size();
        self.tree.push(leaf.hash());
        if let Some(leaves) = &mut self.leaves
            && let Some(mismatch) = leaves.meet(&leaf, index)
        {
            self.found.add(mismatch, self.listed_max);
        }
    }

    /// What differs, by what was pushed.
    pub fn finish(mut self) -> Differences {
        let expected = (self.checkpoint.size, self.checkpoint.root);
        let found = (self.tree.size(), self.tree.root());
        if expected == found {
            return Differences::default();
        }
        let mut moved = None;
        if let Some(leaves) = self.leaves {
            for gone in leaves.gone() {
                self.found.add(gone, self.listed_max);
            }
            moved = leaves.moved;
        }
        if self.found.total == 0 {
            let whole = moved.unwrap_or(Mismatch::Tree { expected, found });
            self.found.add(whole, self.listed_max);
        }
        self.found
    }
}

impl<'a> Named<'a> {
    fn new(leaves: &'a [Leaf]) -> Result<Self, CheckpointError> {
        let last = u32::try_from(leaves.len()).map_err(|_| {
            CheckpointError::Input("the list of leaves is too long to be compared".to_owned())
        })?;
        let mut by_id: Vec<u32> = (0..last).collect();
        by_id.sort_unstable_by_key(|place| at(leaves, *place).map(|leaf| leaf.auction_id));
        Ok(Self {
            leaves,
            by_id,
            met: vec![false; leaves.len()],
            moved: None,
        })
    }

    fn meet(&mut self, leaf: &Leaf, index: u64) -> Option<Mismatch> {
        let auction_id = leaf.auction_id;
        let wanted = Some(auction_id);
        let found = self
            .by_id
            .binary_search_by_key(&wanted, |place| {
                at(self.leaves, *place).map(|leaf| leaf.auction_id)
            })
            .ok();
        let place = found.and_then(|found| self.by_id.get(found).copied());
        let met = place.and_then(|place| self.met.get_mut(usize::try_from(place).ok()?));
        let (Some(place), Some(met)) = (place, met) else {
            return Some(Mismatch::Added {
                auction_id,
                found: leaf.head,
            });
        };
        *met = true;
        let expected = at(self.leaves, place)?.head;
        if expected != leaf.head {
            return Some(Mismatch::Changed {
                auction_id,
                expected,
                found: leaf.head,
            });
        }
        if self.moved.is_none() && u64::from(place) != index {
            self.moved = Some(Mismatch::Moved {
                auction_id,
                expected: u64::from(place),
                found: index,
            });
        }
        None
    }

    fn gone(&self) -> impl Iterator<Item = Mismatch> {
        let all = self.leaves.iter().zip(&self.met);
        let gone = all.filter(|(_, met)| !**met);
        gone.map(|(leaf, _)| Mismatch::Gone {
            auction_id: leaf.auction_id,
            expected: leaf.head,
        })
    }
}

fn at(leaves: &[Leaf], place: u32) -> Option<&Leaf> {
    leaves.get(usize::try_from(place).ok()?)
}

/// Holds a record against a checkpoint.
pub async fn compare<S: Contract>(
    record: &Record<'_, S>,
    checkpoint: &Checkpoint,
    leaves: Option<&Leaves>,
    listed_max: usize,
) -> Result<Differences, CheckpointError> {
    record.check_reaches(checkpoint.cut)?;
    let mut comparison = Comparison::new(checkpoint, leaves, listed_max)?;
    record
        .walk(checkpoint.cut, |read| {
            // What cannot be read is not there; the audit of its auction says why.
            if let Ok(ended) = read {
                comparison.push(&ended);
            }
            Ok(())
        })
        .await?;
    Ok(comparison.finish())
}

/// Holds a record against heads that were kept, in order of their auctions ([`super::Kept`]).
/// Those of load generation are left out: their auctions are removed as a matter of course.
pub async fn compare_kept<S: Contract>(
    record: &Record<'_, S>,
    kept: &[KeptHead],
    listed_max: usize,
) -> Result<Differences, CheckpointError> {
    let mut recorded: Vec<Option<Digest>> = vec![None; kept.len()];
    record
        .walk(Micros::MAX, |read| {
            let Ok(ended) = read else { return Ok(()) };
            let first = kept.partition_point(|head| head.auction_id < ended.auction_id);
            let of_auction = |head: &&KeptHead| head.auction_id == ended.auction_id;
            let count = kept.iter().skip(first).take_while(of_auction).count();
            let places = recorded.iter_mut().skip(first).take(count);
            places.for_each(|place| *place = Some(ended.head));
            Ok(())
        })
        .await?;
    let mut found = Differences::default();
    for (head, recorded) in kept.iter().zip(recorded) {
        let generated = head.auction_id.get() >= AuctionId::BURST_MIN;
        if recorded != Some(head.head) && !generated {
            let mismatch = Mismatch::KeptHead {
                auction_id: head.auction_id,
                expected: head.head,
                found: recorded,
            };
            found.add(mismatch, listed_max);
        }
    }
    Ok(found)
}
