//! The daemon: closes auctions as they end, tick by tick, until it is asked to stop.
//!
//! Each tick reads what is due and what will be before the next one, sleeps to each instant by the
//! store's clock and closes then. A sweep is the safety net: it works off what has piled up. All
//! writes repeat their conditions, so a daemon that was away (stopped, cut off, restarted) only
//! looks again: a commit that got no answer shows in what is still due.

use std::time::{Duration, Instant};

use super::lanes;
use super::lookahead::Agenda;
use super::outage::{Outage, may_pass};
use super::reaper;
use super::report::{SweepReport, Tally};
use super::sweep::SweepOptions;
use super::worker::Worker;
use crate::auction::{AuctionId, Micros};
use crate::clock::Reading;
use crate::shutdown::Shutdown;
use crate::store::{Closed, Contract, Ending, StoreError, StoreErrorKind};

/// How many ends are read at once.
const AHEAD_MAX: u32 = 10_000;
/// A connection can be lost without a word; a step that takes longer than this is given up.
const ANSWER: Duration = Duration::from_secs(60);

/// How to run.
#[derive(Debug, Clone)]
pub struct DaemonOptions {
    /// How to close.
    pub sweep: SweepOptions,
    /// From tick to tick.
    pub interval: Duration,
    /// Close at the ends; otherwise at the next tick.
    pub look_ahead: bool,
}

