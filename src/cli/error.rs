//! The one place that turns an error into heading, causes, hints and exit code.

use thiserror::Error;

use super::exit::Exit;
use crate::auction::RequestId;
use crate::checkpoint::CheckpointError;
use crate::demo::DemoError;
use crate::ledger::{AuditError, ExplainError, Finding};
use crate::output::file::FileError;
use crate::output::{Card, OutputError, Ui};
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

/// An operation on many auctions that stopped before its end.
#[derive(Debug)]
pub(crate) struct Unfinished {
    /// Its request id.
    pub(crate) operation: RequestId,
    /// How far it came.
    pub(crate) text: String,
}

impl std::fmt::Display for Unfinished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A request's failure, told as [`Unanswered`] only where it leaves open whether it was done.
pub(crate) fn unanswered(error: StoreError, request_id: RequestId) -> anyhow::Error {
    let open = error.leaves_outcome_open();
    let error = anyhow::Error::new(error);
    if open {
        error.context(Unanswered(request_id))
    } else {
        error
    }
}

/// A file that was not carried out to its end. What was done of it is only repeated when it is
/// uploaded again, so that is the way out.
#[derive(Debug)]
pub(crate) struct Stopped(String);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file's failure, with how far it came.
pub(crate) fn stopped(error: impl Into<anyhow::Error>, how_far: &str) -> anyhow::Error {
    error.into().context(Stopped(how_far.to_owned()))
}

/// A result that could not be written: what was done is done all the same, and is told beside the
/// error.
#[derive(Debug)]
pub(crate) struct Untold {
    kept: bool,
    result: Vec<String>,
}

impl Untold {
    /// The result as it would have been printed.
    pub(crate) fn card(card: &impl Card) -> Self {
        let lines = card.lines().into_iter();
        let lines = lines.filter(|(_, value)| !value.is_empty());
        let lines = lines.map(|(label, value)| format!("{label}: {value}"));
        Self {
            kept: !card.dry_run(),
            result: std::iter::once(card.heading()).chain(lines).collect(),
        }
    }

    /// The sums of many.
    pub(crate) fn sums(text: String, dry_run: bool) -> Self {
        Self {
            kept: !dry_run,
            result: vec![text],
        }
    }
}

impl std::fmt::Display for Untold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.kept {
            "it is done, but the result could not be written"
        } else {
            "the result could not be written"
        })
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
    if is_closed_pipe(error) {
        return Exit::DONE;
    }
    let mut told = judge(error);
    if let Some(Untold { result, .. }) = error.downcast_ref() {
        told.details.extend_from_slice(result);
    }
    if let Some(Unanswered(id)) = error.downcast_ref() {
        told.hints.push(format!(
            "repeat it with --request-id {id}: it is done only once"
        ));
    }
    if error.is::<Stopped>() {
        let way_out = "upload the same file again: what was done is not done twice";
        told.hints.push(way_out.to_owned());
    }
    if let Some(Unfinished { operation, .. }) = error.downcast_ref() {
        told.hints.push(format!(
            "the same line with --request-id {operation} goes on where it stopped"
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

/// Of standard output only: a broken connection to a database is a failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<OutputError>()
        .is_some_and(OutputError::is_closed)
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
        if let Some(checkpoint) = cause.downcast_ref::<CheckpointError>() {
            return of_checkpoint(checkpoint);
        }
        if let Some(FileError::Exists(_)) = cause.downcast_ref::<FileError>() {
            return Told {
                exit: Exit::USAGE,
                details: Vec::new(),
                hints: vec!["--overwrite replaces it".to_owned()],
            };
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
    Told {
        exit: store_exit(store.kind()),
        details: Vec::new(),
        hints: vec![store.kind().advice().to_owned()],
    }
}

fn of_checkpoint(checkpoint: &CheckpointError) -> Told {
    let told = |exit, hints: &[&str]| Told {
        exit,
        details: Vec::new(),
        hints: hints.iter().map(ToString::to_string).collect(),
    };
    match checkpoint {
        CheckpointError::Store(store) => of_store(store),
        CheckpointError::Audit(audit) => of_audit(audit),
        CheckpointError::Format(_) | CheckpointError::Input(_) => told(Exit::USAGE, &[]),
        CheckpointError::NotVerified(_) => told(Exit::FINDINGS, &[]),
        CheckpointError::Differs(_) => told(
            Exit::FINDINGS,
            &["gavel replay --against NOTE --leaves FILE names the auctions that differ"],
        ),
        CheckpointError::Damaged(_) => {
            told(Exit::FAILED, &["gavel replay names everything damaged"])
        }
        CheckpointError::Write(_) | CheckpointError::Worker(_) => told(Exit::FAILED, &[]),
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

/// No catch-all: a new kind must choose its exit code.
fn store_exit(kind: StoreErrorKind) -> Exit {
    match kind {
        StoreErrorKind::Contended | StoreErrorKind::Unreachable | StoreErrorKind::TimedOut => {
            Exit::TEMPORARY
        }
        StoreErrorKind::BadUrl => Exit::USAGE,
        StoreErrorKind::Tls
        | StoreErrorKind::NotMigrated
        | StoreErrorKind::NewerSchema
        | StoreErrorKind::OtherSchema
        | StoreErrorKind::NotDatabase
        | StoreErrorKind::Corrupt
        | StoreErrorKind::Denied
        | StoreErrorKind::Full
        | StoreErrorKind::Damaged
        | StoreErrorKind::Conflict
        | StoreErrorKind::Failed => Exit::FAILED,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn broken_pipe() -> io::Error {
        io::ErrorKind::BrokenPipe.into()
    }

    #[test]
    fn only_standard_output_can_be_a_closed_pipe() {
        let lost = StoreError::from(sqlx::Error::Io(broken_pipe()));
        let id = RequestId::from_bytes([7; 16]);
        let error = anyhow::Error::new(lost).context(Unanswered(id));
        assert!(!is_closed_pipe(&error));
        let told = judge(&error);
        assert_eq!(told.exit, Exit::TEMPORARY);
        assert!(error.to_string().contains(&id.to_string()), "{error}");

        let closed = anyhow::Error::new(OutputError::from(broken_pipe()));
        assert!(is_closed_pipe(&closed));
        let full = anyhow::Error::new(OutputError::from(io::Error::other("full")));
        assert!(!is_closed_pipe(&full) && judge(&full).exit == Exit::FAILED);
    }
}
