//! The report of a replay, and the tally it is made of.
//!
//! Findings are all counted; listed are the first ones by auction and seq, up to a limit, so that
//! memory stays bounded on a ledger that is damaged from end to end.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::bundle::files_of;
use super::check_set::CheckSet;
use super::finding::{Check, Finding};
use super::replay::ReplayOptions;
use crate::auction::Micros;

/// How often one check failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CheckCount {
    /// The check.
    pub check: Check,
    /// Its findings.
    pub findings: u64,
}

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplayReport {
    /// Auctions read.
    pub auctions: u64,
    /// Entries read.
    pub entries: u64,
    /// Auctions that a quick look at plain bids did not pass; no part of what is told.
    #[serde(skip)]
    pub looked_twice: u64,
    /// Auctions with at least one finding.
    pub auctions_with_findings: u64,
    /// Findings, listed or not.
    pub findings: u64,
    /// The first findings by auction and seq, those of a folder's files before them.
    pub listed: Vec<Finding>,
    /// Files that are not the manifest's because of what findings tell; not counted.
    pub files_differ: Vec<Finding>,
    /// Every check that was made, with its findings.
    pub checks: Vec<CheckCount>,
    /// Checks that could not be made because secrets are hidden from this reader.
    pub not_possible: Vec<Check>,
    /// Maxima and reserves were visible for every auction.
    pub secrets_visible: bool,
    /// Ids that were asked for and are not there.
    pub not_found: Vec<i64>,
    /// The instant that "due" was judged by.
    #[serde(serialize_with = "as_text")]
    pub now: Micros,
}

impl ReplayReport {
    /// Of a replay that did not take place.
    pub fn nothing(now: Micros, options: &ReplayOptions) -> Self {
        Tally::default().into_report(now, false, options.checks, &BTreeSet::new())
    }

    /// No finding at all.
    pub fn is_clean(&self) -> bool {
        self.findings == 0
    }

    /// Adds a check that was made beside the replay: its findings, listed as far as there is room.
    pub fn add(&mut self, check: Check, total: u64, findings: Vec<Finding>, listed_max: usize) {
        self.checks.push(CheckCount {
            check,
            findings: total,
        });
        self.findings += total;
        let known: BTreeSet<_> = self.listed.iter().map(|one| one.auction_id).collect();
        let named = findings.iter().filter_map(|finding| finding.auction_id);
        let new: BTreeSet<_> = named.filter(|id| !known.contains(&Some(*id))).collect();
        self.auctions_with_findings += count(new.len());
        let room = listed_max.saturating_sub(self.listed.len());
        self.listed.extend(findings.into_iter().take(room));
    }

    /// Findings that mean a wrong record, not work left undone.
    pub fn damage(&self) -> u64 {
        let damaging = self.checks.iter().filter(|count| count.check.is_damage());
        damaging.map(|count| count.findings).sum()
    }
}

fn as_text<S: Serializer>(instant: &Micros, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(instant)
}

/// How far a replay, an export or an import has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReplayProgress {
    /// Auctions done.
    pub auctions: u64,
    /// Entries done.
    pub entries: u64,
    /// Findings so far.
    pub findings: u64,
    /// Auctions in all, as counted at the beginning.
    pub auctions_total: u64,
    /// Entries in all, as counted at the beginning.
    pub entries_total: u64,
}

/// What one chunk, or everything so far, adds to a report.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) auctions: u64,
    pub(super) entries: u64,
    pub(super) looked_twice: u64,
    pub(super) auctions_with_findings: u64,
    pub(super) findings: u64,
    pub(super) listed: Vec<Finding>,
    counts: BTreeMap<Check, u64>,
    pub(super) hidden: bool,
    /// Files whose change a finding tells.
    told: BTreeSet<&'static str>,
    files_differ: Vec<Finding>,
    /// The ids met, where they were asked for one by one.
    pub(super) ids: Vec<i64>,
    /// Rows that only the general reader can tell about.
    disordered: bool,
}

impl Tally {
    /// Counts findings and lists what the limit leaves room for.
    pub(super) fn add(&mut self, findings: Vec<Finding>, checks: &CheckSet, listed_max: usize) {
        for finding in findings {
            // Whether asked for or not, it tells why a file differs.
            self.told.extend(files_of(&finding));
            if !checks.holds(finding.check) {
                continue;
            }
            self.findings += 1;
            *self.counts.entry(finding.check).or_default() += 1;
            if self.listed.len() < listed_max {
                self.listed.push(finding);
            }
        }
    }

    /// Of rows that were not read.
    pub(super) fn disordered() -> Self {
        Self {
            disordered: true,
            ..Self::default()
        }
    }

    pub(super) fn is_disordered(&self) -> bool {
        self.disordered
    }

    /// Whether a finding tells of a change of this file.
    pub(super) fn tells_of(&self, file: &str) -> bool {
        self.told.contains(file)
    }

    /// Notes a file that differs because of what findings tell.
    pub(super) fn consequence(&mut self, finding: Finding) {
        self.files_differ.push(finding);
    }

    /// Adds the tally of what comes next.
    pub(super) fn merge(&mut self, next: Self, listed_max: usize) {
        self.auctions += next.auctions;
        self.entries += next.entries;
        self.looked_twice += next.looked_twice;
        self.auctions_with_findings += next.auctions_with_findings;
        self.findings += next.findings;
        self.hidden |= next.hidden;
        self.disordered |= next.disordered;
        for (check, more) in next.counts {
            *self.counts.entry(check).or_default() += more;
        }
        let room = listed_max.saturating_sub(self.listed.len());
        self.listed.extend(next.listed.into_iter().take(room));
        self.ids.extend(next.ids);
        self.told.extend(next.told);
        self.files_differ.extend(next.files_differ);
    }

    /// The report; `of_folder` adds the checks on a manifest.
    pub(super) fn into_report(
        self,
        now: Micros,
        of_folder: bool,
        made: CheckSet,
        asked: &BTreeSet<i64>,
    ) -> ReplayReport {
        let hidden = self.hidden;
        let counted = |check: &Check| self.counts.get(check).copied().unwrap_or(0);
        let possible = |check: &Check| !(hidden && check.needs_secrets()) || counted(check) > 0;
        let applies = |check: &Check| {
            made.holds(*check) && (of_folder || !check.is_of_manifest()) && !check.is_of_kept()
        };
        let met: BTreeSet<i64> = self.ids.iter().copied().collect();
        let checks = Check::ALL.into_iter().filter(applies);
        ReplayReport {
            auctions: self.auctions,
            entries: self.entries,
            looked_twice: self.looked_twice,
            auctions_with_findings: self.auctions_with_findings,
            findings: self.findings,
            files_differ: self.files_differ,
            checks: checks
                .clone()
                .filter(possible)
                .map(|check| CheckCount {
                    check,
                    findings: counted(&check),
                })
                .collect(),
            not_possible: checks.filter(|check| !possible(check)).collect(),
            secrets_visible: !hidden,
            not_found: asked.difference(&met).copied().collect(),
            listed: self.listed,
            now,
        }
    }
}

/// A length as a count.
pub(super) fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
