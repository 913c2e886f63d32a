//! Rows that cannot be used are named, and only they are left out.

use super::{ONE, TWO, left_out, one, two};

const HEADER: &str = "lot,open,sold,bid,time,who\n";

fn rows(text: &str) -> Vec<String> {
    left_out(&one(ONE, &format!("{HEADER}{text}")))
}

#[test]
fn a_bad_cell_is_named_by_column_value_and_reason() {
    let good = "1,5,5,10,2026-01-02T00:00:00Z,ann\n";
    let cases = [
        (
            "x,5,5,10,2026-01-02T00:00:00Z,ann",
            "lot x: an auction id is a whole number",
        ),
        (
            "0,5,5,10,2026-01-02T00:00:00Z,ann",
            "lot 0: an auction id is a whole number",
        ),
        (
            "9007199254740992,5,5,10,2026-01-02T00:00:00Z,ann",
            "lot 9007199254740992: an auction id is",
        ),
        (
            "2,5x,5,10,2026-01-02T00:00:00Z,ann",
            "open 5x: not an amount",
        ),
        (
            "2,0,5,10,2026-01-02T00:00:00Z,ann",
            "open 0: it must be more than zero",
        ),
        ("2,,5,10,2026-01-02T00:00:00Z,ann", "open -: it is empty"),
        (
            "2,5,-5,10,2026-01-02T00:00:00Z,ann",
            "sold -5: not an amount",
        ),
        // A maximum is not repeated, not even a malformed one.
        (
            "2,5,5,\"1,000\",2026-01-02T00:00:00Z,ann",
            "bid #,###: not an amount",
        ),
        (
            "2,5,5,10.005,2026-01-02T00:00:00Z,ann",
            "bid ##.###: USD has 2 decimals",
        ),
        ("2,5,5,10,2026-01-02,ann", "time 2026-01-02: write a time"),
        (
            "2,5,5,10,2026-01-02T00:00:00Z,a b",
            "who a b: an id has 1 to 64",
        ),
        ("2,5,5,10,2026-01-02T00:00:00Z,", "who -: it is empty"),
        ("2,5,5,10", "lot -: the row has 4 cells, the header 6"),
        (
            "1,6,5,10,2026-01-02T00:00:00Z,bob",
            "open 6: line 2 of the same auction has another",
        ),
        (
            "1,5,5,4,2026-01-02T00:00:00Z,bob",
            "bid #: the rules refuse it: the bid is too low",
        ),
        (
            "1,5,5,10,2026-01-02T00:00:00Z,ann",
            "bid ##: the rules refuse it: the bidder leads already",
        ),
        (
            "2,5,5,4,2026-01-02T00:00:00Z,ann",
            "the first bid must reach the start price; at least",
        ),
        (
            "1,5,5,10,2026-01-02T00:00:00Z,estate",
            "who estate: the rules refuse it: a seller",
        ),
        (
            "1,5,5,50,2026-01-08T00:00:00Z,bob",
            "the rules refuse it: the auction ended",
        ),
        (
            "2,5,5,50,2025-12-31T00:00:00Z,bob",
            "the rules refuse it: bidding starts",
        ),
        (
            "1,5,5,50,2026-01-01T23:59:59Z,bob",
            "it lies 1s before a bid that comes earlier",
        ),
    ];
    for (row, expected) in cases {
        let told = rows(&format!("{good}{row}\n"));
        assert_eq!(told.len(), 1, "{row}: {told:?}");
        assert!(told[0].starts_with("bids.csv:3 "), "{row}: {told:?}");
        assert!(told[0].contains(expected), "{row}: {told:?}");
    }
    assert_eq!(rows(good), Vec::<String>::new());
}

