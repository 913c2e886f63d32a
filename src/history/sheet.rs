//! The rows of a file: CSV, or JSON lines, as the texts of the columns that a mapping names, each
//! with its line.
//!
//! A byte-order mark, CRLF and blank lines are fine. UTF-16 and columns that are not there are
//! refused before any row is looked at; columns that no target names are not looked at. A JSON
//! number is the text that stands there, a null an empty cell.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::error::HistoryError;
use super::fields::Field;
use super::report::BadRow;

/// A file.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name, for errors.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A row: the cells of the columns that count.
#[derive(Debug, Clone)]
pub(super) struct Row {
    file: Arc<str>,
    line: u64,
    columns: Arc<[String]>,
    cells: Vec<String>,
}

/// A file's rows, and those that are none.
pub(super) struct Sheet {
    pub(super) rows: Vec<Row>,
    pub(super) bad: Vec<BadRow>,
}

impl Row {
    /// The text in a column; empty where the row has none.
    pub(super) fn cell(&self, column: &str) -> &str {
        let at = self.columns.iter().position(|name| name == column);
        at.and_then(|at| self.cells.get(at))
            .map_or("", String::as_str)
    }

    /// The file's name.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// All cells that count.
    pub(super) fn cells(&self) -> &[String] {
        &self.cells
    }
}

/// Reads a file.
pub(super) fn read(
    source: &Source,
    fields: &[&Field],
    delimiter: u8,
) -> Result<Sheet, HistoryError> {
    let text = decode(source)?;
    let mut columns: Vec<String> = Vec::new();
    for column in fields.iter().flat_map(|field| field.columns()) {
        if !columns.iter().any(|known| known == column) {
            columns.push(column.to_owned());
        }
    }
    let reading = Reading {
        file: source.name.as_str().into(),
        columns: columns.into(),
        fields,
    };
    match text.trim_start().chars().next() {
        None => Err(HistoryError::Empty(source.name.clone())),
        Some('[') => Err(HistoryError::JsonArray(source.name.clone())),
        Some('{') => reading.json_lines(text),
        Some(_) => reading.csv(text, delimiter),
    }
}

fn decode(source: &Source) -> Result<&str, HistoryError> {
    let bytes = source.bytes.as_slice();
    let marked = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    // Without a mark, ASCII in UTF-16 has a NUL in every other place.
    let nul_at = |first: usize| {
        let mut half = bytes.iter().take(64).skip(first).step_by(2);
        bytes.len() > 1 && half.all(|byte| *byte == 0)
    };
    if marked || nul_at(0) || nul_at(1) {
        return Err(HistoryError::Utf16(source.name.clone()));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        HistoryError::NotUtf8 {
            file: source.name.clone(),
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
        }
    })
}

struct Reading<'a> {
    file: Arc<str>,
    columns: Arc<[String]>,
    fields: &'a [&'a Field],
}

