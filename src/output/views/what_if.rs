//! What would have been, beside what was: a row an auction, and the sums.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::auction::{Amount, Currency};
use crate::ledger::Compared;
use crate::output::record::record;
use crate::output::{Column, TableRow, Tone, units};

record! {
    /// An auction as it was and as it would have been.
    pub(crate) struct WhatIfLine {
        auction_id: i64,
        currency: String,
        /// `sold`, `no-bids`, `reserve-not-met` or `cancelled`.
        was_result: &'static str,
        was_winner: Option<String>,
        was_price: Option<String>,
        was_end: String,
        was_bids: i64,
        result: &'static str,
        winner: Option<String>,
        price: Option<String>,
        end: String,
        bids: i64,
        /// Which of these differ, with spaces between.
        changes: String,
        /// Entries that would not have been taken: `5 too-low; 7 ended`.
        not_taken: String,
        end_moved_us: i64,
        /// False: what the rules give for `was` is not what is recorded.
        record_agrees: bool,
    }
}

impl WhatIfLine {
    /// Of an answer.
    pub(crate) fn new(compared: &Compared) -> Self {
        let (was, would) = (&compared.was, &compared.would);
        let price = |amount: Option<Amount>| amount.map(|amount| compared.currency.format(amount));
        let not_taken = compared.not_taken.iter();
        let not_taken: Vec<String> = not_taken
            .map(|(seq, code)| format!("{seq} {code}"))
            .collect();
        Self {
            auction_id: compared.auction_id,
            currency: compared.currency.code().to_owned(),
            was_result: was.result,
            was_winner: was.winner.as_ref().map(ToString::to_string),
            was_price: price(was.price),
            was_end: units::utc(was.end),
            was_bids: was.bids,
            result: would.result,
            winner: would.winner.as_ref().map(ToString::to_string),
            price: price(would.price),
            end: units::utc(would.end),
            bids: would.bids,
            changes: compared.changes().join(" "),
            not_taken: not_taken.join("; "),
            end_moved_us: would.end.since(was.end),
            record_agrees: compared.record_agrees,
        }
    }
}

/// `bob -> carol`, or one of them where they are the same.
fn turned(was: &str, would: &str) -> String {
    if was == would {
        return was.to_owned();
    }
    format!("{was} -> {would}")
}

impl TableRow for WhatIfLine {
    const COLUMNS: &'static [Column] = &[
        Column::right("id"),
        Column::left("buyer"),
        Column::right("price"),
        Column::right("end"),
        Column::right("bids"),
        Column::elastic("not taken"),
    ];

    fn cells(&self) -> Vec<String> {
        fn buyer<'a>(winner: Option<&'a String>, result: &'a str) -> &'a str {
            winner.map_or(result, String::as_str)
        }
        let price = |price: &Option<String>| price.clone().unwrap_or_else(|| "-".to_owned());
        let (was, would) = (price(&self.was_price), price(&self.price));
        let moved = units::span(self.end_moved_us.abs());
        vec![
            self.auction_id.to_string(),
            turned(
                buyer(self.was_winner.as_ref(), self.was_result),
                buyer(self.winner.as_ref(), self.result),
            ),
            format!("{} {}", turned(&was, &would), self.currency),
            match self.end_moved_us {
                0 => String::new(),
                1.. => format!("+{moved}"),
                _ => format!("-{moved}"),
            },
            turned(&self.was_bids.to_string(), &self.bids.to_string()),
            self.not_taken.clone(),
        ]
    }

    fn tone(&self) -> Tone {
        match (self.was_winner == self.winner, self.changes.is_empty()) {
            (false, _) => Tone::Caution,
            (true, true) => Tone::Faint,
            (true, false) => Tone::Plain,
        }
    }
}

