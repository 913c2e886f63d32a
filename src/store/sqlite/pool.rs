//! Connections, the write transaction, and what SQLite's errors mean.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, Transaction};

use super::group::BidQueue;
use super::place::Place;
use crate::clock::Clock;
use crate::store::contract::WriteMode;
use crate::store::error::{StoreError, StoreErrorKind};

/// How long one attempt to take the write lock waits for other processes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How many attempts, so that a bidder waits at most about half a minute.
const BEGIN_ATTEMPTS: u32 = 6;
/// The writer's page cache: negative, so in KiB.
const CACHE_KIB: &str = "-32768";
/// The write-ahead log is folded into the file from this size on: 32 MiB.
const LOG_PAGES: &str = "8192";
/// How many rows a connection's thread reads before they are taken: it stops at each otherwise.
const ROWS_AHEAD: usize = 1024;
/// How many connections read beside the writer.
const READERS_MAX: u32 = 4;

/// The embedded store.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    path: PathBuf,
    options: SqliteConnectOptions,
    writer: SqlitePool,
    readers: SqlitePool,
    clock: Clock,
    bid_queue: BidQueue,
    /// Why the database cannot be written, if it cannot.
    unwritable: Option<String>,
}

impl SqliteStore {
    /// Opens the file, or with `create` makes it. Connections are made when they are needed.
    pub fn open(path: &Path, clock: Clock, create: bool) -> Result<Self, StoreError> {
        check_file(path, create)?;
        if create {
            make_private(path)?;
        }
        let unwritable = why_unwritable(path);
        let options = SqliteConnectOptions::new()
            .filename(path)
            .foreign_keys(true)
            .synchronous(SqliteSynchronous::Full)
            .row_buffer_size(ROWS_AHEAD)
            .busy_timeout(BUSY_TIMEOUT);
        let place = Arc::new(Place::new(path));
        let writer = pool(1, &place).connect_lazy_with(writing(&options));
        let reading = reading(&options, path, unwritable.is_none());
        let readers = pool(READERS_MAX, &place).connect_lazy_with(reading);
        Ok(Self {
            path: path.to_owned(),
            options,
            writer,
            readers,
            clock,
            bid_queue: BidQueue::default(),
            unwritable,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The store's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Closes all connections, so that the write-ahead log is folded into the file.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    pub(super) fn bid_queue(&self) -> &BidQueue {
        &self.bid_queue
    }

    pub(super) fn options(&self) -> &SqliteConnectOptions {
        &self.options
    }

    pub(super) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// An error where the database cannot be written. SQLite would find out late, and leave its log and
    /// shared memory beside the file, in the name and with the rights of whoever tried: then not
    /// even its owner can write it any more.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        match &self.unwritable {
            None => Ok(()),
            Some(why) => {
                let message = "the database cannot be written";
                Err(StoreError::new(StoreErrorKind::Denied, message).with_source(why.clone()))
            }
        }
    }

    /// Takes the write lock. The caller reads the clock after this returns.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        self.check_writable()?;
        let mut attempt = 1;
        loop {
            match self
                .writer
                .begin_with("begin immediate")
                .await
                .map_err(StoreError::from)
            {
                Err(error)
                    if error.kind() == StoreErrorKind::Contended && attempt < BEGIN_ATTEMPTS =>
                {
                    attempt += 1;
                    let jitter_ms = rand::rng().random_range(1..50);
                    tokio::time::sleep(Duration::from_millis(jitter_ms)).await;
                }
                outcome => return outcome,
            }
        }
    }

    /// Keeps or undoes what was done.
    pub(super) async fn finish(
        transaction: Transaction<'static, Sqlite>,
        mode: WriteMode,
    ) -> Result<(), StoreError> {
        match mode {
            WriteMode::Commit => transaction.commit().await?,
            WriteMode::Rehearse => transaction.rollback().await?,
        }
        Ok(())
    }
}

/// So many connections to one file, as long as they can be used.
fn pool(connections_max: u32, place: &Arc<Place>) -> SqlitePoolOptions {
    let place = place.clone();
    SqlitePoolOptions::new()
        .max_connections(connections_max)
        // A ping before each use would cost as much as a statement.
        .test_before_acquire(false)
        .before_acquire(move |connection, about| {
            let serves = place.serves(connection, &about);
            Box::pin(std::future::ready(Ok(serves)))
        })
        .acquire_timeout(Duration::from_secs(60))
}

/// Makes the file, unless it is there, so that only its owner reads the maxima in it. SQLite gives
/// the files beside it the same mode.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => {
            let kind = match error.kind() {
                ErrorKind::StorageFull => StoreErrorKind::Full,
                _ => StoreErrorKind::Denied,
            };
            let message = format!("the database cannot be made at {}", path.display());
            Err(StoreError::new(kind, message).with_source(error))
        }
    }
}