impl Reading<'_> {
    fn row(&self, line: u64, cells: Vec<String>) -> Row {
        Row {
            file: self.file.clone(),
            line,
            columns: self.columns.clone(),
            cells,
        }
    }

    fn bad(&self, line: u64, column: &str, why: String) -> BadRow {
        BadRow {
            file: self.file.as_ref().to_owned(),
            line,
            auction_id: None,
            column: column.to_owned(),
            value: None,
            refusal: None,
            why,
        }
    }

    fn csv(&self, text: &str, delimiter: u8) -> Result<Sheet, HistoryError> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(text.as_bytes());
        let unreadable = |error: csv::Error| HistoryError::Csv {
            file: self.file.as_ref().to_owned(),
            why: error.to_string(),
        };
        let header = reader.headers().map_err(unreadable)?.clone();
        let places = self.places(&header)?;
        let mut sheet = Sheet {
            rows: Vec::new(),
            bad: Vec::new(),
        };
        let mut lines = Lines::new(text);
        for record in reader.into_records() {
            let record = record.map_err(unreadable)?;
            let line = lines.at(record.position().map_or(0, csv::Position::byte));
            if record.len() != header.len() {
                let (cells, titles) = (record.len(), header.len());
                let why = format!("the row has {cells} cells, the header {titles}");
                let first = header.get(0).unwrap_or_default();
                sheet.bad.push(self.bad(line, first, why));
                continue;
            }
            let cell = |place: &usize| record.get(*place).unwrap_or_default().to_owned();
            sheet
                .rows
                .push(self.row(line, places.iter().map(cell).collect()));
        }
        Ok(sheet)
    }

    /// Where the columns stand.
    fn places(&self, header: &csv::StringRecord) -> Result<Vec<usize>, HistoryError> {
        let mut places = Vec::new();
        let mut absent = Vec::new();
        for column in self.columns.iter() {
            let mut found = (0..).zip(header).filter(|(_, title)| title == column);
            match (found.next(), found.next()) {
                (Some((place, _)), None) => places.push(place),
                (None, _) => absent.extend(self.named_by(column)),
                (Some(_), Some(_)) => {
                    return Err(HistoryError::DoubledColumn {
                        file: self.file.as_ref().to_owned(),
                        column: column.clone(),
                    });
                }
            }
        }
        if absent.is_empty() {
            return Ok(places);
        }
        Err(HistoryError::NoColumn {
            file: self.file.as_ref().to_owned(),
            columns: absent,
            header: header.iter().map(str::to_owned).collect(),
        })
    }

    /// A column with the first target that names it.
    fn named_by(&self, column: &str) -> Option<(String, &'static str, usize)> {
        let field = self
            .fields
            .iter()
            .find(|field| field.columns().contains(&column))?;
        Some((column.to_owned(), field.key, field.line))
    }

    fn json_lines(&self, text: &str) -> Result<Sheet, HistoryError> {
        let mut sheet = Sheet {
            rows: Vec::new(),
            bad: Vec::new(),
        };
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            match self.object(line, &mut seen) {
                Ok(cells) => sheet.rows.push(self.row(number, cells)),
                Err((key, why)) => sheet.bad.push(self.bad(number, &key, why)),
            }
        }
        let absent: Vec<_> = self
            .columns
            .iter()
            .filter(|column| !seen.contains(*column))
            .filter_map(|column| self.named_by(column))
            .collect();
        // Where no object can be read, that is what is wrong.
        if absent.is_empty() || sheet.rows.is_empty() {
            return Ok(sheet);
        }
        Err(HistoryError::NoColumn {
            file: self.file.as_ref().to_owned(),
            columns: absent,
            header: seen.into_iter().collect(),
        })
    }

    fn object(
        &self,
        line: &str,
        seen: &mut BTreeSet<String>,
    ) -> Result<Vec<String>, (String, String)> {
        let first = self.columns.first().cloned().unwrap_or_default();
        let Members(members) = serde_json::from_str(line).map_err(|error| {
            let why = format!("not a JSON object (at character {})", error.column());
            (first, why)
        })?;
        for (key, _) in &members {
            if !seen.contains(key) {
                seen.insert(key.clone());
            }
        }
        let mut cells = Vec::with_capacity(self.columns.len());
        for column in self.columns.iter() {
            let mut found = members.iter().filter(|(key, _)| key == column);
            let cell = match (found.next(), found.next()) {
                (None, _) => String::new(),
                (Some((_, value)), None) => scalar(value.get())
                    .ok_or_else(|| (column.clone(), "it is a list or an object".to_owned()))?,
                (Some(_), Some(_)) => {
                    return Err((column.clone(), "the key stands there twice".to_owned()));
                }
            };
            cells.push(cell);
        }
        Ok(cells)
    }
}

/// A JSON scalar as text: numbers as they stand there, digit by digit.
fn scalar(raw: &str) -> Option<String> {
    match raw.bytes().next()? {
        b'"' => serde_json::from_str(raw).ok(),
        b'{' | b'[' => None,
        b'n' => Some(String::new()),
        _ => Some(raw.to_owned()),
    }
}

