//! The claim protocol as a model: every interleaving of a few closers and auctions, checked.
//!
//! Each step stands for one transaction of the store, in both databases (what it locks and judges
//! is judged at once): `CloseDue` for `auction_close_due` and `auctions_close` (SQL `close_due`,
//! `close_these`), `Claim` for `auctions_claim` (`claim_these`), `Close` for `claims_close`
//! (`lock_claims`, `close_claimed`), `GiveBack` for `claims_release`, `Reap` for `claims_reap`
//! (`reap_claims`), `CloseByHand` for `auction_close` (`close_one`), `Bid` and `Cancel` for those
//! of the rules that race with an end. Between its steps a closer holds what `Worker::claims`
//! does. `walks` takes the same steps on the databases and compares.
//!
//! Left open, so that more is checked than can happen: which auctions a closer thinks are due (a
//! list read ahead is as good as any), and how old a claim is: any may be reaped at any time. Left
//! out: that the outbox takes a second event of an auction no more than a closed row changes; the
//! protocol must do without.
//!
//! Every step uses something up, so each path ends, and "in the end" needs no word on fairness: a
//! path ends where no closer that lives has anything left to do.

use stateright::{Checker as _, Model, Property};

pub(super) type Instant = u8;
pub(super) type Epoch = u8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Status {
    Open,
    Closing,
    Closed,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Lot {
    pub(super) status: Status,
    pub(super) end: Instant,
    pub(super) epoch: Epoch,
    claimed_at: Option<Instant>,
    closed_at: Option<Instant>,
    pub(super) events: u8,
    /// The one effective time never falls.
    last: Instant,
    /// Closed by one that did not have the latest claim.
    usurped: bool,
    /// Closed after it was cancelled.
    revived: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Closer {
    way: Way,
    alive: bool,
    pub(super) claims: Vec<(usize, Epoch)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) now: Instant,
    pub(super) lots: Vec<Lot>,
    /// In order: which of two that do the same is which does not matter.
    pub(super) closers: Vec<Closer>,
    left: Budget,
}

/// What may still happen; each of it for once and all closers together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Budget {
    /// Closers killed, answers lost, statements that failed.
    pub(super) faults: u8,
    /// Claims reaped although their closers live: they were stopped, or are slow.
    pub(super) early_reaps: u8,
    pub(super) by_hand: u8,
    pub(super) steps_back: u8,
    pub(super) extensions: u8,
    pub(super) cancels: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    Tick,
    StepBack,
    Bid(usize),
    Cancel(usize),
    CloseDue(usize, usize),
    Claim(usize, Vec<usize>),
    /// Done, but the answer was lost.
    ClaimUnheard(usize, Vec<usize>),
    Close(usize),
    /// Done, but the answer was lost.
    CloseUnheard(usize),
    GiveBack(usize),
    Crash(usize),
    Reap(usize),
    CloseByHand(usize),
    HandLeaves,
}

/// What `close_claimed` compares before it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fence {
    StatusAndEpoch,
    Status,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Way {
    Batch,
    Claim,
}

#[derive(Debug, Clone)]
pub(super) struct Protocol {
    closers: Vec<Way>,
    ends: Vec<Instant>,
    budget: Budget,
    fence: Fence,
    reaper: bool,
    /// Whether a closer judges the end again under the lock.
    judges: bool,
}

impl Protocol {
    pub(super) fn of(closers: &[Way], ends: &[Instant], budget: Budget) -> Self {
        Self {
            closers: closers.to_vec(),
            ends: ends.to_vec(),
            budget,
            fence: Fence::StatusAndEpoch,
            reaper: true,
            judges: true,
        }
    }

    /// The last instant that matters.
    fn last(&self) -> Instant {
        self.ends.iter().max().unwrap() + self.budget.extensions
    }

    fn is_due(&self, state: &State, lot: usize) -> bool {
        let now = state.now;
        let lot = &state.lots[lot];
        lot.status == Status::Open && (lot.end <= now || !self.judges)
    }

    fn has(&self, state: &State, (lot, epoch): (usize, Epoch)) -> bool {
        let lot = &state.lots[lot];
        match self.fence {
            Fence::StatusAndEpoch => lot.status == Status::Closing && lot.epoch == epoch,
            Fence::Status => lot.status == Status::Closing,
            Fence::Nothing => true,
        }
    }

