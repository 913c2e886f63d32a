//! A refusal by the rules: its code, its sentence, and what would have been taken.

use crate::auction::{Currency, Micros, Refusal};
use crate::output::Ui;
use crate::output::units;

/// The refusal that tells a challenger the next bid.
const TOO_LOW: &str = "too-low";

/// What is told of a refusal. Nothing of it is a maximum or a reserve.
#[derive(Debug, Clone)]
pub(crate) struct RefusalView {
    /// The kept code.
    pub(crate) code: &'static str,
    /// The sentence.
    pub(crate) message: String,
    /// The lowest bid that would have been taken, as a decimal.
    pub(crate) minimum: Option<String>,
    currency: Option<Currency>,
    end: Option<Micros>,
    /// The store's clock.
    pub(crate) now: Micros,
}

impl RefusalView {
    /// Of a refusal at an instant; the currency writes the minimum.
    pub(crate) fn new(refusal: &Refusal, currency: Option<Currency>, now: Micros) -> Self {
        let minimum = refusal
            .minimum()
            .zip(currency)
            .and_then(|(minor, currency)| units::next_bid(currency, minor));
        let end = match refusal {
            Refusal::Ended { end } => Some(*end),
            _ => None,
        };
        Self {
            code: refusal.code(),
            message: refusal.to_string(),
            minimum,
            currency,
            end,
            now,
        }
    }

    /// Of what gavel itself does not send to the database without a word, with the lowest bid that
    /// would be taken.
    pub(crate) fn held_back(
        code: &'static str,
        message: String,
        minimum: i64,
        currency: Currency,
        now: Micros,
    ) -> Self {
        Self {
            code,
            message,
            minimum: units::next_bid(currency, minimum),
            currency: Some(currency),
            end: None,
            now,
        }
    }

    /// Tells it on standard error. Times carry all their microseconds: a bid may have missed the
    /// end by one.
    pub(crate) fn tell(&self, ui: &mut Ui, subject: &str) {
        let mut facts = Vec::new();
        match (&self.minimum, self.currency) {
            (Some(minimum), Some(currency)) => {
                facts.push(("minimum", format!("{minimum} {currency}")));
            }
            _ if self.code == TOO_LOW => facts.push(("minimum", units::NO_NEXT_BID.to_owned())),
            _ => {}
        }
        if let Some(end) = self.end {
            facts.push(("ended", units::utc(end)));
        }
        facts.push(("server time", units::utc(self.now)));
        let text = format!("{subject}: {} ({})", self.message, self.code);
        ui.refusal(&text, &facts);
        if let Some(hint) = hint(self.code) {
            ui.hint(hint);
        }
    }
}

fn hint(code: &str) -> Option<&'static str> {
    match code {
        "not-found" => Some("gavel list shows the auctions there are"),
        "request-id-reused" => Some(
            "repeat a request with every option as it was, or leave --request-id out for a new one",
        ),
        "auction-exists" => Some("leave --id out to get a free one"),
        "no-such-bid" | "already-voided" => {
            Some("gavel replay --explain ID tells every bid of an auction")
        }
        "not-due" => Some("gavel close-sweep closes it when its end has come"),
        "not-latest" => Some("--all voids every bid of the bidder, --latest the latest"),
        _ => None,
    }
}
