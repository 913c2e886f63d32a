//! What a closer asks reads the indexes made for it, whatever the planner takes the table for: it
//! must not go through all that was ever closed.

use gavel::auction::{IdRange, Remit, Terms};
use gavel::closer::{SweepOptions, sweep};
use gavel::store::Contract as _;
use sqlx::Executor as _;

use crate::support::drive::COMMIT;
use crate::support::make::{END, SECOND, at, create, id, request, span, terms};
use crate::support::postgres::{Database, set_clock};

const CLOSED: i64 = 3_000;
const OPEN: i64 = 300;

/// All that ended at seven are closed, and the planner, who looked before, takes them for open.
async fn after_seven() -> Database {
    let database = Database::stopped().await;
    let store = database.store();
    let lots = |from: i64, number: i64, end_us| {
        let terms = Terms {
            end: at(end_us),
            ..terms()
        };
        let lots = from..from + number;
        lots.map(|number| create(id(number), request(1), terms.clone()))
            .collect::<Vec<_>>()
    };
    store
        .auction_create(&lots(1, CLOSED, END), COMMIT)
        .await
        .unwrap();
    let mut owner = database.connect().await;
    owner.execute("analyze gavel.auctions").await.unwrap();
    set_clock(&mut owner, at(END)).await;
    let (report, outcome) = sweep(&store, &SweepOptions::default(), |_| {}).await;
    outcome.unwrap();
    assert_eq!(report.closed, u64::try_from(CLOSED).unwrap());
    let next = lots(CLOSED + 1, OPEN, END + SECOND);
    store.auction_create(&next, COMMIT).await.unwrap();
    set_clock(&mut owner, at(END + SECOND)).await;
    store.close().await;
    database
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_closed_is_not_gone_through_again() {
    let database = after_seven().await;
    let alone = "select count(*) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid()";
    database.until(0, alone).await;
    let mut owner = database.connect().await;
    owner.execute("select pg_stat_reset()").await.unwrap();
    let store = database.store();
    let remit = Remit::ALL;
    // Often enough for plans that are kept.
    for round in 0..8 {
        let mut due = Vec::new();
        for shard in remit.shards.iter() {
            due.extend(
                store
                    .auction_due_ids(shard, IdRange::ALL, 2, &[])
                    .await
                    .unwrap(),
            );
        }
        assert!(!due.is_empty(), "{round}");
        let (now, next) = (at(END + SECOND), at(END + 2 * SECOND));
        store.auctions_ending(remit, now, next, 100).await.unwrap();
        store.auctions_waiting(&due[..4]).await.unwrap();
        store.backlog(remit).await.unwrap();
        store.claims_reap(remit, span(SECOND), 10).await.unwrap();
        let claims = store.auctions_claim(&due[..2]).await.unwrap();
        assert_eq!(claims.len(), 2);
        store.claims_release(&claims[..1]).await.unwrap();
        store.claims_close(&claims[1..]).await.unwrap();
        store.auctions_close(&due[2..4]).await.unwrap();
        let shard = due[4].shard();
        let close = store.auction_close_due(shard, IdRange::ALL, 1, &[], COMMIT);
        assert_eq!(close.await.unwrap().closed.len(), 1);
    }
    store.close().await;
    drop(owner);
    // A session's counts are told at its end.
    database.until(0, alone).await;
    let others = "select coalesce(sum(idx_scan), 0)::bigint from pg_stat_user_indexes
                  where schemaname = 'gavel' and relname = 'auctions'
                    and indexrelname not in ('auctions_pkey', 'auctions_due', 'auctions_claimed')";
    database.until(0, others).await;
}
