//! Whether an entry is the one that was chained, and which entry a break belongs to.
//!
//! The chain goes on with the stored hash of each entry, so a changed entry breaks at its own
//! place only. After a break the hashes that the broken entries should have had, or had before
//! they were moved, are kept as candidates: what follows is then not blamed for it.

use crate::auction::Digest;
use crate::auction::Entry;
use crate::auction::entry::ZERO;

/// Bounds the work after a break.
const CANDIDATES_MAX: usize = 8;

/// How an entry hangs on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// On the stored hash of the entry before.
    Good,
    /// On what the entry before should have had as its hash: only that hash was changed.
    HashBeforeWrong,
    /// On an entry of the broken run before it.
    Rejoined,
    /// The entry before is absent, so nothing can be said.
    Unknown,
    /// On nothing known.
    Broken,
}

/// The hash that the next entry must hang on.
pub(super) struct Chain {
    prev: Option<Digest>,
    /// After a break: what the broken entry's hash should be, then older hashes of the run.
    others: Vec<Digest>,
}

impl Chain {
    /// Before seq 1.
    pub(super) fn new() -> Self {
        Self {
            prev: Some(ZERO),
            others: Vec::new(),
        }
    }

    /// The entry before the next one is absent.
    pub(super) fn lose(&mut self) {
        self.prev = None;
        self.others.clear();
    }

    /// How this entry hangs on the ones before.
    pub(super) fn link(&self, entry: &Entry) -> Link {
        let Some(prev) = self.prev else {
            return Link::Unknown;
        };
        let hangs_on = |hash: &Digest| entry.hash_after(hash) == entry.hash;
        if hangs_on(&prev) {
            return Link::Good;
        }
        match self.others.iter().position(hangs_on) {
            None => Link::Broken,
            Some(0) => Link::HashBeforeWrong,
            Some(_) => Link::Rejoined,
        }
    }

    /// The stored hash of the entry before, if it is there.
    pub(super) fn prev(&self) -> Option<Digest> {
        self.prev
    }

    /// After a break: the hash that belongs to the broken entry's content.
    pub(super) fn hash_should_be(&self) -> Option<&Digest> {
        self.others.first()
    }

    /// Moves on past an entry that hangs well, or whose predecessor is absent.
    pub(super) fn pass(&mut self, entry: &Entry) {
        self.prev = Some(entry.hash);
        self.others.clear();
    }

    /// Moves on past a broken entry.
    pub(super) fn pass_broken(&mut self, entry: &Entry) {
        let mut others = Vec::with_capacity(CANDIDATES_MAX);
        others.extend(self.prev.map(|prev| entry.hash_after(&prev)));
        others.extend(self.prev);
        others.append(&mut self.others);
        others.truncate(CANDIDATES_MAX);
        self.others = others;
        self.prev = Some(entry.hash);
    }

    /// Whether a recorded head is the end of this chain.
    pub(super) fn ends_with(&self, head: &Digest) -> bool {
        self.prev.as_ref() == Some(head) || self.others.contains(head)
    }
}
