//! close, close-sweep and doctor.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::schemas;
use crate::support::cli::{Desk, masking, words};

fn ended() -> Desk {
    let desk = Desk::with_guitar();
    let (store, _) = desk.store_at("2026-01-02T00:00:00Z");
    for id in [1, 2, 3] {
        desk.past_auction(&store, id, "2026-01-03T00:00:00Z");
    }
    desk.past_bid(&store, 1, "ann", 20_000);
    desk
}

#[test]
fn close_closes_once() {
    let desk = ended();
    let said = desk.transcript(&[
        "close 1 --dry-run",
        "close 1",
        "close 1",
        "close 2",
        "close 7731",
        "close 9",
        "close 7731 --format json",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r#"
        $ gavel close 1 --dry-run
        dry run: auction 1 is closed: sold to ann for 100.00 USD; nothing was written
          ended        2026-01-03T00:00:00Z
          closed       [time]
          event        1.closed
          ledger head  [sha256]
        $ gavel close 1
        auction 1 is closed: sold to ann for 100.00 USD
          ended        2026-01-03T00:00:00Z
          closed       [time]
          event        1.closed
          ledger head  [sha256]
        $ gavel close 1
        auction 1 was closed before: sold to ann for 100.00 USD
          ended        2026-01-03T00:00:00Z
          closed       [time]
          event        1.closed
          ledger head  [sha256]
        $ gavel close 2
        auction 2 is closed: no bids, unsold
          ended        2026-01-03T00:00:00Z
          closed       [time]
          event        2.closed
          ledger head  [sha256]
        $ gavel close 7731
        ! refused: auction 7731: its end is still ahead (not-due)
        !   ends         [time]
        !   server time  [time]
        [exit 3]
        $ gavel close 9
        ! refused: auction 9: there is no such auction (not-found)
        [exit 3]
        $ gavel close 7731 --format json
        {"auction_id":7731,"outcome":"not-due","result":null,"winner":null,"currency":null,"price":null,"ends_at":"[time]","closed_at":null,"event_id":null,"ledger_head":null,"server_time":"[time]","dry_run":false}
        ! refused: auction 7731: its end is still ahead (not-due)
        !   ends         [time]
        !   server time  [time]
        [exit 3]
        "#);
    });
}

#[test]
fn a_sweep_closes_what_is_due_and_then_nothing() {
    let desk = ended();
    let sums = |line: &str| -> serde_json::Value {
        serde_json::from_str(&desk.ok(&format!("{line} --format json"))).unwrap()
    };
    assert_eq!(sums("close-sweep --dry-run")["closed"], 3);
    let first = sums("close-sweep --batch 2");
    assert_eq!(
        (&first["closed"], &first["sold"], &first["no_bids"]),
        (&3.into(), &1.into(), &2.into())
    );
    assert_eq!(sums("close-sweep")["closed"], 0);
    let said = desk.transcript(&["close-sweep"]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel close-sweep
        ! nothing was due
        ");
    });
}

#[test]
fn a_sweep_takes_the_shards_and_the_strategy_it_is_told() {
    let desk = ended();
    let sums = |line: &str| -> serde_json::Value {
        serde_json::from_str(&desk.ok(&format!("{line} --format json"))).unwrap()
    };
    // Auctions 1, 2 and 3 lie in shards 19, 7 and 27.
    assert_eq!(
        sums("close-sweep --shards 0-6,8-18,20-26,28-31")["closed"],
        0
    );
    assert_eq!(
        sums("close-sweep --shards 7,27 --strategy claim")["closed"],
        2
    );
    assert_eq!(sums("close-sweep --strategy claim")["closed"], 1);
    assert!(desk.ok("replay").contains("clean"));
    for (option, named) in [
        ("--shards 32", "0 to 31"),
        ("--shards 7-0", "0 to 31"),
        ("--strategy other", "claim"),
        ("--claim-timeout 0s", "--claim-timeout"),
    ] {
        let said = desk.run(&format!("close-sweep {option}"));
        assert_eq!(said.code, 2, "{option}");
        assert!(said.stderr.contains(named), "{option}: {}", said.stderr);
    }
}

