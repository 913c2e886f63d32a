//! How many bad inputs are tried.

use std::collections::BTreeSet;

use super::{amounts, currencies, databases, files, ids, postgres, times, urls};

/// 244 distinct ones in the tables; most of them in several places.
#[test]
fn the_tables_hold_well_over_eighty_distinct_bad_inputs() {
    let mut inputs = BTreeSet::new();
    let mut listed = 0;
    let mut of = |kind: &'static str, texts: Vec<String>| {
        listed += texts.len();
        inputs.extend(texts.into_iter().map(|text| (kind, text)));
    };
    let pairs = |table: &[(&str, &str)]| -> Vec<String> {
        table.iter().map(|(text, _)| (*text).to_owned()).collect()
    };
    of("amount", pairs(&amounts::AMOUNTS));
    let decimals = amounts::DECIMALS_OF.iter();
    of(
        "decimals",
        decimals
            .map(|(code, text, _)| format!("{code} {text}"))
            .collect(),
    );
    of("number", pairs(&amounts::JSON_NUMBERS));
    of("time", pairs(&times::TIMES));
    of("span", pairs(&times::SPANS));
    of("person", pairs(&ids::PEOPLE));
    of("auction", pairs(&ids::AUCTIONS));
    of("request", pairs(&ids::REQUESTS));
    of("currency", pairs(&currencies::CODES));
    of("rows", pairs(&files::TEXTS));
    of("header", pairs(&files::HEADERS));
    of("form", pairs(&files::FORMS));
    of("line", pairs(&files::LINES));
    of("url", pairs(&urls::URLS));
    let states = databases::STATES.iter();
    of(
        "sqlite",
        states.map(|(state, ..)| (*state).to_owned()).collect(),
    );
    let statements = postgres::STATEMENTS.iter();
    of(
        "postgres",
        statements.map(|(text, ..)| (*text).to_owned()).collect(),
    );
    assert_eq!((listed, inputs.len()), (244, 244));
}
