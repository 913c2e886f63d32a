//! Patterns that shill bidders leave: counts and ratings, ranked, without a verdict.
//!
//! The ratings follow J. Trevathan and W. Read, "Detecting Shill Bidding in Online English
//! Auctions" (in: Handbook of Research on Social and Organizational Liabilities in Information
//! Security, 2009), adapted to proxy bids: alpha, how many of a seller's auctions the bidder is
//! in; beta, how many of the bids there are the bidder's; gamma, how seldom the bidder wins; delta,
//! how soon the bidder answers; epsilon, how little each bid raises the price; zeta, how early the
//! bidder begins. Delta, epsilon and zeta compare the bidders of one auction and are then averaged.
//! The score is their mean by the weights 9, 2, 5, 2, 2, 2, from 0 to 10.
//!
//! Only closed auctions with a bid count. Everything but the runner-up is public, so that a public
//! export gives the same score. Memory grows with the distinct pairs of a seller and a bidder, and
//! with nothing else.

use std::collections::{BTreeMap, HashMap};

use super::shill_auction::{Seat, seats};
use crate::auction::PartyId;
use crate::store::Dossier;

/// What the ratings weigh: alpha to zeta.
pub(super) const WEIGHTS: [u64; 6] = [9, 2, 5, 2, 2, 2];
/// A share or a rating of one.
pub(super) const WHOLE: u64 = 1_000;

/// Which patterns are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShillOptions {
    /// Fewer auctions say nothing.
    pub min_auctions: u64,
    /// So many pairs, and so many bidders.
    pub top: usize,
    /// Pairs with this seller only, and all of them.
    pub seller: Option<PartyId>,
}

/// A pair of a seller and a bidder, or a bidder over all sellers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// None: over all sellers.
    pub seller: Option<PartyId>,
    /// The bidder.
    pub bidder: PartyId,
    /// Auctions the bidder was in: this seller's, or all.
    pub auctions: u64,
    /// This seller's auctions, or all.
    pub of_auctions: u64,
    /// All auctions the bidder was in.
    pub bidder_auctions: u64,
    /// All auctions.
    pub all_auctions: u64,
    /// What the bidder did in them.
    pub sums: Sums,
    /// How often the bidder's maximum set the price; none where maxima are hidden.
    pub runner_up: Option<u64>,
    /// Alpha to zeta in thousandths; none where nothing could be compared.
    pub ratings: [Option<u64>; 6],
    /// Their weighted mean in thousandths.
    pub score: u64,
}

impl Pattern {
    /// What part of the bidder's auctions are this seller's, in thousandths.
    pub fn share(&self) -> u64 {
        part(self.auctions, self.bidder_auctions)
    }

    /// What part of all auctions are this seller's, in thousandths.
    pub fn expected_share(&self) -> u64 {
        part(self.of_auctions, self.all_auctions)
    }

    fn meets_often(&self) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.auctions, self.all_auctions) > product(self.of_auctions, self.bidder_auctions)
    }
}

/// Counts that add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums {
    /// Bids, voided ones included.
    pub bids: u64,
    /// Auctions won.
    pub wins: u64,
    /// Bids of a bidder who led already.
    pub own_raises: u64,
    /// Bids that were voided.
    pub voided: u64,
    /// Those of them without which the price fell.
    pub voided_pushed: u64,
    /// Auctions with a bid in the last minute.
    pub late: u64,
    /// How far the auctions were at the first bid, in thousandths, summed.
    pub first_bid: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShillReport {
    /// Closed auctions with a bid.
    pub auctions: u64,
    /// Auctions that do not count: not closed, cancelled, without a bid, or not readable.
    pub left_out: u64,
    /// Bids in them.
    pub bids: u64,
    /// Sellers.
    pub sellers: u64,
    /// Bidders.
    pub bidders: u64,
    /// Maxima were visible, so the runner-up is known.
    pub secrets_visible: bool,
    /// Pairs that meet more often than the seller's share of all auctions, highest score first.
    pub pairs: Vec<Pattern>,
    /// Bidders over all sellers, highest score first; alpha does not apply.
    pub of_bidders: Vec<Pattern>,
}

/// What one pair adds up to.
#[derive(Debug, Clone, Copy, Default)]
struct PairSums {
    auctions: u64,
    sums: Sums,
    runner_up: u64,
    /// Beta, delta, epsilon and zeta: the sum of the thousandths, and of how many.
    rated: [(u64, u64); 4],
}

impl PairSums {
    fn add(&mut self, other: &Self) {
        let (mine, more) = (&mut self.sums, &other.sums);
        self.auctions += other.auctions;
        self.runner_up += other.runner_up;
        mine.bids += more.bids;
        mine.wins += more.wins;
        mine.own_raises += more.own_raises;
        mine.voided += more.voided;
        mine.voided_pushed += more.voided_pushed;
        mine.late += more.late;
        mine.first_bid += more.first_bid;
        for (mine, more) in self.rated.iter_mut().zip(other.rated) {
            mine.0 += more.0;
            mine.1 += more.1;
        }
    }

    fn of(seat: &Seat) -> Self {
        let rated = |rating: Option<u64>| rating.map_or((0, 0), |rating| (rating, 1));
        Self {
            auctions: 1,
            sums: seat.sums,
            runner_up: u64::from(seat.runner_up),
            rated: seat.ratings.map(rated),
        }
    }

