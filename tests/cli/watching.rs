//! `watch`, as a process beside others: its lines are read as they come.

use std::io::{BufRead as _, BufReader, Lines, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::schemas::{faults, kept};
use crate::support::backend::Backend as _;
use crate::support::cli::{Desk, masking, words};
use crate::support::drive::{accepted, opened};
use crate::support::make::terms;
use crate::support::postgres::Postgres;

/// A watch under way.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    fn start(desk: &Desk, line: &str) -> Self {
        Self::with(desk.command(&words(line)))
    }

    fn with(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next line, when it comes.
    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    fn event(&mut self) -> Value {
        let line = self.line();
        let event: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(faults(&kept("watch"), &event), [] as [String; 0], "{line}");
        event
    }

    /// The lines that are left, what was said beside them, and the exit code.
    fn rest(self) -> (Vec<String>, String, Option<i32>) {
        let lines = self.lines.map(Result::unwrap).collect();
        let output = self.child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (lines, stderr, output.status.code())
    }
}

/// Auction 7731 with a soft close.
fn desk() -> Desk {
    let desk = Desk::ready();
    desk.ok(
        "create --id 7731 --seller alice --title 'Guitar, 1962' --start-price 1000 --steps 100 \
         --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z --soft-close-window 2m",
    );
    desk
}

#[test]
fn every_event_is_a_line_and_the_last_is_the_result() {
    let desk = desk();
    desk.ok("bid 7731 --bidder ann --max 2000");
    let mut watch = Watch::start(&desk, "watch 7731");
    let mut told = vec![watch.line()];
    for line in [
        "bid 7731 --bidder bob --max 1500",
        "bid 7731 --bidder cyd --max 7777",
        "void 7731 --bidder cyd --all --actor ops --reason 'cyd asked, a typing error'",
        "amend 7731 --ends-at 2099-12-06T04:00Z --reason outage",
    ] {
        desk.ok(line);
        told.push(watch.line());
    }
    let (store, clock) = desk.store_at("2099-12-06T03:59:00Z");
    desk.past_bid(&store, 7731, "bob", 777_777);
    told.extend([watch.line(), watch.line()]);
    clock.set("2099-12-06T05:00:00Z".parse().unwrap());
    desk.past_close(&store, 7731);
    let (rest, stderr, code) = watch.rest();
    told.extend(rest);
    assert_eq!((stderr.as_str(), code), ("", Some(0)));
    let told = told.join("\n");
    for secret in ["777", "ann", "bob", "cyd"] {
        assert!(!told.contains(secret), "{told}");
    }
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"2026-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[now]");
    settings.add_filter(r"\(in \d+d \d+h\)", "([relative])");
    settings.bind(|| {
        insta::assert_snapshot!(told, @r"
        [now]  7731  Bidder 1 leads at 1000.00 USD, 1 bid, ends 2099-12-06T03:00:00Z ([relative]): Guitar, 1962
        [now]  7731  Bidder 2 bids: Bidder 1 leads at 1600.00 USD
        [now]  7731  Bidder 3 bids and leads at 2100.00 USD
        [now]  7731  ops voids seq 4 (Bidder 3 asked, a typing error): Bidder 1 leads at 1600.00 USD
        [now]  7731  operator amends (outage): +1h, ends 2099-12-06T04:00:00Z
        2099-12-06T03:59:00Z  7731  Bidder 2 bids and leads at 2100.00 USD
        2099-12-06T03:59:00Z  7731  extended +1m, ends 2099-12-06T04:01:00Z
        2099-12-06T05:00:00Z  7731  closed: sold to Bidder 2 for 2100.00 USD
        ");
    });
}

