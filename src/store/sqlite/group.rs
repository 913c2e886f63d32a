//! Group commit: bids that wait for the writer at the same time share one transaction.
//!
//! Making a transaction durable costs far more than a bid. Whoever gets the turn takes along
//! everything that waits; the others find their answers given. Nothing runs in the background:
//! a caller that is dropped while it has the turn undoes the group's transaction, and the others
//! put their bids in again. A group that fails is done one by one, so that an auction that cannot
//! take bids fails its own bidder alone.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::{SqliteStore, bid};
use crate::auction::Bid;
use crate::store::contract::{BidAnswer, Reply, WriteMode};
use crate::store::error::StoreError;

/// The most bids in one transaction, so that none waits for a long one.
const GROUP_MAX: usize = 64;

type Answer = Result<Reply<BidAnswer>, StoreError>;

/// Bids that wait for the writer.
#[derive(Debug, Clone, Default)]
pub(super) struct BidQueue {
    waiting: Arc<Mutex<VecDeque<Waiting>>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Waiting {
    bid: Bid,
    answer: oneshot::Sender<Answer>,
}

impl BidQueue {
    fn put(&self, bid: Bid) -> oneshot::Receiver<Answer> {
        let (answer, answered) = oneshot::channel();
        self.lock().push_back(Waiting { bid, answer });
        answered
    }

    /// Those whose bidder still waits, oldest first.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.lock();
        let count = waiting.len().min(GROUP_MAX);
        waiting
            .drain(..count)
            .filter(|one| !one.answer.is_closed())
            .collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Places a bid together with those that wait beside it.
pub(super) async fn place(store: &SqliteStore, bid: &Bid) -> Answer {
    let queue = store.bid_queue();
    let mut answered = queue.put(bid.clone());
    loop {
        tokio::select! {
            biased;
            answer = &mut answered => match answer {
                Ok(answer) => return answer,
                // Whoever had the turn was dropped and its transaction undone.
                Err(_) => answered = queue.put(bid.clone()),
            },
            _turn = queue.turn.lock() => place_group(store, queue.take()).await,
        }
    }
}

async fn place_group(store: &SqliteStore, group: Vec<Waiting>) {
    let (bids, answers): (Vec<Bid>, Vec<_>) =
        group.into_iter().map(|one| (one.bid, one.answer)).unzip();
    let replies = match bids.as_slice() {
        [] => return,
        [one] => vec![bid::place_alone(store, one, WriteMode::Commit).await],
        many => match bid::bid_place_many(store, many, WriteMode::Commit).await {
            Ok(replies) => replies.into_iter().map(Ok).collect(),
            // Waiting once was long enough: nobody waits again for each.
            Err(error) if error.is_temporary() => many
                .iter()
                .map(|_| Err(StoreError::new(error.kind(), error.to_string())))
                .collect(),
            Err(_) => {
                let mut replies = Vec::with_capacity(many.len());
                for one in many {
                    replies.push(bid::place_alone(store, one, WriteMode::Commit).await);
                }
                replies
            }
        },
    };
    for (answer, reply) in answers.into_iter().zip(replies) {
        // A bidder that stopped waiting asks again with the same request id.
        drop(answer.send(reply));
    }
}
