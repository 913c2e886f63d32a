//! show, list, history and mine.

use crate::support::cli::{Desk, masking};

/// One of each kind: open, due, sold, no bids, reserve not met, cancelled.
fn market() -> Desk {
    let desk = Desk::with_guitar();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    for (id, end) in [(1, "01"), (2, "02"), (3, "03"), (4, "04")] {
        desk.past_auction(&store, id, &format!("2026-01-03T{end}:00:00Z"));
    }
    desk.past_reserve(&store, 5, "2026-01-03T05:00:00Z");
    for (id, bidder, max) in [(1, "ann", 20_000), (1, "bob", 15_000), (5, "ann", 20_000)] {
        desk.past_bid(&store, id, bidder, max);
    }
    desk.past_cancel(&store, 4);
    clock.set("2026-01-03T12:00:00Z".parse().unwrap());
    for id in [1, 2, 5] {
        desk.past_close(&store, id);
    }
    desk
}

#[test]
fn a_list_names_where_each_auction_stands() {
    let desk = market();
    let said = desk.transcript(&[
        "list",
        "list --status closed",
        "list --status due",
        "list --seller nobody",
        "list --ending-before 2026-01-03T02:00:00Z --format csv",
        "list --limit 1 --format json --quiet",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel list
          ID  STATUS                PRICE  BIDS  ENDS                  TITLE
           1  sold             151.00 USD     2  2026-01-03T01:00:00Z  Lot 1
           2  no-bids                   -     0  2026-01-03T02:00:00Z  Lot 2
           3  due                       -     0  2026-01-03T03:00:00Z  Lot 3
           4  cancelled                 -     0  2026-01-03T04:00:00Z  Lot 4
           5  reserve-not-met  100.00 USD     1  2026-01-03T05:00:00Z  Lot 5
        7731  open                      -     0  2099-12-06T03:00:00Z  Guitar, 1962
        ! 6 auctions
        $ gavel list --status closed
        ID  STATUS                PRICE  BIDS  ENDS                  TITLE
         1  sold             151.00 USD     2  2026-01-03T01:00:00Z  Lot 1
         2  no-bids                   -     0  2026-01-03T02:00:00Z  Lot 2
         5  reserve-not-met  100.00 USD     1  2026-01-03T05:00:00Z  Lot 5
        ! 3 auctions
        $ gavel list --status due
        ID  STATUS  PRICE  BIDS  ENDS                  TITLE
         3  due         -     0  2026-01-03T03:00:00Z  Lot 3
        ! 1 auction
        $ gavel list --seller nobody
        ! 0 auctions
        $ gavel list --ending-before 2026-01-03T02:00:00Z --format csv
        auction_id,status,currency,price,bids,ends_at,seller,winner,title
        1,sold,USD,151.00,2,[time],alice,ann,Lot 1
        ! 1 auction
        $ gavel list --limit 1 --format json --quiet
        {"auction_id":1,"status":"sold","currency":"USD","price":"151.00","bids":2,"ends_at":"[time]","seller":"alice","winner":"ann","title":"Lot 1"}
        "#);
    });
}

#[test]
fn the_status_words_exclude_each_other_and_add_up() {
    let desk = market();
    let ids = |word: &str| -> Vec<String> {
        let csv = desk.ok(&format!("list --status {word} --format csv --quiet"));
        let rows = csv.lines().skip(1);
        rows.map(|row| row.split(',').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids("open"), ["7731"]);
    assert_eq!(ids("due"), ["3"]);
    assert_eq!(ids("sold"), ["1"]);
    assert_eq!(ids("no-bids"), ["2"]);
    assert_eq!(ids("reserve-not-met"), ["5"]);
    assert_eq!(ids("cancelled"), ["4"]);
    assert_eq!(ids("closing"), Vec::<String>::new());
    assert_eq!(ids("closed"), ["1", "2", "5"]);
}

#[test]
fn show_is_the_operators_view() {
    let desk = market();
    let said = desk.transcript(&["show 1 5 2", "show 4 9", "show 1 --format csv"]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel show 1 5 2
        auction 1: Lot 1 [sold]
          winner       ann
          final price  151.00 USD
          price        151.00 USD
          leader       ann
          bids         2
          reserve      none
          starts       2026-01-01T00:00:00Z
          ends         2026-01-03T01:00:00Z ([relative])
          closed       2026-01-03T12:00:00Z
          seller       alice
          start price  100.00 USD
          steps        1.00
          own raise    keep
          ledger       seq 3, head [hash]

        auction 5: Lot 5 [reserve-not-met]
          price        100.00 USD
          leader       ann
          bids         1
          reserve      not met
          starts       2026-01-01T00:00:00Z
          ends         2026-01-03T05:00:00Z ([relative])
          closed       2026-01-03T12:00:00Z
          seller       alice
          start price  100.00 USD
          steps        1.00
          own raise    keep
          ledger       seq 2, head [hash]

        auction 2: Lot 2 [no-bids]
          price        none yet
          bids         0
          reserve      none
          starts       2026-01-01T00:00:00Z
          ends         2026-01-03T02:00:00Z ([relative])
          closed       2026-01-03T12:00:00Z
          seller       alice
          start price  100.00 USD
          steps        1.00
          own raise    keep
          ledger       seq 1, head [hash]
        $ gavel show 4 9
        auction 4: Lot 4 [cancelled]
          price        none yet
          bids         0
          reserve      none
          starts       2026-01-01T00:00:00Z
          ends         2026-01-03T04:00:00Z ([relative])
          seller       alice
          start price  100.00 USD
          steps        1.00
          own raise    keep
          ledger       seq 2, head [hash]
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        $ gavel show 1 --format csv
        auction_id,title,status,seller,currency,price,minimum,bids,leader,reserve,winner,final_price,starts_at,ends_at,first_ends_at,closed_at,start_price,steps,own_raise,soft_close_window,soft_close_extend,soft_close_mode,soft_close_trigger,soft_close_cap,last_seq,ledger_head,as_of,later_entries,server_time
        1,Lot 1,sold,alice,USD,151.00,,2,ann,none,ann,151.00,[time],[time],[time],[time],100.00,1.00,keep,,,,,,3,[sha256],,,[time]
        ");
    });
}

