//! What became of auctions that have ended, as it is asked and told.

use super::rows::Damage;
use crate::auction::{AuctionId, Micros, Shards};

/// Which auctions that have ended.
#[derive(Debug, Clone, Copy)]
pub enum Ended<'a> {
    /// By their ends, the earliest first.
    Between {
        /// Of these shards.
        shards: Shards,
        /// After this end.
        after: Micros,
        /// And of those at that very end, the ones after this id.
        last: Option<AuctionId>,
        /// Until this end.
        until: Micros,
        /// At most so many.
        limit: u32,
    },
    /// These, whatever their ends are.
    These(&'a [AuctionId]),
}

/// An auction's end in force, and when its result was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The auction.
    pub auction_id: AuctionId,
    /// Its end.
    pub end: Micros,
    /// None until a closer has been there.
    pub closed: Option<Micros>,
}

/// Id, end and closing time as they are stored.
pub(super) type StoredClosing = (i64, i64, Option<i64>);

/// From what is stored.
pub(super) fn closings(stored: Vec<StoredClosing>) -> Result<Vec<Closing>, Damage> {
    let closing = |(id, end_us, closed_us): StoredClosing| {
        let instant =
            |column, us: i64| Micros::new(us).map_err(|_| Damage::row(id, column, us.to_string()));
        Ok(Closing {
            auction_id: AuctionId::new(id)
                .map_err(|error| Damage::row(id, "auction_id", error.to_string()))?,
            end: instant("end_us", end_us)?,
            closed: closed_us.map(|us| instant("closed_us", us)).transpose()?,
        })
    };
    stored.into_iter().map(closing).collect()
}

/// What an id that is left out stands for: every auction with that end is passed.
pub(super) fn last_id(last: Option<AuctionId>) -> i64 {
    last.map_or(AuctionId::MAX, AuctionId::get)
}
