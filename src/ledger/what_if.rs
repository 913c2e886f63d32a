//! What if: an auction derived again over its recorded commands, under other terms or without some
//! of its bids.
//!
//! Every recorded bid is judged again at its instant and with its maximum; voids, amendments and
//! cancellations follow in their order. It is assumed that everybody would have acted the same:
//! a bid that the other terms refuse is left out, nobody bids instead of it, nobody bids in a
//! prolonged end, and bids that were refused in fact are unknown. An amendment keeps what it
//! changed, except what the question changes; an end that it set stays that instant. An action
//! after the derived end is left out like a bid.

use super::rebuild::bid_of;
use super::what_if_change::WhatIf;
use crate::auction::book::{Create, FoldError};
use crate::auction::entry::ZERO;
use crate::auction::terms::AmendDetail;
use crate::auction::{
    Amount, Book, CloseOutcome, CloseResult, Currency, Entry, Kind, Micros, PartyId, Secret,
    Status, Terms,
};
use crate::store::Dossier;

/// How an auction ends, or would by what there is of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// `sold`, `no-bids`, `reserve-not-met` or `cancelled`.
    pub result: &'static str,
    /// Who buys.
    pub winner: Option<PartyId>,
    /// The last price, sold or not.
    pub price: Option<Amount>,
    /// The end in force.
    pub end: Micros,
    /// Bids that count.
    pub bids: i64,
}

/// An auction as it was and as it would have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The auction.
    pub auction_id: i64,
    /// Its currency.
    pub currency: Currency,
    /// As the rules give it under its own terms.
    pub was: Outcome,
    /// As they would.
    pub would: Outcome,
    /// Entries that would not have been taken, by seq, with the refusal's code.
    pub not_taken: Vec<(i64, &'static str)>,
    /// What the rules give is what is recorded.
    pub record_agrees: bool,
}

impl Compared {
    /// What would differ: of `result`, `winner`, `price`, `end` and `bids`.
    pub fn changes(&self) -> Vec<&'static str> {
        let (was, would) = (&self.was, &self.would);
        let all = [
            ("result", was.result != would.result),
            ("winner", was.winner != would.winner),
            ("price", was.price != would.price),
            ("end", was.end != would.end),
            ("bids", was.bids != would.bids),
        ];
        let changed = all.into_iter().filter(|(_, differs)| *differs);
        changed.map(|(name, _)| name).collect()
    }
}

/// What became of the question for one auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Derived {
    /// An answer.
    Compared(Box<Compared>),
    /// Its terms cannot be changed like that.
    NotApplicable(String),
    /// Its ledger cannot be derived.
    Unreadable(String),
    /// Its secrets are hidden from this reader.
    Hidden,
}

/// Asks the question of one auction.
pub fn what_if(question: &WhatIf, dossier: &Dossier) -> Derived {
    if !dossier.secrets_visible {
        return Derived::Hidden;
    }
    if let Some(damage) = dossier.damage.first() {
        return Derived::Unreadable(damage.to_string());
    }
    let derived = Book::replay(&dossier.entries)
        .map_err(|error| Derived::Unreadable(error.to_string()))
        .and_then(|book| {
            let would = rederive(question, &dossier.entries)?;
            Ok((book, would))
        });
    let (book, (other, not_taken)) = match derived {
        Ok(derived) => derived,
        Err(why) => return why,
    };
    Derived::Compared(Box::new(Compared {
        auction_id: dossier.auction_id,
        currency: book.terms.currency,
        was: outcome(&book),
        would: outcome(&other),
        not_taken,
        record_agrees: agrees(&book, dossier),
    }))
}

fn outcome(book: &Book) -> Outcome {
    let state = &book.state;
    let met = state.standing.reserve_met(&book.terms);
    let closed = CloseOutcome::of(state.leader_id(), state.price(), met);
    let cancelled = state.status == Status::Cancelled;
    Outcome {
        result: if cancelled {
            "cancelled"
        } else {
            closed.result.as_str()
        },
        winner: closed.winner.filter(|_| !cancelled),
        price: state.price(),
        end: state.end,
        bids: state.bid_count,
    }
}

impl Outcome {
    /// What is paid; none if it is not sold.
    pub fn paid(&self) -> Option<Amount> {
        let sold = self.result == CloseResult::Sold.as_str();
        self.price.filter(|_| sold)
    }
}

