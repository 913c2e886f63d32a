//! Places the planned bids, open loop: each is sent at its instant if a connection is free, and its
//! latency counts from that instant whether one was or not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::error::BurstError;
use super::plan::Plan;
use super::stage::Stage;
use crate::auction::Bid;
use crate::shutdown::Shutdown;
use crate::store::{BidAnswer, Contract, Reply, StoreError, StoreErrorKind, WriteMode};

/// For how long a bid is asked again while the database fails.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(50);
/// A connection can be lost without a word.
const ANSWER: Duration = Duration::from_secs(30);
/// The longest sleep of the pacer: it hears within that time that it has to stop.
const NAP: Duration = Duration::from_millis(100);

/// What became of a planned bid. Instants are microseconds from the beginning of the load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answered {
    /// When it was meant to be sent.
    pub(super) due_us: i64,
    /// When it was sent first.
    pub(super) sent_us: i64,
    /// When the answer was there.
    pub(super) done_us: i64,
    /// How often it was asked again.
    pub(super) retries: u32,
    /// The answer.
    pub(super) reply: Reply<BidAnswer>,
}

/// How far the load has come; read while it runs.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    /// Bids answered.
    pub(super) answered: AtomicU64,
    /// The longest latency since somebody looked, microseconds.
    pub(super) worst_us: AtomicU64,
}

/// Everything the lanes share.
struct Shared<S> {
    store: S,
    stage: Stage,
    plan: Arc<Plan>,
    began: Instant,
    /// The next bid to be sent.
    next: AtomicUsize,
    /// A permit for every bid whose instant has come.
    released: Semaphore,
    stopped: AtomicBool,
    pulse: Arc<Pulse>,
}

/// Places all bids; answers by the plan's order, none where a bid was not sent.
pub(super) async fn drive<S: Contract + Clone + 'static>(
    store: &S,
    stage: &Stage,
    plan: &Arc<Plan>,
    lanes: u32,
    began: Instant,
    pulse: &Arc<Pulse>,
    stop: &Shutdown,
) -> Result<Vec<Option<Answered>>, BurstError> {
    let shared = Arc::new(Shared {
        store: store.clone(),
        stage: stage.clone(),
        plan: plan.clone(),
        began,
        next: AtomicUsize::new(0),
        released: Semaphore::new(0),
        stopped: AtomicBool::new(false),
        pulse: pulse.clone(),
    });
    let _stopped = StopsWhenDropped(shared.clone());
    let mut pacer = JoinSet::new();
    let pacing = shared.clone();
    pacer.spawn_blocking(move || pace(&pacing));
    let mut working = JoinSet::new();
    // Without a bid nobody would let them go.
    for _ in 0..if plan.bids.is_empty() { 0 } else { lanes } {
        working.spawn(lane(shared.clone()));
    }
    let mut answers = vec![None; plan.bids.len()];
    let mut failure = None;
    loop {
        let done = tokio::select! {
            biased;
            done = working.join_next() => done,
            () = stop.asked(), if !shared.is_stopped() => {
                shared.stop();
                continue;
            }
        };
        let Some(done) = done else { break };
        let (answered, stopped) = done?;
        for (at, answer) in answered {
            answers[at] = Some(answer);
        }
        if let Some(error) = stopped {
            shared.stop();
            failure = failure.or(Some(error));
        }
    }
    shared.stop();
    while let Some(done) = pacer.join_next().await {
        done?;
    }
    match failure {
        Some(error) => Err(error),
        None => Ok(answers),
    }
}

/// The pacer's thread ends with the load, be it given up or not.
struct StopsWhenDropped<S>(Arc<Shared<S>>);

impl<S> Drop for StopsWhenDropped<S> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<S> Shared<S> {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// No further bid is sent.
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.released.close();
    }

    fn now_us(&self) -> i64 {
        let since = Instant::now().saturating_duration_since(self.began);
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }

    fn is_over(&self) -> bool {
        self.plan.unpaced && self.now_us() >= self.plan.length_us
    }
}

/// Releases each bid when its instant has come.
fn pace<S>(shared: &Shared<S>) {
    if shared.plan.unpaced {
        nap_until(shared, shared.began);
        shared.released.add_permits(shared.plan.bids.len());
        return;
    }
    for bid in &shared.plan.bids {
        let due_us = u64::try_from(bid.due_us).unwrap_or(0);
        nap_until(shared, shared.began + Duration::from_micros(due_us));
        if shared.is_stopped() {
            return;
        }
        shared.released.add_permits(1);
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "a timer of the runtime counts in milliseconds; this thread is the pacer's own"
)]
fn nap_until<S>(shared: &Shared<S>, until: Instant) {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || shared.is_stopped() {
            return;
        }
        std::thread::sleep(left.min(NAP));
    }
}

type Lane = (Vec<(usize, Answered)>, Option<BurstError>);

/// Sends bid after bid over one connection.
async fn lane<S: Contract>(shared: Arc<Shared<S>>) -> Lane {
    let mut answered = Vec::new();
    while let Ok(permit) = shared.released.acquire().await {
        permit.forget();
        let at = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(planned) = shared.plan.bids.get(at) else {
            break;
        };
        if at + 1 == shared.plan.bids.len() {
            // No further permit will come; whoever waits for one is let go.
            shared.released.close();
        }
        if shared.is_over() {
            shared.stop();
            break;
        }
        let number = u64::try_from(at).unwrap_or(u64::MAX);
        let bid = shared
            .stage
            .bid(number, planned.lot, planned.bidder, planned.maximum);
        let outcome = match bid {
            Ok(bid) => shared.ask(&bid, planned.due_us).await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok(answer) => {
                let latency_us = u64::try_from(answer.done_us - answer.due_us).unwrap_or(0);
                shared.pulse.answered.fetch_add(1, Ordering::Relaxed);
                let worst = &shared.pulse.worst_us;
                worst.fetch_max(latency_us, Ordering::Relaxed);
                answered.push((at, answer));
            }
            Err(error) => return (answered, Some(error)),
        }
    }
    (answered, None)
}

impl<S: Contract> Shared<S> {
    /// Asks until there is an answer: the request id makes asking again harmless.
    async fn ask(&self, bid: &Bid, due_us: i64) -> Result<Answered, BurstError> {
        let sent_us = self.now_us();
        let given_up = Instant::now() + PATIENCE;
        let mut retries = 0;
        loop {
            let asked = self.store.bid_place(bid, WriteMode::Commit);
            let outcome = tokio::time::timeout(ANSWER, asked).await;
            let outcome = outcome.unwrap_or_else(|_| {
                let message = "the database has not answered for half a minute";
                Err(StoreError::new(StoreErrorKind::Unreachable, message))
            });
            match outcome {
                Ok(reply) => {
                    return Ok(Answered {
                        // Without a pace, a bid is meant to be sent when it is.
                        due_us: if self.plan.unpaced { sent_us } else { due_us },
                        sent_us,
                        done_us: self.now_us(),
                        retries,
                        reply,
                    });
                }
                Err(error) if may_pass(error.kind()) && Instant::now() < given_up => {
                    retries += 1;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Whether the same may get an answer later.
pub(super) fn may_pass(kind: StoreErrorKind) -> bool {
    matches!(
        kind,
        StoreErrorKind::Unreachable | StoreErrorKind::TimedOut | StoreErrorKind::Contended
    )
}
