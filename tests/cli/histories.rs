//! Foreign histories by a mapping: into a folder, into the database, and what is said on the way.

use std::collections::BTreeMap;

use crate::support::cli::{Desk, masking, words};
use crate::support::postgres::Database;

const ONE: &str = r#"layout = "one-file"

[auctions]
id = { column = "lot" }
seller = { value = "estate" }
title = { template = "Lot {lot}" }
currency = { value = "USD" }
start_price = { column = "open" }
steps = { value = "1" }
start = { value = "2026-01-01T00:00:00Z" }
end = { value = "7", format = "since-start", unit = "days" }
recorded_price = { column = "sold" }

[bids]
amounts = "maxima"
amount = { column = "bid" }
at = { column = "day", format = "since-start", unit = "days", round = "second" }
bidder = { column = "who" }
"#;

const TWO: &str = r#"layout = "two-files"

[auctions]
id = { column = "lot" }
seller = { value = "estate" }
title = { column = "name" }
currency = { column = "money" }
start_price = { value = "1" }
steps = { value = "1" }
soft_close.window = { value = "2m" }
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
"#;

const CLEAN: &str = "lot,open,sold,bid,day,who\n\
    11,5,11,20,0.5,ann\n\
    11,5,11,10,1.25,bob\n\
    12,5,5,7.50,2,cid\n";

/// Auction 13 has a bad cell and a bid that the rules refuse, 14 another price on record.
const DIRTY: &str = "lot,open,sold,bid,day,who\n\
    13,5,11,7777.77x,0.5,ann\n\
    13,5,11,20,0.5,ann\n\
    13,5,11,19,0.75,ann\n\
    13,5,11,10,1,bob\n\
    14,5,9,9,2,cid\n";

const LOTS: &str = "lot,name,money,sold,ended\n\
    21,Desk,EUR,5,2026-01-08T00:01:30Z\n\
    22,Lamp,JPY,0,2026-01-08T00:00:00Z\n";
const EVENTS: &str = "lot,time,price,proxy\n\
    21,2026-01-02T00:00:00Z,1,false\n\
    21,2026-01-07T23:59:30Z,4,false\n\
    21,2026-01-07T23:59:30Z,5,true\n";

fn desk() -> Desk {
    let desk = Desk::ready();
    lay_out(&desk);
    desk
}

/// Puts the mappings and the histories on a desk.
pub(super) fn lay_out(desk: &Desk) {
    desk.write("one.toml", ONE);
    desk.write("two.toml", TWO);
    desk.write("clean.csv", CLEAN);
    desk.write("dirty.csv", DIRTY);
    desk.write("lots.csv", LOTS);
    desk.write("events.csv", EVENTS);
}

/// The files of a folder, the manifest apart: it names the database and the time.
fn files(desk: &Desk, folder: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(desk.path(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let named = paths.map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    });
    named.filter(|(name, _)| name != "manifest.json").collect()
}

#[test]
fn a_clean_history_goes_in_once() {
    let desk = desk();
    let said = desk.transcript(&[
        "import --map one.toml clean.csv --dry-run",
        "list --format csv --quiet",
        "import --map one.toml clean.csv",
        "import --map one.toml clean.csv",
        "import --map two.toml --auctions lots.csv --bids events.csv",
        "replay",
        "list --format csv --quiet",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r###"
        $ gavel import --map one.toml clean.csv --dry-run
        2 auctions (2 with bids), 3 bids
        2 of 2 final prices are what the rules give
        dry run: imported 2 new auctions, 0 there already; nothing was written
        $ gavel list --format csv --quiet
        auction_id,status,currency,price,bids,ends_at,seller,winner,title
        $ gavel import --map one.toml clean.csv
        2 auctions (2 with bids), 3 bids
        2 of 2 final prices are what the rules give
        imported 2 new auctions, 0 there already
        $ gavel import --map one.toml clean.csv
        2 auctions (2 with bids), 3 bids
        2 of 2 final prices are what the rules give
        imported 0 new auctions, 2 there already
        $ gavel import --map two.toml --auctions lots.csv --bids events.csv
        2 auctions (1 with bids), 2 bids
        2 of 2 final prices are what the rules give
        2 of 2 ends are what the rules give (1 was moved)
        2 of 2 prices after a bid are what the rules give, and with them 1 automatic answer
        imported 2 new auctions, 0 there already
        $ gavel replay
        replayed 4 auctions and 9 entries: clean by 29 checks
        $ gavel list --format csv --quiet
        auction_id,status,currency,price,bids,ends_at,seller,winner,title
        11,sold,USD,11.00,2,[time],estate,ann,Lot 11
        12,sold,USD,5.00,1,[time],estate,cid,Lot 12
        22,no-bids,JPY,,0,[time],estate,,Lamp
        21,sold,EUR,5.00,2,[time],estate,bidder-1,Desk
        "###);
    });
}

