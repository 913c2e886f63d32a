//! The health of an SQLite file. Reads only; a check that cannot run says so and the next runs.

use std::fs;

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::migrate::migration_state;
use crate::auction::Micros;
use crate::store::diagnosis::Diagnosis;
use crate::store::error::{StoreError, StoreErrorKind};

/// A clock this far behind the newest entry is worth a warning.
const CLOCK_BEHIND_US: i64 = 1_000_000;
/// An auction that has been due for so long says that no closer runs.
const DUE_LONG_US: i64 = 300_000_000;

pub(super) async fn doctor(store: &SqliteStore) -> Result<Vec<Diagnosis>, StoreError> {
    let mut found = vec![file(store), folder(store)];
    let mut connection = match store.readers().acquire().await {
        Ok(connection) => connection,
        Err(error) => {
            found.push(unreadable("database", error));
            return Ok(found);
        }
    };
    // One clear failure: what the other checks would read cannot be trusted.
    if let Err(damaged) = sound(&mut connection).await {
        found.push(Diagnosis::failed("integrity", &damaged));
        return Ok(found);
    }
    found.push(version(&mut connection).await);
    found.push(journal(&mut connection).await);
    found.push(synchronous(store).await);
    found.push(integrity(&mut connection).await);
    let schema = schema(store).await;
    let usable = schema.advice.is_none();
    found.push(schema);
    if usable {
        found.push(guards(&mut connection).await);
        found.push(clock(store, &mut connection).await);
        found.push(backlog(store, &mut connection).await);
        found.push(closing(&mut connection).await);
    }
    Ok(found)
}

fn file(store: &SqliteStore) -> Diagnosis {
    const NAME: &str = "file";
    let path = store.path().display();
    match fs::metadata(store.path()) {
        Err(error) => Diagnosis::fail(NAME, format!("{path}: {error}"), "run gavel migrate"),
        Ok(about) if about.permissions().readonly() => Diagnosis::fail(
            NAME,
            format!("{path} is read-only"),
            "give yourself the right to write it",
        ),
        Ok(about) => Diagnosis::ok(NAME, format!("{path}, {} bytes", about.len())),
    }
}

/// The write-ahead log and the shared memory stand beside the file.
fn folder(store: &SqliteStore) -> Diagnosis {
    const NAME: &str = "folder";
    let folder = match store.path().parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => std::path::Path::new("."),
    };
    match tempfile::tempfile_in(folder) {
        Ok(_) => Diagnosis::ok(NAME, format!("{} can be written", folder.display())),
        Err(error) => Diagnosis::fail(
            NAME,
            format!("{}: {error}", folder.display()),
            "SQLite keeps its log beside the file: give yourself the right to write there",
        ),
    }
}

async fn version(connection: &mut SqliteConnection) -> Diagnosis {
    match sqlx::query_scalar::<_, String>("select sqlite_version()")
        .fetch_one(connection)
        .await
    {
        Ok(version) => Diagnosis::ok("sqlite", version),
        Err(error) => unreadable("sqlite", error),
    }
}

async fn journal(connection: &mut SqliteConnection) -> Diagnosis {
    const NAME: &str = "journal";
    match sqlx::query_scalar::<_, String>("pragma journal_mode")
        .fetch_one(connection)
        .await
    {
        Ok(mode) if mode == "wal" => Diagnosis::ok(NAME, "write-ahead log"),
        Ok(mode) => Diagnosis::warn(
            NAME,
            format!("mode {mode}: readers and the writer wait for each other"),
            "run gavel migrate, which sets the write-ahead log",
        ),
        Err(error) => unreadable(NAME, error),
    }
}

/// Of the connection that writes: 2 is FULL, 3 is EXTRA.
async fn synchronous(store: &SqliteStore) -> Diagnosis {
    const NAME: &str = "durability";
    let mut transaction = match store.begin().await {
        Ok(transaction) => transaction,
        Err(error) => {
            return Diagnosis::fail(
                NAME,
                format!("the write lock cannot be taken: {error}"),
                "see which process writes, or check the rights on the file",
            );
        }
    };
    match sqlx::query_scalar::<_, i64>("pragma synchronous")
        .fetch_one(&mut *transaction)
        .await
    {
        Ok(2 | 3) => Diagnosis::ok(NAME, "every commit is flushed; the write lock is free"),
        Ok(level) => Diagnosis::fail(
            NAME,
            format!("synchronous is {level}: a power cut can undo a commit"),
            "report this: gavel asks for FULL",
        ),
        Err(error) => unreadable(NAME, error),
    }
}

/// An error where SQLite cannot make sense of the file.
async fn sound(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let verdict: String = sqlx::query_scalar("pragma quick_check(1)")
        .fetch_one(connection)
        .await?;
    if verdict == "ok" {
        return Ok(());
    }
    let message = "SQLite finds the file damaged";
    Err(StoreError::new(StoreErrorKind::Corrupt, message))
}

