//! Accepting bids: lock, clock, request id, decide, update the rows, append the entries.

use std::collections::{BTreeSet, HashMap, HashSet};

use sqlx::SqliteConnection;

use super::{SqliteStore, group, sets};
use crate::auction::{AuctionId, Bid, Entry, Micros, Refusal, RequestId, bid as rules, repeat};
use crate::store::contract::{BidAnswer, Reply, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Damage};

pub(super) async fn bid_place(
    store: &SqliteStore,
    bid: &Bid,
    mode: WriteMode,
) -> Result<Reply<BidAnswer>, StoreError> {
    match mode {
        WriteMode::Commit => group::place(store, bid).await,
        WriteMode::Rehearse => place_alone(store, bid, mode).await,
    }
}

/// A transaction for this bid alone.
pub(super) async fn place_alone(
    store: &SqliteStore,
    bid: &Bid,
    mode: WriteMode,
) -> Result<Reply<BidAnswer>, StoreError> {
    let replies = bid_place_many(store, std::slice::from_ref(bid), mode).await?;
    replies.into_iter().next().ok_or_else(|| {
        let message = "a bid got no answer";
        StoreError::new(StoreErrorKind::Failed, message)
    })
}

/// All in one transaction: read together, judged one after the other, written together.
pub(super) async fn bid_place_many(
    store: &SqliteStore,
    bids: &[Bid],
    mode: WriteMode,
) -> Result<Vec<Reply<BidAnswer>>, StoreError> {
    if bids.is_empty() {
        return Ok(Vec::new());
    }
    let mut transaction = store.begin().await?;
    let mut bidding = Bidding::read(&mut transaction, bids).await?;
    let mut replies = Vec::with_capacity(bids.len());
    for bid in bids {
        // The write lock is held, so nothing can come between the clock and the decision.
        let now = store.clock().now();
        let reply = match bidding.place(bid, now)? {
            Ok(reply) => reply,
            Err(refusal) => Reply::Refused { refusal, now },
        };
        replies.push(reply);
    }
    bidding.write(&mut transaction).await?;
    SqliteStore::finish(transaction, mode).await?;
    Ok(replies)
}

/// The auctions that are bid on, as they stand after each bid.
struct Bidding {
    rows: HashMap<AuctionId, AuctionRow>,
    /// What the same requests made, before and now.
    entries: HashMap<(AuctionId, RequestId), Entry>,
    /// The entries that voids have taken out of the auctions of `entries`.
    voided: HashSet<(AuctionId, i64)>,
    /// Which auctions have changed, and by which entries.
    changed: BTreeSet<AuctionId>,
    fresh: Vec<Entry>,
}

impl Bidding {
    async fn read(connection: &mut SqliteConnection, bids: &[Bid]) -> Result<Self, StoreError> {
        let ids: Vec<AuctionId> = bids.iter().map(|bid| bid.auction_id).collect();
        let requests: Vec<(AuctionId, RequestId)> = bids
            .iter()
            .map(|bid| (bid.auction_id, bid.request_id))
            .collect();
        let rows = sets::auctions_select(connection, &ids).await?;
        let entries = sets::entries_of_requests(connection, &requests).await?;
        let repeated: Vec<AuctionId> = entries.keys().map(|(id, _)| *id).collect();
        let voided = if repeated.is_empty() {
            HashSet::new()
        } else {
            sets::voided(connection, &repeated).await?
        };
        Ok(Self {
            rows,
            entries,
            voided,
            changed: BTreeSet::new(),
            fresh: Vec::new(),
        })
    }

    fn place(
        &mut self,
        bid: &Bid,
        now: Micros,
    ) -> Result<Result<Reply<BidAnswer>, Refusal>, StoreError> {
        let id = bid.auction_id;
        let Some(row) = self.rows.get_mut(&id) else {
            return Ok(Err(Refusal::NotFound));
        };
        if let Some(first) = self.entries.get(&(id, bid.request_id)) {
            if let Err(refusal) = repeat::bid_repeats(bid, first) {
                return Ok(Err(refusal));
            }
            // The first answer, rebuilt from the stored entry, whatever the state is now.
            let voided = self.voided.contains(&(id, first.seq));
            return Ok(Ok(Reply::Repeated(answer(row, first, now, voided)?)));
        }
        let state = row.state()?;
        let entry = match rules::decide(&row.terms, &state, bid, now) {
            Ok(entry) => entry,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(maximum) = entry.secret.map(|secret| secret.amount) else {
            return Err(Damage::row(id.get(), "secret", "none in a bid").into());
        };
        let folded = rules::fold(&row.terms, &state, &entry, maximum);
        *row = AuctionRow::of(id, row.terms.clone(), &folded);
        let answer = answer(row, &entry, now, false)?;
        self.changed.insert(id);
        self.entries.insert((id, bid.request_id), entry.clone());
        self.fresh.push(entry);
        Ok(Ok(Reply::Done(answer)))
    }

    async fn write(self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        if self.fresh.is_empty() {
            return Ok(());
        }
        let rows = self.changed.iter().filter_map(|id| self.rows.get(id));
        sets::bidden_update(connection, rows).await?;
        sets::entries_insert(connection, self.fresh.iter()).await
    }
}

fn answer(
    row: &AuctionRow,
    entry: &Entry,
    now: Micros,
    voided: bool,
) -> Result<BidAnswer, StoreError> {
    let Some(price) = entry.price else {
        let damage = Damage::entry(
            entry.auction_id.get(),
            entry.seq,
            "price",
            "none after a bid",
        );
        return Err(damage.into());
    };
    Ok(BidAnswer {
        seq: entry.seq,
        at: entry.at,
        price,
        leading: entry.leader.as_ref() == Some(&entry.actor),
        end: entry.end,
        extended: entry.extended,
        minimum: row.terms.minimum(Some(price)),
        now,
        voided,
    })
}
