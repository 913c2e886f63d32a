//! One auction's ledger as the public may see it: prices and aliases, no maximum, no names.

use std::collections::HashMap;

use crate::auction::entry::Kind;
use crate::auction::operator::VoidDetail;
use crate::auction::{Currency, Entry, Micros, PartyId};
use crate::output::record::record;
use crate::output::views::create::people;
use crate::output::{Column, TableRow, Tone, units};

record! {
    /// A ledger entry.
    pub(crate) struct HistoryLine {
        auction_id: i64,
        seq: i64,
        at: String,
        /// `create`, `bid`, `void`, `amend` or `cancel`.
        kind: &'static str,
        /// `Bidder 1`, `seller` or `operator`.
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
    }
}

/// Gives bidders their aliases, in the order of their first bids.
#[derive(Debug)]
pub(crate) struct Narrator {
    currency: Currency,
    aliases: HashMap<PartyId, usize>,
    end: Option<Micros>,
}

impl Narrator {
    /// For one auction.
    pub(crate) fn new(currency: Currency) -> Self {
        Self {
            currency,
            aliases: HashMap::new(),
            end: None,
        }
    }

    /// Tells the next entry.
    pub(crate) fn line(&mut self, entry: &Entry) -> HistoryLine {
        let who = match entry.kind {
            Kind::Bid => self.alias(&entry.actor),
            Kind::Create => "seller".to_owned(),
            Kind::Void | Kind::Amend | Kind::Cancel => "operator".to_owned(),
        };
        let leader = entry.leader.as_ref().map(|leader| self.alias(leader));
        let end_moved_us = self.end.map_or(0, |end| entry.end.since(end));
        self.end = Some(entry.end);
        HistoryLine {
            auction_id: entry.auction_id.get(),
            seq: entry.seq,
            at: units::utc(entry.at),
            kind: entry.kind.as_str(),
            who,
            currency: self.currency.code().to_owned(),
            price: entry
                .price
                .map(|price| units::decimal(self.currency, price)),
            leader,
            ends_at: units::utc(entry.end),
            extended: entry.extended,
            reserve_met: entry.reserve_met,
            voids: (entry.kind == Kind::Void).then(|| voids(&entry.detail)),
            end_moved_us,
        }
    }

    fn alias(&mut self, bidder: &PartyId) -> String {
        let next = self.aliases.len() + 1;
        let number = *self.aliases.entry(bidder.clone()).or_insert(next);
        format!("Bidder {number}")
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
        match self.kind {
            "create" => "created".to_owned(),
            "bid" => format!("{} bids", self.who),
            "void" => format!("voids seq {}", self.voids.as_deref().unwrap_or_default()),
            "amend" => "amended".to_owned(),
            _ => "cancelled".to_owned(),
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
    ];

    fn cells(&self) -> Vec<String> {
        let price = self
            .price
            .as_ref()
            .map_or("-".to_owned(), |price| format!("{price} {}", self.currency));
        vec![
            self.seq.to_string(),
            people(&self.at),
            self.what(),
            price,
            self.leader.clone().unwrap_or_else(|| "-".to_owned()),
            self.end_moved(),
        ]
    }

    fn tone(&self) -> Tone {
        match self.kind {
            "void" | "cancel" => Tone::Caution,
            "create" | "amend" => Tone::Faint,
            _ => Tone::Plain,
        }
    }
}
