//! Mappings that cannot be: the key and its line are named.

use gavel::history::{HistoryError, Layout, Mapping};

use super::{ONE, TWO, try_read};

/// The mapping with one line of it replaced, its number, and what the error says.
fn refused(map: &str, line: &str, other: &str) -> (usize, String) {
    assert_eq!(map.matches(line).count(), 1, "{line}");
    let text = map.replace(line, other);
    let error = Mapping::parse("map.toml", &text).expect_err(other);
    assert!(
        error
            .to_string()
            .starts_with(&format!("map.toml:{}: ", error.line))
    );
    (error.line, error.what)
}

#[test]
fn good_ones_are_taken() {
    for (map, layout) in [(ONE, Layout::OneFile), (TWO, Layout::TwoFiles)] {
        assert_eq!(Mapping::parse("map.toml", map).unwrap().layout(), layout);
    }
}

#[test]
fn bad_ones_name_key_and_line() {
    const ID: &str = "id = { column = \"lot\" }";
    const CURRENCY: &str = "currency = { value = \"USD\" }";
    const AT: &str = "at = { column = \"time\" }";
    const END: &str = "end = { value = \"2026-01-08T00:00:00Z\" }";
    const PRICE: &str = "start_price = { column = \"open\" }";
    const BIDDER: &str = "bidder = { column = \"who\", unnamed = \"Private\" }";
    const SELLER: &str = "seller = { value = \"estate\" }";
    const LAYOUT: &str = "layout = \"one-file\"";
    let at = |more: &str| format!("at = {{ column = \"time\", {more} }}");
    let cases: Vec<(&str, String, usize, &str)> = vec![
        (
            LAYOUT,
            "layout = \"three-files\"".into(),
            1,
            "unknown variant `three-files`",
        ),
        (LAYOUT, "layout = ".into(), 1, ""),
        (
            LAYOUT,
            format!("{LAYOUT}\ncolour = \"red\""),
            2,
            "unknown field `colour`",
        ),
        (
            LAYOUT,
            format!("{LAYOUT}\ndelimiter = \"ab\""),
            2,
            "delimiter is one of",
        ),
        (
            LAYOUT,
            format!("{LAYOUT}\ndecimal_mark = \";\""),
            2,
            "a mark is one of",
        ),
        (
            LAYOUT,
            format!("{LAYOUT}\ndecimal_mark = \",\"\nthousands_separator = \",\""),
            3,
            "cannot be the decimal mark as well",
        ),
        (ID, String::new(), 3, "missing field `id`"),
        (
            ID,
            "id = { colum = \"lot\" }".into(),
            4,
            "unknown field `colum`",
        ),
        (
            ID,
            "id = { column = \"lot\", value = \"1\" }".into(),
            4,
            "auctions.id: state one of",
        ),
        (ID, "id = {}".into(), 4, "auctions.id: state a column"),
        (
            ID,
            "id = { value = \"1\" }".into(),
            4,
            "auctions.id must come from a column",
        ),
        (
            ID,
            "id = { column = \"lot\", pattern = \"lot\" }".into(),
            4,
            "a pattern has one {}",
        ),
        (
            ID,
            "id = { column = 5 }".into(),
            4,
            "write a value as text in quotes",
        ),
        (
            SELLER,
            "seller = { value = \"a b\" }".into(),
            5,
            "auctions.seller: an id has 1 to 64",
        ),
        (
            SELLER,
            "seller = { value = \"\" }".into(),
            5,
            "auctions.seller: the value is empty",
        ),
        (
            SELLER,
            "seller = { value = \"a\", pattern = \"{}\" }".into(),
            5,
            "a pattern is for cells",
        ),
        (
            "Lot {lot}",
            "Lot lot".into(),
            6,
            "a template names a column",
        ),
        (
            "Lot {lot}",
            "Lot {lot".into(),
            6,
            "a template names columns in braces",
        ),
        (
            CURRENCY,
            "currency = { value = \"USDX\" }".into(),
            7,
            "auctions.currency: a currency is",
        ),
        (
            PRICE,
            "start_price = { value = \"1,000\" }".into(),
            8,
            "no thousands separator",
        ),
        (
            PRICE,
            "start_price = { value = \"1.001\" }".into(),
            8,
            "USD has 2 decimals",
        ),
        (
            PRICE,
            "start_price = { column = \"x\", unit = \"cents\" }".into(),
            8,
            "unknown variant",
        ),
        (
            "steps = { value = \"1\" }",
            "steps = { value = \"ebay\" }".into(),
            9,
            "auctions.steps",
        ),
        (
            END,
            format!("{END}\nown_raise = {{ value = \"no\" }}"),
            12,
            "write one of keep, reprice",
        ),
        (
            END,
            "end = { value = \"2026-01-08T00:00\" }".into(),
            11,
            "neither an offset nor a zone",
        ),
        (
            END,
            "end = { value = \"seven\", format = \"since-start\", unit = \"days\" }".into(),
            11,
            "auctions.end: not a number",
        ),
        (
            "start = { value = \"2026-01-01T00:00:00Z\" }",
            "start = { value = \"1\", format = \"since-start\", unit = \"days\" }".into(),
            10,
            "auctions.start cannot count from itself",
        ),
        (AT, at("format = \"unix\""), 17, "bids.at: state the unit"),
        (AT, at("unit = \"days\""), 17, "unit and round go with"),
        (AT, at("format = \"days\""), 17, "bids.at: the format is"),
        (
            AT,
            at("format = \"%Y-%m-%d\""),
            17,
            "local times need a zone",
        ),
        (
            AT,
            at("format = \"%Y-%m-%d %z\", zone = \"UTC\""),
            17,
            "has an offset already",
        ),
        (
            AT,
            at("format = \"%Y-%m-%d\", zone = \"Mars/Base\""),
            17,
            "unknown time zone Mars/Base",
        ),
        (
            AT,
            at("format = \"%Y-%J\", zone = \"UTC\""),
            17,
            "the pattern cannot be used",
        ),
        (
            AT,
            at("format = \"%H:%M\", zone = \"UTC\""),
            17,
            "the pattern cannot be used",
        ),
        (AT, at("zone = \"UTC\""), 17, "a zone goes with a pattern"),
        (
            AT,
            "at = { value = \"2026-01-02T00:00:00Z\" }".into(),
            17,
            "must come from a column",
        ),
        (
            BIDDER,
            "auction = { column = \"lot\" }".into(),
            18,
            "in one file auctions.id says it",
        ),
        (
            BIDDER,
            "automatic = { column = \"proxy\" }".into(),
            18,
            "bids.automatic goes with amounts = \"prices\" alone",
        ),
        (
            BIDDER,
            "order = { value = \"random\" }".into(),
            18,
            "is \"file\" or \"time\"",
        ),
        (
            BIDDER,
            "skew = \"soon\"".into(),
            18,
            "bids.skew: write a span",
        ),
    ];
    for (line, other, number, expected) in cases {
        let (at, what) = refused(ONE, line, &other);
        assert!(what.contains(expected), "{other}: {what}");
        assert_eq!(at, number, "{other}: {what}");
    }
    let (_, what) = refused(TWO, "auction = { column = \"lot\" }\n", "");
    assert!(what.contains("bids.auction is missing"), "{what}");
    let (_, what) = refused(TWO, "value = \"2m\"", "value = \"2\"");
    assert!(
        what.contains("auctions.soft_close.window: write a span"),
        "{what}"
    );
}

