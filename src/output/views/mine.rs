//! One bidder's auctions. Not even the own maximum is printed: a screen has more than one reader.

use crate::auction::{Micros, PartyId, Status};
use crate::output::record::record;
use crate::output::views::status;
use crate::output::{Column, TableRow, Tone, units};
use crate::store::OwnBid;

record! {
    /// How a bidder stands in one auction.
    pub(crate) struct MineLine {
        auction_id: i64,
        /// `leading`, `outbid`, `won`, `lost`, `unsold`, `voided` or `cancelled`.
        standing: &'static str,
        status: &'static str,
        currency: String,
        price: Option<String>,
        minimum: Option<String>,
        own_bids: i64,
        ends_at: String,
        title: String,
    }
}

impl MineLine {
    /// Of one auction, at the store's clock.
    pub(crate) fn new(own: &OwnBid, bidder: &PartyId, now: Micros) -> Self {
        let row = &own.row;
        let currency = row.terms.currency;
        let word = status::word(row, now);
        Self {
            auction_id: row.auction_id.get(),
            standing: standing(own, bidder),
            status: word,
            currency: currency.code().to_owned(),
            price: row.price.map(|price| units::decimal(currency, price)),
            minimum: (word == status::OPEN)
                .then(|| units::next_bid(currency, row.minimum()))
                .flatten(),
            own_bids: own.bids,
            ends_at: units::utc(row.end),
            title: row.terms.title.clone(),
        }
    }
}

fn standing(own: &OwnBid, bidder: &PartyId) -> &'static str {
    let row = &own.row;
    let leads = row.leader.as_ref() == Some(bidder);
    match row.status {
        Status::Cancelled => "cancelled",
        _ if own.bids == 0 => "voided",
        Status::Closed if row.winner.as_ref() == Some(bidder) => "won",
        Status::Closed => "lost",
        Status::ClosedReserveNotMet if leads => "unsold",
        Status::ClosedReserveNotMet => "lost",
        Status::Open | Status::Closing if leads => "leading",
        Status::Open | Status::Closing => "outbid",
    }
}

impl TableRow for MineLine {
    const COLUMNS: &'static [Column] = &[
        Column::right("id"),
        Column::left("standing"),
        Column::right("price"),
        Column::right("next from"),
        Column::left("ends"),
        Column::elastic("title"),
    ];

    fn cells(&self) -> Vec<String> {
        let priced = |amount: &Option<String>| {
            amount.as_ref().map_or("-".to_owned(), |amount| {
                format!("{amount} {}", self.currency)
            })
        };
        vec![
            self.auction_id.to_string(),
            self.standing.to_owned(),
            priced(&self.price),
            // The currency stands beside the price.
            match (&self.price, &self.minimum) {
                (Some(_), Some(minimum)) => minimum.clone(),
                _ => priced(&self.minimum),
            },
            units::second(&self.ends_at),
            units::one_line(&self.title),
        ]
    }

    fn tone(&self) -> Tone {
        match self.standing {
            "leading" | "won" => Tone::Good,
            "outbid" => Tone::Caution,
            _ => Tone::Faint,
        }
    }
}
