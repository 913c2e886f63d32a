//! The walk over the entries of one auction whose maxima are hidden, as in a public export.
//!
//! The rules cannot be run without the maxima. What can be checked without them is: seq, times,
//! the hash chain over the recorded commitments, and that each recorded outcome can follow from
//! the one before it. The next entry is measured against an entry only if that one holds.

use std::collections::HashSet;

use super::audit::Walked;
use super::chain::{Chain, Link};
use super::finding::Check;
use super::gaps::{Gap, Gaps, one_of};
use super::notes::{Notes, Run, party};
use crate::auction::entry::ZERO;
use crate::auction::operator::VoidDetail;
use crate::auction::soft_close::{BidKind, end_after_bid};
use crate::auction::terms::AmendDetail;
use crate::auction::{Entry, Kind, PartyId, RequestId, Status, Terms};
use crate::store::Dossier;

struct Walk<'d, 'n> {
    notes: &'n mut Notes,
    gaps: Gaps,
    chain: Chain,
    terms: Option<Terms>,
    last: Option<&'d Entry>,
    /// The last entry hangs on the chain.
    last_holds: bool,
    /// Bids that count, by seq.
    bids: Option<Vec<(i64, &'d PartyId)>>,
    had_bids: bool,
    requests: HashSet<RequestId>,
    run: Option<Run>,
    /// The first entry of those that do not hang on the chain, up to the last one.
    broken_from: Option<i64>,
    cancelled: bool,
    /// An entry was chained past the rules.
    rewritten: bool,
    /// The last one was: nothing says what the row should be.
    last_past_rules: bool,
    /// An entry was broken or absent.
    doubt: bool,
}

/// Checks every entry as far as that goes without maxima.
pub(super) fn walk<'d>(dossier: &'d Dossier, notes: &mut Notes) -> Walked<'d> {
    let mut walk = Walk {
        notes,
        gaps: Gaps::of(dossier),
        chain: Chain::new(),
        terms: None,
        last: None,
        last_holds: true,
        bids: Some(Vec::new()),
        had_bids: false,
        requests: HashSet::with_capacity(dossier.entries.len()),
        run: None,
        broken_from: None,
        cancelled: false,
        rewritten: false,
        last_past_rules: false,
        doubt: false,
    };
    for same_seq in dossier.entries.chunk_by(|a, b| a.seq == b.seq) {
        if let Some(entry) = walk.next_of(same_seq) {
            walk.step(entry);
        }
    }
    walk.finish()
}

