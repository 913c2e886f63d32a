//! One history written in several ways gives the same auctions to the last byte; orders, soft
//! close and prices.

use gavel::auction::{Kind, Micros};
use gavel::history::{Histories, What};

use super::{ONE, TWO, left_out, one, two};

/// What the entries say, apart from the keys that follow from the cells.
fn told(histories: &Histories) -> Vec<(String, i64, String, Option<i64>)> {
    let entries = histories
        .dossiers
        .iter()
        .flat_map(|dossier| &dossier.entries);
    entries
        .map(|entry| {
            (
                entry.actor.to_string(),
                entry.at.get(),
                entry.detail.clone(),
                entry.secret.map(|secret| secret.amount.minor()),
            )
        })
        .collect()
}

#[test]
fn units_marks_and_times_are_ways_of_writing() {
    let plain = one(
        ONE,
        "lot,open,sold,bid,time,who\n\
         1,1000,1002,1500.5,2026-01-02T12:00:00Z,ann\n\
         1,1000,1002,1001,2026-01-03T12:00:00.5Z,bob\n",
    );
    assert_eq!(left_out(&plain), Vec::<String>::new());
    assert_eq!(plain.report.final_prices.agree, 1);
    let german = ONE
        .replace(
            "layout = \"one-file\"",
            "layout = \"one-file\"\ndelimiter = \";\"\ndecimal_mark = \",\"\n\
             thousands_separator = \".\"",
        )
        .replace("id = { column = \"lot\" }", "id = { column = \"lot\", pattern = \"Los {}\" }")
        .replace("Lot {lot}", "Lot {number}")
        .replace(
            "at = { column = \"time\" }",
            "at = { column = \"time\", format = \"%d.%m.%Y %H:%M:%S%.f\", zone = \"Europe/Berlin\" }",
        );
    let cents = ONE
        .replace("column = \"open\"", "column = \"open\", unit = \"minor\"")
        .replace("column = \"bid\"", "column = \"bid\", unit = \"minor\"")
        .replace(
            "at = { column = \"time\" }",
            "at = { column = \"time\", format = \"unix\", unit = \"milliseconds\" }",
        );
    let hours = ONE.replace(
        "at = { column = \"time\" }",
        "at = { column = \"time\", format = \"since-start\", unit = \"hours\", round = \"millisecond\" }",
    );
    let cases = [
        (
            german,
            "\u{feff}lot;number;open;sold;bid;time;who\r\n\
             Los 1;1;1.000;1002;1.500,5;02.01.2026 13:00:00;ann\r\n\r\n\
             Los 1;1;1.000;1002;1.001,00;03.01.2026 13:00:00.5;bob\r\n",
        ),
        (
            cents,
            "lot,open,sold,bid,time,who\n\
             1,100000,1002,150050,1767355200000,ann\n\
             1,100000,1002,100100,1767441600500,bob\n",
        ),
        (
            hours,
            "{\"lot\":1,\"open\":1000,\"sold\":1002.0,\"bid\":1500.50,\"time\":36,\"who\":\"ann\"}\n\
             {\"lot\":1,\"open\":1000,\"sold\":1002.0,\"bid\":1001,\"time\":60.0001389,\"who\":\"bob\"}\n",
        ),
    ];
    for (map, text) in cases {
        let other = one(&map, text);
        assert_eq!(left_out(&other), Vec::<String>::new(), "{text}");
        assert_eq!(told(&other), told(&plain), "{text}");
    }
}

#[test]
fn the_same_files_give_the_same_bytes_and_a_secret_other_nonces() {
    let text = "lot,open,sold,bid,time,who\n1,5,5,10,2026-01-02T00:00:00Z,ann\n";
    assert_eq!(one(ONE, text), one(ONE, text));
    let secret = one(&format!("secret = \"s\"\n{ONE}"), text);
    let nonce = |histories: &Histories| histories.dossiers[0].entries[1].secret.unwrap().nonce;
    assert_ne!(nonce(&one(ONE, text)), nonce(&secret));
    // One who knows neither the secret nor all cells cannot make the nonce.
    let higher = one(ONE, &text.replace(",10,", ",11,"));
    assert_ne!(nonce(&one(ONE, text)), nonce(&higher));
    // Another auction in the file changes nothing of the first.
    let more = one(ONE, &format!("{text}2,5,5,10,2026-01-02T00:00:00Z,ann\n"));
    assert_eq!(more.dossiers[0], one(ONE, text).dossiers[0]);
}

