//! Who leads and at what price: first bids, ties, narrow wins, own raises, tier borders.

use gavel::auction::{Currency, OwnRaise, Refusal, StepTable, Terms};

use crate::support::lot::Lot;
use crate::support::make::{amount, currency, terms, usd};

/// A bid and what stands after it: `("A", "50", "A 10.00")`, or `"refused CODE MINIMUM"`.
type Row = (&'static str, &'static str, &'static str);

fn play(terms: Terms, rows: &[Row]) {
    let mut lot = Lot::open(terms);
    for (bidder, maximum, expected) in rows {
        if expected.starts_with("refused") {
            let refusal = lot.refuse(bidder, maximum);
            let mut told = format!("refused {}", refusal.code());
            if let Some(minimum) = refusal.minimum() {
                let currency = lot.kept().book.terms.currency;
                told = format!("{told} {}", currency.format_minor(minimum));
            }
            assert_eq!(told, *expected, "{bidder} {maximum} in {rows:?}");
        } else {
            let answer = lot.accept(bidder, maximum);
            assert_eq!(lot.standing(), *expected, "{bidder} {maximum} in {rows:?}");
            let leads = expected.starts_with(&format!("{bidder} "));
            assert_eq!(answer.leading, leads, "{bidder} {maximum} in {rows:?}");
        }
    }
}

fn starting_at(price: &str) -> Terms {
    Terms {
        start_price: usd(price),
        ..terms()
    }
}

#[test]
fn the_first_bid_opens_at_the_start_price() {
    play(terms(), &[("A", "500", "A 10.00")]);
    play(terms(), &[("A", "10", "A 10.00")]);
    play(terms(), &[("A", "9.99", "refused below-start 10.00")]);
}

#[test]
fn two_tied_at_the_top_and_one_below_settle_at_the_tie_in_any_order() {
    let low_last = [
        ("A", "900", "A 1.00"),
        ("B", "900", "A 900.00"),
        ("L", "100", "refused too-low 910.00"),
    ];
    let low_between = [
        ("A", "900", "A 1.00"),
        ("L", "100", "A 102.50"),
        ("B", "900", "A 900.00"),
    ];
    let low_first = [
        ("L", "100", "L 1.00"),
        ("A", "900", "A 102.50"),
        ("B", "900", "A 900.00"),
    ];
    for order in [low_last, low_between, low_first] {
        play(starting_at("1"), &order);
        // The same with A and B changed over: the earlier of the two wins.
        let swapped = order.map(|(bidder, maximum, expected)| {
            let other = |name: &'static str| match name {
                "A" => "B",
                "B" => "A",
                name => name,
            };
            (other(bidder), maximum, expected)
        });
        let mut lot = Lot::open(starting_at("1"));
        for (bidder, maximum, _) in swapped {
            drop(lot.bid(bidder, maximum));
        }
        assert_eq!(lot.standing(), "B 900.00");
    }
}

#[test]
fn an_equal_maximum_loses_the_tie() {
    play(
        starting_at("50"),
        &[("A", "50", "A 50.00"), ("B", "50", "refused too-low 51.00")],
    );
    play(terms(), &[("A", "50", "A 10.00"), ("B", "50", "A 50.00")]);
    play(
        starting_at("1000"),
        &[
            ("marcus", "12000", "marcus 1000.00"),
            ("elena", "12000", "marcus 12000.00"),
        ],
    );
}

#[test]
fn the_tie_goes_to_who_reached_the_value_first_not_to_who_came_first() {
    // A comes first, but reaches 60 after B did.
    play(
        terms(),
        &[
            ("A", "50", "A 10.00"),
            ("B", "60", "B 51.00"),
            ("A", "60", "B 60.00"),
        ],
    );
}

#[test]
fn a_leader_who_raises_leaves_the_price() {
    play(
        terms(),
        &[
            ("A", "50", "A 10.00"),
            ("A", "60", "A 10.00"),
            ("A", "40", "refused not-above-own-maximum"),
            ("A", "60", "refused not-above-own-maximum"),
            ("A", "60.01", "A 10.00"),
        ],
    );
}

#[test]
fn a_lower_second_bid_leaves_the_higher_one() {
    play(
        terms(),
        &[
            ("A", "140.40", "A 10.00"),
            ("A", "81.01", "refused not-above-own-maximum"),
            ("B", "137.01", "A 139.51"),
        ],
    );
}

#[test]
fn a_win_by_less_than_a_step_costs_the_own_maximum() {
    // 50 + 1 would be 51; the winner's maximum is 50.01.
    play(
        terms(),
        &[("A", "50", "A 10.00"), ("B", "50.01", "B 50.01")],
    );
    play(terms(), &[("A", "51", "A 10.00"), ("B", "50", "A 51.00")]);
    // Exactly one step above.
    play(terms(), &[("A", "50", "A 10.00"), ("B", "51", "B 51.00")]);
}

