//! Words that help and completions offer for a value that is read elsewhere: by the same parser as
//! a column of a file, with the same error.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

/// Takes any text, offers these words.
#[derive(Debug, Clone)]
pub(super) struct Offered(Vec<&'static str>);

/// Offers the words of a closed set.
pub(super) fn offered(words: impl IntoIterator<Item = &'static str>) -> Offered {
    Offered(words.into_iter().collect())
}

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}
