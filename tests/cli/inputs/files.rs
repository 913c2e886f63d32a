//! Files that are no table, or not this one; and the unusual ones that must work.

use std::process::{Command, Stdio};

use super::sheet::Sheet;
use super::witness::{Before, refused, told};
use crate::support::cli::Desk;

const HEADER: &str = "id,seller,title,start_price,ends_at\n";
const ROW: &str = "1,alice,T,5,2099-12-06T03:00Z\n";

/// The content of a file of auctions behind a good header, and what is said.
pub(super) const TEXTS: [(&str, &str); 14] = [
    (
        "1,alice,T\n",
        "lots.csv:2: the row has 3 cells, the header 5",
    ),
    ("1\n", "lots.csv:2: the row has 1 cell, the header 5"),
    (
        "1,alice,T,5,2099-12-06T03:00Z,,\n",
        "lots.csv:2: the row has 7 cells, the header 5",
    ),
    (
        "1,alice,T,1,000,2099-12-06T03:00Z\n",
        "lots.csv:2: the row has 6 cells, the header 5",
    ),
    (",alice,,,\n", "lots.csv:2: column start_price is empty"),
    ("   \n", "lots.csv:2: the row has 1 cell"),
    (
        "1,alice,,5,2099-12-06T03:00Z\n",
        "lots.csv:2: column title is empty",
    ),
    (
        "1,alice,T,5,\n",
        "lots.csv:2: column ends_at: an auction needs an end",
    ),
    (
        "1,alice,T,=5+5,2099-12-06T03:00Z\n",
        "lots.csv:2: column start_price, value \"=5+5\"",
    ),
    (
        "1,alice,\"a\nb\",5,2099-12-06T03:00Z\n",
        "lots.csv:2: column title",
    ),
    (
        "1,alice,a\0b,5,2099-12-06T03:00Z\n",
        "lots.csv:2: column title",
    ),
    (
        "1,alice,\"Oak \"desk\"\",5,2099-12-06T03:00Z\n",
        "lots.csv:2: a cell goes on after its closing quote",
    ),
    (
        "1,alice,\"Oak\" desk,5,2099-12-06T03:00Z\n",
        "lots.csv:2: a cell goes on after its closing quote",
    ),
    (
        "1,alice,T,5,2099-12-06T03:00Z\n2,alice,\"T,5,2099-12-06T03:00Z\n3,alice,T,5,2099\n",
        "lots.csv:3: a quote is opened and never closed",
    ),
];

/// A header, and what is said.
pub(super) const HEADERS: [(&str, &str); 11] = [
    (
        "id,title,start_price,ends_at",
        "lots.csv:1: column seller is missing",
    ),
    (
        "id,seller,start_price,ends_at",
        "lots.csv:1: column title is missing",
    ),
    (
        "id,seller,title,ends_at",
        "lots.csv:1: column start_price is missing",
    ),
    (
        "id,id,seller,title,start_price,ends_at",
        "lots.csv:1: column id stands there twice",
    ),
    (
        "colour,seller,title,start_price,ends_at",
        "lots.csv:1: unknown column \"colour\"",
    ),
    (
        "ID,Seller,Title,Start_Price,Ends_At",
        "lots.csv:1: unknown column \"ID\"",
    ),
    (
        "id, seller,title,start_price,ends_at",
        "lots.csv:1: unknown column \" seller\"",
    ),
    (
        "id,,seller,title,start_price,ends_at",
        "lots.csv:1: unknown column \"\"",
    ),
    (
        "id;seller;title;start_price;ends_at",
        "separate the cells by commas",
    ),
    (
        "id\tseller\ttitle\tstart_price\tends_at",
        "separate the cells by commas",
    ),
    (
        "1,alice,T,5,2099-12-06T03:00Z",
        "lots.csv:1: unknown column",
    ),
];