impl<'d> Walk<'d, '_> {
    fn next_of(&mut self, same_seq: &'d [Entry]) -> Option<&'d Entry> {
        let entry = one_of(same_seq, &self.chain, self.notes)?;
        let expected = self.last.map_or(1, |last| last.seq + 1);
        match self.gaps.before(entry, expected, &self.chain, self.notes) {
            Gap::None => {}
            Gap::Elsewhere => return None,
            Gap::Renumbered => self.chain.lose(),
            Gap::Absent => {
                self.chain.lose();
                self.run = None;
                self.broken_from = None;
                self.distrust();
            }
        }
        Some(entry)
    }

    fn distrust(&mut self) {
        self.doubt = true;
        self.last_holds = false;
        self.terms = None;
        self.bids = None;
    }

    fn step(&mut self, entry: &'d Entry) {
        let link = self.chain.link(entry);
        let repeated = !self.requests.insert(entry.request_id);
        if repeated {
            let found = format!("request id {} again", entry.request_id);
            let seq = Some(entry.seq);
            self.notes.push(
                seq,
                Check::RequestIdRepeated,
                "a request id of its own",
                found,
            );
        }
        if link == Link::HashBeforeWrong {
            self.last_holds = true;
        }
        let holds = link != Link::Broken;
        if holds {
            self.run = None;
            self.broken_from = None;
            let since = self.notes.len();
            if self.last_holds && !repeated {
                self.follows(entry);
            }
            let past_rules = self.notes.merge(since);
            self.apply(entry);
            self.rewritten |= past_rules;
            self.last_past_rules = past_rules;
            match entry.kind {
                Kind::Create | Kind::Amend if past_rules => self.terms = None,
                Kind::Void if past_rules => self.bids = None,
                _ => {}
            }
            self.chain.pass(entry);
        } else {
            self.broken_from = self.broken_from.or(Some(entry.seq));
            if !repeated {
                // It may have been changed into that of a later one, which is not to blame.
                self.requests.remove(&entry.request_id);
            }
            let timed = self.last_holds && self.note_time(entry);
            self.run = Some(if timed || repeated {
                self.notes.broken_as_named(entry.seq)
            } else {
                self.notes.broken(self.run.take(), entry.seq, None)
            });
            if entry.kind != Kind::Bid {
                self.distrust();
            }
            self.had_bids |= entry.kind == Kind::Bid;
            self.bids = None;
            self.doubt = true;
            self.chain.pass_broken(entry);
        }
        self.cancelled |= entry.kind == Kind::Cancel;
        self.last_holds = holds;
        self.last = Some(entry);
    }

    fn note_time(&mut self, entry: &Entry) -> bool {
        let Some(last) = self.last else { return false };
        let status = if self.cancelled {
            Status::Cancelled
        } else {
            Status::Open
        };
        self.notes.time(entry, last.at, last.end, status)
    }

    /// Whether an entry can follow the one before it.
    fn follows(&mut self, entry: &'d Entry) {
        let Some(last) = self.last else {
            self.first(entry);
            return;
        };
        if self.note_time(entry) {
            return;
        }
        if self.cancelled || entry.kind == Kind::Create {
            let code = if self.cancelled {
                "cancelled"
            } else {
                "auction-exists"
            };
            self.refused(entry, code);
            return;
        }
        if entry.kind == Kind::Bid {
            self.bid_follows(last, entry);
        } else {
            self.action_follows(last, entry);
        }
    }

    fn first(&mut self, entry: &Entry) {
        if entry.kind != Kind::Create {
            let found = format!("a {} entry", entry.kind.as_str());
            self.notes.push(
                Some(entry.seq),
                Check::MissingCreate,
                "a create entry",
                found,
            );
            self.distrust();
            return;
        }
        let terms = match Terms::from_detail(&entry.detail, None) {
            Ok(terms) => terms,
            Err(error) => {
                self.bad_detail(entry, &error.to_string());
                return;
            }
        };
        if terms.to_detail() != entry.detail {
            self.bad_detail(entry, "a text that the rules do not write");
        }
        self.end(entry, terms.end);
        self.standing_is(entry, None);
        self.flag_extended(entry, false);
        if let Err(refusal) = terms.check(entry.at) {
            self.refused(entry, refusal.code());
        }
    }

    fn bid_follows(&mut self, last: &Entry, entry: &Entry) {
        if entry.commit == ZERO {
            self.refused(entry, "a bid without a commitment");
        }
        if entry.price < last.price || entry.price.is_none() {
            let expected = format!("at least {}", self.notes.money(last.price));
            let found = self.notes.money(entry.price);
            self.notes
                .push(Some(entry.seq), Check::Price, expected, found);
        }
        let leads = entry.leader.as_ref() == Some(&entry.actor);
        if !leads && (entry.leader.is_none() || entry.leader != last.leader) {
            let expected = format!("{} or {}", entry.actor, party(last.leader.as_ref()));
            let found = party(entry.leader.as_ref());
            self.notes
                .push(Some(entry.seq), Check::Leader, expected, found);
        }
        let Some(terms) = &self.terms else { return };
        let kind = BidKind {
            own_raise: last.leader.as_ref() == Some(&entry.actor),
            leader_change: last.leader != entry.leader,
        };
        let end = end_after_bid(terms.soft_close, last.end, entry.at, kind);
        let seller = terms.seller == entry.actor;
        self.end(entry, end);
        self.flag_extended(entry, end > last.end);
        if seller {
            self.refused(entry, "seller-cannot-bid");
        }
        if !entry.detail.is_empty() {
            self.bad_detail(entry, "a detail on a bid");
        }
    }

    fn action_follows(&mut self, last: &Entry, entry: &Entry) {
        self.flag_extended(entry, false);
        match entry.kind {
            Kind::Void => {
                let detail = match VoidDetail::from_detail(&entry.detail) {
                    Ok(detail) => detail,
                    Err(error) => return self.bad_detail(entry, &error.to_string()),
                };
                self.end(entry, last.end);
                if entry.price > last.price {
                    let expected = format!("at most {}", self.notes.money(last.price));
                    let found = self.notes.money(entry.price);
                    self.notes
                        .push(Some(entry.seq), Check::Price, expected, found);
                }
                let stands = |bids: &Vec<(i64, &PartyId)>| {
                    let own = |seq: &i64| bids.contains(&(*seq, &detail.bidder));
                    !detail.targets.is_empty() && detail.targets.iter().all(own)
                };
                if self.bids.as_ref().is_some_and(|bids| !stands(bids)) {
                    self.bad_detail(entry, "targets that are no bids of this bidder that count");
                }
            }
            Kind::Amend => match AmendDetail::from_detail(&entry.detail, None) {
                Ok(detail) => {
                    self.end(entry, detail.terms.end);
                    self.standing_is(entry, Some(last));
                }
                Err(error) => self.bad_detail(entry, &error.to_string()),
            },
            Kind::Create | Kind::Bid | Kind::Cancel => {
                self.end(entry, last.end);
                self.standing_is(entry, Some(last));
            }
        }
    }

    /// Takes over what an entry that holds says.
    fn apply(&mut self, entry: &'d Entry) {
        match entry.kind {
            Kind::Create if self.last.is_none() => {
                self.terms = Terms::from_detail(&entry.detail, None).ok();
                self.notes.currency = self.terms.as_ref().map(|terms| terms.currency);
            }
            Kind::Create | Kind::Cancel => {}
            Kind::Bid => {
                self.had_bids = true;
                if let Some(bids) = &mut self.bids {
                    bids.push((entry.seq, &entry.actor));
                }
            }
            Kind::Void => match VoidDetail::from_detail(&entry.detail) {
                Ok(detail) => {
                    if let Some(bids) = &mut self.bids {
                        bids.retain(|(seq, _)| !detail.targets.contains(seq));
                    }
                }
                Err(_) => self.bids = None,
            },
            Kind::Amend => {
                if !self.had_bids && self.terms.is_some() {
                    let stated = AmendDetail::from_detail(&entry.detail, None).ok();
                    self.terms = stated.map(|stated| stated.terms);
                }
            }
        }
    }

    fn standing_is(&mut self, entry: &Entry, last: Option<&Entry>) {
        let (price, leader) = last.map_or((None, None), |last| (last.price, last.leader.as_ref()));
        if entry.price != price {
            let (expected, found) = (self.notes.money(price), self.notes.money(entry.price));
            self.notes
                .push(Some(entry.seq), Check::Price, expected, found);
        }
        if entry.leader.as_ref() != leader {
            let (expected, found) = (party(leader), party(entry.leader.as_ref()));
            self.notes
                .push(Some(entry.seq), Check::Leader, expected, found);
        }
    }

    fn end(&mut self, entry: &Entry, end: crate::auction::Micros) {
        if entry.end != end {
            let (expected, found) = (end.to_string(), entry.end.to_string());
            self.notes
                .push(Some(entry.seq), Check::End, expected, found);
        }
    }

    fn flag_extended(&mut self, entry: &Entry, extended: bool) {
        if entry.extended != extended {
            let told = |extended| if extended { "extended" } else { "not extended" };
            let (expected, found) = (told(extended), told(entry.extended));
            self.notes
                .push(Some(entry.seq), Check::Flags, expected, found);
        } else if entry.reserve_met && entry.leader.is_none() {
            let (expected, found) = ("reserve not met while nobody leads", "reserve met");
            self.notes
                .push(Some(entry.seq), Check::Flags, expected, found);
        }
    }

    fn refused(&mut self, entry: &Entry, code: &str) {
        let found = format!("refused: {code}");
        let seq = Some(entry.seq);
        self.notes
            .push(seq, Check::NotAcceptable, "accepted by the rules", found);
    }

    fn bad_detail(&mut self, entry: &Entry, why: &str) {
        let expected = "a detail as the rules write it";
        self.notes
            .push(Some(entry.seq), Check::Detail, expected, why);
    }

    fn finish(self) -> Walked<'d> {
        if self.last.is_none() && !self.gaps.any() {
            self.notes.push(
                None,
                Check::MissingCreate,
                "a create entry",
                "no entry at all",
            );
        }
        let last_seq = self.last.map(|last| last.seq);
        let broken_from = self.broken_from;
        let broken_from = broken_from.or(last_seq.filter(|_| self.last_past_rules));
        let count = |bids: Vec<_>| i64::try_from(bids.len()).unwrap_or(i64::MAX);
        Walked {
            tail_damaged: self.gaps.follow(self.last),
            last_at: self.last.map(|last| last.at),
            last: self.last,
            chain: self.chain,
            book: None,
            terms: self.terms,
            bid_count: self.bids.map(count),
            reserve_known: false,
            cancelled: (!self.doubt).then_some(self.cancelled),
            gap: self.gaps.any(),
            rewritten: self.rewritten,
            broken_from,
        }
    }
}
