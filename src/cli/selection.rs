//! The options that select auctions for a replay or an export.

use std::str::FromStr;

use clap::Args;

use crate::auction::{AuctionId, Micros, PartyId, Shards};
use crate::store::{Scope, Selection};

/// Conditions; all hold together.
#[derive(Debug, Clone, Args)]
pub(crate) struct SelectionArgs {
    /// These auctions only
    #[arg(value_name = "ID")]
    auction_ids: Vec<AuctionId>,
    /// These auctions too, such as 7731,7732
    #[arg(
        long,
        value_name = "ID",
        value_delimiter = ',',
        help_heading = "Selection"
    )]
    ids: Vec<AuctionId>,
    /// Auctions in these shards only, such as 0-7,12
    #[arg(long, value_name = "SHARDS", help_heading = "Selection")]
    shards: Option<Shards>,
    /// Auctions of this seller only
    #[arg(long, value_name = "SELLER", help_heading = "Selection")]
    seller: Option<PartyId>,
    /// Auctions closed from the first time on and before the second only: FROM..TO; one of the
    /// two may be left out
    #[arg(long, value_name = "FROM..TO", help_heading = "Selection")]
    closed_between: Option<Between>,
}

impl SelectionArgs {
    /// The scope they make.
    pub(crate) fn into_scope(self) -> Scope {
        self.into_scope_since(None)
    }

    /// The same without what a checkpoint with this cut covers.
    pub(crate) fn into_scope_since(self, cut: Option<Micros>) -> Scope {
        let auction_ids = self.ids();
        let conditions = self.shards.is_some() || self.seller.is_some() || cut.is_some();
        if !conditions && self.closed_between.is_none() {
            return if auction_ids.is_empty() {
                Scope::All
            } else {
                Scope::Ids(auction_ids)
            };
        }
        let between = self.closed_between.unwrap_or_default();
        Scope::Selected(Selection {
            ids: auction_ids.into_iter().collect(),
            shards: self.shards.unwrap_or_default(),
            seller: self.seller,
            closed_from: between.from,
            closed_before: between.to,
            not_ended_before: cut,
        })
    }

    /// The ids that were named.
    pub(crate) fn ids(&self) -> Vec<AuctionId> {
        [self.auction_ids.as_slice(), &self.ids].concat()
    }
}

/// A stretch of time, the end not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Between {
    from: Option<Micros>,
    to: Option<Micros>,
}

impl FromStr for Between {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let shape = "write FROM..TO, such as 2026-12-01T00:00:00Z..2026-12-02T00:00:00Z";
        let (from, to) = text.split_once("..").ok_or(shape)?;
        let instant = |text: &str| match text {
            "" => Ok(None),
            text => text.parse::<Micros>().map(Some).map_err(|e| e.to_string()),
        };
        let between = Self {
            from: instant(from)?,
            to: instant(to)?,
        };
        match (between.from, between.to) {
            (None, None) => Err(shape.to_owned()),
            (Some(from), Some(to)) if from >= to => Err("FROM must lie before TO".to_owned()),
            _ => Ok(between),
        }
    }
}
