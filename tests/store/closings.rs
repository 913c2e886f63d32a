//! What became of auctions that have ended: by pages of ends, and by id.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{AuctionId, Shards, Terms};
use gavel::store::{Closing, Contract, Ended};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{clock, closed, done, opened};
use crate::support::make::{END, at, id, terms};

on_every_backend!(
    pages_of_ends_join_without_a_gap,
    what_is_withdrawn_owned_or_elsewhere_is_left_out,
    by_id_the_end_does_not_matter,
);

fn ending(us: i64) -> Terms {
    Terms {
        end: at(us),
        ..terms()
    }
}

fn between(after: i64, last: Option<AuctionId>, limit: u32) -> Ended<'static> {
    Ended::Between {
        shards: Shards::ALL,
        after: at(after),
        last,
        until: at(END + 9),
        limit,
    }
}

fn told(closings: &[Closing]) -> Vec<(i64, i64, Option<i64>)> {
    let told = closings.iter().map(|one| {
        let closed = one.closed.map(|closed| closed.get() - END);
        (one.auction_id.get(), one.end.get() - END, closed)
    });
    told.collect()
}

async fn pages_of_ends_join_without_a_gap<B: Backend>(backend: Arc<B>) {
    for (number, end) in [(5, 1), (3, 1), (4, 1), (1, 2), (2, 9), (6, 10)] {
        opened(&*backend, number, ending(END + end)).await;
    }
    clock(&*backend, END + 8).await;
    closed(&*backend, 4).await;
    let store = backend.store();
    let first = store.closings(between(END, None, 2)).await.unwrap();
    assert_eq!(told(&first), [(3, 1, None), (4, 1, Some(8))]);
    let next = between(END + 1, Some(id(4)), 2);
    let next = store.closings(next).await.unwrap();
    assert_eq!(told(&next), [(5, 1, None), (1, 2, None)]);
    let after_all = between(END + 1, None, 9);
    let after_all = store.closings(after_all).await.unwrap();
    assert_eq!(told(&after_all), [(1, 2, None), (2, 9, None)]);
}

async fn what_is_withdrawn_owned_or_elsewhere_is_left_out<B: Backend>(backend: Arc<B>) {
    for number in 1..=8 {
        opened(&*backend, number, ending(END + number)).await;
    }
    done(&*backend, 1, 2, Deed::Cancel).await;
    backend.set_owner(id(2), Some("node-1")).await;
    let store = backend.store();
    let found = store.closings(between(END, None, 99)).await.unwrap();
    let left: Vec<i64> = (3..=8).collect();
    let ids = |found: &[Closing]| -> Vec<i64> {
        let ids = found.iter().map(|one| one.auction_id.get());
        ids.collect()
    };
    assert_eq!(ids(&found), left);
    let all: Vec<AuctionId> = (1..=8).map(id).collect();
    let found = store.closings(Ended::These(&all)).await.unwrap();
    assert_eq!(ids(&found), left);
    let shard = id(5).shard();
    let of_shard = Ended::Between {
        shards: shard.to_string().parse().unwrap(),
        after: at(END),
        last: None,
        until: at(END + 9),
        limit: 99,
    };
    let found = ids(&store.closings(of_shard).await.unwrap());
    let expected: Vec<i64> = left
        .into_iter()
        .filter(|number| id(*number).shard() == shard)
        .collect();
    assert_eq!(found, expected);
}

async fn by_id_the_end_does_not_matter<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, ending(END)).await;
    opened(&*backend, 2, ending(END + 1_000)).await;
    clock(&*backend, END + 3).await;
    closed(&*backend, 1).await;
    let store = backend.store();
    let ids = [id(2), id(7), id(1)];
    let found = store.closings(Ended::These(&ids)).await.unwrap();
    assert_eq!(told(&found), [(1, 0, Some(3)), (2, 1_000, None)]);
    assert_eq!(store.closings(Ended::These(&[])).await.unwrap(), []);
}
