//! The findings of one auction while they are made, in words.

use super::finding::{Check, Finding};
use crate::auction::{Amount, Currency, Entry, Micros, PartyId, Status};
use crate::store::Dossier;

/// A run of broken entries, told as one finding.
#[derive(Debug)]
pub(super) struct Run {
    place: usize,
    first: i64,
    last: i64,
    /// What the finding says of its first entry, where it was named otherwise than by its hash.
    told: Option<String>,
}

/// The findings of one auction as they are made.
pub(super) struct Notes {
    auction_id: i64,
    pub(super) currency: Option<Currency>,
    findings: Vec<Finding>,
}

impl Notes {
    pub(super) fn of(dossier: &Dossier) -> Self {
        Self {
            auction_id: dossier.auction_id,
            currency: dossier.row.as_ref().map(|row| row.terms.currency),
            findings: Vec::new(),
        }
    }

    /// Notes a finding and returns its place, for [`Self::retell`].
    pub(super) fn push(
        &mut self,
        seq: Option<i64>,
        check: Check,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> usize {
        self.findings.push(Finding {
            auction_id: Some(self.auction_id),
            seq,
            check,
            expected: expected.into(),
            found: found.into(),
        });
        self.findings.len() - 1
    }

    /// How many findings there are, for [`Self::merge`].
    pub(super) fn len(&self) -> usize {
        self.findings.len()
    }

    /// Makes one finding of all that were noted of one entry since; true if there is any. Its
    /// check is the one that causes the others.
    pub(super) fn merge(&mut self, since: usize) -> bool {
        let noted = self.findings.split_off(since.min(self.findings.len()));
        let Some(first) = noted
            .iter()
            .min_by_key(|finding| causes_last(finding.check))
        else {
            return false;
        };
        let mut merged = first.clone();
        if noted.len() > 1 {
            let told = |text: fn(&Finding) -> &String| {
                let each = noted
                    .iter()
                    .map(|finding| format!("{} {}", finding.check, text(finding)));
                each.collect::<Vec<_>>().join(", ")
            };
            merged.expected = told(|finding| &finding.expected);
            merged.found = told(|finding| &finding.found);
        }
        self.findings.push(merged);
        true
    }

    /// Says better what an earlier finding found.
    pub(super) fn retell(&mut self, place: usize, found: String) {
        if let Some(finding) = self.findings.get_mut(place) {
            finding.found = found;
        }
    }

    /// A public amount, for people.
    pub(super) fn money(&self, amount: Option<Amount>) -> String {
        match (amount, self.currency) {
            (None, _) => "none".to_owned(),
            (Some(amount), Some(currency)) => format!("{} {currency}", currency.format(amount)),
            (Some(amount), None) => format!("{} minor units", amount.minor()),
        }
    }

    /// Names a time that is wrong by itself; true if it did.
    pub(super) fn time(
        &mut self,
        entry: &Entry,
        last_at: Micros,
        end: Micros,
        status: Status,
    ) -> bool {
        let (check, expected) = if entry.at < last_at {
            (Check::TimeBackwards, format!("not before {last_at}"))
        } else if status == Status::Open && entry.at >= end {
            (Check::TimeAfterEnd, format!("before the end, {end}"))
        } else {
            return false;
        };
        self.push(Some(entry.seq), check, expected, entry.at.to_string());
        true
    }

    /// The last finding named a broken entry by more than its hash; a run begins with it.
    pub(super) fn broken_as_named(&self, seq: i64) -> Run {
        Run {
            place: self.findings.len().saturating_sub(1),
            first: seq,
            last: seq,
            told: self.findings.last().map(|finding| finding.found.clone()),
        }
    }

    /// Names a broken entry; one that follows a broken one belongs to the same finding.
    pub(super) fn broken(&mut self, run: Option<Run>, seq: i64, unlike: Option<String>) -> Run {
        if let Some(run) = run.filter(|run| run.last + 1 == seq) {
            let first = run.first;
            let mut found = format!("entries {first} to {seq} were changed or moved");
            if let Some(told) = &run.told {
                found = format!("{told}; {found}");
            }
            self.retell(run.place, found);
            return Run { last: seq, ..run };
        }
        let mut found = "its content or its hash was changed, or it was moved here".to_owned();
        if let Some(unlike) = unlike {
            found.push_str("; ");
            found.push_str(&unlike);
        }
        let expected = "the entry that was chained";
        Run {
            place: self.push(Some(seq), Check::HashChain, expected, found),
            first: seq,
            last: seq,
            told: None,
        }
    }

    pub(super) fn finish(mut self) -> Vec<Finding> {
        let place = |finding: &Finding| (finding.seq.unwrap_or(i64::MAX), finding.check);
        self.findings.sort_by_key(place);
        self.findings
    }
}

/// A detail and a commitment decide the outcome, the outcome decides neither.
fn causes_last(check: Check) -> u8 {
    match check {
        Check::Detail => 0,
        Check::Commitment => 1,
        _ => 2,
    }
}

/// A party or nobody, for people.
pub(super) fn party(id: Option<&PartyId>) -> String {
    id.map_or_else(|| "none".to_owned(), |id| id.as_str().to_owned())
}
