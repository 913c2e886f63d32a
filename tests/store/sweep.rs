//! Closing what is due, shard by shard, and the sweep over all shards.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{AuctionId, IdRange, Remit, Status, Terms};
use gavel::closer::{SweepOptions, sweep};
use gavel::store::{AuctionFilter, AuctionOrder, Backlog, Contract, OutboxBacklog, SweepBatch};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    COMMIT, REHEARSE, accepted, clock, closed, done, dossier, ids_in_shard, opened, row,
};
use crate::support::make::{END, MINUTE, START, at, id, terms, usd};

on_every_backend!(
    a_batch_takes_the_earliest_due_of_its_shard,
    what_is_not_due_or_not_the_closers_is_passed_over,
    skipped_auctions_do_not_fill_the_batch,
    a_rehearsed_batch_is_still_due,
    the_backlog_counts_over_all_shards,
    the_outbox_counts_what_nobody_has_taken,
    a_sweep_closes_everything_once,
    a_rehearsed_sweep_ends_and_stores_nothing,
);

const SHARD: i64 = 5;

fn ending(us: i64) -> Terms {
    Terms {
        end: at(us),
        ..terms()
    }
}

/// Auctions of one shard with these ends, in this order of id.
async fn shard_with<B: Backend>(backend: &B, ends: &[i64]) -> Vec<AuctionId> {
    let ids: Vec<AuctionId> = ids_in_shard(SHARD).take(ends.len()).collect();
    for (id, end) in ids.iter().zip(ends) {
        opened(backend, id.get(), ending(*end)).await;
    }
    ids
}

fn ids_of(batch: &SweepBatch) -> Vec<AuctionId> {
    batch
        .closed
        .iter()
        .map(|closed| closed.auction_id)
        .collect()
}

async fn batch<B: Backend>(backend: &B, limit: u32, skip: &[AuctionId]) -> Vec<AuctionId> {
    let store = backend.store();
    let due = store
        .auction_due_ids(SHARD, IdRange::ALL, limit, skip)
        .await
        .unwrap();
    let batch = store
        .auction_close_due(SHARD, IdRange::ALL, limit, skip, COMMIT)
        .await;
    let closed = ids_of(&batch.unwrap());
    assert_eq!(due, closed, "what was due is what was closed");
    closed
}

async fn a_batch_takes_the_earliest_due_of_its_shard<B: Backend>(backend: Arc<B>) {
    let ids = shard_with(&*backend, &[END + 3, END + 1, END + 2, END, END + 9]).await;
    let elsewhere = ids_in_shard(SHARD + 1).next().unwrap();
    opened(&*backend, elsewhere.get(), ending(END)).await;
    clock(&*backend, END + 3).await;
    assert_eq!(batch(&*backend, 2, &[]).await, [ids[3], ids[1]]);
    assert_eq!(batch(&*backend, 2, &[]).await, [ids[2], ids[0]]);
    assert_eq!(batch(&*backend, 2, &[]).await, []);
    assert_eq!(row(&*backend, elsewhere.get()).await.status, Status::Open);
    for id in &ids[..4] {
        let found = dossier(&*backend, id.get()).await;
        assert_eq!(found.events.len(), 1);
        let row = found.row.unwrap();
        assert_eq!(row.status, Status::Closed);
        assert_eq!(row.closed_at, Some(at(END + 3)));
    }
}

async fn what_is_not_due_or_not_the_closers_is_passed_over<B: Backend>(backend: Arc<B>) {
    let ids = shard_with(&*backend, &[END, END, END, END, END + 1]).await;
    done(&*backend, ids[0].get(), 2, Deed::Cancel).await;
    backend.set_owner(ids[1], Some("node-1")).await;
    clock(&*backend, END).await;
    closed(&*backend, ids[2].get()).await;
    assert_eq!(batch(&*backend, 10, &[]).await, [ids[3]]);
    assert_eq!(row(&*backend, ids[1].get()).await.status, Status::Open);
    assert_eq!(row(&*backend, ids[4].get()).await.status, Status::Open);
}

async fn skipped_auctions_do_not_fill_the_batch<B: Backend>(backend: Arc<B>) {
    let ids = shard_with(&*backend, &[END, END + 1, END + 2]).await;
    clock(&*backend, END + 5).await;
    assert_eq!(batch(&*backend, 1, &ids[..2]).await, [ids[2]]);
    assert_eq!(batch(&*backend, 1, &ids[..1]).await, [ids[1]]);
    assert_eq!(batch(&*backend, 1, &ids[..1]).await, []);
}

