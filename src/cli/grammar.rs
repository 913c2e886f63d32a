//! The whole command line, as it is read, completed and described in the manual: what the options
//! say of themselves, and what only the whole knows.

use clap::{Arg, Command, CommandFactory as _, ValueHint};

use super::args::Cli;

/// The command line.
pub(super) fn command() -> Command {
    hinted(Cli::command().mut_subcommand("create", new_terms))
}

/// Terms are shared with `amend`, where what is not stated stays. Here it is required, or has a
/// default.
fn new_terms(create: Command) -> Command {
    let notes = [
        ("seller", "[required]"),
        ("title", "[required]"),
        ("start_price", "[required]"),
        ("steps", "[default: ebay-us]"),
        ("own_raise", "[default: keep]"),
        ("soft_close_mode", "[default: reset]"),
        ("soft_close_trigger", "[default: not-own-raise]"),
        ("starts_at", "[default: now]"),
        ("ends_at", "[this or --ends-in is required]"),
        ("ends_in", "[this or --ends-at is required]"),
    ];
    notes.into_iter().fold(create, |create, (name, note)| {
        create.mut_arg(name, |arg| {
            let help = arg.get_help().map(ToString::to_string);
            arg.help(format!("{} {note}", help.unwrap_or_default()))
        })
    })
}

/// Files and folders are completed as such, and nothing else is.
fn hinted(command: Command) -> Command {
    let hint = |arg: Arg| {
        if !arg.get_action().takes_values() {
            return arg;
        }
        let is = |name: &str| {
            let mut names = arg.get_value_names().into_iter().flatten();
            names.any(|value| value.split('|').any(|part| part == name))
        };
        let file = ["FILE", "NOTE", "PROOF", "VERIFIER"].into_iter().any(is);
        let hint = match (file, is("FOLDER")) {
            (true, true) => ValueHint::AnyPath,
            (true, _) => ValueHint::FilePath,
            (_, true) => ValueHint::DirPath,
            _ => ValueHint::Other,
        };
        arg.value_hint(hint)
    };
    command.mut_args(hint).mut_subcommands(hinted)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    /// Every line of examples, of every command: whole, without comments and what a shell does.
    fn examples(command: &Command, found: &mut Vec<(String, String)>) {
        let help = command.get_after_help().map(ToString::to_string);
        let text = help.unwrap_or_default().replace("\\\n", " ");
        for line in text.lines().filter(|line| line.starts_with("  ")) {
            let end = [" # ", " > ", " >> ", " | ", " && "];
            let end = end.iter().filter_map(|mark| line.find(mark)).min();
            let line = &line[..end.unwrap_or(line.len())];
            found.push((command.get_name().to_owned(), line.trim().to_owned()));
        }
        for sub in command.get_subcommands() {
            examples(sub, found);
        }
    }

    /// At spaces; single quotes keep words together.
    fn words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (index, part) in line.split('\'').enumerate() {
            if index % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }

    #[test]
    fn every_example_is_a_line_that_gavel_understands() {
        let mut found = Vec::new();
        examples(&command(), &mut found);
        assert!(found.len() > 40, "{found:?}");
        for (name, line) in found {
            assert!(
                line.starts_with("gavel ") && line.contains(&name),
                "{name}: {line}"
            );
            let read = parse::cli(words(&line).into_iter().map(Into::into));
            assert!(read.is_ok(), "{line}: {:?}", read.err());
        }
    }

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }
}
