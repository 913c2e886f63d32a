//! Amend, void, cancel, and the watch list.

use crate::support::cli::{Desk, masking};

#[test]
fn void_reckons_anew_and_says_so() {
    let desk = Desk::with_guitar();
    desk.ok("bid 7731 --bidder marcus --max 12000");
    desk.ok("bid 7731 --bidder theo --max 3000");
    desk.ok("bid 7731 --bidder theo --max 4000 --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ab");
    let said = desk.transcript(&[
        "void 7731 --bidder theo --seq 3 --reason 'retracted'",
        "void 7731 --bidder theo --latest --reason 'retracted' --dry-run",
        "void 7731 --bidder theo --all --reason 'suspended' --actor dana",
        "void 7731 --bidder theo --all --reason 'suspended'",
        "void 7731 --bidder nobody --all --reason 'suspended'",
        "bid 7731 --bidder theo --max 4000 --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ab",
        "history 7731",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel void 7731 --bidder theo --seq 3 --reason 'retracted'
        ! refused: auction 7731: only the bidder's latest bid can be voided alone: that is seq 4 (not-latest)
        !   server time  [time]
        ! hint: --all voids every bid of the bidder, --latest the latest
        [exit 3]
        $ gavel void 7731 --bidder theo --latest --reason 'retracted' --dry-run
        dry run: auction 7731 is without the voided bids; nothing was written
          voided      seq 4
          leader      marcus
          ends        2099-12-06T03:00:00Z
          seq         5
          by          operator
          request id  [uuid]
        $ gavel void 7731 --bidder theo --all --reason 'suspended' --actor dana
        auction 7731 is without the voided bids
          voided      seq 3 4
          price       1000.00 USD
          leader      marcus
          ends        2099-12-06T03:00:00Z
          seq         5
          by          dana
          request id  [uuid]
        $ gavel void 7731 --bidder theo --all --reason 'suspended'
        ! refused: auction 7731: nothing is left to void: already voided (already-voided)
        !   server time  [time]
        ! hint: gavel replay --explain ID tells every bid of an auction
        [exit 3]
        $ gavel void 7731 --bidder nobody --all --reason 'suspended'
        ! refused: auction 7731: this bidder has no such bid on the auction (no-such-bid)
        !   server time  [time]
        ! hint: gavel replay --explain ID tells every bid of an auction
        [exit 3]
        $ gavel bid 7731 --bidder theo --max 4000 --request-id [uuid]
        theo's bid on auction 7731 was accepted before by this request; it was voided since
          price            4100.00 USD
          next bid from    4200.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              4
          request id       [uuid]
        $ gavel history 7731
        SEQ  TIME                         WHAT                      PRICE  LEADER    END  NOTE
          1  [time]  created                       -  -
          2  [time]  Bidder 1 bids       1000.00 USD  Bidder 1
          3  [time]  Bidder 2 bids       3100.00 USD  Bidder 1
          4  [time]  Bidder 2 bids       4100.00 USD  Bidder 1
          5  [time]  dana voids seq 3 4  1000.00 USD  Bidder 1       suspended
        ");
    });
}

