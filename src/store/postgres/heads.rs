//! The heads of auctions that are over, and the instant that is settled.
//!
//! A closing reads the clock inside its transaction and is seen when that commits, so one that is
//! still running may yet record an instant that has passed. Settled is a clock reading once every
//! transaction that ran at it has ended. Transaction ids do not tell: a closing has its clock
//! before it has an id. Virtual ids do, which every transaction holds from its first moment until
//! after its commit is seen, and `pg_locks` shows them to anybody.
//!
//! What only reads may run for hours and delays nobody: after [`READERS_WAITED_FOR`] a transaction
//! that locks nothing in `gavel.auctions` for writing is passed by. A closing has its clock and its
//! lock on the table in one function, with no wait in between, and keeps the lock to its end.
//!
//! A standby sees none of the server's transactions: there a margin stands for them, behind the
//! commit that was replayed last. A clock that is set back can undo all of this; what was settled
//! at an earlier checkpoint then shows as changed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use tokio::sync::mpsc;

use super::PostgresStore;
use super::list::clock;
use crate::auction::{AuctionId, Micros};
use crate::store::contract::WriteMode;
use crate::store::ended::{HEADS_MAX, HeadRead, ended_head};
use crate::store::error::{StoreError, StoreErrorKind};

/// What only reads is waited for so long.
const READERS_WAITED_FOR: Duration = Duration::from_secs(3);
/// What may be closing auctions is waited for so long.
const WRITERS_WAITED_FOR: Duration = Duration::from_secs(60);
/// The pauses between two looks.
const PAUSE_MIN: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_millis(250);
/// How far behind the last replayed commit a standby is settled: ten minutes.
const STANDBY_MARGIN_US: i64 = 600_000_000;

pub(super) async fn heads_settled(store: &PostgresStore) -> Result<Micros, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let query = r"
        select pg_is_in_recovery(),
               (extract(epoch from pg_last_xact_replay_timestamp()) * 1000000)::bigint
    ";
    let (standby, replayed_us): (bool, Option<i64>) =
        step.query_as(query).fetch_one(step.connection()).await?;
    let now = clock(&mut step).await?;
    step.finish(WriteMode::Commit).await?;
    if standby {
        return on_standby(now, replayed_us);
    }
    // The clock first: what has an earlier reading is among those that run now, or has ended.
    let mut awaited: BTreeSet<String> = running(store).await?.into_keys().collect();
    let begun = Instant::now();
    let mut pause = PAUSE_MIN;
    while !awaited.is_empty() {
        let found = running(store).await?;
        let readers_too = begun.elapsed() < READERS_WAITED_FOR;
        awaited.retain(|one| found.get(one).is_some_and(|writes| *writes || readers_too));
        if begun.elapsed() > WRITERS_WAITED_FOR {
            let message = "a transaction that may be closing auctions has not ended for a minute";
            return Err(StoreError::new(StoreErrorKind::TimedOut, message));
        }
        if !awaited.is_empty() {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }
    Ok(now)
}

fn on_standby(now: Micros, replayed_us: Option<i64>) -> Result<Micros, StoreError> {
    let Some(replayed_us) = replayed_us else {
        let message = "this standby has replayed nothing since its start";
        return Err(StoreError::new(StoreErrorKind::TimedOut, message));
    };
    let settled_us = replayed_us.min(now.get()).saturating_sub(STANDBY_MARGIN_US);
    Ok(Micros::new(settled_us).unwrap_or(Micros::MIN))
}

/// The transactions of this database that run, by their virtual ids, and whether each locks the
/// auctions for writing.
async fn running(store: &PostgresStore) -> Result<BTreeMap<String, bool>, StoreError> {
    // One prepared for two-phase commit has neither a process nor a lock of its own on its id.
    // What has no user is the server's own work.
    let query = r"
        select l.virtualtransaction, bool_or(l.locktype = 'relation')
        from pg_locks l
        left join pg_stat_activity s on s.pid = l.pid
        where l.pid is distinct from pg_backend_pid()
          and (l.locktype = 'virtualxid' and l.granted and l.mode = 'ExclusiveLock'
               and (s.pid is null
                    or s.datname = current_database() and s.usesysid is not null)
               or l.locktype = 'relation' and l.relation = 'gavel.auctions'::regclass
               and l.database = (select d.oid from pg_database d
                                 where d.datname = current_database())
               and l.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock'))
        group by l.virtualtransaction
    ";
    // A step of its own each time: within a transaction the statistics stand still.
    let mut step = store.step(WriteMode::Commit).await?;
    let found: Vec<(String, bool)> = step.query_as(query).fetch_all(step.connection()).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(found.into_iter().collect())
}

pub(super) async fn heads_read(
    store: &PostgresStore,
    before: Micros,
    out: mpsc::Sender<Vec<HeadRead>>,
) -> Result<(), StoreError> {
    // One statement is one snapshot; the server sorts, on disk where it must.
    let query = r"
        select e.auction_id, e.ended_us, e.head
        from (select a.auction_id, a.head,
                     case a.status when 'CANCELLED' then a.last_us else a.closed_us end as ended_us
              from gavel.auctions a
              where a.status in ('CLOSED', 'CLOSED_RESERVE_NOT_MET', 'CANCELLED')
                and a.auction_id < $2) e
        where e.ended_us < $1
        order by e.ended_us, e.auction_id
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let query = step
        .query_as::<(i64, i64, Vec<u8>)>(query)
        .bind(before.get())
        .bind(AuctionId::BURST_MIN);
    {
        let mut rows = query.fetch(step.connection());
        let mut chunk = Vec::with_capacity(HEADS_MAX);
        while let Some(row) = rows.try_next().await? {
            chunk.push(ended_head(row));
            if chunk.len() == HEADS_MAX && out.send(std::mem::take(&mut chunk)).await.is_err() {
                // With rows unread the step is dropped, and its connection with it.
                return Ok(());
            }
        }
        if !chunk.is_empty() {
            out.send(chunk).await.ok();
        }
    }
    step.finish(WriteMode::Commit).await
}
