//! Creating auctions.

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::rows;
use crate::auction::book::Create;
use crate::auction::{Book, Entry, Micros, Refusal, repeat};
use crate::store::contract::{Reply, WriteMode};
use crate::store::error::StoreError;
use crate::store::rows::{AuctionRow, Damage};

pub(super) async fn auction_create(
    store: &SqliteStore,
    creates: &[Create],
    mode: WriteMode,
) -> Result<Vec<Reply<Entry>>, StoreError> {
    let mut transaction = store.begin().await?;
    let now = store.clock().now();
    let mut replies = Vec::with_capacity(creates.len());
    for create in creates {
        replies.push(create_one(&mut transaction, create, now).await?);
    }
    SqliteStore::finish(transaction, mode).await?;
    Ok(replies)
}

async fn create_one(
    connection: &mut SqliteConnection,
    create: &Create,
    now: Micros,
) -> Result<Reply<Entry>, StoreError> {
    let auction_id = create.auction_id;
    let refused = |refusal| Ok(Reply::Refused { refusal, now });
    if let Some(entry) = rows::entry_of_request(connection, auction_id, create.request_id).await? {
        return match repeat::create_repeats(create, &entry) {
            Ok(()) => Ok(Reply::Repeated(entry)),
            Err(refusal) => refused(refusal),
        };
    }
    if rows::auction_select(connection, auction_id)
        .await?
        .is_some()
    {
        return refused(Refusal::AuctionExists);
    }
    let entry = match Book::decide_create(create, now) {
        Ok(entry) => entry,
        Err(refusal) => return refused(refusal),
    };
    let book = Book::open(&entry).map_err(|error| {
        StoreError::from(Damage::entry(
            auction_id.get(),
            1,
            "detail",
            error.to_string(),
        ))
    })?;
    let row = AuctionRow::of(auction_id, book.terms, &book.state);
    rows::auction_insert(connection, &row).await?;
    rows::entry_insert(connection, &entry).await?;
    Ok(Reply::Done(entry))
}
