//! Bulk input: CSV or JSON lines from a file or standard input, as named texts with their lines.
//!
//! A byte-order mark, CRLF and blank lines are fine. UTF-16, unknown, missing and doubled columns
//! are refused before any row is looked at. An empty CSV cell and a JSON null are absent fields.
//! A row without a request id gets one from the file's content and its line.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::error::InputError;
use super::fields::{FieldError, Fields, Source, mask, shown};

/// The columns that a file may and must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// All names.
    pub(crate) columns: &'static [&'static str],
    /// Those that every file must have.
    pub(crate) required: &'static [&'static str],
    /// Whether no cell's digits are told: the rows hold maxima, which may stand in a wrong column.
    pub(crate) masked: bool,
}

impl Layout {
    fn fields(self, source: Source) -> Fields {
        if self.masked {
            Fields::masked(source)
        } else {
            Fields::new(source)
        }
    }
}

/// Reads all rows; a row that cannot be read stands in its place as an error.
pub(crate) async fn read(
    path: &Path,
    layout: Layout,
) -> anyhow::Result<Vec<Result<Fields, FieldError>>> {
    let file = if path == Path::new("-") {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    };
    let source = path.to_owned();
    // Off the main task, so that Ctrl-C is heard while standard input is silent.
    let bytes = tokio::task::spawn_blocking(move || read_bytes(source))
        .await
        .context("the reader stopped")?
        .map_err(|error| InputError::new(format!("cannot read {file}: {error}")))?;
    let mut rows = parse(&file, &bytes, layout)?;
    identify(&mut rows, &bytes);
    Ok(rows)
}

/// Gives the rows without a request id one that follows from the file and the line, so that the
/// same file uploaded again, after an interruption say, is done once.
fn identify(rows: &mut [Result<Fields, FieldError>], bytes: &[u8]) {
    let file = Sha256::digest(bytes);
    for fields in rows.iter_mut().flatten() {
        if fields.has("request_id") {
            continue;
        }
        let line = fields.line().unwrap_or_default();
        let row: [u8; 32] = Sha256::new()
            .chain_update(file)
            .chain_update(line.to_be_bytes())
            .finalize()
            .into();
        let mut id = [0; 16];
        id.copy_from_slice(&row[..16]);
        let id = uuid::Builder::from_custom_bytes(id).into_uuid();
        fields.set("request_id", Some(id.to_string()));
    }
}

fn read_bytes(path: PathBuf) -> std::io::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(path)
}

fn parse(
    file: &str,
    bytes: &[u8],
    layout: Layout,
) -> Result<Vec<Result<Fields, FieldError>>, InputError> {
    let text = decode(file, bytes)?;
    match text.trim_start().chars().next() {
        None => Err(InputError::new(format!("{file} is empty"))),
        Some('[') => Err(InputError::new(format!("{file} is a JSON array"))
            .hint("write JSON lines: one object a line, without the brackets")),
        Some('{') => Ok(parse_json_lines(file, text, layout)),
        Some(_) => parse_csv(file, text, layout),
    }
}

fn decode<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, InputError> {
    let utf16 = bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || every_other_is_nul(bytes);
    if utf16 {
        return Err(
            InputError::new(format!("{file} is not UTF-8: it looks like UTF-16"))
                .hint("save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8"),
        );
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        InputError::new(format!("{file}:{line}: not UTF-8")).hint("save the file as UTF-8")
    })
}

/// How UTF-16 without a mark looks, as far as its text is ASCII; a stray NUL is not it.
fn every_other_is_nul(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 64;
    let nuls = |first: usize| {
        let half = bytes.iter().take(LOOKED_AT).skip(first).step_by(2);
        bytes.len() > 1 && half.clone().all(|byte| *byte == 0)
    };
    nuls(0) || nuls(1)
}

fn parse_csv(
    file: &str,
    text: &str,
    layout: Layout,
) -> Result<Vec<Result<Fields, FieldError>>, InputError> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let unreadable = |error: csv::Error| InputError::new(format!("{file}: {error}"));
    let header = reader.headers().map_err(unreadable)?.clone();
    let columns = match_columns(file, header.iter(), layout)?;
    let mut rows = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(unreadable)?;
        let line = record.position().map_or(0, csv::Position::line);
        let source = Source::Line {
            file: file.to_owned(),
            line,
        };
        let mut fields = layout.fields(source);
        if record.len() != columns.len() {
            let why = format!(
                "the row has {} cells, the header {}",
                record.len(),
                columns.len()
            );
            rows.push(Err(fields.wrong(columns[0], why)));
            continue;
        }
        for (name, cell) in columns.iter().zip(record.iter()) {
            fields.set(name, (!cell.is_empty()).then_some(cell));
        }
        rows.push(Ok(fields));
    }
    Ok(rows)
}