#[test]
fn what_is_secret_in_a_mapping_is_not_repeated() {
    let error = Mapping::parse("map.toml", &format!("secret = [\"7777\"]\n{ONE}")).unwrap_err();
    assert!(!format!("{error:?}").contains("7777"), "{error:?}");
    let text = ONE.replace("start = {", "reserve = { value = \"7777x\" }\nstart = {");
    let error = Mapping::parse("map.toml", &text).unwrap_err();
    assert!(!format!("{error:?}").contains("7777"), "{error:?}");
}

#[test]
fn columns_that_are_not_there_are_named_with_the_header() {
    let error = try_read(ONE, &[("bids.csv", "lot,open,bid,time,bidder\n")]).unwrap_err();
    let HistoryError::NoColumn {
        columns, header, ..
    } = &error
    else {
        panic!("{error}");
    };
    let named: Vec<_> = columns
        .iter()
        .map(|it| (it.0.as_str(), it.1, it.2))
        .collect();
    let expected = [
        ("sold", "auctions.recorded_price", 12),
        ("who", "bids.bidder", 18),
    ];
    assert_eq!(named, expected);
    assert_eq!(header, &["lot", "open", "bid", "time", "bidder"]);
}

#[test]
fn the_number_of_files_is_the_layouts() {
    let file = ("a.csv", "lot\n");
    for (map, files) in [(ONE, vec![file, file]), (TWO, vec![file])] {
        let error = try_read(map, &files).unwrap_err();
        assert!(matches!(error, HistoryError::Files(_)), "{error}");
    }
}
