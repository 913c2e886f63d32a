//! Short calls into a backend's store, for tests that expect them to work.

use gavel::auction::operator::Deed;
use gavel::auction::{AuctionId, Bid, Entry, Refusal, Terms};
use gavel::store::{
    AuctionRow, BidAnswer, CloseReply, Contract, Dossier, Reply, Scope, StoreError, WriteMode,
};
use tokio::sync::mpsc;

use super::backend::Backend;
use super::make::{self, at, id, request};

pub(crate) const COMMIT: WriteMode = WriteMode::Commit;
pub(crate) const REHEARSE: WriteMode = WriteMode::Rehearse;

/// The request id of every auction's create entry.
pub(crate) const CREATED: u128 = 1_000_000;

pub(crate) async fn clock(backend: &impl Backend, us: i64) {
    backend.set_clock(at(us)).await;
}

pub(crate) async fn opened(backend: &impl Backend, number: i64, terms: Terms) -> Entry {
    let create = make::create(id(number), request(CREATED), terms);
    let replies = backend.store().auction_create(&[create], COMMIT).await;
    match &replies.unwrap()[..] {
        [Reply::Done(entry)] => entry.clone(),
        other => panic!("create {number}: {other:?}"),
    }
}

/// A bid in dollars' minor units.
pub(crate) fn bid(number: i64, request_number: u128, bidder: &str, maximum: i64) -> Bid {
    let usd = make::currency("USD");
    make::bid_of(id(number), request(request_number), bidder, maximum, usd)
}

pub(crate) async fn placed(backend: &impl Backend, bid: &Bid) -> Reply<BidAnswer> {
    backend.store().bid_place(bid, COMMIT).await.unwrap()
}

pub(crate) async fn accepted(
    backend: &impl Backend,
    number: i64,
    request_number: u128,
    bidder: &str,
    maximum: i64,
) -> BidAnswer {
    let bid = bid(number, request_number, bidder, maximum);
    match placed(backend, &bid).await {
        Reply::Done(answer) => answer,
        other => panic!("{bidder} {maximum}: {other:?}"),
    }
}

pub(crate) async fn acted(
    backend: &impl Backend,
    number: i64,
    request_number: u128,
    deed: Deed,
) -> Reply<Entry> {
    let action = make::action(request(request_number), deed);
    let store = backend.store();
    store
        .auction_act(id(number), &action, COMMIT)
        .await
        .unwrap()
}

pub(crate) async fn done(
    backend: &impl Backend,
    number: i64,
    request_number: u128,
    deed: Deed,
) -> Entry {
    match acted(backend, number, request_number, deed).await {
        Reply::Done(entry) => entry,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn closed(backend: &impl Backend, number: i64) -> CloseReply {
    let store = backend.store();
    store.auction_close(id(number), COMMIT).await.unwrap()
}

pub(crate) async fn row(backend: &impl Backend, number: i64) -> AuctionRow {
    let row = backend.store().auction_get(id(number)).await.unwrap();
    row.unwrap()
}

pub(crate) async fn ledger(backend: &impl Backend, number: i64) -> Vec<Entry> {
    let entries = backend.store().ledger_get(id(number), 0, 10_000).await;
    entries.unwrap()
}

/// All that is stored of an auction.
pub(crate) async fn dossier(backend: &impl Backend, number: i64) -> Dossier {
    let scope = Scope::Ids(vec![id(number)]);
    let mut found = dossiers(backend, &scope).await.unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// Everything in scope, read to the end.
pub(crate) async fn dossiers(
    backend: &impl Backend,
    scope: &Scope,
) -> Result<Vec<Dossier>, StoreError> {
    let (out, mut chunks) = mpsc::channel(1);
    let collect = async {
        let mut all = Vec::new();
        while let Some(chunk) = chunks.recv().await {
            all.extend(chunk);
        }
        all
    };
    let (read, all) = tokio::join!(backend.store().dossiers_read(scope, out), collect);
    read.map(|()| all)
}

pub(crate) fn refusal<T: std::fmt::Debug>(reply: Reply<T>) -> Refusal {
    match reply {
        Reply::Refused { refusal, .. } => refusal,
        other => panic!("{other:?}"),
    }
}

/// The auction ids from 1 up that lie in a shard.
pub(crate) fn ids_in_shard(shard: i64) -> impl Iterator<Item = AuctionId> {
    (1..).map(id).filter(move |id| id.shard() == shard)
}
