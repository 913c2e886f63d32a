//! Amounts that are none: as a start price, a reserve, a step and a maximum, as options and cells.

use super::sheet::{Sheet, masked};
use super::witness::{Before, refused};
use crate::support::cli::Desk;

const SYNTAX: &str = "write an amount as digits with an optional decimal point";
const DECIMALS: &str = "USD has 2 decimals";
const RANGE: &str = "an amount is from 0.01 to 10000000000000.00 USD";

/// Texts, and what is said about each, in dollars.
pub(super) const AMOUNTS: [(&str, &str); 38] = [
    ("-5", SYNTAX),
    ("0", RANGE),
    ("-0", SYNTAX),
    ("0.00", RANGE),
    ("0.001", DECIMALS),
    ("1e3", SYNTAX),
    ("NaN", SYNTAX),
    ("inf", SYNTAX),
    ("Infinity", SYNTAX),
    ("10abc", SYNTAX),
    ("0x10", SYNTAX),
    ("+10", SYNTAX),
    ("1,000", SYNTAX),
    ("1 000", SYNTAX),
    ("1\u{a0}000", SYNTAX),
    ("1_000", SYNTAX),
    ("1'000", SYNTAX),
    ("1.000,00", SYNTAX),
    ("١٠", SYNTAX),
    ("１０", SYNTAX),
    ("1０", SYNTAX),
    ("10.５", SYNTAX),
    (".", SYNTAX),
    ("", SYNTAX),
    (".5", SYNTAX),
    ("5.", SYNTAX),
    ("1.234", DECIMALS),
    ("5.000", DECIMALS),
    ("12.3.4", SYNTAX),
    ("-110.7", SYNTAX),
    ("$5", SYNTAX),
    ("5 USD", SYNTAX),
    ("=5+5", SYNTAX),
    ("5\u{200b}", SYNTAX),
    ("92233720368547758.07", RANGE),
    ("92233720368547758.08", RANGE),
    ("10000000000000.01", RANGE),
    ("1234567890123456789012345678901234567890", RANGE),
];

/// Texts that are amounts of another currency, and what is said.
pub(super) const DECIMALS_OF: [(&str, &str, &str); 6] = [
    ("JPY", "1050.5", "JPY has 0 decimals"),
    ("JPY", "1050.0", "JPY has 0 decimals"),
    ("JPY", "1000000000000001", "to 1000000000000000 JPY"),
    ("KWD", "1.2345", "KWD has 3 decimals"),
    ("KWD", "1000000000000.001", "to 1000000000000.000 KWD"),
    ("CLF", "1.23456", "CLF has 4 decimals"),
];

/// Numbers of JSON, which are read as they are written or not at all.
pub(super) const JSON_NUMBERS: [(&str, &str); 6] = [
    ("10.5", "write decimals as a string"),
    ("1e3", "write decimals as a string"),
    ("99999999999999999999", "write decimals as a string"),
    ("-5", SYNTAX),
    ("true", "write a string or a whole number"),
    ("[5]", "write a string or a whole number"),
];

#[test]
fn a_bad_amount_names_its_option() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    let create = "create --seller alice --title T --ends-in 7d";
    for (text, why) in AMOUNTS {
        let stated = |option: &str, lead: &str, tail: &[&str]| {
            let mut line: Vec<&str> = lead.split(' ').collect();
            line.extend_from_slice(tail);
            line.extend_from_slice(&[option, text]);
            desk.run_words(&line)
        };
        let value = format!("--start-price \"{text}\": ");
        let said = stated("--start-price", create, &[]);
        refused(&said, text, &[&value, why]);
        let said = stated("--max", "bid 7731 --bidder ann", &[]);
        refused(
            &said,
            text,
            &[&format!("--max \"{}\": ", masked(text)), why],
        );
        // A reserve of nothing is none.
        if !["0", "0.00"].contains(&text) {
            let said = stated("--reserve", create, &["--start-price", "5"]);
            refused(
                &said,
                text,
                &[&format!("--reserve \"{}\": ", masked(text)), why],
            );
        }
        // A step can also be the name of a table, or rungs.
        let said = stated("--steps", create, &["--start-price", "5"]);
        refused(&said, text, &[&format!("--steps \"{text}\": ")]);
    }
    for (code, text, why) in DECIMALS_OF {
        let words = ["--seller", "alice", "--title", "T", "--ends-in", "7d"];
        for option in ["--start-price", "--reserve"] {
            let mut line = vec!["create", "--currency", code, option, text, "--steps", "1"];
            line.extend_from_slice(&words);
            if option == "--reserve" {
                line.extend_from_slice(&["--start-price", "5"]);
            }
            refused(&desk.run_words(&line), text, &[option, why]);
        }
    }
    before.still_is(&desk);
}

#[test]
fn a_bad_amount_in_a_file_is_named_by_line_column_and_value() {
    let desk = Desk::with_guitar();
    Sheet::of_auctions().refuses(&desk, "start_price", &AMOUNTS);
    Sheet::of_bids().refuses(&desk, "maximum", &AMOUNTS);
    let reserves: Vec<_> = AMOUNTS
        .into_iter()
        .filter(|(text, _)| !["0", "0.00"].contains(text))
        .collect();
    Sheet::of_auctions().refuses(&desk, "reserve", &reserves);
    let steps = AMOUNTS.map(|(text, _)| (text, ""));
    Sheet::of_auctions().refuses(&desk, "steps", &steps);
    for (code, text, why) in DECIMALS_OF {
        let sheet = Sheet::of_auctions().with("currency", code);
        sheet.refuses(&desk, "start_price", &[(text, why)]);
        let sheet = Sheet::of_bids().with("currency", code);
        sheet.refuses(&desk, "maximum", &[(text, why)]);
    }
}

#[test]
fn a_number_of_json_is_taken_whole_or_not_at_all() {
    let desk = Desk::with_guitar();
    for (number, why) in JSON_NUMBERS {
        let lot = format!(
            "{{\"seller\":\"a\",\"title\":\"t\",\"ends_in\":\"7d\",\"start_price\":{number}}}\n"
        );
        let said = Sheet::of_auctions().upload(&desk, "rows.jsonl", lot.as_bytes());
        refused(&said, number, &["rows.jsonl:1: column start_price", why]);
        let bid = format!("{{\"auction_id\":7731,\"bidder\":\"a\",\"maximum\":{number}}}\n");
        let said = Sheet::of_bids().upload(&desk, "rows.jsonl", bid.as_bytes());
        refused(&said, number, &["rows.jsonl:1: column maximum", why]);
    }
}
