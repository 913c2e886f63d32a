//! An auction: the operator's card, and its line in a list.

use crate::auction::{Amount, Micros};
use crate::ledger::Then;
use crate::output::record::record;
use crate::output::views::create::people;
use crate::output::views::{status, steps};
use crate::output::{Card, Column, TableRow, Tone, units};
use crate::store::AuctionRow;

record! {
    /// Everything of an auction that may be shown. The options of `create` have the same names.
    pub(crate) struct AuctionView {
        auction_id: i64,
        title: String,
        /// One of the words of `list --status`.
        status: &'static str,
        seller: String,
        currency: String,
        price: Option<String>,
        /// What a challenger must bid at least; none once bidding is over, or no bid can be higher.
        minimum: Option<String>,
        bids: i64,
        leader: Option<String>,
        /// `none`, `met` or `not-met`; never the amount.
        reserve: &'static str,
        winner: Option<String>,
        final_price: Option<String>,
        starts_at: String,
        ends_at: String,
        first_ends_at: String,
        closed_at: Option<String>,
        start_price: String,
        steps: String,
        own_raise: &'static str,
        soft_close_window: Option<String>,
        soft_close_extend: Option<String>,
        soft_close_mode: Option<&'static str>,
        soft_close_trigger: Option<&'static str>,
        soft_close_cap: Option<String>,
        last_seq: i64,
        ledger_head: String,
        /// The instant it is shown as of; none for now.
        as_of: Option<String>,
        /// How many entries came later.
        later_entries: Option<i64>,
        server_time: String,
    }
}

impl AuctionView {
    /// Of a row, at the store's clock.
    pub(crate) fn new(row: &AuctionRow, now: Micros) -> Self {
        let terms = &row.terms;
        let currency = terms.currency;
        let soft = terms.soft_close;
        let word = status::word(row, now);
        let decimal = |amount: Amount| units::decimal(currency, amount);
        let minimum = (word == status::OPEN)
            .then(|| units::next_bid(currency, row.minimum()))
            .flatten();
        Self {
            auction_id: row.auction_id.get(),
            title: terms.title.clone(),
            status: word,
            seller: terms.seller.to_string(),
            currency: currency.code().to_owned(),
            price: row.price.map(decimal),
            minimum,
            bids: row.bid_count,
            leader: row.leader.as_ref().map(ToString::to_string),
            reserve: match terms.reserve {
                None => "none",
                Some(_) if row.reserve_met => "met",
                Some(_) => "not-met",
            },
            winner: row.winner.as_ref().map(ToString::to_string),
            final_price: row.final_price.map(decimal),
            starts_at: units::utc(terms.start),
            ends_at: units::utc(row.end),
            first_ends_at: units::utc(terms.end),
            closed_at: row.closed_at.map(units::utc),
            start_price: decimal(terms.start_price),
            steps: steps::text(&terms.steps, currency),
            own_raise: terms.own_raise.as_str(),
            soft_close_window: soft.map(|soft| soft.window.to_string()),
            soft_close_extend: soft.map(|soft| soft.extend_by.to_string()),
            soft_close_mode: soft.map(|soft| soft.mode.as_str()),
            soft_close_trigger: soft.map(|soft| soft.trigger.as_str()),
            soft_close_cap: soft.and_then(|soft| soft.cap).map(units::utc),
            last_seq: row.last_seq,
            ledger_head: hex::encode(row.head),
            as_of: None,
            later_entries: None,
            server_time: units::utc(now),
        }
    }

    /// As it stood; `now` is the store's clock.
    pub(crate) fn as_of(then: &Then, now: Micros) -> Self {
        Self {
            as_of: Some(units::utc(then.at)),
            later_entries: Some(then.entries - then.row.last_seq),
            server_time: units::utc(now),
            ..Self::new(&then.row, then.at)
        }
    }

    fn stood(&self) -> String {
        let (Some(at), Some(later)) = (&self.as_of, self.later_entries) else {
            return String::new();
        };
        let entries = self.last_seq + later;
        format!("{}, entry {} of {entries}", people(at), self.last_seq)
    }

    fn priced(&self, amount: Option<&String>) -> String {
        amount.map_or(String::new(), |amount| {
            format!("{amount} {}", self.currency)
        })
    }