async fn a_rehearsed_batch_is_still_due<B: Backend>(backend: Arc<B>) {
    let ids = shard_with(&*backend, &[END, END]).await;
    accepted(&*backend, ids[0].get(), 2, "ann", 5_000).await;
    clock(&*backend, END).await;
    let store = backend.store();
    let rehearse = store.auction_close_due(SHARD, IdRange::ALL, 10, &[], REHEARSE);
    let rehearsed = rehearse.await.unwrap();
    assert_eq!(ids_of(&rehearsed), ids);
    let kept = store
        .auction_close_due(SHARD, IdRange::ALL, 10, &[], COMMIT)
        .await;
    assert_eq!(kept.unwrap(), rehearsed);
}

async fn the_backlog_counts_over_all_shards<B: Backend>(backend: Arc<B>) {
    for number in 1..=40 {
        opened(&*backend, number, ending(END + number)).await;
    }
    let store = backend.store();
    assert_eq!(store.backlog(Remit::ALL).await.unwrap(), Backlog::default());
    clock(&*backend, END + 30).await;
    backend.set_owner(id(1), Some("node-1")).await;
    let backlog = store.backlog(Remit::ALL).await.unwrap();
    assert_eq!((backlog.due, backlog.oldest_end), (29, Some(at(END + 2))));
}

async fn the_outbox_counts_what_nobody_has_taken<B: Backend>(backend: Arc<B>) {
    let store = backend.store();
    assert_eq!(
        store.outbox_backlog().await.unwrap(),
        OutboxBacklog::default()
    );
    for number in 1..=3 {
        opened(&*backend, number, terms()).await;
    }
    clock(&*backend, START + MINUTE).await;
    done(&*backend, 3, 2, Deed::Cancel).await;
    clock(&*backend, END + 5).await;
    closed(&*backend, 1).await;
    let waits = store.outbox_backlog().await.unwrap();
    assert_eq!((waits.pending, waits.oldest), (2, Some(at(START + MINUTE))));
}

async fn a_sweep_closes_everything_once<B: Backend>(backend: Arc<B>) {
    let reserve = Terms {
        reserve: Some(usd("700")),
        ..ending(END + 2)
    };
    for number in 1..=60 {
        let terms = if number % 3 == 0 {
            reserve.clone()
        } else {
            ending(END + 1)
        };
        opened(&*backend, number, terms).await;
        if number % 3 != 1 {
            accepted(&*backend, number, 2, "ann", 1_500).await;
        }
    }
    opened(&*backend, 61, ending(END + MINUTE)).await;
    clock(&*backend, END + 12).await;
    let options = SweepOptions {
        batch: 1,
        ..SweepOptions::default()
    };
    let mut seen = Vec::new();
    let (report, outcome) = sweep(backend.store(), &options, |closed| {
        seen.extend(closed.iter().map(|closed| closed.auction_id.get()));
    })
    .await;
    outcome.unwrap();
    seen.sort_unstable();
    assert_eq!(seen, (1..=60).collect::<Vec<_>>());
    let counts = (
        report.closed,
        report.sold,
        report.no_bids,
        report.reserve_not_met,
    );
    assert_eq!(counts, (60, 20, 20, 20));
    assert_eq!((report.lag_max_us, report.left), (11, 0));
    assert_eq!(report.bad, []);
    for _ in 0..2 {
        let (again, outcome) = sweep(backend.store(), &SweepOptions::default(), |_| {}).await;
        outcome.unwrap();
        assert_eq!(again.closed, 0);
    }
    assert_eq!(row(&*backend, 61).await.status, Status::Open);
    let filter = AuctionFilter {
        statuses: vec![Status::Closed, Status::ClosedReserveNotMet],
        ..AuctionFilter::default()
    };
    let listed = backend
        .store()
        .auction_list(&filter, AuctionOrder::Id, None, 100);
    assert_eq!(
        listed.await.unwrap().len(),
        60,
        "none vanished from the lists"
    );
}

async fn a_rehearsed_sweep_ends_and_stores_nothing<B: Backend>(backend: Arc<B>) {
    for number in 1..=10 {
        opened(&*backend, number, ending(START + 10)).await;
    }
    clock(&*backend, START + 10).await;
    let options = SweepOptions {
        batch: 2,
        mode: REHEARSE,
        ..SweepOptions::default()
    };
    let (report, outcome) = sweep(backend.store(), &options, |_| {}).await;
    outcome.unwrap();
    assert_eq!(report.closed, 10);
    assert_eq!(backend.store().backlog(Remit::ALL).await.unwrap().due, 10);
}
