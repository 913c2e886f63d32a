//! What a database must do for gavel. Two backends implement it; one conformance suite tests both.
//!
//! Names start with the noun. Every method is one business step with its own transaction. A
//! refusal by the rules is a value ([`Reply::Refused`]), never an error.

use std::collections::HashMap;
use std::future::Future;

use tokio::sync::mpsc;
use uuid::Uuid;

pub use super::closing::{Backlog, Claim, CloseReply, Closed, Ending, OutboxBacklog, SweepBatch};
use super::diagnosis::Diagnosis;
use super::ended::{Closing, Ended, HeadRead};
use super::error::StoreError;
pub use super::migrated::MigrationState;
use super::rows::{AuctionRow, Damage, Dossier};
use super::scope::Scope;
use super::sheaf::{Sheaf, StoredRows};
use crate::auction::book::Create;
use crate::auction::{
    Action, Amount, AuctionId, Bid, Currency, Entry, IdRange, Micros, PartyId, Refusal, Remit,
    RequestId, Span, Status,
};

/// Whether a step is kept or only rehearsed: everything is done under the lock and rolled back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteMode {
    /// Committed.
    #[default]
    Commit,
    /// Rolled back (`--dry-run`).
    Rehearse,
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<T> {
    /// Done now.
    Done(T),
    /// The same request was done before; this is its first answer.
    Repeated(T),
    /// Refused by the rules at this instant; nothing changed.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The store's clock.
        now: Micros,
    },
}

/// What a bidder is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidAnswer {
    /// The entry's seq.
    pub seq: i64,
    /// The effective time.
    pub at: Micros,
    /// The price after the bid.
    pub price: Amount,
    /// The bidder leads after it.
    pub leading: bool,
    /// The end in force after it.
    pub end: Micros,
    /// The bid moved the end.
    pub extended: bool,
    /// What a challenger must bid next, in minor units.
    pub minimum: i64,
    /// The store's clock when answering.
    pub now: Micros,
    /// Voided since: only in a repeated answer.
    pub voided: bool,
}

/// What became of many bids.
#[derive(Debug)]
#[must_use]
pub struct BidsPlaced {
    /// One for each bid, in their order; none where it got no answer.
    pub replies: Vec<Option<Reply<BidAnswer>>>,
    /// What stopped it. A bid without an answer may have been placed or not.
    pub stopped: Option<StoreError>,
}

impl BidsPlaced {
    /// For who has no use for a part of the answers.
    pub fn complete(self) -> Result<Vec<Reply<BidAnswer>>, StoreError> {
        match self.stopped {
            None => Ok(self.replies.into_iter().flatten().collect()),
            Some(error) => Err(error),
        }
    }

    /// All or nothing, of so many bids.
    pub(super) fn of(bids: usize, outcome: Result<Vec<Reply<BidAnswer>>, StoreError>) -> Self {
        match outcome {
            Ok(replies) => Self {
                replies: replies.into_iter().map(Some).collect(),
                stopped: None,
            },
            Err(error) => Self {
                replies: std::iter::repeat_with(|| None).take(bids).collect(),
                stopped: Some(error),
            },
        }
    }
}

/// Which auctions to list; all conditions hold together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuctionFilter {
    /// Any of these statuses; empty: any.
    pub statuses: Vec<Status>,
    /// Due by the store's clock.
    pub due: bool,
    /// Ended and without bids, sold, …: by the recorded result.
    pub result: Option<crate::auction::CloseResult>,
    /// The end in force is before this instant.
    pub ending_before: Option<Micros>,
    /// The end in force is after this instant.
    pub ending_after: Option<Micros>,
    /// Of this seller.
    pub seller: Option<PartyId>,
    /// Watched by this person.
    pub watcher: Option<PartyId>,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuctionOrder {
    /// By end, then id.
    #[default]
    End,
    /// By id.
    Id,
}

/// The last row of a page: the next page starts after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Its end.
    pub end: Micros,
    /// Its id.
    pub auction_id: AuctionId,
}