    fn claim(state: &mut State, lots: &[usize]) -> Vec<(usize, Epoch)> {
        let now = state.now;
        let claim = |&number: &usize| {
            let lot = &mut state.lots[number];
            lot.status = Status::Closing;
            lot.epoch += 1;
            lot.claimed_at = Some(now);
            (number, lot.epoch)
        };
        lots.iter().map(claim).collect()
    }

    fn close_claimed(&self, state: &mut State, closer: usize) {
        for claim in state.closers[closer].claims.clone() {
            if self.has(state, claim) {
                state.lots[claim.0].usurped |= state.lots[claim.0].epoch != claim.1;
                state.close(claim.0);
            }
        }
    }
}

impl State {
    /// Status, result and event: `close_locked`, `record`.
    fn close(&mut self, lot: usize) {
        let now = self.now;
        let lot = &mut self.lots[lot];
        lot.revived |= lot.status == Status::Cancelled;
        lot.status = Status::Closed;
        lot.events += 1;
        lot.closed_at = Some(lot.claimed_at.unwrap_or(now).max(now));
    }

    /// Back to OPEN; the epoch never falls.
    fn reopen(&mut self, lot: usize) {
        self.lots[lot].status = Status::Open;
        self.lots[lot].claimed_at = None;
    }

    /// Open, and before its end by the one effective time.
    fn takes_bids(&self, lot: usize) -> bool {
        let Lot {
            status, end, last, ..
        } = self.lots[lot];
        status == Status::Open && last.max(self.now) < end
    }

    /// Whether a closer that lives has the latest claim.
    fn is_held(&self, lot: usize) -> bool {
        let claim = (lot, self.lots[lot].epoch);
        self.lots[lot].status == Status::Closing
            && self
                .closers
                .iter()
                .any(|closer| closer.claims.contains(&claim))
    }

