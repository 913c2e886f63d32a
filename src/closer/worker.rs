//! The worker: closes a batch by either strategy, and finds the bad auction in one that fails.
//!
//! Every write repeats its condition under the lock, so any number of workers may be at it, and
//! one whose commit got no answer only has to look again. One worker may be asked for several
//! batches at once: what it remembers is shared, and its locks are never held across a wait.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::report::Tally;
use super::skip::SkipList;
use super::sweep::{Strategy, SweepOptions};
use crate::auction::AuctionId;
use crate::store::{
    Claim, CloseReply, Closed, Contract, StoreError, StoreErrorKind, SweepBatch, WriteMode,
};

pub(super) struct Worker<'a, S> {
    pub(super) store: &'a S,
    pub(super) options: &'a SweepOptions,
    skip: Mutex<SkipList>,
    /// Claimed, and neither closed nor given back as far as is known.
    claims: Mutex<Vec<Claim>>,
}

impl<'a, S: Contract> Worker<'a, S> {
    /// Passes over a bad auction for good.
    pub(super) fn of_a_sweep(store: &'a S, options: &'a SweepOptions) -> Self {
        Self {
            store,
            options,
            skip: Mutex::new(SkipList::lasting()),
            claims: Mutex::default(),
        }
    }

    /// Comes back to a bad auction, later each time.
    pub(super) fn of_a_daemon(store: &'a S, options: &'a SweepOptions) -> Self {
        Self {
            skip: Mutex::new(SkipList::backing_off()),
            ..Self::of_a_sweep(store, options)
        }
    }

    /// How many batches it has closed at once.
    pub(super) fn lanes(&self) -> usize {
        let jobs = usize::try_from(self.options.jobs).unwrap_or(usize::MAX);
        jobs.min(self.store.writers_max()).max(1)
    }

    /// Whether an auction is passed over.
    pub(super) fn passes_over(&self, auction_id: AuctionId, now: Instant) -> bool {
        self.skip().holds(auction_id, now)
    }

    /// Closes what was claimed when the database failed, as far as it was not closed then.
    pub(super) async fn resume<F: FnMut(&[Closed])>(
        &self,
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        let claims = self.claims().clone();
        if claims.is_empty() {
            return Ok(());
        }
        match self.store.claims_close(&claims).await {
            Ok(batch) => {
                self.done_with(&claims);
                self.closed(&batch, tally);
                Ok(())
            }
            // Which one it is shows when they are due again.
            Err(error) if can_be_one_auctions(&error) => self.give_back().await,
            Err(error) => Err(error),
        }
    }

    /// How many auctions are passed over.
    pub(super) fn passed_over(&self) -> u64 {
        u64::try_from(self.skip().len(Instant::now())).unwrap_or(u64::MAX)
    }

    /// One batch of what is due in a shard.
    pub(super) async fn shard<F: FnMut(&[Closed])>(
        &self,
        shard: i64,
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        let SweepOptions {
            batch, mode, remit, ..
        } = *self.options;
        let skip = self.skip().in_shard(shard, Instant::now());
        let due = || self.store.auction_due_ids(shard, remit.ids, batch, &skip);
        if self.by_claims() {
            let due = due().await?;
            return self.these(&due, tally).await;
        }
        let closing = self
            .store
            .auction_close_due(shard, remit.ids, batch, &skip, mode);
        match closing.await {
            Ok(batch) => self.closed(&batch, tally),
            Err(error) if !can_be_one_auctions(&error) => return Err(error),
            Err(_) => {
                let due = due().await?;
                self.one_by_one(&due, tally).await?;
            }
        }
        Ok(())
    }

    /// Those of these auctions that are due and not locked by others.
    pub(super) async fn these<F: FnMut(&[Closed])>(
        &self,
        auction_ids: &[AuctionId],
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        if auction_ids.is_empty() {
            return Ok(());
        }
        match self.close(auction_ids).await {
            Ok(batch) => self.closed(&batch, tally),
            Err(error) if !can_be_one_auctions(&error) => return Err(error),
            Err(_) => self.one_by_one(auction_ids, tally).await?,
        }
        Ok(())
    }

