//! Whether the quotes of a CSV file stand where they must.
//!
//! A reader of rows makes something of any quote: of `"Oak "desk""` it would make another title, and
//! of a quote that is never closed one cell of the rest of the file. What cannot have been meant is
//! refused before a row is read.

/// What is wrong with the quotes, and on which line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misquote {
    /// Text after a closing quote.
    GoesOn(u64),
    /// An opening quote without a closing one.
    LeftOpen(u64),
}

impl Misquote {
    /// Where and what.
    pub(super) fn told(self, file: &str) -> String {
        match self {
            Self::GoesOn(line) => format!("{file}:{line}: a cell goes on after its closing quote"),
            Self::LeftOpen(line) => format!("{file}:{line}: a quote is opened and never closed"),
        }
    }
}

/// Follows a file's bytes.
#[derive(Debug)]
pub(super) struct Quotes {
    place: Place,
    line: u64,
    opened: u64,
    fault: Option<Misquote>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A cell begins.
    Start,
    /// In a cell without quotes, where a quote is a character like any other.
    Plain,
    /// Between the quotes.
    Quoted,
    /// Behind a quote that closes the cell, unless another follows.
    Closed,
}

impl Default for Quotes {
    fn default() -> Self {
        Self {
            place: Place::Start,
            line: 1,
            opened: 1,
            fault: None,
        }
    }
}

impl Quotes {
    /// The next bytes. Only ASCII decides, so characters may be torn.
    pub(super) fn at(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.place = match (self.place, byte) {
                (Place::Start, b'"') => {
                    self.opened = self.line;
                    Place::Quoted
                }
                (Place::Quoted, b'"') => Place::Closed,
                (Place::Quoted, _) | (Place::Closed, b'"') => Place::Quoted,
                (_, b',' | b'\n' | b'\r') => Place::Start,
                (Place::Closed, _) => {
                    self.fault.get_or_insert(Misquote::GoesOn(self.line));
                    Place::Plain
                }
                (Place::Start | Place::Plain, _) => Place::Plain,
            };
            if *byte == b'\n' {
                self.line += 1;
            }
        }
    }

    /// What is wrong first, now that the file ends.
    pub(super) fn end(&self) -> Option<Misquote> {
        let open = (self.place == Place::Quoted).then_some(Misquote::LeftOpen(self.opened));
        self.fault.or(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Misquote> {
        let mut whole = Quotes::default();
        whole.at(text.as_bytes());
        let mut torn = Quotes::default();
        text.as_bytes().chunks(1).for_each(|byte| torn.at(byte));
        assert_eq!(whole.end(), torn.end());
        whole.end()
    }

    #[test]
    fn quotes_that_are_doubled_or_in_plain_cells_are_right() {
        for text in [
            "a,b\n1,2\n",
            "a,\"b\"\"c\",\"\"\r\n\"d\ne\",f",
            "3\" pipe,6'2\"\n",
            "a,\"\"\"quoted\"\"\"",
            "\"x\"\r\"y\"\r",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn a_quote_in_a_wrong_place_is_found_on_its_line() {
        assert_eq!(of("a\n\"Oak \"desk\"\"\n"), Some(Misquote::GoesOn(2)));
        assert_eq!(of("a\n\"Oak\" desk\n"), Some(Misquote::GoesOn(2)));
        assert_eq!(of("a\nb\n\"c\nd\ne\n"), Some(Misquote::LeftOpen(3)));
    }
}
