//! The schema: made on request, once, by whoever comes first.

use std::sync::Arc;

use gavel::auction::Remit;
use gavel::store::{Contract, MigrationState, StoreErrorKind};
use tokio::task::JoinSet;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, clock, opened, row};
use crate::support::make::{START, at, bid_of, create, currency, id, request, terms};

on_every_backend!(
    an_empty_database_says_what_is_missing,
    migrating_twice_does_nothing_more,
    of_eight_that_migrate_one_says_that_it_did,
    another_connection_sees_the_same_database,
);

async fn an_empty_database_says_what_is_missing<B: Backend>(_migrated: Arc<B>) {
    let bare = B::bare().await;
    let store = bare.store();
    let state = store.migration_state().await.unwrap();
    assert_eq!((&state.applied, &state.unknown), (&vec![], &vec![]));
    assert!(!state.pending.is_empty() && !state.is_current());
    let bid = bid_of(id(1), request(2), "ann", 5_000, currency("USD"));
    let creates = [create(id(1), request(1), terms())];
    let errors = [
        store.auction_get(id(1)).await.err(),
        store.bid_place(&bid, COMMIT).await.err(),
        store.auction_create(&creates, COMMIT).await.err(),
        store.auction_close(id(1), COMMIT).await.err(),
        store.backlog(Remit::ALL).await.err(),
        store.installation().await.err(),
    ];
    for error in errors {
        assert_eq!(error.unwrap().kind(), StoreErrorKind::NotMigrated);
    }
    assert_eq!(store.migrate().await.unwrap(), state.pending);
    let after = MigrationState {
        applied: state.pending.clone(),
        pending: Vec::new(),
        unknown: Vec::new(),
    };
    assert_eq!(store.migration_state().await.unwrap(), after);
    assert!(after.is_current());
    clock(&bare, START).await;
    opened(&bare, 1, terms()).await;
}

async fn migrating_twice_does_nothing_more<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let before = row(&*backend, 1).await;
    let store = backend.store();
    let installation = store.installation().await.unwrap();
    assert_eq!(store.migrate().await.unwrap(), [] as [i64; 0]);
    assert_eq!(store.installation().await.unwrap(), installation);
    assert_eq!(row(&*backend, 1).await, before);
    let elsewhere = B::fresh().await;
    let other = elsewhere.store().installation().await.unwrap();
    assert_ne!(other, installation);
}

async fn of_eight_that_migrate_one_says_that_it_did<B: Backend>(_migrated: Arc<B>) {
    let bare = B::bare().await;
    let mut running = JoinSet::new();
    for _ in 0..8 {
        let store = bare.other().await;
        running.spawn(async move { store.migrate().await.unwrap() });
    }
    let applied = running.join_all().await;
    let state = bare.store().migration_state().await.unwrap();
    assert_eq!(applied.concat(), state.applied);
    assert!(state.is_current());
    clock(&bare, START).await;
    opened(&bare, 1, terms()).await;
}

async fn another_connection_sees_the_same_database<B: Backend>(backend: Arc<B>) {
    let other = backend.other().await;
    opened(&*backend, 1, terms()).await;
    let seen = other.auction_get(id(1)).await.unwrap();
    assert_eq!(seen, Some(row(&*backend, 1).await));
    assert_eq!(other.now().await.unwrap(), at(START));
    assert_eq!(backend.store().now().await.unwrap(), at(START));
}
