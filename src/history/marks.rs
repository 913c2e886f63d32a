//! Numbers as a file writes them: the decimal mark, the separator of thousands, prefixes and
//! suffixes around them. Everything becomes plain digits with a point, exactly, or is refused.

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    /// Between whole and fraction.
    pub(super) decimal: char,
    /// Between groups of three digits; none: such a separator is refused.
    pub(super) thousands: Option<char>,
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            decimal: '.',
            thousands: None,
        }
    }
}

impl Marks {
    /// Plain digits with at most one point between digits; none if it is no such number.
    pub(super) fn plain(self, text: &str) -> Option<String> {
        let (whole, fraction) = match text.split_once(self.decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let mut plain = self.ungrouped(whole)?;
        if let Some(fraction) = fraction {
            if !digits(fraction) {
                return None;
            }
            plain.push('.');
            plain.push_str(fraction);
        }
        Some(plain)
    }

    /// A group that is not of three digits is no group: `1,00` says something else.
    fn ungrouped(self, whole: &str) -> Option<String> {
        let Some(separator) = self.thousands.filter(|mark| whole.contains(*mark)) else {
            return digits(whole).then(|| whole.to_owned());
        };
        let mut groups = whole.split(separator);
        let first = groups.next().filter(|first| first.len() <= 3)?;
        let mut plain = first.to_owned();
        for group in groups {
            if group.len() != 3 {
                return None;
            }
            plain.push_str(group);
        }
        (digits(first) && digits(&plain)).then_some(plain)
    }

    /// For the sentence about a number that is none.
    pub(super) fn told(self) -> String {
        let Self { decimal, thousands } = self;
        match thousands {
            None => {
                format!("digits, with \"{decimal}\" before decimals and no thousands separator")
            }
            Some(mark) => {
                format!(
                    "digits, with \"{decimal}\" before decimals and \"{mark}\" between thousands"
                )
            }
        }
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Text around the part of a cell that counts, such as `{} day auction`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    before: String,
    after: String,
}

impl Pattern {
    /// Needs exactly one `{}`.
    pub(super) fn new(text: &str) -> Option<Self> {
        let (before, after) = text.split_once("{}")?;
        (!after.contains("{}")).then(|| Self {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// The part that counts.
    pub(super) fn part<'a>(&self, cell: &'a str) -> Option<&'a str> {
        cell.strip_prefix(self.before.as_str())?
            .strip_suffix(self.after.as_str())
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}{{}}{}\"", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_by_the_stated_marks_alone() {
        let plain = Marks::default();
        let comma = Marks {
            decimal: ',',
            thousands: Some('.'),
        };
        let us = Marks {
            decimal: '.',
            thousands: Some(','),
        };
        let cases = [
            (plain, "99", Some("99")),
            (plain, "177.5", Some("177.5")),
            (plain, "1,000", None),
            (plain, "1.000.000", None),
            (plain, "12,5", None),
            (plain, "", None),
            (plain, ".5", None),
            (plain, "5.", None),
            (plain, "-5", None),
            (plain, "+5", None),
            (plain, "1e3", None),
            (plain, " 5", None),
            (plain, "\u{661}\u{660}", None),
            (comma, "1.000,50", Some("1000.50")),
            (comma, "12,5", Some("12.5")),
            (comma, "12.5", None),
            (comma, "1.00", None),
            (us, "1,234,567.89", Some("1234567.89")),
            (us, "1234.5", Some("1234.5")),
            (us, "1,00", None),
            (us, ",100", None),
            (us, "1234,567", None),
            (us, "1,2345", None),
        ];
        for (marks, text, expected) in cases {
            assert_eq!(marks.plain(text).as_deref(), expected, "{text} {marks:?}");
        }
    }

    #[test]
    fn a_pattern_finds_the_part_that_counts() {
        let days = Pattern::new("{} day auction").unwrap();
        assert_eq!(days.part("7 day auction"), Some("7"));
        assert_eq!(days.part("7 days"), None);
        assert_eq!(Pattern::new("US ${}").unwrap().part("US $5"), Some("5"));
        assert_eq!(Pattern::new("none"), None);
        assert_eq!(Pattern::new("{}{}"), None);
    }
}
