//! A database with auctions of somebody else's, and runs on it.

use std::process::{Child, Command, Output, Stdio};

use gavel::auction::AuctionId;
use gavel::store::{Contract as _, Dossier, Scope};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::closer::hall::Hall;
use crate::support::cli::words;

/// A run's exit code, what it reports, and what it says beside that.
pub(super) struct Played {
    pub(super) code: i32,
    pub(super) report: Value,
    pub(super) said: String,
}

impl Played {
    /// A number of the report.
    pub(super) fn number(&self, name: &str) -> i64 {
        let value = self.report[name].as_i64();
        value.unwrap_or_else(|| panic!("{name}: {}", self.said))
    }

    /// Everything was as it had to be.
    pub(super) fn assert_right(&self) {
        assert_eq!(self.report["faults_listed"], Value::Array(Vec::new()));
        assert_eq!(self.report["replay"]["findings"], 0, "{}", self.said);
        assert_eq!(self.report["right"], true);
        assert_eq!(self.code, 0, "{}", self.said);
        assert_eq!(
            self.number("auctions_ended"),
            self.number("auctions_closed")
        );
        assert_eq!(self.number("bids_offered"), self.number("bids_answered"));
    }
}

pub(super) fn command(hall: &Hall, line: &str) -> Command {
    let mut command = hall.desk.command(&words(line));
    command
        .env("DATABASE_URL", hall.url())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A run that goes on beside the test.
pub(super) fn started(hall: &Hall, line: &str) -> Child {
    let mut command = command(hall, &format!("burst --format json {line}"));
    command.spawn().unwrap()
}

pub(super) async fn ended(child: Child) -> Played {
    let waiting = tokio::task::spawn_blocking(|| child.wait_with_output());
    told(waiting.await.unwrap().unwrap())
}

pub(super) async fn played(hall: &Hall, line: &str) -> Played {
    ended(started(hall, line)).await
}

fn told(output: Output) -> Played {
    Played {
        code: output.status.code().unwrap_or(-1),
        report: serde_json::from_slice(&output.stdout).unwrap_or_default(),
        said: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Everything that is stored, by id.
pub(super) async fn stored(hall: &Hall) -> Vec<Dossier> {
    let (out, mut chunks) = mpsc::channel(1);
    let collect = async {
        let mut all = Vec::new();
        while let Some(chunk) = chunks.recv().await {
            all.extend(chunk);
        }
        all
    };
    let reading = hall.store.dossiers_read(&Scope::All, out);
    let (read, all) = tokio::join!(reading, collect);
    read.unwrap();
    all
}

/// How many auctions of runs there are.
pub(super) async fn of_runs(hall: &Hall) -> usize {
    let all = stored(hall).await;
    let of_run = |dossier: &&Dossier| dossier.auction_id >= AuctionId::BURST_MIN;
    all.iter().filter(of_run).count()
}

/// Waits until a run's auctions end: one of them is closed.
pub(super) async fn until_closing(hall: &Hall) {
    hall.until(async || {
        let all = stored(hall).await;
        let closed = all.iter().filter(|dossier| {
            // The first is closed by the time that the load begins: the probe's is last.
            dossier.auction_id >= AuctionId::BURST_MIN && !dossier.events.is_empty()
        });
        closed.count() > 2
    })
    .await;
}