#[test]
fn rows_and_differences_stop_the_import_until_they_are_accepted() {
    let desk = desk();
    let said = desk.transcript(&[
        "import --map one.toml dirty.csv",
        "import --map one.toml dirty.csv --skip-bad",
        "import --map one.toml dirty.csv --skip-bad --format csv",
        "list --format csv --quiet",
        "import --map one.toml dirty.csv --skip-bad --accept-findings --quiet",
        "replay --quiet",
    ]);
    assert!(!said.contains("777"), "{said}");
    masking(|| {
        insta::assert_snapshot!(said, @r#####"
        $ gavel import --map one.toml dirty.csv
        ! error: 2 rows cannot be used; nothing was written
        !   dirty.csv:2: auction 13, column bid, value "####.##x": not an amount: write digits, with "." before decimals and no thousands separator
        !   dirty.csv:4: auction 13, column bid, value "##": the rules refuse it: the bidder leads already; a raise must exceed the own maximum
        ! hint: correct the rows or the mapping, or leave them out with --skip-bad
        [exit 2]
        $ gavel import --map one.toml dirty.csv --skip-bad
        AUCTION  WHAT         LINE  DERIVED  RECORDED  WHY
             14  final-price     6     5.00      9.00  hidden reserve met: the price is…
        2 auctions (2 with bids), 3 bids; 2 rows left out
        1 of 2 final prices are what the rules give
        ! warning: left out: dirty.csv:2: auction 13, column bid, value "####.##x": not an amount: write digits, with "." before decimals and no thousands separator
        ! warning: left out: dirty.csv:4: auction 13, column bid, value "##": the rules refuse it: the bidder leads already; a raise must exceed the own maximum
        ! error: 1 recorded value is not what the rules give; nothing was written
        ! hint: --accept-findings imports them as recorded; --to FOLDER writes a folder
        [exit 4]
        $ gavel import --map one.toml dirty.csv --skip-bad --format csv
        auction_id,what,line,derived,recorded,why
        14,final-price,6,5.00,9.00,reserve-met
        ! warning: left out: dirty.csv:2: auction 13, column bid, value "####.##x": not an amount: write digits, with "." before decimals and no thousands separator
        ! warning: left out: dirty.csv:4: auction 13, column bid, value "##": the rules refuse it: the bidder leads already; a raise must exceed the own maximum
        ! 2 auctions (2 with bids), 3 bids; 2 rows left out
        ! 1 of 2 final prices are what the rules give
        ! error: 1 recorded value is not what the rules give; nothing was written
        ! hint: --accept-findings imports them as recorded; --to FOLDER writes a folder
        [exit 4]
        $ gavel list --format csv --quiet
        auction_id,status,currency,price,bids,ends_at,seller,winner,title
        $ gavel import --map one.toml dirty.csv --skip-bad --accept-findings --quiet
        AUCTION  WHAT         LINE  DERIVED  RECORDED  WHY
             14  final-price     6     5.00      9.00  hidden reserve met: the price is…
        2 auctions (2 with bids), 3 bids; 2 rows left out
        1 of 2 final prices are what the rules give
        imported 2 new auctions, 0 there already
        ! warning: left out: dirty.csv:2: auction 13, column bid, value "####.##x": not an amount: write digits, with "." before decimals and no thousands separator
        ! warning: left out: dirty.csv:4: auction 13, column bid, value "##": the rules refuse it: the bidder leads already; a raise must exceed the own maximum
        [exit 4]
        $ gavel replay --quiet
        auction 14: final-price
          expected  5.00 USD
          found     9.00 USD
        replayed 2 auctions and 5 entries: 1 finding in 1 auction
        [exit 4]
        "#####);
    });
}

#[test]
fn a_folder_is_what_the_database_exports() {
    let desk = desk();
    for (line, folder) in [
        ("import --map one.toml clean.csv", "one"),
        (
            "import --map two.toml --auctions lots.csv --bids events.csv",
            "two",
        ),
    ] {
        let ids = if folder == "one" { "11 12" } else { "21 22" };
        desk.ok(&format!("{line} --to {folder}"));
        desk.ok(&format!("{line} --to {folder}-again"));
        assert_eq!(
            files(&desk, folder),
            files(&desk, &format!("{folder}-again"))
        );
        assert_eq!(
            desk.ok(&format!("replay --from {folder} --format csv"))
                .lines()
                .count(),
            1
        );
        let imported = desk.ok(&format!("import {folder}"));
        assert!(
            imported.starts_with("imported 2 new auctions, 0 there"),
            "{imported}"
        );
        desk.ok(&format!("export {folder}-out {ids}"));
        assert_eq!(files(&desk, folder), files(&desk, &format!("{folder}-out")));
        // The database has it from the folder; the mapping brings nothing new.
        let again = desk.ok(line);
        assert!(
            again.contains("imported 0 new auctions, 2 there already"),
            "{again}"
        );
    }
    let said = desk.run("import --map one.toml clean.csv --to one");
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(
        said.stderr.contains("--overwrite replaces it"),
        "{}",
        said.stderr
    );
    desk.ok("import --map one.toml clean.csv --to one --overwrite");
}

#[test]
fn a_folder_may_hold_differences_and_standard_input_is_a_file() {
    let desk = desk();
    let line = "import --map one.toml - --skip-bad --to out --format json --quiet";
    let said = desk.run_with(line, DIRTY.as_bytes());
    assert_eq!(said.code, 4, "{}", said.stderr);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["left_out"].as_array().unwrap().len(), 2);
    assert_eq!(report["left_out"][0]["file"], "stdin");
    assert_eq!(report["differing"][0]["recorded"], "9.00");
    assert_eq!(report["differing"][0]["why"], "reserve-met");
    assert_eq!(report["folder"], "out");
    let replayed = desk.run("replay --from out --format csv --quiet");
    assert_eq!(replayed.code, 4);
    assert!(
        replayed
            .stdout
            .contains("14,,final-price,5.00 USD,9.00 USD"),
        "{}",
        replayed.stdout
    );
    // Where differences are accepted only rows left out count.
    let events = desk.run("import --map one.toml - --accept-findings --to more");
    assert_eq!(events.code, 2, "{}", events.stderr);
    let rows: Vec<&str> = DIRTY.lines().collect();
    let good = format!("{}\n{}\n", rows[0], rows[5]);
    let said = desk.run_with("import --map one.toml - --to more", good.as_bytes());
    assert_eq!(said.code, 4, "{}", said.stderr);
    let line = "import --map one.toml - --to more --overwrite --accept-findings";
    assert_eq!(desk.run_with(line, good.as_bytes()).code, 0);
}

