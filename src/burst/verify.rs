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
use super::stage::{Stage, Times};
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
    times: Times,
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
    pub(super) fn new(
        stage: &'a Stage,
        plan: &'a Plan,
        answers: &'a [Option<Answered>],
        times: Times,
    ) -> Self {
        let mut by_lot: HashMap<u32, Vec<usize>> = HashMap::new();
        for (number, bid) in plan.bids.iter().enumerate() {
            by_lot.entry(bid.lot).or_default().push(number);
        }
        Self {
            stage,
            plan,
            answers,
            times,
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
        self.opening(place, &told, &mut say);
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

    /// What the auction was made with is there as it was made.
    fn opening(&self, place: u32, told: &Told<'_>, say: &mut impl FnMut(&'static str, String)) {
        let lot = usize::try_from(place)
            .ok()
            .and_then(|at| self.plan.lots.get(at));
        let made = lot.map(|lot| self.stage.dossier(place, lot, self.times));
        if let Some(Ok(made)) = made
            && !told.entries.starts_with(&made.entries)
        {
            let what = "the creation, or a bid from before the load, is not as it was made";
            say("opening-differs", what.to_owned());
        }
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
        // When each entry's bid was sent and answered: those before the load long ago, and of
        // what nobody of the run asked for nothing is known.
        let mut sent_us = vec![i64::MIN; self.entries.len()];
        let before = |entry: &Entry| entry.at <= self.entries[0].at;
        let done = self
            .entries
            .iter()
            .map(|entry| if before(entry) { i64::MIN } else { i64::MAX });
        let mut done_us: Vec<i64> = done.collect();
        for (_, bid, answer) in asked {
            if let Some(at) = seq_of.get(&bid.request_id) {
                sent_us[*at] = answer.sent_us;
                done_us[*at] = answer.done_us;
            }
        }
        let (sent, answered) = (Latest::of(&sent_us), Latest::of(&done_us));
        for (number, bid, answer) in asked {
            let Reply::Refused { refusal, now } = &answer.reply else {
                continue;
            };
            let first = answered.by(answer.sent_us);
            let last = sent.by(answer.done_us).max(first);
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

/// The last of some entries that had come by an instant; they come in any order.
struct Latest(Vec<(i64, usize)>);

impl Latest {
    /// Of each entry's instant.
    fn of(instants_us: &[i64]) -> Self {
        let mut by_instant: Vec<(i64, usize)> = instants_us.iter().copied().zip(0..).collect();
        by_instant.sort_unstable();
        let mut last = 0;
        for (_, place) in &mut by_instant {
            last = last.max(*place);
            *place = last;
        }
        Self(by_instant)
    }

    /// The place of the last one; 0, the creation, if none had.
    fn by(&self, us: i64) -> usize {
        let upto = self.0.partition_point(|(at_us, _)| *at_us <= us);
        upto.checked_sub(1).map_or(0, |at| self.0[at].1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auction::{CloseOutcome, IdRange, Status};
    use crate::burst::plan::{Lot, PlannedBid};
    use crate::burst::run_id::RunId;
    use crate::store::AuctionRow;

    const BEGAN_US: i64 = 1_800_000_000_000_000;
    const END_US: i64 = 60_000_000;

    /// One auction that eight bids at once came upon, and then a late one.
    struct Scene {
        stage: Stage,
        plan: Plan,
        answers: Vec<Option<Answered>>,
        dossier: Dossier,
    }

    fn at(us: i64) -> Micros {
        Micros::new(BEGAN_US + us).unwrap()
    }

    fn times() -> Times {
        Times {
            made: at(-5_000_000),
            began: at(0),
        }
    }

    fn scene() -> Scene {
        let stage = Stage::new(RunId::new(7).unwrap(), 1).unwrap();
        let lot = Lot {
            end_us: END_US,
            reserve: None,
            opening: vec![(9, 2_000)],
            flat: false,
            soft_close: false,
        };
        let maxima = [5_000, 3_000, 9_000, 2_010, 7_000, 1, 12_000, 8_000];
        let bids = maxima.iter().zip(0..).map(|(maximum, bidder)| PlannedBid {
            due_us: i64::from(bidder) * 100,
            lot: 0,
            bidder,
            maximum: *maximum,
        });
        let late = PlannedBid {
            due_us: END_US + 1,
            lot: 0,
            bidder: 3,
            maximum: 90_000,
        };
        let plan = Plan {
            bids: bids.chain([late]).collect(),
            lots: vec![lot],
            unpaced: false,
            length_us: END_US,
        };
        let times = times();
        let mut dossier = stage.dossier(0, &plan.lots[0], times).unwrap();
        let mut book = Book::replay(&dossier.entries).unwrap();
        let mut answers = Vec::new();
        for (number, planned) in (0..).zip(&plan.bids) {
            let bid = stage
                .bid(number, 0, planned.bidder, planned.maximum)
                .unwrap();
            let now = at(planned.due_us + 50);
            let reply = match book.decide_bid(&bid, now) {
                Err(refusal) => Reply::Refused { refusal, now },
                Ok(entry) => {
                    book.fold(&entry).unwrap();
                    dossier.entries.push(entry.clone());
                    Reply::Done(BidAnswer {
                        seq: entry.seq,
                        at: entry.at,
                        price: entry.price.unwrap(),
                        leading: entry.leader.as_ref() == Some(&bid.bidder),
                        end: entry.end,
                        extended: entry.extended,
                        minimum: 0,
                        now,
                        voided: false,
                    })
                }
            };
            answers.push(Some(Answered {
                due_us: planned.due_us,
                sent_us: planned.due_us,
                done_us: planned.due_us + 90,
                retries: 0,
                reply,
            }));
        }
        let mut row = AuctionRow::of(book.auction_id, book.terms.clone(), &book.state);
        let outcome = CloseOutcome::of(row.leader.as_ref(), row.price, row.reserve_met);
        row.status = outcome.status;
        row.winner = outcome.winner;
        dossier.row = Some(row);
        Scene {
            stage,
            plan,
            answers,
            dossier,
        }
    }

    impl Scene {
        fn kinds(&self) -> Vec<&'static str> {
            let verifier = Verifier::new(&self.stage, &self.plan, &self.answers, times());
            let faults = verifier.judge(0, &self.dossier);
            faults.iter().map(|fault| fault.kind).collect()
        }

        fn answer(&mut self, number: usize) -> &mut Answered {
            self.answers[number].as_mut().unwrap()
        }

        fn told(&mut self, number: usize) -> &mut BidAnswer {
            match &mut self.answer(number).reply {
                Reply::Done(told) => told,
                other => panic!("{other:?}"),
            }
        }

        fn row(&mut self) -> &mut AuctionRow {
            self.dossier.row.as_mut().unwrap()
        }
    }

    #[test]
    fn a_run_that_went_well_has_no_fault() {
        let scene = scene();
        let refused: Vec<&str> = scene
            .answers
            .iter()
            .flatten()
            .filter_map(|answer| match &answer.reply {
                Reply::Refused { refusal, .. } => Some(refusal.code()),
                _ => None,
            })
            .collect();
        assert_eq!(refused, ["too-low", "too-low", "too-low", "ended"]);
        assert_eq!(scene.kinds(), [""; 0]);
    }

    #[test]
    fn a_bid_that_was_accepted_and_is_gone_is_lost() {
        let mut scene = scene();
        scene.dossier.entries.pop();
        let kinds = scene.kinds();
        assert_eq!(kinds[0], "lost-bid");
    }

    #[test]
    fn an_answer_that_differs_is_seen_whatever_differs() {
        let changes: [fn(&mut BidAnswer); 6] = [
            |told| told.seq += 1,
            |told| told.at = at(1_000),
            |told| told.price = crate::auction::Amount::new(1).unwrap(),
            |told| told.leading = !told.leading,
            |told| told.end = at(END_US + 1),
            |told| told.extended = true,
        ];
        for change in changes {
            let mut scene = scene();
            change(scene.told(0));
            assert_eq!(scene.kinds(), ["answer-differs"]);
        }
    }

    #[test]
    fn a_refused_bid_must_not_count() {
        let mut scene = scene();
        let refusal = Refusal::TooLow { minimum: 1 };
        scene.answer(6).reply = Reply::Refused {
            refusal,
            now: at(650),
        };
        assert_eq!(scene.kinds(), ["refused-bid-counts", "wrong-refusal"]);
    }

    #[test]
    fn a_refusal_must_have_been_right_while_the_bid_was_under_way() {
        // 8,000 was too low after 12,000 had come.
        let mut early = scene();
        early.answer(7).sent_us = 550;
        assert_eq!(early.kinds(), [""; 0], "12,000 was under way");
        let mut early = scene();
        for (number, us) in [(7, 0), (6, 600)] {
            early.answer(number).sent_us = us;
            early.answer(number).done_us = us + 90;
        }
        assert_eq!(early.kinds(), ["wrong-refusal"]);
        // A minimum that was never in force.
        let mut other = scene();
        let refusal = Refusal::TooLow { minimum: 1 };
        let now = at(750);
        other.answer(7).reply = Reply::Refused { refusal, now };
        assert_eq!(other.kinds(), ["wrong-refusal"]);
        // Told that it was late, in time.
        let mut late = scene();
        let Reply::Refused { now, .. } = &mut late.answer(8).reply else {
            panic!("the late bid is refused");
        };
        *now = at(END_US - 1);
        assert_eq!(late.kinds(), ["wrong-refusal"]);
    }

    #[test]
    fn a_bid_cannot_come_before_one_that_was_answered_already() {
        let mut scene = scene();
        // The first was sent when the third had been answered.
        scene.answer(0).sent_us = 300;
        scene.answer(0).done_us = 390;
        assert!(scene.kinds().contains(&"out-of-order"));
    }

    #[test]
    fn a_bid_from_before_the_load_must_stay() {
        let mut scene = scene();
        scene.dossier.entries[1].at = at(-4_000_000);
        assert!(scene.kinds().contains(&"opening-differs"));
    }

    #[test]
    fn an_entry_of_nobodys_is_seen() {
        let mut scene = scene();
        scene.answers[6] = None;
        assert_eq!(scene.kinds(), ["unasked-entry"]);
    }

    #[test]
    fn the_close_is_held_against_the_bids() {
        let mut open = scene();
        open.row().status = Status::Open;
        assert_eq!(open.kinds(), ["not-closed"]);
        let mut other = scene();
        other.row().winner = None;
        assert_eq!(other.kinds(), ["wrong-winner"]);
        let mut other = scene();
        let first = other.dossier.entries[1].actor.clone();
        other.row().leader = Some(first.clone());
        other.row().winner = Some(first);
        assert_eq!(other.kinds(), ["wrong-leader", "wrong-winner"]);
        let mut absent = scene();
        absent.dossier.row = None;
        assert_eq!(absent.kinds(), ["not-closed"]);
        let ids: IdRange = RunId::new(7).unwrap().ids().unwrap();
        assert!(ids.holds(absent.dossier.entries[0].auction_id));
    }
}
