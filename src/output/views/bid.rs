//! The answer to a bid. There is no field for the maximum.
//!
//! A rehearsed bid tells whether it would be taken, and nothing that follows from it: the price it
//! would make is one step above the leader's hidden maximum, or the hidden reserve.

use crate::auction::{AuctionId, Bid, Currency, Refusal};
use crate::output::record::record;
use crate::output::views::create::{outcome, people, rehearsed};
use crate::output::views::refusal::RefusalView;
use crate::output::{Card, Column, TableRow, Tone, units};
use crate::store::{BidAnswer, Reply};

record! {
    /// What a bidder is told.
    pub(crate) struct BidView {
        auction_id: i64,
        bidder: String,
        /// `accepted`, `repeated` or `refused`.
        outcome: &'static str,
        refusal: Option<&'static str>,
        message: Option<String>,
        leading: Option<bool>,
        currency: Option<String>,
        price: Option<String>,
        minimum: Option<String>,
        seq: Option<i64>,
        at: Option<String>,
        ends_at: Option<String>,
        extended: Option<bool>,
        voided: Option<bool>,
        server_time: Option<String>,
        request_id: String,
        dry_run: bool,
    }
}

impl BidView {
    /// Of a reply; `currency` is the auction's.
    pub(crate) fn new(
        bid: &Bid,
        currency: Currency,
        reply: &Reply<BidAnswer>,
        dry_run: bool,
    ) -> (Self, Option<RefusalView>) {
        let (word, refused, now) = outcome(reply, "accepted");
        let refused = refused.map(|(refusal, now)| RefusalView::new(refusal, Some(currency), now));
        let taken = match reply {
            Reply::Done(answer) | Reply::Repeated(answer) => Some(answer),
            Reply::Refused { .. } => None,
        };
        let answer = taken.filter(|_| !dry_run);
        let minimum = answer.and_then(|answer| units::next_bid(currency, answer.minimum));
        let view = Self {
            auction_id: bid.auction_id.get(),
            bidder: bid.bidder.to_string(),
            outcome: word,
            refusal: refused.as_ref().map(|refused| refused.code),
            message: refused.as_ref().map(|refused| refused.message.clone()),
            leading: answer.map(|answer| answer.leading),
            currency: Some(currency.code().to_owned()),
            price: answer.map(|answer| currency.format(answer.price)),
            minimum: minimum.or_else(|| refused.as_ref()?.minimum.clone()),
            seq: answer.map(|answer| answer.seq),
            at: answer.map(|answer| units::utc(answer.at)),
            ends_at: answer.map(|answer| units::utc(answer.end)),
            extended: answer.map(|answer| answer.extended),
            voided: answer.map(|answer| answer.voided),
            server_time: now.or(taken.map(|answer| answer.now)).map(units::utc),
            request_id: bid.request_id.to_string(),
            dry_run,
        };
        (view, refused)
    }

    /// A bid on an auction that is not there: no currency is known.
    pub(crate) fn not_found(
        auction_id: AuctionId,
        bidder: String,
        request_id: String,
        now: crate::auction::Micros,
        dry_run: bool,
    ) -> (Self, RefusalView) {
        let refused = RefusalView::new(&Refusal::NotFound, None, now);
        let view = Self::unplaced(auction_id, bidder, request_id, &refused, dry_run);
        (view, refused)
    }

    /// A bid that gavel did not send to the database.
    pub(crate) fn held_back(bid: &Bid, refused: &RefusalView, dry_run: bool) -> Self {
        let (bidder, request_id) = (bid.bidder.to_string(), bid.request_id.to_string());
        Self {
            currency: Some(bid.currency.code().to_owned()),
            ..Self::unplaced(bid.auction_id, bidder, request_id, refused, dry_run)
        }
    }

    fn unplaced(
        auction_id: AuctionId,
        bidder: String,
        request_id: String,
        refused: &RefusalView,
        dry_run: bool,
    ) -> Self {
        Self {
            auction_id: auction_id.get(),
            bidder,
            outcome: "refused",
            refusal: Some(refused.code),
            message: Some(refused.message.clone()),
            leading: None,
            currency: None,
            price: None,
            minimum: refused.minimum.clone(),
            seq: None,
            at: None,
            ends_at: None,
            extended: None,
            voided: None,
            server_time: Some(units::utc(refused.now)),
            request_id,
            dry_run,
        }
    }

    fn next_bid(&self) -> String {
        match &self.minimum {
            // An answer always has one, as long as there is room above the price.
            None if self.price.is_some() => units::NO_NEXT_BID.to_owned(),
            minimum => self.priced(minimum.as_ref()),
        }
    }

    fn priced(&self, amount: Option<&String>) -> String {
        match (amount, &self.currency) {
            (Some(amount), Some(currency)) => format!("{amount} {currency}"),
            _ => String::new(),
        }
    }

    fn standing(&self) -> &'static str {
        match (self.voided, self.leading) {
            (Some(true), _) => "voided since",
            (_, Some(true)) => "leading",
            (_, Some(false)) => "outbid at once",
            (_, None) => "",
        }
    }
}

impl Card for BidView {
    fn heading(&self) -> String {
        let verb = match (self.outcome, self.dry_run) {
            ("repeated", _) => "was accepted before by this request",
            (_, true) => "would be accepted",
            (_, false) => "is accepted",
        };
        let bid = format!(
            "{}'s bid on auction {} {verb}",
            self.bidder, self.auction_id
        );
        let text = match self.voided {
            None => bid,
            Some(true) => format!("{bid}; it was voided since"),
            Some(false) => {
                let price = self.priced(self.price.as_ref());
                format!("{bid}: {} at {price}", self.standing())
            }
        };
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        match (self.voided, self.leading) {
            (Some(true), _) | (_, Some(false)) => Tone::Caution,
            (_, Some(true) | None) => Tone::Good,
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let ends = self.ends_at.as_deref().map(people).unwrap_or_default();
        let moved = if self.extended == Some(true) {
            " (moved by this bid)"
        } else {
            ""
        };
        vec![
            ("price", self.priced(self.price.as_ref())),
            ("next bid from", self.next_bid()),
            ("ends", format!("{ends}{moved}")),
            ("time of the bid", self.at.clone().unwrap_or_default()),
            (
                "seq",
                self.seq.map(|seq| seq.to_string()).unwrap_or_default(),
            ),
            ("request id", self.request_id.clone()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}

impl TableRow for BidView {
    const COLUMNS: &'static [Column] = &[
        Column::right("auction"),
        Column::elastic("bidder"),
        Column::left("outcome"),
        Column::left("standing"),
        Column::right("price"),
        Column::right("next bid from"),
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.auction_id.to_string(),
            self.bidder.clone(),
            self.refusal.unwrap_or(self.outcome).to_owned(),
            self.standing().to_owned(),
            self.priced(self.price.as_ref()),
            self.next_bid(),
        ]
    }

    fn tone(&self) -> Tone {
        match self.outcome {
            "refused" => Tone::Bad,
            "repeated" => Tone::Faint,
            _ => Tone::Plain,
        }
    }
}
