//! Command lines that do not hold together: exit 2, the option named, nothing written. Values that
//! are none stand in `inputs`.

use crate::support::cli::Desk;

#[test]
fn the_largest_amounts_are_taken_without_a_wrap() {
    let desk = Desk::ready();
    desk.ok("create --id 1 --seller alice --title T --start-price 1 --ends-in 7d");
    for (bidder, text) in [
        ("a", "21474836.47"),
        ("b", "30000000"),
        ("c", "9999999999999.99"),
        ("d", "10000000000000.00"),
    ] {
        assert_eq!(
            desk.run(&format!("bid 1 --bidder {bidder} --max {text}"))
                .code,
            0,
            "{text}"
        );
    }
    let refused = desk.run("bid 1 --bidder e --max 10000000000000.00");
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    let none = "no higher bid is possible";
    assert!(refused.stderr.contains(none), "{}", refused.stderr);
    assert!(desk.ok("show 1").contains(none));
    for format in ["json", "csv", "table"] {
        for line in [
            "show 1",
            "mine --bidder d",
            "bid 1 --bidder e --max 10000000000000.00",
        ] {
            let said = desk.run(&format!("{line} --format {format}"));
            let all = said.stdout + &said.stderr;
            assert!(!all.contains("10000000000100"), "{line} {format}: {all}");
        }
    }
}

#[test]
fn terms_that_do_not_hold_name_their_option() {
    let desk = Desk::with_guitar();
    for (options, option) in [
        ("--title T --start-price 5 --currency dollars", "--currency"),
        ("--title T --start-price 5 --currency usd", "--currency"),
        ("--title T --start-price 5 --currency XAU", "--currency"),
        ("--title T --start-price 5 --steps nonsense", "--steps"),
        ("--title T --start-price 5 --steps 10:1", "--steps"),
        ("--title T --start-price 5 --steps 1:5,2:1", "--steps"),
        ("--title T --start-price 5 --steps 0", "--steps"),
        ("--title T --start-price 5 --reserve -1", "--reserve"),
        ("--title T --start-price 5 --own-raise maybe", "--own-raise"),
        (
            "--title T --start-price 5 --soft-close-extend 5m",
            "--soft-close-extend",
        ),
        (
            "--title T --start-price 5 --soft-close-mode add",
            "needs --soft-close-window",
        ),
        (
            "--title T --start-price 5 --steps 1:1,1:2",
            "thresholds must ascend: 1.00 does not",
        ),
        (
            "--title T --start-price 5 --steps 1:5,2:1",
            "falls at threshold 2.00",
        ),
        (
            "--title T --start-price 5 --soft-close-window 8d",
            "--soft-close-window",
        ),
        (
            "--title T --start-price 5 --soft-close-window 5m --soft-close-mode sideways",
            "--soft-close-mode",
        ),
        (
            "--title T --start-price 5 --soft-close-window 5m --soft-close-trigger never",
            "--soft-close-trigger",
        ),
        (
            "--title T --start-price 5 --soft-close-window 5m --soft-close-cap 2020-01-01T00:00Z",
            "--soft-close-cap",
        ),
        ("--title '' --start-price 5", "--title"),
        ("--title ' ' --start-price 5", "--title"),
        ("--title 'a\tb' --start-price 5", "--title"),
        (
            "--title \u{200b}\u{2060}\u{feff} --start-price 5",
            "--title",
        ),
        ("--title a\u{202e}b --start-price 5", "--title"),
        ("--title a\u{2066}b --start-price 5", "--title"),
        ("--title 'a\u{2028}b' --start-price 5", "--title"),
        ("--start-price 5", "--title"),
        ("--title T", "--start-price"),
        ("--title T --start-price 5 --id 0", "--id"),
        ("--title T --start-price 5 --id 9007199254740992", "--id"),
        ("--title T --start-price 5 --request-id 12", "--request-id"),
    ] {
        let said = desk.run(&format!("create --seller alice --ends-in 7d {options}"));
        assert_eq!(said.code, 2, "{options}: {}", said.stderr);
        assert!(said.stderr.contains(option), "{options}: {}", said.stderr);
    }
    unchanged(&desk);
}

#[test]
fn commands_that_are_incomplete_or_contradict_themselves() {
    let desk = Desk::with_guitar();
    for line in [
        "nonsense",
        "bid",
        "bid 7731",
        "bid 7731 --bidder ann",
        "bid 7731 --bidder ann --max 5 --file x.csv",
        "bid seven --bidder ann --max 5",
        "bid -1 --bidder ann --max 5",
        "create",
        "create --file x.csv --title T",
        "create --skip-bad --seller a --title T --start-price 1 --ends-in 1d",
        "show",
        "show 1.5",
        "list --status ended",
        "list --limit 0",
        "list --format xml",
        "mine",
        "void 7731 --bidder ann --reason x",
        "void 7731 --bidder ann --all --latest --reason x",
        "void 7731 --bidder ann --seq 0 --reason x",
        "void 7731 --all --reason x",
        "cancel 7731",
        "cancel 7731 --reason ''",
        "amend 7731 --reason x",
        "amend 7731 --title T",
        "amend 7731 --reason x --reserve 5 --no-reserve",
        "amend 7731 --reason x --ends-in 1h --ends-at 2099-01-01T00:00Z",
        "watchlist",
        "watchlist add 7731",
        "migrate --roles",
        "close",
        "close-sweep --batch 0",
        "completions cobol",
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{line}: {}", said.stderr);
        assert!(said.stdout.is_empty() && !said.stderr.is_empty(), "{line}");
    }
    unchanged(&desk);
}

#[test]
fn a_negative_value_names_its_option() {
    let desk = Desk::with_guitar();
    for (line, option) in [
        (
            "create --seller s --title T --start-price 5 --ends-in 7d --id -1",
            "--id",
        ),
        (
            "create --seller s --title T --start-price 5 --ends-in -7d",
            "--ends-in",
        ),
        (
            "create --seller s --title T --start-price 5 --ends-in 7d --soft-close-window -5m",
            "--soft-close-window",
        ),
        ("replay --due-grace -1s", "--due-grace"),
        ("replay --claim-timeout -1s", "--claim-timeout"),
        ("replay --findings -1", "--findings"),
        ("replay --threads -1", "--threads"),
        ("list --limit -1", "--limit"),
        ("close-sweep --batch -1", "--batch"),
        ("demo --auctions -1", "--auctions"),
        ("show -1", "ID"),
        ("void 7731 --bidder ann --seq -1 --reason x", "--seq"),
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{line}: {}", said.stderr);
        let first = said.stderr.lines().next().unwrap_or_default();
        assert!(first.contains(option), "{line}: {}", said.stderr);
        assert!(!first.contains("unexpected argument"), "{line}: {first}");
    }
    unchanged(&desk);
}

/// Still one auction, still nothing but its first entry.
fn unchanged(desk: &Desk) {
    assert_eq!(desk.ok("list --format csv --quiet").lines().count(), 2);
    assert_eq!(desk.ok("history 7731 --format csv").lines().count(), 2);
}
