//! The answer to `close`.

use crate::auction::{Currency, Event};
use crate::output::record::record;
use crate::output::views::create::{people, rehearsed};
use crate::output::{Card, Tone, units};

record! {
    /// One auction's closing.
    pub(crate) struct CloseView {
        auction_id: i64,
        /// `closed` or `already-closed`; else why not: `not-due`, `cancelled`, `owned`, `not-found`.
        outcome: &'static str,
        /// `sold`, `no-bids` or `reserve-not-met`.
        result: Option<&'static str>,
        winner: Option<String>,
        currency: Option<String>,
        price: Option<String>,
        ends_at: Option<String>,
        closed_at: Option<String>,
        event_id: Option<String>,
        ledger_head: Option<String>,
        server_time: Option<String>,
        dry_run: bool,
    }
}

impl CloseView {
    /// Not closed, and why.
    pub(crate) fn refused(auction_id: i64, outcome: &'static str, dry_run: bool) -> Self {
        Self {
            auction_id,
            outcome,
            result: None,
            winner: None,
            currency: None,
            price: None,
            ends_at: None,
            closed_at: None,
            event_id: None,
            ledger_head: None,
            server_time: None,
            dry_run,
        }
    }

    /// Closed, now or before.
    pub(crate) fn closed(
        auction_id: i64,
        outcome: &'static str,
        event: &Event,
        currency: Currency,
        dry_run: bool,
    ) -> Self {
        Self {
            result: event.result.map(|result| result.as_str()),
            winner: event.winner.as_ref().map(ToString::to_string),
            currency: Some(currency.code().to_owned()),
            price: event.price.map(|price| units::decimal(currency, price)),
            ends_at: Some(units::utc(event.end)),
            closed_at: Some(units::utc(event.closed_at)),
            event_id: Some(event.event_id.clone()),
            ledger_head: Some(hex::encode(event.ledger_head)),
            ..Self::refused(auction_id, outcome, dry_run)
        }
    }
}

impl Card for CloseView {
    fn heading(&self) -> String {
        let verb = if self.outcome == "closed" {
            "is closed"
        } else {
            "was closed before"
        };
        let result = match (&self.winner, &self.price, &self.currency) {
            (Some(winner), Some(price), Some(currency)) => {
                format!("sold to {winner} for {price} {currency}")
            }
            _ if self.result == Some("no-bids") => "no bids, unsold".to_owned(),
            _ => "reserve not met, unsold".to_owned(),
        };
        let text = format!("auction {} {verb}: {result}", self.auction_id);
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let time = |text: &Option<String>| text.as_deref().map(people).unwrap_or_default();
        vec![
            ("ended", time(&self.ends_at)),
            ("closed", time(&self.closed_at)),
            ("event", self.event_id.clone().unwrap_or_default()),
            ("ledger head", self.ledger_head.clone().unwrap_or_default()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}
