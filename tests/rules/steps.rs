//! Step tables: the shipped ones to the cent, and which others are refused.

use gavel::auction::StepTable;
use gavel::auction::steps::{Rung, StepError};

use crate::support::make::{amount, currency};

fn rungs(pairs: &[(i64, i64)]) -> Vec<Rung> {
    pairs
        .iter()
        .map(|(from, step)| Rung(amount(*from), amount(*step)))
        .collect()
}

#[test]
fn the_shipped_tables_are_these() {
    let us = [
        (1, 5),
        (100, 25),
        (500, 50),
        (2_500, 100),
        (10_000, 250),
        (25_000, 500),
        (50_000, 1_000),
        (100_000, 2_500),
        (250_000, 5_000),
        (500_000, 10_000),
    ];
    let uk = [
        (1, 5),
        (100, 20),
        (500, 50),
        (1_500, 100),
        (6_000, 200),
        (15_000, 500),
        (30_000, 1_000),
        (60_000, 2_000),
        (150_000, 5_000),
        (300_000, 10_000),
    ];
    assert_eq!(StepTable::shipped_names(), ["ebay-us", "ebay-uk"]);
    for (name, expected) in [("ebay-us", us), ("ebay-uk", uk)] {
        let table = StepTable::parse(name, currency("USD")).unwrap();
        assert_eq!(table.name(), name);
        assert_eq!(table.rungs(), rungs(&expected));
    }
    // In a currency of three decimals the same tables count in thousandths.
    let dinar = StepTable::parse("ebay-us", currency("KWD")).unwrap();
    assert_eq!(dinar.rungs()[1], Rung(amount(1_000), amount(250)));
}

#[test]
fn a_table_that_does_not_fit_the_exponent_is_refused() {
    for name in ["ebay-us", "ebay-uk"] {
        let refused = StepTable::parse(name, currency("JPY"));
        assert!(
            matches!(refused, Err(StepError::Misfit { .. })),
            "{refused:?}"
        );
    }
    for text in ["10.5", "100:10.5", "0.5:10", "0", "0:10", "10:0"] {
        let refused = StepTable::parse(text, currency("JPY"));
        assert!(matches!(refused, Err(StepError::Misfit { .. })), "{text}");
    }
}

#[test]
fn flat_steps_and_rungs_are_read() {
    let usd = currency("USD");
    let flat = StepTable::parse("10", usd).unwrap();
    assert_eq!(flat.rungs(), rungs(&[(1, 1_000)]));
    assert_eq!(flat, StepTable::flat(amount(1_000)));
    let custom = StepTable::parse("0.01:0.05,1:0.25,5:0.50", usd).unwrap();
    assert_eq!(custom.rungs(), rungs(&[(1, 5), (100, 25), (500, 50)]));
    for bad in [
        "", "ebay-de", "-5", "1:2:3", "1,2", "1:2,", ",", ":", "1:", "ten", "1:2,x",
    ] {
        assert!(StepTable::parse(bad, usd).is_err(), "{bad:?}");
    }
}

#[test]
fn thresholds_ascend_and_amount_plus_step_never_falls() {
    let ok = |pairs: &[(i64, i64)]| StepTable::new("custom", rungs(pairs));
    assert_eq!(ok(&[]), Err(StepError::Empty));
    assert_eq!(
        ok(&[(5, 1), (5, 2)]),
        Err(StepError::NotAscending("5 minor units".to_owned()))
    );
    assert_eq!(
        ok(&[(5, 1), (4, 2)]),
        Err(StepError::NotAscending("4 minor units".to_owned()))
    );
    // At 99 the next is 199, at 100 it would be 110.
    assert_eq!(
        ok(&[(1, 100), (100, 10)]),
        Err(StepError::Falls("100 minor units".to_owned()))
    );
    // 99 + 11 = 110 = 100 + 10: level is not a fall; 99 + 12 = 111 is.
    assert!(ok(&[(1, 11), (100, 10)]).is_ok());
    assert_eq!(
        ok(&[(1, 12), (100, 10)]),
        Err(StepError::Falls("100 minor units".to_owned()))
    );
    // The fall may come late.
    assert_eq!(
        ok(&[(1, 5), (100, 25), (500, 24), (501, 22)]),
        Err(StepError::Falls("501 minor units".to_owned()))
    );
}

#[test]
fn the_lower_bound_of_a_rung_is_inclusive() {
    let table = StepTable::new("custom", rungs(&[(1, 5), (100, 25), (500, 50)])).unwrap();
    let rows = [
        (1, 5),
        (99, 5),
        (100, 25),
        (499, 25),
        (500, 50),
        (1_000_000, 50),
    ];
    for (at, step) in rows {
        assert_eq!(table.step_at(amount(at)), step, "{at}");
        assert_eq!(table.next(amount(at)), at + step, "{at}");
    }
    let bound = 1_000_000_000_000_000;
    let widest = StepTable::flat(amount(bound));
    assert_eq!(widest.next(amount(bound)), 2 * bound);
}

#[test]
fn the_first_threshold_is_checked_against_the_start_price() {
    let table = StepTable::new("custom", rungs(&[(100, 25)])).unwrap();
    assert_eq!(table.check_start(amount(100)), Ok(()));
    assert_eq!(table.check_start(amount(99)), Err(StepError::StartsTooHigh));
}
