//! What somebody does who may do everything: past gavel, its triggers, its privileges and its
//! foreign keys.

use gavel::store::{Contract as _, Dossier, ImportItem};
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::sync::mpsc;

use super::backend::Backend;
use super::drive::COMMIT;

const UNLOCK_SQLITE: &str = "pragma foreign_keys = off; pragma ignore_check_constraints = on;
    drop trigger if exists ledger_never_updated; drop trigger if exists ledger_never_deleted;";
const UNLOCK_POSTGRES: &str =
    "set session_replication_role = replica; set search_path = gavel, public;";

/// Runs statements that both databases understand, in one transaction.
pub(crate) async fn tamper<B: Backend>(backend: &B, sql: &str) {
    let url = backend.url();
    let whole = |unlock: &str| AssertSqlSafe(format!("{unlock} begin; {sql}; commit;"));
    if url.starts_with("sqlite:") {
        let mut raw = sqlx::SqliteConnection::connect(&url).await.unwrap();
        let done = sqlx::raw_sql(whole(UNLOCK_SQLITE)).execute(&mut raw).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
        raw.close().await.unwrap();
    } else {
        let mut raw = sqlx::PgConnection::connect(&url).await.unwrap();
        let done = sqlx::raw_sql(whole(UNLOCK_POSTGRES))
            .execute(&mut raw)
            .await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
        raw.close().await.unwrap();
    }
}

/// Removes an auction without a trace.
pub(crate) async fn erase<B: Backend>(backend: &B, number: i64) {
    let sql = format!(
        "delete from watchers where auction_id = {number};
         delete from outbox where auction_id = {number};
         delete from ledger where auction_id = {number};
         delete from auctions where auction_id = {number}"
    );
    tamper(backend, &sql).await;
}

/// Writes auctions as they are, whether or not the rules would have made them.
pub(crate) async fn restore<B: Backend>(backend: &B, dossiers: Vec<Dossier>) {
    let (items, incoming) = mpsc::channel(2);
    items.send(ImportItem::Chunk(dossiers)).await.unwrap();
    items.send(ImportItem::End).await.unwrap();
    backend
        .store()
        .dossiers_import(incoming, COMMIT)
        .await
        .unwrap();
}
