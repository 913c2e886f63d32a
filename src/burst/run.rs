//! Plays a run from the first auction to the last check.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::closing::{self, Told};
use super::driver::{Answered, Pulse, drive};
use super::error::BurstError;
use super::plan::{Lot, Plan, SECOND_US};
use super::probe;
use super::report::{BurstReport, Checks, CloseFigures, Fault, Probe};
use super::run_id::RunId;
use super::scenario::{BurstOptions, CloserChoice, SIZE_MAX, Scenario};
use super::scene::{Load, Scene};
use super::stage::{SOFT_CAP_US, Stage, Times, after, sample};
use super::stats::{self, Closing, Window};
use super::verify::Verifier;
use crate::auction::{AuctionId, Event, EventKind, IdRange, Micros, Remit, Shards};
use crate::clock::Reading;
use crate::closer::Strategy;
use crate::ledger::{ReplayOptions, replay_store};
use crate::shutdown::{Shutdown, shutdown};
use crate::store::{Contract, Dossier, Scope, WriteMode};

/// From the last auction made to the load, at least: for the probe and the closer's first look.
const LEAD_US: i64 = 5_000_000;
/// The load must not begin sooner than this after everything is ready.
const READY_US: i64 = 200_000;
/// How often the load is looked at.
const LOOK: Duration = Duration::from_millis(250);
/// So many faults are listed.
const FAULTS_LISTED_MAX: usize = 100;
/// Chunks of auctions that wait to be checked.
const CHUNKS_WAITING_MAX: usize = 4;
/// Numbers of bids that the plan has not: the probe's and the warming ones.
const PROBE_NUMBER: u64 = 1 << 40;
const WARM_NUMBER: u64 = 1 << 41;

/// Where a run is played: one handle bids, the other closes and looks, so that neither waits for
/// the other's connections.
#[derive(Debug)]
pub struct Hall<'a, S> {
    /// For the bids; has a connection for each lane.
    pub bidders: &'a S,
    /// For the closer and for everything else.
    pub closer: &'a S,
}

/// Plays a run. What it made stays; see [`super::remove`]. `observe` hears how it goes.
pub async fn play<S: Contract + Clone + 'static>(
    hall: Hall<'_, S>,
    run: RunId,
    options: &BurstOptions,
    stop: &Shutdown,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<BurstReport, BurstError> {
    let plan = Arc::new(plan(options)?);
    let stage = Stage::new(run, options.seed)?;
    let ids = run.ids().map_err(BurstError::script)?;
    let set_up = set_up(&hall, &stage, &plan, options, observe);
    let (times, probe) = tokio::select! {
        biased;
        () = stop.asked() => return Err(BurstError::Interrupted),
        made = set_up => made?,
    };
    let play = Play {
        hall,
        options,
        stage: &stage,
        plan: &plan,
        ids,
        times,
        observe,
    };
    let (mut told, answers) = play.load(stop).await?;
    // The probe's auction is in no figure.
    told.retain(|told| play.place(told.auction_id).is_some());
    let checked = play.check(&answers);
    let (checks, closings, ended) = tokio::select! {
        biased;
        () = stop.asked() => return Err(BurstError::Interrupted),
        checked = checked => checked?,
    };
    play.report(probe, &told, &answers, checks, &closings, ended)
        .await
}

/// The plan, unless it is too large.
pub(super) fn plan(options: &BurstOptions) -> Result<Plan, BurstError> {
    let size = options.size;
    let rate = u64::from(size.rate.map_or(1, std::num::NonZeroU32::get));
    let reckoned = rate * u64::from(size.warm_up + size.seconds).max(1);
    if reckoned.max(size.lots.into()) > SIZE_MAX {
        return Err(BurstError::TooLarge(reckoned.max(size.lots.into())));
    }
    let plan = Plan::new(options);
    let most = plan.bids.len().max(plan.lots.len());
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    if most > SIZE_MAX {
        return Err(BurstError::TooLarge(most));
    }
    Ok(plan)
}

