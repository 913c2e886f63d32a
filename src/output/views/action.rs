//! The answer to an operator's action: amend, void, cancel.
//!
//! A rehearsed void tells no price: it would follow from maxima that stay hidden as long as the
//! bids stand.

use crate::auction::{AuctionId, Currency, Entry, Kind, Micros, RequestId};
use crate::output::record::record;
use crate::output::views::create::{outcome, people, rehearsed};
use crate::output::views::history;
use crate::output::views::refusal::RefusalView;
use crate::output::{Card, Tone, units};
use crate::store::Reply;

record! {
    /// What became of an action.
    pub(crate) struct ActionView {
        auction_id: i64,
        /// `amend`, `void` or `cancel`.
        action: &'static str,
        /// `done`, `repeated` or `refused`.
        outcome: &'static str,
        refusal: Option<&'static str>,
        message: Option<String>,
        seq: Option<i64>,
        at: Option<String>,
        actor: String,
        currency: String,
        price: Option<String>,
        leader: Option<String>,
        ends_at: Option<String>,
        /// The end before an amendment.
        ends_at_before: Option<String>,
        /// The seqs of the bids that a void took out of the reckoning.
        voids: Option<String>,
        server_time: Option<String>,
        request_id: String,
        dry_run: bool,
    }
}

impl ActionView {
    /// Of a reply; `currency` is the auction's.
    pub(crate) fn new(
        asked: (AuctionId, Kind, RequestId, String),
        currency: Option<Currency>,
        reply: &Reply<Entry>,
        end_before: Option<Micros>,
        dry_run: bool,
    ) -> (Self, Option<RefusalView>) {
        let (auction_id, kind, request_id, actor) = asked;
        let (word, refused, now) = outcome(reply, "done");
        let refused = refused.map(|(refusal, now)| RefusalView::new(refusal, currency, now));
        let entry = match reply {
            Reply::Done(entry) | Reply::Repeated(entry) => Some(entry),
            Reply::Refused { .. } => None,
        };
        let priced = entry.filter(|entry| !(dry_run && entry.kind == Kind::Void));
        let price = priced.and_then(|entry| entry.price).zip(currency);
        let voids = entry.filter(|entry| entry.kind == Kind::Void);
        let view = Self {
            auction_id: auction_id.get(),
            action: kind.as_str(),
            outcome: word,
            refusal: refused.as_ref().map(|refused| refused.code),
            message: refused.as_ref().map(|refused| refused.message.clone()),
            seq: entry.map(|entry| entry.seq),
            at: entry.map(|entry| units::utc(entry.at)),
            actor,
            currency: currency.map_or(String::new(), |currency| currency.code().to_owned()),
            price: price.map(|(price, currency)| currency.format(price)),
            leader: entry.and_then(|entry| entry.leader.as_ref().map(ToString::to_string)),
            ends_at: entry.map(|entry| units::utc(entry.end)),
            ends_at_before: end_before.map(units::utc),
            voids: voids.map(|entry| history::voids(&entry.detail)),
            server_time: now.map(units::utc),
            request_id: request_id.to_string(),
            dry_run,
        };
        (view, refused)
    }
}

impl ActionView {
    fn ends(&self) -> String {
        let ends = self.ends_at.as_deref().map(people).unwrap_or_default();
        match &self.ends_at_before {
            Some(before) if self.ends_at_before != self.ends_at => {
                format!("{ends} (before: {})", people(before))
            }
            _ => ends,
        }
    }
}

impl Card for ActionView {
    fn heading(&self) -> String {
        let what = match self.action {
            "amend" => "amended",
            "void" => "without the voided bids",
            _ => "cancelled",
        };
        let text = match self.outcome {
            "repeated" => format!(
                "auction {}: this request was done before ({})",
                self.auction_id, self.action
            ),
            _ => format!("auction {} is {what}", self.auction_id),
        };
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        if let Some(seqs) = &self.voids {
            lines.push(("voided", format!("seq {seqs}")));
        }
        if self.action != "cancel" {
            let price = match &self.price {
                Some(price) => format!("{price} {}", self.currency),
                None if self.leader.is_some() => String::new(),
                None => "none".to_owned(),
            };
            let leader = self.leader.clone().unwrap_or_else(|| "nobody".to_owned());
            let ends = self.ends();
            lines.extend([("price", price), ("leader", leader), ("ends", ends)]);
        }
        let seq = self.seq.map(|seq| seq.to_string()).unwrap_or_default();
        lines.extend([
            ("seq", seq),
            ("by", self.actor.clone()),
            ("request id", self.request_id.clone()),
        ]);
        lines
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}
