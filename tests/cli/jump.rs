//! `bid --max-jump`.

use std::process::Stdio;

use crate::support::cli::{Desk, masking, words};

#[test]
fn a_jump_is_refused_before_it_is_sent_and_can_be_confirmed() {
    let desk = Desk::with_guitar();
    let said = desk.transcript(&[
        // The start price is 1000, the step 100.
        "bid 7731 --bidder ann --max 5000.01 --max-jump 5x",
        "bid 7731 --bidder ann --max 5000.01 --max-jump 5x --dry-run --format json",
        "bid 7731 --bidder ann --max 5000 --max-jump 5x --quiet",
        "bid 7731 --bidder bob --max 2750.01 --max-jump 2.5x --quiet",
        "bid 7731 --bidder bob --max 2750 --max-jump 2.5x --quiet",
        "bid 7731 --bidder bob --max 99999 --max-jump none --quiet",
        // What the rules refuse is left to them.
        "bid 7731 --bidder ann --max 99999 --currency EUR --max-jump 2x",
        "bid 9 --bidder ann --max 99999 --max-jump 2x --quiet",
        "bid 7731 --bidder ann --max 99999 --max-jump 0.5x",
    ]);
    for amount in ["5000.01", "2750.01", "99999"] {
        let told = said.lines().filter(|line| !line.starts_with('$'));
        assert!(
            !told.into_iter().any(|line| line.contains(amount)),
            "{said}"
        );
    }
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel bid 7731 --bidder ann --max 5000.01 --max-jump 5x
        ! refused: auction 7731: the maximum is more than 5x the lowest bid that is taken now; to confirm it, state a larger --max-jump, or --max-jump none (jump)
        !   minimum      1000.00 USD
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder ann --max 5000.01 --max-jump 5x --dry-run --format json
        {"auction_id":7731,"bidder":"ann","outcome":"refused","refusal":"jump","message":"the maximum is more than 5x the lowest bid that is taken now; to confirm it, state a larger --max-jump, or --max-jump none","leading":null,"currency":"USD","price":null,"minimum":"1000.00","seq":null,"at":null,"ends_at":null,"extended":null,"voided":null,"server_time":"[time]","request_id":"[uuid]","dry_run":true}
        ! refused: auction 7731: the maximum is more than 5x the lowest bid that is taken now; to confirm it, state a larger --max-jump, or --max-jump none (jump)
        !   minimum      1000.00 USD
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder ann --max 5000 --max-jump 5x --quiet
        ann's bid on auction 7731 is accepted: leading at 1000.00 USD
          price            1000.00 USD
          next bid from    1100.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              2
          request id       [uuid]
        $ gavel bid 7731 --bidder bob --max 2750.01 --max-jump 2.5x --quiet
        ! refused: auction 7731: the maximum is more than 2.5x the lowest bid that is taken now; to confirm it, state a larger --max-jump, or --max-jump none (jump)
        !   minimum      1100.00 USD
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder bob --max 2750 --max-jump 2.5x --quiet
        bob's bid on auction 7731 is accepted: outbid at once at 2850.00 USD
          price            2850.00 USD
          next bid from    2950.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              3
          request id       [uuid]
        $ gavel bid 7731 --bidder bob --max 99999 --max-jump none --quiet
        bob's bid on auction 7731 is accepted: leading at 5100.00 USD
          price            5100.00 USD
          next bid from    5200.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              4
          request id       [uuid]
        $ gavel bid 7731 --bidder ann --max 99999 --currency EUR --max-jump 2x
        ! refused: auction 7731: this auction is in USD (wrong-currency)
        !   server time  [time]
        [exit 3]
        $ gavel bid 9 --bidder ann --max 99999 --max-jump 2x --quiet
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder ann --max 99999 --max-jump 0.5x
        ! error: invalid value '#.#x' for '--max-jump <FACTOR>': state a factor from 1x to 1000000x, such as 5x or 2.5x, or none
        ! 
        ! For more information, try '--help'.
        [exit 2]
        "#);
    });
    assert_eq!(desk.ok("history 7731 --format json").lines().count(), 4);
}

