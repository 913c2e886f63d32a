//! Creating an auction and bidding on it.

use crate::support::cli::{Desk, masking};

#[test]
fn create_answers_with_the_terms_and_the_request_id() {
    let desk = Desk::ready();
    let said = desk.transcript(&[
        "create --id 7731 --seller alice --title 'Guitar, 1962' --start-price 1000 --steps 100 \
         --reserve 5000 --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T19:00[America/Los_Angeles]",
        "create --id 7731 --seller alice --title Other --start-price 1 --ends-in 7d",
        "create --id 8 --seller alice --title 'Oak desk' --start-price 40 --dry-run \
         --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z",
        "show 8",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel create --id 7731 --seller alice --title 'Guitar, 1962' --start-price 1000 --steps 100 --reserve 5000 --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T19:00[America/Los_Angeles]
        created auction 7731
          title        Guitar, 1962
          seller       alice
          start price  1000.00 USD
          starts       2026-01-01T00:00:00Z
          ends         2099-12-07T03:00:00Z
          request id   [uuid]
        $ gavel create --id 7731 --seller alice --title Other --start-price 1 --ends-in 7d
        ! refused: auction 7731: an auction with this id exists already (auction-exists)
        !   server time  [time]
        ! hint: leave --id out to get a free one
        [exit 3]
        $ gavel create --id 8 --seller alice --title 'Oak desk' --start-price 40 --dry-run --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z
        dry run: created auction 8; nothing was written
          title        Oak desk
          seller       alice
          start price  40.00 USD
          starts       2026-01-01T00:00:00Z
          ends         2099-12-06T03:00:00Z
          request id   [uuid]
        $ gavel show 8
        ! refused: auction 8: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        ");
    });
}

#[test]
fn bids_are_accepted_outbid_and_refused() {
    let desk = Desk::with_guitar();
    let said = desk.transcript(&[
        "bid 7731 --bidder marcus --max 12000",
        "bid 7731 --bidder elena --max 12000",
        "bid 7731 --bidder elena --max 12050",
        "bid 7731 --bidder marcus --max 11000",
        "bid 7731 --bidder alice --max 20000",
        "bid 7731 --bidder theo --max 20000 --currency EUR",
        "bid 1 --bidder theo --max 20000",
        "bid 7731 --bidder theo --max 20000 --dry-run",
        "bid 7731 --bidder theo --max 20000 --quiet --format json",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel bid 7731 --bidder marcus --max 12000
        marcus's bid on auction 7731 is accepted: leading at 1000.00 USD
          price            1000.00 USD
          next bid from    1100.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              2
          request id       [uuid]
        $ gavel bid 7731 --bidder elena --max 12000
        elena's bid on auction 7731 is accepted: outbid at once at 12000.00 USD
          price            12000.00 USD
          next bid from    12100.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              3
          request id       [uuid]
        $ gavel bid 7731 --bidder elena --max 12050
        ! refused: auction 7731: the bid is too low (too-low)
        !   minimum      12100.00 USD
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder marcus --max 11000
        ! refused: auction 7731: the bidder leads already; a raise must exceed the own maximum (not-above-own-maximum)
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder alice --max 20000
        ! refused: auction 7731: a seller cannot bid on the own auction (seller-cannot-bid)
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder theo --max 20000 --currency EUR
        ! refused: auction 7731: this auction is in USD (wrong-currency)
        !   server time  [time]
        [exit 3]
        $ gavel bid 1 --bidder theo --max 20000
        ! refused: auction 1: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        $ gavel bid 7731 --bidder theo --max 20000 --dry-run
        dry run: theo's bid on auction 7731 would be accepted; nothing was written
          request id  [uuid]
        $ gavel bid 7731 --bidder theo --max 20000 --quiet --format json
        {"auction_id":7731,"bidder":"theo","outcome":"accepted","refusal":null,"message":null,"leading":true,"currency":"USD","price":"12100.00","minimum":"12200.00","seq":4,"at":"[time]","ends_at":"[time]","extended":false,"voided":false,"server_time":"[time]","request_id":"[uuid]","dry_run":false}
        "#);
    });
}