#[test]
fn what_is_good_stays() {
    let text = "2,5,x,10,2026-01-02T00:00:00Z,ann\n\
                2,5,x,11,2026-01-02T00:00:00Z,bob\n\
                1,5,7,10,2026-01-02T00:00:00Z,ann\n\
                1,5,7,zz,2026-01-02T00:00:00Z,bob\n\
                1,5,7,6,2026-01-02T00:00:01Z,bob\n";
    let histories = one(ONE, &format!("{HEADER}{text}"));
    let told = left_out(&histories);
    assert_eq!(
        told.iter().map(|it| &it[..11]).collect::<Vec<_>>(),
        ["bids.csv:2 ", "bids.csv:3 ", "bids.csv:5 "]
    );
    assert!(
        told[1].ends_with("the auction's line 2 cannot be used"),
        "{told:?}"
    );
    let report = &histories.report;
    assert_eq!((report.auctions, report.bids), (1, 2));
    assert_eq!(
        (report.final_prices.recorded, report.final_prices.agree),
        (1, 1)
    );
}

#[test]
fn two_files_are_joined_by_the_auctions_id() {
    let lots = "lot,open,sold,ended\n\
                1,1,1,2026-01-08T00:00:00Z\n\
                1,1,1,2026-01-08T00:00:00Z\n\
                2,1,x,2026-01-08T00:00:00Z\n\
                3,1,0,\n";
    let bids = "lot,seq,time,price,proxy\n\
                1,7,2026-01-02T00:00:00Z,1,false\n\
                1,7,2026-01-02T00:00:00Z,2,false\n\
                2,1,2026-01-02T00:00:00Z,1,false\n\
                9,1,2026-01-02T00:00:00Z,1,false\n\
                1,8,2026-01-02T00:00:00Z,2,perhaps\n\
                1,-1,2026-01-02T00:00:00Z,2,no\n\
                1,9,2026-01-03T00:00:00Z,2,yes\n";
    let histories = two(TWO, lots, bids);
    let told = left_out(&histories);
    let expected = [
        "lots.csv:3 lot 1: line 2 is of this auction already",
        "lots.csv:4 sold x: not an amount",
        "bids.csv:3 seq 7: another bid of the auction has this number",
        "bids.csv:4 lot 2: the auction's line 4 cannot be used",
        "bids.csv:5 lot 9: there is no such auction among the auctions",
        "bids.csv:6 proxy perhaps: write true or false",
        "bids.csv:7 seq -1: write a whole number",
        "bids.csv:8 proxy yes: an automatic answer that belongs to no bid",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told} / {expected}");
    }
    let report = &histories.report;
    assert_eq!((report.auctions, report.with_bids), (2, 1));
    // Without a recorded end there is nothing to compare.
    assert_eq!((report.ends.recorded, report.ends.agree), (1, 1));
    assert_eq!(
        (report.final_prices.recorded, report.final_prices.agree),
        (2, 2)
    );
}

#[test]
fn an_auction_that_has_not_ended_is_no_history() {
    let map = ONE.replace("2026-01-08", "2026-05-08");
    let told = left_out(&one(
        &map,
        &format!("{HEADER}1,5,5,10,2026-01-02T00:00:00Z,ann\n"),
    ));
    assert_eq!(told.len(), 1);
    assert!(
        told[0].contains("auctions.end 2026-05-08T00:00:00Z: the auction has not ended"),
        "{told:?}"
    );
}

#[test]
fn terms_that_cannot_be_are_named_at_their_target() {
    let row = "1,5,5,10,2026-01-02T00:00:00Z,ann\n";
    let cases = [
        (
            "2026-01-08T00:00:00Z",
            "2025-12-08T00:00:00Z",
            "auctions.end 2025-12-08T00:00:00Z: the end must",
        ),
        (
            "value = \"1\"",
            "value = \"6:1\"",
            "auctions.steps 6:1: the first threshold",
        ),
        (
            "start = {",
            "soft_close.window = { value = \"30d\" }\nstart = {",
            "auctions.soft_close.window 30d: the soft-close window",
        ),
    ];
    for (line, other, expected) in cases {
        let histories = one(&ONE.replacen(line, other, 1), &format!("{HEADER}{row}"));
        let told = left_out(&histories);
        assert!(told[0].contains(expected), "{told:?}");
        assert!(histories.dossiers.is_empty());
    }
}
