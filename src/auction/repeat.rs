//! Request ids: the same id with the same content is answered from the stored entry; with other
//! content it is refused with the field that differs.
//!
//! Content is kind, actor, secret and detail. What the rules filled in under the lock (a void's
//! targets) is the answer, not the request; an amendment has the same content iff it makes the
//! same terms of those that were in force before the stored entry.

use super::bid::Bid;
use super::book::{Book, Create};
use super::entry::{Entry, Kind};
use super::operator::{Action, CancelDetail, Deed, VoidDetail};
use super::refusal::Refusal;
use super::terms::AmendDetail;

/// Whether a bid repeats this entry.
pub fn bid_repeats(bid: &Bid, entry: &Entry) -> Result<(), Refusal> {
    same("kind", entry.kind == Kind::Bid)?;
    same("bidder", entry.actor == bid.bidder)?;
    same(
        "maximum",
        entry
            .secret
            .is_some_and(|secret| secret.amount.minor() == bid.maximum),
    )
}

/// Whether a `create` repeats this entry.
pub fn create_repeats(create: &Create, entry: &Entry) -> Result<(), Refusal> {
    same("kind", entry.kind == Kind::Create)?;
    same("actor", entry.actor == create.actor)?;
    same(
        "reserve",
        entry.secret.map(|secret| secret.amount) == create.terms.reserve,
    )?;
    same("terms", entry.detail == create.terms.to_detail())
}

/// Whether an operator's action repeats this entry; `earlier` are the entries before it.
pub fn action_repeats(action: &Action, entry: &Entry, earlier: &[Entry]) -> Result<(), Refusal> {
    same("kind", entry.kind == action.deed.kind())?;
    same("actor", entry.actor == action.actor)?;
    let reserve = entry.secret.map(|secret| secret.amount);
    match &action.deed {
        Deed::Void { bidder, scope } => {
            let stored = VoidDetail::from_detail(&entry.detail).map_err(|_| reused("detail"))?;
            same("bidder", stored.bidder == *bidder)?;
            same("scope", stored.scope == *scope)?;
            same("reason", stored.reason == action.reason)
        }
        Deed::Amend(amendment) => {
            let stored =
                AmendDetail::from_detail(&entry.detail, reserve).map_err(|_| reused("detail"))?;
            same("reason", stored.reason == action.reason)?;
            let before = Book::replay(earlier).map_err(|_| reused("terms"))?;
            let again = amendment.apply(&before.terms_in_force());
            same("terms", again.is_ok_and(|terms| terms == stored.terms))
        }
        Deed::Cancel => {
            let stored = CancelDetail::from_detail(&entry.detail).map_err(|_| reused("detail"))?;
            same("reason", stored.reason == action.reason)
        }
    }
}

fn same(field: &'static str, same: bool) -> Result<(), Refusal> {
    if same { Ok(()) } else { Err(reused(field)) }
}

fn reused(field: &'static str) -> Refusal {
    Refusal::RequestIdReused { field }
}
