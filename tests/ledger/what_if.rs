//! What if: nothing changes nothing, and a change has the effect the rules give it.

use gavel::auction::{OwnRaise, StepTable};
use gavel::ledger::{Compared, Derived, WhatIf, WhatIfError, what_if};
use gavel::store::Dossier;
use proptest::test_runner::TestRunner;

use super::clean::play;
use super::story::{closed, dossier, hide, running};
use crate::support::commands::{cases, scripts};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, SECOND};

fn asked(texts: &[&str]) -> WhatIf {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    WhatIf::parse(&texts).unwrap()
}

fn compared(texts: &[&str], dossier: &Dossier) -> Compared {
    match what_if(&asked(texts), dossier) {
        Derived::Compared(compared) => *compared,
        other => panic!("{texts:?}: {other:?}"),
    }
}

/// The buyer and the price of what would be.
fn would(texts: &[&str], dossier: &Dossier) -> String {
    let Compared {
        would, currency, ..
    } = compared(texts, dossier);
    let price = would
        .price
        .map_or("-".to_owned(), |price| currency.format(price));
    let buyer = would
        .winner
        .map_or(would.result.to_owned(), |winner| winner.as_str().to_owned());
    format!("{buyer} {price}")
}

#[test]
fn no_change_gives_what_is_recorded() {
    TestRunner::new(cases(3_000))
        .run(&scripts(), |script| {
            let dossier = play(&script);
            let terms = &dossier.row.as_ref().unwrap().terms;
            let reserve = terms
                .reserve
                .map_or("none".to_owned(), |reserve| terms.currency.format(reserve));
            let reserve = format!("reserve={reserve}");
            let raise = format!("own_raise={}", terms.own_raise.as_str());
            for texts in [
                vec![],
                vec![reserve.as_str(), raise.as_str()],
                vec!["without-bidder=nobody"],
                vec!["without-bid=9999"],
            ] {
                let found = compared(&texts, &dossier);
                assert_eq!(found.changes(), Vec::<&str>::new(), "{texts:?}");
                assert_eq!(found.was, found.would);
                assert_eq!(found.not_taken, []);
                assert!(found.record_agrees);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn without_the_winner_somebody_else_wins_or_nobody() {
    TestRunner::new(cases(2_000))
        .run(&scripts(), |script| {
            let dossier = play(&script);
            let was = compared(&[], &dossier).was;
            if let Some(winner) = was.winner {
                let change = format!("without-bidder={winner}");
                let found = compared(&[&change], &dossier);
                assert_ne!(found.would.winner.as_ref(), Some(&winner));
                assert!(found.changes().contains(&"winner"));
            }
            Ok(())
        })
        .unwrap();
}

/// Three bids, the highest last.
fn three() -> Lot {
    let mut lot = Lot::open(make::terms());
    for (bidder, maximum) in [("ann", "20"), ("ben", "30"), ("cyd", "40")] {
        lot.accept(bidder, maximum);
    }
    lot
}

#[test]
fn without_bids_the_rest_is_reckoned_again() {
    let lot = dossier(&three());
    assert_eq!(would(&[], &lot), "cyd 31.00");
    assert_eq!(would(&["without-bidder=cyd"], &lot), "ben 20.50");
    assert_eq!(would(&["without-bid=4"], &lot), "ben 20.50");
    assert_eq!(would(&["without-bidder=ben"], &lot), "cyd 20.50");
    let nobody = [
        "without-bidder=ann",
        "without-bidder=ben",
        "without-bidder=cyd",
    ];
    assert_eq!(would(&nobody, &lot), "no-bids -");
}

#[test]
fn other_terms_take_and_price_otherwise() {
    let lot = dossier(&three());
    assert_eq!(would(&["steps=5"], &lot), "cyd 35.00");
    assert_eq!(would(&["reserve=35"], &lot), "cyd 35.00");
    assert_eq!(would(&["reserve=41"], &lot), "reserve-not-met 31.00");
    let dear = compared(&["start_price=25"], &lot);
    assert_eq!(dear.not_taken, [(2, "below-start")]);
    assert_eq!(dear.changes(), ["bids"]);
    // 30 is not a step of 15 above 20.
    let steep = compared(&["steps=25"], &lot);
    assert_eq!(steep.not_taken, [(3, "too-low")]);
    assert_eq!(would(&["steps=25"], &lot), "cyd 40.00");

    // ben leads at 21 in the end; then raises.
    let mut terms = make::terms();
    terms.own_raise = OwnRaise::Keep;
    let mut raised = Lot::open(terms);
    raised.accept("ann", "20");
    raised.accept("ben", "20.50");
    raised.accept("ben", "30");
    assert_eq!(would(&[], &dossier(&raised)), "ben 20.50");
    let mut flat = make::terms();
    flat.steps = StepTable::flat(make::usd("1"));
    let mut raised = Lot::open(flat);
    raised.accept("ann", "20");
    raised.accept("ben", "20.50");
    raised.accept("ben", "30");
    assert_eq!(
        would(&["own_raise=reprice"], &dossier(&raised)),
        "ben 21.00"
    );
}

#[test]
fn a_bid_after_the_other_end_is_not_taken() {
    let mut terms = make::terms();
    terms.soft_close = Some(make::soft_close());
    let mut lot = Lot::open(terms);
    lot.set_clock(END - SECOND);
    lot.accept("ann", "20");
    lot.set_clock(END + MINUTE);
    lot.accept("ben", "30");
    let lot = dossier(&lot);
    let hard = compared(&["soft_close=none"], &lot);
    assert_eq!(hard.not_taken, [(3, "ended")]);
    assert_eq!(hard.changes(), ["winner", "price", "end", "bids"]);
    assert_eq!(hard.would.end, make::at(END));
    let short = compared(&["soft_close.window=30s", "soft_close.extend_by=2m"], &lot);
    assert_eq!(short.not_taken, []);
    assert_eq!(short.would.end, make::at(END - SECOND + 2 * MINUTE));
    let capped = format!("soft_close.cap={}", make::at(END + SECOND));
    assert_eq!(compared(&[&capped], &lot).not_taken, [(3, "ended")]);
}

#[test]
fn voids_and_amendments_follow() {
    let whole = closed();
    // dot's bid is voided either way; ben's 120 without ann's later bids wins.
    let found = compared(&["without-bidder=ann"], &whole);
    assert_eq!(found.would.winner, Some(make::party("ben")));
    assert_eq!(found.was.end, found.would.end.plus(make::span(4 * MINUTE)));
    // The amended end holds where the soft close is gone, for the bids before it.
    let hard = compared(&["soft_close=none"], &whole);
    assert_eq!(hard.would.end, make::at(END + 10 * MINUTE));
    assert_eq!(hard.not_taken, []);
}

#[test]
fn what_cannot_be_asked_or_answered_is_said() {
    let refused = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        WhatIf::parse(&texts).unwrap_err()
    };
    assert!(matches!(refused(&["steps"]), WhatIfError::Key(key) if key == "steps"));
    assert!(matches!(refused(&["price=1"]), WhatIfError::Key(_)));
    let bad = [
        "start_price=0",
        "start_price=x",
        "reserve=-1",
        "steps=fast",
        "own_raise=maybe",
        "soft_close=2m",
        "soft_close.window=soon",
        "soft_close.mode=x",
        "soft_close.trigger=x",
        "soft_close.cap=x",
        "without-bidder=",
        "without-bid=1",
        "without-bid=x",
    ];
    for text in bad {
        let error = refused(&[text]);
        assert!(
            matches!(error, WhatIfError::Value { .. }),
            "{text}: {error}"
        );
        assert!(error.to_string().starts_with(text), "{error}");
    }
    assert!(matches!(
        refused(&["steps=1", "steps=2"]),
        WhatIfError::Twice(_)
    ));
    let both = ["soft_close=none", "soft_close.window=2m"];
    assert!(matches!(refused(&both), WhatIfError::Twice(_)));

    let lot = dossier(&running());
    let answer = |texts: &[&str], dossier: &Dossier| what_if(&asked(texts), dossier);
    assert_eq!(answer(&[], &hide(lot.clone())), Derived::Hidden);
    let inapplicable = |texts: &[&str], dossier: &Dossier| {
        let answer = answer(texts, dossier);
        assert!(matches!(answer, Derived::NotApplicable(_)), "{answer:?}");
    };
    inapplicable(&["reserve=1.005"], &lot);
    inapplicable(&["soft_close.window=2h"], &lot);
    inapplicable(&["soft_close.extend_by=1m"], &dossier(&three()));
    let mut cut = lot.clone();
    cut.entries.remove(0);
    assert!(matches!(answer(&[], &cut), Derived::Unreadable(_)));
    let mut wrong = closed();
    wrong.row.as_mut().unwrap().final_price = Some(make::usd("1"));
    assert!(!compared(&[], &wrong).record_agrees);
}
