//! What a view must offer so that it can be rendered in every format.

use serde::Serialize;

/// A flat struct whose fields are the keys of the JSON object and the columns of the CSV file.
/// Amounts are decimal strings, instants RFC 3339 in UTC.
pub(crate) trait Record: Serialize {
    /// The fields' names, in order.
    const FIELDS: &'static [&'static str];
}

/// Declares a [`Record`]: the struct and the names of its fields from one text, so that the two
/// cannot drift apart.
macro_rules! record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize)]
        $vis struct $name {
            $($(#[$field_meta])* $vis $field: $type,)*
        }
        impl $crate::output::Record for $name {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
        }
    };
}
pub(crate) use record;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// The heading.
    pub(crate) title: &'static str,
    /// Numbers stand to the right.
    pub(crate) right: bool,
    /// Gives way first when the terminal is narrow.
    pub(crate) elastic: bool,
}

impl Column {
    /// Words.
    pub(crate) const fn left(title: &'static str) -> Self {
        Self {
            title,
            right: false,
            elastic: false,
        }
    }

    /// Numbers.
    pub(crate) const fn right(title: &'static str) -> Self {
        Self {
            title,
            right: true,
            elastic: false,
        }
    }

    /// Free text.
    pub(crate) const fn elastic(title: &'static str) -> Self {
        Self {
            title,
            right: false,
            elastic: true,
        }
    }
}

/// How a row or a heading is meant; decides its colour, never its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// Went well.
    Good,
    /// Needs a look.
    Caution,
    /// Went wrong.
    Bad,
    /// Of less weight.
    Faint,
}

/// A record that stands in a table with others of its kind.
pub(crate) trait TableRow: Record {
    /// The table's columns.
    const COLUMNS: &'static [Column];
    /// One text a column.
    fn cells(&self) -> Vec<String>;
    /// The row's tone.
    fn tone(&self) -> Tone {
        Tone::Plain
    }
}

/// A record that stands alone: a heading, and lines of label and value.
pub(crate) trait Card: Record {
    /// The sentence at the top.
    fn heading(&self) -> String;
    /// The heading's tone.
    fn tone(&self) -> Tone {
        Tone::Plain
    }
    /// Labels and values; empty values are left out.
    fn lines(&self) -> Vec<(&'static str, String)>;
    /// Whether nothing of what it tells was kept.
    fn dry_run(&self) -> bool {
        false
    }
}