async fn integrity(connection: &mut SqliteConnection) -> Diagnosis {
    const NAME: &str = "integrity";
    // Which row is orphaned is the audit's business; that there is one is enough here.
    let orphaned = sqlx::query("pragma foreign_key_check")
        .fetch_optional(connection)
        .await;
    match orphaned {
        Ok(None) => Diagnosis::ok(NAME, "the file is sound"),
        Ok(Some(_)) => Diagnosis::fail(
            NAME,
            "a row names an auction that is not there",
            "gavel replay names it",
        ),
        Err(error) => unreadable(NAME, error),
    }
}

async fn schema(store: &SqliteStore) -> Diagnosis {
    const NAME: &str = "schema";
    match migration_state(store).await {
        Ok(state) if state.is_current() => {
            let version = state.applied.last().copied().unwrap_or_default();
            Diagnosis::ok(NAME, format!("version {version}, nothing pending"))
        }
        Ok(state) if !state.unknown.is_empty() => Diagnosis::fail(
            NAME,
            "migrated by a newer gavel",
            "use the newer gavel, or another database",
        ),
        Ok(state) => Diagnosis::fail(
            NAME,
            format!("{} migrations pending", state.pending.len()),
            "run gavel migrate",
        ),
        Err(error) => Diagnosis::failed(NAME, &error),
    }
}

/// The triggers that keep the ledger append-only.
async fn guards(connection: &mut SqliteConnection) -> Diagnosis {
    const NAME: &str = "ledger guards";
    let query = r"
        select count(*) from sqlite_master
        where type = 'trigger' and tbl_name = 'ledger'
          and name in ('ledger_never_updated', 'ledger_never_deleted')
    ";
    match sqlx::query_scalar::<_, i64>(query)
        .fetch_one(connection)
        .await
    {
        Ok(2) => Diagnosis::ok(NAME, "the ledger can only grow"),
        Ok(_) => Diagnosis::fail(
            NAME,
            "a trigger that keeps the ledger append-only is missing",
            "somebody changed the schema: run gavel replay",
        ),
        Err(error) => unreadable(NAME, error),
    }
}

async fn clock(store: &SqliteStore, connection: &mut SqliteConnection) -> Diagnosis {
    const NAME: &str = "clock";
    let query = "select coalesce(max(last_us), 0) from auctions";
    let newest = sqlx::query_scalar::<_, i64>(query)
        .fetch_one(connection)
        .await;
    let now = store.clock().now();
    match newest {
        Ok(newest) if newest - now.get() > CLOCK_BEHIND_US => Diagnosis::warn(
            NAME,
            format!(
                "this machine's clock says {now}, {} s before the newest ledger entry",
                (newest - now.get()) / 1_000_000
            ),
            "set the clock: until it catches up, those auctions stand still in time",
        ),
        Ok(_) => Diagnosis::ok(NAME, format!("{now}, not before any ledger entry")),
        Err(error) => unreadable(NAME, error),
    }
}

async fn backlog(store: &SqliteStore, connection: &mut SqliteConnection) -> Diagnosis {
    const NAME: &str = "backlog";
    let now = store.clock().now();
    let query = r"
        select count(*) filter (where status = 'OPEN' and end_us > ?1),
               count(*) filter (where status = 'OPEN' and end_us <= ?1 and owner_node is null),
               coalesce(min(end_us) filter (
                   where status = 'OPEN' and end_us <= ?1 and owner_node is null), 0)
        from auctions
    ";
    let counted: Result<(i64, i64, i64), _> = sqlx::query_as(query)
        .bind(now.get())
        .fetch_one(connection)
        .await;
    match counted {
        Ok((open, due, oldest)) if due > 0 && now.get() - oldest > DUE_LONG_US => {
            let since = Micros::new(oldest).map_or(String::new(), |end| format!(" since {end}"));
            Diagnosis::warn(
                NAME,
                format!("{open} open, {due} due{since}"),
                "run gavel close-sweep, and let it run regularly",
            )
        }
        Ok((open, due, _)) => Diagnosis::ok(NAME, format!("{open} open, {due} due")),
        Err(error) => unreadable(NAME, error),
    }
}

async fn closing(connection: &mut SqliteConnection) -> Diagnosis {
    const NAME: &str = "stuck";
    let query = "select count(*) from auctions where status = 'CLOSING'";
    match sqlx::query_scalar::<_, i64>(query)
        .fetch_one(connection)
        .await
    {
        Ok(0) => Diagnosis::ok(NAME, "nothing is stuck in closing"),
        Ok(stuck) => Diagnosis::warn(
            NAME,
            format!("{stuck} claimed by a closer and not closed"),
            "a sweep gives back what a closer has left for too long; gavel close ID finishes one",
        ),
        Err(error) => unreadable(NAME, error),
    }
}

/// SQLite's messages carry no row's values.
fn unreadable(name: &'static str, error: sqlx::Error) -> Diagnosis {
    Diagnosis::failed(name, &StoreError::from(error))
}