/// What a daemon says in a format until so many lines have come, and all of its standard error.
fn said_by_a_daemon(desk: &Desk, format: &str, lines: usize) -> (Vec<String>, String) {
    let mut daemon = desk
        .command(&words(&format!("close-sweep --daemon --format {format}")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(daemon.stdout.take().unwrap()).lines();
    let said = said.take(lines).map(Result::unwrap).collect();
    let id = daemon.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.unwrap().success());
    let output = daemon.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    (said, String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn a_daemon_says_a_line_when_something_was_closed() {
    let (json, words) = said_by_a_daemon(&ended(), "json", 1);
    let tick: serde_json::Value = serde_json::from_str(&json[0]).unwrap();
    let faults = schemas::faults(&schemas::kept("tick"), &tick);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!((&tick["closed"], &tick["sold"]), (&3.into(), &1.into()));
    let begun = "closing auctions at their ends, shards 0-31, looking every 1s\n";
    assert_eq!(words, format!("{begun}stopped: 3 auctions closed\n"));
    let (csv, _) = said_by_a_daemon(&ended(), "csv", 2);
    let header: Vec<&str> = csv[0].split(',').collect();
    assert_eq!(header.len(), tick.as_object().unwrap().len());
    assert!(
        header.iter().all(|name| tick.get(name).is_some()),
        "{header:?}"
    );
    let (table, _) = said_by_a_daemon(&ended(), "table", 1);
    let sums = "  3 auctions closed, 1 sold, 2 without bids, at most ";
    assert!(table[0].contains(sums), "{table:?}");
}

#[test]
fn the_guide_shows_the_unit_and_the_line_that_are_shipped() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let guide = read("docs/cron.md");
    let unit = read("examples/gavel-closer.service");
    assert!(guide.contains(&format!("```ini\n{unit}```\n")));
    let line = read("examples/gavel.crontab");
    assert!(guide.contains(line.lines().last().unwrap()));
    // What it starts is a line that gavel takes.
    let start = unit
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart="));
    let words = start.unwrap().split_once(' ').unwrap().1;
    let desk = Desk::bare();
    let said = desk.run(words);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("there is no database"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_daemon_takes_no_rehearsal_and_no_idle_options() {
    let desk = ended();
    for (options, named) in [
        ("--daemon --dry-run", "--dry-run"),
        ("--interval 2s", "--daemon"),
        ("--no-look-ahead", "--daemon"),
        ("--metrics 127.0.0.1:0", "--daemon"),
        ("--log-format json", "--daemon"),
        ("--daemon --metrics localhost", "--metrics"),
        ("--daemon --log-format csv", "json"),
        ("--daemon --interval 1ms", "--interval: from 10ms to 1h"),
        ("--daemon --interval 2h", "--interval: from 10ms to 1h"),
    ] {
        let said = desk.run(&format!("close-sweep {options}"));
        assert_eq!(said.code, 2, "{options}");
        assert!(said.stderr.contains(named), "{options}: {}", said.stderr);
    }
    assert_eq!(desk.run("close-sweep").code, 0);
}

#[test]
fn doctor_is_content_with_a_sound_database() {
    let desk = Desk::with_guitar();
    let said = desk.run("doctor --format json");
    assert_eq!(said.code, 0, "{}", said.stdout);
    let levels: Vec<serde_json::Value> = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(levels.len() > 8);
    for check in levels {
        assert_eq!(check["level"], "ok", "{check}");
    }
}

#[test]
fn doctor_names_what_is_wrong() {
    let bare = Desk::bare();
    let said = bare.run("doctor");
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("gavel migrate"), "{}", said.stderr);

    let late = ended();
    let said = late.run("doctor");
    assert_eq!(said.code, 0);
    assert!(
        said.stdout.contains("warn") && said.stderr.contains("close-sweep"),
        "{}",
        said.stdout
    );

    let garbage = Desk::bare();
    std::fs::create_dir_all(garbage.database().parent().unwrap()).unwrap();
    std::fs::write(
        garbage.database(),
        "not a database at all, by any measure".repeat(50),
    )
    .unwrap();
    let said = garbage.run("doctor");
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
}