#[test]
fn json_lines_are_what_the_schema_says_for_two_auctions_at_once() {
    let desk = desk();
    let (store, _) = desk.store_at("2026-01-02T00:00:00Z");
    desk.past_reserve(&store, 5, "2026-01-03T00:00:00Z");
    desk.past_bid(&store, 5, "ann", 20_000);
    let mut watch = Watch::start(&desk, "watch 7731 5 7731 --format json --from-start");
    let mut seen = Vec::new();
    let mut next = |watch: &mut Watch| {
        let event = watch.event();
        let id = event["auction_id"].as_i64().unwrap();
        seen.push((id, event["event"].as_str().unwrap().to_owned()));
        event
    };
    for _ in 0..6 {
        next(&mut watch);
    }
    desk.ok("bid 7731 --bidder ann --max 5000");
    let bid = next(&mut watch);
    assert_eq!(
        (&bid["price"], &bid["minimum"]),
        (&"1000.00".into(), &"1100.00".into())
    );
    assert_eq!((&bid["who"], &bid["bids"]), (&"Bidder 1".into(), &1.into()));
    desk.ok("close 5");
    let close = next(&mut watch);
    assert_eq!(close["result"], "reserve-not-met");
    assert_eq!(
        (&close["winner"], &close["leader"]),
        (&Value::Null, &"Bidder 1".into())
    );
    desk.ok("cancel 7731 --reason withdrawn");
    let cancel = next(&mut watch);
    assert_eq!(
        (&cancel["reason"], &cancel["status"]),
        (&"withdrawn".into(), &"cancelled".into())
    );
    let (rest, stderr, code) = watch.rest();
    assert_eq!((rest.len(), stderr.as_str(), code), (0, "", Some(0)));
    let of = |id: i64| {
        let events = seen.iter().filter(|(of, _)| *of == id);
        events.map(|(_, event)| event.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(7731), ["create", "watching", "bid", "cancel"]);
    assert_eq!(of(5), ["create", "bid", "watching", "ended", "close"]);
}

#[test]
fn csv_has_its_header_once_and_the_same_columns() {
    let desk = desk();
    let (store, _) = desk.store_at("2026-01-02T00:00:00Z");
    desk.past_auction(&store, 5, "2026-01-03T00:00:00Z");
    let csv = desk.ok("watch 5 --until-end --format csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    let mut header: Vec<&str> = lines[0].split(',').collect();
    header.sort_unstable();
    let schema = kept("watch");
    let mut stated: Vec<&str> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    stated.sort_unstable();
    assert_eq!(header, stated);
    assert!(lines[2].starts_with("5,ended,due,"), "{csv}");
}

#[test]
fn what_is_over_or_absent_is_told_at_once() {
    let desk = desk();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    for id in [1, 2, 3] {
        desk.past_auction(&store, id, "2026-01-03T00:00:00Z");
    }
    desk.past_bid(&store, 1, "ann", 20_000);
    desk.past_cancel(&store, 3);
    clock.set("2026-01-04T00:00:00Z".parse().unwrap());
    desk.past_close(&store, 1);
    let said = desk.transcript(&[
        "watch 1 3",
        "watch 2 --until-end",
        "watch 2 9 7731 8",
        "watch",
        "watch 2 --patience never",
    ]);
    masking(|| {
        let mut settings = insta::Settings::clone_current();
        settings.add_filter(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ  (\d)", "[now]  $1");
        settings.bind(|| insta::assert_snapshot!(said, @r"
        $ gavel watch 1 3
        [now]  1  sold, 1 bid: Lot 1
        [now]  1  closed: sold to Bidder 1 for 100.00 USD
        [now]  3  cancelled, 0 bids: Lot 3
        $ gavel watch 2 --until-end
        [now]  2  due, nobody leads, 0 bids: Lot 2
        [now]  2  ended, waiting for the closer; as it stands: no bids, unsold
        $ gavel watch 2 9 7731 8
        ! refused: auction 9: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        ! refused: auction 8: there is no such auction (not-found)
        !   server time  [time]
        ! hint: gavel list shows the auctions there are
        [exit 3]
        $ gavel watch
        ! error: the following required arguments were not provided:
        !   <ID>...
        ! 
        ! Usage: gavel watch <ID>...
        ! 
        ! For more information, try '--help'.
        [exit 2]
        $ gavel watch 2 --patience never
        ! error: invalid value 'never' for '--patience <SPAN>': write a span as 90s, 5m, 2h30m or 7d, from 1us to 366 days
        ! 
        ! For more information, try '--help'.
        [exit 2]
        "));
    });
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_watch_with_130() {
    for signal in ["-INT", "-TERM"] {
        let desk = desk();
        let mut watch = Watch::start(&desk, "watch 7731");
        assert!(watch.line().contains("Guitar"));
        let id = watch.child.id().to_string();
        let killed = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(killed.success());
        let (rest, stderr, code) = watch.rest();
        assert_eq!(
            (rest.len(), stderr.as_str(), code),
            (0, "interrupted\n", Some(130))
        );
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_watch_quietly() {
    let desk = desk();
    let mut watch = Watch::start(&desk, "watch 7731");
    watch.line();
    let Watch { child, lines } = watch;
    drop(lines);
    desk.ok("bid 7731 --bidder ann --max 5000");
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

/// The way to a server, which can be cut.
struct Way {
    port: u16,
    server: String,
    traffic: JoinSet<()>,
}

impl Way {
    /// To the server of a URL; gives the URL of the way too.
    async fn to(url: &str) -> (Self, String) {
        let (_, place) = url.split_once("@localhost:").unwrap();
        let (server, database) = place.split_once('/').unwrap();
        let (database, _) = database.split_once('?').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut way = Self {
            port,
            server: format!("127.0.0.1:{server}"),
            traffic: JoinSet::new(),
        };
        way.carry(listener);
        let way_url = format!("postgres://tester@127.0.0.1:{port}/{database}?sslmode=disable");
        (way, way_url)
    }

    fn carry(&mut self, listener: TcpListener) {
        let server = self.server.clone();
        self.traffic.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let mut far = TcpStream::connect(&server).await.unwrap();
                connections.spawn(async move {
                    tokio::io::copy_bidirectional(&mut near, &mut far)
                        .await
                        .ok();
                });
            }
        });
    }

    async fn cut(&mut self) {
        self.traffic.shutdown().await;
    }

    async fn mend(&mut self) {
        let address = ("127.0.0.1", self.port);
        let listener = TcpListener::bind(address).await.unwrap();
        self.carry(listener);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_database_is_tried_again_for_a_while() {
    let backend = Postgres::fresh().await;
    opened(&backend, 1, terms()).await;
    let (mut way, url) = Way::to(&backend.url()).await;
    let desk = Desk::bare();
    let start = |line: &str| {
        let mut command = desk.command(&words(line));
        command.env("DATABASE_URL", &url);
        Watch::with(command)
    };
    let mut watch = start("watch 1");
    let mut hasty = start("watch 1 --patience 1us");
    watch.line();
    hasty.line();
    way.cut().await;
    let mut said = BufReader::new(watch.child.stderr.take().unwrap());
    let mut note = String::new();
    said.read_line(&mut note).unwrap();
    assert!(note.ends_with("; trying again\n"), "{note}");
    let (rest, stderr, code) = hasty.rest();
    assert_eq!((rest.len(), code), (0, Some(75)), "{stderr}");
    assert!(stderr.contains("trying again\nerror: "), "{stderr}");
    way.mend().await;
    accepted(&backend, 1, 2, "ann", 5_000).await;
    assert!(watch.line().contains("Bidder 1 bids"));
    watch.child.kill().unwrap();
    watch.child.wait().unwrap();
    let mut note = String::new();
    said.read_to_string(&mut note).unwrap();
    assert_eq!(note, "the database answers again\n");
}