#[test]
fn history_has_aliases_and_no_names() {
    let desk = market();
    let said = desk.transcript(&["history 1", "history 4 --format json", "history 9"]);
    assert!(!said.contains("ann") && !said.contains("bob"), "{said}");
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel history 1
        SEQ  TIME                  WHAT                PRICE  LEADER    END  NOTE
          1  2026-01-02T00:00:00Z  created                 -  -
          2  2026-01-02T00:00:00Z  Bidder 1 bids  100.00 USD  Bidder 1
          3  2026-01-02T00:00:00Z  Bidder 2 bids  151.00 USD  Bidder 1
          -  2026-01-03T12:00:00Z  closed         151.00 USD  Bidder 1       sold to Bidder 1 for 151.00 USD
        $ gavel history 4 --format json
        {"auction_id":4,"seq":1,"at":"[time]","kind":"create","who":"seller","currency":"USD","price":null,"leader":null,"ends_at":"[time]","extended":false,"reserve_met":false,"voids":null,"end_moved_us":0,"reason":null,"result":null,"winner":null,"final_price":null}
        {"auction_id":4,"seq":2,"at":"[time]","kind":"cancel","who":"operator","currency":"USD","price":null,"leader":null,"ends_at":"[time]","extended":false,"reserve_met":false,"voids":null,"end_moved_us":0,"reason":"withdrawn","result":null,"winner":null,"final_price":null}
        $ gavel history 9
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        "#);
    });
}

#[test]
fn history_tells_who_acted_and_why_and_keeps_bidders_aliases() {
    let desk = Desk::with_guitar();
    desk.ok("bid 7731 --bidder ann --max 2000");
    desk.ok("bid 7731 --bidder theo --max 7777");
    desk.ok("void 7731 --bidder theo --latest --actor theo --reason 'Theo: my error, ask ann'");
    desk.ok("amend 7731 --ends-at 2099-12-06T05:00Z --actor ops.2 --reason outage");
    desk.ok("cancel 7731 --reason 'withdrawn by alice'");
    let told = desk.ok("history 7731 --format csv");
    for name in ["ann", "theo", "Theo", "7777"] {
        assert!(!told.contains(name), "{name}: {told}");
    }
    let rows: Vec<&str> = told.lines().collect();
    assert!(rows[4].contains(",void,Bidder 2,"), "{told}");
    assert!(
        rows[4].contains("Bidder 2 my error, ask Bidder 1"),
        "{told}"
    );
    assert!(rows[5].contains(",amend,ops.2,") && rows[5].contains(",outage,"));
    assert!(rows[6].contains(",cancel,operator,") && rows[6].contains("withdrawn by alice"));
    assert_eq!(rows.len(), 7);
}

#[test]
fn mine_says_how_a_bidder_stands() {
    let desk = market();
    desk.ok("bid 7731 --bidder ann --max 2000");
    desk.ok("bid 7731 --bidder bob --max 3000");
    let said = desk.transcript(&[
        "mine --bidder ann",
        "mine --bidder bob",
        "mine --bidder nobody",
        "mine --bidder nobody --format csv",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel mine --bidder ann
          ID  STANDING        PRICE  NEXT FROM  ENDS                  TITLE
        7731  outbid    2100.00 USD    2200.00  2099-12-06T03:00:00Z  Guitar, 1962
           5  unsold     100.00 USD          -  2026-01-03T05:00:00Z  Lot 5
           1  won        151.00 USD          -  2026-01-03T01:00:00Z  Lot 1
        ! 3 auctions
        $ gavel mine --bidder bob
          ID  STANDING        PRICE  NEXT FROM  ENDS                  TITLE
        7731  leading   2100.00 USD    2200.00  2099-12-06T03:00:00Z  Guitar, 1962
           1  lost       151.00 USD          -  2026-01-03T01:00:00Z  Lot 1
        ! 2 auctions
        $ gavel mine --bidder nobody
        ! 0 auctions
        $ gavel mine --bidder nobody --format csv
        auction_id,standing,status,currency,price,minimum,own_bids,ends_at,title
        ! 0 auctions
        ");
    });
}

