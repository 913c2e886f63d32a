//! How a database stands, as one reading.

use serde::Serialize;

use crate::auction::{Micros, Shards};
use crate::output::record::record;
use crate::output::{Card, Column, OutputError, TableRow, Ui, units};
use crate::output::{Format, Tone};
use crate::top::{Next, Reading};

record! {
    /// The sums.
    pub(crate) struct TopView {
        /// The database's clock.
        at: String,
        database: String,
        shards: String,
        due: i64,
        due_oldest_age_us: Option<i64>,
        /// Of the auctions that ended in the last minute.
        closed_last_minute: u64,
        lag_p50_us: Option<u64>,
        lag_p99_us: Option<u64>,
        lag_max_us: Option<u64>,
        outbox_pending: i64,
        outbox_oldest_age_us: Option<i64>,
    }
}

record! {
    /// An auction that ends next.
    pub(crate) struct EndingView {
        auction_id: i64,
        title: String,
        ends_at: String,
        left_us: i64,
        currency: String,
        price: Option<String>,
        bids: i64,
    }
}

/// Both, as one object.
#[derive(Debug, Serialize)]
struct TopObject<'a> {
    #[serde(flatten)]
    sums: &'a TopView,
    ending: &'a [EndingView],
}

/// Prints a reading. CSV has the sums alone.
pub(crate) fn print(
    ui: &mut Ui,
    reading: &Reading,
    database: &str,
    shards: Shards,
) -> Result<(), OutputError> {
    let sums = TopView::new(reading, database, shards);
    let ending: Vec<EndingView> = reading
        .ending
        .iter()
        .map(|next| EndingView::new(next, reading.at))
        .collect();
    match ui.format() {
        Format::Csv => ui.card(&sums),
        Format::Json => ui.object(&TopObject {
            sums: &sums,
            ending: &ending,
        }),
        Format::Table => {
            ui.card(&sums)?;
            if ending.is_empty() {
                return Ok(());
            }
            ui.line(Tone::Plain, "")?;
            ui.list(&ending)
        }
    }
}

impl TopView {
    fn new(reading: &Reading, database: &str, shards: Shards) -> Self {
        let age = |since: Option<Micros>| since.map(|since| reading.at.since(since).max(0));
        let lag = reading.pace.lag;
        Self {
            at: units::utc(reading.at),
            database: database.to_owned(),
            shards: shards.to_string(),
            due: reading.due.due,
            due_oldest_age_us: age(reading.due.oldest_end),
            closed_last_minute: reading.pace.closed,
            lag_p50_us: lag.map(|lag| lag.p50_us),
            lag_p99_us: lag.map(|lag| lag.p99_us),
            lag_max_us: lag.map(|lag| lag.max_us),
            outbox_pending: reading.outbox.pending,
            outbox_oldest_age_us: age(reading.outbox.oldest),
        }
    }
}

impl Card for TopView {
    fn heading(&self) -> String {
        format!("{} at {}", self.database, self.at)
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let since = |number: String, age_us: Option<i64>| match age_us {
            Some(age_us) => format!("{number}, the oldest for {}", units::span(age_us)),
            None => number,
        };
        let lag = |us: Option<u64>| {
            us.map_or(String::new(), |us| {
                units::span(i64::try_from(us).unwrap_or(i64::MAX))
            })
        };
        vec![
            ("shards", self.shards.clone()),
            ("due", since(self.due.to_string(), self.due_oldest_age_us)),
            (
                "closed",
                format!("{} that ended in the last minute", self.closed_last_minute),
            ),
            ("lag p50", lag(self.lag_p50_us)),
            ("lag p99", lag(self.lag_p99_us)),
            ("lag max", lag(self.lag_max_us)),
            (
                "outbox",
                since(
                    format!("{} pending", self.outbox_pending),
                    self.outbox_oldest_age_us,
                ),
            ),
        ]
    }
}

impl EndingView {
    fn new(next: &Next, now: Micros) -> Self {
        Self {
            auction_id: next.auction_id.get(),
            title: next.title.clone(),
            ends_at: units::utc(next.end),
            left_us: next.end.since(now).max(0),
            currency: next.currency.code().to_owned(),
            price: next.price.map(|price| units::decimal(next.currency, price)),
            bids: next.bids,
        }
    }
}

impl TableRow for EndingView {
    const COLUMNS: &'static [Column] = &[
        Column::right("ID"),
        Column::right("LEFT"),
        Column::right("PRICE"),
        Column::right("BIDS"),
        Column::elastic("TITLE"),
    ];

    fn cells(&self) -> Vec<String> {
        let price = match &self.price {
            Some(price) => format!("{price} {}", self.currency),
            None => "-".to_owned(),
        };
        vec![
            self.auction_id.to_string(),
            units::span(self.left_us),
            price,
            self.bids.to_string(),
            units::one_line(&self.title),
        ]
    }
}
