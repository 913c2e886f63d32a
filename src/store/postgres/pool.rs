//! Connections, steps and transactions, and the one place that tries contended work again.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgRow, PgSslMode};
use sqlx::query::{Query, QueryAs, QueryScalar};
use sqlx::{ConnectOptions as _, Executor as _, FromRow, Postgres};

use super::connections::{Connections, Lease};
use crate::store::contract::WriteMode;
use crate::store::error::{StoreError, StoreErrorKind};

/// How many connections one process opens at most, unless it asks for another number.
const CONNECTIONS_MAX: u32 = 16;
/// How often a contended step is tried; each try waits at most the lock timeout of two seconds.
const ATTEMPTS: u32 = 5;
/// The longest pause before another try.
const PAUSE_MS_MAX: u64 = 100;

/// The live store.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    connections: Arc<Connections>,
    /// Behind a pooler that hands each transaction to another server session, no statement can be
    /// prepared for later, and every step needs a transaction around it.
    pooled: bool,
}

impl PostgresStore {
    /// Names the server; connections are made when they are needed. `statement-cache-capacity=0`
    /// in the URL is for poolers in transaction mode.
    pub fn connect(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, CONNECTIONS_MAX)
    }

    /// Like [`Self::connect`], with so many connections at most.
    pub fn connect_with(url: &str, connections_max: u32) -> Result<Self, StoreError> {
        let mut options = PgConnectOptions::from_str(url)
            .map_err(|_| {
                let message = "the database URL is not one of PostgreSQL's: \
                               write postgres://USER@HOST/DATABASE";
                StoreError::new(StoreErrorKind::BadUrl, message)
            })?
            // A server's statement log is its own business; here it would only repeat texts.
            .disable_statement_logging();
        if options.get_application_name().is_none() {
            options = options.application_name("gavel");
        }
        if options.get_socket().is_some() {
            // No TLS inside a machine, as in libpq; asking would be a round trip.
            options = options.ssl_mode(PgSslMode::Disable);
        }
        let pooled = url.contains("statement-cache-capacity=0");
        if pooled {
            // Not needed, there are no floats; a pooler that was not told to accept it refuses.
            options = options.extra_float_digits(None);
        }
        Ok(Self {
            connections: Connections::new(options, connections_max),
            pooled,
        })
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.connections.close().await;
    }

    /// How many connections may be at work.
    pub(super) fn connections_max(&self) -> usize {
        self.connections.max()
    }

    /// A connection of its own, beside the others.
    pub(super) async fn connect_apart(&self) -> Result<PgConnection, StoreError> {
        self.connections.connect().await
    }

    pub(super) fn pooled(&self) -> bool {
        self.pooled
    }

    /// One statement's worth of work: in a transaction only where it is to be undone, or where a
    /// pooler needs one.
    pub(super) async fn step(&self, mode: WriteMode) -> Result<Step, StoreError> {
        if self.pooled || mode == WriteMode::Rehearse {
            return self.transaction().await;
        }
        Ok(Step {
            lease: self.connections.lease().await?,
            in_transaction: false,
            prepared: true,
        })
    }

    /// A transaction that waits for locks as long as the functions do.
    pub(super) async fn transaction(&self) -> Result<Step, StoreError> {
        self.begin("begin; set local lock_timeout = '2s'").await
    }

    /// A transaction in which every statement sees the same state.
    pub(super) async fn snapshot(&self) -> Result<Step, StoreError> {
        self.begin("begin isolation level repeatable read read only")
            .await
    }

    async fn begin(&self, text: &'static str) -> Result<Step, StoreError> {
        let mut lease = self.connections.lease().await?;
        lease.connection().execute(text).await?;
        Ok(Step {
            lease,
            in_transaction: true,
            prepared: !self.pooled,
        })
    }
}

/// A connection for one step, with or without a transaction around it. A step that is dropped
/// before its end closes the connection, which undoes the transaction.
pub(super) struct Step {
    lease: Lease,
    in_transaction: bool,
    prepared: bool,
}

impl Step {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.lease.connection()
    }

    pub(super) fn query<'q>(&self, text: &'static str) -> Query<'q, Postgres, PgArguments> {
        sqlx::query(text).persistent(self.prepared)
    }

    pub(super) fn query_as<'q, T>(
        &self,
        text: &'static str,
    ) -> QueryAs<'q, Postgres, T, PgArguments>
    where
        T: for<'r> FromRow<'r, PgRow>,
    {
        sqlx::query_as(text).persistent(self.prepared)
    }

    pub(super) fn query_scalar<'q, T>(
        &self,
        text: &'static str,
    ) -> QueryScalar<'q, Postgres, T, PgArguments>
    where
        (T,): for<'r> FromRow<'r, PgRow>,
    {
        sqlx::query_scalar(text).persistent(self.prepared)
    }

    /// Has the rest of the transaction read by the indexes. What reads again and again while it
    /// fills tables keeps the plan that it made when they were small: it would read them whole
    /// each time, and take a time that grows with the square of the load.
    pub(super) async fn read_by_index(&mut self) -> Result<(), StoreError> {
        let text = "set local enable_seqscan = off";
        self.connection().execute(text).await?;
        Ok(())
    }

    /// Keeps or undoes what was done.
    pub(super) async fn finish(mut self, mode: WriteMode) -> Result<(), StoreError> {
        if self.in_transaction {
            let end = match mode {
                WriteMode::Commit => "commit",
                WriteMode::Rehearse => "rollback",
            };
            self.connection().execute(end).await?;
        }
        self.lease.give_back();
        Ok(())
    }
}

/// Tries a step again while it only met other writers. Every step is repeatable: what a failed
/// try did was undone, and a command that was done after all is found by its request id.
pub(super) async fn retrying<T, F, S>(mut step: S) -> Result<T, StoreError>
where
    S: FnMut() -> F,
    F: Future<Output = Result<T, StoreError>>,
{
    let mut attempt = 1;
    loop {
        match step().await {
            Err(error) if error.kind() == StoreErrorKind::Contended && attempt < ATTEMPTS => {
                attempt += 1;
                pause().await;
            }
            outcome => return outcome,
        }
    }
}

async fn pause() {
    let pause_ms = rand::rng().random_range(1..=PAUSE_MS_MAX);
    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
}
