//! Many auctions or bids from CSV and JSON lines.

use crate::support::cli::{Desk, masking};

const HEADER: &str = "id,seller,title,start_price,steps,starts_at,ends_at\n";
const TIMES: &str = "2026-01-01T00:00Z,2099-12-06T03:00Z";

fn lots(numbers: &[i64]) -> String {
    let rows = numbers
        .iter()
        .map(|id| format!("{id},alice,\"Lot, {id}\",100,1,{TIMES}\n"));
    HEADER.to_owned() + &rows.collect::<String>()
}

#[test]
fn a_file_of_lots_and_a_file_of_bids() {
    let desk = Desk::ready();
    desk.write("lots.csv", lots(&[1, 2]));
    desk.write(
        "lots.jsonl",
        "{\"id\": 3, \"seller\": \"alice\", \"title\": \"Third\", \"start_price\": \"99.50\", \
         \"steps\": \"1\", \"reserve\": null, \"starts_at\": \"2026-01-01T00:00Z\", \
         \"ends_at\": \"2099-12-06T03:00Z\"}\n\n",
    );
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n1,ann,150\n1,bob,120.50\n1,cid,100\n",
    );
    let said = desk.transcript(&[
        "create --file lots.csv --dry-run",
        "create --file lots.csv",
        "create --file lots.jsonl",
        "create --file lots.csv",
        "bid --file bids.csv --dry-run",
        "bid --file bids.csv",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel create --file lots.csv --dry-run
        ID  OUTCOME  START PRICE  ENDS                  TITLE
         1  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 1
         2  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 2
        ! dry run: 2 auctions created; nothing was written
        $ gavel create --file lots.csv
        ID  OUTCOME  START PRICE  ENDS                  TITLE
         1  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 1
         2  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 2
        ! 2 auctions created
        $ gavel create --file lots.jsonl
        ID  OUTCOME  START PRICE  ENDS                  TITLE
         3  created    99.50 USD  2099-12-06T03:00:00Z  Third
        ! 1 auction created
        $ gavel create --file lots.csv
        ID  OUTCOME   START PRICE  ENDS                  TITLE
         1  repeated   100.00 USD  2099-12-06T03:00:00Z  Lot, 1
         2  repeated   100.00 USD  2099-12-06T03:00:00Z  Lot, 2
        ! 0 auctions created, 2 repeated: done before, nothing changed
        $ gavel bid --file bids.csv --dry-run
        AUCTION  BIDDER  OUTCOME   STANDING  PRICE  NEXT BID FROM
              1  ann     accepted
              1  bob     accepted
              1  cid     accepted
        ! dry run: 3 bids accepted; nothing was written
        $ gavel bid --file bids.csv
        AUCTION  BIDDER  OUTCOME   STANDING             PRICE  NEXT BID FROM
              1  ann     accepted  leading         100.00 USD     101.00 USD
              1  bob     accepted  outbid at once  121.50 USD     122.50 USD
              1  cid     too-low                                  122.50 USD
        ! 2 bids accepted, 1 refused
        [exit 3]
        ");
    });
}

#[test]
fn a_bad_row_is_named_and_nothing_is_written() {
    let desk = Desk::ready();
    let rows = lots(&[1, 2])
        + &format!("3,alice,Third,\"1,000\",1,{TIMES}\n")
        + &lots(&[4])[HEADER.len()..];
    desk.write("lots.csv", rows);
    let said = desk.transcript(&[
        "create --file lots.csv",
        "list",
        "create --file lots.csv --skip-bad",
        "list --format csv",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel create --file lots.csv
        ! error: 1 of 4 rows is bad; nothing was written
        !   lots.csv:4: column start_price, value "1,000": write an amount as digits with an optional decimal point, such as 12000 or 41.50: no sign, separator, exponent or space
        ! hint: correct the rows, or pass them over with --skip-bad
        [exit 2]
        $ gavel list
        ! 0 auctions
        $ gavel create --file lots.csv --skip-bad
        ID  OUTCOME  START PRICE  ENDS                  TITLE
         1  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 1
         2  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 2
         4  created   100.00 USD  2099-12-06T03:00:00Z  Lot, 4
        ! warning: passed over: lots.csv:4: column start_price, value "1,000": write an amount as digits with an optional decimal point, such as 12000 or 41.50: no sign, separator, exponent or space
        ! 3 auctions created, 1 passed over
        [exit 4]
        $ gavel list --format csv
        auction_id,status,currency,price,bids,ends_at,seller,winner,title
        1,open,USD,,0,[time],alice,,"Lot, 1"
        2,open,USD,,0,[time],alice,,"Lot, 2"
        4,open,USD,,0,[time],alice,,"Lot, 4"
        ! 3 auctions
        "#);
    });
}

