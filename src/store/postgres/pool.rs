//! Connections, steps and transactions, and the one place that tries contended work again.

use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand::RngExt as _;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgPool, PgPoolOptions, PgRow};
use sqlx::query::{Query, QueryAs, QueryScalar};
use sqlx::{ConnectOptions as _, Connection as _};
use sqlx::{FromRow, Postgres, Transaction};

use crate::store::contract::WriteMode;
use crate::store::error::{StoreError, StoreErrorKind};

/// How many connections one process opens at most, unless it asks for another number.
const CONNECTIONS_MAX: u32 = 16;
/// How long a task waits for a connection.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// A server that was never reached is asked why after so long: the pool itself waits for one that
/// refuses, as if it were starting up.
const PROBE_AFTER: Duration = Duration::from_millis(250);
/// How long an answer to that question may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// How often a contended step is tried; each try waits at most the lock timeout of two seconds.
const ATTEMPTS: u32 = 5;
/// The longest pause before another try.
const PAUSE_MS_MAX: u64 = 100;

/// The live store.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    options: PgConnectOptions,
    pool: PgPool,
    /// Behind a pooler that hands each transaction to another server session, no statement can be
    /// prepared for later, and every step needs a transaction around it.
    pooled: bool,
    /// Whether any connection was ever made.
    reached: Arc<AtomicBool>,
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
        let pooled = url.contains("statement-cache-capacity=0");
        if pooled {
            // Not needed, there are no floats; a pooler that was not told to accept it refuses.
            options = options.extra_float_digits(None);
        }
        // A ping before each use would cost as much as a bid; a connection that broke while idle
        // shows as "unreachable", which every caller may try again.
        let pool = PgPoolOptions::new()
            .max_connections(connections_max)
            .test_before_acquire(false)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(options.clone());
        Ok(Self {
            options,
            pool,
            pooled,
            reached: Arc::default(),
        })
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// A connection of its own, outside the pool; waited for as long as one of the pool's. A
    /// server whose slots are all taken is asked again, as the pool does.
    pub(super) async fn connect_apart(&self) -> Result<PgConnection, StoreError> {
        let connecting = async {
            loop {
                match self.options.connect().await {
                    Err(error) if is_crowded(&error) => pause().await,
                    outcome => return outcome,
                }
            }
        };
        match tokio::time::timeout(ACQUIRE_TIMEOUT, connecting).await {
            Ok(connected) => Ok(connected?),
            Err(_) => Err(StoreError::new(
                StoreErrorKind::TimedOut,
                "the server gave no connection in time: all are taken (max_connections), or it \
                 does not answer",
            )),
        }
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
            connection: StepConnection::Plain(self.reach(self.pool.acquire()).await?),
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

    /// Waits for a connection. What the pool tells as a time-out is either a server that cannot be
    /// reached or a pool that others use up; only the second is contention.
    async fn reach<T>(
        &self,
        connecting: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let outcome = if self.reached.load(Ordering::Relaxed) {
            connecting.await
        } else {
            tokio::select! {
                biased;
                outcome = connecting => outcome,
                refused = self.refused() => return Err(refused),
            }
        };
        match outcome {
            Ok(connected) => {
                self.reached.store(true, Ordering::Relaxed);
                Ok(connected)
            }
            Err(sqlx::Error::PoolTimedOut) => {
                self.probe().await?;
                Err(sqlx::Error::PoolTimedOut.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Ends only with a server that is not there; one that starts up or is full is waited for.
    async fn refused(&self) -> StoreError {
        tokio::time::sleep(PROBE_AFTER).await;
        match self.options.connect().await {
            Err(error @ sqlx::Error::Io(_)) => error.into(),
            _ => std::future::pending().await,
        }
    }

    /// Whether the server answers at all, and if not, why.
    async fn probe(&self) -> Result<(), StoreError> {
        match tokio::time::timeout(PROBE_TIMEOUT, self.options.connect()).await {
            Ok(connected) => Ok(connected?.close().await?),
            Err(_) => {
                let message = "the database cannot be reached: the server does not answer";
                Err(StoreError::new(StoreErrorKind::Unreachable, message))
            }
        }
    }

    async fn begin(&self, text: &'static str) -> Result<Step, StoreError> {
        Ok(Step {
            connection: StepConnection::Transaction(self.reach(self.pool.begin_with(text)).await?),
            prepared: !self.pooled,
        })
    }
}

/// A connection for one step, with or without a transaction around it.
pub(super) struct Step {
    connection: StepConnection,
    prepared: bool,
}

enum StepConnection {
    Plain(PoolConnection<Postgres>),
    Transaction(Transaction<'static, Postgres>),
}

impl Step {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            StepConnection::Plain(connection) => connection,
            StepConnection::Transaction(transaction) => transaction,
        }
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

    /// Keeps or undoes what was done.
    pub(super) async fn finish(self, mode: WriteMode) -> Result<(), StoreError> {
        if let StepConnection::Transaction(transaction) = self.connection {
            match mode {
                WriteMode::Commit => transaction.commit().await?,
                WriteMode::Rehearse => transaction.rollback().await?,
            }
        }
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

/// 53300: every connection that the server, the database or the role may have is taken.
fn is_crowded(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "53300")
}
