//! The command that made an entry, rebuilt from the entry and judged again by the rules.
//!
//! The judged entry is what the ledger should hold at this place: comparing the whole of it with
//! what is stored, hash included, is one comparison for every check of an honest ledger.

use crate::auction::book::Create;
use crate::auction::operator::{CancelDetail, Deed, VoidDetail};
use crate::auction::terms::AmendDetail;
use crate::auction::{
    Action, Amendment, Bid, Book, Entry, Kind, Nonce, Refusal, SoftClosePatch, Terms,
};

/// What the rules say to an entry.
pub(super) enum Verdict {
    /// The rules make this entry.
    Decided(Box<Entry>),
    /// The rules refuse it, with this code.
    Refused(&'static str),
    /// Its detail cannot be read, so there is no command.
    BadDetail(String),
    /// Its secret is needed and absent.
    NoSecret,
}

/// Judges a `create` entry again.
pub(super) fn redecide_create(entry: &Entry) -> Verdict {
    let terms = match Terms::from_detail(&entry.detail, entry.secret.map(|secret| secret.amount)) {
        Ok(terms) => terms,
        Err(error) => return Verdict::BadDetail(error.to_string()),
    };
    let create = Create {
        auction_id: entry.auction_id,
        request_id: entry.request_id,
        actor: entry.actor.clone(),
        nonce: nonce(entry),
        terms,
    };
    verdict(Book::decide_create(&create, entry.at))
}

/// Judges a later entry again, given what the entries before it made.
pub(super) fn redecide(book: &Book, entry: &Entry) -> Verdict {
    if entry.kind == Kind::Create {
        return Verdict::Refused("auction-exists");
    }
    if entry.kind == Kind::Bid {
        let Some(bid) = bid_of(book, entry) else {
            return Verdict::NoSecret;
        };
        return verdict(book.decide_bid(&bid, entry.at));
    }
    let (reason, deed) = match deed(entry) {
        Ok(deed) => deed,
        Err(why) => return Verdict::BadDetail(why),
    };
    let action = Action {
        request_id: entry.request_id,
        actor: entry.actor.clone(),
        reason,
        nonce: nonce(entry),
        deed,
    };
    verdict(book.decide(&action, entry.at))
}

/// The bid that made an entry; none where its secret is absent.
pub(super) fn bid_of(book: &Book, entry: &Entry) -> Option<Bid> {
    let secret = entry.secret?;
    Some(Bid {
        auction_id: entry.auction_id,
        request_id: entry.request_id,
        bidder: entry.actor.clone(),
        maximum: secret.amount.minor(),
        currency: book.terms.currency,
        nonce: secret.nonce,
    })
}

fn deed(entry: &Entry) -> Result<(String, Deed), String> {
    let told = |error: crate::auction::terms::DetailError| error.to_string();
    match entry.kind {
        Kind::Void => {
            let detail = VoidDetail::from_detail(&entry.detail).map_err(told)?;
            let deed = Deed::Void {
                bidder: detail.bidder,
                scope: detail.scope,
            };
            Ok((detail.reason, deed))
        }
        Kind::Amend => {
            let reserve = entry.secret.map(|secret| secret.amount);
            let detail = AmendDetail::from_detail(&entry.detail, reserve).map_err(told)?;
            let deed = Deed::Amend(Box::new(full_amendment(detail.terms)));
            Ok((detail.reason, deed))
        }
        Kind::Create | Kind::Bid | Kind::Cancel => {
            let detail = CancelDetail::from_detail(&entry.detail).map_err(told)?;
            Ok((detail.reason, Deed::Cancel))
        }
    }
}

/// An amendment that states every term; seller and currency never change.
fn full_amendment(terms: Terms) -> Amendment {
    Amendment {
        title: Some(terms.title),
        start_price: Some(terms.start_price),
        steps: Some(terms.steps),
        reserve: Some(terms.reserve),
        own_raise: Some(terms.own_raise),
        soft_close: Some(terms.soft_close.map(SoftClosePatch::from)),
        start: Some(terms.start),
        end: Some(terms.end),
        extend_by: None,
    }
}

fn nonce(entry: &Entry) -> Nonce {
    entry.secret.map_or([0; 16], |secret| secret.nonce)
}

fn verdict(decided: Result<Entry, Refusal>) -> Verdict {
    match decided {
        Ok(entry) => Verdict::Decided(Box::new(entry)),
        Err(refusal) => Verdict::Refused(refusal.code()),
    }
}
