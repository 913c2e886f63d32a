//! Watch lists.

use std::sync::Arc;

use gavel::store::{Contract, Watch};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, REHEARSE, clock, closed, dossier, opened};
use crate::support::make::{END, id, party, terms};

on_every_backend!(
    an_auction_is_on_a_list_once,
    lists_are_each_persons_own,
    an_unknown_auction_is_told,
    a_rehearsal_stores_nothing,
);

async fn add<B: Backend>(backend: &B, number: i64, watcher: &str) -> Watch {
    let (store, watcher) = (backend.store(), party(watcher));
    let watch = store.watch_add(id(number), &watcher, COMMIT);
    watch.await.unwrap()
}

async fn remove<B: Backend>(backend: &B, number: i64, watcher: &str) -> Watch {
    let (store, watcher) = (backend.store(), party(watcher));
    let watch = store.watch_remove(id(number), &watcher, COMMIT);
    watch.await.unwrap()
}

async fn an_auction_is_on_a_list_once<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    assert_eq!(remove(&*backend, 1, "eve").await, Watch::Unchanged);
    assert_eq!(add(&*backend, 1, "eve").await, Watch::Added);
    assert_eq!(add(&*backend, 1, "eve").await, Watch::Unchanged);
    assert_eq!(dossier(&*backend, 1).await.watchers, [party("eve")]);
    // Watching outlasts the auction.
    clock(&*backend, END).await;
    closed(&*backend, 1).await;
    assert_eq!(remove(&*backend, 1, "eve").await, Watch::Removed);
    assert_eq!(remove(&*backend, 1, "eve").await, Watch::Unchanged);
    assert_eq!(dossier(&*backend, 1).await.watchers, []);
}

async fn lists_are_each_persons_own<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    add(&*backend, 1, "eve").await;
    add(&*backend, 1, "adam").await;
    add(&*backend, 2, "adam").await;
    assert_eq!(remove(&*backend, 1, "adam").await, Watch::Removed);
    assert_eq!(dossier(&*backend, 1).await.watchers, [party("eve")]);
    assert_eq!(dossier(&*backend, 2).await.watchers, [party("adam")]);
}

async fn an_unknown_auction_is_told<B: Backend>(backend: Arc<B>) {
    assert_eq!(add(&*backend, 1, "eve").await, Watch::NotFound);
    assert_eq!(remove(&*backend, 1, "eve").await, Watch::NotFound);
}

async fn a_rehearsal_stores_nothing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let (store, eve) = (backend.store(), party("eve"));
    let added = store.watch_add(id(1), &eve, REHEARSE).await.unwrap();
    assert_eq!(added, Watch::Added);
    assert_eq!(dossier(&*backend, 1).await.watchers, []);
    add(&*backend, 1, "eve").await;
    let removed = store.watch_remove(id(1), &eve, REHEARSE).await.unwrap();
    assert_eq!(removed, Watch::Removed);
    assert_eq!(dossier(&*backend, 1).await.watchers, [eve]);
}
