//! A reader that goes away, a device that is full, and signals.

use std::io::Read as _;
use std::process::{Command, Stdio};

use crate::support::cli::{Desk, words};

fn long_list() -> Desk {
    let desk = Desk::ready();
    let mut rows = String::from("id,seller,title,start_price,ends_at\n");
    for id in 1..=3_000 {
        rows.push_str(&format!(
            "{id},seller,A lot with a fairly long title {id},5,2099-01-01T00:00Z\n"
        ));
    }
    desk.write("lots.csv", rows);
    assert_eq!(desk.run("create --file lots.csv --quiet").code, 0);
    desk
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let desk = long_list();
    for format in ["table", "json", "csv"] {
        let mut child = desk
            .command(&["list", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut first = [0; 64];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), stderr.as_str()),
            (Some(0), ""),
            "{format}"
        );
    }
}

/// A file of so many lots, and one with a bid on each.
fn lots_and_bids(desk: &Desk, number: u32) {
    let mut lots = String::from("id,seller,title,start_price,steps,ends_at\n");
    let mut bids = String::from("auction_id,bidder,maximum\n");
    for id in 1..=number {
        lots.push_str(&format!("{id},seller,Lot {id},5,1,2099-01-01T00:00Z\n"));
        bids.push_str(&format!("{id},ann,50\n"));
    }
    desk.write("lots.csv", lots);
    desk.write("bids.csv", bids);
}

#[test]
fn a_closed_pipe_does_not_stop_the_writing() {
    for format in ["table", "json", "csv"] {
        let desk = Desk::ready();
        lots_and_bids(&desk, 1_200);
        for command in ["create", "bid"] {
            let file = if command == "create" {
                "lots.csv"
            } else {
                "bids.csv"
            };
            let mut child = desk
                .command(&[command, "--file", file, "--format", format])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            drop(child.stdout.take().unwrap());
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(0), "{format}: {stderr}");
            assert!(stderr.contains("1200 "), "{format}: {stderr}");
        }
        let listed = desk.ok("list --format csv");
        assert_eq!(listed.lines().count(), 1_201, "{format}");
        assert_eq!(listed.matches(",5.00,1,").count(), 1_200, "{format}");
    }
}

#[test]
fn a_closed_pipe_changes_no_exit_code() {
    let desk = Desk::with_guitar();
    let run = |line: &str| {
        let mut child = desk
            .command(&words(line))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take().unwrap());
        child.wait().unwrap().code()
    };
    assert_eq!(run("bid 7731 --bidder ann --max 5000"), Some(0));
    assert_eq!(run("bid 7731 --bidder bob --max 1 --format json"), Some(3));
    assert_eq!(run("doctor --database-url sqlite:absent.db"), Some(1));
    assert!(desk.ok("show 7731").contains("ann"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_done_is_told_where_the_result_cannot_be_written() {
    let desk = Desk::with_guitar();
    lots_and_bids(&desk, 3);
    let run = |line: &str| {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = desk.command(&words(line)).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}: {stderr}");
        stderr
    };
    let id = "018f3c5e-7b1a-4c2d-9e4f-0123456789ab";
    for format in ["table", "json", "csv"] {
        let said = run(&format!(
            "bid 7731 --bidder ann --max 5000 --request-id {id} --format {format}"
        ));
        assert!(
            said.contains("it is done, but the result could not be written"),
            "{said}"
        );
        assert!(said.contains(id) && said.contains("1000.00 USD"), "{said}");
    }
    let said = run("bid 7731 --bidder bob --max 5000 --dry-run");
    assert!(
        !said.contains("it is done") && said.contains("nothing was written"),
        "{said}"
    );
    let said = run("create --file lots.csv --format json");
    assert!(
        said.contains("it is done") && said.contains("3 auctions created"),
        "{said}"
    );
    let said = run("bid --file bids.csv");
    assert!(
        said.contains("it is done") && said.contains("3 bids accepted"),
        "{said}"
    );
    let said = run("bid 7731 --bidder bob --max 1 --format json");
    assert!(said.contains("below") || said.contains("too low"), "{said}");
    for line in [
        "cancel 3 --reason x",
        "watchlist add 1 --watcher w",
        "export out",
        "migrate",
    ] {
        assert!(run(line).contains("it is done"), "{line}");
    }
    // A reading command has done nothing.
    assert!(!run("show 7731").contains("it is done"));
    assert_eq!(desk.ok("list --format csv").lines().count(), 5);
}

#[cfg(unix)]
#[test]
fn signals_end_with_130_even_while_the_input_is_silent() {
    ends_with_130("-INT");
    ends_with_130("-TERM");
}

#[cfg(unix)]
fn ends_with_130(signal: &str) {
    let desk = Desk::ready();
    let pipe = desk.path("lots.csv");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = desk
        .command(&["create", "--file", "lots.csv"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Opening to write returns when the process has opened to read: now it waits for input.
    let silent = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
            .status()
            .unwrap()
            .success()
    );
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted"), "{stderr}");
    drop(silent);
}
