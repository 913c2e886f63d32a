//! Foreign histories: mappings, rows, what the rules make of them, and the reasons.

mod mappings;
mod reasons;
mod rows;
mod values;

use gavel::auction::Micros;
use gavel::history::{Histories, HistoryError, Mapping, Source, read};

/// One file; each line repeats its auction.
const ONE: &str = r#"layout = "one-file"

[auctions]
id = { column = "lot" }
seller = { value = "estate" }
title = { template = "Lot {lot}" }
currency = { value = "USD" }
start_price = { column = "open" }
steps = { value = "1" }
start = { value = "2026-01-01T00:00:00Z" }
end = { value = "2026-01-08T00:00:00Z" }
recorded_price = { column = "sold" }

[bids]
amounts = "maxima"
amount = { column = "bid" }
at = { column = "time" }
bidder = { column = "who", unnamed = "Private" }
"#;

/// Two files, with prices and soft close.
const TWO: &str = r#"layout = "two-files"

[auctions]
id = { column = "lot" }
seller = { value = "estate" }
title = { template = "Lot {lot}" }
currency = { value = "USD" }
start_price = { column = "open" }
steps = { value = "1" }
soft_close.window = { value = "2m" }
soft_close.trigger = { value = "any" }
start = { value = "2026-01-01T00:00:00Z" }
end = { value = "2026-01-08T00:00:00Z" }
recorded_price = { column = "sold" }
recorded_end = { column = "ended" }

[bids]
amounts = "prices"
auction = { column = "lot" }
amount = { column = "price" }
at = { column = "time" }
automatic = { column = "proxy" }
order = { column = "seq" }
skew = "2s"
"#;

fn mapping(text: &str) -> Mapping {
    Mapping::parse("map.toml", text).unwrap()
}

fn source(name: &str, text: &str) -> Source {
    Source {
        name: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
    }
}

/// Reads files in March 2026.
fn try_read(map: &str, files: &[(&str, &str)]) -> Result<Histories, HistoryError> {
    let sources: Vec<Source> = files
        .iter()
        .map(|(name, text)| source(name, text))
        .collect();
    let now: Micros = "2026-03-01T00:00:00Z".parse().unwrap();
    read(&mapping(map), &sources, now)
}

/// Reads one file.
fn one(map: &str, text: &str) -> Histories {
    try_read(map, &[("bids.csv", text)]).unwrap()
}

/// Reads two files.
fn two(map: &str, auctions: &str, bids: &str) -> Histories {
    try_read(map, &[("lots.csv", auctions), ("bids.csv", bids)]).unwrap()
}

/// The rows left out, in short.
fn left_out(histories: &Histories) -> Vec<String> {
    let rows = histories.report.left_out.iter();
    let told = rows.map(|bad| {
        let value = bad.value.as_deref().unwrap_or("-");
        format!(
            "{}:{} {} {value}: {}",
            bad.file, bad.line, bad.column, bad.why
        )
    });
    told.collect()
}
