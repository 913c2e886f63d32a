//! What an operator can do before the end: void, amend, cancel.
//!
//! Each is a ledger entry with actor and reason, decided under the same lock and in the same
//! `seq` as the bids. None extends the auction. All are refused `ended` from the end on, so that
//! how late a closer runs decides no outcome.

use serde::{Deserialize, Serialize};

use super::book::Book;
use super::entry::{Entry, Kind, Nonce, Secret, ZERO};
use super::ids::{PartyId, RequestId};
use super::money::Amount;
use super::price::Standing;
use super::refusal::Refusal;
use super::state::Status;
use super::terms::{self, AmendDetail, DetailError, SoftClose, Terms};
use super::time::{Micros, Span};
use super::{ExtendMode, ExtendTrigger, OwnRaise, StepTable};

/// An operator's command on one auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The idempotency key.
    pub request_id: RequestId,
    /// Who acts.
    pub actor: PartyId,
    /// Why; for the ledger.
    pub reason: String,
    /// Hides the reserve of an amendment.
    pub nonce: Nonce,
    /// What is done.
    pub deed: Deed,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Take bids of one bidder out of the reckoning.
    Void {
        /// Whose bids.
        bidder: PartyId,
        /// Which of them.
        scope: VoidScope,
    },
    /// Change terms.
    Amend(Box<Amendment>),
    /// Withdraw the auction.
    Cancel,
}

impl Deed {
    /// The kind of entry it makes.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Void { .. } => Kind::Void,
            Self::Amend(_) => Kind::Amend,
            Self::Cancel => Kind::Cancel,
        }
    }
}

/// Which bids of a bidder are voided. An arbitrary older one cannot be: that could raise the
/// price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VoidScope {
    /// All of them.
    All,
    /// The latest unvoided one, whichever it is.
    Latest,
    /// The bid with this seq, which must be the latest unvoided one.
    Bid(i64),
}

/// A change of terms: what is absent stays. Applied to the terms in force under the lock, so that
/// two operators who change different things both succeed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the fields are those of Terms")]
pub struct Amendment {
    pub title: Option<String>,
    pub start_price: Option<Amount>,
    pub steps: Option<StepTable>,
    /// `Some(None)` takes the reserve away.
    pub reserve: Option<Option<Amount>>,
    pub own_raise: Option<OwnRaise>,
    /// `Some(None)` takes the soft close away.
    pub soft_close: Option<Option<SoftClosePatch>>,
    pub start: Option<Micros>,
    pub end: Option<Micros>,
    /// Moves the end in force by so much, wherever a soft close has moved it until then. A stated
    /// end beside it is refused.
    pub extend_by: Option<Span>,
}

/// A change of the soft close: what is absent stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the fields are those of SoftClose")]
pub struct SoftClosePatch {
    pub window: Option<Span>,
    pub extend_by: Option<Span>,
    pub mode: Option<ExtendMode>,
    pub trigger: Option<ExtendTrigger>,
    /// `Some(None)` takes the cap away.
    pub cap: Option<Option<Micros>>,
}

impl SoftClosePatch {
    /// The soft close with this change. One that begins to be needs a window; it extends by the
    /// window unless told otherwise.
    pub fn apply(&self, before: Option<SoftClose>) -> Result<SoftClose, Refusal> {
        let Some(window) = self.window.or(before.map(|soft| soft.window)) else {
            let why = "a soft close needs a window";
            return Err(Refusal::invalid_terms("soft_close.window", why));
        };
        let before = before.unwrap_or(SoftClose {
            window,
            extend_by: window,
            mode: ExtendMode::default(),
            trigger: ExtendTrigger::default(),
            cap: None,
        });
        Ok(SoftClose {
            window,
            extend_by: self.extend_by.unwrap_or(before.extend_by),
            mode: self.mode.unwrap_or(before.mode),
            trigger: self.trigger.unwrap_or(before.trigger),
            cap: self.cap.unwrap_or(before.cap),
        })
    }
}

/// States every part.
impl From<SoftClose> for SoftClosePatch {
    fn from(soft: SoftClose) -> Self {
        Self {
            window: Some(soft.window),
            extend_by: Some(soft.extend_by),
            mode: Some(soft.mode),
            trigger: Some(soft.trigger),
            cap: Some(soft.cap),
        }
    }
}

impl Amendment {
    /// The terms with this change; `terms.end` must be the end in force.
    pub fn apply(&self, terms: &Terms) -> Result<Terms, Refusal> {
        let beside = self.apply_beside_soft_close(terms)?;
        Ok(Terms {
            soft_close: self.apply_soft_close(terms.soft_close)?,
            ..beside
        })
    }

