//! What an export and an import did.

use crate::ledger::bundle::ExportReport;
use crate::output::record::record;
use crate::output::views::create::rehearsed;
use crate::output::{Card, Tone, units};
use crate::store::ImportReport;

record! {
    /// What was exported.
    pub(crate) struct ExportView {
        folder: String,
        auctions: u64,
        entries: u64,
        /// Without maxima, reserves, nonces and watchers.
        public: bool,
        exported_at: String,
        installation: String,
        dry_run: bool,
    }
}

impl ExportView {
    /// Of a report.
    pub(crate) fn new(report: &ExportReport, dry_run: bool) -> Self {
        Self {
            folder: report.folder.display().to_string(),
            auctions: report.auctions,
            entries: report.entries,
            public: report.manifest.public,
            exported_at: units::utc(report.manifest.exported_at),
            installation: report.manifest.installation.to_string(),
            dry_run,
        }
    }
}

impl Card for ExportView {
    fn heading(&self) -> String {
        let kind = if self.public {
            "for the public: no maxima, reserves, nonces or watchers"
        } else {
            "for auditors: it holds maxima and reserves"
        };
        let auctions = units::count(self.auctions, "auction");
        rehearsed(format!("exported {auctions} {kind}"), self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("folder", self.folder.clone()),
            ("ledger entries", self.entries.to_string()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}

record! {
    /// What was imported.
    pub(crate) struct ImportView {
        folder: String,
        imported: u64,
        /// There already, identical to the last byte.
        unchanged: u64,
        dry_run: bool,
    }
}

impl ImportView {
    /// Of a report.
    pub(crate) fn new(folder: String, report: ImportReport, dry_run: bool) -> Self {
        Self {
            folder,
            imported: report.imported,
            unchanged: report.unchanged,
            dry_run,
        }
    }
}

impl Card for ImportView {
    fn heading(&self) -> String {
        let new = units::count(self.imported, "new auction");
        let text = format!("imported {new}, {} there already", self.unchanged);
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![("folder", self.folder.clone())]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}