/// The example in the manual is a mapping: with files of its columns it works.
#[test]
fn the_mapping_in_the_help_is_one() {
    let desk = desk();
    let help = desk.ok("import --help");
    let (_, after) = help.split_once("A mapping, with every key:\n").unwrap();
    let (sample, _) = after.split_once("  Every target").unwrap();
    desk.write("map.toml", sample.replace("  ", " "));
    desk.write(
        "l.csv",
        "lot,name,open,reserve,latest_end,scheduled_end,sold_for,ended\n\
         31,Desk,500,6,2025-11-02T01:00:00Z,2025-11-02T00:00:00Z,6,2025-11-02T00:01:30Z\n",
    );
    desk.write(
        "b.csv",
        "lot,bid,time,who,proxy,seq\n\
         31,6,2025-11-01T23:59:30Z,ann,false,1\n",
    );
    let said = desk.ok("import --map map.toml --auctions l.csv --bids b.csv --format json");
    assert!(
        said.contains("\"ends\":{\"recorded\":1,\"agree\":1}"),
        "{said}"
    );
    assert!(said.contains("\"differing\":[],\"left_out\":[]"), "{said}");
}

/// What a site recorded against all bids still fits the database: a winner goes with a price.
#[test]
fn a_record_against_all_bids_is_imported_as_far_as_it_can_be() {
    let desk = desk();
    desk.write("unsold.csv", CLEAN.replace(",11,", ",0,"));
    desk.write("lots.csv", LOTS.replace("JPY,0,", "JPY,900,"));
    let said = desk.transcript(&[
        "import --map one.toml unsold.csv --accept-findings",
        "import --map two.toml --auctions lots.csv --bids events.csv --accept-findings",
        "list --format csv --quiet",
        "replay --format csv --quiet",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r###"
        $ gavel import --map one.toml unsold.csv --accept-findings
        AUCTION  WHAT         LINE  DERIVED  RECORDED  WHY
             11  final-price     2    11.00    unsold  hidden reserve not met: unsold i…
        2 auctions (2 with bids), 3 bids
        1 of 2 final prices are what the rules give
        imported 2 new auctions, 0 there already
        $ gavel import --map two.toml --auctions lots.csv --bids events.csv --accept-findings
        AUCTION  WHAT         LINE  DERIVED  RECORDED  WHY
             22  final-price     3   unsold       900  bids missing: none recorded…
        2 auctions (1 with bids), 2 bids
        1 of 2 final prices are what the rules give
        2 of 2 ends are what the rules give (1 was moved)
        2 of 2 prices after a bid are what the rules give, and with them 1 automatic answer
        imported 2 new auctions, 0 there already
        $ gavel list --format csv --quiet
        auction_id,status,currency,price,bids,ends_at,seller,winner,title
        11,reserve-not-met,USD,11.00,2,[time],estate,,Lot 11
        12,sold,USD,5.00,1,[time],estate,cid,Lot 12
        22,no-bids,JPY,,0,[time],estate,,Lamp
        21,sold,EUR,5.00,2,[time],estate,bidder-1,Desk
        $ gavel replay --format csv --quiet
        auction_id,seq,check,expected,found
        11,,status,CLOSED,CLOSED_RESERVE_NOT_MET
        11,,winner,ann,none
        11,,final-price,11.00 USD,none
        [exit 4]
        "###);
    });
}