/// Whether the row records what the rules give.
fn agrees(book: &Book, dossier: &Dossier) -> bool {
    let Some(row) = &dossier.row else {
        return false;
    };
    let (state, was) = (&book.state, outcome(book));
    let stands = row.leader.as_ref() == state.leader_id()
        && row.price == state.price()
        && row.end == state.end;
    let closed = row.winner == was.winner && row.final_price == was.paid();
    stands && (closed || !row.status.is_closed())
}

/// What the record has before an entry.
#[derive(Debug, Clone, Copy)]
struct Recorded {
    end: Micros,
    had_bid: bool,
}

type Rederived = (Book, Vec<(i64, &'static str)>);

fn rederive(question: &WhatIf, entries: &[Entry]) -> Result<Rederived, Derived> {
    let unreadable = |error: FoldError| Derived::Unreadable(error.to_string());
    let Some((first, later)) = entries.split_first() else {
        return Err(unreadable(FoldError::Create));
    };
    let recorded = Book::open(first).map_err(unreadable)?.terms;
    let terms = question
        .applied(&recorded)
        .map_err(Derived::NotApplicable)?;
    let mut book = opened(first, terms)?;
    let mut not_taken = Vec::new();
    let mut before = Recorded {
        end: first.end,
        had_bid: false,
    };
    for entry in later {
        let recorded = before;
        before = Recorded {
            end: entry.end,
            had_bid: recorded.had_bid || entry.kind == Kind::Bid,
        };
        if question.leaves_out(entry) {
            continue;
        }
        let next = match entry.kind {
            Kind::Bid => again(&book, entry).map_err(unreadable)?,
            _ if entry.at >= book.state.end => Err("ended"),
            Kind::Amend => Ok(amended(question, &book, entry, recorded)?),
            Kind::Create | Kind::Void | Kind::Cancel => Ok(entry.clone()),
        };
        match next {
            Ok(next) => book.fold(&next).map_err(unreadable)?,
            Err(code) => not_taken.push((entry.seq, code)),
        }
    }
    Ok((book, not_taken))
}

/// Opened under other terms.
fn opened(first: &Entry, terms: Terms) -> Result<Book, Derived> {
    let create = Create {
        auction_id: first.auction_id,
        request_id: first.request_id,
        actor: first.actor.clone(),
        nonce: first.secret.map_or([0; 16], |secret| secret.nonce),
        terms,
    };
    let entry = Book::decide_create(&create, first.at)
        .map_err(|refusal| Derived::NotApplicable(refusal.to_string()))?;
    Book::open(&entry).map_err(|error| Derived::Unreadable(error.to_string()))
}

/// A bid judged again, under its own seq, so that a void finds it.
fn again(book: &Book, entry: &Entry) -> Result<Result<Entry, &'static str>, FoldError> {
    let bid = bid_of(book, entry).ok_or(FoldError::Hidden)?;
    let decided = book.decide_bid(&bid, entry.at);
    let under_its_seq = |decided| Entry {
        seq: entry.seq,
        ..decided
    };
    Ok(decided.map(under_its_seq).map_err(|refusal| refusal.code()))
}

/// An amendment with the question's changes in it. Only an end that it moved moves the end.
fn amended(
    question: &WhatIf,
    book: &Book,
    entry: &Entry,
    recorded: Recorded,
) -> Result<Entry, Derived> {
    let reserve = entry.secret.map(|secret| secret.amount);
    let detail = AmendDetail::from_detail(&entry.detail, reserve)
        .map_err(|error| Derived::Unreadable(error.to_string()))?;
    let moved = detail.terms.end != recorded.end;
    let stated = Terms {
        end: if moved {
            detail.terms.end
        } else {
            book.state.end
        },
        ..detail.terms
    };
    let terms = question.applied(&stated).map_err(Derived::NotApplicable)?;
    // After a bid only the end could change, whether or not that bid is taken here.
    if !recorded.had_bid {
        terms
            .check(entry.at)
            .map_err(|refusal| Derived::NotApplicable(refusal.to_string()))?;
    }
    let nonce = entry.secret.map_or([0; 16], |secret| secret.nonce);
    let secret = terms.reserve.map(|amount| Secret { amount, nonce });
    let reason = detail.reason;
    Ok(Entry {
        secret,
        commit: ZERO,
        detail: AmendDetail { reason, terms }.to_detail(),
        ..entry.clone()
    })
}
