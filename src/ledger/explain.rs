//! One auction told entry by entry: what happened, which rule applied, who led at what price, and
//! why a bid lost. For operators and auditors: maxima are named.
//!
//! It tells what the rules derive from the ledger; whether that is what is recorded is the
//! audit's business.

use serde::Serialize;
use thiserror::Error;

use super::fate::fates;
use super::notes::party;
use crate::auction::book::FoldError;
use crate::auction::operator::{CancelDetail, VoidDetail};
use crate::auction::terms::AmendDetail;
use crate::auction::{
    Amount, Book, CloseOutcome, Currency, Entry, Kind, Micros, OwnRaise, PartyId, Span, State,
    Status, Terms,
};
use crate::store::Dossier;

/// Why an auction cannot be explained.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExplainError {
    /// It has no entry.
    #[error("auction {0} has no ledger")]
    NoLedger(i64),
    /// An entry cannot be folded.
    #[error("auction {auction_id} seq {seq}: {source}")]
    Entry {
        /// The auction.
        auction_id: i64,
        /// The entry.
        seq: i64,
        /// Why not.
        source: FoldError,
    },
}

/// An auction's story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of the auction's terms")]
pub struct Explanation {
    pub auction_id: i64,
    pub title: String,
    pub seller: String,
    pub currency: String,
    pub start_price: String,
    /// Secret; the auditor's view.
    pub reserve: Option<String>,
    pub steps: String,
    pub own_raise: String,
    pub soft_close: Option<String>,
    pub start: String,
    /// The end before any extension.
    pub first_end: String,
    /// Up to when it is told, where not to the end.
    pub as_of: Option<String>,
    /// How many entries there are, told or not.
    pub entries_total: i64,
    pub entries: Vec<Told>,
    /// The status that the row has, where there is one.
    pub status: Option<String>,
    pub winner: Option<String>,
    pub final_price: Option<String>,
    /// How it ended or stands, in a sentence.
    pub result: String,
}

/// One entry's part of the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub struct Told {
    pub seq: i64,
    pub kind: String,
    pub at: String,
    pub actor: String,
    /// Secret; the auditor's view.
    pub maximum: Option<String>,
    pub price_before: Option<String>,
    pub price_after: Option<String>,
    pub leader_before: Option<String>,
    pub leader_after: Option<String>,
    pub end_after: String,
    pub extended: bool,
    /// The rule that set the price, by its kept name.
    pub rule: &'static str,
    /// What became of a bid, by its kept name.
    pub fate: Option<&'static str>,
    /// The entry that decided it.
    pub fate_seq: Option<i64>,
    /// What happened and why, in sentences.
    pub text: String,
}

/// Tells an auction's story. Its secrets must be visible, its ledger foldable.
pub fn explain(dossier: &Dossier) -> Result<Explanation, ExplainError> {
    let auction_id = dossier.auction_id;
    let first = dossier
        .entries
        .first()
        .ok_or(ExplainError::NoLedger(auction_id))?;
    let broken = |entry: &Entry, source| ExplainError::Entry {
        auction_id,
        seq: entry.seq,
        source,
    };
    let mut book = Book::open(first).map_err(|source| broken(first, source))?;
    let mut entries = vec![told_create(first, &book)];
    let mut leaders = vec![None];
    for entry in dossier.entries.iter().skip(1) {
        let before = Before {
            state: book.state.clone(),
            terms_in_force: book.terms_in_force(),
        };
        book.fold(entry).map_err(|source| broken(entry, source))?;
        entries.push(told(entry, &before, &book));
        leaders.push(book.state.leader_id().cloned());
    }
    let terms = &book.terms;
    let row = dossier.row.as_ref();
    let leaders: Vec<_> = leaders.iter().map(Option::as_ref).collect();
    let status = row.map_or(book.state.status, |row| row.status);
    let met = book.state.standing.reserve_met(terms);
    let fates = fates(&dossier.entries, &leaders, (status, met));
    for told in &mut entries {
        let fate = fates.get(&told.seq);
        told.fate = fate.map(|fate| fate.as_str());
        told.fate_seq = fate.and_then(|fate| fate.seq());
    }
    Ok(Explanation {
        auction_id,
        title: terms.title.clone(),
        seller: terms.seller.to_string(),
        currency: terms.currency.code().to_owned(),
        start_price: terms.currency.format(terms.start_price),
        reserve: terms.reserve.map(|reserve| terms.currency.format(reserve)),
        steps: steps(terms),
        own_raise: terms.own_raise.as_str().to_owned(),
        soft_close: soft_close(terms),
        start: terms.start.to_string(),
        first_end: terms.end.to_string(),
        as_of: None,
        entries_total: dossier.entries.last().map_or(0, |last| last.seq),
        entries,
        status: row.map(|row| row.status.as_str().to_owned()),
        winner: row.and_then(|row| row.winner.as_ref().map(ToString::to_string)),
        final_price: row
            .and_then(|row| row.final_price)
            .map(|price| terms.currency.format(price)),
        result: result(&book, row.map(|row| row.status)),
    })
}

