//! A hidden maximum stays hidden: amounts chosen to differ from every price appear in nothing
//! that any command says, in any format.

use crate::support::cli::Desk;

/// Maxima and reserves; no price in this story has these digits.
const SECRETS: [&str; 5] = ["777.77", "888.88", "999.99", "666.66", "555.55"];

fn digits(amount: &str) -> [String; 2] {
    [amount.to_owned(), amount.replace('.', "")]
}

/// What a text gives away: as a decimal, or in minor units. Hashes, ids and instants are taken
/// out first, their digits mean nothing.
fn leaks(text: &str) -> Option<String> {
    let meaningless = regex_lite();
    let text = meaningless(text);
    SECRETS
        .iter()
        .flat_map(|secret| digits(secret))
        .find(|secret| text.contains(secret.as_str()))
}

/// Drops words that are hashes, UUIDs, instants or long auction numbers.
fn regex_lite() -> impl Fn(&str) -> String {
    |text: &str| {
        let word = |word: &str| {
            let hex = word.len() >= 16 && word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
            let instant = word.len() >= 17 && word.starts_with("20") && word.contains('T');
            if hex || instant {
                String::new()
            } else {
                word.to_owned()
            }
        };
        text.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || "-.:".contains(c)))
            .map(|piece| {
                let end = piece
                    .trim_end_matches(|c: char| !(c.is_ascii_alphanumeric() || "-.:".contains(c)));
                let rest = &piece[end.len()..];
                word(end) + rest
            })
            .collect()
    }
}

#[test]
fn the_search_would_find_a_leak() {
    for text in ["max 777.77", "\"x\":77777,", "999.99 USD", "…55555…"] {
        assert!(leaks(text).is_some(), "{text}");
    }
    assert!(leaks("018f77777b1a4c2d9e4f0123456789ab").is_none());
}

#[test]
fn no_command_gives_a_maximum_or_a_reserve_away() {
    let desk = Desk::ready();
    let mut said = Vec::new();
    let mut run = |line: &str| {
        for format in ["table", "json", "csv"] {
            let out = desk.run(&format!("{line} --format {format}"));
            said.push((
                format!("{line} --format {format}"),
                out.stdout + &out.stderr,
            ));
        }
    };
    let times = "--starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z";
    run(&format!(
        "create --id 1 --seller alice --title T --start-price 10 --steps 1 --reserve 999.99 {times} --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ab"
    ));
    run("bid 1 --bidder ann --max 777.77 --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ac");
    // Refused as too low, as not above the own maximum, as reused, in the wrong currency.
    run("bid 1 --bidder ann --max 666.66");
    run("bid 1 --bidder ann --max 888.88 --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ac");
    run("bid 1 --bidder bob --max 555.55 --currency EUR");
    run("bid 1 --bidder alice --max 888.88");
    run("bid 1 --bidder bob --max 888.888");
    run("bid 2 --bidder bob --max 888.88");
    run("bid 1 --bidder ann --max 888.88 --dry-run");
    run("bid 1 --bidder ann --max 888.88 --max-jump 2x");
    run("bid 1 --bidder bob --max 20.50 --request-id 018f3c5e-7b1a-4c2d-9e4f-0123456789ad");
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n1,ann,888.88\n1,bob,666.66x\n",
    );
    run("bid --file bids.csv");
    desk.write(
        "bids.jsonl",
        "{\"auction_id\":1,\"bidder\":\"ann\",\"maximum\":888.88}\n{\"maximum\":777.77",
    );
    run("bid --file bids.jsonl");
    run("amend 1 --reserve 888.88 --reason x");
    run("amend 1 --reserve 888.888 --reason x");
    run(&format!(
        "create --id 3 --seller alice --title T --start-price 10 --reserve 999.999 {times}"
    ));
    for line in [
        "show 1",
        "list",
        "show 1 --as-of 2",
        "history 1",
        "mine --bidder ann",
        "mine --bidder bob",
        "replay --explain 1 --for bob",
        "replay --explain 1 --for nobody --as-of 3",
        "report shill --min-auctions 1",
        "doctor",
        "void 1 --bidder bob --all --reason x",
        "top --once",
        "close 1",
        "close-sweep",
        "migrate",
        "watchlist list --watcher ann",
    ] {
        run(line);
    }
    run("replay");
    run("replay 1 --findings 5");
    desk.ok("bid 1 --bidder ann --max 777.78");
    run("export public --public --overwrite");
    run("replay --from public");
    run("import public");
    run("cancel 1 --reason x");
    run("watch 1 --from-start");
    for file in [
        "auctions.csv",
        "ledger.csv",
        "outbox.csv",
        "watchers.csv",
        "manifest.json",
    ] {
        let text = std::fs::read_to_string(desk.path("public").join(file)).unwrap_or_default();
        said.push((format!("public/{file}"), text));
    }
    for (line, text) in &said {
        assert_eq!(leaks(text), None, "{line}:\n{text}");
    }
    assert!(
        said.iter().any(|(_, text)| text.contains("21.50")),
        "the price was told"
    );

    // The auditor's views have them, by name.
    desk.ok("export full");
    let ledger = std::fs::read_to_string(desk.path("full/ledger.csv")).unwrap();
    assert!(
        ledger.contains("777.77") && ledger.contains("999.99"),
        "{ledger}"
    );
    assert!(desk.ok("replay --explain 1").contains("777.77"));
}

