//! Migrations: numbered SQL, embedded, never edited, run only on request.

use std::sync::LazyLock;

use sqlx::Connection as _;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnection;
use uuid::Uuid;

use super::PostgresStore;
use crate::store::contract::{MigrationState, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::migrated::{Applied, compare, whole_key};

/// The record of what was applied stands in gavel's schema too.
static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let mut migrator = sqlx::migrate!("migrations/postgres");
    migrator.create_schema("gavel");
    migrator.dangerous_set_table_name("gavel._sqlx_migrations");
    migrator
});

/// Held while migrating, by session; the number says nothing.
const LOCK: i64 = 7_166_318_404_512_276;

pub(super) async fn migrate(store: &PostgresStore) -> Result<Vec<i64>, StoreError> {
    if store.pooled() {
        let message = "migrations need a connection to the server itself, not to a pooler";
        return Err(StoreError::new(StoreErrorKind::BadUrl, message));
    }
    // On a connection of its own, closed afterwards: a failed run keeps the migrator's lock.
    let mut connection = store.connect_apart().await?;
    let outcome = migrate_alone(store, &mut connection).await;
    connection.close().await?;
    outcome
}

/// Looks only when nobody else can be applying: what was pending is then what this run applies.
async fn migrate_alone(
    store: &PostgresStore,
    connection: &mut PgConnection,
) -> Result<Vec<i64>, StoreError> {
    sqlx::query("select pg_advisory_lock($1)")
        .bind(LOCK)
        .execute(&mut *connection)
        .await?;
    let before = migration_state(store).await?;
    if !before.unknown.is_empty() {
        let message = "the database was migrated by a newer gavel";
        return Err(StoreError::new(StoreErrorKind::NewerSchema, message));
    }
    if before.pending.is_empty() {
        return Ok(Vec::new());
    }
    let outcome = MIGRATIONS.run_direct(None, connection, false).await;
    outcome.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => refused(error),
        MigrateError::Dirty(version) => unfinished(version),
        other => StoreError::new(StoreErrorKind::Failed, "the migration failed").with_source(other),
    })?;
    Ok(before.pending)
}

/// What a migration itself says is meant for the user; it begins with gavel's name.
fn refused(error: sqlx::Error) -> StoreError {
    let own = error
        .as_database_error()
        .map(|error| error.message().to_owned())
        .filter(|message| message.starts_with("gavel "));
    match own {
        Some(message) => StoreError::new(StoreErrorKind::Failed, message),
        None => StoreError::from(error),
    }
}

/// A migration that was begun and neither kept nor undone.
pub(super) fn unfinished(version: i64) -> StoreError {
    let message = format!("migration {version} was begun and never finished");
    StoreError::new(StoreErrorKind::Failed, message)
}

/// The versions recorded as begun and not finished.
pub(super) async fn unfinished_versions(store: &PostgresStore) -> Result<Vec<i64>, StoreError> {
    let query = "select version from gavel._sqlx_migrations where not success order by version";
    let mut step = store.step(WriteMode::Commit).await?;
    let found = step
        .query_scalar(query)
        .fetch_all(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Ok(found)
}

pub(super) async fn migration_state(store: &PostgresStore) -> Result<MigrationState, StoreError> {
    let applied = match applied(store).await {
        Err(error) if error.kind() == StoreErrorKind::NotMigrated => Vec::new(),
        outcome => outcome?,
    };
    compare(&MIGRATIONS, &applied)
}

async fn applied(store: &PostgresStore) -> Result<Vec<Applied>, StoreError> {
    let query = r"
        select version, checksum from gavel._sqlx_migrations where success order by version
    ";
    let mut step = store.step(WriteMode::Commit).await?;
    let applied = step.query_as(query).fetch_all(step.connection()).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(applied)
}

pub(super) async fn installation(store: &PostgresStore) -> Result<Uuid, StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let text: String = step
        .query_scalar("select value from gavel.meta where name = 'installation'")
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    Uuid::try_parse(&text).map_err(|error| {
        StoreError::new(StoreErrorKind::Damaged, "meta.installation is not a UUID")
            .with_source(error)
    })
}

pub(super) async fn upload_key(store: &PostgresStore) -> Result<[u8; 32], StoreError> {
    let mut step = store.step(WriteMode::Commit).await?;
    let key: Vec<u8> = step
        .query_scalar("select u.key from gavel.upload_key u")
        .fetch_one(step.connection())
        .await?;
    step.finish(WriteMode::Commit).await?;
    whole_key(&key)
}
