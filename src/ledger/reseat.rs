//! Entries that stand under the seq of another one, put back where they belong.
//!
//! A database keeps seqs apart; only the files of a folder can hold one twice. An entry whose hash
//! stands for an absent seq was moved from there: that is one finding, at the absent seq.

use std::collections::BTreeSet;

use super::finding::Check;
use super::notes::Notes;
use crate::auction::Entry;
use crate::auction::entry::ZERO;
use crate::store::Dossier;

/// Bounds the work where a ledger is damaged from end to end.
const ABSENT_MAX: usize = 32;
const DOUBLED_MAX: usize = 32;

/// The dossier with its entries where they belong; none if none was moved.
pub(super) fn reseat(dossier: &Dossier, notes: &mut Notes) -> Option<Dossier> {
    let entries = &dossier.entries;
    let rising = |pair: &[Entry]| matches!(pair, [one, two] if one.seq < two.seq);
    if entries.windows(2).all(rising) {
        return None;
    }
    let seqs: BTreeSet<i64> = entries.iter().map(|entry| entry.seq).collect();
    let last = dossier.row.as_ref().map_or(0, |row| row.last_seq);
    let last = last.max(seqs.last().copied().unwrap_or(0));
    let absent = (1..=last).filter(|seq| !seqs.contains(seq));
    let mut moved: Vec<(usize, i64)> = Vec::new();
    for absent in absent.take(ABSENT_MAX) {
        let twice = |seq| entries.iter().filter(|entry| entry.seq == seq).count() > 1;
        let mut doubled = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| twice(entry.seq))
            .take(DOUBLED_MAX);
        let from = doubled.find(|(_, entry)| belongs(entry, absent, entries));
        moved.extend(from.map(|(at, _)| (at, absent)));
    }
    if moved.is_empty() {
        return None;
    }
    let mut fixed = dossier.clone();
    for (at, seq) in moved {
        if let Some(entry) = fixed.entries.get_mut(at) {
            let found = format!("its entry stands as seq {}", entry.seq);
            let expected = format!("an entry with seq {seq}");
            notes.push(Some(seq), Check::SeqGap, expected, found);
            entry.seq = seq;
        }
    }
    fixed.entries.sort_by_key(|entry| entry.seq);
    Some(fixed)
}

/// Whether the entry was chained as this seq.
fn belongs(entry: &Entry, seq: i64, entries: &[Entry]) -> bool {
    let as_seq = Entry {
        seq,
        ..entry.clone()
    };
    let hangs_on = |prev| as_seq.hash_after(prev) == entry.hash;
    if seq == 1 {
        return hangs_on(&ZERO);
    }
    let before = entries.iter().filter(|before| before.seq == seq - 1);
    before.map(|before| &before.hash).any(hangs_on)
}
