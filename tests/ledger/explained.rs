//! The story of an auction, in words that tell the rule.

use gavel::ledger::{ExplainError, explain};

use super::story::{cancelled, closed, dossier, hide, running};
use crate::support::lot::Lot;
use crate::support::make;

#[test]
fn every_entry_is_told_with_its_rule() {
    let story = explain(&closed()).unwrap();
    let rules: Vec<_> = story.entries.iter().map(|told| told.rule).collect();
    assert_eq!(
        rules,
        [
            "none",
            "start-price",
            "runner-up-plus-step",
            "leader-maximum",
            "reserve",
            "none",
            "runner-up-plus-step",
            "re-fold",
            "runner-up-plus-step",
            "own-raise-keeps",
        ]
    );
    let text = |seq: usize| story.entries[seq - 1].text.as_str();
    assert_eq!(
        text(4),
        "cyd bids up to 50.00 USD and ties with ann's maximum: the earlier bid wins. The \
         runner-up's maximum 50.00 USD plus the step 1.00 USD would exceed ann's maximum, which \
         is the price: 50.00 USD."
    );
    assert_eq!(
        text(3),
        "ben bids up to 30.00 USD and is outbid at once: ann's maximum is 50.00 USD. The price is \
         the runner-up's maximum 30.00 USD plus the step 1.00 USD: 31.00 USD."
    );
    assert!(text(5).contains("takes the lead"), "{}", text(5));
    assert!(text(6).contains("the end moves from"), "{}", text(6));
    assert!(
        text(8).starts_with("operator voids dot's bid 7: "),
        "{}",
        text(8)
    );
    assert!(text(9).contains("Soft close: 1m was left"), "{}", text(9));
    assert!(story.entries[8].extended && !story.entries[9].extended);
    assert_eq!(story.entries[8].maximum.as_deref(), Some("150.00"));
    assert_eq!(story.entries[7].price_before.as_deref(), Some("122.50"));
    assert_eq!(story.entries[7].price_after.as_deref(), Some("100.00"));
    assert_eq!(story.result, "ann buys at 122.50 USD");
    assert_eq!(story.final_price.as_deref(), Some("122.50"));
}

#[test]
fn the_result_is_told_in_every_state() {
    let open = explain(&dossier(&running())).unwrap();
    assert!(
        open.result
            .starts_with("not closed yet; as it stands, ann buys"),
        "{}",
        open.result
    );
    let gone = explain(&cancelled()).unwrap();
    assert_eq!(gone.result, "cancelled: nobody buys");
    let nobody = explain(&dossier(&Lot::open(make::terms()))).unwrap();
    assert!(
        nobody.result.contains("nobody bid that counts"),
        "{}",
        nobody.result
    );
}

#[test]
fn what_cannot_be_told_is_said() {
    let hidden = explain(&hide(closed()));
    assert!(
        matches!(hidden, Err(ExplainError::Entry { seq: 2, .. })),
        "{hidden:?}"
    );
    let mut empty = closed();
    empty.entries.clear();
    assert_eq!(explain(&empty), Err(ExplainError::NoLedger(7731)));
}
