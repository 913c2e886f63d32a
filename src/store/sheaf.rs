//! Many auctions as they were read, ledger rows not copied out: what an audit at size works on.
//!
//! A sheaf holds whole auctions by ascending id. Each is a [`Dossier`] whose entries still stand
//! in the rows that were read; [`Sheaf::dossier`] copies them out where somebody wants to look
//! closer.

use std::ops::Range;

use super::postgres::CopiedRows;
use super::rows::{Damage, Dossier};
use super::stored::DossierPage;
use crate::auction::{Entry, EntryRef};

/// Ledger rows where they were read.
pub trait LedgerRows: Send + 'static {
    /// A row as an entry; none if it has a value that cannot be: [`Self::entry`] says which.
    fn borrowed(&self, place: usize) -> Option<EntryRef<'_>>;
    /// A row as an entry of its own.
    fn entry(&self, place: usize) -> Result<Entry, Damage>;
    /// All rows as entries of their own, in order.
    fn into_entries(self) -> impl Iterator<Item = Result<Entry, Damage>>;
}

/// Some auctions, and the ledger rows of all of them.
#[derive(Debug)]
pub struct Sheaf<R> {
    /// The ledger rows.
    pub rows: R,
    /// By ascending id: all that is stored of an auction but its entries, and where those stand.
    pub auctions: Vec<(Dossier, Range<usize>)>,
}

impl<R> Sheaf<R> {
    /// Of auctions by ascending id and the places where their rows begin, of so many rows.
    pub(crate) fn gathered(
        page: DossierPage,
        starts: impl Iterator<Item = usize> + Clone,
        rows: R,
        total: usize,
    ) -> Self {
        let ends = starts.clone().skip(1).chain([total]);
        let ranges = starts.zip(ends).map(|(start, end)| start..end);
        Self {
            auctions: page.into_dossiers().into_iter().zip(ranges).collect(),
            rows,
        }
    }
}

impl<R: LedgerRows> Sheaf<R> {
    /// How many entries.
    pub fn entries(&self) -> usize {
        self.auctions.iter().map(|(_, rows)| rows.len()).sum()
    }

    /// Leaves out auctions; their rows stay unread.
    pub fn keep(&mut self, wanted: impl Fn(&Dossier) -> bool) {
        self.auctions.retain(|(dossier, _)| wanted(dossier));
    }

    /// The entries of one auction where they are; one that cannot be read is none.
    pub fn borrowed(&self, rows: Range<usize>) -> impl Iterator<Item = Option<EntryRef<'_>>> {
        rows.map(|place| self.rows.borrowed(place))
    }

    /// One auction with its entries; rows that cannot be read are its damage.
    pub fn dossier(&self, dossier: &Dossier, rows: Range<usize>) -> Dossier {
        let mut whole = dossier.clone();
        whole.entries.reserve_exact(rows.len());
        for place in rows {
            match self.rows.entry(place) {
                Ok(entry) => whole.entries.push(entry),
                Err(damage) => whole.damage.push(damage),
            }
        }
        whole
    }

    /// All of them with their entries.
    pub fn into_dossiers(self) -> Vec<Dossier> {
        let mut entries = self.rows.into_entries();
        let mut place = 0;
        let filled = self.auctions.into_iter().map(|(mut dossier, rows)| {
            // Rows between belong to auctions that were left out.
            entries.by_ref().take(rows.start - place).for_each(drop);
            place = rows.end;
            dossier.entries.reserve_exact(rows.len());
            for read in entries.by_ref().take(rows.len()) {
                match read {
                    Ok(entry) => dossier.entries.push(entry),
                    Err(damage) => dossier.damage.push(damage),
                }
            }
            dossier
        });
        filled.collect()
    }
}

/// Ledger rows of a database.
#[derive(Debug)]
pub enum StoredRows {
    /// As a server's COPY sent them.
    Copied(CopiedRows),
    /// As values.
    Selected(Vec<Entry>),
}

impl Sheaf<StoredRows> {
    /// Of auctions that were read as values.
    pub(super) fn of(dossiers: Vec<Dossier>) -> Self {
        let mut entries = Vec::with_capacity(dossiers.iter().map(|d| d.entries.len()).sum());
        let auctions = dossiers.into_iter().map(|mut dossier| {
            let first = entries.len();
            entries.append(&mut dossier.entries);
            (dossier, first..entries.len())
        });
        let auctions = auctions.collect();
        Self {
            rows: StoredRows::Selected(entries),
            auctions,
        }
    }
}

impl LedgerRows for StoredRows {
    fn borrowed(&self, place: usize) -> Option<EntryRef<'_>> {
        match self {
            Self::Copied(rows) => rows.borrowed(place),
            Self::Selected(entries) => entries.get(place).map(Entry::borrowed),
        }
    }

    fn entry(&self, place: usize) -> Result<Entry, Damage> {
        match self {
            Self::Copied(rows) => rows.entry(place),
            Self::Selected(entries) => entries.get(place).cloned().ok_or_else(absent),
        }
    }

    fn into_entries(self) -> impl Iterator<Item = Result<Entry, Damage>> {
        let (copied, selected) = match self {
            Self::Copied(rows) => (Some(rows), None),
            Self::Selected(entries) => (None, Some(entries)),
        };
        let copied = copied.into_iter().flat_map(CopiedRows::into_entries);
        copied.chain(selected.into_iter().flatten().map(Ok))
    }
}

fn absent() -> Damage {
    Damage::row(0, "ledger", "no such row")
}
