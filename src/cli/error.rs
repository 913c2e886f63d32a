//! The one place that turns an error into heading, causes, hints and exit code.

use std::io;

use thiserror::Error;

use super::exit::Exit;
use crate::auction::RequestId;
use crate::demo::DemoError;
use crate::ledger::{AuditError, ExplainError, Finding};
use crate::output::Ui;
use crate::store::{StoreError, StoreErrorKind};

/// Input that cannot be used: told with the option or the row at fault and the way out.
#[derive(Debug, Error)]
#[error("{what}")]
pub(crate) struct InputError {
    what: String,
    details: Vec<String>,
    hints: Vec<String>,
}

impl InputError {
    /// What is wrong, in a sentence.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            details: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// What is wrong with the value of an option.
    pub(crate) fn option(option: &str, why: impl std::fmt::Display) -> Self {
        Self::new(format!("{option}: {why}"))
    }

    /// With what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// With lines that say more.
    pub(crate) fn details(mut self, details: Vec<String>) -> Self {
        self.details = details;
        self
    }
}

/// A request that got no answer: it may or may not have been done. Its id is told, because a
/// repeat under the same id is done only once.
#[derive(Debug)]
pub(crate) struct Unanswered(pub(crate) RequestId);

impl std::fmt::Display for Unanswered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "request {} got no answer", self.0)
    }
}

/// An error as it is told.
struct Told {
    exit: Exit,
    details: Vec<String>,
    hints: Vec<String>,
}

/// Tells an error and gives the exit code. A closed pipe is no error: nobody reads any more.
pub(crate) fn tell(ui: &mut Ui, error: &anyhow::Error) -> Exit {
    if error.chain().any(is_closed_pipe) {
        return Exit::DONE;
    }
    let mut told = judge(error);
    if let Some(Unanswered(id)) = error.downcast_ref() {
        told.hints.push(format!(
            "repeat it with --request-id {id}: it is done only once"
        ));
    }
    ui.error(&error.to_string());
    let mut told_last = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Many an error repeats the one below in its own text.
        if !told_last.ends_with(&cause) {
            ui.detail(&format!("caused by: {cause}"));
        }
        told_last = cause;
    }
    for detail in &told.details {
        ui.detail(detail);
    }
    for hint in &told.hints {
        ui.hint(hint);
    }
    told.exit
}

fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn judge(error: &anyhow::Error) -> Told {
    for cause in error.chain() {
        if let Some(input) = cause.downcast_ref::<InputError>() {
            return Told {
                exit: Exit::USAGE,
                details: input.details.clone(),
                hints: input.hints.clone(),
            };
        }
        if let Some(store) = cause.downcast_ref::<StoreError>() {
            return of_store(store);
        }
        if let Some(audit) = cause.downcast_ref::<AuditError>() {
            return of_audit(audit);
        }
        if cause.downcast_ref::<ExplainError>().is_some() {
            return Told {
                exit: Exit::FAILED,
                details: Vec::new(),
                hints: vec![
                    "a public export hides the maxima; gavel replay names what is damaged"
                        .to_owned(),
                ],
            };
        }
        // A transparent error hides the one below from the chain.
        if let Some(DemoError::Store(store)) = cause.downcast_ref::<DemoError>() {
            return of_store(store);
        }
    }
    Told {
        exit: Exit::FAILED,
        details: Vec::new(),
        hints: Vec::new(),
    }
}

fn of_store(store: &StoreError) -> Told {
    let (exit, hint) = store_advice(store.kind());
    Told {
        exit,
        details: Vec::new(),
        hints: vec![hint.to_owned()],
    }
}

fn of_audit(audit: &AuditError) -> Told {
    let told = |exit, hints: &[&str]| Told {
        exit,
        details: Vec::new(),
        hints: hints.iter().map(ToString::to_string).collect(),
    };
    match audit {
        AuditError::Store(store) => of_store(store),
        AuditError::Findings(report) => Told {
            details: named(&report.listed),
            ..told(
                Exit::FINDINGS,
                &["gavel replay --from FOLDER names all; --accept-findings imports it as it is"],
            )
        },
        AuditError::Exists(_) => told(Exit::USAGE, &["--overwrite replaces it"]),
        AuditError::PublicImport => told(
            Exit::USAGE,
            &["gavel replay --from FOLDER verifies it; only a full export can be imported"],
        ),
        AuditError::Damaged(_) => told(Exit::FAILED, &["gavel replay names everything damaged"]),
        error if error.is_input() => told(Exit::USAGE, &[]),
        _ => told(Exit::FAILED, &[]),
    }
}

/// The first findings, a line each.
fn named(findings: &[Finding]) -> Vec<String> {
    const NAMED_MAX: usize = 10;
    findings
        .iter()
        .take(NAMED_MAX)
        .map(ToString::to_string)
        .collect()
}

/// No catch-all: a new kind must choose its exit code and its advice.
pub(super) fn store_advice(kind: StoreErrorKind) -> (Exit, &'static str) {
    match kind {
        StoreErrorKind::Contended => (Exit::TEMPORARY, "try again: others are writing"),
        StoreErrorKind::Unreachable => (
            Exit::TEMPORARY,
            "try again when the database can be reached; gavel doctor looks into it",
        ),
        StoreErrorKind::Tls => (
            Exit::FAILED,
            "give the server an X.509 version 3 certificate; on a trusted network \
             ?sslmode=disable at the end of the URL connects without TLS",
        ),
        StoreErrorKind::NotMigrated => (Exit::FAILED, "run gavel migrate first"),
        StoreErrorKind::NewerSchema => (Exit::FAILED, "use the newer gavel, or another database"),
        StoreErrorKind::BadUrl => (
            Exit::USAGE,
            "state --database-url sqlite:PATH or postgres://USER@HOST/DATABASE",
        ),
        StoreErrorKind::Denied => (
            Exit::FAILED,
            "check the rights: on the file and its folder, or of the role; gavel doctor names them",
        ),
        StoreErrorKind::Full => (Exit::FAILED, "make room on the device, then try again"),
        StoreErrorKind::Damaged => (
            Exit::FAILED,
            "gavel replay names everything that is damaged, by auction and seq",
        ),
        StoreErrorKind::Conflict => (
            Exit::FAILED,
            "import into an empty database to look at both side by side",
        ),
        StoreErrorKind::Failed => (Exit::FAILED, "gavel doctor looks into the database"),
    }
}