/// The order of a person's own list, and where its next page starts: auctions that are open by
/// end, the soonest first, then those that are over, the latest end first. What is over is judged
/// at one instant for the whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueFirst {
    now: Micros,
    after: (bool, i64, i64),
}

impl DueFirst {
    /// From the beginning, at an instant of the store's clock.
    pub fn at(now: Micros) -> Self {
        Self {
            now,
            after: (false, 0, 0),
        }
    }

    /// Whether bids are still taken, at the list's instant.
    pub fn is_open(&self, row: &AuctionRow) -> bool {
        row.status == Status::Open && row.end > self.now
    }

    /// The list after this row.
    pub fn after(self, row: &AuctionRow) -> Self {
        let open = self.is_open(row);
        let end_us = row.end.get();
        let turn = if open { end_us } else { -end_us };
        Self {
            after: (!open, turn, row.auction_id.get()),
            ..self
        }
    }

    /// The list's instant.
    pub(super) fn now_us(&self) -> i64 {
        self.now.get()
    }

    /// Over, end (negative when over), id: what the next page's rows are greater than.
    pub(super) fn key(&self) -> (bool, i64, i64) {
        self.after
    }
}

/// How one bidder stands in one auction; carries the bidder's own maximum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBid {
    /// The auction.
    pub row: AuctionRow,
    /// The bidder's highest unvoided maximum; none if all were voided.
    pub own_max: Option<Amount>,
    /// How many unvoided bids.
    pub bids: i64,
}

impl OwnBid {
    /// Puts what was counted of a bidder's unvoided bids (auction, highest maximum, how many) to
    /// the auctions' rows.
    pub(super) fn of(
        rows: Vec<AuctionRow>,
        counted: Vec<(i64, i64, i64)>,
    ) -> Result<Vec<Self>, Damage> {
        let mut live: HashMap<i64, (Amount, i64)> = HashMap::with_capacity(counted.len());
        for (id, max, bids) in counted {
            let max = Amount::new(max).map_err(|_| Damage::row(id, "secret", "out of range"))?;
            live.insert(id, (max, bids));
        }
        let own = rows.into_iter().map(|row| {
            let found = live.get(&row.auction_id.get());
            let (own_max, bids) = found.map_or((None, 0), |(max, bids)| (Some(*max), *bids));
            Self { row, own_max, bids }
        });
        Ok(own.collect())
    }
}

/// A watch list entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// Now on the list.
    Added,
    /// Was on it already, or is no longer on it.
    Unchanged,
    /// Taken off.
    Removed,
    /// No such auction.
    NotFound,
}

/// What is left of a load-generation run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BurstRows {
    /// The lowest id.
    pub first: AuctionId,
    /// The highest id.
    pub last: AuctionId,
    /// How many auctions.
    pub auctions: u64,
}

impl BurstRows {
    /// Of a lowest id, a highest and a count.
    pub(super) fn of(found: Vec<(i64, i64, i64)>) -> Result<Vec<Self>, Damage> {
        let id = |id: i64| {
            AuctionId::new(id).map_err(|error| Damage::row(id, "auction_id", error.to_string()))
        };
        let rows = found.into_iter().map(|(first, last, auctions)| {
            Ok(Self {
                first: id(first)?,
                last: id(last)?,
                auctions: u64::try_from(auctions).unwrap_or_default(),
            })
        });
        rows.collect()
    }
}

/// How the database is set up, a setting each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name there.
    pub name: String,
    /// Its value, with its unit.
    pub value: String,
}

/// What a load is fed with.
#[derive(Debug)]
pub enum LoadItem {
    /// Auctions to create.
    Chunk(Vec<Create>),
    /// That was all: keep it.
    End,
}

/// What an import is fed with.
#[derive(Debug)]
pub enum ImportItem {
    /// Auctions to write.
    Chunk(Vec<Dossier>),
    /// That was all: keep it.
    End,
}

