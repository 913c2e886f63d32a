//! The database's health: a line a check.

use crate::output::record::record;
use crate::output::{Column, TableRow, Tone};
use crate::store::{Diagnosis, Level};

record! {
    /// One check.
    pub(crate) struct DoctorLine {
        check: &'static str,
        /// `ok`, `warn` or `fail`.
        level: &'static str,
        detail: String,
        advice: Option<String>,
    }
}

impl From<&Diagnosis> for DoctorLine {
    fn from(found: &Diagnosis) -> Self {
        Self {
            check: found.name,
            level: found.level.as_str(),
            detail: found.detail.clone(),
            advice: found.advice.clone(),
        }
    }
}

impl TableRow for DoctorLine {
    const COLUMNS: &'static [Column] = &[
        Column::left("check"),
        Column::left("level"),
        Column::left("found"),
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.check.to_owned(),
            self.level.to_owned(),
            self.detail.clone(),
        ]
    }

    fn tone(&self) -> Tone {
        match self.level {
            "fail" => Tone::Bad,
            "warn" => Tone::Caution,
            _ => Tone::Plain,
        }
    }
}

/// The worst of all checks.
pub(crate) fn worst(found: &[Diagnosis]) -> Level {
    found.iter().map(|one| one.level).max().unwrap_or(Level::Ok)
}