/// No auction of the plan ends later, extended or not.
fn last_end(plan: &Plan, times: Times) -> Result<Micros, BurstError> {
    after(times.began, plan.last_end_us() + SOFT_CAP_US)
}

/// What a run would do, without doing it.
pub fn preview(options: &BurstOptions) -> Result<Preview, BurstError> {
    let plan = plan(options)?;
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Ok(Preview {
        auctions: count(plan.lots.len()),
        opening_bids: count(plan.opening_bids()),
        bids: if plan.unpaced {
            None
        } else {
            Some(count(plan.bids.len()))
        },
    })
}

/// What a run would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preview {
    /// Auctions it would make.
    pub auctions: u64,
    /// Bids that they would have before the load.
    pub opening_bids: u64,
    /// Bids of the load; none: as many as go.
    pub bids: Option<u64>,
}

/// Makes the auctions and gets everything ready.
async fn set_up<S: Contract>(
    hall: &Hall<'_, S>,
    stage: &Stage,
    plan: &Plan,
    options: &BurstOptions,
    observe: &(dyn Fn(Scene) + Sync),
) -> Result<(Times, Probe), BurstError> {
    let total = u64::try_from(plan.lots.len()).unwrap_or(u64::MAX);
    observe(Scene::Making { done: 0, total });
    let store = hall.closer;
    let now = store.now().await?;
    let far = Times {
        made: now,
        began: after(now, 3_600 * SECOND_US)?,
    };
    let some = sample(plan);
    let began = Instant::now();
    stage
        .write(store, some, far, WriteMode::Rehearse, |_| {})
        .await?;
    let sample_us = i64::try_from(began.elapsed().as_micros()).unwrap_or(i64::MAX / 4);
    let chunks = i64::try_from(plan.lots.len().div_ceil(some.len().max(1))).unwrap_or(1);
    let made = store.now().await?;
    let times = Times {
        made,
        began: after(made, LEAD_US + sample_us.saturating_mul(chunks) * 3 / 2)?,
    };
    let probe_place = u32::try_from(plan.lots.len()).map_err(BurstError::script)?;
    let mut lots = plan.lots.clone();
    lots.push(Lot {
        end_us: 0,
        reserve: None,
        opening: Vec::new(),
        flat: false,
        soft_close: false,
    });
    let making = |done| observe(Scene::Making { done, total });
    stage
        .write(store, &lots, times, WriteMode::Commit, making)
        .await?;
    let lanes = options.size.connections;
    let probed = probe::probe(hall.bidders, stage, probe_place, PROBE_NUMBER).await?;
    probe::warm(hall.bidders, stage, probe_place, WARM_NUMBER, lanes).await?;
    if times.began.since(store.now().await?) < READY_US {
        return Err(BurstError::Late);
    }
    Ok((times, probed))
}

struct Play<'a, S> {
    hall: Hall<'a, S>,
    options: &'a BurstOptions,
    stage: &'a Stage,
    plan: &'a Arc<Plan>,
    ids: IdRange,
    times: Times,
    observe: &'a (dyn Fn(Scene) + Sync),
}

impl<S: Contract + Clone + 'static> Play<'_, S> {
    fn remit(&self) -> Remit {
        Remit {
            shards: Shards::ALL,
            ids: self.ids,
        }
    }

    /// The place of one of the plan's auctions.
    fn place(&self, auction_id: AuctionId) -> Option<u32> {
        let place = auction_id.get() - self.ids.first.get();
        let planned =
            |place: &u32| usize::try_from(*place).is_ok_and(|at| at < self.plan.lots.len());
        u32::try_from(place).ok().filter(planned)
    }

