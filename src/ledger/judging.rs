//! Judges chunks of auctions by many workers and puts what they find together in order.

use std::collections::BTreeMap;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::audit::{Moment, audit};
use super::bundle::{Layout, RawDossier, TextSheaf};
use super::check_set::CheckSet;
use super::error::AuditError;
use super::replay::ReplayOptions;
use super::replay_folder::Strictness;
use super::report::{ReplayProgress, Tally, count};
use super::skim::Skim;
use crate::store::{Conditions, Dossier, LedgerRows, Sheaf};

/// What a worker needs to judge a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judge {
    pub(super) moment: Moment,
    pub(super) checks: CheckSet,
    pub(super) listed_max: usize,
    /// Ids are asked for one by one, so those met are told.
    pub(super) with_ids: bool,
}

impl Judge {
    /// Auctions where they were read: a quick look at each, a careful one where that is not
    /// enough.
    pub(super) fn sheaf<R: LedgerRows>(self, sheaf: &Sheaf<R>) -> Tally {
        let mut tally = Tally::default();
        let mut skim = Skim::new(self.moment, self.checks.needs_hashes());
        for (dossier, rows) in &sheaf.auctions {
            if skim.holds(dossier, sheaf.borrowed(rows.clone())) {
                self.passed(dossier, rows.len(), &mut tally);
            } else {
                self.careful(&sheaf.dossier(dossier, rows.clone()), &mut tally);
            }
        }
        tally
    }

    /// Auctions of a folder of text, their ledger rows where they were read.
    pub(super) fn text(self, sheaf: &TextSheaf, layout: &Layout, wanted: &Conditions) -> Tally {
        let mut tally = Tally::default();
        let mut skim = Skim::new(self.moment, self.checks.needs_hashes());
        for (raw, rows) in &sheaf.auctions {
            if !wanted.may_hold(raw.auction_id()) {
                continue;
            }
            let read = layout.without_ledger(raw);
            let row = read.as_ref().and_then(|dossier| dossier.row.as_ref());
            if !wanted.hold(raw.auction_id(), row) {
                continue;
            }
            let quick = read.filter(|dossier| {
                let row = dossier.row.as_ref();
                let currency = match row.map(|row| row.terms.currency) {
                    None if self.moment.ledger_only => {
                        sheaf.rows.currency(rows.start, &layout.ledger)
                    }
                    currency => currency,
                };
                currency.is_some_and(|currency| {
                    let rows = rows.clone();
                    let read = |place| sheaf.rows.borrowed(place, &layout.ledger, currency);
                    skim.holds(dossier, rows.map(read))
                })
            });
            match quick {
                Some(dossier) => self.passed(&dossier, rows.len(), &mut tally),
                None => self.careful_in(
                    &layout.lenient(&sheaf.whole(raw, rows.clone())),
                    wanted,
                    &mut tally,
                ),
            }
        }
        tally
    }

    fn careful_in(self, dossier: &Dossier, wanted: &Conditions, tally: &mut Tally) {
        if wanted.hold(dossier.auction_id, dossier.row.as_ref()) {
            self.careful(dossier, tally);
        }
    }

    /// Auctions of a folder.
    pub(super) fn raw(
        self,
        chunk: &[RawDossier],
        layout: &Layout,
        strict: Strictness,
        wanted: &Conditions,
    ) -> Result<Tally, AuditError> {
        let mut tally = Tally::default();
        for raw in chunk {
            if !wanted.may_hold(raw.auction_id()) {
                continue;
            }
            let dossier = match strict {
                Strictness::Audit => layout.lenient(raw),
                Strictness::Import => layout.strict(raw)?,
            };
            self.careful_in(&dossier, wanted, &mut tally);
        }
        Ok(tally)
    }

    fn careful(self, dossier: &Dossier, tally: &mut Tally) {
        let findings = audit(dossier, &self.moment);
        self.passed(dossier, dossier.entries.len(), tally);
        tally.looked_twice += 1;
        let before = tally.findings;
        tally.add(findings, &self.checks, self.listed_max);
        tally.auctions_with_findings += u64::from(tally.findings > before);
    }

    fn passed(self, dossier: &Dossier, entries: usize, tally: &mut Tally) {
        tally.auctions += 1;
        tally.entries += count(entries);
        tally.hidden |= !dossier.secrets_visible;
        if self.with_ids {
            tally.ids.push(dossier.auction_id);
        }
    }
}

/// Gives chunks to workers and puts their tallies together in the order of the chunks.
pub(super) async fn judge_all<C: Send + 'static>(
    mut chunks: mpsc::Receiver<C>,
    judge: impl Fn(C) -> Result<Tally, AuditError> + Clone + Send + 'static,
    options: &ReplayOptions,
    mut done: ReplayProgress,
    progress: &impl Fn(ReplayProgress),
) -> Result<Tally, AuditError> {
    let mut workers = JoinSet::new();
    let mut open = true;
    let mut sent = 0_u64;
    let mut merged = 0_u64;
    let mut waiting: BTreeMap<u64, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    loop {
        tokio::select! {
            chunk = chunks.recv(), if open && workers.len() < options.threads.get() => {
                let Some(chunk) = chunk else {
                    open = false;
                    continue;
                };
                let (judge, place) = (judge.clone(), sent);
                sent += 1;
                workers.spawn_blocking(move || judge(chunk).map(|tally| (place, tally)));
            }
            Some(judged) = workers.join_next(), if !workers.is_empty() => {
                let (place, tally) = judged??;
                done.auctions += tally.auctions;
                done.entries += tally.entries;
                done.findings += tally.findings;
                waiting.insert(place, tally);
                while let Some(next) = waiting.remove(&merged) {
                    merged += 1;
                    all.merge(next, options.findings_listed_max);
                }
                progress(done);
            }
            else => return Ok(all),
        }
    }
}