#[tokio::test]
async fn postgresql_takes_a_history_as_well() {
    let database = Database::stopped().await;
    let desk = Desk::bare();
    lay_out(&desk);
    desk.write("unsold.csv", CLEAN.replace(",11,", ",0,"));
    for expected in [
        "imported 2 new auctions, 0 there",
        "imported 0 new auctions, 2 there",
    ] {
        let line = "import --map one.toml unsold.csv --accept-findings";
        let mut command = desk.command(&words(line));
        let output = command.env("DATABASE_URL", &database.url).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(expected), "{said}{:?}", output.stderr);
    }
}

#[test]
fn bad_mappings_files_and_options_say_the_way_out() {
    let desk = desk();
    desk.write(
        "both.toml",
        ONE.replace("value = \"USD\"", "value = \"USD\", column = \"c\""),
    );
    desk.write("typo.toml", ONE.replace("steps =", "stepps ="));
    desk.write("absent.toml", ONE.replace("\"who\"", "\"bidder\""));
    let utf16: Vec<u8> = CLEAN.encode_utf16().flat_map(u16::to_le_bytes).collect();
    desk.write("utf16.csv", utf16);
    desk.write("none.csv", "lot,open,sold,bid,day,who\n");
    desk.write("headless.csv", "11,5,11,7777,0.5,ann\n");
    let said = desk.transcript(&[
        "import --map both.toml clean.csv",
        "import --map typo.toml clean.csv",
        "import --map absent.toml clean.csv",
        "import --map one.toml utf16.csv",
        "import --map one.toml none.csv",
        "import --map one.toml headless.csv",
        "import --map one.toml",
        "import --map two.toml clean.csv",
        "import --map two.toml --auctions - --bids -",
        "import --map none.toml clean.csv",
        "import clean --skip-bad",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r###"
        $ gavel import --map both.toml clean.csv
        ! error: both.toml:7: auctions.currency: state one of column, value and template, not more
        !   7 | currency = { value = "USD", column = "c" }
        ! hint: gavel import --help describes a mapping, key by key
        [exit 2]
        $ gavel import --map typo.toml clean.csv
        ! error: typo.toml:9: unknown field `stepps`, expected one of `id`, `seller`, `title`, `currency`, `start_price`, `steps`, `reserve`, `own_raise`, `soft_close`, `start`, `end`, `recorded_price`, `recorded_end`
        !   9 | stepps = { value = "1" }
        ! hint: gavel import --help describes a mapping, key by key
        [exit 2]
        $ gavel import --map absent.toml clean.csv
        ! error: clean.csv has no column "bidder" (bids.bidder)
        !   absent.toml:18: bids.bidder names "bidder"
        !   the file's columns are lot, open, sold, bid, day, who
        ! hint: correct the mapping, or give the file that it is for
        [exit 2]
        $ gavel import --map one.toml utf16.csv
        ! error: utf16.csv is not UTF-8: it looks like UTF-16
        ! hint: save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8
        [exit 2]
        $ gavel import --map one.toml none.csv
        ! error: no auction of none.csv can be used
        [exit 2]
        $ gavel import --map one.toml headless.csv
        ! error: headless.csv has no column "lot" (auctions.id), column "open" (auctions.start_price), column "sold" (auctions.recorded_price), column "bid" (bids.amount), column "day" (bids.at), column "who" (bids.bidder)
        !   one.toml:4: auctions.id names "lot"
        !   one.toml:8: auctions.start_price names "open"
        !   one.toml:12: auctions.recorded_price names "sold"
        !   one.toml:16: bids.amount names "bid"
        !   one.toml:17: bids.at names "day"
        !   one.toml:18: bids.bidder names "who"
        !   the file's columns are ##, #, ##, ####, #.#, ann
        ! hint: correct the mapping, or give the file that it is for
        [exit 2]
        $ gavel import --map one.toml
        ! error: --map needs the files of the history
        ! hint: state FILE, or --auctions FILE --bids FILE, as the mapping's layout says
        [exit 2]
        $ gavel import --map two.toml clean.csv
        ! error: the mapping is for two files, of auctions and of bids
        ! hint: one file: gavel import --map MAPPING FILE; two: --auctions FILE --bids FILE
        [exit 2]
        $ gavel import --map two.toml --auctions - --bids -
        ! error: --auctions and --bids: - cannot be both
        ! hint: auctions and bids in one file: layout = "one-file" in the mapping
        [exit 2]
        $ gavel import --map none.toml clean.csv
        ! error: cannot read none.toml: No such file or directory (os error 2)
        [exit 2]
        $ gavel import clean --skip-bad
        ! error: the following required arguments were not provided:
        !   --map <MAPPING>
        ! 
        ! Usage: gavel import --map <MAPPING> --skip-bad <FOLDER|FILE>
        ! 
        ! For more information, try '--help'.
        [exit 2]
        "###);
    });
    assert_eq!(desk.ok("list --format csv --quiet").lines().count(), 1);
}