    fn apply_soft_close(&self, before: Option<SoftClose>) -> Result<Option<SoftClose>, Refusal> {
        match self.soft_close {
            None => Ok(before),
            Some(None) => Ok(None),
            Some(Some(patch)) => patch.apply(before).map(Some),
        }
    }

    fn apply_beside_soft_close(&self, terms: &Terms) -> Result<Terms, Refusal> {
        Ok(Terms {
            end: self.apply_end(terms.end)?,
            ..self.apply_beside_end(terms)
        })
    }

    fn apply_end(&self, in_force: Micros) -> Result<Micros, Refusal> {
        let invalid = |why| Refusal::InvalidEnd { why };
        match (self.end, self.extend_by) {
            (Some(_), Some(_)) => Err(invalid("state an end, or by how much it moves, not both")),
            (end, None) => Ok(end.unwrap_or(in_force)),
            // Not held at the last instant: it would be less than what was asked.
            (None, Some(by)) => Micros::new(in_force.get() + by.get())
                .map_err(|_| invalid("the end would lie beyond the year 9999")),
        }
    }

    fn apply_beside_end(&self, terms: &Terms) -> Terms {
        Terms {
            seller: terms.seller.clone(),
            title: self.title.clone().unwrap_or_else(|| terms.title.clone()),
            currency: terms.currency,
            start_price: self.start_price.unwrap_or(terms.start_price),
            steps: self.steps.clone().unwrap_or_else(|| terms.steps.clone()),
            reserve: self.reserve.unwrap_or(terms.reserve),
            own_raise: self.own_raise.unwrap_or(terms.own_raise),
            soft_close: terms.soft_close,
            start: self.start.unwrap_or(terms.start),
            end: terms.end,
        }
    }
}

/// A `void` entry's detail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoidDetail {
    /// Whose bids.
    pub bidder: PartyId,
    /// What was asked.
    pub scope: VoidScope,
    /// The seqs voided by it, ascending.
    pub targets: Vec<i64>,
    /// Why.
    pub reason: String,
}

impl VoidDetail {
    /// Reads the canonical JSON.
    pub fn from_detail(text: &str) -> Result<Self, DetailError> {
        terms::read(text)
    }

    /// The canonical JSON.
    pub fn to_detail(&self) -> String {
        terms::json(self)
    }
}

/// A `cancel` entry's detail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CancelDetail {
    /// Why.
    pub reason: String,
}

impl CancelDetail {
    /// Reads the canonical JSON.
    pub fn from_detail(text: &str) -> Result<Self, DetailError> {
        terms::read(text)
    }

    /// The canonical JSON.
    pub fn to_detail(&self) -> String {
        terms::json(self)
    }
}

/// Names the first refusal in the documented order, or the entry to append.
pub(super) fn decide(book: &Book, action: &Action, now: Micros) -> Result<Entry, Refusal> {
    let state = &book.state;
    let t = state.effective_time(now);
    if state.status == Status::Cancelled {
        return Err(Refusal::Cancelled);
    }
    if state.owned {
        return Err(Refusal::Owned);
    }
    if t >= state.end || state.status != Status::Open {
        return Err(Refusal::Ended { end: state.end });
    }
    let after = match &action.deed {
        Deed::Void { bidder, scope } => void(book, action, bidder, *scope)?,
        Deed::Amend(amendment) => amend(book, action, amendment, t)?,
        Deed::Cancel => {
            terms::check_text("reason", &action.reason)?;
            let detail = CancelDetail {
                reason: action.reason.clone(),
            }
            .to_detail();
            After {
                detail,
                ..After::unchanged(book)
            }
        }
    };
    let entry = Entry {
        auction_id: book.auction_id,
        seq: state.last_seq + 1,
        kind: action.deed.kind(),
        at: t,
        request_id: action.request_id,
        actor: action.actor.clone(),
        secret: after.secret,
        commit: after.secret.map_or(ZERO, |secret| secret.commit()),
        detail: after.detail,
        price: after.standing.price,
        leader: after
            .standing
            .leader
            .as_ref()
            .map(|leader| leader.bidder.clone()),
        end: after.end,
        reserve_met: after.standing.reserve_met(&book.terms),
        extended: false,
        hash: ZERO,
    };
    Ok(entry.sealed(&state.head))
}

/// What an action leaves behind.
struct After {
    detail: String,
    secret: Option<Secret>,
    standing: Standing,
    end: Micros,
}