    /// What has been used up; greater after each step.
    fn spent(&self) -> (i32, i32) {
        let Budget {
            faults,
            early_reaps,
            by_hand,
            steps_back,
            extensions,
            cancels,
        } = self.left;
        let left = faults + early_reaps + by_hand + steps_back + extensions + cancels;
        let stage = |lot: usize| match self.lots[lot].status {
            Status::Closing if !self.is_held(lot) => 0,
            Status::Open => 1,
            Status::Closing => 2,
            Status::Closed | Status::Cancelled => 3,
        };
        let claims = self.closers.iter().flat_map(|closer| &closer.claims);
        let is_stale =
            |claim: &&(usize, Epoch)| !self.is_held(claim.0) || self.lots[claim.0].epoch != claim.1;
        let stale = i32::try_from(claims.filter(is_stale).count()).unwrap();
        let stages: i32 = (0..self.lots.len()).map(stage).sum();
        (-i32::from(left), stages + i32::from(self.now) - stale)
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let lot = |&end: &Instant| Lot {
            status: Status::Open,
            end,
            epoch: 0,
            claimed_at: None,
            closed_at: None,
            events: 0,
            last: 0,
            usurped: false,
            revived: false,
        };
        let closer = |&way: &Way| Closer {
            way,
            alive: true,
            claims: Vec::new(),
        };
        vec![State {
            now: 0,
            lots: self.ends.iter().map(lot).collect(),
            closers: self.closers.iter().map(closer).collect(),
            left: self.budget,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let left = state.left;
        let lots = 0..state.lots.len();
        if state.now < self.last() {
            actions.push(Action::Tick);
        }
        if left.steps_back > 0 && state.now > 0 {
            actions.push(Action::StepBack);
        }
        for lot in lots.clone() {
            if state.takes_bids(lot) && left.extensions > 0 {
                actions.push(Action::Bid(lot));
            }
            if state.takes_bids(lot) && left.cancels > 0 {
                actions.push(Action::Cancel(lot));
            }
            let Lot { status, end, .. } = state.lots[lot];
            let unfinished = matches!(status, Status::Open | Status::Closing);
            if unfinished && end <= state.now && left.by_hand > 0 {
                actions.push(Action::CloseByHand(lot));
            }
            let may_reap = !state.is_held(lot) || left.early_reaps > 0;
            if self.reaper && status == Status::Closing && may_reap {
                actions.push(Action::Reap(lot));
            }
        }
        if left.by_hand > 0 {
            actions.push(Action::HandLeaves);
        }
        let due: Vec<usize> = lots.filter(|lot| self.is_due(state, *lot)).collect();
        let living = state.closers.iter().filter(|closer| closer.alive).count();
        for (number, closer) in state.closers.iter().enumerate() {
            if !closer.alive {
                continue;
            }
            if left.faults > 0 && living > 1 {
                actions.push(Action::Crash(number));
            }
            if closer.way == Way::Batch {
                actions.extend(due.iter().map(|lot| Action::CloseDue(number, *lot)));
            } else if closer.claims.is_empty() {
                let all = (due.len() > 1).then(|| due.clone());
                for lots in due.iter().map(|lot| vec![*lot]).chain(all) {
                    actions.push(Action::Claim(number, lots.clone()));
                    if left.faults > 0 {
                        actions.push(Action::ClaimUnheard(number, lots));
                    }
                }
            } else {
                actions.push(Action::Close(number));
                if left.faults > 0 {
                    actions.push(Action::CloseUnheard(number));
                    actions.push(Action::GiveBack(number));
                }
            }
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Tick => state.now += 1,
            Action::StepBack => {
                state.left.steps_back -= 1;
                state.now -= 1;
            }
            Action::Bid(lot) => {
                state.left.extensions -= 1;
                let lot = &mut state.lots[lot];
                lot.last = lot.last.max(state.now);
                lot.end += 1;
            }
            Action::Cancel(lot) => {
                state.left.cancels -= 1;
                state.lots[lot].status = Status::Cancelled;
            }
            Action::CloseDue(_, lot) => state.close(lot),
            Action::Claim(closer, lots) => {
                state.closers[closer].claims = Self::claim(&mut state, &lots);
            }
            Action::ClaimUnheard(_, lots) => {
                state.left.faults -= 1;
                Self::claim(&mut state, &lots);
            }
            Action::Close(closer) => {
                self.close_claimed(&mut state, closer);
                state.closers[closer].claims.clear();
            }
            Action::CloseUnheard(closer) => {
                state.left.faults -= 1;
                self.close_claimed(&mut state, closer);
            }
            Action::GiveBack(closer) => {
                state.left.faults -= 1;
                for claim in std::mem::take(&mut state.closers[closer].claims) {
                    if self.has(&state, claim) {
                        state.reopen(claim.0);
                    }
                }
            }
            Action::Crash(closer) => {
                state.left.faults -= 1;
                state.closers[closer].alive = false;
                state.closers[closer].claims.clear();
            }
            Action::Reap(lot) => {
                state.left.early_reaps -= u8::from(state.is_held(lot));
                state.reopen(lot);
            }
            Action::CloseByHand(lot) => {
                state.left.by_hand -= 1;
                state.close(lot);
            }
            Action::HandLeaves => state.left.by_hand = 0,
        }
        state.closers.sort_unstable();
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(ONCE, |_, state: &State| {
                state.lots.iter().all(|lot| lot.events <= 1)
            }),
            Property::always(NOT_BEFORE, |_, state: &State| {
                let lots = state.lots.iter();
                lots.filter_map(|lot| Some((lot.closed_at?, lot.end)))
                    .all(|(closed_at, end)| closed_at >= end)
            }),
            Property::always(NOT_CANCELLED, |_, state: &State| {
                state.lots.iter().all(|lot| !lot.revived)
            }),
            Property::always(BY_ITS_OWN, |_, state: &State| {
                state.lots.iter().all(|lot| !lot.usurped)
            }),
            Property::always(ENDS, |model: &Self, state: &State| {
                let next = model.next_states(state);
                next.iter().all(|next| next.spent() > state.spent())
            }),
            // Once true it stays so: what a path ends in decides.
            Property::eventually(ALL, |_, state: &State| {
                let done = [Status::Closed, Status::Cancelled];
                state.lots.iter().all(|lot| done.contains(&lot.status))
            }),
        ]
    }
}

const ONCE: &str = "no auction is closed twice";
const NOT_BEFORE: &str = "no auction is closed before its end";
const NOT_CANCELLED: &str = "no auction is closed that was cancelled";
const BY_ITS_OWN: &str = "a claim is closed by whoever has it";
const ENDS: &str = "every step uses something up";
const ALL: &str = "in the end every auction is closed or cancelled";

/// What was found wrong, and how many states were looked at.
fn found(protocol: Protocol) -> (Vec<&'static str>, usize) {
    let checker = protocol.checker().threads(2).spawn_bfs().join();
    let mut found: Vec<&'static str> = checker.discoveries().into_keys().collect();
    found.sort_unstable();
    (found, checker.unique_state_count())
}

/// How many states there are is said so that it shows when they become fewer.
fn all_is_well(closers: &[Way], ends: &[Instant], budget: Budget, states: usize) {
    let (wrong, looked_at) = found(Protocol::of(closers, ends, budget));
    assert_eq!(wrong, [""; 0], "{closers:?} {ends:?} {budget:?}");
    assert_eq!(looked_at, states, "{closers:?} {ends:?} {budget:?}");
}

const CALM: Budget = Budget {
    faults: 0,
    early_reaps: 0,
    by_hand: 0,
    steps_back: 0,
    extensions: 0,
    cancels: 0,
};

/// Each at least once, and faults among closers more often.
const ROUGH: Budget = Budget {
    faults: 2,
    early_reaps: 2,
    by_hand: 1,
    steps_back: 1,
    extensions: 1,
    cancels: 1,
};

#[test]
fn two_closers_and_all_that_can_come_between() {
    let budget = Budget {
        faults: 1,
        early_reaps: 1,
        ..ROUGH
    };
    all_is_well(&[Way::Claim, Way::Claim], &[1, 2], budget, 116_055);
    all_is_well(&[Way::Batch, Way::Claim], &[1, 2], budget, 75_658);
}

#[test]
fn three_closers_that_die_and_sleep() {
    let budget = Budget {
        faults: 2,
        early_reaps: 2,
        by_hand: 1,
        extensions: 1,
        ..CALM
    };
    all_is_well(&[Way::Claim; 3], &[1, 1], budget, 309_068);
    all_is_well(
        &[Way::Batch, Way::Claim, Way::Claim],
        &[1, 2],
        budget,
        521_475,
    );
}

#[test]
#[ignore = "takes minutes"]
fn three_closers_and_all_that_can_come_between() {
    all_is_well(&[Way::Claim; 3], &[1, 2], ROUGH, 2_259_175);
    all_is_well(
        &[Way::Batch, Way::Claim, Way::Claim],
        &[1, 1],
        ROUGH,
        1_026_017,
    );
}

/// One auction, two closers that claim, one of them stopped for longer than the timeout.
fn stopped() -> Protocol {
    let budget = Budget {
        early_reaps: 1,
        ..CALM
    };
    Protocol::of(&[Way::Claim; 2], &[1], budget)
}

#[test]
fn without_the_fence_an_auction_is_closed_twice() {
    let (wrong, _) = found(stopped());
    assert_eq!(wrong, [""; 0]);
    let unfenced = Protocol {
        fence: Fence::Nothing,
        ..stopped()
    };
    let checker = unfenced.checker().spawn_bfs().join();
    let trace = checker
        .discovery(ONCE)
        .expect("closed twice")
        .into_actions();
    let claim = |closer| Action::Claim(closer, vec![0]);
    // The first falls asleep with its claim, the second closes, the first wakes up.
    let (closer, tick) = (Action::Close, Action::Tick);
    let without_names = |trace: &[Action]| {
        let name = |action: &Action| match action {
            Action::Claim(_, lots) => Action::Claim(0, lots.clone()),
            Action::Close(_) => Action::Close(0),
            other => other.clone(),
        };
        trace.iter().map(name).collect::<Vec<_>>()
    };
    let expected = [
        tick,
        claim(0),
        Action::Reap(0),
        claim(0),
        closer(0),
        closer(0),
    ];
    assert_eq!(without_names(&trace), expected);
}

/// The status alone keeps it to one event; whose claim it is that closes, the epoch says.
#[test]
fn without_the_epoch_a_closer_closes_what_another_claimed() {
    let unfenced = Protocol {
        fence: Fence::Status,
        ..stopped()
    };
    assert_eq!(found(unfenced).0, [BY_ITS_OWN]);
}

#[test]
fn without_the_reaper_an_auction_is_never_closed() {
    let budget = Budget { faults: 1, ..CALM };
    let protocol = Protocol {
        reaper: false,
        ..Protocol::of(&[Way::Batch, Way::Claim], &[1], budget)
    };
    assert_eq!(found(protocol).0, [ALL]);
}

#[test]
fn without_another_look_at_the_end_an_auction_is_closed_before_it() {
    let protocol = Protocol {
        judges: false,
        ..Protocol::of(&[Way::Batch, Way::Claim], &[1], CALM)
    };
    assert_eq!(found(protocol).0, [NOT_BEFORE]);
}
