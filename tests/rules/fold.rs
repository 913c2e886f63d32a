//! Folding a ledger that may be damaged: what cannot be folded is an error, and what an entry
//! claims about its outcome is never believed.

use gavel::auction::book::FoldError;
use gavel::auction::operator::{CancelDetail, Deed, VoidDetail};
use gavel::auction::terms::AmendDetail;
use gavel::auction::{Book, Entry, Kind, Terms, VoidScope};

use crate::support::lot::Lot;
use crate::support::make::{END, MINUTE, at, party, terms, usd, void};

/// A create, three bids, a void, a cancel.
fn ledger() -> Vec<Entry> {
    let mut lot = Lot::open(Terms {
        reserve: Some(usd("40")),
        ..terms()
    });
    lot.accept("A", "50");
    lot.accept("B", "60");
    lot.accept("C", "55");
    lot.done(void("B", VoidScope::All));
    lot.done(Deed::Cancel);
    lot.kept().ledger.clone()
}

fn fold(entries: &[Entry]) -> Result<Book, FoldError> {
    let mut book = Book::open(&entries[0])?;
    for entry in &entries[1..] {
        let before = book.clone();
        let outcome = book.fold(entry);
        if outcome.is_err() {
            assert_eq!(book, before, "what cannot be folded changes nothing");
        }
        outcome?;
    }
    Ok(book)
}

#[test]
fn a_ledger_begins_with_its_only_create() {
    let entries = ledger();
    assert_eq!(Book::open(&entries[1]), Err(FoldError::Create));
    let twice = [entries[0].clone(), entries[0].clone()];
    assert_eq!(fold(&twice), Err(FoldError::Create));
}

#[test]
fn a_hidden_maximum_cannot_be_folded() {
    let mut entries = ledger();
    entries[2].secret = None;
    assert_eq!(fold(&entries), Err(FoldError::Hidden));
}

#[test]
fn a_hidden_reserve_leaves_the_terms_without_one() {
    let mut entries = ledger();
    entries[0].secret = None;
    let book = Book::open(&entries[0]).unwrap();
    assert_eq!(book.terms.reserve, None);
}

#[test]
fn a_damaged_detail_is_named_not_guessed() {
    for detail in ["", "{}", "null", "not json", "[]", "{\"reason\":1}"] {
        for kind in [Kind::Create, Kind::Void, Kind::Amend] {
            let mut entries = ledger();
            let n = if kind == Kind::Create { 0 } else { 4 };
            entries[n].kind = kind;
            detail.clone_into(&mut entries[n].detail);
            let outcome = fold(&entries);
            assert!(matches!(outcome, Err(FoldError::Detail(_))), "{detail}");
        }
    }
}

#[test]
fn a_detail_with_a_field_too_many_is_refused() {
    let entries = ledger();
    let more = |detail: &str| detail.replacen('{', "{\"more\":1,", 1);
    assert!(Terms::from_detail(&more(&entries[0].detail), None).is_err());
    assert!(VoidDetail::from_detail(&more(&entries[4].detail)).is_err());
    assert!(CancelDetail::from_detail(&more(&entries[5].detail)).is_err());
    let amended = AmendDetail {
        reason: "r".to_owned(),
        terms: terms(),
    };
    assert!(AmendDetail::from_detail(&more(&amended.to_detail()), None).is_err());
    assert!(AmendDetail::from_detail(&amended.to_detail(), None).is_ok());
}

#[test]
fn the_outcome_an_entry_claims_is_not_consulted() {
    let sound = fold(&ledger()).unwrap();
    let mut forged = ledger();
    for entry in &mut forged[1..] {
        entry.price = Some(usd("99999"));
        entry.leader = Some(party("mallory"));
        entry.end = at(END + MINUTE);
        entry.reserve_met = !entry.reserve_met;
        entry.extended = true;
    }
    assert_eq!(fold(&forged).unwrap(), sound);
    assert_eq!(sound.state.price(), Some(usd("51")));
}