/// The members of an object, in order, repeated keys included.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// Lines of bytes, asked for in ascending order. A CSV reader counts a blank line and the second
/// half of a CRLF to the row that follows.
struct Lines<'a> {
    bytes: &'a [u8],
    counted: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            counted: 0,
            line: 1,
        }
    }

    fn at(&mut self, byte: u64) -> u64 {
        let mut to = usize::try_from(byte).unwrap_or(usize::MAX);
        while matches!(self.bytes.get(to), Some(b'\r' | b'\n')) {
            to += 1;
        }
        let passed = self.bytes.get(self.counted..to).unwrap_or_default();
        let breaks = passed.iter().filter(|byte| **byte == b'\n').count();
        self.line += u64::try_from(breaks).unwrap_or(0);
        self.counted = to.max(self.counted);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::fields::Origin;

    fn field(column: &str) -> Field {
        Field {
            key: "bids.amount",
            line: 7,
            origin: Origin::Column(column.to_owned()),
            pattern: None,
            secret: false,
        }
    }

    fn sheet(bytes: impl Into<Vec<u8>>) -> Result<Sheet, HistoryError> {
        let source = Source {
            name: "f".to_owned(),
            bytes: bytes.into(),
        };
        read(&source, &[&field("a"), &field("b")], b',')
    }

    fn told(bytes: impl Into<Vec<u8>>) -> Vec<(u64, String)> {
        let rows = sheet(bytes).unwrap().rows;
        let told = |row: &Row| (row.line(), format!("{}|{}", row.cell("a"), row.cell("b")));
        rows.iter().map(told).collect()
    }

    #[test]
    fn lines_are_right_whatever_the_line_ends_are() {
        let expected = [
            (2, "1|2".to_owned()),
            (4, "3|x\ny".to_owned()),
            (6, "5|6".to_owned()),
        ];
        let text = "b,skipped,a\n2,,1\n\n\"x\ny\",,3\n6,,5\n\n";
        assert_eq!(told(text), expected);
        let dressed = format!("\u{feff}{}", text.replace('\n', "\r\n")).replace("x\r\ny", "x\ny");
        assert_eq!(told(dressed), expected);
    }

    #[test]
    fn json_numbers_are_kept_digit_by_digit() {
        let text =
            "{\"a\":177.50,\"b\":\"x\\u0041\"}\n\n{\"b\":null,\"a\":12345678901234567.891}\n";
        let expected = [
            (1, "177.50|xA".to_owned()),
            (3, "12345678901234567.891|".to_owned()),
        ];
        assert_eq!(told(text), expected);
        let bad = sheet("{\"a\":[1],\"b\":1}\n{\"a\":1,\"a\":2,\"b\":1}\n{\"a\":1,\n")
            .unwrap()
            .bad;
        let why: Vec<_> = bad.iter().map(|row| (row.line, row.why.as_str())).collect();
        assert_eq!(why[0], (1, "it is a list or an object"));
        assert_eq!(why[1], (2, "the key stands there twice"));
        assert!(why[2].1.starts_with("not a JSON object"), "{why:?}");
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        let utf16: Vec<u8> = "a,b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let cases: [(Vec<u8>, &str); 8] = [
            (utf16, "UTF-16"),
            (vec![0xff, 0xfe, b'a', 0], "UTF-16"),
            (b"a,b\n\xff\n".to_vec(), "f:2: not UTF-8"),
            (b" \n".to_vec(), "is empty"),
            (b"[{}]".to_vec(), "JSON array"),
            (b"a,b,a\n".to_vec(), "column a stands there twice"),
            (b"a,c\n".to_vec(), "no column \"b\" (bids.amount)"),
            (b"{\"a\":1}\n".to_vec(), "no column \"b\" (bids.amount)"),
        ];
        for (bytes, expected) in cases {
            let error = sheet(bytes).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let bad = sheet("a,b\n1\n1,2\n").unwrap();
        assert_eq!((bad.rows.len(), bad.bad[0].line), (1, 2));
    }
}