/// What happened.
#[derive(Debug, Clone, Copy)]
pub enum Notice<'a> {
    /// A batch was recorded.
    Closed(&'a [Closed]),
    /// A tick is over in which something happened.
    Tick(&'a SweepReport),
    /// The database failed, so many times in a row; the next try comes after the pause.
    Lost {
        /// Its error.
        error: &'a StoreError,
        /// How many times in a row.
        failures: u32,
        /// Until the next try.
        pause: Duration,
    },
    /// It answers again.
    Back,
    /// A tick is over, whatever happened in it.
    Looked {
        /// How many auctions are passed over, because they could not be closed.
        skipped: u64,
    },
}

/// Closes until it is asked to stop, then finishes the batch in hand. An error is one that waiting
/// does not mend.
pub async fn run_daemon<S: Contract>(
    store: &S,
    options: &DaemonOptions,
    stop: &Shutdown,
    mut tell: impl FnMut(Notice<'_>),
) -> Result<(), StoreError> {
    let daemon = Daemon {
        options,
        stop,
        worker: Worker::of_a_daemon(store, &options.sweep),
    };
    let mut outage = Outage::default();
    while !stop.is_asked() {
        let tally = Tally::new(|closed| tell(Notice::Closed(closed)));
        let outcome = if outage.is_on() {
            daemon.catch_up(&tally).await
        } else {
            daemon.tick(&tally).await
        };
        let report = tally.into_report();
        if report != SweepReport::default() {
            tell(Notice::Tick(&report));
        }
        match outcome {
            Ok(()) if outage.is_on() => {
                outage.answered();
                tell(Notice::Back);
            }
            Ok(()) => {
                outage.over();
                tell(Notice::Looked {
                    skipped: daemon.worker.passed_over(),
                });
            }
            Err(error) if !may_pass(error.kind()) => return Err(error),
            Err(error) => {
                let (failures, pause) = outage.failed();
                tell(Notice::Lost {
                    error: &error,
                    failures,
                    pause,
                });
                daemon.wait(Instant::now() + pause).await;
            }
        }
    }
    Ok(())
}

struct Daemon<'a, S> {
    options: &'a DaemonOptions,
    stop: &'a Shutdown,
    worker: Worker<'a, S>,
}

impl<S: Contract> Daemon<'_, S> {
    async fn tick<F: FnMut(&[Closed])>(&self, tally: &Tally<F>) -> Result<(), StoreError> {
        let deadline = Instant::now() + self.options.interval;
        self.take_up(tally).await?;
        if self.options.look_ahead {
            self.close_at_the_ends(deadline, tally).await?;
        } else {
            self.drain(deadline, tally).await?;
        }
        self.wait(deadline).await;
        Ok(())
    }

    /// One pass: whether a database does its work again shows in work alone. One that is full can
    /// still be read.
    async fn catch_up<F: FnMut(&[Closed])>(&self, tally: &Tally<F>) -> Result<(), StoreError> {
        self.take_up(tally).await?;
        self.drain(Instant::now(), tally).await
    }

    /// What closers have begun and not ended, this one and those that are gone.
    async fn take_up<F: FnMut(&[Closed])>(&self, tally: &Tally<F>) -> Result<(), StoreError> {
        let sweep = &self.options.sweep;
        answer(self.worker.resume(tally)).await?;
        let reaping = reaper::reap(self.worker.store, sweep.remit, sweep.claim_timeout);
        tally.reaped(answer(reaping).await?);
        Ok(())
    }

    /// Passes over the shards until one closes nothing, or until the next tick.
    async fn drain<F: FnMut(&[Closed])>(
        &self,
        deadline: Instant,
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        let shards: Vec<i64> = self.options.sweep.remit.shards.iter().collect();
        let goes_on = || !self.stop.is_asked();
        let batch = |shard| answer(self.worker.shard(shard, tally));
        loop {
            let before = tally.so_far();
            lanes::work_off(&shards, self.worker.lanes(), goes_on, batch).await?;
            let over = tally.so_far() == before || Instant::now() >= deadline;
            if over || self.stop.is_asked() {
                return Ok(());
            }
        }
    }

    async fn close_at_the_ends<F: FnMut(&[Closed])>(
        &self,
        deadline: Instant,
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        let now = answer(self.worker.store.now()).await?;
        let clock = Reading::new(now, Instant::now());
        let until = clock.at(deadline);
        let mut found = self.ahead(Micros::MIN, until).await?;
        let overdue = found.iter().filter(|ending| ending.end <= now).count();
        if overdue > self.options.sweep.batch_size() {
            self.drain(deadline, tally).await?;
            found = self.ahead(now, until).await?;
        }
        loop {
            let more = found.len() == usize::try_from(AHEAD_MAX).unwrap_or(usize::MAX);
            let now = Instant::now();
            found.retain(|ending| !self.worker.passes_over(ending.auction_id, now));
            self.work_off(Agenda::new(found, until), &clock, tally)
                .await?;
            if !more || self.stop.is_asked() || Instant::now() >= deadline {
                return Ok(());
            }
            found = self.ahead(clock.at(now), until).await?;
        }
    }

    async fn ahead(&self, after: Micros, until: Micros) -> Result<Vec<Ending>, StoreError> {
        let remit = self.options.sweep.remit;
        let store = self.worker.store;
        answer(store.auctions_ending(remit, after, until, AHEAD_MAX)).await
    }

    /// Closes each when its turn comes, and whatever else is due by then with it: as many batches
    /// at once as there are lanes.
    async fn work_off<F: FnMut(&[Closed])>(
        &self,
        mut agenda: Agenda,
        clock: &Reading,
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        while let Some(turn) = agenda.next() {
            self.wait(clock.instant_of(turn)).await;
            if self.stop.is_asked() {
                return Ok(());
            }
            let lanes = self.worker.lanes();
            let size = self.options.sweep.batch_size();
            let due = agenda.take(clock.at(Instant::now()), size.saturating_mul(lanes));
            let batches: Vec<&[AuctionId]> = due.chunks(size).collect();
            let before = tally.so_far();
            let close = |batch| answer(self.worker.these(batch, tally));
            lanes::work_off(&batches, lanes, || true, close).await?;
            let closed = usize::try_from(tally.so_far() - before).unwrap_or(usize::MAX);
            if closed >= due.len() {
                continue;
            }
            for ending in answer(self.worker.store.auctions_waiting(&due)).await? {
                let now = Instant::now();
                if !self.worker.passes_over(ending.auction_id, now) {
                    agenda.rearm(ending, clock.at(now));
                }
            }
        }
        Ok(())
    }

    /// Until an instant, or until it is asked to stop.
    async fn wait(&self, until: Instant) {
        tokio::select! {
            biased;
            () = self.stop.asked() => {}
            () = tokio::time::sleep_until(until.into()) => {}
        }
    }
}

/// A step, but for no longer than one may take.
async fn answer<T>(step: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    match tokio::time::timeout(ANSWER, step).await {
        Ok(outcome) => outcome,
        Err(_) => Err(StoreError::new(
            StoreErrorKind::Unreachable,
            "the database has not answered for a minute",
        )),
    }
}
