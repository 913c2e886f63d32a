//! Seqs that are absent or stand twice, and entries that stand under a wrong seq.

use std::collections::BTreeSet;

use super::chain::{Chain, Link};
use super::finding::Check;
use super::notes::Notes;
use crate::auction::{Digest, Entry};
use crate::store::Dossier;

/// What lies between an entry and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// At least one entry, absent or damaged.
    Absent,
    /// Nothing: the entry is the expected one under a wrong seq.
    Renumbered,
    /// The entry is one that was found absent before: it does not belong here.
    Elsewhere,
}

/// The first absent entry: where it was named, its seq, and the hash before it.
struct Hole {
    place: usize,
    seq: i64,
    prev: Digest,
}

/// The gaps of one ledger.
pub(super) struct Gaps {
    damaged: BTreeSet<i64>,
    hole: Option<Hole>,
    any: bool,
}

impl Gaps {
    /// Knows the damaged entries, which are named already.
    pub(super) fn of(dossier: &Dossier) -> Self {
        let damaged: BTreeSet<i64> = dossier.damage.iter().filter_map(|d| d.seq).collect();
        Self {
            any: !damaged.is_empty(),
            damaged,
            hole: None,
        }
    }

    /// A seq was absent or damaged.
    pub(super) fn any(&self) -> bool {
        self.any
    }

    /// Damaged entries come after the last readable one.
    pub(super) fn follow(&self, last: Option<&Entry>) -> bool {
        let last = last.map_or(0, |last| last.seq);
        self.damaged.range(last + 1..).next().is_some()
    }

    /// Names what is absent before an entry.
    pub(super) fn before(
        &mut self,
        entry: &Entry,
        expected: i64,
        chain: &Chain,
        notes: &mut Notes,
    ) -> Gap {
        if entry.seq <= expected {
            return Gap::None;
        }
        self.any = true;
        let as_seq = |seq| Entry {
            seq,
            ..entry.clone()
        };
        if let Some(hole) = &self.hole
            && as_seq(hole.seq).hash_after(&hole.prev) == entry.hash
        {
            notes.retell(hole.place, format!("its entry stands as seq {}", entry.seq));
            return Gap::Elsewhere;
        }
        let Some(first) = (expected..entry.seq).find(|seq| !self.damaged.contains(seq)) else {
            return Gap::Absent;
        };
        let renumbered = chain.link(&as_seq(expected)) == Link::Good;
        let found = if renumbered {
            format!("its entry stands as seq {}", entry.seq)
        } else {
            format!("the next entry is seq {}", entry.seq)
        };
        let wants = format!("an entry with seq {first}");
        let place = notes.push(Some(first), Check::SeqGap, wants, found);
        if renumbered {
            return Gap::Renumbered;
        }
        if let Some(prev) = chain.prev()
            && self.hole.is_none()
            && first == expected
        {
            let seq = first;
            self.hole = Some(Hole { place, seq, prev });
        }
        Gap::Absent
    }
}

/// The entry of a seq that is taken: of several the one that hangs on the chain.
pub(super) fn one_of<'d>(
    same_seq: &'d [Entry],
    chain: &Chain,
    notes: &mut Notes,
) -> Option<&'d Entry> {
    let first = same_seq.first()?;
    if same_seq.len() == 1 {
        return Some(first);
    }
    let found = format!("{} entries", same_seq.len());
    notes.push(Some(first.seq), Check::SeqRepeated, "one entry", found);
    let hangs = |entry: &&Entry| chain.link(entry) == Link::Good;
    same_seq.iter().find(hangs).or(Some(first))
}
