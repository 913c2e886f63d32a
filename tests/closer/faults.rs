//! Daemons that are killed or put to sleep, and databases that go away: at the end every auction
//! is closed once, with one event, and the audit finds nothing.

use gavel::auction::Remit;
use gavel::store::Contract as _;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use sqlx::Executor as _;

use super::hall::{Hall, on_both};
use crate::support::postgres::OwnServer;

on_both!(
    killed_anywhere_the_next_goes_on,
    killed_between_claim_and_close_the_next_reaps,
    a_closer_that_slept_past_its_claims_changes_nothing,
);

/// How many daemons are killed in a test.
const KILLS: usize = 50;

/// Killed at random: after so many closes, and wherever it is then.
async fn killed(hall: Hall, options: &str) {
    const LOTS: i64 = 1_000;
    hall.overdue(LOTS).await;
    let due = async || hall.store.backlog(Remit::ALL).await.unwrap().due;
    let mut rng = StdRng::seed_from_u64(7);
    let mut targets: Vec<i64> = (0..KILLS).map(|_| rng.random_range(1..LOTS)).collect();
    targets.sort_unstable_by(|one, other| other.cmp(one));
    let mut at_work = 0;
    for (number, target) in targets.iter().enumerate() {
        let options = format!("{options} --batch {}", rng.random_range(1..=9));
        let mut daemon = hall.daemon(&format!("killed-{number}"), &options);
        hall.until(async || due().await <= *target).await;
        daemon.kill();
        at_work += usize::from(due().await > 0);
    }
    assert!(
        at_work >= KILLS / 2,
        "they closed everything before they were killed"
    );
    let mut last = hall.daemon("last", options);
    hall.until_closed(1_000).await;
    assert_eq!(last.stop(), Some(0));
    hall.all_closed_once(1_000).await;
}

async fn killed_anywhere_the_next_goes_on(hall: Hall) {
    killed(hall, "").await;
}

async fn killed_between_claim_and_close_the_next_reaps(hall: Hall) {
    let options = "--strategy claim --claim-timeout 300ms --interval 100ms";
    killed(hall, options).await;
}

async fn a_closer_that_slept_past_its_claims_changes_nothing(hall: Hall) {
    hall.overdue(300).await;
    let options = "--batch 2 --strategy claim --claim-timeout 300ms --interval 100ms";
    let mut sleepers = Vec::new();
    for number in 1..=4 {
        let sleeper = hall.daemon(&format!("sleeper-{number}"), options);
        hall.until_closed(30 * number).await;
        sleeper.signal("-STOP");
        // Who sleeps on the write lock of a file lets nobody work.
        while !hall.is_writable().await {
            sleeper.signal("-CONT");
            sleeper.signal("-STOP");
        }
        sleepers.push(sleeper);
    }
    let mut awake = hall.daemon("awake", options);
    hall.until_closed(300).await;
    for sleeper in &sleepers {
        sleeper.signal("-CONT");
    }
    for sleeper in &mut sleepers {
        assert_eq!(sleeper.stop(), Some(0));
    }
    assert_eq!(awake.stop(), Some(0));
    hall.all_closed_once(300).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_signal_ends_it_at_once() {
    let hall = Hall::postgres().await;
    hall.lots(3, |_| 500).await;
    let mut other = hall.owner().await;
    let lock = "begin; lock table gavel.auctions in access exclusive mode";
    other.execute(lock).await.unwrap();
    let mut daemon = hall.daemon("closer", "");
    hall.until_waiting(1).await;
    daemon.signal("-TERM");
    // Until the first was heard the two could be one.
    hall.until_waiting(1).await;
    while daemon.is_running() {
        daemon.signal("-TERM");
    }
    assert_eq!(daemon.ended(), Some(130));
    other.execute("rollback").await.unwrap();
    let mut next = hall.daemon("next", "");
    hall.until_closed(3).await;
    assert_eq!(next.stop(), Some(0));
    hall.all_closed_once(3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_cut_are_made_again() {
    for options in [
        "--batch 3",
        "--batch 3 --strategy claim --claim-timeout 300ms",
    ] {
        let hall = Hall::postgres().await;
        hall.lots(400, |n| 800 + 10 * n).await;
        // The test's own connections are not cut.
        let url = format!("{}&application_name=cut", hall.url());
        let mut daemon = hall.daemon_with("closer", options, &[("DATABASE_URL", &url)]);
        let mut owner = hall.owner().await;
        for round in 1..=20 {
            hall.until_closed(15 * round).await;
            let cut = "select pg_terminate_backend(pid) from pg_stat_activity
                       where datname = current_database() and application_name = 'cut'";
            owner.execute(cut).await.unwrap();
        }
        hall.until_closed(400).await;
        assert_eq!(daemon.stop(), Some(0));
        hall.all_closed_once(400).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_away_is_awaited() {
    let server = OwnServer::start().await;
    let hall = Hall::of(&server);
    hall.lots(200, |n| 1_000 + 10 * n).await;
    let mut daemons = [
        hall.daemon("batch", "--batch 5"),
        hall.daemon("claim", "--batch 5 --strategy claim --claim-timeout 500ms"),
    ];
    hall.until_closed(20).await;
    server.stop();
    for daemon in &daemons {
        hall.until_said(daemon, "failure 2, next try in").await;
    }
    server.start_again();
    for daemon in &daemons {
        hall.until_said(daemon, "the database answers again").await;
    }
    hall.until_closed(200).await;
    for daemon in &mut daemons {
        assert_eq!(daemon.stop(), Some(0));
    }
    hall.all_closed_once(200).await;
}

/// Killed with all its sessions, as by the end of memory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_loses_nothing() {
    let server = OwnServer::start().await;
    let hall = Hall::of(&server);
    let keep = "alter database ticking set synchronous_commit = on";
    hall.owner().await.execute(keep).await.unwrap();
    hall.lots(600, |n| 1_000 + 10 * n).await;
    let mut daemons = [
        hall.daemon("batch", "--batch 5"),
        hall.daemon("claim", "--batch 5 --strategy claim --claim-timeout 500ms"),
        hall.daemon("ticks", "--interval 50ms --no-look-ahead"),
    ];
    for round in 1..=5 {
        hall.until_closed(80 * round).await;
        server.kill();
        server.start_again();
    }
    hall.until_closed(600).await;
    let mut told = 0;
    for daemon in &mut daemons {
        assert_eq!(daemon.stop(), Some(0));
        told += hall.told(daemon);
    }
    // An answer may be lost, a close that was told may not.
    assert!(told <= 600, "{told}");
    hall.all_closed_once(600).await;
}
