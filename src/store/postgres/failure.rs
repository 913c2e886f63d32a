//! What the server's errors mean.
//!
//! DETAIL and CONTEXT can carry a row's values and are dropped here; so is the primary message,
//! unless its class is known to name objects only.

use sqlx::postgres::PgDatabaseError;

use crate::store::error::{StoreError, StoreErrorKind};

/// A server's error, told without any row's values.
pub(in crate::store) fn server_error(error: &PgDatabaseError) -> StoreError {
    let code = error.code();
    if is_pooler_trouble(code, error.message()) {
        let message = "a pooler stands between gavel and the server: \
                       append ?statement-cache-capacity=0 to the database URL";
        return StoreError::new(StoreErrorKind::BadUrl, message);
    }
    let kind = kind_of(code);
    let message = match kind {
        StoreErrorKind::Contended => "other writers hold this auction".to_owned(),
        StoreErrorKind::NotMigrated => "the database has no gavel schema".to_owned(),
        StoreErrorKind::Full => "there is no room left for the database".to_owned(),
        StoreErrorKind::Conflict => "this exists already".to_owned(),
        StoreErrorKind::Corrupt => "the server finds its own files damaged".to_owned(),
        StoreErrorKind::Unreachable => format!("the server is not available: {}", error.message()),
        StoreErrorKind::Denied | StoreErrorKind::BadUrl => error.message().to_owned(),
        _ => failed(error),
    };
    StoreError::new(kind, message)
}

/// SQLSTATEs: <https://www.postgresql.org/docs/15/errcodes-appendix.html>.
fn kind_of(code: &str) -> StoreErrorKind {
    match code {
        "40001" | "40P01" | "55P03" => StoreErrorKind::Contended,
        "42P01" | "42883" | "3F000" => StoreErrorKind::NotMigrated,
        "42501" | "25006" => StoreErrorKind::Denied,
        "3D000" => StoreErrorKind::BadUrl,
        "53100" => StoreErrorKind::Full,
        "53300" | "57P01" | "57P02" | "57P03" => StoreErrorKind::Unreachable,
        "23505" => StoreErrorKind::Conflict,
        // data_corrupted and index_corrupted
        "XX001" | "XX002" => StoreErrorKind::Corrupt,
        _ if code.starts_with("08") => StoreErrorKind::Unreachable,
        _ if code.starts_with("28") => StoreErrorKind::Denied,
        _ => StoreErrorKind::Failed,
    }
}

/// 26000: no such prepared statement; 42P05: one of that name exists; and PgBouncer's refusal of a
/// setting that its own sessions could not keep apart, which comes before any harm is done.
fn is_pooler_trouble(code: &str, message: &str) -> bool {
    matches!(code, "26000" | "42P05") || message.starts_with("unsupported startup parameter")
}

/// The code and the constraint say enough to look it up, and hold no value.
fn failed(error: &PgDatabaseError) -> String {
    let code = error.code();
    match error.constraint() {
        Some(constraint) => format!("the server refused a statement ({code}, {constraint})"),
        None => format!("the server refused a statement ({code})"),
    }
}
