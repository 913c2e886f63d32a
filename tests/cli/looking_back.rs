//! Explain, what-if and the shill report on both databases, and the same from an exported folder.

use std::sync::Arc;

use gavel::auction::Terms;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::cli::{Desk, masking, words};
use crate::support::drive::{accepted, clock, closed, done, opened};
use crate::support::make::{self, MINUTE, at, id, party, terms};
use gavel::auction::VoidScope;
use gavel::store::Contract as _;

on_every_backend!(a_database_and_its_folder_tell_the_same);

/// In 2020.
const NOW: i64 = 1_600_000_000_000_000;

/// Four auctions of two sellers, closed; in each sam is outbid.
async fn market<B: Backend>(backend: &B) {
    for number in 1..=4 {
        clock(backend, NOW).await;
        let seller = party(if number == 4 { "honest" } else { "sly" });
        let (start, end) = (at(NOW), at(NOW + 60 * MINUTE));
        let terms = Terms {
            seller,
            start,
            end,
            ..terms()
        };
        opened(backend, number, terms).await;
        let late = NOW + 59 * MINUTE;
        for (request, (bidder, maximum)) in (1..).zip([
            ("sam", 2_000),
            ("buyer", 9_000),
            ("sam", 4_000),
            ("cyd", 4_500),
        ]) {
            clock(backend, if bidder == "cyd" { late } else { NOW + MINUTE }).await;
            accepted(backend, number, request, bidder, maximum).await;
        }
        done(backend, number, 9, make::void("cyd", VoidScope::All)).await;
        clock(backend, NOW + 61 * MINUTE).await;
        closed(backend, number).await;
    }
    assert!(backend.store().auction_get(id(4)).await.unwrap().is_some());
}

async fn a_database_and_its_folder_tell_the_same<B: Backend>(backend: Arc<B>) {
    market(&*backend).await;
    let desk = Desk::bare();
    let run = |line: &str| {
        let mut command = desk.command(&words(line));
        let output = command.env("DATABASE_URL", backend.url()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    assert_eq!(run("export full").0, 0);
    assert_eq!(run("export public --public").0, 0);
    assert_eq!(run("export typed --as parquet").0, 0);
    for line in [
        "replay --explain 1",
        "replay --explain 1 --for sam",
        "replay --explain 1 --for cyd --as-of 4",
        "replay --explain 1 --as-of 2020-09-13T12:30:00Z",
        "replay --what-if steps=ebay-uk --all",
        "replay 1 2 --what-if without-bidder=buyer",
        "replay 3 --what-if without-bid=3",
        "report shill",
        "report shill --min-auctions 1 --seller honest",
    ] {
        for format in ["table", "json", "csv"] {
            let line = format!("{line} --format {format}");
            let stored = run(&line);
            assert_eq!(stored.0, 0, "{line}: {}", stored.2);
            assert_eq!(run(&format!("{line} --from full")), stored, "{line}");
            assert_eq!(run(&format!("{line} --from typed")), stored, "{line}");
            let widest = stored.1.lines().map(|line| line.chars().count()).max();
            assert!(
                format != "table" || widest <= Some(80),
                "{line}: {}",
                stored.1
            );
        }
    }
    let (_, told, _) = run("replay 1 --what-if without-bidder=buyer");
    assert!(told.contains("buyer -> sam"), "{told}");
    // What needs no secret works from a public folder; what does says so.
    let (code, told, _) = run("report shill --from public --format json");
    assert_eq!(code, 0);
    assert!(told.contains(r#""not_possible":["runner_up"]"#), "{told}");
    let (code, told, _) = run("replay --explain 1 --for sam --from public");
    assert_eq!(code, 0);
    assert!(told.contains("its maximum is hidden here"), "{told}");
    let (code, _, said) = run("replay --what-if steps=1 --from public");
    assert_eq!(code, 2);
    assert!(said.contains("hidden from this reader"), "{said}");
}

#[test]
fn a_slip_is_named_with_the_way_out() {
    let desk = Desk::with_guitar();
    desk.ok("bid 7731 --bidder ann --max 5000");
    let said = desk.transcript(&[
        "replay --what-if steps",
        "replay --what-if steps=often",
        "replay --what-if without-bid=2",
        "replay --what-if soft_close.extend_by=2m",
        "replay 7731 9 --what-if steps=50 --quiet",
        "replay --explain 7731 --as-of 5",
        "replay --for ann",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel replay --what-if steps
        ! error: --what-if: "steps" is no change
        !   start_price=an amount
        !   reserve=an amount or none
        !   steps=an amount, ebay-us, ebay-uk, or rungs such as 0.01:0.05,1:0.25
        !   own_raise=keep or reprice
        !   soft_close=none
        !   soft_close.window=a span such as 2m
        !   soft_close.extend_by=a span such as 2m
        !   soft_close.mode=reset or add
        !   soft_close.trigger=not-own-raise, any or leader-change
        !   soft_close.cap=a time or none
        !   without-bidder=a bidder's name; repeatable
        !   without-bid=a bid's seq, with one auction; repeatable
        ! hint: write KEY=VALUE
        [exit 2]
        $ gavel replay --what-if steps=often
        ! error: --what-if: steps=often: steps are an amount (10), a table (ebay-us, ebay-uk) or rungs (0.01:0.05,1:0.25)
        ! hint: gavel replay --help lists what each key takes
        [exit 2]
        $ gavel replay --what-if without-bid=2
        ! error: --what-if: without-bid: a seq belongs to one auction
        ! hint: state its id: gavel replay ID --what-if without-bid=SEQ
        [exit 2]
        $ gavel replay --what-if soft_close.extend_by=2m
        ! error: --what-if: auction 7731: invalid soft_close.window: a soft close needs a window
        [exit 2]
        $ gavel replay 7731 9 --what-if steps=50 --quiet
        0 of 1 auction would differ: 0 other buyers, 0 other prices, 0 other ends; 0
        entries would not have been taken
        USD: 1 sold for 1000.00, would be 1 for 1000.00
        ! warning: auction 9: there is no such auction
        [exit 3]
        $ gavel replay --explain 7731 --as-of 5
        ! refused: auction 7731: there is no entry 5: its ledger has the entries 1 to 2 (no-such-entry)
        !   server time  [time]
        [exit 3]
        $ gavel replay --for ann
        ! error: the following required arguments were not provided:
        !   --explain <ID>
        ! 
        ! Usage: gavel replay --explain <ID> --for <BIDDER> [ID]...
        ! 
        ! For more information, try '--help'.
        [exit 2]
        "#);
    });
}

#[test]
fn rows_out_of_order_are_told_once() {
    let desk = Desk::with_guitar();
    desk.ok("bid 7731 --bidder ann --max 5000");
    desk.ok("create --id 5 --seller s --title T --start-price 5 --ends-at 2099-12-06T03:00Z");
    desk.ok("export folder");
    let sorted = desk.ok("replay --what-if reserve=2000 --all --from folder");
    for name in ["auctions.csv", "ledger.csv"] {
        let path = desk.path("folder").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let (header, rows) = text.split_once('\n').unwrap();
        let mut rows: Vec<&str> = rows.lines().collect();
        rows.rotate_left(1);
        std::fs::write(&path, format!("{header}\n{}\n", rows.join("\n"))).unwrap();
    }
    let line = "replay --what-if reserve=2000 --all --from folder";
    assert_eq!(desk.ok(line), sorted);
    assert!(
        sorted.contains("7731") && sorted.contains("2 auctions"),
        "{sorted}"
    );
}
