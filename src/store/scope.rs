//! Which auctions an audit or an export reads.

use std::collections::BTreeSet;

use super::rows::AuctionRow;
use crate::auction::{AuctionId, IdRange, Micros, PartyId, Shards, Status};

/// Which auctions an audit or export reads.
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

impl Selection {
    /// Whether an auction is among them. What a row that cannot be read would have said is held
    /// to be so.
    pub fn holds(&self, id: i64, row: Option<&AuctionRow>) -> bool {
        let named = AuctionId::new(id).is_ok_and(|id| {
            self.shards.hold(id) && (self.ids.is_empty() || self.ids.contains(&id))
        });
        let Some(row) = row else { return named };
        let closed = |at: Option<Micros>, meets: &dyn Fn(Micros, Micros) -> bool| {
            at.is_none_or(|at| row.closed_at.is_some_and(|closed_at| meets(closed_at, at)))
        };
        // As a checkpoint has it: an open auction with a closing time has not ended.
        let ended = match row.status {
            Status::Closed | Status::ClosedReserveNotMet => row.closed_at,
            Status::Cancelled => Some(row.last_at),
            Status::Open | Status::Closing => None,
        };
        named
            && self
                .seller
                .as_ref()
                .is_none_or(|seller| *seller == row.terms.seller)
            && closed(self.closed_from, &|closed_at, from| closed_at >= from)
            && closed(self.closed_before, &|closed_at, before| closed_at < before)
            && self.not_ended_before.is_none_or(|cut| {
                id >= AuctionId::BURST_MIN || ended.is_none_or(|ended| ended >= cut)
            })
    }
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

    /// Whether an auction is in it, as far as its row tells.
    pub fn holds(&self, id: i64, row: Option<&AuctionRow>) -> bool {
        match self {
            Self::All => true,
            Self::Ids(ids) => ids.iter().any(|asked| asked.get() == id),
            Self::Range(ids) => (ids.first.get()..=ids.last.get()).contains(&id),
            Self::Selected(selection) => selection.holds(id, row),
        }
    }

    /// The same as a range and conditions, which a query can be given.
    pub(super) fn as_conditions(&self) -> (IdRange, Selection) {
        let (mut range, mut selection) = (IdRange::ALL, Selection::default());
        match self {
            Self::All => {}
            Self::Ids(ids) => selection.ids.extend(ids),
            Self::Range(ids) => range = *ids,
            Self::Selected(asked) => selection = asked.clone(),
        }
        (range, selection)
    }
}