    /// Bids and closes until everything is closed.
    async fn load(
        &self,
        stop: &Shutdown,
    ) -> Result<(Vec<Told>, Vec<Option<Answered>>), BurstError> {
        let store = self.hall.closer;
        let choice = self.options.closer;
        let now = store.now().await?;
        let clock = Reading::new(now, Instant::now());
        let began = clock.instant_of(self.times.began);
        let pulse = Arc::new(Pulse::default());
        let (done, closer_stop) = shutdown();
        closer_stop.heed();
        let closing = async {
            closing::close(store, choice, self.remit(), &clock, &closer_stop)
                .await
                .map_err(BurstError::from)
        };
        let bidding = async {
            let lanes = self.options.size.connections;
            let bidders = self.hall.bidders;
            let driving = drive(bidders, self.stage, self.plan, lanes, began, &pulse, stop);
            let answers = driving.await?;
            let last = last_end(self.plan, self.times)?;
            tokio::select! {
                biased;
                () = stop.asked() => return Err(BurstError::Interrupted),
                closed = closing::wait_until_closed(store, self.options.patience, self.remit(), last) => closed?,
            }
            done.ask();
            Ok(answers)
        };
        let both = async { tokio::try_join!(closing, bidding) };
        tokio::select! {
            biased;
            outcome = both => outcome,
            never = self.watch(began, &pulse) => never,
        }
    }

    /// Tells how it goes, for ever.
    async fn watch<T>(&self, began: Instant, pulse: &Pulse) -> T {
        let ends: Vec<i64> = {
            let mut ends: Vec<i64> = self.plan.lots.iter().map(|lot| lot.end_us).collect();
            ends.sort_unstable();
            ends
        };
        let length_us = self.plan.length_us.max(self.plan.last_end_us());
        loop {
            tokio::time::sleep(LOOK).await;
            let (Ok(due), Ok(now)) = (
                self.hall.closer.backlog(self.remit()).await,
                self.hall.closer.now().await,
            ) else {
                continue;
            };
            let since = Instant::now().saturating_duration_since(began);
            let at_us = i64::try_from(since.as_micros()).unwrap_or(i64::MAX);
            let ended = ends.partition_point(|end_us| *end_us <= at_us);
            let ended = u64::try_from(ended).unwrap_or(u64::MAX);
            (self.observe)(Scene::Load(Load {
                at_us,
                length_us,
                begun: Instant::now() >= began,
                bids: u64::try_from(self.plan.bids.len()).unwrap_or(u64::MAX),
                answered: pulse.answered.load(Ordering::Relaxed),
                worst_us: pulse.worst_us.swap(0, Ordering::Relaxed),
                auctions: u64::try_from(ends.len()).unwrap_or(u64::MAX),
                closed: ended.saturating_sub(u64::try_from(due.due).unwrap_or(0)),
                due: due.due,
                oldest_us: due.oldest_end.map_or(0, |end| now.since(end)),
            }));
        }
    }

    /// Holds everything against the ledger; gives the closings, and how many auctions ended in the
    /// window.
    async fn check(
        &self,
        answers: &[Option<Answered>],
    ) -> Result<(Checks, Vec<Closing>, u64), BurstError> {
        let store = self.hall.closer;
        let scope = Scope::Range(self.ids);
        let total = u64::try_from(self.plan.lots.len()).unwrap_or(u64::MAX);
        let verifier = Verifier::new(self.stage, self.plan, answers, self.times);
        let (out, mut chunks) = mpsc::channel::<Vec<Dossier>>(CHUNKS_WAITING_MAX);
        let judging = async {
            let mut judged = Judged::default();
            while let Some(chunk) = chunks.recv().await {
                for dossier in chunk {
                    judged.add(self, &verifier, &dossier);
                }
                (self.observe)(Scene::Checking {
                    done: judged.auctions,
                    total,
                });
            }
            judged
        };
        let (read, mut judged) = tokio::join!(store.dossiers_read(&scope, out), judging);
        read?;
        if judged.auctions < total {
            let missing = total - judged.auctions;
            judged.fault(Fault {
                auction_id: self.ids.first,
                kind: "missing-auction",
                what: format!("{missing} of the run's auctions are not there any more"),
            });
        }
        let replay = replay_store(store, &scope, &ReplayOptions::default(), |_| {}).await?;
        let checks = Checks {
            bids: u64::try_from(answers.iter().flatten().count()).unwrap_or(u64::MAX),
            auctions: judged.auctions,
            faults: judged.faults,
            listed: judged.listed,
            replay,
        };
        Ok((checks, judged.closings, judged.ended))
    }