#[test]
fn an_installation_sets_it_and_an_option_overrides_it() {
    let desk = Desk::with_guitar();
    let code = |line: &str, jump: &str| {
        let mut command = desk.command(&words(line));
        command.env("GAVEL_MAX_JUMP", jump).stdin(Stdio::null());
        command.output().unwrap().status.code()
    };
    let bid = "bid 7731 --bidder ann --max 9000 --dry-run";
    assert_eq!(code(bid, "5x"), Some(3));
    assert_eq!(code(bid, "9x"), Some(0));
    assert_eq!(code(bid, ""), Some(0));
    assert_eq!(code(bid, "none"), Some(0));
    assert_eq!(code(bid, "lots"), Some(2));
    assert_eq!(code(&format!("{bid} --max-jump none"), "5x"), Some(0));
    assert_eq!(code(&format!("{bid} --max-jump 10x"), "5x"), Some(0));
}

#[test]
fn an_auction_that_has_ended_says_so() {
    let desk = Desk::ready();
    let (store, _) = desk.store_at("2026-01-02T00:00:00Z");
    desk.past_auction(&store, 1, "2026-01-03T01:00:00Z");
    let said = desk.run("bid 1 --bidder ann --max 9000 --max-jump 2x");
    assert_eq!(said.code, 3);
    assert!(said.stderr.contains("(ended)"), "{}", said.stderr);
}

#[test]
fn the_rows_of_a_file_are_judged_and_nothing_is_placed() {
    let desk = Desk::with_guitar();
    desk.ok("create --id 2 --seller s --title T --start-price 10 --steps 1 --ends-in 7d");
    let rows = "auction_id,bidder,maximum\n7731,ann,5000\n2,ann,50.01\n2,bob,20\n";
    desk.write("bids.csv", rows);
    let said = desk.transcript(&[
        "bid --file bids.csv --max-jump 5x",
        "bid --file bids.csv --max-jump 5x --skip-bad --format csv",
        "bid --file bids.csv --max-jump 5.001x --format csv",
    ]);
    let ids = r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}";
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(ids, "[row]");
    let _rows = settings.bind_to_scope();
    masking(|| {
        insta::assert_snapshot!(said, @r###"
        $ gavel bid --file bids.csv --max-jump 5x
        ! error: 1 of 3 rows is bad; nothing was written
        !   bids.csv:3: column maximum, value "##.##": the maximum is more than 5x the lowest bid that is taken now; to confirm it, state a larger --max-jump, or --max-jump none
        ! hint: correct the rows, or pass them over with --skip-bad
        [exit 2]
        $ gavel bid --file bids.csv --max-jump 5x --skip-bad --format csv
        auction_id,bidder,outcome,refusal,message,leading,currency,price,minimum,seq,at,ends_at,extended,voided,server_time,request_id,dry_run
        7731,ann,accepted,,,true,USD,1000.00,1100.00,2,[time],[time],false,false,[time],[row],false
        2,bob,accepted,,,true,USD,10.00,11.00,2,[time],[time],false,false,[time],[row],false
        ! warning: passed over: bids.csv:3: column maximum, value "##.##": the maximum is more than 5x the lowest bid that is taken now; to confirm it, state a larger --max-jump, or --max-jump none
        ! 2 bids accepted, 1 passed over
        [exit 4]
        $ gavel bid --file bids.csv --max-jump 5.001x --format csv
        auction_id,bidder,outcome,refusal,message,leading,currency,price,minimum,seq,at,ends_at,extended,voided,server_time,request_id,dry_run
        7731,ann,repeated,,,true,USD,1000.00,1100.00,2,[time],[time],false,false,[time],[row],false
        2,ann,accepted,,,true,USD,21.00,22.00,3,[time],[time],false,false,[time],[row],false
        2,bob,repeated,,,true,USD,10.00,11.00,2,[time],[time],false,false,[time],[row],false
        ! 1 bid accepted, 2 repeated
        "###);
    });
}

/// What was taken is answered again, however far from the price it is by now.
#[test]
fn a_bid_that_was_placed_is_no_jump_any_more() {
    let desk = Desk::with_guitar();
    let id = "018f3c5e-7b1a-4c2d-9e4f-0123456789ab";
    let bid = format!("bid 7731 --bidder ann --max 9000 --max-jump 5x --request-id {id}");
    assert_eq!(desk.run(&bid).code, 3);
    desk.ok(&bid.replace("5x", "none"));
    let again = desk.ok(&bid);
    assert!(
        again.contains("was accepted before by this request"),
        "{again}"
    );
    desk.write("bids.csv", "auction_id,bidder,maximum\n7731,bob,99000\n");
    assert_eq!(desk.run("bid --file bids.csv --max-jump 2x").code, 2);
    desk.ok("bid --file bids.csv --max-jump none");
    let again = desk.run("bid --file bids.csv --max-jump 2x");
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stderr.contains("1 repeated"), "{}", again.stderr);
}
