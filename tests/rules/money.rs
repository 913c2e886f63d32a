//! Amounts as people write them: exact, or refused; never rounded, wrapped or guessed.

use gavel::auction::money::MoneyError;
use gavel::auction::{Amount, Currency};

use crate::support::make::{amount, currency};

#[test]
fn decimals_become_minor_units_and_back() {
    // (currency, text, minor units, as written back)
    let rows = [
        ("USD", "1.23", 123, "1.23"),
        ("USD", "110.7", 11_070, "110.70"),
        ("USD", "12000", 1_200_000, "12000.00"),
        ("USD", "0.01", 1, "0.01"),
        ("USD", "007", 700, "7.00"),
        ("USD", "21474836.47", 2_147_483_647, "21474836.47"),
        ("USD", "21474836.48", 2_147_483_648, "21474836.48"),
        ("USD", "30000000", 3_000_000_000, "30000000.00"),
        ("USD", "10000000000000", Amount::MAX, "10000000000000.00"),
        ("EUR", "0.99", 99, "0.99"),
        ("JPY", "10000", 10_000, "10000"),
        ("JPY", "1050", 1_050, "1050"),
        ("JPY", "1000000000000000", Amount::MAX, "1000000000000000"),
        ("KWD", "1.234", 1_234, "1.234"),
        ("KWD", "1.2", 1_200, "1.200"),
        ("KWD", "1000000000000", Amount::MAX, "1000000000000.000"),
    ];
    for (code, text, minor, back) in rows {
        let currency = currency(code);
        assert_eq!(currency.parse(text), Ok(amount(minor)), "{code} {text}");
        assert_eq!(currency.format(amount(minor)), back, "{code} {minor}");
        assert_eq!(currency.parse(back), Ok(amount(minor)), "{code} {back}");
    }
}

#[test]
fn what_is_not_plain_digits_is_a_syntax_error() {
    for text in [
        "",
        " ",
        "-5",
        "-0",
        "+10",
        "1e3",
        "1E3",
        "NaN",
        "inf",
        "Infinity",
        "10abc",
        "0x10",
        "1 000",
        "1_000",
        "1,000",
        "1.000,00",
        "١٠",
        "１０",
        ".",
        ".5",
        "5.",
        "1.2.3",
        "12.3.4",
        "--1",
        "-0.0.66962",
        "$10",
        "10 ",
        " 10",
        "10\n",
        "1.٥",
        "\u{feff}10",
        "−5",
        "½",
    ] {
        for code in ["USD", "JPY", "KWD"] {
            let currency = currency(code);
            assert_eq!(currency.parse(text), Err(MoneyError::Syntax), "{text:?}");
            assert_eq!(
                currency.parse_optional(text),
                Err(MoneyError::Syntax),
                "{text:?}"
            );
        }
    }
}

#[test]
fn more_decimals_than_the_currency_has_are_refused_even_zeros() {
    let endless = format!("0.{}", "1".repeat(10_000));
    for (code, text) in [
        ("USD", "1.234"),
        ("USD", "0.001"),
        ("USD", "1.230"),
        ("USD", &endless),
        ("JPY", "1050.5"),
        ("JPY", "1050.0"),
        ("KWD", "1.2345"),
    ] {
        let refused = currency(code).parse(text);
        assert!(
            matches!(refused, Err(MoneyError::TooManyDecimals { .. })),
            "{code} {text:.20}: {refused:?}"
        );
    }
}

#[test]
fn outside_the_bounds_is_refused_with_the_bounds() {
    let digits = "9".repeat(40);
    let huge = "9".repeat(100_000);
    for (code, text) in [
        ("USD", "0"),
        ("USD", "0.00"),
        ("USD", "10000000000000.01"),
        ("USD", "92233720368547758.07"),
        ("USD", "92233720368547758.08"),
        ("USD", digits.as_str()),
        ("USD", huge.as_str()),
        ("JPY", "0"),
        ("JPY", "1000000000000001"),
        ("JPY", "9223372036854775807"),
        ("JPY", "9223372036854775808"),
        ("KWD", "1000000000000.001"),
    ] {
        let refused = currency(code).parse(text);
        assert!(
            matches!(refused, Err(MoneyError::OutOfRange { .. })),
            "{code} {text:.20}: {refused:?}"
        );
    }
    let told = currency("USD").parse("0").unwrap_err().to_string();
    assert_eq!(told, "an amount is from 0.01 to 10000000000000.00 USD");
}

#[test]
fn leading_zeros_do_not_change_what_is_meant() {
    let long = format!("{}12.50", "0".repeat(200));
    assert_eq!(currency("USD").parse(&long), Ok(amount(1_250)));
}

#[test]
fn zero_means_none_where_that_is_legal() {
    let usd = currency("USD");
    assert_eq!(usd.parse_optional("0"), Ok(None));
    assert_eq!(usd.parse_optional("0.00"), Ok(None));
    assert_eq!(usd.parse_optional("0.01"), Ok(Some(amount(1))));
    assert!(usd.parse_optional("10000000000000.01").is_err());
    assert_eq!(Amount::optional(0), Ok(None));
    assert!(Amount::optional(-1).is_err());
}

#[test]
fn amounts_have_bounds() {
    for bad in [i64::MIN, -1, 0, Amount::MAX + 1, i64::MAX] {
        assert!(Amount::new(bad).is_err(), "{bad}");
    }
    assert_eq!(Amount::new(1).map(Amount::minor), Ok(1));
    assert_eq!(Amount::MAX, 10_i64.pow(15));
}

#[test]
fn currencies_are_those_of_iso_4217_with_a_minor_unit() {
    for (code, exponent) in [("USD", 2), ("EUR", 2), ("JPY", 0), ("KWD", 3), ("BHD", 3)] {
        let currency = currency(code);
        assert_eq!((currency.code(), currency.exponent()), (code, exponent));
    }
    for bad in [
        "", "usd", "US", "USDD", "XXX", "XTS", "XAU", "ZZZ", "$", "ÜSD", "US\0",
    ] {
        assert_eq!(
            Currency::from_code(bad),
            Err(MoneyError::UnknownCurrency),
            "{bad:?}"
        );
    }
}

#[test]
fn a_stored_exponent_is_the_auctions_own() {
    let old = Currency::from_stored("ISK", 2).unwrap();
    assert_eq!(old.parse("1.50"), Ok(amount(150)));
    for (code, exponent) in [("usd", 2), ("US", 2), ("USD", 5), ("USD", u32::MAX)] {
        assert!(Currency::from_stored(code, exponent).is_err());
    }
}
