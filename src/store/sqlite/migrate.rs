//! Migrations: numbered SQL, embedded, never edited, run only on request.

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteJournalMode;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use uuid::Uuid;

use super::SqliteStore;
use crate::store::contract::MigrationState;
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::migrated::{Applied, compare, whole_key};

static MIGRATOR: Migrator = sqlx::migrate!("migrations/sqlite");

/// How often a migration is tried again while another process migrates the same file.
const ATTEMPTS: u32 = 20;

pub(super) async fn migrate(store: &SqliteStore) -> Result<Vec<i64>, StoreError> {
    let mut attempt = 1;
    loop {
        match migration_state(store).await {
            Ok(state) => check_known(&state)?,
            Err(error) if error.is_temporary() && attempt < ATTEMPTS => {}
            Err(error) => return Err(error),
        }
        match run(store).await {
            Ok(applied) => return Ok(applied),
            // Another process may have been faster; its result is as good as ours.
            Err(_) if attempt < ATTEMPTS && store.path().exists() => {
                attempt += 1;
                if matches!(migration_state(store).await, Ok(state) if state.is_current()) {
                    return Ok(Vec::new());
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// On a connection of its own, closed afterwards: a failed run keeps the migrator's lock.
async fn run(store: &SqliteStore) -> Result<Vec<i64>, StoreError> {
    store.check_writable()?;
    let options = store.options().clone().journal_mode(SqliteJournalMode::Wal);
    let mut connection = options.connect().await?;
    let outcome = apply(&mut connection).await;
    connection.close().await?;
    outcome
}

/// Looks under the write lock: what is pending then is what this run applies, and nobody else.
async fn apply(connection: &mut SqliteConnection) -> Result<Vec<i64>, StoreError> {
    let mut transaction = connection.begin_with("begin immediate").await?;
    let pending = state_of(&mut transaction).await?.pending;
    let outcome = MIGRATOR.run_direct(None, &mut *transaction, false).await;
    outcome.map_err(|error| match error {
        sqlx::migrate::MigrateError::Execute(error) => StoreError::from(error),
        other => StoreError::new(StoreErrorKind::Failed, "the migration failed").with_source(other),
    })?;
    transaction.commit().await?;
    Ok(pending)
}

pub(super) async fn migration_state(store: &SqliteStore) -> Result<MigrationState, StoreError> {
    let mut connection = store.readers().acquire().await?;
    state_of(&mut connection).await
}

async fn state_of(connection: &mut SqliteConnection) -> Result<MigrationState, StoreError> {
    let query = r"
        select version, checksum from _sqlx_migrations where success order by version
    ";
    let applied: Result<Vec<Applied>, _> = sqlx::query_as(query).fetch_all(connection).await;
    let applied = match applied.map_err(StoreError::from) {
        Err(error) if error.kind() == StoreErrorKind::NotMigrated => Vec::new(),
        outcome => outcome?,
    };
    compare(&MIGRATOR, &applied)
}

fn check_known(state: &MigrationState) -> Result<(), StoreError> {
    if state.unknown.is_empty() {
        return Ok(());
    }
    let message = "the database was migrated by a newer gavel";
    Err(StoreError::new(StoreErrorKind::NewerSchema, message))
}

pub(super) async fn installation(store: &SqliteStore) -> Result<Uuid, StoreError> {
    let text: String = sqlx::query_scalar("select value from meta where name = 'installation'")
        .fetch_one(store.readers())
        .await?;
    Uuid::try_parse(&text).map_err(|error| {
        StoreError::new(StoreErrorKind::Damaged, "meta.installation is not a UUID")
            .with_source(error)
    })
}

pub(super) async fn upload_key(store: &SqliteStore) -> Result<[u8; 32], StoreError> {
    let key: Vec<u8> = sqlx::query_scalar("select key from upload_key")
        .fetch_one(store.readers())
        .await?;
    whole_key(&key)
}
