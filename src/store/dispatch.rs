//! The closed choice of backends; every call goes to the one that the URL named.

use tokio::sync::mpsc;
use uuid::Uuid;

use super::contract::{
    AuctionFilter, AuctionOrder, Backlog, BidAnswer, BidsPlaced, BurstRows, Claim, CloseReply,
    Contract, Cursor, DueFirst, Ending, ImportItem, ImportReport, LoadItem, MigrationState,
    OutboxBacklog, OwnBid, Reply, Setting, SweepBatch, Watch, WriteMode,
};
use super::diagnosis::Diagnosis;
use super::ended::{Closing, Ended, HeadRead};
use super::error::{StoreError, StoreErrorKind};
use super::postgres::PostgresStore;
use super::rows::AuctionRow;
use super::scope::Scope;
use super::sheaf::{Sheaf, StoredRows};
use super::sqlite::SqliteStore;
use super::url::StoreUrl;
use crate::auction::book::Create;
use crate::auction::{
    Action, AuctionId, Bid, Currency, Entry, IdRange, Micros, PartyId, Remit, RequestId, Span,
};
use crate::clock::Clock;

/// A database behind the contract.
#[allow(
    clippy::large_enum_variant,
    reason = "a process has one or two of them"
)]
#[derive(Debug, Clone)]
pub enum Store {
    /// The embedded one.
    Sqlite(SqliteStore),
    /// The live one.
    Postgres(PostgresStore),
}

impl Store {
    /// Opens the database that a URL names; with `create` an embedded one is made. The clock is
    /// the embedded store's; a server has its own.
    pub fn connect(url: &StoreUrl, clock: Clock, create: bool) -> Result<Self, StoreError> {
        match url {
            StoreUrl::Sqlite(path) => SqliteStore::open(path, clock, create).map(Self::Sqlite),
            StoreUrl::Postgres(url) => PostgresStore::connect(url).map(Self::Postgres),
        }
    }

    /// The same database with so many connections of its own at most, beside this handle's; an
    /// embedded one has one writer, which all handles share.
    pub fn widened(&self, url: &StoreUrl, connections_max: u32) -> Result<Self, StoreError> {
        match (self, url) {
            (Self::Postgres(_), StoreUrl::Postgres(url)) => {
                PostgresStore::connect_with(url, connections_max).map(Self::Postgres)
            }
            (same, _) => Ok(same.clone()),
        }
    }

    /// Refuses a database that is not exactly at this gavel's schema.
    pub async fn check_current(&self) -> Result<(), StoreError> {
        let state = self.migration_state().await?;
        if !state.unknown.is_empty() {
            let message = "the database was migrated by a newer gavel";
            return Err(StoreError::new(StoreErrorKind::NewerSchema, message));
        }
        if !state.pending.is_empty() {
            let message = "the database is not migrated to this gavel's schema";
            return Err(StoreError::new(StoreErrorKind::NotMigrated, message));
        }
        Ok(())
    }

    /// Makes the roles of people and processes, where the database knows roles, or rehearses it.
    pub async fn roles_make(&self, mode: WriteMode) -> Result<(), StoreError> {
        match (self, mode) {
            (Self::Sqlite(_), _) => {
                let message = "SQLite has no roles: whoever may open the file may do everything";
                Err(StoreError::new(StoreErrorKind::BadUrl, message))
            }
            (Self::Postgres(store), WriteMode::Commit) => store.roles_make().await,
            (Self::Postgres(store), WriteMode::Rehearse) => store.roles_rehearse().await,
        }
    }

    /// How many bids of a file to place in one call. The embedded store keeps others from writing
    /// meanwhile, for about a tenth of a second; a server keeps nobody, and has more to do at once.
    pub fn bids_at_once(&self) -> usize {
        match self {
            Self::Sqlite(_) => 1_000,
            Self::Postgres(_) => 4_000,
        }
    }

    /// Closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(store) => store.close().await,
            Self::Postgres(store) => store.close().await,
        }
    }
}

/// Hands a call on to the backend.
macro_rules! backend {
    ($self:ident, $store:ident => $call:expr) => {
        match $self {
            Self::Sqlite($store) => $call.await,
            Self::Postgres($store) => $call.await,
        }
    };
}

impl Contract for Store {
    async fn migrate(&self) -> Result<Vec<i64>, StoreError> {
        backend!(self, store => store.migrate())
    }