    /// Gives back the claims of work that failed.
    pub(super) async fn give_back(&self) -> Result<(), StoreError> {
        let claims = self.claims().clone();
        self.release(&claims).await
    }

    async fn one_by_one<F: FnMut(&[Closed])>(
        &self,
        auction_ids: &[AuctionId],
        tally: &Tally<F>,
    ) -> Result<(), StoreError> {
        for auction_id in auction_ids {
            match self.close(std::slice::from_ref(auction_id)).await {
                Ok(batch) => self.closed(&batch, tally),
                Err(error) if !can_be_one_auctions(&error) => return Err(error),
                Err(error) => {
                    tally.bad(*auction_id, &error);
                    self.skip().add(*auction_id, Instant::now());
                }
            }
        }
        Ok(())
    }

    async fn close(&self, auction_ids: &[AuctionId]) -> Result<SweepBatch, StoreError> {
        match self.options.mode {
            WriteMode::Rehearse => self.rehearse(auction_ids).await,
            WriteMode::Commit if self.by_claims() => self.claim_and_close(auction_ids).await,
            WriteMode::Commit => self.store.auctions_close(auction_ids).await,
        }
    }

    async fn claim_and_close(&self, auction_ids: &[AuctionId]) -> Result<SweepBatch, StoreError> {
        let claims = self.store.auctions_claim(auction_ids).await?;
        if claims.is_empty() {
            return Ok(SweepBatch::default());
        }
        self.claims().extend_from_slice(&claims);
        match self.store.claims_close(&claims).await {
            Ok(batch) => {
                // What is not in the batch was fenced out: it is another's.
                self.done_with(&claims);
                Ok(batch)
            }
            Err(error) => {
                if can_be_one_auctions(&error) {
                    self.release(&claims).await?;
                }
                Err(error)
            }
        }
    }

    async fn release(&self, claims: &[Claim]) -> Result<(), StoreError> {
        if !claims.is_empty() {
            self.store.claims_release(claims).await?;
            self.done_with(claims);
        }
        Ok(())
    }

    async fn rehearse(&self, auction_ids: &[AuctionId]) -> Result<SweepBatch, StoreError> {
        let mut batch = SweepBatch::default();
        for auction_id in auction_ids {
            let reply = self.store.auction_close(*auction_id, WriteMode::Rehearse);
            // Otherwise closed, cancelled or extended by somebody else meanwhile.
            if let CloseReply::Closed(closed) = reply.await? {
                batch.closed.push(closed);
            }
        }
        Ok(batch)
    }

    fn closed<F: FnMut(&[Closed])>(&self, batch: &SweepBatch, tally: &Tally<F>) {
        tally.closed(&batch.closed);
        let mut skip = self.skip();
        for closed in &batch.closed {
            match self.options.mode {
                WriteMode::Commit => skip.forget(closed.auction_id),
                // It is still due: pass over it, or it would come again.
                WriteMode::Rehearse => skip.add(closed.auction_id, Instant::now()),
            }
        }
    }

    /// Closed, given back or another's.
    fn done_with(&self, claims: &[Claim]) {
        let done: HashSet<&Claim> = claims.iter().collect();
        self.claims().retain(|claim| !done.contains(claim));
    }

    fn skip(&self) -> MutexGuard<'_, SkipList> {
        // Nobody leaves it half changed; so it is with the claims.
        self.skip.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn claims(&self) -> MutexGuard<'_, Vec<Claim>> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn by_claims(&self) -> bool {
        self.options.strategy == Strategy::Claim && self.options.mode == WriteMode::Commit
    }
}

/// Whether it can be about one auction; everything else concerns the database as a whole.
fn can_be_one_auctions(error: &StoreError) -> bool {
    matches!(
        error.kind(),
        StoreErrorKind::Damaged | StoreErrorKind::Conflict | StoreErrorKind::Failed
    )
}
