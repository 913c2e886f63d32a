//! The model and the databases, step by step: random paths of the model, taken by real closers'
//! calls, with status, epoch, end and events compared after each.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{AuctionId, ExtendMode, ExtendTrigger, Shards, SoftClose, Status, Terms};
use gavel::store::{Claim, CloseReply, Contract as _, SweepBatch};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use stateright::Model as _;

use super::model::{self, Action, Budget, Protocol, State, Way};
use crate::support::audit::findings;
use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{accepted, clock, closed, done, dossier, ids_in_shard, opened};
use crate::support::make::{MINUTE, SECOND, START, at, soft_close, span, terms};

on_every_backend!(the_databases_do_what_the_model_does);

const WALKS: u64 = 25;

/// A path of the model on a database.
struct Walk<'a, B> {
    backend: &'a B,
    lots: [AuctionId; 2],
    /// For requests and bids that differ, and a clock that moves a little between ticks.
    steps: u32,
}

async fn the_databases_do_what_the_model_does<B: Backend>(backend: Arc<B>) {
    let budget = Budget {
        faults: 3,
        early_reaps: 2,
        by_hand: 1,
        // A claim of a later time is not reaped before it: the model leaves its age open.
        steps_back: 0,
        extensions: 2,
        cancels: 1,
    };
    let closers = [Way::Batch, Way::Claim, Way::Claim];
    let protocol = Protocol::of(&closers, &[1, 2], budget);
    let (mut third, mut ninth) = (ids_in_shard(3), ids_in_shard(9));
    for seed in 0..WALKS {
        let mut rng = StdRng::seed_from_u64(seed);
        let lots = [third.next().unwrap(), ninth.next().unwrap()];
        let mut walk = Walk {
            backend: &*backend,
            lots,
            steps: 0,
        };
        let mut state = protocol.init_states().remove(0);
        walk.open(&state).await;
        let mut path = Vec::new();
        loop {
            let mut actions = Vec::new();
            protocol.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            let action = actions.swap_remove(rng.random_range(0..actions.len()));
            path.push(action.clone());
            let next = protocol.next_state(&state, action.clone()).unwrap();
            walk.nothing_is_closed_early(&state).await;
            walk.step(&state, action, &next).await;
            walk.compare(&next, &format!("seed {seed}: {path:?}")).await;
            state = next;
        }
    }
    assert_eq!(findings(backend.store()).await, []);
}