    async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        backend!(self, store => store.migration_state())
    }

    fn writers_max(&self) -> usize {
        match self {
            Self::Sqlite(store) => store.writers_max(),
            Self::Postgres(store) => store.writers_max(),
        }
    }

    async fn now(&self) -> Result<Micros, StoreError> {
        backend!(self, store => store.now())
    }

    async fn doctor(&self) -> Result<Vec<Diagnosis>, StoreError> {
        backend!(self, store => store.doctor())
    }

    async fn installation(&self) -> Result<Uuid, StoreError> {
        backend!(self, store => store.installation())
    }

    async fn settings(&self) -> Result<Vec<Setting>, StoreError> {
        backend!(self, store => store.settings())
    }

    async fn upload_key(&self) -> Result<[u8; 32], StoreError> {
        backend!(self, store => store.upload_key())
    }

    async fn auction_create(
        &self,
        creates: &[Create],
        mode: WriteMode,
    ) -> Result<Vec<Reply<Entry>>, StoreError> {
        backend!(self, store => store.auction_create(creates, mode))
    }

    async fn auctions_load(
        &self,
        incoming: mpsc::Receiver<LoadItem>,
        replies: mpsc::Sender<Vec<Reply<Entry>>>,
        mode: WriteMode,
    ) -> Result<(), StoreError> {
        backend!(self, store => store.auctions_load(incoming, replies, mode))
    }

    async fn bid_place(&self, bid: &Bid, mode: WriteMode) -> Result<Reply<BidAnswer>, StoreError> {
        backend!(self, store => store.bid_place(bid, mode))
    }

    async fn bid_place_many(&self, bids: &[Bid], mode: WriteMode) -> BidsPlaced {
        backend!(self, store => store.bid_place_many(bids, mode))
    }

    async fn auction_act(
        &self,
        auction_id: AuctionId,
        action: &Action,
        mode: WriteMode,
    ) -> Result<Reply<Entry>, StoreError> {
        backend!(self, store => store.auction_act(auction_id, action, mode))
    }

    async fn auctions_act(
        &self,
        actions: &[(AuctionId, Action)],
        mode: WriteMode,
    ) -> Vec<Result<Reply<Entry>, StoreError>> {
        backend!(self, store => store.auctions_act(actions, mode))
    }

    async fn auction_close(
        &self,
        auction_id: AuctionId,
        mode: WriteMode,
    ) -> Result<CloseReply, StoreError> {
        backend!(self, store => store.auction_close(auction_id, mode))
    }

    async fn auction_close_due(
        &self,
        shard: i64,
        ids: IdRange,
        limit: u32,
        skip: &[AuctionId],
        mode: WriteMode,
    ) -> Result<SweepBatch, StoreError> {
        backend!(self, store => store.auction_close_due(shard, ids, limit, skip, mode))
    }

    async fn auction_due_ids(
        &self,
        shard: i64,
        ids: IdRange,
        limit: u32,
        skip: &[AuctionId],
    ) -> Result<Vec<AuctionId>, StoreError> {
        backend!(self, store => store.auction_due_ids(shard, ids, limit, skip))
    }

    async fn backlog(&self, remit: Remit) -> Result<Backlog, StoreError> {
        backend!(self, store => store.backlog(remit))
    }

    async fn closings(&self, ended: Ended<'_>) -> Result<Vec<Closing>, StoreError> {
        backend!(self, store => store.closings(ended))
    }

    async fn heads_settled(&self) -> Result<Micros, StoreError> {
        backend!(self, store => store.heads_settled())
    }

    async fn heads_read(
        &self,
        before: Micros,
        out: mpsc::Sender<Vec<HeadRead>>,
    ) -> Result<(), StoreError> {
        backend!(self, store => store.heads_read(before, out))
    }

    async fn outbox_backlog(&self) -> Result<OutboxBacklog, StoreError> {
        backend!(self, store => store.outbox_backlog())
    }

    async fn auctions_close(&self, auction_ids: &[AuctionId]) -> Result<SweepBatch, StoreError> {
        backend!(self, store => store.auctions_close(auction_ids))
    }

    async fn auctions_claim(&self, auction_ids: &[AuctionId]) -> Result<Vec<Claim>, StoreError> {
        backend!(self, store => store.auctions_claim(auction_ids))
    }

    async fn auctions_ending(
        &self,
        remit: Remit,
        after: Micros,
        until: Micros,
        limit: u32,
    ) -> Result<Vec<Ending>, StoreError> {
        backend!(self, store => store.auctions_ending(remit, after, until, limit))
    }

    async fn auctions_waiting(&self, auction_ids: &[AuctionId]) -> Result<Vec<Ending>, StoreError> {
        backend!(self, store => store.auctions_waiting(auction_ids))
    }

    async fn claims_close(&self, claims: &[Claim]) -> Result<SweepBatch, StoreError> {
        backend!(self, store => store.claims_close(claims))
    }

    async fn claims_release(&self, claims: &[Claim]) -> Result<u64, StoreError> {
        backend!(self, store => store.claims_release(claims))
    }

    async fn claims_reap(
        &self,
        remit: Remit,
        timeout: Span,
        limit: u32,
    ) -> Result<u64, StoreError> {
        backend!(self, store => store.claims_reap(remit, timeout, limit))
    }

    async fn auction_get(&self, auction_id: AuctionId) -> Result<Option<AuctionRow>, StoreError> {
        backend!(self, store => store.auction_get(auction_id))
    }

    async fn auctions_get(&self, auction_ids: &[AuctionId]) -> Result<Vec<AuctionRow>, StoreError> {
        backend!(self, store => store.auctions_get(auction_ids))
    }

    async fn auction_currency(
        &self,
        auction_id: AuctionId,
    ) -> Result<Option<Currency>, StoreError> {
        backend!(self, store => store.auction_currency(auction_id))
    }

    async fn auction_currencies(
        &self,
        auction_ids: &[AuctionId],
    ) -> Result<Vec<Option<Currency>>, StoreError> {
        backend!(self, store => store.auction_currencies(auction_ids))
    }

    async fn auction_list(
        &self,
        filter: &AuctionFilter,
        order: AuctionOrder,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<Vec<AuctionRow>, StoreError> {
        backend!(self, store => store.auction_list(filter, order, after, limit))
    }

    async fn ledger_get(
        &self,
        auction_id: AuctionId,
        after_seq: i64,
        limit: u32,
    ) -> Result<Vec<Entry>, StoreError> {
        backend!(self, store => store.ledger_get(auction_id, after_seq, limit))
    }

    async fn ledger_find(
        &self,
        requests: &[(AuctionId, RequestId)],
    ) -> Result<Vec<Option<Entry>>, StoreError> {
        backend!(self, store => store.ledger_find(requests))
    }

    async fn bids_of(
        &self,
        bidder: &PartyId,
        page: DueFirst,
        limit: u32,
    ) -> Result<Vec<OwnBid>, StoreError> {
        backend!(self, store => store.bids_of(bidder, page, limit))
    }

    async fn watched_by(
        &self,
        watcher: &PartyId,
        page: DueFirst,
        limit: u32,
    ) -> Result<Vec<AuctionRow>, StoreError> {
        backend!(self, store => store.watched_by(watcher, page, limit))
    }

    async fn watch_add(
        &self,
        auction_id: AuctionId,
        watcher: &PartyId,
        mode: WriteMode,
    ) -> Result<Watch, StoreError> {
        backend!(self, store => store.watch_add(auction_id, watcher, mode))
    }

    async fn watch_remove(
        &self,
        auction_id: AuctionId,
        watcher: &PartyId,
        mode: WriteMode,
    ) -> Result<Watch, StoreError> {
        backend!(self, store => store.watch_remove(auction_id, watcher, mode))
    }

    async fn burst_rows(&self, span: i64) -> Result<Vec<BurstRows>, StoreError> {
        backend!(self, store => store.burst_rows(span))
    }

    async fn burst_remove(
        &self,
        ids: IdRange,
        limit: u32,
        mode: WriteMode,
    ) -> Result<u64, StoreError> {
        backend!(self, store => store.burst_remove(ids, limit, mode))
    }

    async fn sheaves_read(
        &self,
        scope: &Scope,
        out: mpsc::Sender<Sheaf<StoredRows>>,
    ) -> Result<(), StoreError> {
        backend!(self, store => store.sheaves_read(scope, out))
    }

    async fn dossiers_count(&self, scope: &Scope) -> Result<(u64, u64), StoreError> {
        backend!(self, store => store.dossiers_count(scope))
    }

    async fn dossiers_import(
        &self,
        incoming: mpsc::Receiver<ImportItem>,
        mode: WriteMode,
    ) -> Result<ImportReport, StoreError> {
        backend!(self, store => store.dossiers_import(incoming, mode))
    }
}
