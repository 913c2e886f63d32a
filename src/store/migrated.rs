//! What was applied to a database, held against this gavel's own migrations.

use sqlx::migrate::Migrator;

use super::error::{StoreError, StoreErrorKind};

/// A migration as the database recorded it: its number, and the checksum of its text.
pub(super) type Applied = (i64, Vec<u8>);

/// Where the schema stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationState {
    /// Applied versions, ascending.
    pub applied: Vec<i64>,
    /// Versions still to apply, ascending.
    pub pending: Vec<i64>,
    /// Applied versions this gavel does not know: the database is newer.
    pub unknown: Vec<i64>,
}

impl MigrationState {
    /// Nothing to do, and nothing from the future.
    pub fn is_current(&self) -> bool {
        self.pending.is_empty() && self.unknown.is_empty()
    }
}

/// What is applied, pending and unknown; an error where a text differs, because then nothing is
/// known of the schema that it made.
pub(super) fn compare(
    migrator: &Migrator,
    applied: &[Applied],
) -> Result<MigrationState, StoreError> {
    for (version, checksum) in applied {
        let own = migrator.iter().find(|own| own.version == *version);
        if own.is_some_and(|own| *own.checksum != **checksum) {
            let message =
                format!("migration {version} of this database is another one than this gavel's");
            return Err(StoreError::new(StoreErrorKind::OtherSchema, message));
        }
    }
    let known: Vec<i64> = migrator.iter().map(|own| own.version).collect();
    let applied: Vec<i64> = applied.iter().map(|(version, _)| *version).collect();
    let missing = |from: &[i64], other: &[i64]| {
        let absent = from.iter().filter(|version| !other.contains(version));
        absent.copied().collect()
    };
    Ok(MigrationState {
        pending: missing(&known, &applied),
        unknown: missing(&applied, &known),
        applied,
    })
}

/// The installation's secret, as stored.
pub(super) fn whole_key(stored: &[u8]) -> Result<[u8; 32], StoreError> {
    stored
        .try_into()
        .map_err(|_| StoreError::new(StoreErrorKind::Damaged, "upload_key.key is not 32 bytes"))
}
