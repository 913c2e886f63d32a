//! Currencies that are none, are no more, or are another than the auction's.

use super::sheet::Sheet;
use super::witness::{Before, refused, told};
use crate::support::cli::Desk;

const CODE: &str = "a currency is a three-letter code of ISO 4217";

/// Texts for a currency, and what is said about each.
pub(super) const CODES: [(&str, &str); 20] = [
    ("", CODE),
    ("usd", CODE),
    ("Usd", CODE),
    ("US", CODE),
    ("USDD", CODE),
    ("U D", CODE),
    ("USD ", CODE),
    ("$", CODE),
    ("840", CODE),
    ("dollars", CODE),
    ("BTC", CODE),
    ("ＵＳＤ", CODE),
    ("XXX", CODE),
    ("XTS", CODE),
    ("XAU", CODE),
    ("XDR", CODE),
    ("DEM", CODE),
    ("HRK", "was withdrawn: EUR took its place"),
    ("ZWL", "was withdrawn: ZWG took its place"),
    ("SLL", "was withdrawn: SLE took its place"),
];

#[test]
fn a_bad_currency_names_its_option() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    let lot = "create --seller alice --title T --start-price 5 --steps 1 --ends-in 7d";
    for (text, why) in CODES {
        let mut line: Vec<&str> = lot.split(' ').collect();
        line.extend_from_slice(&["--currency", text]);
        let value = format!("--currency \"{text}\": ");
        refused(&desk.run_words(&line), text, &[&value, why]);
        if why == CODE {
            let bid = [
                "bid",
                "7731",
                "--bidder",
                "a",
                "--max",
                "5000",
                "--currency",
                text,
            ];
            refused(&desk.run_words(&bid), text, &["--currency", why]);
        }
    }
    before.still_is(&desk);
    // Two codes of one currency, both in force.
    for code in ["VES", "VED"] {
        desk.ok(&format!("{lot} --currency {code} --dry-run"));
    }
}

#[test]
fn a_bad_currency_in_a_file_is_named_by_line_column_and_value() {
    let desk = Desk::with_guitar();
    Sheet::of_auctions().refuses(&desk, "currency", &CODES);
    let unknown = CODES.into_iter().filter(|(_, why)| *why == CODE);
    let unknown: Vec<_> = unknown.collect();
    Sheet::of_bids().refuses(&desk, "currency", &unknown);
}

/// A bid that means another currency is refused by the rules, whatever its number is.
#[test]
fn a_bid_in_another_currency_is_refused() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    for code in ["EUR", "JPY", "KWD", "HRK"] {
        let said = desk.run(&format!(
            "bid 7731 --bidder ann --max 5000 --currency {code}"
        ));
        let expected = ["refused: auction 7731", "in USD", "wrong-currency"];
        told(&said, 3, code, &expected);
        desk.write("bids.csv", Sheet::of_bids().file("currency", code));
        let said = desk.run("bid --file bids.csv --format csv");
        assert_eq!(said.code, 3, "{code}: {}", said.stderr);
        assert!(said.stdout.contains("wrong-currency"), "{}", said.stdout);
        std::fs::remove_file(desk.path("bids.csv")).unwrap();
    }
    before.still_is(&desk);
}