    fn soft_close(&self) -> String {
        let (Some(window), Some(extend), Some(mode), Some(trigger)) = (
            &self.soft_close_window,
            &self.soft_close_extend,
            self.soft_close_mode,
            self.soft_close_trigger,
        ) else {
            return String::new();
        };
        let cap = self.soft_close_cap.as_ref().map_or(String::new(), |cap| {
            format!(", until {} at the latest", people(cap))
        });
        let trigger = match trigger {
            "any" => "any bid",
            "leader-change" => "a change of leader",
            _ => "a bid",
        };
        let moves = match mode {
            "add" => format!("adds {extend} to the end"),
            _ => format!("moves the end to {extend} after it"),
        };
        format!("{trigger} in the last {window} {moves}{cap}")
    }

    fn ends(&self) -> String {
        let shown_at = self.as_of.as_ref().unwrap_or(&self.server_time);
        let instants = self.ends_at.parse().ok().zip(shown_at.parse().ok());
        let relative = instants.map_or(String::new(), |(end, now)| units::relative(end, now));
        let first = if self.first_ends_at == self.ends_at {
            String::new()
        } else {
            format!("; at first {}", people(&self.first_ends_at))
        };
        format!("{} ({relative}{first})", people(&self.ends_at))
    }
}

impl Card for AuctionView {
    fn heading(&self) -> String {
        let title = units::one_line(&self.title);
        format!("auction {}: {title} [{}]", self.auction_id, self.status)
    }

    fn tone(&self) -> Tone {
        match status::tone(self.status) {
            Tone::Faint => Tone::Plain,
            tone => tone,
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let price = match &self.price {
            Some(_) => self.priced(self.price.as_ref()),
            None => "none yet".to_owned(),
        };
        let next = match &self.minimum {
            None if self.status == status::OPEN => units::NO_NEXT_BID.to_owned(),
            minimum => self.priced(minimum.as_ref()),
        };
        let closed = self.closed_at.as_deref().map(people).unwrap_or_default();
        vec![
            ("as of", self.stood()),
            ("winner", self.winner.clone().unwrap_or_default()),
            ("final price", self.priced(self.final_price.as_ref())),
            ("price", price),
            ("next bid from", next),
            ("leader", self.leader.clone().unwrap_or_default()),
            ("bids", self.bids.to_string()),
            ("reserve", self.reserve.replace('-', " ")),
            ("starts", people(&self.starts_at)),
            ("ends", self.ends()),
            ("closed", closed),
            ("seller", self.seller.clone()),
            ("start price", self.priced(Some(&self.start_price))),
            ("steps", self.steps.clone()),
            ("own raise", self.own_raise.to_owned()),
            ("soft close", self.soft_close()),
            (
                "ledger",
                format!("seq {}, head {}", self.last_seq, short(&self.ledger_head)),
            ),
        ]
    }
}

/// The beginning of a hash, enough for people.
fn short(head: &str) -> String {
    head.get(..16)
        .map_or(head.to_owned(), |start| format!("{start}…"))
}

record! {
    /// An auction in a list.
    pub(crate) struct AuctionLine {
        auction_id: i64,
        status: &'static str,
        currency: String,
        price: Option<String>,
        bids: i64,
        ends_at: String,
        seller: String,
        winner: Option<String>,
        title: String,
    }
}

impl AuctionLine {
    /// Of a row, at the store's clock.
    pub(crate) fn new(row: &AuctionRow, now: Micros) -> Self {
        Self {
            auction_id: row.auction_id.get(),
            status: status::word(row, now),
            currency: row.terms.currency.code().to_owned(),
            price: row
                .price
                .map(|price| units::decimal(row.terms.currency, price)),
            bids: row.bid_count,
            ends_at: units::utc(row.end),
            seller: row.terms.seller.to_string(),
            winner: row.winner.as_ref().map(ToString::to_string),
            title: row.terms.title.clone(),
        }
    }
}

impl TableRow for AuctionLine {
    const COLUMNS: &'static [Column] = &[
        Column::right("id"),
        Column::left("status"),
        Column::right("price"),
        Column::right("bids"),
        Column::left("ends"),
        Column::elastic("title"),
    ];

    fn cells(&self) -> Vec<String> {
        let price = self
            .price
            .as_ref()
            .map_or("-".to_owned(), |price| format!("{price} {}", self.currency));
        vec![
            self.auction_id.to_string(),
            self.status.to_owned(),
            price,
            self.bids.to_string(),
            units::second(&self.ends_at),
            units::one_line(&self.title),
        ]
    }

    fn tone(&self) -> Tone {
        status::tone(self.status)
    }
}
