//! One auction of an operation that extends many.

use crate::auction::{AuctionId, Entry, Micros, Refusal, RequestId, Span};
use crate::output::record::record;
use crate::output::views::create::people;
use crate::output::{Column, TableRow, Tone, units};
use crate::store::{Reply, StoreError, StoreErrorKind};

/// What all auctions of an operation have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    /// The operation's request id.
    pub(crate) id: RequestId,
    /// By how much each end moves.
    pub(crate) by: Span,
    /// Whether nothing of it is kept.
    pub(crate) dry_run: bool,
}

record! {
    /// What became of one auction.
    pub(crate) struct ExtensionView {
        auction_id: i64,
        /// `amended`, `repeated`, `refused` or `failed`.
        outcome: &'static str,
        refusal: Option<&'static str>,
        message: Option<String>,
        /// The end that was in force.
        old_ends_at: String,
        /// The end by this amendment; none if there is no such.
        ends_at: Option<String>,
        seq: Option<i64>,
        at: Option<String>,
        server_time: Option<String>,
        request_id: String,
        operation_id: String,
        dry_run: bool,
    }
}

impl ExtensionView {
    /// Of an outcome; the end is what the selection saw.
    pub(crate) fn new(
        (auction_id, seen): (AuctionId, Micros),
        request_id: RequestId,
        outcome: &Result<Reply<Entry>, StoreError>,
        operation: Operation,
    ) -> Self {
        let mut view = Self {
            auction_id: auction_id.get(),
            outcome: "failed",
            refusal: None,
            message: None,
            old_ends_at: units::utc(seen),
            ends_at: None,
            seq: None,
            at: None,
            server_time: None,
            request_id: request_id.to_string(),
            operation_id: operation.id.to_string(),
            dry_run: operation.dry_run,
        };
        match outcome {
            Ok(Reply::Done(entry)) => view.extended("amended", entry, operation.by),
            Ok(Reply::Repeated(entry)) => view.extended("repeated", entry, operation.by),
            Ok(Reply::Refused { refusal, now }) => {
                view.outcome = "refused";
                view.refusal = Some(refusal.code());
                view.message = Some(format!("{refusal} ({})", refusal.code()));
                view.server_time = Some(units::utc(*now));
                if let Refusal::Ended { end } = refusal {
                    view.old_ends_at = units::utc(*end);
                }
            }
            Err(error) => {
                // Of damage the place, of anything else what it means.
                let place = std::error::Error::source(error);
                let place = place.filter(|_| error.kind() == StoreErrorKind::Damaged);
                view.message = Some(place.map_or_else(|| error.to_string(), ToString::to_string));
            }
        }
        view
    }

    /// The end before was in force under the lock: exactly the span earlier.
    fn extended(&mut self, outcome: &'static str, entry: &Entry, by: Span) {
        self.outcome = outcome;
        self.old_ends_at = units::utc(entry.end.minus(by));
        self.ends_at = Some(units::utc(entry.end));
        self.seq = Some(entry.seq);
        self.at = Some(units::utc(entry.at));
    }
}

impl TableRow for ExtensionView {
    const COLUMNS: &'static [Column] = &[
        Column::right("id"),
        Column::left("outcome"),
        Column::left("end"),
        Column::left("new end"),
    ];

    fn cells(&self) -> Vec<String> {
        let new = self.ends_at.as_deref().map(people);
        vec![
            self.auction_id.to_string(),
            self.refusal.unwrap_or(self.outcome).to_owned(),
            people(&self.old_ends_at),
            new.unwrap_or_else(|| "-".to_owned()),
        ]
    }

    fn tone(&self) -> Tone {
        match self.outcome {
            "refused" | "failed" => Tone::Bad,
            "repeated" => Tone::Faint,
            _ => Tone::Plain,
        }
    }
}
