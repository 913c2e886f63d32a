//! Export and import by the commands themselves, SQLite to PostgreSQL and back, byte for byte; and
//! texts and amounts of a file as they come back.

use std::fs;

use crate::support::cli::Desk;
use crate::support::postgres::Database;

/// Auctions and bids that are hard to keep: three currencies, amounts at their limits, the longest
/// titles, every kind of entry and result, watchers.
fn filled() -> Desk {
    let desk = Desk::ready();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    for id in 1..=4 {
        desk.past_auction(&store, id, "2026-01-03T00:00:00Z");
    }
    desk.past_reserve(&store, 5, "2026-01-03T00:00:00Z");
    for (id, bidder, max) in [(1, "ann", 20_000), (1, "bob", 15_000), (5, "ann", 20_000)] {
        desk.past_bid(&store, id, bidder, max);
    }
    desk.past_cancel(&store, 4);
    clock.set("2026-01-03T12:00:00Z".parse().unwrap());
    for id in [1, 2, 3, 5] {
        desk.past_close(&store, id);
    }
    let long = "größe ☂ 🜚 שלום ".repeat(400);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "id",
        "title",
        "currency",
        "start_price",
        "steps",
        "reserve",
        "own_raise",
        "soft_close_window",
        "soft_close_extend",
        "soft_close_mode",
        "soft_close_cap",
    ];
    writer
        .write_record(header.iter().chain(&["seller", "starts_at", "ends_at"]))
        .unwrap();
    for row in [
        [
            "11",
            "=1+1, \"quoted\"",
            "USD",
            "0.01",
            "ebay-us",
            "",
            "",
            "",
            "",
            "",
            "",
        ],
        [
            "12",
            &long,
            "JPY",
            "1",
            "1",
            "1000000000000000",
            "reprice",
            "5m",
            "10m",
            "add",
            "2099-12-07T00:00Z",
        ],
        [
            "13",
            "'\\N \u{feff}e\u{301}",
            "KWD",
            "1000000000000.000",
            "0.001",
            "",
            "",
            "30d",
            "",
            "",
            "",
        ],
        [
            "9007199254740991",
            "👩‍👩‍👧‍👦",
            "USD",
            "5",
            "0.01:0.05,1:0.25",
            "41.50",
            "",
            "1us",
            "",
            "reset",
            "",
        ],
    ] {
        let terms = [
            "-seller",
            "2026-01-01T00:00:00.000001Z",
            "2099-12-06T03:00:00.999999Z",
        ];
        writer.write_record(row.iter().chain(&terms)).unwrap();
    }
    desk.write("lots.csv", writer.into_inner().unwrap());
    for line in [
        "create --file lots.csv",
        "bid 11 --bidder @ann --max 10000000000000.00",
        "bid 11 --bidder ben --max 9999999999999.99",
        "bid 12 --bidder @ann --max 1000000000000000",
        "bid 13 --bidder cid --max 1000000000000.000",
        "void 11 --bidder ben --latest --reason '=retracted, \"by phone\" ☂'",
        "amend 13 --ends-at 2099-12-08T00:00Z --reason 'one day more' --actor @op",
        "amend 9007199254740991 --title '=2+2' --no-reserve --reason r",
        "cancel 9007199254740991 --reason withdrawn",
        "watchlist add 11 --watcher=-walt",
        "watchlist add 12 --watcher @w",
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 0, "{line}: {}", said.stderr);
    }
    desk
}

/// A database of a server, without a schema.
fn server() -> Database {
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(Database::bare())
}

const FILES: [&str; 4] = ["auctions.csv", "ledger.csv", "outbox.csv", "watchers.csv"];

#[test]
fn a_history_goes_from_one_database_to_another_and_back_to_the_byte() {
    let desk = filled();
    desk.ok("export first");
    let (one, other) = (server(), server());
    let places = [
        ("sqlite", "sqlite:copy.db"),
        ("postgres", one.url.as_str()),
        ("back", "sqlite:back.db"),
        ("again", other.url.as_str()),
    ];
    let mut from = "first";
    for (folder, url) in places {
        let run = |line: &str| desk.ok(&format!("{line} --database-url {url}"));
        run("migrate");
        let imported = run(&format!("import {from}"));
        assert!(imported.contains("imported 9 new auctions"), "{imported}");
        run(&format!("export {folder}"));
        for name in FILES {
            let bytes = |folder: &str| fs::read(desk.path(folder).join(name)).unwrap();
            assert!(bytes("first") == bytes(folder), "{folder}/{name} differs");
        }
        assert!(run("replay").contains("clean"), "{folder}");
        assert!(
            desk.ok(&format!("replay --from {folder}"))
                .contains("clean")
        );
        // What is there already is left as it is.
        let again = run(&format!("import {folder}"));
        assert!(again.contains("imported 0 new auctions"), "{again}");
        from = folder;
    }
    let manifest = |folder: &str| -> serde_json::Value {
        let text = fs::read_to_string(desk.path(folder).join("manifest.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(manifest("first")["files"], manifest("again")["files"]);
    let rows = manifest("first")["files"].clone();
    assert!(
        rows.as_array()
            .unwrap()
            .iter()
            .all(|file| file["rows"].as_i64() > Some(1)),
        "{rows}"
    );
    // And home: the very same auctions.
    assert!(desk.ok("import again").contains("imported 0 new auctions"));
}

/// What a file states is what is told, to the letter, on both databases.
#[test]
fn texts_and_amounts_of_a_file_come_back_as_they_were() {
    let database = server();
    let amounts = [
        ("USD", "0.01", "0.01"),
        ("USD", "5", "5.00"),
        ("USD", "41.5", "41.50"),
        ("USD", "10000000000000.00", "10000000000000.00"),
        ("JPY", "1", "1"),
        ("JPY", "1000000000000000", "1000000000000000"),
        ("KWD", "0.001", "0.001"),
        ("KWD", "1.23", "1.230"),
        ("CLF", "0.0001", "0.0001"),
        ("EUR", "007.50", "7.50"),
    ];
    let longest = "☂".repeat(16_384 / 3);
    let titles = [
        "a,b;c|d",
        "\"\"",
        "=HYPERLINK(\"x\")",
        "  two  spaces  ",
        "שלום\u{200f}!",
        &longest,
    ];
    let desk = Desk::bare();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record([
            "id",
            "seller",
            "title",
            "currency",
            "start_price",
            "steps",
            "ends_at",
        ])
        .unwrap();
    for (id, (code, text, _)) in (0..).zip(amounts) {
        let (number, title) = ((id + 1).to_string(), titles[id % titles.len()]);
        let end = "2099-12-06T03:00Z";
        writer
            .write_record([&number, "alice", title, code, text, text, end])
            .unwrap();
    }
    desk.write("lots.csv", writer.into_inner().unwrap());
    for url in ["sqlite:lots.db", &database.url] {
        let run = |line: &str| desk.ok(&format!("{line} --database-url {url}"));
        run("migrate");
        run("create --file lots.csv");
        let listed = run("list --format json");
        for (id, (code, _, told)) in (0..).zip(amounts) {
            let number = id + 1;
            let show: serde_json::Value =
                serde_json::from_str(&run(&format!("show {number} --format json"))).unwrap();
            assert_eq!(show["title"], titles[id % titles.len()]);
            assert_eq!(
                (&show["start_price"], &show["steps"]),
                (&told.into(), &told.into())
            );
            assert_eq!(show["currency"], code);
            let line = listed
                .lines()
                .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
                .find(|line| line["auction_id"] == number)
                .unwrap();
            assert_eq!(line["title"], show["title"]);
        }
    }
}
