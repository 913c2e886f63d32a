//! The walk over the entries of one auction, secrets visible: each is judged again by the rules
//! from what the entries before it made.
//!
//! An honest entry costs one decision and one comparison. Only an entry that differs is looked
//! into: if its hash stands for what the rules give, an outcome column was changed, and that
//! column is named; if it hangs on the chain, the rules were broken when it was written; if it
//! does not, its content or its hash was changed, or it was moved.
//!
//! What was chained past the rules may stand for what was made of it (a forged bid that later ones
//! met) or hide what was (a rewritten history, whose later entries tell of the true one). The next
//! entry, or the row, tells which; if neither, later ones are not measured by the rules any more.

use std::collections::HashSet;

use super::audit::Walked;
use super::chain::{Chain, Link};
use super::cross_check::cross_check_differs;
use super::finding::Check;
use super::gaps::{Gap, Gaps, one_of};
use super::notes::{Notes, Run, party};
use super::rebuild::{Verdict, redecide, redecide_create};
use crate::auction::entry::ZERO;
use crate::auction::{Book, Entry, Kind, Micros, RequestId, Terms};
use crate::store::{AuctionRow, Dossier};

/// What can be relied on of that which the entries so far have made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// All of it.
    Sound,
    /// The last entry was changed; the next one tells whether it was only its hash.
    Suspect,
    /// Content was changed or is absent: nothing that is derived from it.
    Lost,
}

struct Walk<'d, 'n> {
    notes: &'n mut Notes,
    gaps: Gaps,
    book: Option<Book>,
    /// Those of a book that was given up.
    terms: Option<Terms>,
    chain: Chain,
    last: Option<&'d Entry>,
    /// Its instant, as it was when it was chained.
    last_at: Option<Micros>,
    trust: Trust,
    terms_trust: Trust,
    requests: HashSet<RequestId>,
    /// The last entry was chained past the rules: the book as the rules would have it.
    past_rules: Option<Box<Book>>,
    /// An entry was chained past the rules, or the chain contradicts itself after one.
    rewritten: bool,
    /// The run of broken entries that goes on.
    run: Option<Run>,
    /// The first entry of those that do not hang on the chain, up to the last one.
    broken_from: Option<i64>,
    cancelled: bool,
}

/// Judges every entry.
pub(super) fn walk<'d>(dossier: &'d Dossier, notes: &mut Notes) -> Walked<'d> {
    let mut walk = Walk {
        notes,
        gaps: Gaps::of(dossier),
        book: None,
        terms: None,
        chain: Chain::new(),
        last: None,
        last_at: None,
        trust: Trust::Sound,
        terms_trust: Trust::Sound,
        requests: HashSet::with_capacity(dossier.entries.len()),
        past_rules: None,
        rewritten: false,
        run: None,
        broken_from: None,
        cancelled: false,
    };
    for same_seq in dossier.entries.chunk_by(|a, b| a.seq == b.seq) {
        if let Some(entry) = walk.next_of(same_seq) {
            walk.step(entry);
        }
    }
    if let Some(row) = &dossier.row
        && walk.trust == Trust::Suspect
        && walk.chain.hash_should_be() == Some(&row.head)
    {
        walk.settle(Trust::Sound);
    }
    walk.choose_by_row(dossier.row.as_ref());
    walk.finish()
}