    /// The window of bids, and that of closes.
    fn windows(&self) -> (Window, Window) {
        let size = self.options.size;
        let from_us = i64::from(size.warm_up) * SECOND_US;
        let measured = Window {
            from_us,
            to_us: from_us + i64::from(size.seconds) * SECOND_US,
        };
        let all = Window {
            from_us: 0,
            to_us: i64::MAX / 4,
        };
        match self.options.scenario {
            Scenario::SevenPm => (measured, measured),
            Scenario::HotItem | Scenario::BiddingWar | Scenario::Steady => (measured, all),
        }
    }

    async fn report(
        &self,
        probe: Probe,
        told: &[Told],
        answers: &[Option<Answered>],
        checks: Checks,
        closings: &[Closing],
        ended: u64,
    ) -> Result<BurstReport, BurstError> {
        let BurstOptions {
            scenario,
            size,
            seed,
            closer,
            ..
        } = *self.options;
        let (bidding, closing) = self.windows();
        let mut shortfalls = Vec::new();
        if size.rate.is_some() {
            let planned = self.plan.bids.iter().map(|bid| bid.due_us);
            shortfalls.extend(stats::bids_short(planned, answers, bidding));
        }
        if scenario == Scenario::SevenPm {
            shortfalls.extend(stats::closes_short(closings, ended, closing));
        }
        let (closer, look_ahead) = match closer {
            CloserChoice::External => ("external", None),
            CloserChoice::Own {
                strategy: Strategy::Batch,
                look_ahead,
            } => ("batch", Some(look_ahead)),
            CloserChoice::Own {
                strategy: Strategy::Claim,
                look_ahead,
            } => ("claim", Some(look_ahead)),
        };
        let closes = stats::closes(closings, told, ended, closing, self.times.began)?;
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        Ok(BurstReport {
            scenario,
            run: self.stage.run.get(),
            first: self.ids.first,
            last: self.ids.last,
            seed,
            auctions: count(self.plan.lots.len()),
            opening_bids: count(self.plan.opening_bids()),
            connections: size.connections,
            closer,
            look_ahead,
            rate: size.rate.map(std::num::NonZeroU32::get),
            warm_up_s: size.warm_up,
            measured_s: size.seconds,
            began: self.times.began,
            settings: self.hall.closer.settings().await?,
            probe,
            bids: stats::bids(answers, bidding)?,
            closes: CloseFigures {
                // Where all end at one instant there is no rate to be told.
                rate_milli: if scenario == Scenario::SevenPm {
                    closes.rate_milli
                } else {
                    0
                },
                ..closes
            },
            seconds: stats::seconds(answers, closings)?,
            checks,
            shortfalls,
        })
    }
}

/// What reading the auctions has brought so far.
#[derive(Default)]
struct Judged {
    auctions: u64,
    faults: u64,
    listed: Vec<Fault>,
    closings: Vec<Closing>,
    ended: u64,
}

impl Judged {
    fn add<S: Contract + Clone + 'static>(
        &mut self,
        play: &Play<'_, S>,
        verifier: &Verifier<'_>,
        dossier: &Dossier,
    ) {
        let place = AuctionId::new(dossier.auction_id).ok();
        let Some(place) = place.and_then(|auction_id| play.place(auction_id)) else {
            // The probe's: the replay judges it.
            return;
        };
        self.auctions += 1;
        for fault in verifier.judge(place, dossier) {
            self.fault(fault);
        }
        let since = |at: Micros| at.since(play.times.began);
        let closed = |event: &&Event| event.kind == EventKind::Closed;
        if let Some(event) = dossier.events.iter().find(closed) {
            self.closings.push(Closing {
                end_us: since(event.end),
                closed_us: since(event.closed_at),
            });
        }
        let (_, window) = play.windows();
        let end_us = dossier.row.as_ref().map(|row| since(row.end));
        self.ended += u64::from(end_us.is_some_and(|us| window.holds(us)));
    }

    fn fault(&mut self, fault: Fault) {
        self.faults += 1;
        if self.listed.len() < FAULTS_LISTED_MAX {
            self.listed.push(fault);
        }
    }
}