#[test]
fn the_end_is_told_with_its_microseconds() {
    let desk = Desk::ready();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    desk.past_auction(&store, 5, "2026-01-02T10:00:00.000001Z");
    drop((store, clock));
    let said = desk.transcript(&[
        "bid 5 --bidder theo --max 20000",
        "show 5",
        "list --status due",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel bid 5 --bidder theo --max 20000
        ! refused: auction 5: the auction ended at [time] (ended)
        !   ended        [time]
        !   server time  [time]
        [exit 3]
        $ gavel show 5
        auction 5: Lot 5 [due]
          price        none yet
          bids         0
          reserve      none
          starts       2026-01-01T00:00:00Z
          ends         [time] ([relative])
          seller       alice
          start price  100.00 USD
          steps        1.00
          own raise    keep
          ledger       seq 1, head [hash]
        $ gavel list --status due
        ID  STATUS  PRICE  BIDS  ENDS                  TITLE
         5  due         -     0  2026-01-02T10:00:00Z  Lot 5
        ! 1 auction
        ");
    });
}

#[test]
fn a_request_id_is_done_once() {
    let desk = Desk::with_guitar();
    let id = "--request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ab";
    let bid = format!("bid 7731 --bidder marcus --max 12000 {id}");
    let other = format!("bid 7731 --bidder marcus --max 13000 {id}");
    let first = desk.ok(&bid);
    assert!(first.contains("leading"));
    let said = desk.transcript(&[&bid, &other]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel bid 7731 --bidder marcus --max 12000 --request-id [uuid]
        marcus's bid on auction 7731 was accepted before by this request: leading at 1000.00 USD
          price            1000.00 USD
          next bid from    1100.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              2
          request id       [uuid]
        $ gavel bid 7731 --bidder marcus --max 13000 --request-id [uuid]
        ! refused: auction 7731: this request id was used for another command: maximum differs (request-id-reused)
        !   server time  [time]
        ! hint: repeat a request with every option as it was, or leave --request-id out for a new one
        [exit 3]
        ");
    });
}

#[test]
fn a_repeated_create_is_a_repeat_although_its_times_are_relative() {
    let desk = Desk::ready();
    let create = "create --seller alice --title Lamp --start-price 5 --ends-in 7d \
                  --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ab";
    let first = desk.ok(create);
    let again = desk.ok(create);
    assert!(again.contains("by this request before"), "{again}");
    let ends = |said: &str| {
        said.lines()
            .find(|line| line.contains("ends"))
            .unwrap()
            .to_owned()
    };
    assert_eq!(ends(&first), ends(&again));
    assert!(ends(&first).trim_end().ends_with("Z") && !ends(&first).contains('.'));
    assert_eq!(desk.ok("list --format csv").lines().count(), 2);
}

#[test]
fn amounts_keep_the_decimals_of_their_currency() {
    let desk = Desk::ready();
    for (id, code, start, step, shown) in [
        (1, "JPY", "1000", "50", "1000"),
        (2, "KWD", "1.234", "0.5", "1.234"),
        (3, "USD", "1.2", "0.05", "1.20"),
    ] {
        desk.ok(&format!(
            "create --id {id} --seller s --title T --currency {code} --start-price {start} \
             --steps {step} --ends-in 7d"
        ));
        let json = desk.ok(&format!("show {id} --format json"));
        assert!(
            json.contains(&format!("\"start_price\":\"{shown}\"")),
            "{json}"
        );
    }
    assert_eq!(desk.run("bid 1 --bidder b --max 1050").code, 0);
    assert_eq!(desk.run("bid 1 --bidder c --max 1050.5").code, 2);
    assert_eq!(desk.run("bid 2 --bidder c --max 2.3456").code, 2);
    let refused =
        desk.run("create --seller s --title T --currency JPY --start-price 9 --ends-in 7d");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--steps"), "{}", refused.stderr);
}