/// What an import did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Auctions written.
    pub imported: u64,
    /// Auctions that were there already, identical to the last byte.
    pub unchanged: u64,
}

/// The contract. `sheaves_read`, `dossiers_read` and `dossiers_import` carry whole auctions;
/// everything else is a step of an auction's life.
pub trait Contract: Send + Sync {
    /// Applies the pending migrations; returns the versions applied.
    fn migrate(&self) -> impl Future<Output = Result<Vec<i64>, StoreError>> + Send;
    /// Where the schema stands; an empty database has everything pending.
    fn migration_state(&self) -> impl Future<Output = Result<MigrationState, StoreError>> + Send;
    /// The store's clock.
    fn now(&self) -> impl Future<Output = Result<Micros, StoreError>> + Send;
    /// The database's health, check by check; an error only if no check could run.
    fn doctor(&self) -> impl Future<Output = Result<Vec<Diagnosis>, StoreError>> + Send;
    /// The installation's id, made by the first migration; names the source of events.
    fn installation(&self) -> impl Future<Output = Result<Uuid, StoreError>> + Send;

    /// The settings that bear upon speed and durability, and the version.
    fn settings(&self) -> impl Future<Output = Result<Vec<Setting>, StoreError>> + Send;

    /// A secret of the installation, made by the first migration: it goes into the request ids that
    /// follow from a file, so that nobody else can tell the content from them.
    fn upload_key(&self) -> impl Future<Output = Result<[u8; 32], StoreError>> + Send;

