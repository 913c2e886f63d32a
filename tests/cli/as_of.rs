//! `show --as-of`.

use crate::support::cli::{Desk, masking};

#[test]
fn an_auction_is_shown_as_it_stood() {
    let desk = Desk::ready();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    desk.past_auction(&store, 1, "2026-01-03T01:00:00Z");
    desk.past_bid(&store, 1, "ann", 77_777);
    clock.set("2026-01-02T10:00:00Z".parse().unwrap());
    desk.past_bid(&store, 1, "bob", 88_888);
    clock.set("2026-01-03T12:00:00Z".parse().unwrap());
    desk.past_close(&store, 1);
    let said = desk.transcript(&[
        "show 1 --as-of 2",
        "show 1 --as-of 2026-01-03T11:00:00Z",
        "show 1 --as-of 4",
        "show 1 9 --as-of 2026-01-01T00:00Z",
        "show 1 --as-of 2099-01-01T00:00Z",
        "show 1 2 --as-of 1",
        "show 1 --as-of yesterday",
    ]);
    assert!(
        !said.contains("777.77") && !said.contains("888.88"),
        "{said}"
    );
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel show 1 --as-of 2
        auction 1: Lot 1 [open]
          as of          2026-01-02T00:00:00Z, entry 2 of 3
          price          100.00 USD
          next bid from  101.00 USD
          leader         ann
          bids           1
          reserve        none
          starts         2026-01-01T00:00:00Z
          ends           2026-01-03T01:00:00Z ([relative])
          seller         alice
          start price    100.00 USD
          steps          1.00
          own raise      keep
          ledger         seq 2, head [hash]
        $ gavel show 1 --as-of 2026-01-03T11:00:00Z
        auction 1: Lot 1 [due]
          as of        2026-01-03T11:00:00Z, entry 3 of 3
          price        778.77 USD
          leader       bob
          bids         2
          reserve      none
          starts       2026-01-01T00:00:00Z
          ends         2026-01-03T01:00:00Z ([relative])
          seller       alice
          start price  100.00 USD
          steps        1.00
          own raise    keep
          ledger       seq 3, head [hash]
        $ gavel show 1 --as-of 4
        ! refused: auction 1: there is no entry 4: its ledger has the entries 1 to 3 (no-such-entry)
        !   server time  [time]
        [exit 3]
        $ gavel show 1 9 --as-of 2026-01-01T00:00Z
        ! refused: auction 1: it was created later, at [time] (not-yet-created)
        !   server time  [time]
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        $ gavel show 1 --as-of 2099-01-01T00:00Z
        ! refused: auction 1: that time is still ahead (ahead)
        !   server time  [time]
        [exit 3]
        $ gavel show 1 2 --as-of 1
        ! error: --as-of: a seq belongs to one auction
        ! hint: state a time to see several
        [exit 2]
        $ gavel show 1 --as-of yesterday
        ! error: invalid value 'yesterday' for '--as-of <SEQ|TIME>': state an entry's seq, such as 5, or write a time as 2026-12-06T19:00:00-08:00 or 2026-12-06T19:00[America/Los_Angeles]
        ! 
        ! For more information, try '--help'.
        [exit 2]
        ");
    });
    let closed = desk.ok("show 1 --as-of 2026-01-03T12:00:00Z --format json");
    assert!(closed.contains(r#""status":"sold""#), "{closed}");
    assert!(closed.contains(r#""winner":"bob""#), "{closed}");
}
