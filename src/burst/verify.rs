//! Holds every answer against the ledger.
//!
//! Bids that were under way at the same time may have been taken in any order; the ledger says in
//! which. Given that order the rules leave no choice: an accepted bid must stand in it as it was
//! answered, and after every bid whose answer was there before it was sent; a refused one must
//! have been refused by the rules at one of the places where it can have come. What the rules make
//! of the entries themselves, and the events, is the replay's to judge.

use std::collections::HashMap;

use super::driver::Answered;
use super::plan::Plan;
use super::report::Fault;
use super::stage::Stage;
use crate::auction::bid::decide;
use crate::auction::{AuctionId, Bid, Book, Entry, Kind, Micros, Refusal, RequestId, State};
use crate::store::{BidAnswer, Dossier, Reply};

/// The run's bids on one auction and their answers, by number.
type Asked<'a> = Vec<(usize, Bid, &'a Answered)>;

/// Holds auctions against the plan.
pub(super) struct Verifier<'a> {
    stage: &'a Stage,
    plan: &'a Plan,
    answers: &'a [Option<Answered>],
    /// The numbers of each auction's bids.
    by_lot: HashMap<u32, Vec<usize>>,
}

/// What an auction's ledger says, state by state: `states[n]` is after `seq` n + 1.
struct Told<'d> {
    entries: &'d [Entry],
    book: Book,
    states: Vec<State>,
}

impl<'a> Verifier<'a> {
    pub(super) fn new(stage: &'a Stage, plan: &'a Plan, answers: &'a [Option<Answered>]) -> Self {
        let mut by_lot: HashMap<u32, Vec<usize>> = HashMap::new();
        for (number, bid) in plan.bids.iter().enumerate() {
            by_lot.entry(bid.lot).or_default().push(number);
        }
        Self {
            stage,
            plan,
            answers,
            by_lot,
        }
    }

    /// What is wrong with the auction at a place.
    pub(super) fn judge(&self, place: u32, dossier: &Dossier) -> Vec<Fault> {
        let Ok(auction_id) = AuctionId::new(dossier.auction_id) else {
            return Vec::new();
        };
        let fault = |kind: &'static str, what: String| Fault {
            auction_id,
            kind,
            what,
        };
        let Some(told) = Told::of(dossier) else {
            return vec![fault(
                "unreadable",
                "the ledger cannot be folded".to_owned(),
            )];
        };
        let asked = match self.asked(place) {
            Ok(asked) => asked,
            Err(what) => return vec![fault("script", what)],
        };
        let mut faults = Vec::new();
        let mut say = |kind, what| faults.push(fault(kind, what));
        told.accepted(&asked, &mut say);
        told.refused(&asked, &mut say);
        self.unasked(place, &told, &asked, &mut say);
        told.closed(dossier, &mut say);
        faults
    }

    fn asked(&self, place: u32) -> Result<Asked<'a>, String> {
        let mut asked = Vec::new();
        for number in self.by_lot.get(&place).into_iter().flatten() {
            let planned = &self.plan.bids[*number];
            let key = u64::try_from(*number).unwrap_or(u64::MAX);
            let bid = self
                .stage
                .bid(key, place, planned.bidder, planned.maximum)
                .map_err(|error| error.to_string())?;
            if let Some(answer) = &self.answers[*number] {
                asked.push((*number, bid, answer));
            }
        }
        Ok(asked)
    }

    /// Entries that no bid of the run made.
    fn unasked(
        &self,
        place: u32,
        told: &Told<'_>,
        asked: &Asked<'_>,
        say: &mut impl FnMut(&'static str, String),
    ) {
        let lot = usize::try_from(place)
            .ok()
            .and_then(|at| self.plan.lots.get(at));
        let opening = lot.map_or(0, |lot| lot.opening.len());
        let known: std::collections::HashSet<RequestId> =
            asked.iter().map(|(_, bid, _)| bid.request_id).collect();
        for entry in told.entries.iter().skip(1 + opening) {
            if !known.contains(&entry.request_id) {
                let what = format!("seq {} was made by nobody of this run", entry.seq);
                say("unasked-entry", what);
            }
        }
    }
}

impl<'d> Told<'d> {
    fn of(dossier: &'d Dossier) -> Option<Self> {
        let entries = &dossier.entries[..];
        let (create, later) = entries.split_first()?;
        let mut book = Book::open(create).ok()?;
        let mut states = vec![book.state.clone()];
        for entry in later {
            book.fold(entry).ok()?;
            states.push(book.state.clone());
        }
        Some(Self {
            entries,
            book,
            states,
        })
    }