#[test]
fn the_console_goes_to_its_second_bidder_at_41() {
    play(
        starting_at("1"),
        &[("ann", "40", "ann 1.00"), ("ben", "60", "ben 41.00")],
    );
}

#[test]
fn own_raise_after_a_narrow_win_keeps_or_reprices() {
    let narrow = [("A", "50", "A 10.00"), ("B", "50.50", "B 50.50")];
    let mut kept = narrow.to_vec();
    kept.push(("B", "100", "B 50.50"));
    kept.push(("C", "60", "B 61.00"));
    play(terms(), &kept);

    // The old eBay rule: 50 + 1 is within reach now.
    let reprice = Terms {
        own_raise: OwnRaise::Reprice,
        ..terms()
    };
    let mut repriced = narrow.to_vec();
    repriced.push(("B", "50.75", "B 50.75"));
    repriced.push(("B", "100", "B 51.00"));
    repriced.push(("B", "200", "B 51.00"));
    play(reprice.clone(), &repriced);
    // Without a runner-up there is nothing to re-apply.
    play(reprice, &[("A", "50", "A 10.00"), ("A", "60", "A 10.00")]);
}

#[test]
fn the_step_is_looked_up_at_the_runner_up() {
    // Runner-up one cent under each border, on it, and above: (start, second, price of A).
    let us = [
        ("0.99", "1.04"),
        ("1", "1.25"),
        ("4.99", "5.24"),
        ("5", "5.50"),
        ("24.99", "25.49"),
        ("25", "26.00"),
        ("99.99", "100.99"),
        ("100", "102.50"),
        ("249.99", "252.49"),
        ("250", "255.00"),
        ("499.99", "504.99"),
        ("500", "510.00"),
        ("999.99", "1009.99"),
        ("1000", "1025.00"),
        ("2499.99", "2524.99"),
        ("2500", "2550.00"),
        ("4999.99", "5049.99"),
        ("5000", "5100.00"),
        ("1000000", "1000100.00"),
    ];
    tier_borders("ebay-us", currency("USD"), &us);
    let uk = [
        ("0.99", "1.04"),
        ("1", "1.20"),
        ("4.99", "5.19"),
        ("5", "5.50"),
        ("14.99", "15.49"),
        ("15", "16.00"),
        ("59.99", "60.99"),
        ("60", "62.00"),
        ("149.99", "151.99"),
        ("150", "155.00"),
        ("299.99", "304.99"),
        ("300", "310.00"),
        ("599.99", "609.99"),
        ("600", "620.00"),
        ("1499.99", "1519.99"),
        ("1500", "1550.00"),
        ("2999.99", "3049.99"),
        ("3000", "3100.00"),
    ];
    tier_borders("ebay-uk", currency("GBP"), &uk);
}

fn tier_borders(table: &str, currency: Currency, rows: &[(&str, &str)]) {
    let terms = Terms {
        currency,
        start_price: amount(1),
        steps: StepTable::parse(table, currency).unwrap(),
        ..terms()
    };
    for (second, price) in rows {
        let mut lot = Lot::open(terms.clone());
        lot.accept("A", "9000000");
        lot.accept("B", second);
        assert_eq!(lot.standing(), format!("A {price}"), "{table} at {second}");
    }
}

#[test]
fn yen_and_dinar_count_in_their_own_units() {
    let yen = currency("JPY");
    let mut lot = Lot::open(Terms {
        currency: yen,
        start_price: amount(1000),
        steps: StepTable::parse("50", yen).unwrap(),
        ..terms()
    });
    lot.accept("A", "1000");
    assert_eq!(lot.refuse("B", "1049"), Refusal::TooLow { minimum: 1050 });
    lot.accept("B", "1050");
    assert_eq!(lot.standing(), "B 1050");

    let dinar = currency("KWD");
    let mut lot = Lot::open(Terms {
        currency: dinar,
        start_price: amount(1234),
        steps: StepTable::parse("0.005", dinar).unwrap(),
        ..terms()
    });
    lot.accept("A", "2.500");
    lot.accept("B", "1.300");
    assert_eq!(lot.standing(), "A 1.305");
}

#[test]
fn large_amounts_neither_wrap_nor_stop_short() {
    play(
        terms(),
        &[
            ("A", "21474836.47", "A 10.00"),
            ("B", "21474836.48", "B 21474836.48"),
            ("A", "30000000", "A 21474936.48"),
            ("B", "9999999999999.99", "B 30000100.00"),
            ("A", "10000000000000", "A 10000000000000.00"),
            // Nobody can bid higher than the bound; the minimum is above it.
            ("B", "10000000000000", "refused too-low 10000000000100.00"),
        ],
    );
}
