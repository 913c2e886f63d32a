//! What a daemon lets be seen of its work: its log, its metrics, and what a service manager hears.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use serde_json::Value;

use super::hall::{Daemon, Hall, on_both};

on_both!(
    metrics_tell_what_was_closed_and_how_it_stands,
    a_log_has_an_event_for_what_happened,
);

/// The events of its log so far.
fn events(hall: &Hall, daemon: &Daemon) -> Vec<Value> {
    let log = hall.said(daemon, "err");
    let whole = log.rsplit_once('\n').map_or("", |(lines, _)| lines);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect()
}

/// Where it serves its metrics.
async fn address(hall: &Hall, daemon: &Daemon) -> String {
    hall.until_said(daemon, "/metrics\"").await;
    let events = events(hall, daemon);
    let message = events.iter().filter_map(|event| event["message"].as_str());
    let mut url = message.filter_map(|message| message.strip_prefix("metrics at http://"));
    url.next().unwrap().replace("/metrics", "")
}

fn asked(address: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn metrics(address: &str) -> String {
    let answer = asked(address, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("application/openmetrics-text"), "{head}");
    assert!(
        head.contains(&format!("Content-Length: {}\r\n", body.len())),
        "{head}"
    );
    body.to_owned()
}

fn value(metrics: &str, name: &str) -> f64 {
    let lines = metrics.lines();
    let mut values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    values
        .next()
        .unwrap_or_else(|| panic!("{name}: {metrics}"))
        .parse()
        .unwrap()
}

async fn metrics_tell_what_was_closed_and_how_it_stands(hall: Hall) {
    hall.lots(5, |n| if n == 5 { 3_600_000 } else { 700 }).await;
    let options = "--metrics 127.0.0.1:0 --log-format json --shards 0-31";
    let mut daemon = hall.daemon("closer", options);
    let address = address(&hall, &daemon).await;
    hall.until_closed(4).await;
    hall.until(async || value(&metrics(&address), "gavel_close_lag_seconds_count") == 4.0)
        .await;
    // How the database stands is asked once a second at most.
    hall.until(async || value(&metrics(&address), "gavel_outbox_pending_events") == 4.0)
        .await;
    let told = metrics(&address);
    for (name, expected) in [
        ("gavel_auctions_closed_total{result=\"no-bids\"}", 4.0),
        ("gavel_auctions_closed_total{result=\"sold\"}", 0.0),
        ("gavel_close_lag_seconds_bucket{le=\"+Inf\"}", 4.0),
        ("gavel_database_up", 1.0),
        ("gavel_due_auctions", 0.0),
        ("gavel_due_oldest_age_seconds", 0.0),
        ("gavel_skipped_auctions", 0.0),
        ("gavel_claims_reaped_total", 0.0),
    ] {
        assert_eq!(value(&told, name), expected, "{name}");
    }
    assert!(value(&told, "gavel_outbox_oldest_age_seconds") > 0.0);
    assert!(told.ends_with("# EOF\n"));
    for (request, status) in [
        ("GET /metrics?x=1 HTTP/1.0\r\n\r\n", "200 OK"),
        ("GET / HTTP/1.1\r\n\r\n", "404 Not Found"),
        ("POST /metrics HTTP/1.1\r\n\r\n", "405 Method Not Allowed"),
        ("nonsense\r\n\r\n", "400 Bad Request"),
        ("\r\n\r\n", "400 Bad Request"),
    ] {
        let answer = asked(&address, request.as_bytes());
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}\r\n")),
            "{request}: {answer}"
        );
    }
    // Readers that say nothing, or go away, stop nobody.
    let silent: Vec<TcpStream> = (0..3)
        .map(|_| TcpStream::connect(&address).unwrap())
        .collect();
    drop(TcpStream::connect(&address).unwrap());
    assert_eq!(value(&metrics(&address), "gavel_database_up"), 1.0);
    assert_eq!(daemon.stop(), Some(0));
    drop(silent);
}

async fn a_log_has_an_event_for_what_happened(hall: Hall) {
    hall.lots(3, |_| 700).await;
    let mut daemon = hall.daemon("closer", "--log-format json");
    hall.until_closed(3).await;
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(hall.said(&daemon, "out"), "", "one stream");
    let events = events(&hall, &daemon);
    for event in &events {
        assert!(
            event["timestamp"].is_string() && event["level"] == "INFO",
            "{event}"
        );
    }
    let closed = events.iter().filter(|event| event["message"] == "closed");
    let closed: u64 = closed.map(|event| event["closed"].as_u64().unwrap()).sum();
    assert_eq!(closed, 3);
    assert_eq!(
        events.last().unwrap()["message"],
        "stopped: 3 auctions closed"
    );
    let mut text = hall.daemon("text", "--log-format text");
    hall.until_said(&text, " INFO closing auctions at their ends")
        .await;
    assert_eq!(text.stop(), Some(0));
}

/// The rights that the guide asks for are enough, metrics and claims included.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closers_rights_are_enough() {
    let hall = Hall::of_a_closer().await;
    hall.lots(20, |n| 700 + 20 * n).await;
    let options = "--metrics 127.0.0.1:0 --log-format json --interval 100ms";
    let mut daemons = [
        hall.daemon("batch", &format!("{options} --shards 0-15")),
        hall.daemon(
            "claim",
            &format!("{options} --shards 16-31 --strategy claim"),
        ),
    ];
    hall.until_closed(20).await;
    for daemon in &mut daemons {
        let address = address(&hall, daemon).await;
        hall.until(async || value(&metrics(&address), "gavel_outbox_pending_events") == 20.0)
            .await;
        assert_eq!(daemon.stop(), Some(0));
    }
    hall.all_closed_once(20).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_manager_hears_of_its_life() {
    let hall = Hall::sqlite().await;
    hall.lots(1, |_| 600).await;
    let path = hall.desk.path("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let heard = |wanted: &str| {
        let mut message = [0; 4_096];
        loop {
            let length = manager.recv(&mut message).unwrap();
            let text = String::from_utf8_lossy(&message[..length]);
            if text.lines().any(|line| line.starts_with(wanted)) {
                return;
            }
        }
    };
    let variables = [
        ("NOTIFY_SOCKET", path.to_str().unwrap()),
        ("WATCHDOG_USEC", "600000"),
    ];
    let mut daemon = hall.daemon_with("closer", "", &variables);
    heard("READY=1");
    heard("WATCHDOG=1");
    heard("STATUS=1 auction closed since the start");
    heard("WATCHDOG=1");
    daemon.signal("-TERM");
    heard("STOPPING=1");
    assert_eq!(daemon.ended(), Some(0));
    hall.all_closed_once(1).await;
}
