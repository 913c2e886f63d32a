//! What became of each bid, told from the end: it won, it leads, or what it lost by.
//!
//! Works on leaders and times alone, so that it can be told to a bidder who may see no maximum.

use std::collections::HashMap;

use crate::auction::operator::VoidDetail;
use crate::auction::{Entry, Kind, PartyId, Status};

/// What became of a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It bought the item.
    Wins,
    /// It leads an auction that is not closed.
    Leads,
    /// It led at the end, below the reserve.
    ReserveNotMet,
    /// It led when the auction was cancelled.
    Cancelled,
    /// It led until its bidder raised the own maximum by this entry.
    Raised(i64),
    /// It led until this entry.
    Outbid(i64),
    /// It never led: another maximum was as high, or higher.
    OutbidAtOnce,
    /// An operator took it out by this entry.
    Voided(i64),
}

impl Fate {
    /// The kept name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::Leads => "leads",
            Self::ReserveNotMet => "reserve-not-met",
            Self::Cancelled => "cancelled",
            Self::Raised(_) => "raised",
            Self::Outbid(_) => "outbid",
            Self::OutbidAtOnce => "outbid-at-once",
            Self::Voided(_) => "voided",
        }
    }

    /// The entry that decided it, where a later one did.
    pub fn seq(self) -> Option<i64> {
        match self {
            Self::Raised(seq) | Self::Outbid(seq) | Self::Voided(seq) => Some(seq),
            _ => None,
        }
    }
}

/// The seqs of voided bids, each with the entry that voided it.
pub(super) fn voided(entries: &[Entry]) -> HashMap<i64, i64> {
    let voids = entries.iter().filter(|entry| entry.kind == Kind::Void);
    let targets = voids.filter_map(|entry| {
        let detail = VoidDetail::from_detail(&entry.detail).ok()?;
        Some((entry.seq, detail.targets))
    });
    let each = targets.flat_map(|(by, seqs)| seqs.into_iter().map(move |seq| (seq, by)));
    each.collect()
}

/// The fates of the bids among entries, by seq. `leader_after` has one leader an entry; `status`
/// is that of the auction after the last one, `reserve_met` whether its leader could buy.
pub(super) fn fates<'a>(
    entries: &'a [Entry],
    leader_after: &[Option<&'a PartyId>],
    (status, reserve_met): (Status, bool),
) -> HashMap<i64, Fate> {
    let voided = voided(entries);
    let mut fates: HashMap<i64, Fate> = HashMap::new();
    // The latest bid of each that counts.
    let mut current: HashMap<&PartyId, i64> = HashMap::new();
    let mut leader: Option<&PartyId> = None;
    for (entry, after) in entries.iter().zip(leader_after.iter().copied()) {
        let bids = entry.kind == Kind::Bid;
        if let Some(seq) = leader.and_then(|was| current.get(was))
            && leader != after
            && fates.get(seq) == Some(&Fate::Leads)
        {
            fates.insert(*seq, Fate::Outbid(entry.seq));
        }
        match voided.get(&entry.seq) {
            Some(by) if bids => {
                fates.insert(entry.seq, Fate::Voided(*by));
            }
            None if bids => {
                let before = current.insert(&entry.actor, entry.seq);
                if let Some(before) = before.filter(|_| leader == Some(&entry.actor)) {
                    fates.insert(before, Fate::Raised(entry.seq));
                }
                let leads = after == Some(&entry.actor);
                let fate = if leads {
                    Fate::Leads
                } else {
                    Fate::OutbidAtOnce
                };
                fates.insert(entry.seq, fate);
            }
            // Without the voided bids an earlier one may lead again.
            _ => {
                if let Some(seq) = after.and_then(|now| current.get(now)) {
                    fates.insert(*seq, Fate::Leads);
                }
            }
        }
        leader = after;
    }
    let last = leader.and_then(|leader| current.get(leader));
    if let Some(seq) = last {
        fates.insert(*seq, at_the_end(status, reserve_met));
    }
    fates
}

fn at_the_end(status: Status, reserve_met: bool) -> Fate {
    match status {
        Status::Cancelled => Fate::Cancelled,
        Status::Open | Status::Closing => Fate::Leads,
        Status::Closed | Status::ClosedReserveNotMet if reserve_met => Fate::Wins,
        Status::Closed | Status::ClosedReserveNotMet => Fate::ReserveNotMet,
    }
}