fn match_columns<'a>(
    file: &str,
    header: impl Iterator<Item = &'a str>,
    layout: Layout,
) -> Result<Vec<&'static str>, InputError> {
    let all = layout.columns.join(", ");
    let mut columns: Vec<&'static str> = Vec::new();
    for title in header {
        let Some(known) = layout.columns.iter().find(|known| **known == title) else {
            let what = format!("{file}:1: unknown column {}", shown(&mask(title)));
            return Err(InputError::new(what).hint(format!("the columns are {all}")));
        };
        if columns.contains(known) {
            return Err(InputError::new(format!(
                "{file}:1: column {known} stands there twice"
            )));
        }
        columns.push(known);
    }
    match layout.required.iter().find(|name| !columns.contains(name)) {
        None => Ok(columns),
        Some(absent) => Err(
            InputError::new(format!("{file}:1: column {absent} is missing"))
                .hint(format!("the columns are {all}")),
        ),
    }
}

fn parse_json_lines(file: &str, text: &str, layout: Layout) -> Vec<Result<Fields, FieldError>> {
    let numbered = (1..).zip(text.lines());
    numbered
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let source = Source::Line {
                file: file.to_owned(),
                line: number,
            };
            parse_object(layout.fields(source), line, layout)
        })
        .collect()
}

fn parse_object(mut fields: Fields, line: &str, layout: Layout) -> Result<Fields, FieldError> {
    let object: Map<String, Value> = match serde_json::from_str(line) {
        Ok(object) => object,
        // The error's own text could repeat a secret.
        Err(error) => {
            let why = format!("not a JSON object (at character {})", error.column());
            return Err(fields.wrong(layout.columns[0], why));
        }
    };
    if doubled(line, object.len()) {
        return Err(fields.wrong(layout.columns[0], "a key stands there twice"));
    }
    for (key, value) in object {
        let Some(name) = layout.columns.iter().copied().find(|name| *name == key) else {
            let why = format!("unknown key {}", shown(&mask(&key)));
            return Err(fields.wrong(layout.columns[0], why));
        };
        let text = match value {
            Value::Null => None,
            Value::String(text) => Some(text),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                return Err(fields.wrong(name, "write a string or a whole number"));
            }
            Value::Number(number) if number.is_f64() => {
                return Err(fields.wrong(name, "write decimals as a string: \"41.50\""));
            }
            Value::Number(number) => Some(number.to_string()),
        };
        fields.set(name, text);
    }
    Ok(fields)
}

/// Whether the object's text has more keys than the map that was read from it.
fn doubled(line: &str, distinct: usize) -> bool {
    serde_json::from_str::<Keys>(line).is_ok_and(|keys| keys.0 != distinct)
}

/// Counts an object's keys.
struct Keys(usize);

impl<'de> serde::Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counter;
        impl<'de> serde::de::Visitor<'de> for Counter {
            type Value = Keys;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = 0;
                while map
                    .next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?
                    .is_some()
                {
                    keys += 1;
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Counter)
    }
}

/// Sorts rows into good and bad. Without `skip_bad` a single bad row stops everything, and all of
/// the bad ones are named up to a bound.
pub(crate) fn sort_out<T>(
    rows: Vec<Result<T, FieldError>>,
    skip_bad: bool,
) -> Result<(Vec<T>, Vec<FieldError>), InputError> {
    const NAMED_MAX: usize = 20;
    let total = rows.len();
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for row in rows {
        match row {
            Ok(row) => good.push(row),
            Err(error) => bad.push(error),
        }
    }
    if bad.is_empty() || skip_bad {
        return Ok((good, bad));
    }
    let mut named: Vec<String> = bad
        .iter()
        .take(NAMED_MAX)
        .map(ToString::to_string)
        .collect();
    if bad.len() > NAMED_MAX {
        named.push(format!("and {} more", bad.len() - NAMED_MAX));
    }
    let what = match total {
        1 => "the only row is bad; nothing was written".to_owned(),
        _ if bad.len() == 1 => format!("1 of {total} rows is bad; nothing was written"),
        _ => format!("{} of {total} rows are bad; nothing was written", bad.len()),
    };
    Err(InputError::new(what)
        .details(named)
        .hint("correct the rows, or pass them over with --skip-bad"))
}
