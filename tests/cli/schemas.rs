//! JSON output is an interface: real output of every report is held against its kept schema, and
//! CSV has the same columns.

use std::path::Path;

use serde_json::{Map, Value};

use crate::support::cli::Desk;

#[test]
fn json_and_csv_are_what_the_schemas_say() {
    let desk = Desk::with_guitar();
    let id = "018f3c5e-7b1a-4c2d-9e4f-0123456789a";
    let reports = [
        ("migrate", "migrate --dry-run".to_owned()),
        (
            "create",
            format!(
                "create --id 2 --seller s --title T --start-price 5 --ends-in 7d --request-id {id}1"
            ),
        ),
        (
            "create",
            format!(
                "create --id 2 --seller s --title T --start-price 5 --ends-in 7d --request-id {id}1"
            ),
        ),
        (
            "create",
            "create --id 2 --seller s --title T --start-price 5 --ends-in 7d".to_owned(),
        ),
        (
            "bid",
            format!("bid 7731 --bidder ann --max 5000 --request-id {id}2"),
        ),
        (
            "bid",
            format!("bid 7731 --bidder ann --max 5000 --request-id {id}2"),
        ),
        ("bid", "bid 7731 --bidder bob --max 900".to_owned()),
        (
            "bid",
            "bid 7731 --bidder bob --max 90000 --max-jump 5x".to_owned(),
        ),
        ("bid", "bid 9 --bidder bob --max 900".to_owned()),
        ("bid", "bid 7731 --bidder bob --max 2000".to_owned()),
        (
            "action",
            "void 7731 --bidder bob --all --reason x".to_owned(),
        ),
        (
            "action",
            "void 7731 --bidder bob --all --reason x".to_owned(),
        ),
        (
            "action",
            "amend 7731 --ends-at 2099-12-08T03:00Z --reason x".to_owned(),
        ),
        (
            "extension",
            "amend --all-open --extend-by 30m --reason x".to_owned(),
        ),
        ("auction", "show 7731 2".to_owned()),
        ("auction-line", "list".to_owned()),
        ("history", "history 7731".to_owned()),
        ("mine", "mine --bidder ann".to_owned()),
        ("watchlist", "watchlist add 7731 --watcher wanda".to_owned()),
        ("auction-line", "watchlist list --watcher wanda".to_owned()),
        ("close", "close 7731".to_owned()),
        ("close", "close 9".to_owned()),
        ("sweep", "close-sweep".to_owned()),
        ("action", "cancel 2 --reason x".to_owned()),
        ("doctor", "doctor".to_owned()),
        ("export", "export folder --overwrite".to_owned()),
        ("import", "import folder".to_owned()),
        ("keygen", "keygen desk.key --overwrite".to_owned()),
        ("demo", "demo --auctions 5 --bids 20".to_owned()),
    ];
    for (schema, line) in &reports {
        check(&desk, schema, line);
    }
    let history = "import --map one.toml dirty.csv --skip-bad --to out --overwrite";
    super::histories::lay_out(&desk);
    let (store, _) = desk.store_at("2026-01-02T00:00:00Z");
    desk.past_reserve(&store, 5, "2026-01-03T00:00:00Z");
    desk.past_bid(&store, 5, "ann", 20_000);
    check(&desk, "close", "close 5");
    check(&desk, "auction", "show 5");
    checkpoints(&desk);
    let damaged = "update auctions set bid_count = 7 where auction_id = 5";
    super::audit::tamper(&desk, damaged);
    for (schema, line) in [
        ("replay", "replay"),
        ("explain", "replay --explain 5"),
        ("explain", "replay --explain 5 --as-of 1"),
        ("explain-for", "replay --explain 5 --for ann"),
        ("import-map", history),
        ("shill", "report shill --min-auctions 1"),
        ("top", "top --once"),
    ] {
        let said = desk.run(&format!("{line} --format json --quiet"));
        let report: Value = serde_json::from_str(&said.stdout).unwrap();
        let faults = faults(&kept(schema), &report);
        assert!(faults.is_empty(), "{line}: {faults:?}\n{report}");
    }
}

/// The key is the one that was made last.
fn checkpoints(desk: &Desk) {
    for line in [
        "checkpoint --key desk.key",
        "checkpoint --key desk.key --dry-run",
        "checkpoint --key desk.key --out desk.note --leaves leaves.csv",
        "checkpoint --key desk.key --out next.note --previous desk.note",
    ] {
        check(desk, "checkpoint", line);
    }
    check(desk, "verify", "verify desk.note --key desk.key.pub");
    let line = "prove 5 --note desk.note --out 5.tlog-proof";
    check(desk, "prove", line);
    let line = "verify-proof 5.tlog-proof --key desk.key.pub";
    check(desk, "verify-proof", line);
}

