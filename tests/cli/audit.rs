//! replay, explain, export, import, and the demonstration.

use sqlx::Connection as _;

use crate::support::cli::{Desk, masking};

/// Auction 1, sold to ann after a tie, its times fixed; auction 2 without bids.
fn sold() -> Desk {
    let desk = Desk::ready();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    for id in [1, 2] {
        desk.past_auction(&store, id, "2026-01-03T00:00:00Z");
    }
    desk.past_bid(&store, 1, "ann", 50_000);
    desk.past_bid(&store, 1, "bob", 50_000);
    clock.set("2026-01-03T00:00:01Z".parse().unwrap());
    desk.past_close(&store, 1);
    desk.past_close(&store, 2);
    desk
}

/// Changes the database past gavel.
pub(super) fn tamper(desk: &Desk, statement: &'static str) {
    let url = format!("sqlite:{}", desk.database().display());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(statement)
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    });
}

#[test]
fn a_clean_ledger_is_told_clean_and_explained() {
    let desk = sold();
    let said = desk.transcript(&[
        "replay",
        "audit 1 9",
        "replay --explain 1",
        "replay --explain 9",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel replay
        replayed 2 auctions and 4 entries: clean by 29 checks
        $ gavel audit 1 9
        replayed 1 auction and 3 entries: clean by 29 checks
        ! warning: auction 9: there is no such auction
        [exit 3]
        $ gavel replay --explain 1
        auction 1: Lot 1
          seller alice; start price 100.00 USD; own raise keep; steps 1.00 each

        SEQ  TIME                  WHO    WHAT    PRICE             LEADER
          1  2026-01-02T00:00:00Z  alice  create  -                 -
             alice offers "Lot 1" from 100.00 USD, until 2026-01-03T00:00:00Z.
          2  2026-01-02T00:00:00Z  ann    bid     - -> 100.00       ann
             ann opens with a maximum of 500.00 USD and leads. Without a second bidder
             the price is the start price, 100.00 USD. This bid wins.
          3  2026-01-02T00:00:00Z  bob    bid     100.00 -> 500.00  ann
             bob bids up to 500.00 USD and ties with ann's maximum: the earlier bid
             wins. The runner-up's maximum 500.00 USD plus the step 1.00 USD would
             exceed ann's maximum, which is the price: 500.00 USD. So this bid lost.

          ann buys at 500.00 USD
        $ gavel replay --explain 9
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        "#);
    });
}

#[test]
fn tampering_is_named_by_auction_and_seq() {
    let desk = sold();
    tamper(
        &desk,
        "update auctions set final_price = final_price - 1 where auction_id = 1",
    );
    let said = desk.transcript(&["replay", "replay --format csv --quiet", "replay 2"]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel replay
        auction 1: final-price
          expected  500.00 USD
          found     499.99 USD
        replayed 2 auctions and 4 entries: 1 finding in 1 auction
        ! hint: gavel replay --explain ID tells an auction bid by bid
        [exit 4]
        $ gavel replay --format csv --quiet
        auction_id,seq,check,expected,found
        1,,final-price,500.00 USD,499.99 USD
        [exit 4]
        $ gavel replay 2
        replayed 1 auction and 1 entry: clean by 29 checks
        ");
    });

    let desk = sold();
    tamper(
        &desk,
        "drop trigger ledger_never_updated;
         update ledger set actor = 'eve' where auction_id = 1 and seq = 3;",
    );
    let said = desk.run("replay --format json --quiet");
    assert_eq!(said.code, 4, "{}", said.stderr);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["listed"][0]["auction_id"], 1);
    assert_eq!(report["listed"][0]["seq"], 3);
    assert_eq!(desk.run("doctor").code, 1);
}

