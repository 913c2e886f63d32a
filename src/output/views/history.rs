//! One auction's ledger as the public may see it: prices and aliases, no maximum, no names.

use crate::auction::entry::Kind;
use crate::auction::operator::VoidDetail;
use crate::auction::{Amount, CloseOutcome, CloseResult, Currency, Entry, Micros, PartyId};
use crate::output::record::record;
use crate::output::views::aliases::Aliases;
use crate::output::views::create::people;
use crate::output::{Column, TableRow, Tone, units};
use crate::store::AuctionRow;

/// The kind of the line that tells the closing, which is no entry.
const CLOSE: &str = "close";

record! {
    /// A ledger entry, or the closing.
    pub(crate) struct HistoryLine {
        auction_id: i64,
        /// None for the closing, which is no entry.
        seq: Option<i64>,
        at: String,
        /// `create`, `bid`, `void`, `amend`, `cancel` or `close`.
        kind: &'static str,
        /// `Bidder 1`, `seller`, `closer`, or the operator who acted.
        who: String,
        currency: String,
        price: Option<String>,
        leader: Option<String>,
        ends_at: String,
        extended: bool,
        reserve_met: bool,
        /// The seqs of the bids that a void took out of the reckoning.
        voids: Option<String>,
        /// By how much the end moved, in microseconds.
        end_moved_us: i64,
        /// Why an operator acted, bidders by their aliases.
        reason: Option<String>,
        /// `sold`, `no-bids` or `reserve-not-met`.
        result: Option<&'static str>,
        winner: Option<String>,
        final_price: Option<String>,
    }
}

/// Tells an auction's entries, and its closing.
#[derive(Debug)]
pub(crate) struct Narrator {
    currency: Currency,
    aliases: Aliases,
    end: Option<Micros>,
}

impl Narrator {
    /// For one auction.
    pub(crate) fn new(currency: Currency) -> Self {
        Self {
            currency,
            aliases: Aliases::default(),
            end: None,
        }
    }

    /// Tells the next entry.
    pub(crate) fn line(&mut self, entry: &Entry) -> HistoryLine {
        let who = match entry.kind {
            Kind::Bid => self.alias(&entry.actor),
            Kind::Create => "seller".to_owned(),
            Kind::Void | Kind::Amend | Kind::Cancel => self.aliases.actor(&entry.actor),
        };
        let leader = entry.leader.as_ref().map(|leader| self.alias(leader));
        let end_moved_us = self.end.map_or(0, |end| entry.end.since(end));
        self.end = Some(entry.end);
        HistoryLine {
            auction_id: entry.auction_id.get(),
            seq: Some(entry.seq),
            at: units::utc(entry.at),
            kind: entry.kind.as_str(),
            who,
            currency: self.currency.code().to_owned(),
            price: self.decimal(entry.price),
            leader,
            ends_at: units::utc(entry.end),
            extended: entry.extended,
            reserve_met: entry.reserve_met,
            voids: (entry.kind == Kind::Void).then(|| voids(&entry.detail)),
            end_moved_us,
            reason: reason(entry).map(|reason| self.aliases.masked(&reason)),
            result: None,
            winner: None,
            final_price: None,
        }
    }

    /// Tells the closing that a row records; none if it records none.
    pub(crate) fn close(&mut self, row: &AuctionRow) -> Option<HistoryLine> {
        let closed_at = row.closed_at.filter(|_| row.status.is_closed())?;
        let outcome = CloseOutcome::of(row.leader.as_ref(), row.price, row.reserve_met);
        Some(HistoryLine {
            auction_id: row.auction_id.get(),
            seq: None,
            at: units::utc(closed_at),
            kind: CLOSE,
            who: "closer".to_owned(),
            currency: self.currency.code().to_owned(),
            price: self.decimal(row.price),
            leader: row.leader.as_ref().map(|leader| self.alias(leader)),
            ends_at: units::utc(row.end),
            extended: false,
            reserve_met: row.reserve_met,
            voids: None,
            end_moved_us: 0,
            reason: None,
            result: Some(outcome.result.as_str()),
            winner: row.winner.as_ref().map(|winner| self.alias(winner)),
            final_price: self.decimal(row.final_price),
        })
    }

    /// A bidder's name for the public.
    pub(crate) fn alias(&mut self, bidder: &PartyId) -> String {
        self.aliases.of(bidder)
    }

    fn decimal(&self, amount: Option<Amount>) -> Option<String> {
        amount.map(|amount| units::decimal(self.currency, amount))
    }
}

/// Why an operator acted; a bid and a creation have no reason.
pub(super) fn reason(entry: &Entry) -> Option<String> {
    let detail: serde_json::Value = serde_json::from_str(&entry.detail).ok()?;
    Some(detail.get("reason")?.as_str()?.to_owned())
}

/// How an auction ended, in words.
pub(crate) fn result(
    result: &str,
    winner: Option<&str>,
    price: Option<&str>,
    currency: &str,
) -> String {
    match (winner, price) {
        (Some(winner), Some(price)) => format!("sold to {winner} for {price} {currency}"),
        _ if result == CloseResult::NoBids.as_str() => "no bids, unsold".to_owned(),
        _ => "reserve not met, unsold".to_owned(),
    }
}

/// The seqs a void names, for people and files.
pub(crate) fn voids(detail: &str) -> String {
    let targets = VoidDetail::from_detail(detail).map_or_else(|_| Vec::new(), |d| d.targets);
    let texts: Vec<String> = targets.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

impl HistoryLine {
    fn what(&self) -> String {
        let who = &self.who;
        match self.kind {
            "create" => "created".to_owned(),
            "bid" => format!("{who} bids"),
            "void" => format!(
                "{who} voids seq {}",
                self.voids.as_deref().unwrap_or_default()
            ),
            "amend" => format!("{who} amends"),
            "cancel" => format!("{who} cancels"),
            _ => "closed".to_owned(),
        }
    }

    fn note(&self) -> String {
        match (self.result, &self.reason) {
            (Some(word), _) => result(
                word,
                self.winner.as_deref(),
                self.final_price.as_deref(),
                &self.currency,
            ),
            (None, Some(reason)) => units::one_line(reason),
            (None, None) => String::new(),
        }
    }

    fn end_moved(&self) -> String {
        let span = units::span(self.end_moved_us.abs());
        match self.end_moved_us {
            0 => String::new(),
            1.. => format!("+{span}"),
            _ => format!("-{span}"),
        }
    }
}

impl TableRow for HistoryLine {
    const COLUMNS: &'static [Column] = &[
        Column::right("seq"),
        Column::left("time"),
        Column::left("what"),
        Column::right("price"),
        Column::left("leader"),
        Column::right("end"),
        // Last, so that a long one runs on without moving the others.
        Column::left("note"),
    ];

    fn cells(&self) -> Vec<String> {
        let price = self
            .price
            .as_ref()
            .map_or("-".to_owned(), |price| format!("{price} {}", self.currency));
        vec![
            self.seq.map_or("-".to_owned(), |seq| seq.to_string()),
            people(&self.at),
            self.what(),
            price,
            self.leader.clone().unwrap_or_else(|| "-".to_owned()),
            self.end_moved(),
            self.note(),
        ]
    }

    fn tone(&self) -> Tone {
        match self.kind {
            "void" | "cancel" => Tone::Caution,
            "create" | "amend" => Tone::Faint,
            CLOSE if self.winner.is_some() => Tone::Good,
            _ => Tone::Plain,
        }
    }
}