#[test]
fn amend_changes_what_is_stated_and_nothing_else() {
    let desk = Desk::with_guitar();
    let said = desk.transcript(&[
        "amend 7731 --reason 'nothing'",
        "amend 7731 --title 'Guitar, 1963' --soft-close-window 5m --reason 'seller asked'",
        "amend 7731 --soft-close-mode add --reason 'seller asked'",
        "show 7731",
        "amend 7731 --no-soft-close --reason 'seller asked'",
        "amend 7731 --title 'Guitar, 1963' --reason 'again'",
        "bid 7731 --bidder marcus --max 12000",
        "amend 7731 --start-price 5 --reason 'too late'",
        "amend 7731 --ends-at 2099-12-07T03:00Z --reason 'one day more'",
        "amend 7731 --ends-at 2020-01-01T00:00Z --reason 'past'",
        "amend 9 --ends-at 2099-12-07T03:00Z --reason 'absent'",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel amend 7731 --reason 'nothing'
        ! error: nothing to change was stated
        ! hint: state a term, such as --ends-at; gavel help amend lists them
        [exit 2]
        $ gavel amend 7731 --title 'Guitar, 1963' --soft-close-window 5m --reason 'seller asked'
        auction 7731 is amended
          price       none
          leader      nobody
          ends        2099-12-06T03:00:00Z
          seq         2
          by          operator
          request id  [uuid]
        $ gavel amend 7731 --soft-close-mode add --reason 'seller asked'
        auction 7731 is amended
          price       none
          leader      nobody
          ends        2099-12-06T03:00:00Z
          seq         3
          by          operator
          request id  [uuid]
        $ gavel show 7731
        auction 7731: Guitar, 1963 [open]
          price          none yet
          next bid from  1000.00 USD
          bids           0
          reserve        none
          starts         2026-01-01T00:00:00Z
          ends           2099-12-06T03:00:00Z ([relative])
          seller         alice
          start price    1000.00 USD
          steps          100.00
          own raise      keep
          soft close     a bid in the last 5m adds 5m to the end
          ledger         seq 3, head [hash]
        $ gavel amend 7731 --no-soft-close --reason 'seller asked'
        auction 7731 is amended
          price       none
          leader      nobody
          ends        2099-12-06T03:00:00Z
          seq         4
          by          operator
          request id  [uuid]
        $ gavel amend 7731 --title 'Guitar, 1963' --reason 'again'
        ! refused: auction 7731: nothing would change (no-change)
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder marcus --max 12000
        marcus's bid on auction 7731 is accepted: leading at 1000.00 USD
          price            1000.00 USD
          next bid from    1100.00 USD
          ends             2099-12-06T03:00:00Z
          time of the bid  [time]
          seq              5
          request id       [uuid]
        $ gavel amend 7731 --start-price 5 --reason 'too late'
        ! refused: auction 7731: start_price cannot change any more: after the first bid only the end can (terms-frozen)
        !   server time  [time]
        [exit 3]
        $ gavel amend 7731 --ends-at 2099-12-07T03:00Z --reason 'one day more'
        auction 7731 is amended
          price       1000.00 USD
          leader      marcus
          ends        2099-12-07T03:00:00Z (before: 2099-12-06T03:00:00Z)
          seq         6
          by          operator
          request id  [uuid]
        $ gavel amend 7731 --ends-at 2020-01-01T00:00Z --reason 'past'
        ! refused: auction 7731: invalid end: the end must lie in the future (invalid-end)
        !   server time  [time]
        [exit 3]
        $ gavel amend 9 --ends-at 2099-12-07T03:00Z --reason 'absent'
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        ");
    });
}

#[test]
fn what_show_says_can_be_pasted_back_into_amend() {
    let desk = Desk::ready();
    desk.ok(
        "create --id 5 --seller alice --title Lamp --start-price 5 --ends-in 7d \
             --steps 0.01:0.05,1:0.25 --soft-close-window 2m30s --own-raise reprice",
    );
    let shown: serde_json::Value = serde_json::from_str(&desk.ok("show 5 --format json")).unwrap();
    let text = |key: &str| shown[key].as_str().unwrap().to_owned();
    let mut args: Vec<String> = ["amend", "5", "--reason", "same"]
        .map(str::to_owned)
        .to_vec();
    for key in [
        "title",
        "start_price",
        "steps",
        "own_raise",
        "soft_close_window",
        "soft_close_extend",
        "soft_close_mode",
        "soft_close_trigger",
        "starts_at",
        "ends_at",
    ] {
        args.extend([format!("--{}", key.replace('_', "-")), text(key)]);
    }
    let output = desk.command(&args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("nothing would change (no-change)"),
        "{stderr}"
    );
}