/// What an entry is measured against.
struct Before {
    state: State,
    terms_in_force: Terms,
}

fn in_words(currency: Currency, amount: Amount) -> String {
    format!("{} {currency}", currency.format(amount))
}

/// The soft close in words.
pub(super) fn soft_close(terms: &Terms) -> Option<String> {
    let soft = terms.soft_close?;
    let mut text = format!("in the last {} by {}", soft.window, soft.extend_by);
    if let Some(cap) = soft.cap {
        text.push_str(&format!(", never past {cap}"));
    }
    Some(text)
}

/// The steps in words.
pub(super) fn steps(terms: &Terms) -> String {
    let currency = terms.currency;
    match terms.steps.rungs() {
        [only] => format!("{} each", currency.format(only.1)),
        rungs => {
            let rungs = rungs.iter().map(|rung| {
                let (from, step) = (currency.format(rung.0), currency.format(rung.1));
                format!("{from}: {step}")
            });
            let rungs: Vec<_> = rungs.collect();
            format!("{} ({})", terms.steps.name(), rungs.join(", "))
        }
    }
}

fn result(book: &Book, status: Option<Status>) -> String {
    let state = &book.state;
    if state.status == Status::Cancelled {
        return "cancelled: nobody buys".to_owned();
    }
    let met = state.standing.reserve_met(&book.terms);
    let outcome = CloseOutcome::of(state.leader_id(), state.price(), met);
    let told = match (&outcome.winner, outcome.final_price, state.leader_id()) {
        (Some(winner), Some(price), _) => {
            format!("{winner} buys at {}", in_words(book.terms.currency, price))
        }
        (_, _, Some(_)) => "the reserve is not met: unsold".to_owned(),
        _ => "nobody bid that counts: unsold".to_owned(),
    };
    match status {
        Some(status) if status.is_closed() => told,
        _ => format!(
            "not closed yet; as it stands, {told} at {}",
            told_at(state.end)
        ),
    }
}

fn base(entry: &Entry, before: Option<&State>, book: &Book) -> Told {
    let currency = book.terms.currency;
    let price = |state: &State| state.price().map(|price| currency.format(price));
    let leader = |state: &State| state.leader_id().map(ToString::to_string);
    Told {
        seq: entry.seq,
        kind: entry.kind.as_str().to_owned(),
        at: entry.at.to_string(),
        actor: entry.actor.to_string(),
        maximum: None,
        price_before: before.and_then(price),
        price_after: price(&book.state),
        leader_before: before.and_then(leader),
        leader_after: leader(&book.state),
        end_after: book.state.end.to_string(),
        extended: false,
        rule: "none",
        fate: None,
        fate_seq: None,
        text: String::new(),
    }
}

