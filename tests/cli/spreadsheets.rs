//! CSV that goes to a spreadsheet: exact by default; with `--csv-safe` no text runs as a formula,
//! and nothing else is changed.

use crate::support::cli::Desk;

/// Titles that a spreadsheet would run or change, and the seller of each: an id may begin so too.
const LOTS: [(&str, &str); 8] = [
    ("=HYPERLINK(\"http://x\",\"y\")", "-neg"),
    ("+1", "@at"),
    ("-2+3", "alice"),
    ("@SUM(1,2)", "alice"),
    ("'=1", "alice"),
    ("''quoted", "alice"),
    ("\u{ff1d}1+1", "alice"),
    ("plain, \"quoted\" – größer", "alice"),
];

fn file_of(rows: &[(String, String, String)]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "id",
        "seller",
        "title",
        "start_price",
        "starts_at",
        "ends_at",
    ];
    writer.write_record(header).unwrap();
    for (id, seller, title) in rows {
        let (start, end) = ("2026-01-01T00:00Z", "2099-12-06T03:00Z");
        writer
            .write_record([id, seller, title, "41.50", start, end])
            .unwrap();
    }
    writer.into_inner().unwrap()
}

/// Ids 1 to 8, with bids by `-1-2` and `@ben` on the first.
fn desk() -> Desk {
    let desk = Desk::ready();
    let rows: Vec<_> = (1..)
        .zip(LOTS)
        .map(|(id, (title, seller))| (id.to_string(), seller.to_owned(), title.to_owned()))
        .collect();
    desk.write("lots.csv", file_of(&rows));
    desk.ok("create --file lots.csv --quiet");
    for (bidder, max) in [("-1-2", 90), ("@ben", 80)] {
        desk.ok(&format!("bid 1 --bidder={bidder} --max {max}"));
    }
    desk
}

/// Records by column.
fn cells(text: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let named = |record: csv::StringRecord| {
        let pairs = header.iter().zip(record.iter());
        pairs
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect()
    };
    reader
        .records()
        .map(|record| named(record.unwrap()))
        .collect()
}

fn column(rows: &[Vec<(String, String)>], name: &str) -> Vec<String> {
    let of = |row: &Vec<(String, String)>| {
        let found = row.iter().find(|(column, _)| column == name);
        found.unwrap().1.clone()
    };
    rows.iter().map(of).collect()
}

#[test]
fn formulas_go_round_exactly_without_the_option() {
    let desk = desk();
    let listed = cells(&desk.ok("list --format csv"));
    let titles: Vec<&str> = LOTS.iter().map(|(title, _)| *title).collect();
    assert_eq!(column(&listed, "title"), titles);
    let sellers: Vec<&str> = LOTS.iter().map(|(_, seller)| *seller).collect();
    assert_eq!(column(&listed, "seller"), sellers);

    // A file made of that list makes the same auctions elsewhere.
    let other = Desk::ready();
    let ids = column(&listed, "auction_id");
    let rows: Vec<_> = ids
        .into_iter()
        .zip(column(&listed, "seller"))
        .zip(column(&listed, "title"))
        .map(|((id, seller), title)| (id, seller, title))
        .collect();
    other.write("again.csv", file_of(&rows));
    other.ok("create --file again.csv --quiet");
    let again = cells(&other.ok("list --format csv"));
    for name in ["auction_id", "seller", "title", "ends_at"] {
        assert_eq!(column(&again, name), column(&listed, name), "{name}");
    }
}

#[test]
fn with_the_option_texts_are_guarded_and_nothing_else_is_changed() {
    let desk = desk();
    let guarded = ["title", "seller", "leader", "winner", "bidder", "who"];
    let mut seen = 0;
    for line in [
        "list",
        "show 1 2 3 4 5 6 7 8",
        "history 1",
        "mine --bidder=@ben",
        "bid 1 --bidder=@ben --max 80 --dry-run",
        "void 1 --bidder=@ben --all --reason =x --dry-run",
        "replay",
    ] {
        let exact = desk.run(&format!("{line} --format csv"));
        let safe = desk.run(&format!("{line} --format csv --csv-safe"));
        assert_eq!(exact.code, safe.code, "{line}: {}", safe.stderr);
        let (exact, safe) = (cells(&exact.stdout), cells(&safe.stdout));
        assert_eq!(exact.len(), safe.len(), "{line}");
        for (exact, safe) in exact.iter().flatten().zip(safe.iter().flatten()) {
            // These are of the moment.
            if ["server_time", "at", "request_id"].contains(&exact.0.as_str()) {
                assert!(!safe.1.starts_with('\''), "{line}: {safe:?}");
                continue;
            }
            let formula = exact
                .1
                .trim_start_matches('\'')
                .starts_with(['=', '+', '-', '@', '\u{ff1d}']);
            if formula {
                assert_eq!(safe.1, format!("'{}", exact.1), "{line}: {}", exact.0);
                assert!(guarded.contains(&exact.0.as_str()), "{line}: {exact:?}");
                seen += 1;
            } else {
                assert_eq!(exact, safe, "{line}");
            }
        }
    }
    assert!(seen > 15, "{seen}");
    let listed = cells(&desk.ok("list --format csv --csv-safe"));
    assert_eq!(column(&listed, "price")[0], "81.00");
    assert_eq!(column(&listed, "title")[5], "''quoted", "no formula");
    assert_eq!(
        column(&listed, "title")[4],
        "''=1",
        "one apostrophe more than it has"
    );
}

#[test]
fn it_is_refused_where_it_would_do_nothing_or_harm() {
    let desk = desk();
    for line in ["list --csv-safe", "list --csv-safe --format json"] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{line}");
        assert!(
            said.stderr.contains("--csv-safe is about"),
            "{}",
            said.stderr
        );
    }
    let said = desk.run("export folder --format csv --csv-safe");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("an export is exact"),
        "{}",
        said.stderr
    );
    assert!(!desk.path("folder").exists());
}

#[test]
fn a_guarded_cell_is_read_as_it_stands() {
    let desk = Desk::ready();
    let rows = [("1".to_owned(), "alice".to_owned(), "'=1".to_owned())];
    desk.write("lots.csv", file_of(&rows));
    desk.ok("create --file lots.csv --quiet");
    assert_eq!(
        column(&cells(&desk.ok("list --format csv")), "title"),
        ["'=1"]
    );
}

#[test]
fn a_title_of_two_lines_is_refused_with_its_row() {
    let desk = Desk::ready();
    for title in ["two\nlines", "two\r\nlines", "tab\there"] {
        let rows = [("1".to_owned(), "alice".to_owned(), title.to_owned())];
        desk.write("lots.csv", file_of(&rows));
        let said = desk.run("create --file lots.csv");
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(
            said.stderr.contains("lots.csv:2: column title"),
            "{}",
            said.stderr
        );
    }
}