impl After {
    fn unchanged(book: &Book) -> Self {
        Self {
            detail: String::new(),
            secret: None,
            standing: book.state.standing.clone(),
            end: book.state.end,
        }
    }
}

fn void(
    book: &Book,
    action: &Action,
    bidder: &PartyId,
    scope: VoidScope,
) -> Result<After, Refusal> {
    let targets = void_targets(book, bidder, scope)?;
    terms::check_text("reason", &action.reason)?;
    let standing = book.standing_without(&targets);
    let reason = action.reason.clone();
    let detail = VoidDetail {
        bidder: bidder.clone(),
        scope,
        targets,
        reason,
    }
    .to_detail();
    Ok(After {
        detail,
        standing,
        ..After::unchanged(book)
    })
}

fn void_targets(book: &Book, bidder: &PartyId, scope: VoidScope) -> Result<Vec<i64>, Refusal> {
    let own = || book.bids().iter().filter(|bid| bid.bidder == *bidder);
    let exists = match scope {
        VoidScope::Bid(seq) => own().any(|bid| bid.seq == seq),
        VoidScope::All | VoidScope::Latest => own().next().is_some(),
    };
    if !exists {
        return Err(Refusal::NoSuchBid);
    }
    let live: Vec<i64> = own().filter(|bid| !bid.voided).map(|bid| bid.seq).collect();
    let Some(&latest) = live.last() else {
        return Err(Refusal::AlreadyVoided);
    };
    match scope {
        VoidScope::All => Ok(live),
        VoidScope::Latest => Ok(vec![latest]),
        VoidScope::Bid(seq) if seq == latest => Ok(vec![latest]),
        VoidScope::Bid(seq) if live.contains(&seq) => Err(Refusal::NotLatest { latest }),
        VoidScope::Bid(_) => Err(Refusal::AlreadyVoided),
    }
}

fn amend(book: &Book, action: &Action, amendment: &Amendment, t: Micros) -> Result<After, Refusal> {
    let in_force = book.terms_in_force();
    let stated = if book.bids().is_empty() {
        // Judged as at create: a bad end comes before a soft close that cannot be.
        let stated = amendment.apply(&in_force).or_else(|refusal| {
            amendment.apply_beside_soft_close(&in_force)?.check(t)?;
            Err(refusal)
        })?;
        stated.check(t)?;
        stated
    } else {
        let same_end = Terms {
            soft_close: amendment
                .apply_soft_close(in_force.soft_close)
                .map_err(|_| Refusal::TermsFrozen {
                    field: "soft_close",
                })?,
            ..amendment.apply_beside_end(&in_force)
        };
        check_frozen(&in_force, &same_end)?;
        let stated = Terms {
            end: amendment.apply_end(in_force.end)?,
            ..same_end
        };
        check_end(&stated, t)?;
        stated
    };
    terms::check_text("reason", &action.reason)?;
    if stated == in_force {
        return Err(Refusal::NoChange);
    }
    let secret = stated.reserve.map(|amount| Secret {
        amount,
        nonce: action.nonce,
    });
    let end = stated.end;
    let detail = AmendDetail {
        reason: action.reason.clone(),
        terms: stated,
    }
    .to_detail();
    Ok(After {
        detail,
        secret,
        end,
        ..After::unchanged(book)
    })
}

/// An end that is moved under bids: ahead, and not past the cap.
fn check_end(stated: &Terms, t: Micros) -> Result<(), Refusal> {
    if stated.end <= t {
        return Err(Refusal::InvalidEnd {
            why: "the end must lie in the future",
        });
    }
    let cap = stated.soft_close.and_then(|soft| soft.cap);
    if cap.is_some_and(|cap| stated.end > cap) {
        return Err(Refusal::InvalidEnd {
            why: "the end must not lie after the cap",
        });
    }
    Ok(())
}

/// Once a bid entry exists, only the end may differ.
fn check_frozen(in_force: &Terms, stated: &Terms) -> Result<(), Refusal> {
    let frozen = [
        ("title", in_force.title == stated.title),
        ("start_price", in_force.start_price == stated.start_price),
        ("steps", in_force.steps == stated.steps),
        ("reserve", in_force.reserve == stated.reserve),
        ("own_raise", in_force.own_raise == stated.own_raise),
        ("soft_close", in_force.soft_close == stated.soft_close),
        ("start", in_force.start == stated.start),
    ];
    match frozen.into_iter().find(|(_, same)| !same) {
        Some((field, _)) => Err(Refusal::TermsFrozen { field }),
        None => Ok(()),
    }
}
