//! Runs that are stopped, killed or cut off, and closers of others'.

use std::process::Child;

use super::stage::{ended, of_runs, played, started, stored, until_closing};
use crate::closer::hall::{Hall, on_both};
use crate::support::postgres::OwnServer;

on_both!(
    a_signal_stops_it_and_cleans_up,
    a_signal_before_the_load_leaves_nothing,
    without_clean_up_it_says_how_to_remove,
    a_killed_run_is_removed_later,
    two_runs_at_once_do_not_meet,
    daemons_of_others_are_measured,
    without_a_closer_it_says_what_is_open,
);

const LONG: &str = "seven-pm --rate 50 --for 60s --warm-up 0";

fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args([signal, &pid])
        .status();
    assert!(sent.unwrap().success());
}

async fn a_signal_stops_it_and_cleans_up(hall: Hall) {
    hall.overdue(2).await;
    let before = stored(&hall).await;
    for name in ["-INT", "-TERM"] {
        let run = started(&hall, &format!("{LONG} --cleanup"));
        until_closing(&hall).await;
        signal(&run, name);
        let run = ended(run).await;
        assert_eq!(run.code, 130, "{}", run.said);
        assert!(run.said.contains("removed run"), "{}", run.said);
        assert_eq!(stored(&hall).await, before, "{name}");
    }
}

async fn a_signal_before_the_load_leaves_nothing(hall: Hall) {
    let run = started(&hall, &format!("{LONG} --cleanup"));
    hall.until(async || of_runs(&hall).await > 0).await;
    signal(&run, "-INT");
    let run = ended(run).await;
    assert_eq!(run.code, 130, "{}", run.said);
    assert_eq!(of_runs(&hall).await, 0);
}

async fn without_clean_up_it_says_how_to_remove(hall: Hall) {
    let run = started(&hall, LONG);
    until_closing(&hall).await;
    signal(&run, "-INT");
    let run = ended(run).await;
    assert_eq!(run.code, 130, "{}", run.said);
    assert!(run.said.contains("gavel burst --remove "), "{}", run.said);
    assert_eq!(of_runs(&hall).await, 3_001);
    let removed = played(&hall, "--remove all").await;
    assert_eq!(removed.code, 0, "{}", removed.said);
    assert_eq!(of_runs(&hall).await, 0);
}

async fn a_killed_run_is_removed_later(hall: Hall) {
    let mut run = started(&hall, &format!("{LONG} --cleanup"));
    until_closing(&hall).await;
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(of_runs(&hall).await, 3_001);
    let removed = played(&hall, "--remove all").await;
    assert_eq!(removed.code, 0, "{}", removed.said);
    assert_eq!(of_runs(&hall).await, 0);
}

async fn two_runs_at_once_do_not_meet(hall: Hall) {
    let runs = [1, 2].map(|seed| {
        let line = "steady --rate 40 --auctions 20 --for 2s --warm-up 0 --cleanup --seed";
        started(&hall, &format!("{line} {seed}"))
    });
    for run in runs {
        ended(run).await.assert_right();
    }
    assert_eq!(of_runs(&hall).await, 0);
}

async fn daemons_of_others_are_measured(hall: Hall) {
    let mut daemons = [
        hall.daemon("one", "--strategy claim"),
        hall.daemon("two", "--strategy batch"),
    ];
    let line = "seven-pm --rate 40 --for 2s --external-closer --cleanup";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(run.report["closer"], "external");
    assert_eq!(run.number("lag_count"), 80);
    for daemon in &mut daemons {
        daemon.kill();
    }
}

async fn without_a_closer_it_says_what_is_open(hall: Hall) {
    let line = "seven-pm --rate 5 --for 1s --warm-up 0 --external-closer --cleanup";
    let run = played(&hall, &format!("{line} --close-patience 2s")).await;
    assert_eq!(run.code, 4, "{}", run.said);
    assert_eq!(run.report["right"], false);
    assert_eq!(run.number("faults"), 5);
    assert_eq!(run.report["faults_listed"][0]["kind"], "not-closed");
    assert!(run.said.contains("does a daemon run"), "{}", run.said);
    // Evidence is not cleaned up.
    assert_eq!(of_runs(&hall).await, 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_and_comes_back_is_awaited() {
    let server = OwnServer::start().await;
    let hall = Hall::of(&server);
    // What was answered must be there again.
    let durable = "alter database ticking set synchronous_commit = on";
    hall.raw("", durable).await;
    let line = "seven-pm --rate 100 --for 6s --warm-up 0 --strategy";
    for strategy in ["batch", "claim"] {
        let run = started(&hall, &format!("{line} {strategy}"));
        until_closing(&hall).await;
        server.kill();
        server.start_again();
        let run = ended(run).await;
        run.assert_right();
        assert_eq!(run.number("auctions_closed"), 600);
        let removed = played(&hall, "--remove all").await;
        assert_eq!(removed.code, 0, "{}", removed.said);
    }
}
