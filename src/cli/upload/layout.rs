//! The columns of a file.

use crate::cli::error::InputError;
use crate::cli::fields::{Fields, Source, mask, shown};

/// The columns that a file may and must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// All names.
    pub(crate) columns: &'static [&'static str],
    /// Those that every file must have.
    pub(crate) required: &'static [&'static str],
    /// The column that names what a row makes, which only one row can ever make: such a row is
    /// known by its own content, in whatever file it stands.
    pub(crate) name: Option<&'static str>,
    /// Whether no cell's digits are told: the rows hold maxima, which may stand in a wrong column.
    pub(crate) masked: bool,
}

impl Layout {
    /// A row's fields, none yet.
    pub(super) fn fields(self, source: Source) -> Fields {
        if self.masked {
            Fields::masked(source)
        } else {
            Fields::new(source)
        }
    }

    /// The column of this name.
    pub(super) fn column(self, name: &str) -> Option<&'static str> {
        self.columns.iter().copied().find(|known| *known == name)
    }

    /// The columns of a header, in its order.
    pub(super) fn of_header<'a>(
        self,
        file: &str,
        header: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<&'static str>, InputError> {
        let all = self.columns.join(", ");
        let mut columns: Vec<&'static str> = Vec::new();
        for title in header {
            let Some(known) = self.column(title) else {
                let what = format!("{file}:1: unknown column {}", shown(&mask(title)));
                // A whole line that was taken for one title.
                let hint = match title.contains([';', '\t', '|']) {
                    true => "separate the cells by commas".to_owned(),
                    false => format!("the columns are {all}"),
                };
                return Err(InputError::new(what).hint(hint));
            };
            if columns.contains(&known) {
                let what = format!("{file}:1: column {known} stands there twice");
                return Err(InputError::new(what));
            }
            columns.push(known);
        }
        match self.required.iter().find(|name| !columns.contains(name)) {
            None => Ok(columns),
            Some(absent) => Err(
                InputError::new(format!("{file}:1: column {absent} is missing"))
                    .hint(format!("the columns are {all}")),
            ),
        }
    }
}
