//! What became of auctions that have ended, as it is asked and told.

use super::rows::Damage;
use crate::auction::{AuctionId, Digest, Micros, Shards};

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

/// An auction that is over, as a checkpoint sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EndedHead {
    /// When its result was recorded, or when it was withdrawn.
    pub ended: Micros,
    /// The auction.
    pub auction_id: AuctionId,
    /// The last hash of its ledger.
    pub head: Digest,
}

/// One that is over, or what cannot be read of it.
pub type HeadRead = Result<EndedHead, Damage>;

/// Heads that are sent together.
pub(super) const HEADS_MAX: usize = 1_024;

/// From what is stored: id, instant and head.
pub(super) fn ended_head((id, ended_us, head): (i64, i64, Vec<u8>)) -> HeadRead {
    let damaged = |column, found: &dyn ToString| Damage::row(id, column, found.to_string());
    Ok(EndedHead {
        ended: Micros::new(ended_us).map_err(|error| damaged("closed_us", &error))?,
        auction_id: AuctionId::new(id).map_err(|error| damaged("auction_id", &error))?,
        head: Digest::try_from(head).map_err(|_| damaged("head", &"not 32 bytes"))?,
    })
}