#[test]
fn a_bad_bid_is_named_without_its_digits() {
    let desk = Desk::with_guitar();
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n7731,ann,7777.77\n7731,bob,7777.777\n7731,b b,1\n",
    );
    let said = desk.transcript(&["bid --file bids.csv", "show 7731 --format csv"]);
    assert!(!said.contains("777.7"), "{said}");
    masking(|| {
        insta::assert_snapshot!(said, @r#####"
        $ gavel bid --file bids.csv
        ! error: 2 of 3 rows are bad; nothing was written
        !   bids.csv:3: column maximum, value "####.###": USD has 2 decimals, this amount has more
        !   bids.csv:4: column bidder, value "b b": an id has 1 to 64 characters, each of A-Z a-z 0-9 . _ : @ -
        ! hint: correct the rows, or pass them over with --skip-bad
        [exit 2]
        $ gavel show 7731 --format csv
        auction_id,title,status,seller,currency,price,minimum,bids,leader,reserve,winner,final_price,starts_at,ends_at,first_ends_at,closed_at,start_price,steps,own_raise,soft_close_window,soft_close_extend,soft_close_mode,soft_close_trigger,soft_close_cap,last_seq,ledger_head,as_of,later_entries,server_time
        7731,"Guitar, 1962",open,alice,USD,,1000.00,0,,none,,,[time],[time],[time],,1000.00,100.00,keep,,,,,,1,[sha256],,,[time]
        "#####);
    });
}

#[test]
fn marks_line_ends_and_blank_lines_do_no_harm() {
    let desk = Desk::ready();
    let plain = lots(&[1, 2]);
    let dressed = format!("\u{feff}{}\r\n\r\n", plain.replace('\n', "\r\n"));
    let said = desk.run_with("create --file - --format csv --quiet", dressed.as_bytes());
    assert_eq!(
        (said.code, said.stdout.lines().count()),
        (0, 3),
        "{}",
        said.stderr
    );
    let json = "{\"auction_id\":1,\"bidder\":\"ann\",\"maximum\":\"120\"}\r\n\r\n";
    let said = desk.run_with("bid --file - --quiet", json.as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
}

#[test]
fn one_request_id_twice_in_a_file_is_one_bid() {
    let desk = Desk::with_guitar();
    let id = "018f3c5e-7b1a-4c2d-9e4f-0123456789ab";
    desk.write(
        "bids.csv",
        format!("auction_id,bidder,maximum,request_id\n7731,ann,5000,{id}\n7731,ann,5000,{id}\n"),
    );
    for _ in 0..2 {
        let said = desk.run("bid --file bids.csv");
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stderr.contains("repeated"), "{}", said.stderr);
    }
    assert!(desk.ok("show 7731 --format json").contains("\"bids\":1,"));
}