#[test]
fn bids_come_in_the_order_that_the_mapping_states() {
    let text = "lot,open,sold,n,bid,time,who\n\
                1,5,7,3,8,2026-01-04T00:00:00Z,cid\n\
                1,5,7,1,6,2026-01-02T00:00:00Z,ann\n\
                1,5,7,2,7,2026-01-03T00:00:00Z,bob\n";
    for order in ["value = \"time\"", "column = \"n\""] {
        let histories = one(&format!("{ONE}order = {{ {order} }}\n"), text);
        assert_eq!(left_out(&histories), Vec::<String>::new());
        let actors: Vec<_> = told(&histories).into_iter().map(|entry| entry.0).collect();
        assert_eq!(actors, ["estate", "ann", "bob", "cid"]);
    }
    assert_eq!(left_out(&one(ONE, text)).len(), 2);
}

const LOTS: &str = "lot,open,sold,ended\n1,1,8,2026-01-08T00:01:30Z\n";
/// A leads to 5, B takes it (A had gone to 5), B's proxy answers, then a late bid moves the end.
const EVENTS: &str = "lot,seq,time,price,proxy\n\
    1,1,2026-01-02T00:00:00Z,1,false\n\
    1,2,2026-01-03T00:00:00Z,2,false\n\
    1,3,2026-01-03T00:00:00Z,3,true\n\
    1,4,2026-01-04T00:00:00Z,5,true\n\
    1,5,2026-01-04T00:00:01Z,6,false\n\
    1,6,2026-01-07T23:59:30Z,7,false\n\
    1,7,2026-01-07T23:59:30Z,8,true\n";

#[test]
fn the_least_maxima_give_the_prices_that_were_shown() {
    let histories = two(TWO, LOTS, EVENTS);
    assert_eq!(left_out(&histories), Vec::<String>::new());
    let report = &histories.report;
    assert_eq!(report.differing, []);
    assert_eq!((report.bids, report.automatic, report.raises), (4, 3, 0));
    assert_eq!((report.prices.recorded, report.prices.agree), (4, 4));
    assert_eq!((report.ends.agree, report.extended), (1, 1));
    let maxima: Vec<_> = told(&histories)
        .into_iter()
        .map(|entry| (entry.0, entry.3))
        .collect();
    let expected = [
        ("estate", None),
        ("bidder-1", Some(500)),
        ("bidder-2", Some(200)),
        ("bidder-5", Some(800)),
        ("bidder-6", Some(700)),
    ];
    assert_eq!(
        maxima,
        expected.map(|(who, maximum)| (who.to_owned(), maximum))
    );
}

#[test]
fn other_ends_and_prices_are_told_where_they_differ() {
    let lots = LOTS.replace("00:01:30", "00:02:00").replace(",8,", ",9,");
    let events = EVENTS
        .replace(",2,false", ",4,false")
        .replace(",6,false", ",7,false");
    let histories = two(TWO, &lots, &events);
    let told: Vec<_> = histories
        .report
        .differing
        .iter()
        .map(|it| {
            (
                it.what,
                it.line,
                it.derived.clone().unwrap(),
                it.recorded.clone().unwrap(),
            )
        })
        .collect();
    let (derived, recorded) = ("2026-01-08T00:01:30.000000Z", "2026-01-08T00:02:00.000000Z");
    let expected = [
        (What::Price, 3, "5.00", "3.00"),
        (What::Price, 6, "6.00", "7.00"),
        (What::End, 2, derived, recorded),
        (What::FinalPrice, 2, "8.00", "9.00"),
    ];
    let expected = expected.map(|(what, line, a, b)| (what, line, a.to_owned(), b.to_owned()));
    assert_eq!(told, expected);
    // The row carries the record, the event what the rules give.
    let dossier = &histories.dossiers[0];
    let row = dossier.row.as_ref().unwrap();
    assert_eq!(row.end, recorded.parse::<Micros>().unwrap());
    assert_eq!(row.final_price.map(|price| price.minor()), Some(900));
    assert_eq!(
        dossier.events[0].price.map(|price| price.minor()),
        Some(800)
    );
}

#[test]
fn a_raise_that_no_row_shows_is_made_where_a_later_row_needs_it() {
    // The price of the second bid is short of a step, so it is that bid's maximum; yet the bidder
    // later goes as far as 4.
    let events = "lot,seq,time,price,proxy\n\
        1,1,2026-01-02T00:00:00Z,1,false\n\
        1,2,2026-01-03T00:00:00Z,1.50,true\n\
        1,3,2026-01-03T00:00:00Z,2.25,false\n\
        1,4,2026-01-04T00:00:00Z,3.50,false\n\
        1,5,2026-01-04T00:00:00Z,4.50,true\n";
    let lots = "lot,open,sold,ended\n1,1,4.50,2026-01-08T00:00:00Z\n";
    let histories = two(TWO, lots, events);
    assert_eq!(left_out(&histories), Vec::<String>::new());
    assert_eq!(histories.report.differing, []);
    assert_eq!(histories.report.raises, 1);
    let entries = &histories.dossiers[0].entries;
    assert_eq!(
        entries
            .iter()
            .filter(|entry| entry.kind == Kind::Bid)
            .count(),
        4
    );
}
