//! Writing whole auctions as they are, all or nothing, by COPY.

use std::collections::{BTreeMap, HashSet};

use tokio::sync::mpsc;

use super::PostgresStore;
use super::copy_in::Copied;
use super::dossiers::dossiers_select;
use super::pool::Step;
use crate::store::contract::{ImportItem, ImportReport, WriteMode};
use crate::store::error::{StoreError, StoreErrorKind};
use crate::store::rows::{AuctionRow, Dossier};

pub(super) async fn dossiers_import(
    store: &PostgresStore,
    mut incoming: mpsc::Receiver<ImportItem>,
    mode: WriteMode,
) -> Result<ImportReport, StoreError> {
    let mut step = store.transaction().await?;
    step.read_by_index().await?;
    let mut report = ImportReport::default();
    loop {
        match incoming.recv().await {
            Some(ImportItem::Chunk(chunk)) => {
                import_chunk(&mut step, &chunk, &mut report).await?;
            }
            Some(ImportItem::End) => break,
            None => {
                step.finish(WriteMode::Rehearse).await?;
                return Err(StoreError::import_abandoned());
            }
        }
    }
    step.finish(mode).await?;
    Ok(report)
}

/// An id that comes twice is written once and then found to exist.
async fn import_chunk(
    step: &mut Step,
    chunk: &[Dossier],
    report: &mut ImportReport,
) -> Result<(), StoreError> {
    let mut seen = HashSet::new();
    let mut start = 0;
    for (at, dossier) in chunk.iter().enumerate() {
        if !seen.insert(dossier.auction_id) {
            import_distinct(step, chunk.get(start..at).unwrap_or_default(), report).await?;
            seen = HashSet::from([dossier.auction_id]);
            start = at;
        }
    }
    import_distinct(step, chunk.get(start..).unwrap_or_default(), report).await
}

async fn import_distinct(
    step: &mut Step,
    dossiers: &[Dossier],
    report: &mut ImportReport,
) -> Result<(), StoreError> {
    let rows: Result<Vec<&AuctionRow>, StoreError> = dossiers.iter().map(whole_row).collect();
    let rows = rows?;
    let ids: Vec<i64> = rows.iter().map(|row| row.auction_id.get()).collect();
    let existing: BTreeMap<i64, Dossier> = dossiers_select(step, &ids)
        .await?
        .into_iter()
        .map(|dossier| (dossier.auction_id, dossier))
        .collect();
    let mut copied = Copied::new();
    for (dossier, row) in dossiers.iter().zip(rows) {
        let id = dossier.auction_id;
        match existing.get(&id) {
            Some(existing) if existing == dossier => report.unchanged += 1,
            Some(_) => {
                let message = format!("auction {id} exists already, with other content");
                return Err(StoreError::new(StoreErrorKind::Conflict, message));
            }
            None => {
                add(&mut copied, dossier, row)?;
                report.imported += 1;
            }
        }
    }
    copied.write(step).await
}

fn whole_row(dossier: &Dossier) -> Result<&AuctionRow, StoreError> {
    let row = dossier.row.as_ref().filter(|_| dossier.damage.is_empty());
    row.ok_or_else(|| {
        let id = dossier.auction_id;
        let message = format!("auction {id} is damaged or has no row, and cannot be imported");
        StoreError::new(StoreErrorKind::Damaged, message)
    })
}

fn add(copied: &mut Copied, dossier: &Dossier, row: &AuctionRow) -> Result<(), StoreError> {
    copied.add_auction(row)?;
    for entry in &dossier.entries {
        copied.add_entry(entry)?;
    }
    for event in &dossier.events {
        copied.add_event(dossier.auction_id, event)?;
    }
    for watcher in &dossier.watchers {
        copied.add_watcher(dossier.auction_id, watcher)?;
    }
    Ok(())
}