#[test]
fn own_lists_begin_with_what_is_due_soon_and_can_end_with_it() {
    let desk = market();
    for id in ["3", "1", "7731", "4"] {
        desk.ok(&format!("watchlist add {id} --watcher wanda"));
    }
    desk.ok("bid 7731 --bidder ann --max 2000");
    let ids = |line: &str| -> Vec<String> {
        let csv = desk.ok(&format!("{line} --format csv --quiet"));
        let rows = csv.lines().skip(1);
        rows.map(|row| row.split(',').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        ids("watchlist list --watcher wanda"),
        ["7731", "4", "3", "1"]
    );
    assert_eq!(
        ids("watchlist list --watcher wanda --limit 2"),
        ["7731", "4"]
    );
    assert_eq!(ids("watchlist list --watcher wanda --open"), ["7731"]);
    assert_eq!(ids("mine --bidder ann --limit 3"), ["7731", "5", "1"]);
    assert_eq!(ids("mine --bidder ann --open"), ["7731"]);
    assert_eq!(ids("mine --bidder bob --open"), Vec::<String>::new());
}

#[test]
fn a_long_list_streams_every_row_once() {
    let desk = Desk::ready();
    let mut rows = String::from("id,seller,title,start_price,ends_at\n");
    for id in 1..=2_500 {
        // Many share an end, so that pages break inside a group of equal ends.
        rows.push_str(&format!(
            "{id},s,Lot {id},5,2099-01-0{}T00:00Z\n",
            id % 3 + 1
        ));
    }
    desk.write("lots.csv", rows);
    let made = desk.run("create --file lots.csv --quiet --format csv");
    assert_eq!((made.code, made.stdout.lines().count()), (0, 2_501));
    let listed = desk.ok("list --format csv --quiet");
    let mut ids: Vec<u32> = listed
        .lines()
        .skip(1)
        .map(|row| row.split(',').next().unwrap().parse().unwrap())
        .collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(1..=2_500));
    // The table has one header, however many pages it was printed in.
    let table = desk.ok("list --quiet");
    assert_eq!(
        table.lines().filter(|line| line.contains("STATUS")).count(),
        1
    );
    assert_eq!(table.lines().count(), 2_501);
    assert_eq!(
        desk.ok("list --limit 1200 --format csv --quiet")
            .lines()
            .count(),
        1_201
    );
}

#[test]
fn a_list_reads_well_at_eighty_columns() {
    let desk = Desk::ready();
    let id = "seller-with-a-long-id:0123456789@0123456789@0123456789@012345678";
    desk.write(
        "lots.csv",
        format!(
            "id,seller,title,start_price,currency,steps,starts_at,ends_at\n\
             1,{id},An oak desk of 1920 with two drawers and a lamp,5,USD,1,\
             2026-01-01T00:00Z,2099-01-01T00:00:00.123456Z\n\
             123456,s,\u{53e4}\u{3044}\u{673a}\u{3068}\u{53e4}\u{3044}\u{6905}\u{5b50}\
             \u{3068}\u{53e4}\u{3044}\u{672c}\u{68da},1000000,JPY,1000,\
             2026-01-01T00:00Z,2099-01-01T00:00:00.5Z\n\
             1234567890,s,Short,12345678.90,USD,1,2026-01-01T00:00Z,2099-01-01T00:00:01Z\n"
        ),
    );
    desk.ok("create --file lots.csv --quiet");
    for id in ["1", "1234567890"] {
        desk.ok(&format!("bid {id} --bidder ann --max 99999999"));
    }
    let said = desk.transcript(&["list", "mine --bidder ann"]);
    insta::assert_snapshot!(said, @r"
    $ gavel list
            ID  STATUS            PRICE  BIDS  ENDS                  TITLE
             1  open           5.00 USD     1  2099-01-01T00:00:00Z  An oak desk of…
        123456  open                  -     0  2099-01-01T00:00:00Z  古い机と古い椅…
    1234567890  open    12345678.90 USD     1  2099-01-01T00:00:01Z  Short
    ! 3 auctions
    $ gavel mine --bidder ann
            ID  STANDING            PRICE    NEXT FROM  ENDS
        TITLE
             1  leading          5.00 USD         6.00  2099-01-01T00:00:00Z
        An oak desk of 1920 with two drawers and a lamp
    1234567890  leading   12345678.90 USD  12345679.90  2099-01-01T00:00:01Z
        Short
    ! 2 auctions
    ");
    let wide = said.lines().filter(|line| line.chars().count() > 80);
    assert_eq!(wide.count(), 0);
}