impl<B: Backend> Walk<'_, B> {
    async fn open(&self, state: &State) {
        clock(self.backend, START).await;
        for (lot, id) in state.lots.iter().zip(self.lots) {
            // Each bid extends by a tick.
            let soft_close = SoftClose {
                window: span(MINUTE),
                extend_by: span(SECOND),
                mode: ExtendMode::Add,
                trigger: ExtendTrigger::Any,
                ..soft_close()
            };
            let terms = Terms {
                start: at(START - MINUTE),
                end: at(START + i64::from(lot.end) * SECOND),
                soft_close: Some(soft_close),
                ..terms()
            };
            opened(self.backend, id.get(), terms).await;
        }
    }

    fn ids(&self, lots: &[usize]) -> Vec<AuctionId> {
        lots.iter().map(|lot| self.lots[*lot]).collect()
    }

    fn claims(&self, claims: &[(usize, model::Epoch)]) -> Vec<Claim> {
        let claim = |&(lot, epoch): &(usize, model::Epoch)| Claim {
            auction_id: self.lots[lot],
            epoch: i64::from(epoch),
        };
        let mut claims: Vec<Claim> = claims.iter().map(claim).collect();
        claims.sort_by_key(|claim| claim.auction_id);
        claims
    }

    /// The auctions that a step brought into a status.
    fn brought(&self, before: &State, after: &State, status: model::Status) -> Vec<AuctionId> {
        let lots = (0..self.lots.len())
            .filter(|&lot| before.lots[lot].status != status && after.lots[lot].status == status);
        let mut ids: Vec<AuctionId> = lots.map(|lot| self.lots[lot]).collect();
        ids.sort_unstable();
        ids
    }

    async fn step(&mut self, before: &State, action: Action, after: &State) {
        let store = self.backend.store();
        self.steps += 1;
        let now_us = START + i64::from(after.now) * SECOND + 10 * i64::from(self.steps);
        clock(self.backend, now_us).await;
        let brought = |status| self.brought(before, after, status);
        match action {
            Action::Tick | Action::HandLeaves | Action::Crash(_) => {}
            Action::StepBack => unreachable!("there is no budget for it"),
            Action::Bid(lot) => {
                let (number, step) = (self.lots[lot].get(), self.steps);
                let maximum = 2_000 * i64::from(step);
                accepted(self.backend, number, step.into(), "ann", maximum).await;
            }
            Action::Cancel(lot) => {
                let number = self.lots[lot].get();
                done(self.backend, number, self.steps.into(), Deed::Cancel).await;
            }
            Action::CloseDue(_, lot) => {
                let batch = store.auctions_close(&self.ids(&[lot])).await;
                assert_eq!(told(&batch.unwrap()), self.ids(&[lot]));
            }
            Action::Claim(_, lots) | Action::ClaimUnheard(_, lots) => {
                let claims = store.auctions_claim(&self.ids(&lots)).await.unwrap();
                let epochs = lots.iter().map(|lot| (*lot, after.lots[*lot].epoch));
                assert_eq!(claims, self.claims(&epochs.collect::<Vec<_>>()));
            }
            Action::Close(closer) | Action::CloseUnheard(closer) => {
                let claims = self.claims(&before.closers[closer].claims);
                let batch = store.claims_close(&claims).await.unwrap();
                assert_eq!(told(&batch), brought(model::Status::Closed));
            }
            Action::GiveBack(closer) => {
                let claims = self.claims(&before.closers[closer].claims);
                let released = store.claims_release(&claims).await.unwrap();
                let expected = brought(model::Status::Open).len();
                assert_eq!(usize::try_from(released).unwrap(), expected);
            }
            Action::Reap(lot) => {
                let shards: Shards = self.lots[lot].shard().to_string().parse().unwrap();
                assert_eq!(
                    store.claims_reap(shards.into(), span(1), 10).await.unwrap(),
                    1
                );
            }
            Action::CloseByHand(lot) => {
                let reply = closed(self.backend, self.lots[lot].get()).await;
                assert!(matches!(reply, CloseReply::Closed(_)), "{reply:?}");
            }
        }
    }

    /// What the model does not let a closer do, the database does not let it do either.
    async fn nothing_is_closed_early(&self, state: &State) {
        let open = |lot: &model::Lot| lot.status == model::Status::Open && lot.end <= state.now;
        let lots = (0..self.lots.len()).filter(|lot| !open(&state.lots[*lot]));
        let ids = self.ids(&lots.collect::<Vec<_>>());
        let store = self.backend.store();
        assert_eq!(store.auctions_claim(&ids).await.unwrap(), []);
        let batch = store.auctions_close(&ids).await.unwrap();
        assert_eq!(batch, SweepBatch::default());
    }

    async fn compare(&self, state: &State, path: &str) {
        for (lot, id) in state.lots.iter().zip(self.lots) {
            let found = dossier(self.backend, id.get()).await;
            let row = found.row.unwrap();
            let status = match row.status {
                Status::Open => model::Status::Open,
                Status::Closing => model::Status::Closing,
                Status::Closed | Status::ClosedReserveNotMet => model::Status::Closed,
                Status::Cancelled => model::Status::Cancelled,
            };
            assert_eq!(
                (status, row.closer_epoch),
                (lot.status, lot.epoch.into()),
                "{path}"
            );
            assert_eq!(row.end, at(START + i64::from(lot.end) * SECOND), "{path}");
            // A cancellation has its own.
            let cancelled = usize::from(status == model::Status::Cancelled);
            assert_eq!(
                found.events.len(),
                usize::from(lot.events) + cancelled,
                "{path}"
            );
        }
    }
}

/// Whom a batch closed.
fn told(batch: &SweepBatch) -> Vec<AuctionId> {
    let mut ids: Vec<AuctionId> = batch
        .closed
        .iter()
        .map(|closed| closed.auction_id)
        .collect();
    ids.sort_unstable();
    ids
}
