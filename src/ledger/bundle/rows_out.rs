//! Dossiers as rows of text.

use std::fmt::Write as _;

use super::columns::{File, MODES, OWN_RAISES, TRIGGERS, word};
use crate::auction::{Amount, Currency, Entry, Event, PartyId};
use crate::store::AuctionRow;

/// Collects the fields of a row, in the order of the file's columns; a public folder's hidden
/// ones are passed over here, so that no caller can forget to.
pub(super) struct RowText {
    public: bool,
    text: String,
    ends: Vec<usize>,
    columns: usize,
}

impl RowText {
    pub(super) fn new(public: bool) -> Self {
        Self {
            public,
            text: String::with_capacity(512),
            ends: Vec::with_capacity(40),
            columns: 0,
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.columns = 0;
    }

    fn put(&mut self, file: File, value: impl std::fmt::Display) {
        let hidden = file
            .columns()
            .get(self.columns)
            .is_none_or(|column| column.hidden);
        self.columns += 1;
        if hidden && self.public {
            return;
        }
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{value}");
        self.ends.push(self.text.len());
    }

    fn put_optional(&mut self, file: File, value: Option<impl std::fmt::Display>) {
        match value {
            Some(value) => self.put(file, value),
            None => self.put(file, ""),
        }
    }

    /// The fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ends = self.ends.iter().copied();
        starts
            .zip(ends)
            .map(|(start, end)| self.text.get(start..end).unwrap_or_default())
    }

    pub(super) fn auction(&mut self, row: &AuctionRow) {
        self.clear();
        let file = File::Auctions;
        let terms = &row.terms;
        let currency = terms.currency;
        let money = |amount: Amount| currency.format(amount);
        self.put(file, row.auction_id);
        self.put(file, row.status.as_str());
        self.put(file, &terms.seller);
        self.put(file, &terms.title);
        self.put(file, currency.code());
        self.put(file, currency.exponent());
        self.put(file, money(terms.start_price));
        self.put(file, terms.steps.name());
        self.put(file, rungs(row));
        self.put_optional(file, terms.reserve.map(money));
        self.put(file, word(&OWN_RAISES, terms.own_raise));
        let soft = terms.soft_close;
        self.put_optional(file, soft.map(|soft| soft.window.get()));
        self.put_optional(file, soft.map(|soft| soft.extend_by.get()));
        self.put_optional(file, soft.map(|soft| word(&MODES, soft.mode)));
        self.put_optional(file, soft.map(|soft| word(&TRIGGERS, soft.trigger)));
        self.put_optional(file, soft.and_then(|soft| soft.cap));
        self.put(file, terms.start);
        self.put(file, terms.end);
        self.put(file, row.end);
        self.put_optional(file, row.leader.as_ref());
        self.put_optional(file, row.leader_max.map(money));
        self.put_optional(file, row.runner_up_max.map(money));
        self.put_optional(file, row.price.map(money));
        self.put(file, row.reserve_met);
        self.put(file, row.bid_count);
        self.put(file, row.last_seq);
        self.put(file, row.last_at);
        self.put(file, hex::encode(row.head));
        self.put(file, row.closer_epoch);
        self.put_optional(file, row.closing_at);
        self.put_optional(file, row.closed_at);
        self.put_optional(file, row.winner.as_ref());
        self.put_optional(file, row.final_price.map(money));
        self.put_optional(file, row.owner_node.as_ref());
        self.put(file, row.owner_epoch);
        self.put_optional(file, row.owner_lease);
    }

    pub(super) fn entry(&mut self, entry: &Entry, currency: Currency) {
        self.clear();
        let file = File::Ledger;
        let money = |amount: Amount| currency.format(amount);
        self.put(file, entry.auction_id);
        self.put(file, entry.seq);
        self.put(file, entry.kind.as_str());
        self.put(file, entry.at);
        self.put(file, entry.request_id);
        self.put(file, &entry.actor);
        self.put_optional(file, entry.secret.map(|secret| money(secret.amount)));
        self.put_optional(file, entry.secret.map(|secret| hex::encode(secret.nonce)));
        self.put(file, hex::encode(entry.commit));
        self.put(file, &entry.detail);
        self.put_optional(file, entry.price.map(money));
        self.put_optional(file, entry.leader.as_ref());
        self.put(file, entry.end);
        self.put(file, entry.reserve_met);
        self.put(file, entry.extended);
        self.put(file, hex::encode(entry.hash));
    }

    pub(super) fn event(&mut self, auction_id: i64, event: &Event, currency: Currency) {
        self.clear();
        let file = File::Outbox;
        self.put(file, auction_id);
        self.put(file, &event.event_id);
        self.put(file, event.kind.as_str());
        self.put_optional(file, event.result.map(|result| result.as_str()));
        self.put_optional(file, event.winner.as_ref());
        self.put_optional(file, event.price.map(|price| currency.format(price)));
        self.put(file, event.end);
        self.put(file, event.closed_at);
        self.put(file, hex::encode(event.ledger_head));
    }

    pub(super) fn watcher(&mut self, auction_id: i64, watcher: &PartyId) {
        self.clear();
        self.put(File::Watchers, auction_id);
        self.put(File::Watchers, watcher);
    }
}

/// `from:step from:step …` in major units.
fn rungs(row: &AuctionRow) -> String {
    let currency = row.terms.currency;
    let mut text = String::new();
    for rung in row.terms.steps.rungs() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&currency.format(rung.0));
        text.push(':');
        text.push_str(&currency.format(rung.1));
    }
    text
}
