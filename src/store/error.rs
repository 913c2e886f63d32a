//! What can go wrong with a database, in kinds that decide the exit code and the advice.
//!
//! The texts of the databases are kept only where they cannot carry a row's values: a server's
//! DETAIL and CONTEXT are never shown.

use thiserror::Error;

use super::rows::Damage;

/// What the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// Locked, busy, serialisation failure: retried inside, and past the bound "try again".
    Contended,
    /// Unreachable or lost: try again later.
    Unreachable,
    /// The server's certificate or TLS version is not taken.
    Tls,
    /// Nothing was migrated yet.
    NotMigrated,
    /// Migrated by a newer gavel.
    NewerSchema,
    /// The database URL cannot be used.
    BadUrl,
    /// Opened read-only, or no right to do this.
    Denied,
    /// No room on the device.
    Full,
    /// A stored value that cannot be.
    Damaged,
    /// What was to be written exists already with other content.
    Conflict,
    /// Anything else.
    Failed,
}

/// A database error, told without any row's values.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl StoreError {
    /// An error of a kind, told in a sentence.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// An import whose source ended before it was complete; everything was undone.
    pub(super) fn import_abandoned() -> Self {
        Self::new(
            StoreErrorKind::Failed,
            "the import was abandoned; nothing was written",
        )
    }

    /// With the error below it; that error's text must be safe to show.
    pub fn with_source(self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }

    /// The kind.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// Whether the same call may succeed later.
    pub fn is_temporary(&self) -> bool {
        matches!(
            self.kind,
            StoreErrorKind::Contended | StoreErrorKind::Unreachable
        )
    }
}

impl From<Damage> for StoreError {
    fn from(damage: Damage) -> Self {
        Self::new(
            StoreErrorKind::Damaged,
            "a stored row is damaged; gavel replay names all of them",
        )
        .with_source(damage)
    }
}
