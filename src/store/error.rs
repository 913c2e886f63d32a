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
    /// A limit on time ended it, the server's or gavel's own: it was not done.
    TimedOut,
    /// The server's certificate or TLS version is not taken.
    Tls,
    /// Nothing was migrated yet.
    NotMigrated,
    /// Migrated by a newer gavel.
    NewerSchema,
    /// Migrated with other texts than this gavel's migrations.
    OtherSchema,
    /// The database URL cannot be used.
    BadUrl,
    /// The file is there, and is no SQLite database.
    NotDatabase,
    /// The database's own structures are broken.
    Corrupt,
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

impl StoreErrorKind {
    /// What to do about it. No catch-all: a new kind must choose its advice.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Contended => "try again: others are writing",
            Self::Unreachable => {
                "try again when the database can be reached; gavel doctor looks into it"
            }
            Self::TimedOut => "try again; if it ends so again, raise the limit that is named",
            Self::Tls => {
                "give the server an X.509 version 3 certificate; on a trusted network \
                 ?sslmode=disable at the end of the URL connects without TLS"
            }
            Self::NotMigrated => "run gavel migrate first",
            Self::NewerSchema => "use the newer gavel, or another database",
            Self::OtherSchema => {
                "use the gavel that made this database: export there, import into a new one here"
            }
            Self::BadUrl => "state --database-url sqlite:PATH or postgres://USER@HOST/DATABASE",
            Self::NotDatabase => "name another file; the one that is there was left as it is",
            Self::Corrupt => {
                "restore it from a backup, or keep a copy and recover what can be read \
                 (sqlite3 OLD .recover | sqlite3 NEW); then gavel replay examines the ledger"
            }
            Self::Denied => {
                "check the rights: on the file and its folder, or of the role; \
                 gavel doctor names them"
            }
            Self::Full => "make room on the device, then try again",
            Self::Damaged => "gavel replay names everything that is damaged, by auction and seq",
            Self::Conflict => "import into an empty database to look at both side by side",
            Self::Failed => "gavel doctor looks into the database",
        }
    }
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
            StoreErrorKind::Contended | StoreErrorKind::Unreachable | StoreErrorKind::TimedOut
        )
    }

    /// Whether a command that failed with this may have been done all the same. A refusal by the
    /// server is definite; a connection that is lost, or an answer that is not understood, is not.
    pub fn leaves_outcome_open(&self) -> bool {
        matches!(
            self.kind,
            StoreErrorKind::Unreachable | StoreErrorKind::Failed
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