/// The sums over all auctions, listed or not.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct WhatIfTotals {
    /// The changes, as they were stated.
    pub(crate) what_if: Vec<String>,
    /// Auctions that were derived.
    pub(crate) auctions: u64,
    /// Those for which anything differs.
    pub(crate) differ: u64,
    pub(crate) winner_changes: u64,
    pub(crate) price_changes: u64,
    pub(crate) end_changes: u64,
    /// Entries that would not have been taken.
    pub(crate) not_taken: u64,
    /// Auctions whose terms cannot be changed like that.
    pub(crate) not_applicable: u64,
    /// Auctions whose ledger cannot be derived.
    pub(crate) unreadable: u64,
    /// Auctions whose record is not what the rules give.
    pub(crate) record_differs: u64,
    /// What is paid, by currency.
    pub(crate) sums: Vec<WhatIfSum>,
    #[serde(skip)]
    running: BTreeMap<String, Running>,
}

/// What is paid in one currency.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct WhatIfSum {
    currency: String,
    was_sold: u64,
    was: String,
    sold: u64,
    would_be: String,
}

#[derive(Debug, Clone)]
struct Running {
    currency: Currency,
    was_sold: u64,
    was: i128,
    sold: u64,
    would_be: i128,
}

/// The line of JSON that ends a list.
#[derive(Debug, Serialize)]
pub(crate) struct WhatIfEnd<'a> {
    pub(crate) totals: &'a WhatIfTotals,
}

impl WhatIfTotals {
    /// Of a question.
    pub(crate) fn new(what_if: Vec<String>) -> Self {
        Self {
            what_if,
            ..Self::default()
        }
    }

    /// Adds an answer.
    pub(crate) fn add(&mut self, compared: &Compared) {
        let changes = compared.changes();
        let changed = |what: &str| u64::from(changes.contains(&what));
        self.auctions += 1;
        self.differ += u64::from(!changes.is_empty());
        self.winner_changes += changed("winner");
        self.price_changes += changed("price");
        self.end_changes += changed("end");
        self.not_taken += u64::try_from(compared.not_taken.len()).unwrap_or(u64::MAX);
        self.record_differs += u64::from(!compared.record_agrees);
        let code = compared.currency.code().to_owned();
        let sum = self.running.entry(code).or_insert(Running {
            currency: compared.currency,
            was_sold: 0,
            was: 0,
            sold: 0,
            would_be: 0,
        });
        let paid = |amount: Option<Amount>| amount.map_or(0, |amount| i128::from(amount.minor()));
        let (was, would) = (compared.was.paid(), compared.would.paid());
        sum.was_sold += u64::from(was.is_some());
        sum.was += paid(was);
        sum.sold += u64::from(would.is_some());
        sum.would_be += paid(would);
    }

    /// Closes the sums.
    pub(crate) fn finished(mut self) -> Self {
        let sums = self.running.values().map(|sum| WhatIfSum {
            currency: sum.currency.code().to_owned(),
            was_sold: sum.was_sold,
            was: decimal(sum.was, sum.currency),
            sold: sum.sold,
            would_be: decimal(sum.would_be, sum.currency),
        });
        self.sums = sums.collect();
        self
    }

    /// The sums in sentences.
    pub(crate) fn lines(&self) -> Vec<String> {
        let count = |number: u64, noun| units::count(number, noun);
        let mut lines = vec![format!(
            "{} of {} would differ: {}, {}, {}; {} would not have been taken",
            self.differ,
            count(self.auctions, "auction"),
            count(self.winner_changes, "other buyer"),
            count(self.price_changes, "other price"),
            count(self.end_changes, "other end"),
            match self.not_taken {
                1 => "1 entry".to_owned(),
                number => format!("{number} entries"),
            },
        )];
        for sum in &self.sums {
            lines.push(format!(
                "{}: {} sold for {}, would be {} for {}",
                sum.currency, sum.was_sold, sum.was, sum.sold, sum.would_be
            ));
        }
        lines
    }
}

/// A sum may be larger than any amount.
fn decimal(minor: i128, currency: Currency) -> String {
    let places = usize::try_from(currency.exponent()).unwrap_or(0);
    let digits = format!("{minor:0width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match places {
        0 => digits,
        _ => format!("{whole}.{fraction}"),
    }
}
