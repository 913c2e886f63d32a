//! What the server's errors mean.
//!
//! DETAIL and CONTEXT can carry a row's values and are dropped here; so is the primary message,
//! unless its class is known to name objects only.

use sqlx::postgres::PgDatabaseError;

use crate::store::error::{StoreError, StoreErrorKind};

/// A server's error, told without any row's values.
pub(in crate::store) fn server_error(error: &PgDatabaseError) -> StoreError {
    told(error.code(), error.message(), error.constraint())
}

fn told(code: &str, message: &str, constraint: Option<&str>) -> StoreError {
    if let Some(advice) = pooler_trouble(code, message) {
        return StoreError::new(StoreErrorKind::BadUrl, advice);
    }
    let kind = kind_of(code);
    let message = match kind {
        StoreErrorKind::TimedOut => limit(code).to_owned(),
        StoreErrorKind::Contended => "other writers hold this auction".to_owned(),
        StoreErrorKind::NotMigrated => "the database has no gavel schema".to_owned(),
        StoreErrorKind::Full => "there is no room left for the database".to_owned(),
        StoreErrorKind::Conflict => "this exists already".to_owned(),
        StoreErrorKind::Corrupt => "the server finds its own files damaged".to_owned(),
        StoreErrorKind::Unreachable => format!("the server is not available: {message}"),
        StoreErrorKind::Denied | StoreErrorKind::BadUrl => message.to_owned(),
        _ => failed(code, constraint),
    };
    StoreError::new(kind, message)
}

/// SQLSTATEs: <https://www.postgresql.org/docs/15/errcodes-appendix.html>.
fn kind_of(code: &str) -> StoreErrorKind {
    match code {
        "40001" | "40P01" | "55P03" => StoreErrorKind::Contended,
        "25P02" | "25P03" | "25P04" | "57014" | "57P05" => StoreErrorKind::TimedOut,
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

/// Which limit of the server it was. The server's own words can be in any language.
fn limit(code: &str) -> &'static str {
    match code {
        "57014" => "the server cancelled a statement: by statement_timeout, or by hand",
        "25P03" => "the server ended an idle transaction: by idle_in_transaction_session_timeout",
        "25P04" => "the server ended a long transaction: by transaction_timeout",
        "57P05" => "the server ended an idle session: by idle_session_timeout",
        _ => "the server gave up a transaction in which a statement had failed or timed out",
    }
}

/// A pooler that keeps too little together, and what to do about it. 26000: no such prepared
/// statement; 42P05: one of that name exists; the other two are PgBouncer's own refusals, of a
/// setting that its sessions could not keep apart and of transactions as such. All come before
/// any harm is done.
fn pooler_trouble(code: &str, message: &str) -> Option<&'static str> {
    if code.starts_with("08") && message.contains("statement pooling mode") {
        return Some(
            "a pooler hands out the server by the statement, and gavel needs transactions: \
             set pool_mode = transaction",
        );
    }
    let unprepared = matches!(code, "26000" | "42P05");
    (unprepared || message.starts_with("unsupported startup parameter")).then_some(
        "a pooler stands between gavel and the server: \
         append ?statement-cache-capacity=0 to the database URL",
    )
}

/// The code and the constraint say enough to look it up, and hold no value.
fn failed(code: &str, constraint: Option<&str>) -> String {
    match constraint {
        Some(constraint) => format!("the server refused a statement ({code}, {constraint})"),
        None => format!("the server refused a statement ({code})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_on_time_is_temporary_and_names_its_setting() {
        for (code, setting) in [
            ("57014", "statement_timeout"),
            ("25P03", "idle_in_transaction_session_timeout"),
            ("25P04", "transaction_timeout"),
            ("57P05", "idle_session_timeout"),
            ("25P02", "timed out"),
        ] {
            let error = told(code, "in whatever language", None);
            assert!(error.is_temporary(), "{code}");
            assert!(!error.leaves_outcome_open(), "{code}");
            assert!(error.to_string().contains(setting), "{error}");
        }
    }

    #[test]
    fn a_pooler_by_the_statement_is_a_wrong_setting() {
        let message = "transaction blocks not allowed in statement pooling mode";
        let error = told("08P01", message, None);
        assert_eq!(error.kind(), StoreErrorKind::BadUrl);
        assert!(error.to_string().contains("pool_mode = transaction"));
        let other = told("08P01", "query_wait_timeout", None);
        assert_eq!(other.kind(), StoreErrorKind::Unreachable);
    }

    #[test]
    fn what_the_server_refuses_was_not_done() {
        for code in ["42501", "25006", "55P03", "40001", "53100"] {
            assert!(!told(code, "refused", None).leaves_outcome_open(), "{code}");
        }
        for code in ["08006", "57P01"] {
            assert!(told(code, "gone", None).leaves_outcome_open(), "{code}");
        }
    }
}