fn told_create(entry: &Entry, book: &Book) -> Told {
    let terms = &book.terms;
    let start = in_words(terms.currency, terms.start_price);
    let mut text = format!(
        "{} offers \"{}\" from {start}, until {}.",
        terms.seller,
        terms.title,
        told_at(terms.end)
    );
    if let Some(reserve) = terms.reserve {
        let reserve = in_words(terms.currency, reserve);
        text.push_str(&format!(" The hidden reserve is {reserve}."));
    }
    Told {
        text,
        ..base(entry, None, book)
    }
}

fn told(entry: &Entry, before: &Before, book: &Book) -> Told {
    let part = base(entry, Some(&before.state), book);
    match entry.kind {
        Kind::Bid => told_bid(entry, &before.state, book, part),
        Kind::Void => {
            let text = match VoidDetail::from_detail(&entry.detail) {
                Ok(detail) => told_void(&detail, &part, book.terms.currency),
                Err(error) => error.to_string(),
            };
            let rule = "re-fold";
            Told { rule, text, ..part }
        }
        Kind::Amend => {
            let reserve = entry.secret.map(|secret| secret.amount);
            let text = match AmendDetail::from_detail(&entry.detail, reserve) {
                Ok(detail) => told_amend(&entry.actor, &detail, &before.terms_in_force),
                Err(error) => error.to_string(),
            };
            Told { text, ..part }
        }
        Kind::Create | Kind::Cancel => {
            let reason = CancelDetail::from_detail(&entry.detail).map(|detail| detail.reason);
            let reason = reason.unwrap_or_default();
            let text = format!(
                "{} cancels the auction: {reason}. No further bid is taken.",
                entry.actor
            );
            Told { text, ..part }
        }
    }
}

fn told_void(detail: &VoidDetail, part: &Told, currency: Currency) -> String {
    let seqs: Vec<_> = detail.targets.iter().map(ToString::to_string).collect();
    let price = |price: &Option<String>| match price {
        Some(price) => format!("{price} {currency}"),
        None => "no price".to_owned(),
    };
    let leader = part.leader_after.as_deref().unwrap_or("nobody");
    format!(
        "{} voids {}'s bid {}: {}. All other bids are folded again, minima not checked: from {} \
         to {}, {leader} leads.",
        part.actor,
        detail.bidder,
        seqs.join(", "),
        detail.reason,
        price(&part.price_before),
        price(&part.price_after),
    )
}

fn told_amend(actor: &PartyId, detail: &AmendDetail, was: &Terms) -> String {
    let changed = changes(was, &detail.terms).join(", ");
    format!("{actor} amends the terms, {changed}: {}.", detail.reason)
}

/// What differs between the terms in force and those of an amendment, in words without amounts.
pub(super) fn changes(was: &Terms, now: &Terms) -> Vec<String> {
    let changes = [
        ("title", was.title != now.title),
        ("start price", was.start_price != now.start_price),
        ("steps", was.steps != now.steps),
        ("reserve", was.reserve != now.reserve),
        ("own raise", was.own_raise != now.own_raise),
        ("soft close", was.soft_close != now.soft_close),
        ("start", was.start != now.start),
    ];
    let mut changed: Vec<String> = changes
        .into_iter()
        .filter(|(_, differs)| *differs)
        .map(|(name, _)| format!("{name} changed"))
        .collect();
    if was.end != now.end {
        let (was, now) = (told_at(was.end), told_at(now.end));
        changed.push(format!("the end moves from {was} to {now}"));
    }
    changed
}

fn told_bid(entry: &Entry, before: &State, book: &Book, part: Told) -> Told {
    let terms = &book.terms;
    let Some(maximum) = entry.secret.map(|secret| secret.amount) else {
        return part;
    };
    let bid = BidStory {
        entry,
        maximum,
        before,
        after: &book.state,
        terms,
    };
    let (rule, priced) = bid.price();
    let mut text = format!("{} {priced}", bid.standing());
    let extended = book.state.end > before.end;
    if extended {
        text.push_str(&extension(terms, before.end, book.state.end, entry.at));
    }
    Told {
        maximum: Some(terms.currency.format(maximum)),
        extended,
        rule,
        text,
        ..part
    }
}