    /// Beta to zeta; alpha is the caller's.
    fn ratings(&self, alpha: Option<u64>) -> [Option<u64>; 6] {
        let [beta, delta, epsilon, zeta] = self.rated.map(|(sum, of)| sum.checked_div(of));
        let gamma = WHOLE - part(self.sums.wins, self.auctions);
        [alpha, beta, Some(gamma), delta, epsilon, zeta]
    }
}

/// Everybody met so far, in small numbers.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<PartyId, u32>,
    names: Vec<PartyId>,
}

impl Names {
    fn number(&mut self, name: &PartyId) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name.clone(), number);
        self.names.push(name.clone());
        number
    }

    fn name(&self, number: u32) -> Option<&PartyId> {
        self.names.get(usize::try_from(number).ok()?)
    }
}

/// The patterns of the auctions so far.
#[derive(Debug, Default)]
pub struct ShillTally {
    names: Names,
    /// Auctions by seller.
    sellers: HashMap<u32, u64>,
    pairs: HashMap<(u32, u32), PairSums>,
    auctions: u64,
    left_out: u64,
    bids: u64,
    hidden: bool,
}

impl ShillTally {
    /// Adds an auction.
    pub fn add(&mut self, dossier: &Dossier) {
        let Some((seller, seats)) = seats(dossier) else {
            self.left_out += 1;
            return;
        };
        self.hidden |= !dossier.secrets_visible;
        self.auctions += 1;
        let seller = self.names.number(&seller);
        *self.sellers.entry(seller).or_default() += 1;
        for seat in &seats {
            self.bids += seat.sums.bids;
            let bidder = self.names.number(&seat.bidder);
            let pair = self.pairs.entry((seller, bidder)).or_default();
            pair.add(&PairSums::of(seat));
        }
    }

    /// Ranks them.
    pub fn into_report(self, options: &ShillOptions) -> ShillReport {
        let mut of_bidders: BTreeMap<u32, PairSums> = BTreeMap::new();
        for ((_, bidder), pair) in &self.pairs {
            of_bidders.entry(*bidder).or_default().add(pair);
        }
        let pairs = self.pairs.iter().filter_map(|((seller, bidder), pair)| {
            let of = (*seller, *self.sellers.get(seller)?);
            let all = of_bidders.get(bidder)?.auctions;
            self.pattern(Some(of), *bidder, (pair, all))
        });
        let wanted = |pattern: &Pattern| match &options.seller {
            Some(seller) => pattern.seller.as_ref() == Some(seller),
            None => pattern.meets_often(),
        };
        let pairs = ranked(pairs.filter(wanted), options);
        let bidders = of_bidders
            .iter()
            .filter_map(|(bidder, sums)| self.pattern(None, *bidder, (sums, sums.auctions)));
        ShillReport {
            auctions: self.auctions,
            left_out: self.left_out,
            bids: self.bids,
            sellers: super::report::count(self.sellers.len()),
            bidders: super::report::count(of_bidders.len()),
            secrets_visible: !self.hidden,
            pairs,
            of_bidders: ranked(bidders, options),
        }
    }

    fn pattern(
        &self,
        seller: Option<(u32, u64)>,
        bidder: u32,
        (sums, bidder_auctions): (&PairSums, u64),
    ) -> Option<Pattern> {
        let alpha = seller.map(|(_, auctions)| part(sums.auctions, auctions));
        let ratings = sums.ratings(alpha);
        Some(Pattern {
            seller: match seller {
                Some((seller, _)) => Some(self.names.name(seller)?.clone()),
                None => None,
            },
            bidder: self.names.name(bidder)?.clone(),
            auctions: sums.auctions,
            of_auctions: seller.map_or(self.auctions, |(_, auctions)| auctions),
            bidder_auctions,
            all_auctions: self.auctions,
            sums: sums.sums,
            runner_up: (!self.hidden).then_some(sums.runner_up),
            score: score(&ratings),
            ratings,
        })
    }
}

fn ranked(patterns: impl Iterator<Item = Pattern>, options: &ShillOptions) -> Vec<Pattern> {
    let mut ranked: Vec<Pattern> = patterns
        .filter(|pattern| pattern.auctions >= options.min_auctions)
        .collect();
    ranked.sort_by(|a, b| {
        let key = |p: &Pattern| (p.score, p.auctions, p.sums.bids);
        let names = |p: &Pattern| (p.seller.clone(), p.bidder.clone());
        key(b).cmp(&key(a)).then_with(|| names(a).cmp(&names(b)))
    });
    ranked.truncate(options.top);
    ranked
}

fn score(ratings: &[Option<u64>; 6]) -> u64 {
    let known = ratings.iter().zip(WEIGHTS);
    let known = known.filter_map(|(rating, weight)| Some((*rating.as_ref()?, weight)));
    let (sum, weights) = known.fold((0, 0), |(sum, weights), (rating, weight)| {
        (sum + rating * weight, weights + weight)
    });
    sum.checked_div(weights).unwrap_or(0)
}

/// A part of a whole in thousandths, rounded down.
pub(super) fn part(part: u64, whole: u64) -> u64 {
    let thousandths = u128::from(part) * u128::from(WHOLE);
    thousandths
        .checked_div(u128::from(whole))
        .and_then(|part| u64::try_from(part).ok())
        .unwrap_or(0)
}
