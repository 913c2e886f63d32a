//! Writing whole auctions as they are, all or nothing.

use sqlx::SqliteConnection;
use tokio::sync::mpsc;

use super::{SqliteStore, dossiers, rows, sets};
use crate::store::contract::{ImportItem, ImportReport, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::Dossier;

pub(super) async fn dossiers_import(
    store: &SqliteStore,
    mut incoming: mpsc::Receiver<ImportItem>,
    mode: WriteMode,
) -> Result<ImportReport, StoreError> {
    let mut transaction = store.begin().await?;
    let mut report = ImportReport::default();
    loop {
        match incoming.recv().await {
            Some(ImportItem::Chunk(chunk)) => {
                for dossier in &chunk {
                    import_one(&mut transaction, dossier, &mut report).await?;
                }
            }
            Some(ImportItem::End) => break,
            None => {
                transaction.rollback().await?;
                return Err(StoreError::import_abandoned());
            }
        }
    }
    SqliteStore::finish(transaction, mode).await?;
    Ok(report)
}

async fn import_one(
    connection: &mut SqliteConnection,
    dossier: &Dossier,
    report: &mut ImportReport,
) -> Result<(), StoreError> {
    let id = dossier.auction_id;
    let Some(row) = dossier.row.as_ref().filter(|_| dossier.damage.is_empty()) else {
        let message = format!("auction {id} is damaged or has no row, and cannot be imported");
        return Err(StoreError::new(StoreErrorKind::Damaged, message));
    };
    if let Some(existing) = dossiers::dossier_select(connection, id).await? {
        if existing == *dossier {
            report.unchanged += 1;
            return Ok(());
        }
        let message = format!("auction {id} exists already, with other content");
        return Err(StoreError::new(StoreErrorKind::Conflict, message));
    }
    sets::auctions_insert(connection, std::iter::once(row)).await?;
    sets::entries_insert(connection, dossier.entries.iter()).await?;
    for event in &dossier.events {
        rows::event_insert(connection, row.auction_id, event).await?;
    }
    for watcher in &dossier.watchers {
        sqlx::query("insert into watchers (auction_id, watcher) values (?1, ?2)")
            .bind(id)
            .bind(watcher.as_str())
            .execute(&mut *connection)
            .await?;
    }
    report.imported += 1;
    Ok(())
}
