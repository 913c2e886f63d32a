//! The contract, method by method, each handed to the file that has its SQL.

use super::{
    SqliteStore, bid, burst, claim, close, create, doctor, dossiers, ended, heads, import, list,
    migrate, operator, own, watch,
};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::auction::book::Create;
use crate::auction::{
    Action, AuctionId, Bid, Currency, Entry, IdRange, Micros, PartyId, Remit, RequestId, Span,
};
use crate::store::contract::{
    AuctionFilter, AuctionOrder, Backlog, BidAnswer, BidsPlaced, BurstRows, Claim, CloseReply,
    Contract, Cursor, DueFirst, Ending, ImportItem, ImportReport, LoadItem, MigrationState,
    OutboxBacklog, OwnBid, Reply, Setting, SweepBatch, Watch, WriteMode,
};
use crate::store::diagnosis::Diagnosis;
use crate::store::ended::{Closing, Ended, HeadRead};
use crate::store::error::StoreError;
use crate::store::rows::AuctionRow;
use crate::store::scope::Scope;
use crate::store::sheaf::{Sheaf, StoredRows};

impl Contract for SqliteStore {
    async fn migrate(&self) -> Result<Vec<i64>, StoreError> {
        migrate::migrate(self).await
    }

    async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        migrate::migration_state(self).await
    }

    fn writers_max(&self) -> usize {
        1
    }

    async fn now(&self) -> Result<Micros, StoreError> {
        Ok(std::future::ready(self.clock().now()).await)
    }

    async fn doctor(&self) -> Result<Vec<Diagnosis>, StoreError> {
        doctor::doctor(self).await
    }

    async fn installation(&self) -> Result<Uuid, StoreError> {
        migrate::installation(self).await
    }

    async fn settings(&self) -> Result<Vec<Setting>, StoreError> {
        burst::settings(self).await
    }

    async fn upload_key(&self) -> Result<[u8; 32], StoreError> {
        migrate::upload_key(self).await
    }

    async fn auction_create(
        &self,
        creates: &[Create],
        mode: WriteMode,
    ) -> Result<Vec<Reply<Entry>>, StoreError> {
        create::auction_create(self, creates, mode).await
    }

    async fn auctions_load(
        &self,
        incoming: mpsc::Receiver<LoadItem>,
        replies: mpsc::Sender<Vec<Reply<Entry>>>,
        mode: WriteMode,
    ) -> Result<(), StoreError> {
        create::auctions_load(self, incoming, replies, mode).await
    }

    async fn bid_place(&self, bid: &Bid, mode: WriteMode) -> Result<Reply<BidAnswer>, StoreError> {
        bid::bid_place(self, bid, mode).await
    }

    async fn bid_place_many(&self, bids: &[Bid], mode: WriteMode) -> BidsPlaced {
        BidsPlaced::of(bids.len(), bid::bid_place_many(self, bids, mode).await)
    }

    async fn auction_act(
        &self,
        auction_id: AuctionId,
        action: &Action,
        mode: WriteMode,
    ) -> Result<Reply<Entry>, StoreError> {
        operator::auction_act(self, auction_id, action, mode).await
    }

    async fn auctions_act(
        &self,
        actions: &[(AuctionId, Action)],
        mode: WriteMode,
    ) -> Vec<Result<Reply<Entry>, StoreError>> {
        operator::auctions_act(self, actions, mode).await
    }

    async fn auction_close(
        &self,
        auction_id: AuctionId,
        mode: WriteMode,
    ) -> Result<CloseReply, StoreError> {
        close::auction_close(self, auction_id, mode).await
    }

    async fn auction_close_due(
        &self,
        shard: i64,
        ids: IdRange,
        limit: u32,
        skip: &[AuctionId],
        mode: WriteMode,
    ) -> Result<SweepBatch, StoreError> {
        close::auction_close_due(self, shard, ids, limit, skip, mode).await
    }

    async fn auction_due_ids(
        &self,
        shard: i64,
        ids: IdRange,
        limit: u32,
        skip: &[AuctionId],
    ) -> Result<Vec<AuctionId>, StoreError> {
        close::auction_due_ids(self, shard, ids, limit, skip).await
    }

    async fn backlog(&self, remit: Remit) -> Result<Backlog, StoreError> {
        close::backlog(self, remit).await
    }

    async fn closings(&self, ended: Ended<'_>) -> Result<Vec<Closing>, StoreError> {
        ended::closings(self, ended).await
    }

    async fn heads_settled(&self) -> Result<Micros, StoreError> {
        heads::heads_settled(self).await
    }

    async fn heads_read(
        &self,
        before: Micros,
        out: mpsc::Sender<Vec<HeadRead>>,
    ) -> Result<(), StoreError> {
        heads::heads_read(self, before, out).await
    }

    async fn outbox_backlog(&self) -> Result<OutboxBacklog, StoreError> {
        close::outbox_backlog(self).await
    }

    async fn auctions_close(&self, auction_ids: &[AuctionId]) -> Result<SweepBatch, StoreError> {
        close::auctions_close(self, auction_ids).await
    }

    async fn auctions_claim(&self, auction_ids: &[AuctionId]) -> Result<Vec<Claim>, StoreError> {
        claim::auctions_claim(self, auction_ids).await
    }

    async fn auctions_ending(
        &self,
        remit: Remit,
        after: Micros,
        until: Micros,
        limit: u32,
    ) -> Result<Vec<Ending>, StoreError> {
        close::auctions_ending(self, remit, after, until, limit).await
    }

    async fn auctions_waiting(&self, auction_ids: &[AuctionId]) -> Result<Vec<Ending>, StoreError> {
        close::auctions_waiting(self, auction_ids).await
    }

    async fn claims_close(&self, claims: &[Claim]) -> Result<SweepBatch, StoreError> {
        claim::claims_close(self, claims).await
    }

    async fn claims_release(&self, claims: &[Claim]) -> Result<u64, StoreError> {
        claim::claims_release(self, claims).await
    }

    async fn claims_reap(
        &self,
        remit: Remit,
        timeout: Span,
        limit: u32,
    ) -> Result<u64, StoreError> {
        claim::claims_reap(self, remit, timeout, limit).await
    }

    async fn auction_get(&self, auction_id: AuctionId) -> Result<Option<AuctionRow>, StoreError> {
        list::auction_get(self, auction_id).await
    }

    async fn auctions_get(&self, auction_ids: &[AuctionId]) -> Result<Vec<AuctionRow>, StoreError> {
        list::auctions_get(self, auction_ids).await
    }

    async fn auction_currency(
        &self,
        auction_id: AuctionId,
    ) -> Result<Option<Currency>, StoreError> {
        list::auction_currency(self, auction_id).await
    }

    async fn auction_currencies(
        &self,
        auction_ids: &[AuctionId],
    ) -> Result<Vec<Option<Currency>>, StoreError> {
        list::auction_currencies(self, auction_ids).await
    }

    async fn auction_list(
        &self,
        filter: &AuctionFilter,
        order: AuctionOrder,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<Vec<AuctionRow>, StoreError> {
        list::auction_list(self, filter, order, after, limit).await
    }

    async fn ledger_get(
        &self,
        auction_id: AuctionId,
        after_seq: i64,
        limit: u32,
    ) -> Result<Vec<Entry>, StoreError> {
        list::ledger_get(self, auction_id, after_seq, limit).await
    }

    async fn ledger_find(
        &self,
        requests: &[(AuctionId, RequestId)],
    ) -> Result<Vec<Option<Entry>>, StoreError> {
        list::ledger_find(self, requests).await
    }

    async fn bids_of(
        &self,
        bidder: &PartyId,
        page: DueFirst,
        limit: u32,
    ) -> Result<Vec<OwnBid>, StoreError> {
        own::bids_of(self, bidder, page, limit).await
    }

    async fn watched_by(
        &self,
        watcher: &PartyId,
        page: DueFirst,
        limit: u32,
    ) -> Result<Vec<AuctionRow>, StoreError> {
        own::watched_by(self, watcher, page, limit).await
    }

    async fn watch_add(
        &self,
        auction_id: AuctionId,
        watcher: &PartyId,
        mode: WriteMode,
    ) -> Result<Watch, StoreError> {
        watch::watch_add(self, auction_id, watcher, mode).await
    }

    async fn watch_remove(
        &self,
        auction_id: AuctionId,
        watcher: &PartyId,
        mode: WriteMode,
    ) -> Result<Watch, StoreError> {
        watch::watch_remove(self, auction_id, watcher, mode).await
    }

    async fn burst_rows(&self, span: i64) -> Result<Vec<BurstRows>, StoreError> {
        burst::burst_rows(self, span).await
    }

    async fn burst_remove(
        &self,
        ids: IdRange,
        limit: u32,
        mode: WriteMode,
    ) -> Result<u64, StoreError> {
        burst::burst_remove(self, ids, limit, mode).await
    }

    async fn sheaves_read(
        &self,
        scope: &Scope,
        out: mpsc::Sender<Sheaf<StoredRows>>,
    ) -> Result<(), StoreError> {
        dossiers::sheaves_read(self, scope, out).await
    }

    async fn dossiers_count(&self, scope: &Scope) -> Result<(u64, u64), StoreError> {
        dossiers::dossiers_count(self, scope).await
    }

    async fn dossiers_import(
        &self,
        incoming: mpsc::Receiver<ImportItem>,
        mode: WriteMode,
    ) -> Result<ImportReport, StoreError> {
        import::dossiers_import(self, incoming, mode).await
    }
}
