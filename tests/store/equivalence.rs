//! The most valuable test: the same random commands through the pure rules and through a store
//! give the same replies, the same ledgers to the last byte, the same rows, and a clean replay.

use std::sync::atomic::{AtomicI64, Ordering};

use gavel::auction::{AuctionId, Bid, Micros, Span};
use gavel::ledger::{Moment, audit};
use gavel::store::{BidAnswer, Contract, Reply, WriteMode};
use proptest::test_runner::TestRunner;

use crate::support::backend::{Backend, Sqlite};
use crate::support::commands::{Command, Player, Script, cases, scripts};
use crate::support::drive::{COMMIT, REHEARSE, dossier};
use crate::support::make::{START, at, id};
use crate::support::model::Model;
use crate::support::postgres::{Pooled, Postgres};

/// How many sequences by default.
const CASES: u32 = 2_000;

#[test]
fn sqlite_is_equivalent_to_the_rules() {
    equivalent::<Sqlite>(CASES);
}

#[test]
fn postgres_is_equivalent_to_the_rules() {
    // Mostly a matter of waiting for answers: four at once.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| equivalent::<Postgres>(CASES / 4));
        }
    });
}

#[test]
fn postgres_behind_a_pooler_is_equivalent_to_the_rules() {
    equivalent::<Pooled>(CASES / 10);
}

fn equivalent<B: Backend>(default: u32) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let backend = runtime.block_on(B::fresh());
    // Every sequence has an auction of its own in one database.
    let next = AtomicI64::new(1);
    TestRunner::new(cases(default))
        .run(&scripts(), |script| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            runtime.block_on(Box::pin(play(&backend, number, &script)));
            Ok(())
        })
        .unwrap();
}

async fn play<B: Backend>(backend: &B, number: i64, script: &Script) {
    let auction_id = id(number);
    let mut model = Model::new(at(START));
    backend.set_clock(model.now).await;
    let mut player = Player::new(auction_id);
    let create = player.create(script.terms.clone());
    both(backend, &mut model, auction_id, &create, COMMIT).await;
    let mut batch = Batch::default();
    for (n, step) in script.steps.iter().enumerate() {
        let command = player.resolve(*step, &model);
        // Every other stretch of steps places its bids together.
        if let (Command::Bid(bid), true) = (&command, n / 6 % 2 == 1) {
            batch.expected.push(model.bid(bid));
            batch.bids.push(bid.clone());
            continue;
        }
        if !batch.bids.is_empty() {
            batch.place(backend).await;
        }
        if n % 5 == 0 {
            // A rehearsal answers as the real thing would, and leaves no trace.
            both(backend, &mut model.clone(), auction_id, &command, REHEARSE).await;
        }
        both(backend, &mut model, auction_id, &command, COMMIT).await;
    }
    batch.place(backend).await;
    let kept = model.get(auction_id).unwrap();
    let found = dossier(backend, number).await;
    assert_eq!(found.damage, []);
    assert_eq!(found.entries, kept.ledger);
    assert_eq!(found.row, Some(kept.row()));
    assert_eq!(found.events, kept.events);
    assert_eq!(audit(&found, &moment(model.now)), []);
}

/// A sequence may leave its auction past the end and unclosed; that is no fault of the record.
fn moment(now: Micros) -> Moment {
    Moment {
        now,
        due_grace: Some(Span::new(Span::MAX).unwrap()),
        claim_timeout: None,
        ledger_only: false,
    }
}

/// Bids that the model has judged and the store is still to judge, in one call.
#[derive(Default)]
struct Batch {
    bids: Vec<Bid>,
    expected: Vec<Reply<BidAnswer>>,
}

impl Batch {
    async fn place<B: Backend>(&mut self, backend: &B) {
        let Self { bids, expected } = std::mem::take(self);
        let found = backend.store().bid_place_many(&bids, COMMIT).await;
        assert_eq!(found.complete().unwrap(), expected, "{bids:?}");
    }
}

/// The same command to both; the replies must be equal.
async fn both<B: Backend>(
    backend: &B,
    model: &mut Model,
    auction_id: AuctionId,
    command: &Command,
    mode: WriteMode,
) {
    let store = backend.store();
    match command {
        Command::Clock(now) => {
            model.now = *now;
            backend.set_clock(*now).await;
        }
        Command::Create(create) => {
            let creates = std::slice::from_ref(create);
            let found = store.auction_create(creates, mode).await.unwrap();
            assert_eq!(found, [model.create(create)], "{command:?}");
        }
        Command::Bid(bid) => {
            let found = store.bid_place(bid, mode).await.unwrap();
            assert_eq!(found, model.bid(bid), "{command:?}");
        }
        Command::Act(action) => {
            let found = store.auction_act(auction_id, action, mode).await.unwrap();
            assert_eq!(found, model.act(auction_id, action), "{command:?}");
        }
        Command::Close => {
            let found = store.auction_close(auction_id, mode).await.unwrap();
            assert_eq!(found, model.close(auction_id), "{command:?}");
        }
    }
}