#[test]
fn an_export_is_audited_and_imported_elsewhere() {
    let desk = sold();
    let said = desk.transcript(&[
        "export full",
        "export full",
        "export full --overwrite --quiet --format csv",
        "export public --public",
        "export some 2 --quiet",
        "export none 9",
        "replay --from full",
        "replay --from public",
        "replay --from public --explain 1",
        "replay --from home",
        "import full",
        "import public",
        "migrate --database-url sqlite:other.db --quiet",
        "import full --database-url sqlite:other.db --dry-run",
        "import full --database-url sqlite:other.db",
        "replay --database-url sqlite:other.db",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel export full
        exported 2 auctions for auditors: it holds maxima and reserves
          folder          full
          ledger entries  4
        $ gavel export full
        ! error: full holds an export already; choose another folder or ask to overwrite
        ! hint: --overwrite replaces it
        [exit 2]
        $ gavel export full --overwrite --quiet --format csv
        folder,auctions,entries,public,exported_at,installation,dry_run
        full,2,4,false,[time],[uuid],false
        $ gavel export public --public
        exported 2 auctions for the public: no maxima, reserves, nonces or watchers
          folder          public
          ledger entries  4
        $ gavel export some 2 --quiet
        exported 1 auction for auditors: it holds maxima and reserves
          folder          some
          ledger entries  1
        $ gavel export none 9
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        $ gavel replay --from full
        replayed 2 auctions and 4 entries: clean by 31 checks
        $ gavel replay --from public
        replayed 2 auctions and 4 entries: clean by 29 checks
        ! maxima and reserves are hidden here, so these checks could not be made: commitment, cross-check
        $ gavel replay --from public --explain 1
        ! error: auction 1 cannot be explained from this ledger
        !   caused by: auction 1 seq 2: the entry's maximum is hidden from this reader
        ! hint: a public export hides the maxima; gavel replay names what is damaged
        [exit 1]
        $ gavel replay --from home
        ! error: home is not an export of gavel: it has no manifest.json
        [exit 2]
        $ gavel import full
        imported 0 new auctions, 2 there already
          folder  full
        $ gavel import public
        ! error: a public export cannot be imported: maxima and reserves are not in it
        ! hint: gavel replay --from FOLDER verifies it; only a full export can be imported
        [exit 2]
        $ gavel migrate --database-url sqlite:other.db --quiet
        the database is ready: 1 migration applied
          database  sqlite:other.db
          schema    1
        $ gavel import full --database-url sqlite:other.db --dry-run
        dry run: imported 2 new auctions, 0 there already; nothing was written
          folder  full
        $ gavel import full --database-url sqlite:other.db
        imported 2 new auctions, 0 there already
          folder  full
        $ gavel replay --database-url sqlite:other.db
        replayed 2 auctions and 4 entries: clean by 29 checks
        ");
    });
    let show = |url: &str| desk.ok(&format!("history 1 --format json {url}"));
    assert_eq!(show(""), show("--database-url sqlite:other.db"));
}

#[test]
fn a_tampered_folder_is_not_imported() {
    let desk = sold();
    desk.ok("export full");
    let ledger = std::fs::read_to_string(desk.path("full/ledger.csv")).unwrap();
    desk.write("full/ledger.csv", ledger.replace("bob", "eve"));
    desk.ok("migrate --database-url sqlite:other.db");
    let said = desk.run("import full --database-url sqlite:other.db");
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("sha256"), "{}", said.stderr);
    assert_eq!(desk.run("replay --from full").code, 4);
    let listed = desk.ok("list --database-url sqlite:other.db --format csv --quiet");
    assert_eq!(listed.lines().count(), 1);
}

#[test]
fn a_folder_that_cannot_be_used_is_an_input_error() {
    let desk = sold();
    desk.ok("export full");
    let outbox = desk.path("full/outbox.csv");
    let text = std::fs::read_to_string(&outbox).unwrap();
    std::fs::remove_file(&outbox).unwrap();
    let said = desk.run("replay --from full");
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("outbox.csv"), "{}", said.stderr);
    std::fs::write(&outbox, text).unwrap();
    assert_eq!(desk.run("replay --from full").code, 0);

    // Somebody's own table is no export, asked or not.
    std::fs::create_dir(desk.path("mine")).unwrap();
    desk.write("mine/ledger.csv", "mine");
    for line in ["export mine", "export mine --overwrite"] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.contains("mine/ledger.csv"), "{}", said.stderr);
    }
    let kept = std::fs::read_to_string(desk.path("mine/ledger.csv")).unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn a_history_that_does_not_replay_is_imported_on_request_only() {
    let desk = sold();
    tamper(
        &desk,
        "update auctions set bid_count = 7 where auction_id = 1",
    );
    desk.ok("export full");
    desk.ok("migrate --database-url sqlite:other.db");
    let other = "--database-url sqlite:other.db";
    let said = desk.run(&format!("import full {other}"));
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("auction 1"), "{}", said.stderr);
    assert!(said.stderr.contains(": 1 finding;"), "{}", said.stderr);
    desk.ok(&format!("import full --accept-findings {other}"));
    assert_eq!(desk.run(&format!("replay {other}")).code, 4);
}