#[test]
fn a_rehearsal_tells_nothing_that_follows_from_hidden_amounts() {
    let desk = Desk::ready();
    let times = "--starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z";
    for (id, reserve) in [(1, ""), (2, "--reserve 999.99")] {
        desk.ok(&format!(
            "create --id {id} --seller alice --title T --start-price 10 --steps 1 {reserve} {times}"
        ));
        desk.ok(&format!("bid {id} --bidder cid --max 555.55"));
        desk.ok(&format!("bid {id} --bidder ann --max 777.77"));
    }
    desk.write(
        "bids.csv",
        "auction_id,bidder,maximum\n1,bob,5000\n1,eve,600\n2,bob,5000\n1,eve,600\n1,eve,5\n",
    );
    // The price that a bid above the leader's maximum would make is that maximum and a step.
    let hidden = ["778.77", "777.77", "999.99", "1000.99", "555.55", "601.00"];
    for format in ["table", "json", "csv"] {
        for (line, code) in [
            ("bid 1 --bidder bob --max 5000 --dry-run", 0),
            ("bid 2 --bidder bob --max 5000 --dry-run", 0),
            ("bid 1 --bidder bob --max 600 --dry-run", 0),
            ("bid --file bids.csv --dry-run", 3),
        ] {
            let said = desk.run(&format!("{line} --format {format}"));
            assert_eq!(said.code, code, "{line}: {}", said.stderr);
            let all = said.stdout + &said.stderr;
            for amount in hidden.iter().chain(&["leading", "outbid"]) {
                // A key without a value says nothing.
                let all = all.replace("\"leading\":null", "").replace(",leading,", "");
                assert!(!all.contains(amount), "{line} {format}: {amount} in {all}");
            }
            assert!(all.contains("accepted"), "{all}");
        }
        // Refused: the public minimum is told.
        let low = desk.run(&format!(
            "bid 1 --bidder bob --max 5 --dry-run --format {format}"
        ));
        assert_eq!(low.code, 3);
        assert!((low.stdout + &low.stderr).contains("557.55"));
        // Without ann the price would follow from cid's maximum and the reserve alone.
        let void = format!("void 1 --bidder ann --all --reason x --dry-run --format {format}");
        let said = desk.ok(&void);
        assert!(said.contains("cid") && !said.contains("10.00"), "{said}");
    }
    // Nothing was kept: every rehearsal saw the same auction.
    assert!(
        desk.ok("show 1 --format json")
            .contains("\"price\":\"556.55\",\"minimum\":\"557.55\"")
    );
}

#[test]
fn a_maximum_in_a_wrong_place_is_not_repeated() {
    let desk = Desk::with_guitar();
    for line in [
        "bid 7731 777.77",
        "bid 7731 -777.77",
        "bid 7731 --bidder x 777.77",
        "bid 777.77 --bidder x --max 1",
        "bid --bidder x --max 1 777.77",
        "bid 7731 --bidder '777.77 ' --max 1",
        "bid 7731 --bidder x --maximum=777.77",
        "bid 7731 --bidder x --max 1 --currency 777.77",
        "bid 7731 --bidder x --max 1 --request-id 777.77",
        "bid 7731 --bidder x --max 1 --format 777.77",
        "bid 7731 --bidder x --max 777.77 --max 777.77",
        "bid --file absent --max 777.77",
        "--format json 777.77 bid",
        "create --seller s --title T --start-price 5 --ends-in 7d 777.77",
        "amend 7731 777.77 --reason x",
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{line}: {}", said.stderr);
        assert_eq!(leaks(&said.stderr), None, "{line}: {}", said.stderr);
    }
    for rows in [
        "auction_id,bidder,777.77\n7731,ann,5000\n",
        "auction_id,bidder,maximum\n7731,777.77 ,5000\n",
        "auction_id,bidder,maximum\n777.77,ann,5000\n",
        "auction_id,bidder,maximum,currency\n7731,ann,5000,777.77\n",
        "auction_id,bidder,maximum\n7731,ann,5000,777.77\n",
        "{\"auction_id\":7731,\"bidder\":\"777.77 \",\"maximum\":\"1\"}",
        "{\"777.77\":7731,\"bidder\":\"ann\",\"maximum\":\"1\"}",
        "{\"auction_id\":777.77,\"bidder\":\"ann\",\"maximum\":\"1\"}",
    ] {
        desk.write("bids", rows);
        let said = desk.run("bid --file bids");
        assert_eq!(said.code, 2, "{rows}: {}", said.stderr);
        assert!(said.stderr.contains("bids:"), "{rows}: {}", said.stderr);
        assert_eq!(leaks(&said.stderr), None, "{rows}: {}", said.stderr);
    }
}
