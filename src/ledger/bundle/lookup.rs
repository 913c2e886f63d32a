//! One auction out of a folder.

use std::path::Path;

use super::columns::Form;
use super::manifest::Manifest;
use super::parquet::ParquetFolder;
use super::reader::{FolderReader, Stop};
use crate::auction::AuctionId;
use crate::ledger::AuditError;
use crate::store::Dossier;

/// Everything that a folder holds of one auction; none if it is not there. What cannot be read is
/// in the dossier's damage, as for an audit.
pub fn dossier_of(folder: &Path, auction_id: AuctionId) -> Result<Option<Dossier>, AuditError> {
    let manifest = Manifest::read(folder)?;
    if manifest.form() == Form::Parquet {
        return look_typed(folder, &manifest, auction_id);
    }
    for sorted in [false, true] {
        match look(folder, &manifest, auction_id, sorted) {
            Ok(found) => return Ok(found),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Disorder) => {}
        }
    }
    // Sorted rows are in order.
    Err(AuditError::NotABundle(folder.to_owned()))
}

fn look_typed(
    folder: &Path,
    manifest: &Manifest,
    auction_id: AuctionId,
) -> Result<Option<Dossier>, AuditError> {
    let mut reader = ParquetFolder::open(folder, manifest)?;
    while let Some(sheaf) = reader.next()? {
        let sheaf = sheaf.open();
        let mut auctions = sheaf.auctions.iter();
        let found = auctions.find(|(dossier, _)| dossier.auction_id == auction_id.get());
        if let Some((dossier, rows)) = found {
            return Ok(Some(sheaf.dossier(dossier, rows.clone())));
        }
    }
    Ok(None)
}

fn look(
    folder: &Path,
    manifest: &Manifest,
    auction_id: AuctionId,
    sorted: bool,
) -> Result<Option<Dossier>, Stop> {
    let (mut reader, layout) = FolderReader::open(folder, manifest, sorted)?;
    while let Some(raw) = reader.next()? {
        if raw.auction_id() == auction_id.get() {
            return Ok(Some(layout.lenient(&raw)));
        }
    }
    Ok(None)
}
