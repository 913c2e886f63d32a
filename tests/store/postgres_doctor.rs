//! Each thing that `doctor` must see on PostgreSQL is broken on purpose, and seen.

use gavel::store::{Contract as _, Diagnosis, Level, PostgresStore, WriteMode};
use sqlx::Executor as _;

use crate::support::make;
use crate::support::postgres::Database;

async fn check(database: &Database, name: &str) -> Diagnosis {
    let found = database.store().doctor().await.unwrap();
    let mut named = found.into_iter().filter(|check| check.name == name);
    named.next().unwrap()
}

/// The check is fine, then one statement spoils it.
async fn spoilt(database: &Database, name: &str, statement: &'static str) -> Diagnosis {
    let before = check(database, name).await;
    assert_eq!(before.level, Level::Ok, "{before:?}");
    database.connect().await.execute(statement).await.unwrap();
    let after = check(database, name).await;
    assert_ne!(after.level, Level::Ok, "{after:?}");
    after
}

#[tokio::test]
async fn a_sound_database_has_no_failures() {
    let database = Database::ticking().await;
    for check in database.store().doctor().await.unwrap() {
        // The test server is not durable, on purpose.
        let expected = if check.name == "durability" {
            Level::Warn
        } else {
            Level::Ok
        };
        assert_eq!(check.level, expected, "{check:?}");
    }
}

#[tokio::test]
async fn an_empty_database_wants_migrating() {
    let schema = check(&Database::bare().await, "schema").await;
    assert_eq!(schema.advice.as_deref(), Some("run gavel migrate"));
}

#[tokio::test]
async fn an_unfinished_migration_is_named() {
    let database = Database::ticking().await;
    let unfinish = "update gavel._sqlx_migrations set success = false";
    let schema = spoilt(&database, "schema", unfinish).await;
    assert_eq!(schema.detail, "migration 1 was begun and never finished");
}

#[tokio::test]
async fn a_role_without_rights_is_told_about_rights() {
    let database = Database::ticking().await;
    let store = PostgresStore::connect(&database.user("").await).unwrap();
    let found = store.doctor().await.unwrap();
    let schema = found.iter().find(|check| check.name == "schema").unwrap();
    assert_eq!(schema.level, Level::Fail);
    let advice = schema.advice.as_deref().unwrap();
    assert!(advice.contains("owner") && !advice.starts_with("run gavel migrate"));
}

#[tokio::test]
async fn a_server_that_takes_no_writes_is_seen() {
    let database = Database::ticking().await;
    let read_only = "do $$ begin execute format(
        'alter database %I set default_transaction_read_only = on', current_database()); end $$";
    let writing = spoilt(&database, "writing", read_only).await;
    assert_eq!(writing.level, Level::Fail);
    assert!(writing.detail.contains("default_transaction_read_only"));
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let database = Database::ticking().await;
    let index = spoilt(&database, "indexes", "drop index gavel.auctions_due").await;
    assert_eq!(index.detail, "missing or invalid: auctions_due");
    let disable = "alter table gavel.ledger disable trigger ledger_append_only";
    spoilt(&database, "ledger guards", disable).await;
    let grant = "grant execute on function gavel.close_one(bigint) to public";
    let open = spoilt(&database, "functions", grant).await;
    assert_eq!(open.detail, "everybody may call: close_one");
}

#[tokio::test]
async fn another_clock_is_seen() {
    let ticking = check(&Database::ticking().await, "clock").await;
    assert_eq!(ticking.level, Level::Ok);
    let stopped = check(&Database::stopped().await, "clock").await;
    assert_eq!(stopped.level, Level::Fail);
}

#[tokio::test]
async fn logged_parameters_are_seen() {
    let database = Database::ticking().await;
    let log = "do $$ begin execute format('alter database %I set log_min_duration_statement = 0',
                                          current_database()); end $$";
    spoilt(&database, "parameter logging", log).await;
}

#[tokio::test]
async fn a_missing_grant_is_seen() {
    let database = Database::ticking().await;
    database.store().roles_make().await.unwrap();
    let revoke =
        "revoke execute on function gavel.close_due(integer, bigint, bigint, integer, bigint[])
                  from gavel_closer";
    let roles = spoilt(&database, "roles", revoke).await;
    assert_eq!(roles.advice.as_deref(), Some("run gavel migrate --roles"));
}

#[tokio::test]
async fn a_backlog_and_a_stuck_auction_are_seen() {
    let database = Database::stopped().await;
    let create = make::create(make::id(7731), make::request(1), make::terms());
    let store = database.store();
    store
        .auction_create(&[create], WriteMode::Commit)
        .await
        .unwrap();
    let late = "update public.test_clock set us = us + 2 * 3600000000";
    let backlog = spoilt(&database, "backlog", late).await;
    assert_eq!(
        backlog.detail,
        "0 open, 1 due since 2026-12-01T10:00:00.000000Z"
    );
    let claim = "update gavel.auctions set status = 'CLOSING'";
    let stuck = spoilt(&database, "stuck", claim).await;
    assert_eq!(stuck.detail, "1 claimed by a closer and not closed");
}
