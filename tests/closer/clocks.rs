//! Closers on hosts whose clock is wrong by ten minutes, or jumps (libfaketime). Where there is a
//! server its clock decides. A file's closers have this machine's alone: they close by it, early
//! or late, but once, and never before the end by the clock they have.

use std::process::Command;

use gavel::auction::{Refusal, Remit};
use gavel::clock::Clock;
use gavel::store::{Contract as _, Reply, Store};

use super::hall::{Daemon, Hall};
use crate::support::drive::COMMIT;
use crate::support::make::{MINUTE, at};

const STRATEGIES: [&str; 2] = [
    "--batch 3",
    "--batch 3 --strategy claim --claim-timeout 300ms",
];

/// What makes a program's clock wrong. How long something takes stays right.
fn library() -> String {
    let output = Command::new("faketime")
        .args(["-m", "-f", "+0", "env"])
        .output();
    let output = output.expect(
        "these tests set a closer's clock wrong and find no faketime: install the Debian package \
         faketime (or its like)",
    );
    let variables = String::from_utf8(output.stdout).unwrap();
    let mut lines = variables.lines();
    let library = lines.find_map(|line| line.strip_prefix("LD_PRELOAD="));
    library.unwrap().to_owned()
}

impl Hall {
    /// A daemon whose clock is wrong by so many seconds.
    fn wrong(&self, seconds: &str, options: &str) -> Daemon {
        let variables = [
            ("LD_PRELOAD", &*library()),
            ("FAKETIME", seconds),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ];
        self.daemon_with(&format!("by{seconds}"), options, &variables)
    }

    /// One whose clock is wrong by what a file says.
    fn jumping(&self, options: &str) -> Daemon {
        let path = self.desk.path("clock");
        let variables = [
            ("LD_PRELOAD", &*library()),
            ("FAKETIME_TIMESTAMP_FILE", path.to_str().unwrap()),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ];
        self.daemon_with("jumping", options, &variables)
    }

    fn jump(&self, seconds: &str) {
        self.desk.write("clock.new", seconds);
        std::fs::rename(self.desk.path("clock.new"), self.desk.path("clock")).unwrap();
    }

    async fn due(&self) -> i64 {
        self.store.backlog(Remit::ALL).await.unwrap().due
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_decides_by_its_own_clock() {
    for seconds in ["+600", "-600"] {
        for options in STRATEGIES {
            let hall = Hall::postgres().await;
            hall.lots(40, |n| 700 + 20 * n).await;
            let mut daemon = hall.wrong(seconds, options);
            hall.until_closed(40).await;
            assert_eq!(daemon.stop(), Some(0));
            assert_eq!(hall.told(&daemon), 40);
            for row in hall.all_closed_once(40).await {
                let lag_us = row.closed_at.unwrap().since(row.end);
                assert!(lag_us < 5 * MINUTE, "{lag_us}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_files_closer_that_is_ahead_closes_by_its_own_clock() {
    for options in STRATEGIES {
        let hall = Hall::sqlite().await;
        hall.lots(20, |n| if n > 10 { 300_000 } else { 600 + 10 * n })
            .await;
        let mut daemon = hall.wrong("+600", options);
        hall.until_closed(20).await;
        assert_eq!(daemon.stop(), Some(0));
        let rows = hall.all_closed_once(20).await;
        // Who has another clock finds it closed nevertheless.
        let reply = hall.store.bid_place(&hall.bid(20, 5_000), COMMIT).await;
        assert!(matches!(
            reply.unwrap(),
            Reply::Refused {
                refusal: Refusal::Ended { .. },
                ..
            }
        ));
        assert!(rows[19].end > hall.store.now().await.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_files_closer_that_is_behind_leaves_it_to_others() {
    for options in STRATEGIES {
        let hall = Hall::sqlite().await;
        hall.lots(20, |n| 600 + 10 * n).await;
        let mut behind = hall.wrong("-600", options);
        let mut right = hall.daemon("right", options);
        hall.until_closed(20).await;
        assert_eq!((behind.stop(), right.stop()), (Some(0), Some(0)));
        assert_eq!((hall.told(&behind), hall.told(&right)), (0, 20));
        hall.all_closed_once(20).await;
    }
}

/// They reap each other's claims as they please.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closers_of_a_file_whose_clocks_differ_close_everything_once() {
    let mut hall = Hall::sqlite().await;
    let now_us = hall.store.now().await.unwrap().get();
    let before = Clock::settable(at(now_us - 20 * MINUTE));
    let before = Store::connect(&hall.url().parse().unwrap(), before, false).unwrap();
    let present = std::mem::replace(&mut hall.store, before);
    hall.lots(300, |n| n).await;
    hall.store = present;
    assert_eq!(hall.due().await, 300);
    let options = "--batch 2 --strategy claim --claim-timeout 300ms --interval 20ms";
    let mut daemons = [
        hall.wrong("+600", options),
        hall.wrong("-600", options),
        hall.daemon("right", options),
        hall.daemon("batch", "--batch 2 --interval 20ms"),
    ];
    hall.until_closed(300).await;
    let mut told = 0;
    for daemon in &mut daemons {
        assert_eq!(daemon.stop(), Some(0));
        told += hall.told(daemon);
    }
    assert_eq!(told, 300);
    hall.all_closed_once(300).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_closes_nothing_twice() {
    for options in STRATEGIES {
        let hall = Hall::sqlite().await;
        hall.jump("+0");
        hall.lots(40, |n| if n > 30 { 300_000 } else { 800 + 40 * n })
            .await;
        let mut daemon = hall.jumping(&format!("{options} --interval 100ms"));
        hall.until_closed(5).await;
        hall.jump("-600");
        hall.until(async || hall.due().await >= 5).await;
        hall.jump("+0");
        hall.until_closed(20).await;
        hall.jump("+600");
        hall.until_closed(40).await;
        assert_eq!(daemon.stop(), Some(0));
        assert_eq!(hall.told(&daemon), 40);
        hall.all_closed_once(40).await;
    }
}
