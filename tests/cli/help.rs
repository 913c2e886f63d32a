//! The help that a newcomer sees first.

use crate::support::cli::{Desk, masking};

#[test]
fn the_short_help_lists_the_commands() {
    let desk = Desk::bare();
    let said = desk.transcript(&["-h"]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel -h
        Administers auctions and audits them

        Usage: gavel [OPTIONS] <COMMAND>

        Commands:
          demo         See it all happen: a story of five auctions, a crowd, the sweep,
                       the replay
          migrate      Make the database, or bring it up to this gavel
          create       Create an auction, or many from a file
          bid          Place a bid, or many from a file
          show         Show an auction: where it stands, and its terms
          list         List auctions by their end
          history      Show what happened in an auction, as the public may see it
          mine         List the auctions a bidder has bid on, and how the bidder stands
          watchlist    Keep a person's list of watched auctions
          close        Close an auction that has ended
          close-sweep  Close every auction that has ended
          amend        Change the terms of an auction, or extend many at once
          void         Take a bidder's bids out of the reckoning
          cancel       Withdraw an auction
          replay       Audit: replay the ledger by the rules and compare with what is
                       recorded [alias: audit]
          export       Write auctions into a folder of CSV files with a manifest
          import       Read an exported folder into the database, or another site's
                       history
          doctor       Look into the database and say what is wrong with it
          completions  Print a completion script for a shell
          man          Print the manual page of a command, or write all of them
          help         Print this message or the help of the given subcommand(s)

        Options:
          -h, --help     Print help (see more with '--help')
          -V, --version  Print version

        Global options:
              --database-url <URL>  The database: sqlite:PATH or
                                    postgres://USER@HOST/DATABASE [default: gavel.db in
                                    your data folder] [env: DATABASE_URL]
              --format <FORM>       The form of the results: table, json (one object a
                                    line) or csv [default: table]
              --csv-safe            With --format csv: put an apostrophe before each
                                    text that a spreadsheet would run as a formula
          -q, --quiet               Print results, warnings and errors, and nothing else
              --color <WHEN>        When to colour: auto, always or never [default:
                                    auto]
              --no-progress         Draw no progress bars

        gavel help COMMAND says more about a command.
        ");
    });
}

#[test]
fn every_command_has_help_that_fits_and_an_exit_code_list_stands_in_the_long_help() {
    let desk = Desk::bare();
    let top = desk.ok("--help");
    assert!(top.contains("Exit codes:") && top.contains("130"));
    let commands = commands(&top);
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let help = desk.ok(&format!("{command} --help"));
        assert!(help.contains("Usage: gavel"), "{command}");
        let widest = help.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 100, "{command}: {widest}");
    }
}

/// The names under `Commands:`.
pub(super) fn commands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "help")
        .collect()
}

#[test]
fn no_command_at_all_shows_the_help() {
    let said = Desk::bare().run("");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("Commands:"));
}
