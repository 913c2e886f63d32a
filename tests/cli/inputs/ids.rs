//! Ids of people, auctions and requests that are none; and that ids are compared exactly.

use super::sheet::Sheet;
use super::witness::{Before, refused};
use crate::support::cli::Desk;

const PERSON: &str = "an id has 1 to 64 characters, each of A-Z a-z 0-9 . _ : @ -";
const AUCTION: &str = "an auction id is a whole number from 1 to 9007199254740991";
const REQUEST: &str = "a request id is a UUID";

const LONG: &str = "x2345678901234567890123456789012345678901234567890123456789012345";

/// Texts for a person.
pub(super) const PEOPLE: [(&str, &str); 18] = [
    ("", PERSON),
    (" ", PERSON),
    (" alice", PERSON),
    ("alice ", PERSON),
    ("al ice", PERSON),
    ("al\u{a0}ice", PERSON),
    ("Ål", PERSON),
    ("a\u{301}lice", PERSON),
    ("\u{430}lice", PERSON),
    ("ａｌｉｃｅ", PERSON),
    ("ali\u{200b}ce", PERSON),
    ("alice\u{202e}", PERSON),
    ("al\u{131}ce", PERSON),
    ("a/b", PERSON),
    ("a,b", PERSON),
    ("=alice", PERSON),
    ("alice\t", PERSON),
    (LONG, PERSON),
];

/// Texts for an auction.
pub(super) const AUCTIONS: [(&str, &str); 14] = [
    ("", AUCTION),
    ("0", AUCTION),
    ("-1", AUCTION),
    ("+7731", AUCTION),
    ("9007199254740992", AUCTION),
    ("99999999999999999999", AUCTION),
    ("1.5", AUCTION),
    ("7731.0", AUCTION),
    ("1e3", AUCTION),
    ("0x1e33", AUCTION),
    ("seven", AUCTION),
    (" 7731", AUCTION),
    ("7,731", AUCTION),
    ("７７３１", AUCTION),
];

/// Texts for a request.
pub(super) const REQUESTS: [(&str, &str); 6] = [
    ("", REQUEST),
    ("12", REQUEST),
    ("not-a-uuid", REQUEST),
    ("018f3c5e-7b1a-4c2d-9e4f-0123456789a", REQUEST),
    ("018f3c5e-7b1a-4c2d-9e4f-0123456789ag", REQUEST),
    ("018f3c5e-7b1a-4c2d-9e4f-0123456789ab ", REQUEST),
];

#[test]
fn a_bad_id_names_its_option() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    let lot = [
        "create",
        "--title",
        "T",
        "--start-price",
        "5",
        "--ends-in",
        "7d",
    ];
    let create = |more: &[&str]| desk.run_words(&[&lot[..], more].concat());
    for (text, why) in PEOPLE {
        let value = |option: &str| format!("{option}={text}");
        let said = create(&[&value("--seller")]);
        refused(&said, text, &["--seller", why]);
        let said = create(&["--seller", "alice", &value("--actor")]);
        refused(&said, text, &["--actor", why]);
        let bidder = value("--bidder");
        for line in [
            &["bid", "7731", "--max", "5000", bidder.as_str()][..],
            &["mine", &bidder],
            &["void", "7731", "--all", "--reason", "r", &bidder],
        ] {
            refused(&desk.run_words(line), text, &["--bidder", why]);
        }
        let said = desk.run_words(&["watchlist", "add", "7731", &value("--watcher")]);
        refused(&said, text, &["--watcher", why]);
    }
    for (text, why) in AUCTIONS {
        for line in [
            &["show", "--", text][..],
            &["history", "--", text],
            &["bid", "--bidder", "ann", "--max", "5000", "--", text],
            &["cancel", "--reason", "r", "--", text],
            &["replay", "--", text],
        ] {
            refused(&desk.run_words(line), text, &["ID", why]);
        }
        let said = create(&["--seller", "alice", &format!("--id={text}")]);
        refused(&said, text, &["--id", why]);
    }
    for (text, why) in REQUESTS {
        let option = format!("--request-id={text}");
        refused(
            &create(&["--seller", "alice", &option]),
            text,
            &["--request-id", why],
        );
        let said = desk.run_words(&["bid", "7731", "--bidder", "ann", "--max", "5000", &option]);
        refused(&said, text, &["--request-id", why]);
        let said = desk.run_words(&["cancel", "7731", "--reason", "r", &option]);
        refused(&said, text, &["--request-id", why]);
    }
    before.still_is(&desk);
}

#[test]
fn a_bad_id_in_a_file_is_named_by_line_column_and_value() {
    let desk = Desk::with_guitar();
    for column in ["seller", "actor"] {
        Sheet::of_auctions().refuses(&desk, column, &PEOPLE);
    }
    Sheet::of_bids().refuses(&desk, "bidder", &PEOPLE);
    Sheet::of_auctions().refuses(&desk, "id", &AUCTIONS);
    Sheet::of_bids().refuses(&desk, "auction_id", &AUCTIONS);
    Sheet::of_auctions().refuses(&desk, "request_id", &REQUESTS);
    Sheet::of_bids().refuses(&desk, "request_id", &REQUESTS);
}

/// Another spelling is another person: only the very seller is refused, and nobody's bids are
/// taken for another's.
#[test]
fn ids_are_compared_exactly() {
    let desk = Desk::with_guitar();
    let seller = desk.run("bid 7731 --bidder alice --max 5000");
    assert_eq!(seller.code, 3, "{}", seller.stderr);
    assert!(
        seller.stderr.contains("seller-cannot-bid"),
        "{}",
        seller.stderr
    );
    desk.ok("bid 7731 --bidder Alice --max 5000");
    desk.ok("bid 7731 --bidder ALICE --max 6000");
    let mine = desk.ok("mine --bidder Alice --format json");
    assert!(mine.contains("\"standing\":\"outbid\""), "{mine}");
    assert_eq!(desk.ok("mine --bidder alice --format json"), "");
    let longest = &LONG[1..];
    desk.ok(&format!("bid 7731 --bidder {longest} --max 9000"));
    // Zeros before a number are the same number.
    assert!(desk.ok("show 007731 --format json").contains(longest));
}
