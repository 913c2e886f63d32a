//! Whole auctions out and in: nothing lost, nothing changed, all or nothing.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{Terms, VoidScope};
use gavel::store::{
    Contract, Dossier, ImportItem, ImportReport, Scope, StoreError, StoreErrorKind, WriteMode,
};
use tokio::sync::mpsc;

use crate::support::backend::{Backend, Sqlite, fresh, on_every_backend};
use crate::support::drive::{
    COMMIT, REHEARSE, accepted, clock, closed, done, dossier, dossiers, ledger, opened, row,
};
use crate::support::make::{END, MINUTE, at, id, party, soft_close, terms, usd, void};
use crate::support::postgres::Postgres;

on_every_backend!(
    a_dossier_is_all_that_is_stored,
    all_come_by_id_and_unknown_ids_give_none,
    many_auctions_come_in_chunks,
    a_reader_that_stops_is_no_error,
    an_import_into_an_empty_database_is_the_same_database,
    the_same_import_again_changes_nothing,
    other_content_under_a_known_id_writes_nothing,
    an_abandoned_import_writes_nothing,
    a_rehearsed_import_writes_nothing,
    bidding_goes_on_after_an_import,
);

/// Four auctions in different states: sold with watchers, cancelled, open, closed unsold.
async fn furnish<B: Backend>(backend: &B) {
    let soft = Terms {
        title: "青銅の手, \"quoted\"".to_owned(),
        soft_close: Some(soft_close()),
        reserve: Some(usd("20")),
        ..terms()
    };
    opened(backend, 1, soft).await;
    opened(backend, 2, terms()).await;
    let later = Terms {
        end: at(END + 60 * MINUTE),
        ..terms()
    };
    opened(backend, 5, later).await;
    opened(backend, 9, terms()).await;
    accepted(backend, 1, 2, "ann", 5_000).await;
    accepted(backend, 1, 3, "ben", 6_000).await;
    done(backend, 1, 4, void("ann", VoidScope::All)).await;
    let store = backend.store();
    for watcher in ["eve", "adam"].map(party) {
        store.watch_add(id(1), &watcher, COMMIT).await.unwrap();
    }
    done(backend, 2, 2, Deed::Cancel).await;
    accepted(backend, 5, 2, "ann", 5_000).await;
    clock(backend, END + MINUTE).await;
    closed(backend, 1).await;
    closed(backend, 9).await;
}

async fn import<B: Backend>(
    backend: &B,
    chunks: Vec<Vec<Dossier>>,
    end: bool,
    mode: WriteMode,
) -> Result<ImportReport, StoreError> {
    let (send, incoming) = mpsc::channel(chunks.len() + 1);
    for chunk in chunks {
        send.send(ImportItem::Chunk(chunk)).await.unwrap();
    }
    if end {
        send.send(ImportItem::End).await.unwrap();
    }
    drop(send);
    backend.store().dossiers_import(incoming, mode).await
}

async fn all<B: Backend>(backend: &B) -> Vec<Dossier> {
    dossiers(backend, &Scope::All).await.unwrap()
}

fn report(imported: u64, unchanged: u64) -> ImportReport {
    ImportReport {
        imported,
        unchanged,
    }
}

async fn a_dossier_is_all_that_is_stored<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let found = dossier(&*backend, 1).await;
    assert_eq!(found.auction_id, 1);
    assert_eq!(found.row, Some(row(&*backend, 1).await));
    assert_eq!(found.entries, ledger(&*backend, 1).await);
    assert_eq!(found.entries.len(), 4);
    assert_eq!(found.events.len(), 1);
    assert_eq!(found.watchers, [party("adam"), party("eve")]);
    assert_eq!(found.damage, []);
    assert!(found.secrets_visible);
    let bare = dossier(&*backend, 5).await;
    assert_eq!((bare.events, bare.watchers), (vec![], vec![]));
}

async fn all_come_by_id_and_unknown_ids_give_none<B: Backend>(backend: Arc<B>) {
    assert_eq!(all(&*backend).await, []);
    furnish(&*backend).await;
    let whole = all(&*backend).await;
    let ids: Vec<i64> = whole.iter().map(|dossier| dossier.auction_id).collect();
    assert_eq!(ids, [1, 2, 5, 9]);
    let store = backend.store();
    assert_eq!(store.dossiers_count(&Scope::All).await.unwrap(), (4, 9));
    let some = Scope::Ids([9, 3, 2, 9].map(id).to_vec());
    let found = dossiers(&*backend, &some).await.unwrap();
    assert_eq!(found, [whole[1].clone(), whole[3].clone()]);
    let (auctions, _) = store.dossiers_count(&some).await.unwrap();
    assert_eq!(auctions, 2);
    let none = Scope::Ids(Vec::new());
    assert_eq!(dossiers(&*backend, &none).await.unwrap(), []);
}

