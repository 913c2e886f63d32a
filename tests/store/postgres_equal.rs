//! PostgreSQL's functions against the rules: the same random commands give the same replies, the
//! same ledgers to the last byte, and the same cached rows.

use gavel::store::{Contract as _, PostgresStore, WriteMode};
use proptest::test_runner::TestRunner;

use crate::support::commands::{Command, Player, Script, cases, scripts};
use crate::support::make;
use crate::support::model::Model;
use crate::support::postgres::{Database, StoppedClock};

#[test]
fn random_histories_are_equal() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (store, clock) = runtime.block_on(async {
        let database = Database::fresh().await;
        (database.store(), database.stop_clock().await)
    });
    let played = std::cell::RefCell::new((clock, 0));
    TestRunner::new(cases(2_000))
        .run(&scripts(), |script| {
            let (clock, number) = &mut *played.borrow_mut();
            *number += 1;
            runtime.block_on(play(&store, clock, *number, &script));
            Ok(())
        })
        .unwrap();
}

async fn play(store: &PostgresStore, clock: &mut StoppedClock, number: i64, script: &Script) {
    let auction_id = make::id(7_000 + number);
    let mut model = Model::new(make::at(make::START));
    clock.set(model.now).await;
    let mut player = Player::new(auction_id);
    let mut commands = vec![player.create(script.terms.clone())];
    let mut steps = script.steps.iter();
    while let Some(command) = commands.pop() {
        let mode = WriteMode::Commit;
        match &command {
            Command::Clock(now) => {
                model.now = *now;
                clock.set(*now).await;
            }
            Command::Create(create) => {
                let replies = store
                    .auction_create(std::slice::from_ref(create), mode)
                    .await;
                assert_eq!(replies.unwrap(), [model.create(create)], "{command:?}");
            }
            Command::Bid(bid) => {
                let reply = store.bid_place(bid, mode).await.unwrap();
                assert_eq!(reply, model.bid(bid), "{command:?}");
            }
            Command::Act(action) => {
                let reply = store.auction_act(auction_id, action, mode).await.unwrap();
                assert_eq!(reply, model.act(auction_id, action), "{command:?}");
            }
            Command::Close => {
                let reply = store.auction_close(auction_id, mode).await.unwrap();
                assert_eq!(reply, model.close(auction_id), "{command:?}");
            }
        }
        commands.extend(steps.next().map(|step| player.resolve(*step, &model)));
    }
    let kept = model.get(auction_id).unwrap();
    let ledger = store.ledger_get(auction_id, 0, 1_000).await.unwrap();
    assert_eq!(ledger, kept.ledger);
    let row = store.auction_get(auction_id).await.unwrap().unwrap();
    assert_eq!(row, kept.row());
}
