//! Which auctions an audit or an export reads.

use std::collections::BTreeSet;

use super::rows::AuctionRow;
use crate::auction::{AuctionId, IdRange, Micros, PartyId, Shards};

/// Which auctions an audit or an export reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// All.
    #[default]
    All,
    /// These; unknown ids give no dossier.
    Ids(Vec<AuctionId>),
    /// Those with ids in a range.
    Range(IdRange),
    /// Those whose rows meet conditions. Ledger rows that belong to no row are not among them.
    Selected(Selection),
}

/// Conditions on an auction's row; all hold together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// One of these; empty: any.
    pub ids: BTreeSet<AuctionId>,
    /// In these shards.
    pub shards: Shards,
    /// Of this seller.
    pub seller: Option<PartyId>,
    /// Closed at this instant or later.
    pub closed_from: Option<Micros>,
    /// Closed before this instant.
    pub closed_before: Option<Micros>,
    /// Not closed or cancelled before this instant, load-generation runs aside: what a checkpoint
    /// with this cut does not cover.
    pub not_ended_before: Option<Micros>,
}

impl Scope {
    /// The ids that were asked for one by one.
    pub fn asked(&self) -> BTreeSet<i64> {
        let number = |id: &AuctionId| id.get();
        match self {
            Self::All | Self::Range(_) => BTreeSet::new(),
            Self::Ids(ids) => ids.iter().map(number).collect(),
            Self::Selected(selection) => selection.ids.iter().map(number).collect(),
        }
    }

    /// The same as a range and conditions.
    pub fn conditions(&self) -> Conditions {
        let mut conditions = Conditions {
            all: matches!(self, Self::All),
            range: IdRange::ALL,
            named: matches!(self, Self::Ids(_)),
            selection: Selection::default(),
        };
        match self {
            Self::All => {}
            Self::Ids(ids) => conditions.selection.ids.extend(ids),
            Self::Range(ids) => conditions.range = *ids,
            Self::Selected(asked) => conditions.selection = asked.clone(),
        }
        conditions
    }
}

/// A scope as it is asked about many auctions, or handed to a query.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Every id is in it, also one that cannot be.
    all: bool,
    pub(super) range: IdRange,
    /// Only ids that are named are in it, however few.
    named: bool,
    pub(super) selection: Selection,
}

impl Conditions {
    /// The ids that are named; none: any.
    pub(super) fn ids(&self) -> Option<Vec<AuctionId>> {
        let ids = &self.selection.ids;
        (self.named || !ids.is_empty()).then(|| ids.iter().copied().collect())
    }

    /// Whether an id may be in it: what its row says, is not asked.
    pub fn may_hold(&self, id: i64) -> bool {
        let ids = &self.selection.ids;
        let named = |id| ids.contains(&id) || ids.is_empty() && !self.named;
        self.all
            || AuctionId::new(id)
                .is_ok_and(|id| self.range.holds(id) && self.selection.shards.hold(id) && named(id))
    }

    /// Whether an auction is in it. What a row that cannot be read would have said is held to be
    /// so.
    pub fn hold(&self, id: i64, row: Option<&AuctionRow>) -> bool {
        self.may_hold(id) && row.is_none_or(|row| self.hold_row(row))
    }

    fn hold_row(&self, row: &AuctionRow) -> bool {
        let selection = &self.selection;
        let closed = |at: Option<Micros>, meets: fn(Micros, Micros) -> bool| {
            at.is_none_or(|at| row.closed_at.is_some_and(|closed_at| meets(closed_at, at)))
        };
        let uncovered = |cut| {
            row.auction_id.get() >= AuctionId::BURST_MIN
                || row.ended_at().is_none_or(|ended| ended >= cut)
        };
        let seller = selection.seller.as_ref();
        seller.is_none_or(|seller| *seller == row.terms.seller)
            && closed(selection.closed_from, |closed_at, from| closed_at >= from)
            && closed(selection.closed_before, |closed_at, to| closed_at < to)
            && selection.not_ended_before.is_none_or(uncovered)
    }
}