async fn many_auctions_come_in_chunks<B: Backend>(backend: Arc<B>) {
    let creates: Vec<_> = (1..=1_203)
        .map(|number| {
            let request = crate::support::make::request(1);
            crate::support::make::create(id(number), request, terms())
        })
        .collect();
    let store = backend.store();
    store.auction_create(&creates, COMMIT).await.unwrap();
    let (out, mut chunks) = mpsc::channel::<Vec<Dossier>>(1);
    let read = async {
        let mut ids = Vec::new();
        while let Some(chunk) = chunks.recv().await {
            assert!((1..=1_000).contains(&chunk.len()));
            ids.extend(chunk.iter().map(|dossier| dossier.auction_id));
        }
        ids
    };
    let (sent, ids) = tokio::join!(store.dossiers_read(&Scope::All, out), read);
    sent.unwrap();
    assert_eq!(ids, (1..=1_203).collect::<Vec<_>>());
}

async fn a_reader_that_stops_is_no_error<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let (out, chunks) = mpsc::channel(1);
    drop(chunks);
    let store = backend.store();
    store.dossiers_read(&Scope::All, out).await.unwrap();
    // The connection is fit for use afterwards.
    assert_eq!(all(&*backend).await.len(), 4);
}

async fn an_import_into_an_empty_database_is_the_same_database<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let whole = all(&*backend).await;
    let other = fresh::<B>().await;
    let chunks = vec![whole[..3].to_vec(), vec![], whole[3..].to_vec()];
    let done = import(&*other, chunks, true, COMMIT).await.unwrap();
    assert_eq!(done, report(4, 0));
    assert_eq!(all(&*other).await, whole);
}

async fn the_same_import_again_changes_nothing<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let whole = all(&*backend).await;
    let again = import(&*backend, vec![whole.clone()], true, COMMIT).await;
    assert_eq!(again.unwrap(), report(0, 4));
    let other = fresh::<B>().await;
    let half = import(&*other, vec![whole[..2].to_vec()], true, COMMIT).await;
    assert_eq!(half.unwrap(), report(2, 0));
    let rest = import(&*other, vec![whole.clone()], true, COMMIT).await;
    assert_eq!(rest.unwrap(), report(2, 2));
    assert_eq!(all(&*other).await, whole);
}

async fn other_content_under_a_known_id_writes_nothing<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let whole = all(&*backend).await;
    let other = fresh::<B>().await;
    opened(&*other, 9, terms()).await;
    let before = all(&*other).await;
    let error = import(&*other, vec![whole], true, COMMIT)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Conflict);
    assert!(
        error.to_string().contains('9'),
        "names the auction: {error}"
    );
    assert_eq!(all(&*other).await, before);
}

async fn an_abandoned_import_writes_nothing<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let whole = all(&*backend).await;
    let other = fresh::<B>().await;
    let abandoned = import(&*other, vec![whole], false, COMMIT).await;
    assert!(abandoned.is_err());
    assert_eq!(all(&*other).await, []);
    opened(&*other, 1, terms()).await;
}

async fn a_rehearsed_import_writes_nothing<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let whole = all(&*backend).await;
    let other = fresh::<B>().await;
    let rehearsed = import(&*other, vec![whole], true, REHEARSE).await.unwrap();
    assert_eq!(rehearsed, report(4, 0));
    assert_eq!(all(&*other).await, []);
}

async fn bidding_goes_on_after_an_import<B: Backend>(backend: Arc<B>) {
    furnish(&*backend).await;
    let other = fresh::<B>().await;
    clock(&*other, END + MINUTE).await;
    let whole = all(&*backend).await;
    import(&*other, vec![whole], true, COMMIT).await.unwrap();
    let here = accepted(&*backend, 5, 3, "ben", 7_000).await;
    let there = accepted(&*other, 5, 3, "ben", 7_000).await;
    assert_eq!(here, there);
    assert_eq!(all(&*backend).await, all(&*other).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auction_moves_between_the_databases_and_back() {
    let home = fresh::<Sqlite>().await;
    furnish(&*home).await;
    let whole = all(&*home).await;
    let server = fresh::<Postgres>().await;
    let there = import(&*server, vec![whole.clone()], true, COMMIT).await;
    assert_eq!(there.unwrap(), report(4, 0));
    assert_eq!(all(&*server).await, whole);
    let back = fresh::<Sqlite>().await;
    let again = import(&*back, vec![all(&*server).await], true, COMMIT).await;
    assert_eq!(again.unwrap(), report(4, 0));
    assert_eq!(all(&*back).await, whole);
}