/// An instant in a sentence: the fraction only where there is one.
fn told_at(instant: Micros) -> String {
    let text = instant.to_string();
    match text.strip_suffix(".000000Z") {
        Some(seconds) => format!("{seconds}Z"),
        None => text,
    }
}

fn extension(terms: &Terms, was: Micros, end: Micros, at: Micros) -> String {
    let window = terms
        .soft_close
        .map_or_else(String::new, |soft| soft.window.to_string());
    let left =
        Span::new(was.since(at)).map_or_else(|_| "nothing".to_owned(), |left| left.to_string());
    let (was, end) = (told_at(was), told_at(end));
    format!(
        " Soft close: {left} was left, less than {window}, so the end moves from {was} to {end}."
    )
}

/// A bid between the state before and the state after it.
struct BidStory<'a> {
    entry: &'a Entry,
    maximum: Amount,
    before: &'a State,
    after: &'a State,
    terms: &'a Terms,
}

impl BidStory<'_> {
    fn money(&self, amount: Amount) -> String {
        in_words(self.terms.currency, amount)
    }

    /// Who leads, and why.
    fn standing(&self) -> String {
        let (bidder, maximum) = (&self.entry.actor, self.money(self.maximum));
        match &self.before.standing.leader {
            None => format!("{bidder} opens with a maximum of {maximum} and leads."),
            Some(leader) if leader.bidder == *bidder => format!(
                "{bidder} leads already and raises the own maximum from {} to {maximum}.",
                self.money(leader.maximum)
            ),
            Some(leader) if self.maximum > leader.maximum => format!(
                "{bidder} bids up to {maximum}, above {}'s maximum of {}, and takes the lead.",
                leader.bidder,
                self.money(leader.maximum)
            ),
            Some(leader) if self.maximum == leader.maximum => format!(
                "{bidder} bids up to {maximum} and ties with {}'s maximum: the earlier bid wins.",
                leader.bidder
            ),
            Some(leader) => format!(
                "{bidder} bids up to {maximum} and is outbid at once: {}'s maximum is {}.",
                leader.bidder,
                self.money(leader.maximum)
            ),
        }
    }

    /// What the price is, and by which rule.
    fn price(&self) -> (&'static str, String) {
        let standing = &self.after.standing;
        let (Some(leader), Some(price)) = (&standing.leader, standing.price) else {
            return ("none", String::new());
        };
        let told = self.money(price);
        let own_raise = self.before.leader_id() == Some(&self.entry.actor);
        let keeps = own_raise && self.terms.own_raise == OwnRaise::Keep;
        let from = self.before.standing.price;
        let lifted = self.terms.reserve == Some(price)
            && from.is_none_or(|from| from < price)
            && standing.runner_up.is_none_or(|second| {
                self.terms.steps.next(second).min(leader.maximum.minor()) < price.minor()
            });
        if lifted && self.terms.start_price < price {
            let text =
                format!("The leader reaches the reserve, so the price is at least that: {told}.");
            return ("reserve", text);
        }
        if keeps {
            let text = format!("An own raise leaves the price at {told}.");
            return ("own-raise-keeps", text);
        }
        let Some(second) = standing.runner_up else {
            let text = format!("Without a second bidder the price is the start price, {told}.");
            return ("start-price", text);
        };
        let step = Amount::new(self.terms.steps.step_at(second));
        let step = step.map_or_else(|_| "a step".to_owned(), |step| self.money(step));
        let sum = format!(
            "the runner-up's maximum {} plus the step {step}",
            self.money(second)
        );
        let next = self.terms.steps.next(second);
        if next == price.minor() {
            return (
                "runner-up-plus-step",
                format!("The price is {sum}: {told}."),
            );
        }
        if price == leader.maximum {
            let text = format!(
                "{sum} would exceed {}'s maximum, which is the price: {told}.",
                party(Some(&leader.bidder))
            );
            return ("leader-maximum", upper_first(&text));
        }
        (
            "reserve",
            format!("The price stays at the reserve, {told}."),
        )
    }
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
