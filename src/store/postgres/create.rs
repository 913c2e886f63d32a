//! Creating auctions: decided in Rust, written by COPY where there are many.

use std::collections::{HashMap, HashSet};

use super::PostgresStore;
use super::copy_in::Copied;
use super::list;
use super::pool::Step;
use super::rows::{self, entry_columns, numbers};
use crate::auction::book::Create;
use crate::auction::{AuctionId, Book, Entry, Refusal, RequestId, repeat};
use crate::store::contract::{Reply, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};
use crate::store::stored::StoredEntry;

/// From so many on COPY is used. Its last message follows its data without an answer between,
/// which over TCP can wait for the peer's delayed acknowledgement: too dear for a few.
const COPY_FROM: usize = 17;

pub(super) async fn auction_create(
    store: &PostgresStore,
    creates: &[Create],
    mode: WriteMode,
) -> Result<Vec<Reply<Entry>>, StoreError> {
    let mut step = store.transaction().await?;
    match create_all(&mut step, creates).await {
        Ok(replies) => {
            step.finish(mode).await?;
            Ok(replies)
        }
        // Somebody created one of them since it was looked up: look again.
        Err(error) if error.kind() == StoreErrorKind::Conflict => {
            step.finish(WriteMode::Rehearse).await?;
            let message = "another process creates the same auctions";
            Err(StoreError::new(StoreErrorKind::Contended, message))
        }
        Err(error) => Err(error),
    }
}

async fn create_all(step: &mut Step, creates: &[Create]) -> Result<Vec<Reply<Entry>>, StoreError> {
    let mut known = Known::look_up(step, creates).await?;
    let now = list::clock(step).await?;
    let mut fresh = Vec::new();
    let mut replies = Vec::with_capacity(creates.len());
    for create in creates {
        let entry = match known.judge(create) {
            Some(Ok(first)) => {
                replies.push(Reply::Repeated(first.clone()));
                continue;
            }
            Some(Err(refusal)) => {
                replies.push(Reply::Refused { refusal, now });
                continue;
            }
            None => match Book::decide_create(create, now) {
                Ok(entry) => entry,
                Err(refusal) => {
                    replies.push(Reply::Refused { refusal, now });
                    continue;
                }
            },
        };
        let book = Book::open(&entry).map_err(|error| {
            let found = error.to_string();
            StoreError::from(Damage::entry(create.auction_id.get(), 1, "detail", found))
        })?;
        let row = AuctionRow::of(create.auction_id, book.terms, &book.state);
        fresh.push((row, entry.clone()));
        known.add(&entry);
        replies.push(Reply::Done(entry));
    }
    write(step, &fresh).await?;
    Ok(replies)
}

async fn write(step: &mut Step, fresh: &[(AuctionRow, Entry)]) -> Result<(), StoreError> {
    if fresh.len() < COPY_FROM {
        for (row, entry) in fresh {
            rows::auction_insert(step, row).await?;
            rows::entry_insert(step, entry).await?;
        }
        return Ok(());
    }
    let mut copied = Copied::new();
    for (row, entry) in fresh {
        copied.add_auction(row)?;
        copied.add_entry(entry)?;
    }
    copied.write(step).await
}

/// What exists of the auctions to be created: from before, and from earlier in the same call.
struct Known {
    auctions: HashSet<AuctionId>,
    entries: HashMap<(AuctionId, RequestId), Entry>,
}

impl Known {
    async fn look_up(step: &mut Step, creates: &[Create]) -> Result<Self, StoreError> {
        let ids: Vec<AuctionId> = creates.iter().map(|create| create.auction_id).collect();
        let requests: Vec<uuid::Uuid> = creates
            .iter()
            .map(|create| create.request_id.uuid())
            .collect();
        let query = "select a.auction_id from gavel.auctions a where a.auction_id = any ($1)";
        let found: Vec<i64> = step
            .query_scalar(query)
            .bind(numbers(&ids))
            .fetch_all(step.connection())
            .await?;
        let found: HashSet<i64> = found.into_iter().collect();
        let auctions: HashSet<AuctionId> = ids
            .iter()
            .copied()
            .filter(|id| found.contains(&id.get()))
            .collect();
        if auctions.is_empty() {
            let entries = HashMap::new();
            return Ok(Self { auctions, entries });
        }
        let query = concat!(
            "select ",
            entry_columns!(),
            " from gavel.ledger l
              join unnest($1::bigint[], $2::uuid[]) as asked (auction_id, request_id)
                on asked.auction_id = l.auction_id and asked.request_id = l.request_id"
        );
        let stored: Vec<StoredEntry> = step
            .query_as(query)
            .bind(numbers(&ids))
            .bind(requests)
            .fetch_all(step.connection())
            .await?;
        let mut known = Self {
            auctions,
            entries: HashMap::new(),
        };
        for entry in stored {
            known.add(&entry.into_entry()?);
        }
        Ok(known)
    }

    fn add(&mut self, entry: &Entry) {
        self.auctions.insert(entry.auction_id);
        self.entries
            .insert((entry.auction_id, entry.request_id), entry.clone());
    }

    /// The first answer, a refusal, or nothing where the rules are to decide.
    fn judge(&self, create: &Create) -> Option<Result<&Entry, Refusal>> {
        let key = (create.auction_id, create.request_id);
        if let Some(entry) = self.entries.get(&key) {
            return Some(repeat::create_repeats(create, entry).map(|()| entry));
        }
        self.auctions
            .contains(&create.auction_id)
            .then_some(Err(Refusal::AuctionExists))
    }
}