/// What a file's bytes can be, and what is said; the good file in a form that is none.
pub(super) const FORMS: [(&str, &str); 11] = [
    ("UTF-16 with a mark, little endian", "it looks like UTF-16"),
    ("UTF-16 with a mark, big endian", "it looks like UTF-16"),
    (
        "UTF-16 without a mark, little endian",
        "it looks like UTF-16",
    ),
    ("UTF-16 without a mark, big endian", "it looks like UTF-16"),
    ("Latin-1", "lots.csv:2: not UTF-8"),
    ("compressed", "lots.csv:1: not UTF-8"),
    ("empty", "lots.csv is empty"),
    ("white space", "lots.csv is empty"),
    ("an array of JSON", "write JSON lines: one object a line"),
    (
        "a row of more than a MiB",
        "lots.csv:2: a row is longer than 1 MiB",
    ),
    (
        "a header of more than a MiB",
        "lots.csv: a row is longer than 1 MiB",
    ),
];

/// Lines of JSON, and what is said.
pub(super) const LINES: [(&str, &str); 7] = [
    ("{\"seller\": ", "lots.jsonl:1: not a JSON object"),
    (
        "{\"seller\":\"a\"} {\"seller\":\"b\"}",
        "lots.jsonl:1: not a JSON object",
    ),
    ("{'seller':'a'}", "lots.jsonl:1: not a JSON object"),
    (
        "{\"seller\":\"a\",\"colour\":\"b\"}",
        "lots.jsonl:1: unknown key \"colour\"",
    ),
    (
        "{\"seller\":\"a\",\"seller\":\"b\"}",
        "lots.jsonl:1: a key stands there twice",
    ),
    (
        "{\"seller\":true}",
        "lots.jsonl:1: column seller: write a string",
    ),
    (
        "{\"seller\":\"a\"}",
        "lots.jsonl:1: column start_price is empty",
    ),
];

#[test]
fn a_file_that_is_no_table_is_refused_whole() {
    let desk = Desk::with_guitar();
    let sheet = Sheet::of_auctions();
    let upload = |bytes: &[u8], expected| {
        let said = sheet.upload(&desk, "lots.csv", bytes);
        refused(&said, expected, &[expected]);
    };
    for (rows, expected) in TEXTS {
        upload(format!("{HEADER}{rows}").as_bytes(), expected);
    }
    for (header, expected) in HEADERS {
        upload(format!("{header}\n{ROW}").as_bytes(), expected);
    }
    for (form, expected) in FORMS {
        upload(&in_form(form), expected);
    }
    for (line, expected) in LINES {
        let said = sheet.upload(&desk, "lots.jsonl", format!("{line}\n").as_bytes());
        refused(&said, line, &[expected]);
    }
}

fn in_form(form: &str) -> Vec<u8> {
    let text = format!("{HEADER}{ROW}");
    let utf16 = |to_bytes: fn(u16) -> [u8; 2], mark: &str| {
        let text = format!("{mark}{text}");
        text.encode_utf16().flat_map(to_bytes).collect()
    };
    match form {
        "UTF-16 with a mark, little endian" => utf16(u16::to_le_bytes, "\u{feff}"),
        "UTF-16 with a mark, big endian" => utf16(u16::to_be_bytes, "\u{feff}"),
        "UTF-16 without a mark, little endian" => utf16(u16::to_le_bytes, ""),
        "UTF-16 without a mark, big endian" => utf16(u16::to_be_bytes, ""),
        "Latin-1" => {
            let row = text.replace(",T,", ",M?ller,").into_bytes();
            row.into_iter()
                .map(|b| if b == b'?' { 0xfc } else { b })
                .collect()
        }
        // The first bytes of gzip.
        "compressed" => vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
        "empty" => Vec::new(),
        "white space" => b" \n\t\r\n ".to_vec(),
        "an array of JSON" => b"[{\"seller\":\"a\"}]\n".to_vec(),
        "a row of more than a MiB" => text.replace(",T,", &format!(",{},", long())).into(),
        "a header of more than a MiB" => text.replace("title", &long()).into(),
        other => panic!("{other}"),
    }
}

