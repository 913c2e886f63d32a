//! Reads the command line: clap's own reading, with two promises of gavel's on top.
//!
//! A value that begins like a negative number is a value, and its option is named; and a hidden
//! amount in a wrong place is not repeated by the error about it.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, FromArgMatches as _};

use super::args::Cli;
use super::fields::mask;
use super::grammar;

/// The command, or an error that is ready to be printed.
pub(super) fn cli(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let mut command = taking_negatives(grammar::command());
    let cli = command
        .try_get_matches_from_mut(&args)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(|error| without_secrets(error.format(&mut command), &args))?;
    match cli.global.conflict() {
        None => Ok(cli),
        Some(why) => Err(command.error(ErrorKind::ArgumentConflict, why)),
    }
}

/// Every value may be a negative number, and a span one with a unit: the value's own parser says
/// what is wrong with it, where clap would look for an option of that name.
fn taking_negatives(command: Command) -> Command {
    let taking = |arg: Arg| {
        if !arg.get_action().takes_values() {
            return arg;
        }
        let span = arg
            .get_value_names()
            .is_some_and(|names| names.iter().any(|name| name == "SPAN"));
        if span {
            arg.allow_hyphen_values(true)
        } else {
            arg.allow_negative_numbers(true)
        }
    };
    command.mut_args(taking).mut_subcommands(taking_negatives)
}

/// In a bid any value that clap repeats may be the maximum; where a reserve can be stated, a value
/// that belongs to nothing may be it.
fn without_secrets(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let names = |command: &str| args.iter().any(|arg| arg == command);
    let stray = matches!(
        error.kind(),
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand
    );
    if !(names("bid") || (stray && (names("create") || names("amend")))) {
        return error;
    }
    for kind in [
        ContextKind::InvalidArg,
        ContextKind::InvalidValue,
        ContextKind::InvalidSubcommand,
    ] {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let text = mask(text);
            error.insert(kind, ContextValue::String(text));
        }
    }
    // What clap proposes can repeat the value.
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested)
        && tips
            .iter()
            .any(|tip| tip.to_string() != mask(&tip.to_string()))
    {
        error.remove(ContextKind::Suggested);
    }
    error
}