/// Whether the file or its folder, where the log must stand, refuses to be written.
fn why_unwritable(path: &Path) -> Option<String> {
    match OpenOptions::new().write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => return Some(error.to_string()),
        Ok(_) if log(path).exists() => return None,
        Ok(_) => {}
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let refused = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem];
    let error = tempfile::tempfile_in(folder).err()?;
    refused.contains(&error.kind()).then(|| {
        let folder = folder.display();
        format!("SQLite keeps its log beside the file, and nothing can be made in {folder}")
    })
}

/// The write-ahead log.
fn log(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// What can be told before SQLite looks, whose own answer is "unable to open" for all of it.
fn check_file(path: &Path, create: bool) -> Result<(), StoreError> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(about) if about.is_file() => Ok(()),
        Ok(about) => {
            let what = if about.is_dir() {
                "a folder"
            } else {
                "no file"
            };
            let message = format!("{shown} is {what}, not a database");
            Err(StoreError::new(StoreErrorKind::BadUrl, message))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if create {
                return Ok(());
            }
            let message = format!("there is no database at {shown}");
            Err(StoreError::new(StoreErrorKind::NotMigrated, message))
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            let message = format!("{shown} cannot be: a part of its path is a file, not a folder");
            Err(StoreError::new(StoreErrorKind::BadUrl, message))
        }
        Err(error) if error.kind() == ErrorKind::InvalidFilename => {
            let message = "no file can have such a name";
            Err(StoreError::new(StoreErrorKind::BadUrl, message).with_source(error))
        }
        Err(error) => {
            let message = format!("{shown} cannot be looked at");
            Err(StoreError::new(StoreErrorKind::Denied, message).with_source(error))
        }
    }
}

/// How the writer opens the file. A file of bids touches pages all over the database: with the
/// small cache and log of the defaults most of the time goes into reading pages again and into
/// folding the log back after every transaction; and a statement on many rows keeps what it would
/// need to be undone alone, in a temporary file unless told otherwise.
fn writing(options: &SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .clone()
        .pragma("cache_size", CACHE_KIB)
        .pragma("wal_autocheckpoint", LOG_PAGES)
        .pragma("temp_store", "memory")
}

/// How readers open the file. Whoever may only read it cannot make the shared memory that a
/// write-ahead log needs; where no log exists, nobody has the database open for writing, and the
/// file alone is all of it.
fn reading(options: &SqliteConnectOptions, path: &Path, writable: bool) -> SqliteConnectOptions {
    if writable {
        return options.clone().pragma("query_only", "on");
    }
    options
        .clone()
        .read_only(true)
        .immutable(!log(path).exists())
}

/// SQLite's messages name tables and columns, never values, so they may be shown.
pub(in crate::store) fn file_error(error: sqlx::Error) -> StoreError {
    let kind = match &error {
        sqlx::Error::Database(database) => {
            let code = database.code().and_then(|code| code.parse::<i32>().ok());
            kind_of(code.unwrap_or_default(), database.message())
        }
        _ => StoreErrorKind::Failed,
    };
    let message = match kind {
        StoreErrorKind::Contended => "the database is busy with other writers",
        StoreErrorKind::NotMigrated => "the database has no gavel schema",
        StoreErrorKind::Denied => "the database cannot be opened or written",
        StoreErrorKind::Full => "there is no room left for the database",
        StoreErrorKind::NotDatabase => "the file is not an SQLite database",
        StoreErrorKind::Corrupt => "the SQLite file is damaged",
        _ => "the database refused a statement",
    };
    StoreError::new(kind, message).with_source(error)
}

/// Primary result codes: <https://www.sqlite.org/rescode.html>.
fn kind_of(code: i32, message: &str) -> StoreErrorKind {
    // The memory that processes share is a file as well, and cannot grow on a full device.
    const SHARED_MEMORY_SIZE: i32 = 4_874;
    if code == SHARED_MEMORY_SIZE {
        return StoreErrorKind::Full;
    }
    match code & 0xff {
        5 | 6 => StoreErrorKind::Contended,
        8 => StoreErrorKind::Denied,
        13 => StoreErrorKind::Full,
        11 => StoreErrorKind::Corrupt,
        14 => StoreErrorKind::Denied,
        26 => StoreErrorKind::NotDatabase,
        1 if message.starts_with("no such table") => StoreErrorKind::NotMigrated,
        _ => StoreErrorKind::Failed,
    }
}