#[test]
fn cancel_ends_it() {
    let desk = Desk::with_guitar();
    let said = desk.transcript(&[
        "cancel 7731 --reason 'item damaged' --dry-run",
        "cancel 7731 --reason 'item damaged'",
        "cancel 7731 --reason 'again'",
        "bid 7731 --bidder marcus --max 12000",
        "close 7731",
        "list",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel cancel 7731 --reason 'item damaged' --dry-run
        dry run: auction 7731 is cancelled; nothing was written
          seq         2
          by          operator
          request id  [uuid]
        $ gavel cancel 7731 --reason 'item damaged'
        auction 7731 is cancelled
          seq         2
          by          operator
          request id  [uuid]
        $ gavel cancel 7731 --reason 'again'
        ! refused: auction 7731: the auction was cancelled (cancelled)
        !   server time  [time]
        [exit 3]
        $ gavel bid 7731 --bidder marcus --max 12000
        ! refused: auction 7731: the auction was cancelled (cancelled)
        !   server time  [time]
        [exit 3]
        $ gavel close 7731
        ! refused: auction 7731: it was cancelled and is never closed (cancelled)
        [exit 3]
        $ gavel list
          ID  STATUS     PRICE  BIDS  ENDS                  TITLE
        7731  cancelled      -     0  2099-12-06T03:00:00Z  Guitar, 1962
        ! 1 auction
        ");
    });
}

#[test]
fn the_operator_is_named_by_option_or_environment() {
    let desk = Desk::with_guitar();
    let output = desk
        .command(&["cancel", "7731", "--reason", "x", "--format", "json"])
        .env("GAVEL_ACTOR", "dana")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("\"actor\":\"dana\""), "{said}");
}

#[test]
fn a_watch_list_grows_and_shrinks() {
    let desk = Desk::with_guitar();
    let said = desk.transcript(&[
        "watchlist add 7731 --watcher wanda",
        "watchlist add 7731 --watcher wanda",
        "watchlist list --watcher wanda",
        "watchlist list --watcher walt",
        "watchlist remove 7731 --watcher wanda",
        "watchlist remove 7731 --watcher wanda",
        "watchlist add 9 --watcher wanda",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel watchlist add 7731 --watcher wanda
        wanda now watches auction 7731
        $ gavel watchlist add 7731 --watcher wanda
        nothing to change: wanda's watch list stays as it is
        $ gavel watchlist list --watcher wanda
          ID  STATUS  PRICE  BIDS  ENDS                  TITLE
        7731  open        -     0  2099-12-06T03:00:00Z  Guitar, 1962
        ! 1 auction
        $ gavel watchlist list --watcher walt
        ! 0 auctions
        $ gavel watchlist remove 7731 --watcher wanda
        wanda no longer watches auction 7731
        $ gavel watchlist remove 7731 --watcher wanda
        nothing to change: wanda's watch list stays as it is
        $ gavel watchlist add 9 --watcher wanda
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        ");
    });
}

#[test]
fn a_repeated_amend_is_a_repeat_although_its_end_is_a_span() {
    let desk = Desk::with_guitar();
    let line = "amend 7731 --ends-in 8d --reason 'a day more' --format json \
                --request-id 0b5e0000-0000-4000-8000-000000000001";
    let told = |said: String| -> serde_json::Value { serde_json::from_str(&said).unwrap() };
    let first = told(desk.ok(line));
    let again = told(desk.ok(line));
    assert_eq!(first["outcome"], "done");
    assert_eq!(again["outcome"], "repeated");
    assert_eq!(first["ends_at"], again["ends_at"]);
}

/// A slip in a path is seen: a folder that was not there is named before it is made.
#[test]
fn a_folder_made_for_a_database_is_named() {
    let desk = Desk::bare();
    let line = "migrate --database-url sqlite:new/shelf/lots.db";
    let said = desk.run(line);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let named = "making the folder new/shelf\n";
    assert!(said.stderr.contains(named), "{}", said.stderr);
    assert!(!desk.run(line).stderr.contains("making"));
}