pub(super) fn kept(name: &str) -> Value {
    let file = format!("tests/fixtures/schemas/{name}.json");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Every line is an object that the schema allows, and the CSV header has its keys.
fn check(desk: &Desk, name: &str, line: &str) {
    let schema = kept(name);
    let said = desk.run(&format!("{line} --format json"));
    assert!(!said.stdout.is_empty(), "{line}: {}", said.stderr);
    for text in said.stdout.lines() {
        let value: Value = serde_json::from_str(text).unwrap();
        let faults = faults(&schema, &value);
        assert!(faults.is_empty(), "{line}: {faults:?}\n{text}");
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        let stated: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), stated.len(), "{line}");
    }
    // What is written once is not replaced by the second run.
    let words: Vec<&str> = line.split(' ').collect();
    for option in words
        .windows(2)
        .filter(|pair| ["--out", "--leaves"].contains(&pair[0]))
    {
        std::fs::remove_file(desk.path(option[1])).unwrap();
    }
    let csv = desk.run(&format!("{line} --format csv"));
    let mut header: Vec<&str> = csv
        .stdout
        .lines()
        .next()
        .unwrap_or_default()
        .split(',')
        .collect();
    header.sort_unstable();
    let mut stated: Vec<&str> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    stated.sort_unstable();
    assert_eq!(header, stated, "{line}");
}

/// The part of JSON Schema that the kept schemas use: closed objects, arrays with `items`, and
/// scalars with `type`, `enum` and `format` (`decimal`, `date-time` in UTC, `uuid`, `sha256`).
pub(super) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let (Some(properties), Some(object)) = (schema["properties"].as_object(), value.as_object())
    else {
        return vec!["no object".to_owned()];
    };
    let required: Vec<&str> = schema["required"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for key in required {
        if !object.contains_key(key) {
            faults.push(format!("{key} is missing"));
        }
    }
    assert_eq!(
        schema["additionalProperties"], false,
        "kept schemas are closed"
    );
    for (key, value) in object {
        match properties.get(key) {
            None => faults.push(format!("{key} is not in the schema")),
            Some(property) => {
                if let Some(fault) = fault(property.as_object().unwrap(), value) {
                    faults.push(format!("{key}: {fault}"));
                }
            }
        }
    }
    faults
}

fn fault(property: &Map<String, Value>, value: &Value) -> Option<String> {
    let types: Vec<&str> = match &property["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.contains(&found) {
        return Some(format!("{found} instead of {types:?}"));
    }
    if property.contains_key("properties") && value.is_object() {
        let inner = Value::Object(property.clone());
        return faults(&inner, value).into_iter().next();
    }
    if let (Some(items), Some(values)) = (property.get("items"), value.as_array()) {
        let inner = |value: &Value| match items.get("properties") {
            Some(_) => faults(items, value).into_iter().next(),
            None => fault(items.as_object().unwrap(), value),
        };
        return values.iter().find_map(inner);
    }
    if let Some(words) = property.get("enum")
        && !words.as_array().unwrap().contains(value)
    {
        return Some(format!("{value} is not one of {words}"));
    }
    let (Some(format), Some(text)) = (property.get("format"), value.as_str()) else {
        return None;
    };
    let good = match format.as_str().unwrap() {
        "decimal" => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
            [whole, fraction]
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        }
        "date-time" => {
            text.len() == 27
                && text.ends_with('Z')
                && text.parse::<gavel::auction::Micros>().is_ok()
        }
        "uuid" => uuid::Uuid::try_parse(text).is_ok(),
        "sha256" => text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()),
        other => panic!("unknown format {other}"),
    };
    (!good).then(|| format!("{text} is not a {format}"))
}

#[test]
fn what_would_be_is_told_in_lines_and_sums() {
    let desk = Desk::with_guitar();
    desk.ok("bid 7731 --bidder ann --max 5000");
    let said = desk.ok("replay --what-if reserve=2000 --format json --quiet");
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{said}");
    for (line, schema) in lines.iter().zip(["what-if", "what-if-totals"]) {
        assert_eq!(faults(&kept(schema), line), Vec::<String>::new(), "{line}");
    }
    let csv = desk.ok("replay --what-if reserve=2000 --format csv --quiet");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let keys: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    assert_eq!(header.len(), keys.len());
    assert!(keys.iter().all(|key| header.contains(&key.as_str())));
}

#[test]
fn a_schema_refuses_what_it_does_not_say() {
    let schema: Value = serde_json::json!({
        "required": ["price"], "additionalProperties": false,
        "properties": {
            "price": {"type": ["string", "null"], "format": "decimal"},
            "at": {"type": "string", "format": "date-time"},
            "word": {"type": "string", "enum": ["a", "b"]},
        },
    });
    let bad = [
        serde_json::json!({}),
        serde_json::json!({"price": 1}),
        serde_json::json!({"price": 1.5}),
        serde_json::json!({"price": "1e3"}),
        serde_json::json!({"price": null, "at": "2026-01-01T00:00:00-08:00"}),
        serde_json::json!({"price": null, "word": "c"}),
        serde_json::json!({"price": null, "more": 1}),
    ];
    for value in bad {
        assert_eq!(faults(&schema, &value).len(), 1, "{value}");
    }
    assert!(faults(&schema, &serde_json::json!({"price": "41.50", "word": "a"})).is_empty());
}