    /// Accepted bids stand in the ledger as they were answered, and in an order that can be.
    fn accepted(&self, asked: &Asked<'_>, say: &mut impl FnMut(&'static str, String)) {
        let by_request: HashMap<RequestId, &Entry> = self
            .entries
            .iter()
            .map(|entry| (entry.request_id, entry))
            .collect();
        let mut in_order = Vec::new();
        for (number, bid, answer) in asked {
            let entry = by_request.get(&bid.request_id);
            match (&answer.reply, entry) {
                (Reply::Done(told) | Reply::Repeated(told), Some(entry)) => {
                    if let Some(differs) = differs(bid, told, entry) {
                        let what = format!("bid {number}, seq {}: {differs}", entry.seq);
                        say("answer-differs", what);
                    }
                    in_order.push((entry.seq, answer));
                }
                (Reply::Done(told) | Reply::Repeated(told), None) => {
                    let what = format!("bid {number} was accepted as seq {}; no entry", told.seq);
                    say("lost-bid", what);
                }
                (Reply::Refused { refusal, .. }, Some(entry)) => {
                    let code = refusal.code();
                    let what =
                        format!("bid {number} was refused ({code}) and is seq {}", entry.seq);
                    say("refused-bid-counts", what);
                }
                (Reply::Refused { .. }, None) => {}
            }
        }
        in_order.sort_by_key(|(seq, _)| *seq);
        let mut earliest_done_us = i64::MAX;
        for (seq, answer) in in_order.iter().rev() {
            if earliest_done_us < answer.sent_us {
                let what = format!("seq {seq} was sent after a later seq had been answered");
                say("out-of-order", what);
            }
            earliest_done_us = earliest_done_us.min(answer.done_us);
        }
    }

    /// Refused bids were to be refused at one of the places where they can have come.
    fn refused(&self, asked: &Asked<'_>, say: &mut impl FnMut(&'static str, String)) {
        let seq_of: HashMap<RequestId, usize> = self
            .entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (entry.request_id, at))
            .collect();
        // When each entry's bid was sent and answered; those before the load long ago.
        let mut sent_us = vec![i64::MIN; self.entries.len()];
        let mut done_us = vec![i64::MIN; self.entries.len()];
        for (_, bid, answer) in asked {
            if let Some(at) = seq_of.get(&bid.request_id) {
                sent_us[*at] = answer.sent_us;
                done_us[*at] = answer.done_us;
            }
        }
        // The last entry that was answered by an instant: answers come in any order.
        let mut answered: Vec<(i64, usize)> = done_us.iter().copied().zip(0..).collect();
        answered.sort_unstable();
        let mut last = 0;
        for (_, at) in &mut answered {
            last = last.max(*at);
            *at = last;
        }
        let mut sent: Vec<(i64, usize)> = sent_us.iter().copied().zip(0..).collect();
        sent.sort_unstable();
        let mut last = 0;
        for (_, at) in &mut sent {
            last = last.max(*at);
            *at = last;
        }
        let last_by = |order: &[(i64, usize)], us: i64| {
            let upto = order.partition_point(|(at_us, _)| *at_us <= us);
            upto.checked_sub(1).map_or(0, |at| order[at].1)
        };
        for (number, bid, answer) in asked {
            let Reply::Refused { refusal, now } = &answer.reply else {
                continue;
            };
            let first = last_by(&answered, answer.sent_us);
            let last = last_by(&sent, answer.done_us).max(first);
            let judged = |state: &State| self.refuses(state, bid, *now, refusal);
            if !self.states[first..=last].iter().any(judged) {
                let (code, first, last) = (refusal.code(), first + 1, last + 1);
                let what = format!(
                    "bid {number} was refused ({code}); not so after seq {first} to {last}"
                );
                say("wrong-refusal", what);
            }
        }
    }

    fn refuses(&self, state: &State, bid: &Bid, now: Micros, refusal: &Refusal) -> bool {
        decide(&self.book.terms, state, bid, now).as_ref() == Err(refusal)
    }

    /// Closed, with the winner that the highest maximum makes.
    fn closed(&self, dossier: &Dossier, say: &mut impl FnMut(&'static str, String)) {
        let Some(row) = &dossier.row else {
            say(
                "not-closed",
                "the auction's row is absent or damaged".to_owned(),
            );
            return;
        };
        if !row.status.is_closed() {
            say("not-closed", format!("it is {}", row.status.as_str()));
            return;
        }
        let bids = self.entries.iter().filter(|entry| entry.kind == Kind::Bid);
        // Of equal maxima the one that was there first; `max_by_key` would take the last.
        let highest = bids
            .filter_map(|entry| entry.secret.map(|secret| (secret.amount, &entry.actor)))
            .reduce(|first, next| if next.0 > first.0 { next } else { first });
        let leader = highest.map(|(_, bidder)| bidder);
        if row.leader.as_ref() != leader {
            say(
                "wrong-leader",
                "the leader has not the highest maximum".to_owned(),
            );
        }
        let winner = leader.filter(|_| row.reserve_met);
        if row.winner.as_ref() != winner {
            say(
                "wrong-winner",
                "the winner is not the leader who met the reserve".to_owned(),
            );
        }
    }
}

/// The first thing in which an answer differs from its entry.
fn differs(bid: &Bid, told: &BidAnswer, entry: &Entry) -> Option<String> {
    let expected = [
        ("bidder", entry.actor == bid.bidder),
        (
            "maximum",
            entry
                .secret
                .is_some_and(|secret| secret.amount.minor() == bid.maximum),
        ),
        ("seq", entry.seq == told.seq),
        ("time", entry.at == told.at),
        ("price", entry.price == Some(told.price)),
        (
            "leading",
            (entry.leader.as_ref() == Some(&bid.bidder)) == told.leading,
        ),
        ("end", entry.end == told.end),
        ("extended", entry.extended == told.extended),
    ];
    let wrong = expected.into_iter().find(|(_, same)| !same)?;
    Some(format!("the answer's {} is another", wrong.0))
}