/// Longer than what is read ahead.
fn long() -> String {
    "x".repeat(2 << 20)
}

/// The 4,321st of 5,000 is bad: it is named, and not one of the others is there.
#[test]
fn one_bad_row_in_five_thousand_leaves_nothing() {
    let desk = Desk::with_guitar();
    let row = |n: u32| {
        let price = if n == 4_321 { "5,00" } else { "5" };
        format!("{n},alice,Lot {n},\"{price}\",2099-12-06T03:00Z\n")
    };
    let rows: String = (10_001..=15_000).map(|n| row(n - 10_000)).collect();
    let file = format!("{HEADER}{rows}");
    let said = Sheet::of_auctions().upload(&desk, "lots.csv", file.as_bytes());
    let expected = "lots.csv:4322: column start_price, value \"5,00\"";
    refused(
        &said,
        "one of 5,000",
        &["1 of 5000 rows is bad; nothing was written", expected],
    );

    let row = |n: u32| {
        format!(
            "{},ann,{}\n",
            if n == 4_321 { 9 } else { 7731 },
            5_000 + 100 * n
        )
    };
    let rows: String = (1..=5_000).map(row).collect();
    let file = format!("auction_id,bidder,maximum\n{rows}");
    let said = Sheet::of_bids().upload(&desk, "bids.csv", file.as_bytes());
    let expected = "bids.csv:4322: column auction_id, value \"#\": there is no such auction";
    refused(
        &said,
        "one of 5,000",
        &["1 of 5000 rows is bad; nothing was written", expected],
    );
}

/// A broken row far down a file that is carried out in batches: what was done before is told.
#[test]
fn a_file_that_breaks_off_tells_what_was_done_of_it() {
    let desk = Desk::ready();
    let row = |n: u32| format!("{n},alice,T,5,2099-12-06T03:00Z\n");
    let rows: String = (1..=1_000).map(row).collect();
    desk.write(
        "lots.csv",
        format!("{HEADER}{rows}1001,alice,{},5,\n", long()),
    );
    let said = desk.run("create --file lots.csv --skip-bad --format csv");
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert_eq!(said.stdout.lines().count(), 1_001);
    for expected in [
        "1000 auctions created",
        "error: stopped after 1000 rows",
        "lots.csv:1002: a row is longer than 1 MiB",
    ] {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
}

#[test]
fn paths_that_cannot_be_read_or_written_are_named() {
    let desk = Desk::with_guitar();
    desk.ok("export there");
    std::fs::create_dir(desk.path("folder")).unwrap();
    desk.write("plain", "text");
    let before = Before::of(&desk);
    for (line, code, expected) in [
        (
            "create --file absent.csv",
            2,
            "cannot read absent.csv: No such file",
        ),
        (
            "bid --file absent.csv",
            2,
            "cannot read absent.csv: No such file",
        ),
        (
            "create --file folder",
            2,
            "cannot read folder: is a directory",
        ),
        ("bid --file folder", 2, "cannot read folder: is a directory"),
        (
            "create --file plain/lots.csv",
            2,
            "cannot read plain/lots.csv: Not a directory",
        ),
        ("create --file /dev/null", 2, "/dev/null is empty"),
        ("create --file ''", 2, "--file"),
        ("export there", 2, "there"),
        ("export plain", 1, "plain"),
        ("export plain/out", 1, "plain/out"),
        ("import absent", 2, "absent"),
        ("import folder", 2, "folder"),
        ("import plain", 2, "plain"),
        ("replay --from absent", 2, "absent"),
        ("import --map absent.toml x.csv", 2, "absent.toml"),
        ("import --map folder x.csv", 2, "folder"),
    ] {
        told(&desk.run(line), code, line, &["error: ", expected]);
    }
    before.still_is(&desk);
}

#[test]
fn a_file_of_only_a_header_says_that_it_has_no_rows() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    for (command, header) in [("create", HEADER), ("bid", "auction_id,bidder,maximum")] {
        for tail in ["", "\n\n", "\r\n\r\n"] {
            let text = format!("{}{tail}", header.trim_end());
            let said = desk.run_with(&format!("{command} --file -"), text.as_bytes());
            assert_eq!(said.code, 0, "{}", said.stderr);
            assert!(said.stderr.contains("stdin: no rows"), "{}", said.stderr);
        }
    }
    before.still_is(&desk);
}