    /// Creates auctions, in one transaction. One reply each, in order; refusals leave the others.
    fn auction_create(
        &self,
        creates: &[Create],
        mode: WriteMode,
    ) -> impl Future<Output = Result<Vec<Reply<Entry>>, StoreError>> + Send;
    /// Creates any number of auctions, all in one transaction that is kept when
    /// [`LoadItem::End`] arrives; a channel that closes before it undoes everything. Each chunk is
    /// answered with one reply for each creation, in order; it is for the sender to judge whether
    /// the replies are worth an end.
    fn auctions_load(
        &self,
        incoming: mpsc::Receiver<LoadItem>,
        replies: mpsc::Sender<Vec<Reply<Entry>>>,
        mode: WriteMode,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Places one bid.
    fn bid_place(
        &self,
        bid: &Bid,
        mode: WriteMode,
    ) -> impl Future<Output = Result<Reply<BidAnswer>, StoreError>> + Send;
    /// Places many bids, those on one auction in their order. One reply each; refusals leave the
    /// others. An embedded store makes them durable together, all or none; a server answers each,
    /// several auctions' at the same time, and what it answered before it stopped is kept and told.
    fn bid_place_many(
        &self,
        bids: &[Bid],
        mode: WriteMode,
    ) -> impl Future<Output = BidsPlaced> + Send;
    /// Does an operator's action; a cancellation writes its event with it.
    fn auction_act(
        &self,
        auction_id: AuctionId,
        action: &Action,
        mode: WriteMode,
    ) -> impl Future<Output = Result<Reply<Entry>, StoreError>> + Send;
    /// Does an action on each of many auctions, decided as [`Self::auction_act`] does. One outcome
    /// each, in order; refusals and damaged auctions leave the others, and so does on a server one
    /// that others keep locked. Any other failure stops: what it came to may have been done or
    /// not, and what has no outcome was not done. An embedded store makes all of them durable
    /// together; a server holds one lock at a time on each of a few connections.
    fn auctions_act(
        &self,
        actions: &[(AuctionId, Action)],
        mode: WriteMode,
    ) -> impl Future<Output = Vec<Result<Reply<Entry>, StoreError>>> + Send;

    /// How many steps can write at once; more would only wait for each other.
    fn writers_max(&self) -> usize;

    /// Closes one auction if it is due.
    fn auction_close(
        &self,
        auction_id: AuctionId,
        mode: WriteMode,
    ) -> impl Future<Output = Result<CloseReply, StoreError>> + Send;
    /// Closes up to `limit` due auctions of a shard with these ids, earliest end first, in one
    /// transaction, passing over those in `skip` and those locked by others.
    fn auction_close_due(
        &self,
        shard: i64,
        ids: IdRange,
        limit: u32,
        skip: &[AuctionId],
        mode: WriteMode,
    ) -> impl Future<Output = Result<SweepBatch, StoreError>> + Send;
    /// The ids of up to `limit` due auctions of a shard, earliest end first, without locking.
    fn auction_due_ids(
        &self,
        shard: i64,
        ids: IdRange,
        limit: u32,
        skip: &[AuctionId],
    ) -> impl Future<Output = Result<Vec<AuctionId>, StoreError>> + Send;
    /// What is due in a remit.
    fn backlog(&self, remit: Remit) -> impl Future<Output = Result<Backlog, StoreError>> + Send;
    /// What became of auctions that have ended; those withdrawn are left out.
    fn closings(
        &self,
        ended: Ended<'_>,
    ) -> impl Future<Output = Result<Vec<Closing>, StoreError>> + Send;
    /// An instant behind which nothing ends any more: every auction that ended before it is
    /// recorded as such, for whoever reads from now on.
    fn heads_settled(&self) -> impl Future<Output = Result<Micros, StoreError>> + Send;
    /// Streams the auctions that ended before an instant, those of load generation left out, by
    /// instant and id, from one snapshot. Ends early without an error when the receiver is gone.
    fn heads_read(
        &self,
        before: Micros,
        out: mpsc::Sender<Vec<HeadRead>>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// What waits in the outbox.
    fn outbox_backlog(&self) -> impl Future<Output = Result<OutboxBacklog, StoreError>> + Send;
    /// Closes those of these auctions that are due, in one transaction, passing over those locked
    /// by others.
    fn auctions_close(
        &self,
        auction_ids: &[AuctionId],
    ) -> impl Future<Output = Result<SweepBatch, StoreError>> + Send;
    /// Claims those of these auctions that are due, passing over those locked by others: they are
    /// CLOSING until they are closed, released or reaped.
    fn auctions_claim(
        &self,
        auction_ids: &[AuctionId],
    ) -> impl Future<Output = Result<Vec<Claim>, StoreError>> + Send;
    /// Up to `limit` auctions of a remit that wait for an end after `after` and until `until`,
    /// the earliest first.
    fn auctions_ending(
        &self,
        remit: Remit,
        after: Micros,
        until: Micros,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Ending>, StoreError>> + Send;
    /// The ends of those of these auctions that are open and nobody's but the closer's.
    fn auctions_waiting(
        &self,
        auction_ids: &[AuctionId],
    ) -> impl Future<Output = Result<Vec<Ending>, StoreError>> + Send;
    /// Closes what is claimed, in one transaction. A claim that was fenced out (reaped, claimed by
    /// another, closed) changes nothing and is not among the answers.
    fn claims_close(
        &self,
        claims: &[Claim],
    ) -> impl Future<Output = Result<SweepBatch, StoreError>> + Send;
    /// Gives claims back; returns how many still were their claimer's.
    fn claims_release(
        &self,
        claims: &[Claim],
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
    /// Gives back up to `limit` claims in a remit that are older than `timeout`; returns how
    /// many.
    fn claims_reap(
        &self,
        remit: Remit,
        timeout: Span,
        limit: u32,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// One auction's row.
    fn auction_get(
        &self,
        auction_id: AuctionId,
    ) -> impl Future<Output = Result<Option<AuctionRow>, StoreError>> + Send;
    /// The rows of several auctions, by id, all as of one instant; unknown ids give none.
    fn auctions_get(
        &self,
        auction_ids: &[AuctionId],
    ) -> impl Future<Output = Result<Vec<AuctionRow>, StoreError>> + Send;
    /// One auction's currency: what a bidder or a closer needs to read and write amounts, and may
    /// see without the rest.
    fn auction_currency(
        &self,
        auction_id: AuctionId,
    ) -> impl Future<Output = Result<Option<Currency>, StoreError>> + Send;
    /// The currencies of many auctions, in order; none where there is no such auction.
    fn auction_currencies(
        &self,
        auction_ids: &[AuctionId],
    ) -> impl Future<Output = Result<Vec<Option<Currency>>, StoreError>> + Send;
    /// A page of auctions.
    fn auction_list(
        &self,
        filter: &AuctionFilter,
        order: AuctionOrder,
        after: Option<Cursor>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<AuctionRow>, StoreError>> + Send;
    /// A page of one auction's ledger, by seq.
    fn ledger_get(
        &self,
        auction_id: AuctionId,
        after_seq: i64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;
    /// The entries that these requests made, in order; none where a request made none.
    fn ledger_find(
        &self,
        requests: &[(AuctionId, RequestId)],
    ) -> impl Future<Output = Result<Vec<Option<Entry>>, StoreError>> + Send;
    /// A page of the auctions one bidder has bid on.
    fn bids_of(
        &self,
        bidder: &PartyId,
        page: DueFirst,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<OwnBid>, StoreError>> + Send;
    /// A page of a person's watch list.
    fn watched_by(
        &self,
        watcher: &PartyId,
        page: DueFirst,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<AuctionRow>, StoreError>> + Send;
    /// Puts an auction on a person's watch list.
    fn watch_add(
        &self,
        auction_id: AuctionId,
        watcher: &PartyId,
        mode: WriteMode,
    ) -> impl Future<Output = Result<Watch, StoreError>> + Send;
    /// Takes an auction off a person's watch list.
    fn watch_remove(
        &self,
        auction_id: AuctionId,
        watcher: &PartyId,
        mode: WriteMode,
    ) -> impl Future<Output = Result<Watch, StoreError>> + Send;

    /// What load-generation runs have left, a row for each run; every run has `span` ids of its own,
    /// from [`AuctionId::BURST_MIN`] up.
    fn burst_rows(
        &self,
        span: i64,
    ) -> impl Future<Output = Result<Vec<BurstRows>, StoreError>> + Send;
    /// Removes up to `limit` auctions of load-generation runs with all that belongs to them;
    /// returns how many. Only the owner of the database may, and only ids from
    /// [`AuctionId::BURST_MIN`] up, of the seller `burst-seller`, are removed.
    fn burst_remove(
        &self,
        ids: IdRange,
        limit: u32,
        mode: WriteMode,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Streams whole auctions by id, from one snapshot, in chunks. Ends early without an error
    /// when the receiver is gone. Memory is bounded by the largest single auction and the
    /// channel.
    fn sheaves_read(
        &self,
        scope: &Scope,
        out: mpsc::Sender<Sheaf<StoredRows>>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Like [`Self::sheaves_read`], every entry copied out.
    fn dossiers_read(
        &self,
        scope: &Scope,
        out: mpsc::Sender<Vec<Dossier>>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async move {
            let (to_copy, mut sheaves) = mpsc::channel(1);
            let copy = async {
                while let Some(sheaf) = sheaves.recv().await {
                    if out.send(Sheaf::into_dossiers(sheaf)).await.is_err() {
                        break;
                    }
                }
                // Reading ends early when nobody takes what is read.
                sheaves.close();
            };
            let (read, ()) = tokio::join!(self.sheaves_read(scope, to_copy), copy);
            read
        }
    }
    /// How many auctions and entries there are in scope, for a progress bar.
    fn dossiers_count(
        &self,
        scope: &Scope,
    ) -> impl Future<Output = Result<(u64, u64), StoreError>> + Send;
    /// Writes whole auctions as they are, all in one transaction that is kept when
    /// [`ImportItem::End`] arrives; a channel that closes before it undoes everything. An id that
    /// exists with the same content is left as it is; with other content it is an error.
    fn dossiers_import(
        &self,
        incoming: mpsc::Receiver<ImportItem>,
        mode: WriteMode,
    ) -> impl Future<Output = Result<ImportReport, StoreError>> + Send;
}