impl<'d> Walk<'d, '_> {
    /// The entry of this seq to go on with; none if it was named and belongs elsewhere.
    fn next_of(&mut self, same_seq: &'d [Entry]) -> Option<&'d Entry> {
        let entry = one_of(same_seq, &self.chain, self.notes)?;
        let expected = self.last.map_or(1, |last| last.seq + 1);
        match self.gaps.before(entry, expected, &self.chain, self.notes) {
            Gap::None => {}
            Gap::Elsewhere => return None,
            Gap::Renumbered => self.chain.lose(),
            Gap::Absent => {
                self.chain.lose();
                self.unbroken();
                // What is absent may have been anything.
                self.trust = Trust::Lost;
                self.terms_trust = Trust::Lost;
            }
        }
        Some(entry)
    }

    fn step(&mut self, entry: &'d Entry) {
        self.give_up_book();
        self.choose_by_next(entry);
        let verdict = match (&self.book, self.last) {
            (Some(book), _) => Some(redecide(book, entry)),
            (None, None) if entry.kind == Kind::Create => Some(redecide_create(entry)),
            (None, _) => None,
        };
        let repeated = !self.requests.insert(entry.request_id);
        let same = matches!(&verdict, Some(Verdict::Decided(decided)) if **decided == *entry);
        if same && !repeated {
            // The stored hash before it holds, so what was changed there was the content.
            self.settle(Trust::Lost);
            self.unbroken();
            self.chain.pass(entry);
        } else {
            self.examine(entry, verdict.as_ref(), repeated);
        }
        // Where only what was recorded is wrong, the hash stands for what was decided.
        match &verdict {
            Some(Verdict::Decided(decided)) if decided.hash == entry.hash => {
                self.last_at = Some(decided.at);
                self.fold(decided);
            }
            _ => {
                self.last_at = Some(entry.at);
                self.fold(entry);
            }
        }
        self.last = Some(entry);
    }

    /// The rules are only asked about states that they can reach. The terms outlive the book once
    /// a bid has frozen them.
    fn give_up_book(&mut self) {
        let Some(book) = &self.book else { return };
        let standing = &book.state.standing;
        let leads = standing.leader.as_ref().map(|leader| leader.maximum);
        // A price above the leader's maximum: a bid below the start price was written in.
        if standing.price > leads {
            self.trust = Trust::Lost;
        }
        if self.trust == Trust::Lost
            && let Some(book) = self.book.take()
            && !book.bids().is_empty()
        {
            self.terms = Some(book.terms);
        }
    }

    /// After an entry past the rules: which of the two books does the next entry continue?
    fn choose_by_next(&mut self, entry: &Entry) {
        let Some(other) = self.past_rules.take() else {
            return;
        };
        let continues = |book: &Book| match redecide(book, entry) {
            Verdict::Decided(decided) => decided.hash == entry.hash,
            Verdict::Refused(_) | Verdict::BadDetail(_) | Verdict::NoSecret => false,
        };
        if self.book.as_ref().is_some_and(continues) {
            return;
        }
        if continues(&other) {
            self.book = Some(*other);
        } else {
            self.lose_to_rewriting();
        }
    }

    /// The same where no entry follows.
    fn choose_by_row(&mut self, row: Option<&AuctionRow>) {
        let (Some(other), Some(row)) = (self.past_rules.take(), row) else {
            return;
        };
        let fits = |book: &Book| {
            let state = &book.state;
            let standing = &state.standing;
            let maximum = standing.leader.as_ref().map(|leader| leader.maximum);
            (state.end, state.leader_id(), standing.price)
                == (row.end, row.leader.as_ref(), row.price)
                && (maximum, standing.runner_up) == (row.leader_max, row.runner_up_max)
        };
        if self.book.as_ref().is_some_and(fits) {
            return;
        }
        if fits(&other) {
            self.book = Some(*other);
        } else {
            self.lose_to_rewriting();
        }
    }

    fn lose_to_rewriting(&mut self) {
        self.trust = Trust::Lost;
        self.terms_trust = Trust::Lost;
        self.give_up_book();
    }

    /// Ends a suspicion, one way or the other; absent content ends trust at once.
    fn settle(&mut self, to: Trust) {
        for trust in [&mut self.trust, &mut self.terms_trust] {
            if *trust == Trust::Suspect {
                *trust = to;
            }
        }
    }

    fn unbroken(&mut self) {
        self.run = None;
        self.broken_from = None;
    }

    fn distrust(&mut self, entry: &Entry, to: Trust) {
        if self.trust == Trust::Sound || to == Trust::Lost {
            self.trust = to;
        }
        let of_terms = matches!(entry.kind, Kind::Create | Kind::Amend);
        if of_terms && (self.terms_trust == Trust::Sound || to == Trust::Lost) {
            self.terms_trust = to;
        }
    }

    fn examine(&mut self, entry: &'d Entry, verdict: Option<&Verdict>, repeated: bool) {
        let link = self.chain.link(entry);
        let hash_only = link == Link::HashBeforeWrong;
        self.settle(if hash_only { Trust::Sound } else { Trust::Lost });
        if link == Link::Broken {
            self.broken_from = self.broken_from.or(Some(entry.seq));
            if !repeated {
                // It may have been changed into that of a later one, which is not to blame.
                self.requests.remove(&entry.request_id);
            }
        } else {
            self.unbroken();
        }
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
        if self.last.is_none() && entry.seq == 1 && entry.kind != Kind::Create {
            let found = format!("a {} entry", entry.kind.as_str());
            self.notes
                .push(Some(1), Check::MissingCreate, "a create entry", found);
            self.distrust(entry, Trust::Lost);
            self.terms_trust = Trust::Lost;
            if link == Link::Broken {
                // The later ones may have moved up with it.
                self.run = Some(self.notes.broken_as_named(1));
                self.chain.pass_broken(entry);
            } else {
                self.chain.pass(entry);
            }
            return;
        }
        match verdict {
            // The hash stands for what the rules give: an outcome column was changed.
            Some(Verdict::Decided(decided)) if decided.hash == entry.hash => {
                self.note_differences(decided, entry);
                self.unbroken();
                self.chain.pass(entry);
            }
            _ if !opens(entry) => {
                let found = "it does not";
                self.notes.push(
                    Some(entry.seq),
                    Check::Commitment,
                    "the commitment opens to secret and nonce",
                    found,
                );
                self.distrust(entry, Trust::Lost);
                if link == Link::Broken {
                    self.chain.pass_broken(entry);
                } else {
                    self.chain.pass(entry);
                }
            }
            _ if link == Link::Broken => {
                self.broken(entry, verdict, repeated);
                self.chain.pass_broken(entry);
            }
            _ => {
                if self.trust == Trust::Sound && !repeated {
                    self.judged(entry, verdict);
                }
                self.chain.pass(entry);
            }
        }
    }

    /// The entry hangs on the chain, but the rules give something else: it was written so.
    fn judged(&mut self, entry: &Entry, verdict: Option<&Verdict>) {
        match verdict {
            Some(Verdict::Decided(decided)) => {
                self.note_differences(decided, entry);
                self.remember_rules(Some(decided), entry);
            }
            Some(Verdict::Refused(code)) => {
                if !self.note_time(entry) {
                    let found = format!("refused: {code}");
                    self.notes.push(
                        Some(entry.seq),
                        Check::NotAcceptable,
                        "accepted by the rules",
                        found,
                    );
                }
                self.remember_rules(None, entry);
            }
            Some(Verdict::BadDetail(why)) => {
                self.rewritten = true;
                self.note_bad_detail(entry, why);
                self.distrust(entry, Trust::Lost);
            }
            Some(Verdict::NoSecret) | None => {}
        }
    }

    /// The book as the rules would have it after this entry: with what they make of it, or
    /// without an entry that they refuse.
    fn remember_rules(&mut self, decided: Option<&Entry>, entry: &Entry) {
        self.rewritten = true;
        if matches!(entry.kind, Kind::Create | Kind::Amend) {
            // The ledger's entries disagree about the terms.
            self.terms_trust = Trust::Lost;
        }
        let Some(mut book) = self.book.clone() else {
            return;
        };
        if let Some(decided) = decided {
            // A create entry has no book before it; a detail that does not fold leaves it as it is.
            book.fold(decided).ok();
        }
        // Later entries hang on what was chained.
        book.state.head = entry.hash;
        book.state.last_seq = entry.seq;
        book.state.last_at = entry.at;
        self.past_rules = Some(Box::new(book));
    }

    /// The entry does not hang on the chain.
    fn broken(&mut self, entry: &Entry, verdict: Option<&Verdict>, repeated: bool) {
        let sound = self.trust == Trust::Sound;
        let unlike = match verdict {
            Some(Verdict::Decided(decided)) => {
                let differs = !self.differences(decided, entry).is_empty();
                differs.then(|| "as it stands, the rules give another outcome".to_owned())
            }
            Some(Verdict::Refused(code)) => {
                Some(format!("as it stands, the rules refuse it: {code}"))
            }
            Some(Verdict::BadDetail(why)) => {
                self.note_bad_detail(entry, why);
                self.distrust(entry, Trust::Lost);
                return;
            }
            Some(Verdict::NoSecret) | None => None,
        };
        let to = if unlike.is_some() {
            Trust::Lost
        } else {
            Trust::Suspect
        };
        let named = repeated || (sound && self.note_time(entry));
        self.distrust(entry, to);
        self.run = Some(if named {
            self.notes.broken_as_named(entry.seq)
        } else {
            let unlike = unlike.filter(|_| sound);
            self.notes.broken(self.run.take(), entry.seq, unlike)
        });
    }

    /// Times that are wrong by themselves; true if one was noted.
    fn note_time(&mut self, entry: &Entry) -> bool {
        let Some(state) = self.book.as_ref().map(|book| &book.state) else {
            return false;
        };
        self.notes
            .time(entry, state.last_at, state.end, state.status)
    }

    fn note_bad_detail(&mut self, entry: &Entry, why: &str) {
        self.notes
            .push(Some(entry.seq), Check::Detail, "a readable detail", why);
    }

    fn note_differences(&mut self, decided: &Entry, entry: &Entry) {
        let since = self.notes.len();
        for (check, expected, found) in self.differences(decided, entry) {
            self.notes.push(Some(entry.seq), check, expected, found);
        }
        self.notes.merge(since);
    }

    /// The columns in which the entry is not what the rules give, hash aside.
    fn differences(&self, decided: &Entry, entry: &Entry) -> Vec<(Check, String, String)> {
        let mut differences = Vec::new();
        let mut differ = |differs: bool, check, expected: String, found: String| {
            if differs {
                differences.push((check, expected, found));
            }
        };
        if decided.at != entry.at {
            let expected = format!("not before {}", decided.at);
            differ(true, Check::TimeBackwards, expected, entry.at.to_string());
            return differences;
        }
        let money = |amount| self.notes.money(amount);
        let (wants, has) = (money(decided.price), money(entry.price));
        differ(decided.price != entry.price, Check::Price, wants, has);
        let (wants, has) = (party(decided.leader.as_ref()), party(entry.leader.as_ref()));
        differ(decided.leader != entry.leader, Check::Leader, wants, has);
        let (wants, has) = (decided.end.to_string(), entry.end.to_string());
        differ(decided.end != entry.end, Check::End, wants, has);
        let (wants, has) = (flags(decided), flags(entry));
        differ(decided.flags() != entry.flags(), Check::Flags, wants, has);
        let (wants, has) = (shortened(&decided.detail), shortened(&entry.detail));
        differ(decided.detail != entry.detail, Check::Detail, wants, has);
        if decided.commit != entry.commit {
            let expected = "the commitment of secret and nonce".to_owned();
            differ(true, Check::Commitment, expected, "another one".to_owned());
        }
        differences
    }

    fn fold(&mut self, entry: &Entry) {
        self.cancelled |= entry.kind == Kind::Cancel;
        // A second create was named by its refusal and changes nothing.
        let folds = entry.kind != Kind::Create;
        match &mut self.book {
            Some(book) if folds => {
                let folded = book.fold(entry);
                if folded.is_err() {
                    self.book = None;
                    self.distrust(entry, Trust::Lost);
                }
            }
            None if self.last.is_none() => {
                self.book = Book::open(entry).ok();
                if let Some(book) = &self.book {
                    self.notes.currency = Some(book.terms.currency);
                }
            }
            Some(_) | None => {}
        }
    }

    fn finish(self) -> Walked<'d> {
        let tail_damaged = self.gaps.follow(self.last);
        let sound = self.trust == Trust::Sound && !tail_damaged;
        let terms_sound = self.terms_trust == Trust::Sound;
        let in_book = self.book.as_ref().map(|book| book.terms.clone());
        let terms = in_book.or(self.terms).filter(|_| terms_sound);
        let book = self.book.filter(|_| sound);
        if let (Some(book), Some(last)) = (&book, self.last)
            && cross_check_differs(&book.terms, book.bids(), &book.state.standing)
        {
            self.notes.push(
                Some(last.seq),
                Check::CrossCheck,
                "leader and price as the second computation gives them",
                "the first gives others: the rules of this gavel are wrong",
            );
        }
        if self.last.is_none() && !self.gaps.any() {
            self.notes.push(
                None,
                Check::MissingCreate,
                "a create entry",
                "no entry at all",
            );
        }
        Walked {
            tail_damaged,
            last: self.last,
            last_at: self.last_at,
            chain: self.chain,
            bid_count: book.as_ref().map(|book| book.state.bid_count),
            book,
            terms,
            reserve_known: true,
            cancelled: sound.then_some(self.cancelled),
            gap: self.gaps.any(),
            rewritten: self.rewritten,
            broken_from: self.broken_from,
        }
    }
}

/// Whether the commitment stands for the secret, or for none where none belongs.
fn opens(entry: &Entry) -> bool {
    match entry.secret {
        Some(secret) => secret.commit() == entry.commit,
        None => entry.commit == ZERO && entry.kind != Kind::Bid,
    }
}

/// A detail can be long; its beginning tells enough.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(240) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None if text.is_empty() => "nothing".to_owned(),
        None => text.to_owned(),
    }
}

fn flags(entry: &Entry) -> String {
    let met = if entry.reserve_met {
        "reserve met"
    } else {
        "reserve not met"
    };
    let extended = if entry.extended {
        "extended"
    } else {
        "not extended"
    };
    format!("{met}, {extended}")
}
