//! The connections that a process keeps, and who has one.
//!
//! sqlx's own pool asks the server for a sign of life whenever a connection comes back: one more
//! round trip a statement, and a bid is one statement. Here a connection comes back only from work
//! that ended well; any other is closed, whether the work failed or was given up. A sign of life
//! is asked for where a connection has been idle for a while.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rand::RngExt as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::store::error::{StoreError, StoreErrorKind};

/// How long a task waits for a connection.
pub(super) const LEASE_TIMEOUT: Duration = Duration::from_secs(10);
/// After so long the server may have gone unnoticed.
const FRESH: Duration = Duration::from_secs(1);
/// The longest pause before the next try where the server has no room just now.
const PAUSE_MS_MAX: u64 = 100;

/// As many as may be open, some of them idle.
#[derive(Debug)]
pub(super) struct Connections {
    options: PgConnectOptions,
    max: usize,
    permits: Arc<Semaphore>,
    /// Since when. The one that came last is taken first.
    idle: Mutex<Vec<(PgConnection, Instant)>>,
}

/// A connection for one piece of work.
#[derive(Debug)]
pub(super) struct Lease {
    connection: PgConnection,
    home: Arc<Connections>,
    permit: OwnedSemaphorePermit,
}

impl Connections {
    /// None is opened yet.
    pub(super) fn new(options: PgConnectOptions, max: u32) -> Arc<Self> {
        let max = usize::try_from(max).unwrap_or(Semaphore::MAX_PERMITS);
        let max = max.clamp(1, Semaphore::MAX_PERMITS);
        Arc::new(Self {
            options,
            max,
            permits: Arc::new(Semaphore::new(max)),
            idle: Mutex::new(Vec::new()),
        })
    }

    /// How many may be at work.
    pub(super) fn max(&self) -> usize {
        self.max
    }

    /// An idle connection or a new one, once there may be one more at work.
    pub(super) async fn lease(self: &Arc<Self>) -> Result<Lease, StoreError> {
        let permit = tokio::time::timeout(LEASE_TIMEOUT, self.permits.clone().acquire_owned());
        let permit = permit.await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        let connection = match self.take_idle().await {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        Ok(Lease {
            connection,
            home: self.clone(),
            permit,
        })
    }

    async fn take_idle(&self) -> Option<PgConnection> {
        loop {
            let (mut connection, since) = self.idle().pop()?;
            if since.elapsed() < FRESH || connection.ping().await.is_ok() {
                return Some(connection);
            }
        }
    }

    /// A connection that is the caller's alone and is not counted. A server that refuses is told
    /// at once; one that has no room or is starting is asked again for a while.
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        let connecting = async {
            loop {
                match self.options.connect().await {
                    Err(sqlx::Error::Database(error)) if no_room(error.code().as_deref()) => {
                        let pause_ms = rand::rng().random_range(1..=PAUSE_MS_MAX);
                        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                    }
                    outcome => return outcome,
                }
            }
        };
        match tokio::time::timeout(LEASE_TIMEOUT, connecting).await {
            Ok(connected) => Ok(connected?),
            Err(_) => Err(StoreError::new(
                StoreErrorKind::TimedOut,
                "the server gave no connection in time: all are taken (max_connections), or it \
                 does not answer",
            )),
        }
    }

    /// Takes leave on the idle ones; those at work are closed when they come back.
    pub(super) async fn close(&self) {
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        for (connection, _) in idle {
            // The server notices in any case.
            connection.close().await.ok();
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(PgConnection, Instant)>> {
        // Nobody leaves the list half changed.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Too many connections, or not ready yet.
fn no_room(code: Option<&str>) -> bool {
    matches!(code, Some("53300" | "57P03"))
}

impl Lease {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// After work that ended well and left no transaction open.
    pub(super) fn give_back(self) {
        if !self.home.permits.is_closed() {
            self.home.idle().push((self.connection, Instant::now()));
        }
        // Not before: whoever gets it looks for an idle connection.
        drop(self.permit);
    }
}
