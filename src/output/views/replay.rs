//! What an audit found.

use crate::ledger::{Check, CheckCount, Finding, ReplayReport};
use crate::output::record::{Column, TableRow, record};
use crate::output::{Card, Tone, units};

record! {
    /// A finding.
    pub(crate) struct FindingLine {
        auction_id: Option<i64>,
        seq: Option<i64>,
        check: &'static str,
        expected: String,
        found: String,
    }
}

record! {
    /// A check, and what holds when it finds nothing.
    pub(crate) struct CheckLine {
        check: &'static str,
        holds: &'static str,
    }
}

impl From<Check> for CheckLine {
    fn from(check: Check) -> Self {
        Self {
            check: check.name(),
            holds: check.describe(),
        }
    }
}

impl TableRow for CheckLine {
    const COLUMNS: &'static [Column] = &[Column::left("check"), Column::elastic("holds")];
    fn cells(&self) -> Vec<String> {
        vec![self.check.to_owned(), self.holds.to_owned()]
    }
}

record! {
    /// How often a check failed.
    pub(crate) struct CheckCountLine {
        check: &'static str,
        findings: u64,
        holds: &'static str,
    }
}

impl CheckCountLine {
    /// Of the checks that failed.
    pub(crate) fn failed(report: &ReplayReport) -> Vec<Self> {
        let failed = report.checks.iter().filter(|count| count.findings > 0);
        let line = |count: &CheckCount| Self {
            check: count.check.name(),
            findings: count.findings,
            holds: count.check.describe(),
        };
        failed.map(line).collect()
    }
}

impl TableRow for CheckCountLine {
    const COLUMNS: &'static [Column] = &[
        Column::left("check"),
        Column::right("findings"),
        Column::elastic("does not hold"),
    ];
    fn cells(&self) -> Vec<String> {
        let findings = self.findings.to_string();
        vec![self.check.to_owned(), findings, self.holds.to_owned()]
    }
}

impl From<&Finding> for FindingLine {
    fn from(finding: &Finding) -> Self {
        Self {
            auction_id: finding.auction_id,
            seq: finding.seq,
            check: finding.check.name(),
            expected: finding.expected.clone(),
            found: finding.found.clone(),
        }
    }
}

impl Card for FindingLine {
    fn heading(&self) -> String {
        let place = match (self.auction_id, self.seq) {
            (Some(auction_id), Some(seq)) => format!("auction {auction_id} seq {seq}"),
            (Some(auction_id), None) => format!("auction {auction_id}"),
            (None, _) if self.check == Check::Checkpoint.name() => "the record".to_owned(),
            (None, _) => "the folder".to_owned(),
        };
        format!("{place}: {}", self.check)
    }

    fn tone(&self) -> Tone {
        Tone::Bad
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("expected", units::one_line(&self.expected)),
            ("found", units::one_line(&self.found)),
        ]
    }
}

/// The verdict in a sentence, and how it is meant.
pub(crate) fn verdict(report: &ReplayReport) -> (Tone, String) {
    let read = format!(
        "replayed {} and {}",
        units::count(report.auctions, "auction"),
        entries(report.entries)
    );
    if report.is_clean() && report.auctions == 0 {
        return (Tone::Plain, format!("{read}: there was nothing to check"));
    }
    if report.is_clean() {
        let checks = units::count(i128::try_from(report.checks.len()).unwrap_or(0), "check");
        return (Tone::Good, format!("{read}: clean by {checks}"));
    }
    // What no auction has is told of the folder's files.
    let place = match report.auctions_with_findings {
        0 if report
            .listed
            .iter()
            .all(|one| one.check == Check::Checkpoint) =>
        {
            "the record".to_owned()
        }
        0 => "the files".to_owned(),
        auctions => units::count(auctions, "auction"),
    };
    let findings = units::count(report.findings, "finding");
    let text = format!("{read}: {findings} in {place}");
    (Tone::Bad, text)
}

fn entries(number: u64) -> String {
    if number == 1 {
        "1 entry".to_owned()
    } else {
        format!("{number} entries")
    }
}

/// What the reader should know beside the verdict.
pub(crate) fn remarks(report: &ReplayReport) -> Vec<String> {
    let mut remarks = Vec::new();
    if !report.not_possible.is_empty() {
        let names: Vec<&str> = report
            .not_possible
            .iter()
            .map(|check| check.name())
            .collect();
        remarks.push(format!(
            "maxima and reserves are hidden here, so these checks could not be made: {}",
            names.join(", ")
        ));
    }
    let listed = u64::try_from(report.listed.len()).unwrap_or(u64::MAX);
    if report.findings > listed {
        let more = report.findings - listed;
        remarks.push(format!("{more} more; --findings N lists more of them"));
    }
    remarks
}