#[test]
fn the_demonstration_tells_its_story_and_ends_clean() {
    let desk = Desk::bare();
    let said = desk.run("demo --auctions 20 --bids 100 --keep story.db");
    assert_eq!(said.code, 0, "{}", said.stderr);
    // The crowd bids concurrently: which bids are accepted differs from run to run.
    let (story, crowd) = said.stdout.split_once("The crowd").unwrap();
    assert!(
        crowd.contains("100 bids on 20 auctions") && crowd.contains(": clean by"),
        "{crowd}"
    );
    insta::assert_snapshot!(story, @r#"

        Monday: five auctions open, all to end on Sunday at 7 p.m.
          7731   Chronograph, steel, 1969       from 9500.00 USD
          7732   Game console, two controllers  from 15.00 USD
          7733   Box of cables                  from 5.00 USD
          7734   Oil painting, unsigned         from 100.00 USD, a hidden reserve
          7735   Walnut writing desk            from 50.00 USD, soft close 5m

        The week: maxima are hidden, the price is what the rules make of them
          Tue 20:15:00         marcus, up to 12000 for "Chronograph, steel, 1969"
                               -> leads at 9500.00 USD
          Wed 08:05:00         ines, up to 40 for "Game console, two controllers"
                               -> leads at 15.00 USD
          Thu 12:30:00         noor, up to 320 for "Oil painting, unsigned"
                               -> leads at 100.00 USD
          Fri 18:40:00         elena, up to 12000 for "Chronograph, steel, 1969"
                               -> accepted, but marcus still leads, now at 12000.00 USD
          Sat 21:00:00         tomas, up to 55 for "Game console, two controllers"
                               -> leads at 41.00 USD
          Sun 18:10:00         ada, up to 80 for "Walnut writing desk"
                               -> leads at 50.00 USD
          Sun 18:58:30         ben, up to 95 for "Walnut writing desk"
                               -> leads at 81.00 USD; the end moves to Sun 19:03:30
          Sun 18:59:59.999999  ada, up to 120 for "Walnut writing desk"
                               -> leads at 96.00 USD; the end moves to Sun 19:04:59.999999

        7 p.m.: the clock decides, the closer only notices
          Sun 19:00:00.05      theo, up to 12100 for "Chronograph, steel, 1969"
                               -> refused: ended 50ms before, though the status reads OPEN
                               (the row reads OPEN until a closer comes by)
          Sun 19:00:01         the closer sweeps: 4 auctions closed
          7731   Chronograph, steel, 1969       sold to marcus for 12000.00 USD
          7732   Game console, two controllers  sold to tomas for 41.00 USD
          7733   Box of cables                  nobody bid: unsold
          7734   Oil painting, unsigned         reserve not met: unsold
          Sun 19:05:01         the closer sweeps: 1 auction closed
          7735   Walnut writing desk            sold to ada for 96.00 USD
        "#);
    let kept = "--database-url sqlite:story.db";
    assert!(desk.ok(&format!("show 7731 {kept}")).contains("sold"));
    assert_eq!(desk.run(&format!("replay {kept}")).code, 0);
    assert_eq!(desk.run("demo --keep story.db").code, 2);
    assert!(
        !desk.database().exists(),
        "the user's own database is not touched"
    );
    let json = desk.ok("demo --auctions 5 --bids 20 --format json --quiet");
    assert_eq!(json.lines().count(), 1, "{json}");
}

#[test]
fn an_explanation_of_a_changed_ledger_says_so() {
    let desk = Desk::with_guitar();
    desk.ok("bid 7731 --bidder ann --max 5000");
    assert_eq!(desk.run("replay --explain 7731").code, 0);
    desk.ok("export folder");
    let ledger = std::fs::read_to_string(desk.path("folder/ledger.csv")).unwrap();
    assert!(ledger.contains("5000.00"));
    desk.write("folder/ledger.csv", ledger.replace("5000.00", "9999.00"));
    let told = desk.run("replay --explain 7731 --from folder");
    assert_eq!(told.code, 4, "{}", told.stderr);
    assert!(told.stderr.contains("has findings"), "{}", told.stderr);
}

#[test]
fn nothing_replayed_is_not_called_clean() {
    let desk = Desk::with_guitar();
    let said = desk.run("replay 9");
    let text = "replayed 0 auctions and 0 entries: there was nothing to check";
    assert_eq!(
        (said.code, said.stdout.trim()),
        (3, text),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("auction 9"), "{}", said.stderr);
    assert!(
        desk.ok("replay 7731")
            .contains("1 auction and 1 entry: clean by")
    );
}

#[test]
fn auctions_and_checks_are_selected_and_findings_are_lines() {
    let desk = sold();
    tamper(
        &desk,
        "update auctions set winner = 'bob', final_price = 50100 where auction_id = 1",
    );
    let said = desk.transcript(&[
        "replay --quiet --check winner",
        "replay --no-check winner,final-price",
        "replay --seller nobody",
        "replay --seller alice --closed-between 2026-01-03T00:00:02Z..",
        "replay --lines --format json --quiet",
        "replay --check price --no-check price",
        "replay --check prize",
        "replay --closed-between 2026-01-03",
        "replay --closed-between 2026-01-04T00:00:00Z..2026-01-03T00:00:00Z",
        "replay --key x",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel replay --quiet --check winner
        auction 1: winner
          expected  ann
          found     bob
        replayed 2 auctions and 4 entries: 1 finding in 1 auction
        [exit 4]
        $ gavel replay --no-check winner,final-price
        replayed 2 auctions and 4 entries: clean by 27 checks
        $ gavel replay --seller nobody
        replayed 0 auctions and 0 entries: there was nothing to check
        $ gavel replay --seller alice --closed-between 2026-01-03T00:00:02Z..
        replayed 0 auctions and 0 entries: there was nothing to check
        $ gavel replay --lines --format json --quiet
        {"auction_id":1,"seq":null,"check":"winner","expected":"ann","found":"bob"}
        {"auction_id":1,"seq":null,"check":"final-price","expected":"500.00 USD","found":"501.00 USD"}
        [exit 4]
        $ gavel replay --check price --no-check price
        ! error: the argument '--check <NAME>' cannot be used with '--no-check <NAME>'
        ! 
        ! Usage: gavel replay --check <NAME> [ID]...
        ! 
        ! For more information, try '--help'.
        [exit 2]
        $ gavel replay --check prize
        ! error: invalid value 'prize' for '--check <NAME>': there is no such check; gavel replay --list-checks names them
        ! 
        ! For more information, try '--help'.
        [exit 2]
        $ gavel replay --closed-between 2026-01-03
        ! error: invalid value '2026-01-03' for '--closed-between <FROM..TO>': write FROM..TO, such as 2026-12-01T00:00:00Z..2026-12-02T00:00:00Z
        ! 
        ! For more information, try '--help'.
        [exit 2]
        $ gavel replay --closed-between 2026-01-04T00:00:00Z..2026-01-03T00:00:00Z
        ! error: invalid value '2026-01-04T00:00:00Z..2026-01-03T00:00:00Z' for '--closed-between <FROM..TO>': FROM must lie before TO
        ! 
        ! For more information, try '--help'.
        [exit 2]
        $ gavel replay --key x
        ! error: --key: it is the key of a checkpoint: name one by --against or --since
        [exit 2]
        "#);
    });
}

#[test]
fn only_what_a_checkpoint_does_not_cover_is_replayed_since_it() {
    let desk = sold();
    // The key is random, so nothing is shown of what it signs.
    desk.ok("keygen site.key --origin gavel/test --quiet");
    desk.ok("checkpoint --key site.key --origin gavel/test --out may.note --quiet");
    let said = desk.transcript(&["replay --since may.note --key site.key.pub"]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
    $ gavel replay --since may.note --key site.key.pub
    replayed 0 auctions and 0 entries: there was nothing to check
    ! held against a checkpoint of 2 auctions that ended before [time]
    ");
    });
    tamper(
        &desk,
        "update auctions set head = zeroblob(32) where auction_id = 2",
    );
    let said = desk.transcript(&["replay --since may.note --key site.key.pub --quiet"]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
    $ gavel replay --since may.note --key site.key.pub --quiet
    the record: checkpoint
      expected  2 ended auctions with root
                [sha256]
      found     2 ended auctions with root
                [sha256]
    replayed 0 auctions and 0 entries: 1 finding in the record
    ! warning: the record is not what the checkpoint covers: nothing was replayed
    [exit 4]
    ");
    });
}
