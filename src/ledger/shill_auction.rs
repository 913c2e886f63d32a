//! What each bidder did in one auction, as the shill report counts it: from public facts, the
//! runner-up aside.

use std::collections::BTreeMap;

use super::fate::voided;
use super::shill::{Sums, WHOLE, part};
use crate::auction::{Amount, Entry, Kind, Micros, PartyId, Terms};
use crate::store::Dossier;

/// "Late" is this close to the end.
const LATE_US: i64 = 60_000_000;

/// One bidder in one auction.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) bidder: PartyId,
    pub(super) sums: Sums,
    /// The highest of the others, so that the price follows from this bidder's maximum.
    pub(super) runner_up: bool,
    /// Beta, delta, epsilon, zeta in thousandths.
    pub(super) ratings: [Option<u64>; 4],
}

/// The sums of one bidder while an auction is gone through.
#[derive(Default)]
struct Running {
    sums: Sums,
    /// Microseconds since the bid of another before, or since the start.
    answered_us: u64,
    /// By how much the price rose.
    raised: u64,
    first_us: u64,
    highest: Option<Amount>,
}

/// The seller, and the bidders of a closed auction; none where it does not count.
pub(super) fn seats(dossier: &Dossier) -> Option<(PartyId, Vec<Seat>)> {
    let row = dossier.row.as_ref().filter(|row| row.status.is_closed())?;
    if !dossier.damage.is_empty() {
        return None;
    }
    let mut running = walk(&dossier.entries, &row.terms, row.end);
    let total: u64 = running.values().map(|run| run.sums.bids).sum();
    if total == 0 {
        return None;
    }
    if let Some(winner) = row
        .winner
        .as_ref()
        .and_then(|winner| running.get_mut(winner))
    {
        winner.sums.wins = 1;
    }
    let second = row
        .leader
        .as_ref()
        .and_then(|leader| runner_up(&running, leader));
    let mean = |sum: u64, run: &Running| sum.checked_div(run.sums.bids).unwrap_or(0);
    let measures = |run: &Running| {
        let (answered, raised) = (mean(run.answered_us, run), mean(run.raised, run));
        [answered, raised, run.first_us]
    };
    let all: Vec<[u64; 3]> = running.values().map(measures).collect();
    let length = us(row.end.since(row.terms.start));
    let seats = running.iter().map(|(bidder, run)| {
        let [answered, raised, first] = measures(run);
        let low = |which: usize, value: u64| {
            let each = all
                .iter()
                .filter_map(|measures| measures.get(which).copied());
            lowness(value, each)
        };
        let mut sums = run.sums;
        sums.first_bid = part(run.first_us, length).min(WHOLE);
        Seat {
            bidder: bidder.clone(),
            sums,
            runner_up: second.as_ref() == Some(bidder),
            ratings: [
                Some(part(sums.bids, total)),
                low(0, answered),
                low(1, raised),
                low(2, first),
            ],
        }
    });
    Some((row.terms.seller.clone(), seats.collect()))
}

/// Goes through the bids and the voids.
fn walk(entries: &[Entry], terms: &Terms, end: Micros) -> BTreeMap<PartyId, Running> {
    let voided = voided(entries);
    let pushed: BTreeMap<i64, bool> = fallen(entries);
    let mut running: BTreeMap<PartyId, Running> = BTreeMap::new();
    let mut last: Option<(&PartyId, Micros)> = None;
    // The last bid of somebody other than the one who bid last.
    let mut other: Option<Micros> = None;
    let before = std::iter::once(None).chain(entries.iter().map(Some));
    for (entry, before) in entries.iter().zip(before) {
        if entry.kind != Kind::Bid {
            continue;
        }
        other = match last {
            Some((bidder, at)) if *bidder != entry.actor => Some(at),
            _ => other,
        };
        let since = other.unwrap_or(terms.start);
        let run = running.entry(entry.actor.clone()).or_default();
        if run.sums.bids == 0 {
            run.first_us = us(entry.at.since(terms.start));
        }
        run.sums.bids += 1;
        run.answered_us += us(entry.at.since(since));
        let price = |entry: Option<&Entry>| entry.and_then(|entry| entry.price);
        let from = price(before).unwrap_or(terms.start_price);
        let rise = price(Some(entry)).map_or(0, |price| price.minor() - from.minor());
        run.raised += us(rise);
        let led = before.and_then(|before| before.leader.as_ref());
        run.sums.own_raises += u64::from(led == Some(&entry.actor));
        if entry.at.since(end) >= -LATE_US {
            run.sums.late = 1;
        }
        match voided.get(&entry.seq) {
            Some(by) => {
                run.sums.voided += 1;
                run.sums.voided_pushed += u64::from(pushed.get(by).copied().unwrap_or(false));
            }
            None => run.highest = run.highest.max(entry.secret.map(|secret| secret.amount)),
        }
        last = Some((&entry.actor, entry.at));
    }
    running
}

/// The voids, and whether the price fell by each.
fn fallen(entries: &[Entry]) -> BTreeMap<i64, bool> {
    let pairs = entries.windows(2).filter_map(|pair| match pair {
        [before, void] if void.kind == Kind::Void => Some((void.seq, void.price < before.price)),
        _ => None,
    });
    pairs.collect()
}

fn runner_up(running: &BTreeMap<PartyId, Running>, leader: &PartyId) -> Option<PartyId> {
    let others = running.iter().filter(|(bidder, _)| *bidder != leader);
    let known = others.filter_map(|(bidder, run)| Some((run.highest?, bidder)));
    known
        .max_by_key(|(highest, _)| *highest)
        .map(|(_, bidder)| bidder.clone())
}

/// How near to the lowest of all, in thousandths; none where they do not differ.
fn lowness(value: u64, all: impl Iterator<Item = u64> + Clone) -> Option<u64> {
    let (low, high) = (all.clone().min()?, all.max()?);
    (low < high).then(|| WHOLE - part(value.saturating_sub(low), high - low))
}

/// What is before is nothing.
fn us(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
