//! The answer to `create`.

use crate::auction::{AuctionId, Entry, Micros, RequestId, Terms};
use crate::output::record::record;
use crate::output::views::refusal::RefusalView;
use crate::output::{Card, Column, TableRow, Tone, units};
use crate::store::Reply;

record! {
    /// What became of one create.
    pub(crate) struct CreateView {
        auction_id: i64,
        /// `created`, `repeated` or `refused`.
        outcome: &'static str,
        seller: String,
        title: String,
        currency: String,
        start_price: String,
        starts_at: String,
        ends_at: String,
        refusal: Option<&'static str>,
        message: Option<String>,
        server_time: Option<String>,
        request_id: String,
        dry_run: bool,
    }
}

impl CreateView {
    /// Of a reply.
    pub(crate) fn new(
        auction_id: AuctionId,
        request_id: RequestId,
        terms: &Terms,
        reply: &Reply<Entry>,
        dry_run: bool,
    ) -> (Self, Option<RefusalView>) {
        let (outcome, refused, now) = outcome(reply, "created");
        let refused =
            refused.map(|(refusal, now)| RefusalView::new(refusal, Some(terms.currency), now));
        let view = Self {
            auction_id: auction_id.get(),
            outcome,
            seller: terms.seller.to_string(),
            title: terms.title.clone(),
            currency: terms.currency.code().to_owned(),
            start_price: units::decimal(terms.currency, terms.start_price),
            starts_at: units::utc(terms.start),
            ends_at: units::utc(terms.end),
            refusal: refused.as_ref().map(|refused| refused.code),
            message: refused.as_ref().map(|refused| refused.message.clone()),
            server_time: now.map(units::utc),
            request_id: request_id.to_string(),
            dry_run,
        };
        (view, refused)
    }
}

/// The word for a reply, and what was refused when.
pub(crate) fn outcome<'a, T>(
    reply: &'a Reply<T>,
    done: &'static str,
) -> (
    &'static str,
    Option<(&'a crate::auction::Refusal, Micros)>,
    Option<Micros>,
) {
    match reply {
        Reply::Done(_) => (done, None, None),
        Reply::Repeated(_) => ("repeated", None, None),
        Reply::Refused { refusal, now } => ("refused", Some((refusal, *now)), Some(*now)),
    }
}

/// `text`, marked when nothing of it was kept.
pub(crate) fn rehearsed(text: String, dry_run: bool) -> String {
    if dry_run {
        format!("dry run: {text}; nothing was written")
    } else {
        text
    }
}

impl Card for CreateView {
    fn heading(&self) -> String {
        let text = match self.outcome {
            "repeated" => format!(
                "auction {} was created by this request before",
                self.auction_id
            ),
            outcome => format!("{outcome} auction {}", self.auction_id),
        };
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("title", units::one_line(&self.title)),
            ("seller", self.seller.clone()),
            (
                "start price",
                format!("{} {}", self.start_price, self.currency),
            ),
            ("starts", people(&self.starts_at)),
            ("ends", people(&self.ends_at)),
            ("request id", self.request_id.clone()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}

/// The form for people of an instant that a view already holds as text.
pub(crate) fn people(text: &str) -> String {
    text.parse()
        .map_or_else(|_| text.to_owned(), units::instant)
}

impl TableRow for CreateView {
    const COLUMNS: &'static [Column] = &[
        Column::right("id"),
        Column::left("outcome"),
        Column::right("start price"),
        Column::left("ends"),
        Column::elastic("title"),
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.auction_id.to_string(),
            self.refusal.unwrap_or(self.outcome).to_owned(),
            format!("{} {}", self.start_price, self.currency),
            units::second(&self.ends_at),
            units::one_line(&self.title),
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
