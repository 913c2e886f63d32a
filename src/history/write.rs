//! The folder that `gavel replay --from` reads.

use std::path::Path;

use uuid::Uuid;

use crate::auction::Micros;
use crate::ledger::AuditError;
use crate::ledger::bundle::{BundleOptions, BundleWriter, Form, Manifest};
use crate::store::Dossier;

/// Writes the folder; the same auctions give the same bytes.
pub fn write(folder: &Path, dossiers: &[Dossier], overwrite: bool) -> Result<Manifest, AuditError> {
    let rows = dossiers.iter().filter_map(|dossier| dossier.row.as_ref());
    let last_end = rows.map(|row| row.end).max();
    let options = BundleOptions {
        form: Form::Csv,
        public: false,
        overwrite,
        // No database stands behind the folder.
        installation: Uuid::nil(),
        exported_at: last_end.unwrap_or(Micros::MAX),
    };
    let mut bundle = BundleWriter::create(folder, options)?;
    for dossier in dossiers {
        bundle.append(dossier)?;
    }
    bundle.finish()
}
