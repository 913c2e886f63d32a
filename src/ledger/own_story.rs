//! One auction as one bidder may know it: what is public, and the bidder's own secrets.
//!
//! The first step takes every other secret away: the reserve, and the maximum and nonce of each
//! bid of others. Nothing after it can tell what it does not have, so what is told is a function
//! of the public record and the own bids. Outcomes are taken as recorded; whether they are right
//! is the audit's business.

use std::collections::BTreeMap;

use super::explain::{ExplainError, changes, soft_close, steps};
use super::fate::{Fate, fates};
use crate::auction::book::FoldError;
use crate::auction::entry::ZERO;
use crate::auction::terms::AmendDetail;
use crate::auction::{
    Amount, CloseOutcome, Digest, Entry, Kind, PartyId, Secret, Status, StepTable, Terms,
};
use crate::store::Dossier;

/// What a bidder may know of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnStory {
    /// The auction.
    pub auction_id: i64,
    /// Whose story it is.
    pub bidder: PartyId,
    /// The terms in force at the end of the story; the reserve is not in them.
    pub terms: Terms,
    /// There was a hidden reserve at the beginning.
    pub had_reserve: bool,
    /// The steps in words.
    pub steps: String,
    /// The soft close in words.
    pub soft_close: Option<String>,
    /// The entries, with the bidder's own secrets only.
    pub entries: Vec<Entry>,
    /// The bidder's bids, by seq.
    pub own: BTreeMap<i64, OwnBid>,
    /// What an amendment changed, by seq; the reserve is not told.
    pub changed: BTreeMap<i64, Vec<String>>,
    /// The status: the row's, or what the ledger gives.
    pub status: Status,
    /// How it ended, or stands.
    pub outcome: CloseOutcome,
}

/// A bid of the bidder's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBid {
    /// The maximum and its nonce; none where they are hidden from this reader.
    pub secret: Option<Secret>,
    /// What the ledger recorded in the maximum's place.
    pub commit: Digest,
    /// Whether maximum and nonce give the commitment, and the commitment the entry's hash; none
    /// where they are hidden.
    pub opens: Option<bool>,
    /// What became of it.
    pub fate: Fate,
    /// What the price after it follows from.
    pub rule: OwnRule,
}

/// What the price after an own bid follows from, as far as the bidder can know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnRule {
    /// The bid leads alone, at the start price.
    StartPrice,
    /// The bid leads alone, above the start price: it reached the hidden reserve.
    Reserve,
    /// The bid leads, and another's maximum and its step, or a reserve just reached, give less.
    SecondPlusStep,
    /// The bid leads, and the price is all of it.
    OwnMaximum,
    /// The bidder led already.
    OwnRaise,
    /// Another's equal maximum was there first.
    Tie,
    /// The own maximum and its step.
    OwnPlusStep,
    /// Another's maximum, which is less than a step above.
    TheirMaximum,
    /// The maximum is hidden from this reader, or the record follows no rule.
    Unknown,
}

impl OwnRule {
    /// The kept name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StartPrice => "start-price",
            Self::Reserve => "reserve",
            Self::SecondPlusStep => "second-plus-step",
            Self::OwnMaximum => "own-maximum",
            Self::OwnRaise => "own-raise",
            Self::Tie => "tie",
            Self::OwnPlusStep => "own-plus-step",
            Self::TheirMaximum => "their-maximum",
            Self::Unknown => "unknown",
        }
    }
}

/// Tells a bidder's story of an auction.
pub fn own_story(dossier: &Dossier, bidder: &PartyId) -> Result<OwnStory, ExplainError> {
    let auction_id = dossier.auction_id;
    let entries = known_to(bidder, &dossier.entries);
    // Whether a commitment opens needs the chain, which binds the secrets of others too.
    let opens = opened(bidder, &dossier.entries);
    let first = entries.first().ok_or(ExplainError::NoLedger(auction_id))?;
    let broken = |seq, source| ExplainError::Entry {
        auction_id,
        seq,
        source,
    };
    if first.kind != Kind::Create {
        return Err(broken(first.seq, FoldError::Create));
    }
    let terms = Terms::from_detail(&first.detail, None)
        .map_err(|error| broken(first.seq, FoldError::Detail(error)))?;
    let (terms, changed) = amended(terms, &entries);
    let last = entries.last().unwrap_or(first);
    let cancelled = last.kind == Kind::Cancel;
    let of_ledger = if cancelled {
        Status::Cancelled
    } else {
        Status::Open
    };
    let status = dossier.row.as_ref().map_or(of_ledger, |row| row.status);
    let outcome = CloseOutcome::of(last.leader.as_ref(), last.price, last.reserve_met);
    let own = own_bids(&opens, &entries, &terms, (status, last.reserve_met));
    Ok(OwnStory {
        auction_id,
        bidder: bidder.clone(),
        steps: steps(&terms),
        soft_close: soft_close(&terms),
        terms,
        had_reserve: dossier
            .entries
            .first()
            .is_some_and(|first| first.commit != ZERO),
        own,
        changed,
        status,
        outcome,
        entries,
    })
}