/// An upload that was interrupted is uploaded again: what was done is not done twice.
#[test]
fn the_same_file_again_changes_nothing_and_says_so() {
    let desk = Desk::ready();
    let row = "alice,Lot,100,1,2026-01-01T00:00Z,2099-12-06T03:00Z\n";
    let header = "seller,title,start_price,steps,starts_at,ends_at\n";
    desk.write("lots.csv", format!("{header}{row}{row}"));
    let first = desk.run("create --file lots.csv --format csv");
    assert!(
        first.stderr.contains("2 auctions created"),
        "{}",
        first.stderr
    );
    let again = desk.run("create --file lots.csv --format csv");
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(
        again.stderr.contains("0 auctions created, 2 repeated"),
        "{}",
        again.stderr
    );
    assert_eq!(desk.ok("list --format json").lines().count(), 2);
    // Another file is another upload, whatever its rows say.
    desk.write("more.csv", format!("{header}{row}\n"));
    let other = desk.run("create --file more.csv --format csv");
    assert!(
        other.stderr.contains("1 auction created"),
        "{}",
        other.stderr
    );

    let desk = Desk::with_guitar();
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n7731,ann,5000\n7731,bob,6000\n",
    );
    assert_eq!(desk.run("bid --file bids.csv").code, 0);
    let again = desk.run("bid --file bids.csv");
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stderr.contains("2 repeated"), "{}", again.stderr);
    assert!(desk.ok("show 7731 --format json").contains("\"bids\":2,"));
}

/// By default all or nothing: a row that the rules refuse undoes the whole file, and is named.
#[test]
fn a_refused_row_undoes_the_file() {
    let desk = Desk::ready();
    let good = |id: i64| format!("{id},alice,T,100,1,{TIMES}\n");
    desk.write("first.csv", format!("{HEADER}2500,alice,U,100,1,{TIMES}\n"));
    desk.ok("create --file first.csv");
    let many: String = (1..=2_600).map(good).collect();
    desk.write("lots.csv", format!("{HEADER}{many}"));
    desk.write(
        "twice.csv",
        format!("{HEADER}{0}{0}9000,alice,U,100,1,{TIMES}\n", good(9_000)),
    );
    for (line, row) in [
        (
            "create --file lots.csv",
            "lots.csv:2501: column id, value \"2500\": auction-exists",
        ),
        (
            "create --file lots.csv --dry-run",
            "lots.csv:2501: column id",
        ),
        (
            "create --file twice.csv",
            "twice.csv:4: column id, value \"9000\": auction-exists",
        ),
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 3, "{line}: {}", said.stderr);
        assert!(said.stdout.is_empty(), "{line}");
        let first = "refused: the rules refuse 1 row; nothing was written";
        assert!(said.stderr.contains(first), "{line}: {}", said.stderr);
        assert!(said.stderr.contains(row), "{line}: {}", said.stderr);
    }
    assert_eq!(desk.ok("list --format csv --quiet").lines().count(), 2);
    let said = desk.run("create --file lots.csv --skip-bad --format csv");
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(
        said.stderr.contains("2599 auctions created, 1 refused"),
        "{}",
        said.stderr
    );
    let refused = said
        .stdout
        .lines()
        .filter(|row| row.contains("auction-exists"));
    assert_eq!((refused.count(), said.stdout.lines().count()), (1, 2_601));
    assert_eq!(desk.ok("list --format csv --quiet").lines().count(), 2_601);
}

