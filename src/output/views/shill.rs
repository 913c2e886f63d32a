//! Patterns that shill bidders leave: pairs and bidders with their counts.

use serde::Serialize;

use crate::ledger::{Pattern, ShillReport};
use crate::output::record::record;
use crate::output::{Column, TableRow, units};

record! {
    /// A pair of a seller and a bidder, or a bidder over all sellers.
    pub(crate) struct ShillLine {
        /// `pair` or `bidder`.
        kind: &'static str,
        seller: Option<String>,
        bidder: String,
        /// From 0 to 10.
        score: String,
        /// Auctions the bidder was in: this seller's, or all.
        auctions: u64,
        /// This seller's auctions, or all.
        of_auctions: u64,
        bidder_auctions: u64,
        /// What part of the bidder's auctions are this seller's.
        share: String,
        /// What part of all auctions are this seller's.
        expected_share: String,
        bids: u64,
        wins: u64,
        /// Auctions in which the bidder's maximum set the price.
        runner_up: Option<u64>,
        own_raises: u64,
        voided: u64,
        /// Voided bids without which the price fell.
        voided_pushed: u64,
        /// Auctions with a bid in the last minute.
        late: u64,
        /// How far the auctions were at the first bid, from 0 to 1.
        first_bid: String,
        alpha: Option<String>,
        beta: Option<String>,
        gamma: Option<String>,
        delta: Option<String>,
        epsilon: Option<String>,
        zeta: Option<String>,
    }
}

impl ShillLine {
    /// Of a pattern.
    pub(crate) fn new(pattern: &Pattern) -> Self {
        let sums = &pattern.sums;
        let [alpha, beta, gamma, delta, epsilon, zeta] =
            pattern.ratings.map(|rating| rating.map(thousandths));
        let first_bid = sums.first_bid.checked_div(pattern.auctions).unwrap_or(0);
        Self {
            kind: match pattern.seller {
                Some(_) => "pair",
                None => "bidder",
            },
            seller: pattern.seller.as_ref().map(ToString::to_string),
            bidder: pattern.bidder.to_string(),
            score: format!("{}.{:02}", pattern.score / 100, pattern.score % 100),
            auctions: pattern.auctions,
            of_auctions: pattern.of_auctions,
            bidder_auctions: pattern.bidder_auctions,
            share: thousandths(pattern.share()),
            expected_share: thousandths(pattern.expected_share()),
            bids: sums.bids,
            wins: sums.wins,
            runner_up: pattern.runner_up,
            own_raises: sums.own_raises,
            voided: sums.voided,
            voided_pushed: sums.voided_pushed,
            late: sums.late,
            first_bid: thousandths(first_bid),
            alpha,
            beta,
            gamma,
            delta,
            epsilon,
            zeta,
        }
    }
}

fn thousandths(number: u64) -> String {
    format!("{}.{:03}", number / 1_000, number % 1_000)
}

impl TableRow for ShillLine {
    const COLUMNS: &'static [Column] = &[
        Column::right("score"),
        Column::left("seller"),
        Column::elastic("bidder"),
        Column::right("in/of"),
        Column::right("share"),
        Column::right("expect"),
        Column::right("bids"),
        Column::right("won"),
        Column::right("2nd"),
        Column::right("void"),
        Column::right("late"),
    ];

    fn cells(&self) -> Vec<String> {
        // Over all sellers both are one.
        let two = |text: &str| match self.seller {
            Some(_) => text.get(..4).unwrap_or(text).to_owned(),
            None => String::new(),
        };
        vec![
            self.score.clone(),
            self.seller.clone().unwrap_or_else(|| "(all)".to_owned()),
            self.bidder.clone(),
            format!("{}/{}", self.auctions, self.of_auctions),
            two(&self.share),
            two(&self.expected_share),
            self.bids.to_string(),
            self.wins.to_string(),
            self.runner_up
                .map_or("?".to_owned(), |times| times.to_string()),
            self.voided.to_string(),
            self.late.to_string(),
        ]
    }
}

/// The whole report.
#[derive(Debug, Serialize)]
pub(crate) struct ShillView {
    auctions: u64,
    left_out: u64,
    bids: u64,
    sellers: u64,
    bidders: u64,
    min_auctions: u64,
    secrets_visible: bool,
    /// What could not be counted, because maxima are hidden.
    not_possible: Vec<&'static str>,
    pub(crate) pairs: Vec<ShillLine>,
    pub(crate) of_bidders: Vec<ShillLine>,
}

impl ShillView {
    /// Of a report.
    pub(crate) fn new(report: &ShillReport, min_auctions: u64) -> Self {
        let lines = |patterns: &[Pattern]| patterns.iter().map(ShillLine::new).collect();
        Self {
            auctions: report.auctions,
            left_out: report.left_out,
            bids: report.bids,
            sellers: report.sellers,
            bidders: report.bidders,
            min_auctions,
            secrets_visible: report.secrets_visible,
            not_possible: match report.secrets_visible {
                true => Vec::new(),
                false => vec!["runner_up"],
            },
            pairs: lines(&report.pairs),
            of_bidders: lines(&report.of_bidders),
        }
    }

    /// What was read.
    pub(crate) fn summary(&self) -> String {
        format!(
            "{} of {} with {} from {}; {} left out (not closed, or no bid)",
            units::count(self.auctions, "closed auction"),
            units::count(self.sellers, "seller"),
            units::count(self.bids, "bid"),
            units::count(self.bidders, "bidder"),
            self.left_out,
        )
    }
}
