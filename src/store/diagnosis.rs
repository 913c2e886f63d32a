//! What a database says about its own health: named checks, each with what to do.

use super::error::{StoreError, StoreErrorKind};

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// As it should be.
    Ok,
    /// Works, but needs a look.
    Warn,
    /// Does not work.
    Fail,
}

impl Level {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The check's kept name.
    pub name: &'static str,
    /// How it went.
    pub level: Level,
    /// What was found.
    pub detail: String,
    /// What to do; none if all is well.
    pub advice: Option<String>,
}

impl Diagnosis {
    /// As it should be.
    pub fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self {
            name,
            level: Level::Ok,
            detail: detail.into(),
            advice: None,
        }
    }

    /// Needs a look.
    pub fn warn(name: &'static str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            name,
            level: Level::Warn,
            detail: detail.into(),
            advice: Some(advice.into()),
        }
    }

    /// Does not work, for a reason that the store gives.
    pub(super) fn failed(name: &'static str, error: &StoreError) -> Self {
        let why = std::error::Error::source(error).map_or(String::new(), |why| format!(": {why}"));
        let advice = match error.kind() {
            StoreErrorKind::Failed => "the check could not run; see the others",
            kind => kind.advice(),
        };
        Self::fail(name, format!("{error}{why}"), advice)
    }

    /// Does not work.
    pub fn fail(name: &'static str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            level: Level::Fail,
            ..Self::warn(name, detail, advice)
        }
    }
}