/// Rows with an id are known by what stands in them, in whatever file: a corrected file makes up
/// for what --skip-bad passed over, and a row that differs is another one.
#[test]
fn a_corrected_file_makes_only_what_is_missing() {
    let desk = Desk::ready();
    let row = |id: i64, price: &str| format!("{id},alice,T,{price},1,{TIMES}\n");
    let one = row(1, "100");
    desk.write(
        "lots.csv",
        format!("{HEADER}{one}\"2\",alice,T,\"7,5\",1,{TIMES}\n"),
    );
    let said = desk.run("create --file lots.csv --skip-bad");
    assert_eq!(said.code, 4, "{}", said.stderr);
    desk.write("corrected.csv", format!("{HEADER}{one}{}", row(2, "7.50")));
    let said = desk.run("create --file corrected.csv");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let sums = "1 auction created, 1 repeated";
    assert!(said.stderr.contains(sums), "{}", said.stderr);
    // The same content in another form and order.
    let (starts, ends) = TIMES.split_once(',').unwrap();
    desk.write(
        "lots.jsonl",
        format!(
            "{{\"title\":\"T\",\"seller\":\"alice\",\"id\":\"1\",\"start_price\":\"100\",\"steps\":1,\
             \"ends_at\":\"{ends}\",\"starts_at\":\"{starts}\"}}\n"
        ),
    );
    let said = desk.run("create --file lots.jsonl");
    assert!(
        said.stderr.contains("0 auctions created, 1 repeated"),
        "{}",
        said.stderr
    );
    desk.write("other.csv", format!("{HEADER}{}", row(1, "100.5")));
    assert_eq!(desk.run("create --file other.csv").code, 3);
}

#[test]
fn a_bid_on_no_auction_is_found_before_any_is_placed() {
    let desk = Desk::with_guitar();
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n7731,ann,5000\n7732,bob,6000\n",
    );
    let said = desk.run("bid --file bids.csv");
    assert_eq!(said.code, 2, "{}", said.stderr);
    let row = "bids.csv:3: column auction_id, value \"####\": there is no such auction";
    assert!(said.stderr.contains(row), "{}", said.stderr);
    assert!(desk.ok("show 7731 --format json").contains("\"bids\":0,"));
    let said = desk.run("bid --file bids.csv --skip-bad");
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(
        said.stderr.contains("1 bid accepted, 1 passed over"),
        "{}",
        said.stderr
    );
    assert!(desk.ok("show 7731 --format json").contains("\"bids\":1,"));
}

#[test]
fn a_file_without_rows_says_so() {
    let desk = Desk::ready();
    desk.write("lots.csv", HEADER);
    desk.write("bids.csv", "auction_id,bidder,maximum\n\n");
    for (line, text) in [
        ("create --file lots.csv", "lots.csv: no rows"),
        ("create --file lots.csv --dry-run", "lots.csv: no rows"),
        ("bid --file bids.csv", "bids.csv: no rows"),
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 0, "{line}: {}", said.stderr);
        assert!(said.stderr.contains(text), "{line}: {}", said.stderr);
    }
}

/// Request ids are public, and what a file says is not: they follow from it by a key that the
/// database keeps, so that nobody can try amounts until one fits.
#[test]
fn the_request_ids_of_a_file_cannot_be_reckoned_from_it() {
    let ids = |desk: &Desk| {
        desk.write("lots.csv", lots(&[1]));
        desk.write("bids.csv", "auction_id,bidder,maximum\n1,ann,150\n");
        let told: Vec<String> = ["create --file lots.csv", "bid --file bids.csv"]
            .into_iter()
            .map(|line| {
                let row = desk.ok(&format!("{line} --format json"));
                let row: serde_json::Value = serde_json::from_str(&row).unwrap();
                row["request_id"].as_str().unwrap().to_owned()
            })
            .collect();
        told
    };
    let (one, other) = (Desk::ready(), Desk::ready());
    let (first, elsewhere) = (ids(&one), ids(&other));
    assert_eq!(ids(&one), first);
    assert!(
        first[0] != elsewhere[0] && first[1] != elsewhere[1],
        "{first:?}"
    );
}

/// Twice the same row is one auction, in the first upload and in every later one.
#[test]
fn a_row_that_stands_twice_is_repeated_for_ever() {
    let desk = Desk::ready();
    let row = "1,alice,T,100,2099-01-01T00:00Z\n";
    desk.write(
        "lots.csv",
        format!("id,seller,title,start_price,ends_at\n{row},,,,\n{row}"),
    );
    for sums in [
        "1 auction created, 1 repeated",
        "0 auctions created, 2 repeated",
    ] {
        let said = desk.run("create --file lots.csv");
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stderr.contains(sums), "{}", said.stderr);
    }
}
