//! What `migrate` did.

use crate::output::record::record;
use crate::output::views::create::rehearsed;
use crate::output::{Card, Tone, units};

record! {
    /// The schema's state afterwards.
    pub(crate) struct MigrateView {
        database: String,
        /// `migrated`, `current` or, on a dry run, `pending`.
        outcome: &'static str,
        applied: usize,
        version: Option<i64>,
        dry_run: bool,
    }
}

impl Card for MigrateView {
    fn heading(&self) -> String {
        let steps = units::count(i128::try_from(self.applied).unwrap_or(0), "migration");
        match self.outcome {
            "migrated" => format!("the database is ready: {steps} applied"),
            "pending" => rehearsed(format!("{steps} would be applied"), self.dry_run),
            _ => "the database is up to date".to_owned(),
        }
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let version = self.version.map(|version| version.to_string());
        vec![
            ("database", self.database.clone()),
            ("schema", version.unwrap_or_default()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}