/// The entries without the secrets of others, and without what those are bound by.
fn known_to(bidder: &PartyId, entries: &[Entry]) -> Vec<Entry> {
    let known = entries.iter().map(|entry| {
        let own = is_own(bidder, entry);
        Entry {
            secret: entry.secret.filter(|_| own),
            commit: if own { entry.commit } else { ZERO },
            hash: ZERO,
            ..entry.clone()
        }
    });
    known.collect()
}

fn is_own(bidder: &PartyId, entry: &Entry) -> bool {
    entry.kind == Kind::Bid && entry.actor == *bidder
}

/// The own bids' seqs, and whether each opens its commitment. A database does not store the
/// commitment: it is the entry's hash that binds it.
fn opened(bidder: &PartyId, entries: &[Entry]) -> BTreeMap<i64, Option<bool>> {
    let before = std::iter::once(ZERO).chain(entries.iter().map(|entry| entry.hash));
    let own = entries.iter().zip(before);
    let own = own.filter(|(entry, _)| is_own(bidder, entry));
    let opens = own.map(|(entry, prev)| {
        let opens = entry
            .secret
            .map(|secret| secret.commit() == entry.commit && entry.hash_after(&prev) == entry.hash);
        (entry.seq, opens)
    });
    opens.collect()
}

/// The terms after all amendments, and what each changed.
fn amended(terms: Terms, entries: &[Entry]) -> (Terms, BTreeMap<i64, Vec<String>>) {
    let (mut terms, mut changed) = (terms, BTreeMap::new());
    let (mut end, mut frozen) = (terms.end, false);
    for entry in entries {
        frozen |= entry.kind == Kind::Bid;
        if entry.kind == Kind::Amend
            && let Ok(detail) = AmendDetail::from_detail(&entry.detail, None)
        {
            let in_force = Terms {
                end,
                ..terms.clone()
            };
            changed.insert(entry.seq, changes(&in_force, &detail.terms));
            if !frozen {
                terms = detail.terms;
            }
        }
        end = entry.end;
    }
    (terms, changed)
}

fn own_bids(
    opens: &BTreeMap<i64, Option<bool>>,
    entries: &[Entry],
    terms: &Terms,
    end: (Status, bool),
) -> BTreeMap<i64, OwnBid> {
    let leaders: Vec<_> = entries.iter().map(|entry| entry.leader.as_ref()).collect();
    let fates = fates(entries, &leaders, end);
    let mut own = BTreeMap::new();
    let before = std::iter::once(None).chain(entries.iter().map(Some));
    for (entry, before) in entries.iter().zip(before) {
        let Some(opens) = opens.get(&entry.seq) else {
            continue;
        };
        let fate = fates.get(&entry.seq).copied();
        let bid = OwnBid {
            secret: entry.secret,
            commit: entry.commit,
            opens: *opens,
            fate: fate.unwrap_or(Fate::OutbidAtOnce),
            rule: rule(entry, before, terms),
        };
        own.insert(entry.seq, bid);
    }
    own
}

fn rule(entry: &Entry, before: Option<&Entry>, terms: &Terms) -> OwnRule {
    let (Some(secret), Some(price)) = (entry.secret, entry.price) else {
        return OwnRule::Unknown;
    };
    let maximum = secret.amount;
    let led = before.and_then(|before| before.leader.as_ref());
    if led == Some(&entry.actor) {
        return OwnRule::OwnRaise;
    }
    if entry.leader.as_ref() == Some(&entry.actor) {
        return match led {
            _ if price == maximum => OwnRule::OwnMaximum,
            None if price == terms.start_price => OwnRule::StartPrice,
            None => OwnRule::Reserve,
            Some(_) => OwnRule::SecondPlusStep,
        };
    }
    lost_rule(maximum, price, &terms.steps)
}

/// Whose maximum the price is, where the bid does not lead.
fn lost_rule(maximum: Amount, price: Amount, steps: &StepTable) -> OwnRule {
    let next = steps.next(maximum);
    match price {
        _ if price == maximum => OwnRule::Tie,
        _ if price.minor() == next => OwnRule::OwnPlusStep,
        _ if price > maximum && price.minor() < next => OwnRule::TheirMaximum,
        _ => OwnRule::Unknown,
    }
}