/// Titles that a spreadsheet or a shell would make something of are taken as they stand, whatever
/// the order of the columns, the mark and the line ends.
#[test]
fn what_looks_odd_and_is_right_is_taken_exactly() {
    let titles = [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "'quoted",
        "Oak \"desk\", 3\" high",
        "\"\"",
        "  leading and trailing  ",
        "0012",
        "1e3",
        "TRUE",
        "NULL",
        "\\N",
        "שלום, עולם",
        "e\u{301}\u{301} 👩‍👩‍👧‍👦",
        "{\"a\":1}",
        "<b>&amp;</b>",
        "%s %n $(rm) `id`",
    ];
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(b"\xef\xbb\xbf".to_vec());
    let header = ["ends_at", "title", "reserve", "start_price", "seller", "id"];
    writer.write_record(header).unwrap();
    for (id, title) in (1..).zip(titles) {
        let id = format!("{id}");
        let row = ["2099-12-06T03:00Z", title, "41.50", "0.10", "alice", &id];
        writer.write_record(row).unwrap();
    }
    let desk = Desk::ready();
    let bytes = [writer.into_inner().unwrap(), b"\r\n\r\n".to_vec()].concat();
    let said = desk.run_with("create --file - --format json", &bytes);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for form in ["list", "show"] {
        for (id, title) in (1..).zip(titles) {
            let line = match form {
                "list" => "list --format json".to_owned(),
                _ => format!("show {id} --format json"),
            };
            let objects = desk.ok(&line);
            let object = objects
                .lines()
                .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
                .find(|object| object["auction_id"] == id)
                .unwrap();
            assert_eq!(object["title"], title, "{form}");
            if form == "show" {
                assert_eq!(
                    (&object["start_price"], &object["reserve"]),
                    (&"0.10".into(), &"not-met".into())
                );
            }
        }
    }
}

/// A pipe with a name, which is what `<(command)` of a shell is.
#[cfg(unix)]
#[test]
fn a_pipe_is_read_like_a_file() {
    let desk = Desk::ready();
    let pipe = desk.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (line, text) in [
        ("create --file pipe --format csv", format!("{HEADER}{ROW}")),
        (
            "bid --file pipe --format csv",
            "auction_id,bidder,maximum\n1,ann,9\n".to_owned(),
        ),
        (
            "create --file pipe",
            format!("{HEADER}{}", ROW.replace(",5,", ",x,")),
        ),
    ] {
        let child = desk
            .command(&line.split(' ').collect::<Vec<_>>())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::fs::write(&pipe, &text).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (code, place) = match text.contains(",x,") {
            true => (2, "pipe:2: column start_price, value \"x\""),
            false => (0, "1 "),
        };
        assert_eq!(output.status.code(), Some(code), "{line}: {stderr}");
        assert!(stderr.contains(place), "{line}: {stderr}");
    }
}

/// A device that takes nothing: results, words and files.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told_wherever_it_is_met() {
    let desk = Desk::with_guitar();
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let before = Before::of(&desk);
    for line in [
        "list",
        "show 7731",
        "history 7731",
        "list --format json",
        "man",
        "help bid",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = desk.command(&words).stdout(full()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        if line.starts_with("help") {
            // Nobody can be told.
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{line}: {stderr}");
        assert!(stderr.contains("No space left"), "{line}: {stderr}");
    }
    // Words that cannot be written do not stop the work.
    let output = desk
        .command(&["show", "7731"])
        .stderr(full())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    before.still_is(&desk);
}
