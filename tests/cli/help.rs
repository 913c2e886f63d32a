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
          demo          See it all happen: a story of five auctions, a crowd, the sweep,
                        the replay
          migrate       Make the database, or bring it up to this gavel
          create        Create an auction, or many from a file
          bid           Place a bid, or many from a file
          show          Show an auction: where it stands, and its terms
          list          List auctions by their end
          history       Show what happened in an auction, as the public may see it
          watch         Watch auctions as the bids come in, until they are closed
          mine          List the auctions a bidder has bid on, and how the bidder stands
          watchlist     Keep a person's list of watched auctions
          close         Close an auction that has ended
          close-sweep   Close every auction that has ended
          top           Watch a database live: what is due, closed and ending next
          amend         Change the terms of an auction, or extend many at once
          void          Take a bidder's bids out of the reckoning
          cancel        Withdraw an auction
          replay        Audit: replay the ledger by the rules and compare with what is
                        recorded [alias: audit]
          report        Look for patterns over many auctions
          export        Write auctions into a folder of CSV or Parquet files with a
                        manifest
          import        Read an exported folder into the database, or another site's
                        history
          keygen        Make a key that signs checkpoints
          checkpoint    Sign what all ended auctions are, so that a later change can be
                        proved
          verify        Verify who signed a checkpoint, and say what it covers
          prove         Prove that an ended auction is in a checkpoint
          verify-proof  Verify a proof that an auction is in a checkpoint, without any
                        database
          burst         Generate load on a live database, and check every answer
          doctor        Look into the database and say what is wrong with it
          completions   Print a completion script for a shell
          man           Print the manual page of a command, or write all of them
          help          Print this message or the help of the given subcommand(s)

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
fn every_command_shows_an_example_that_fits_a_line() {
    let desk = Desk::bare();
    let top = desk.ok("-h");
    let mut pages: Vec<String> = commands(&top).into_iter().map(str::to_owned).collect();
    for command in pages.clone() {
        let help = desk.ok(&format!("{command} -h"));
        let below = commands(&help).into_iter();
        pages.extend(below.map(|below| format!("{command} {below}")));
    }
    assert!(pages.contains(&"watchlist add".to_owned()));
    for page in pages {
        let help = desk.ok(&format!("{page} --help"));
        let examples = help.lines().skip_while(|line| !line.starts_with("Example"));
        let examples: Vec<&str> = examples
            .skip(1)
            .take_while(|line| !line.is_empty())
            .collect();
        let example = format!("  gavel {page}");
        assert!(
            examples.iter().any(|line| line.starts_with(&example)),
            "{page}"
        );
        for line in examples {
            assert!(line.chars().count() < 78, "{page}: {line}");
        }
    }
}

#[test]
fn what_a_new_auction_must_have_and_has_by_default_is_told() {
    let help = Desk::bare()
        .ok("create --help")
        .replace("\n          ", " ");
    for (option, note) in [
        ("--seller <WHO>", "[required]"),
        ("--title <TEXT>", "[required]"),
        ("--start-price <AMOUNT>", "[required]"),
        ("--ends-at <TIME>", "[this or --ends-in is required]"),
        ("--steps <STEPS>", "[default: ebay-us]"),
        ("--own-raise <RULE>", "[default: keep]"),
        ("--soft-close-mode <MODE>", "[default: reset]"),
        ("--soft-close-trigger <BIDS>", "[default: not-own-raise]"),
    ] {
        let line = help.lines().find(|line| line.contains(option));
        assert!(line.unwrap().contains(note), "{line:?}");
    }
    // They are the defaults indeed.
    let desk = Desk::ready();
    desk.ok(
        "create --id 1 --seller alice --title Lamp --start-price 5 --ends-in 7d \
         --soft-close-window 2m",
    );
    let shown: serde_json::Value = serde_json::from_str(&desk.ok("show 1 --format json")).unwrap();
    for (field, value) in [
        ("steps", "ebay-us"),
        ("own_raise", "keep"),
        ("soft_close_mode", "reset"),
        ("soft_close_trigger", "not-own-raise"),
        ("soft_close_extend", "2m"),
    ] {
        assert_eq!(shown[field], value, "{field}");
    }
    // An amendment has none: what is not stated stays.
    let help = Desk::bare().ok("amend --help");
    let terms = help.split("Terms:").nth(1).unwrap();
    let terms = terms.split("Global options:").next().unwrap();
    assert!(
        !terms.contains("[default: keep]") && !terms.contains("[required]"),
        "{terms}"
    );
}

#[test]
fn replay_names_its_checks() {
    let help = Desk::bare().ok("replay --help");
    for check in gavel::ledger::Check::ALL {
        let line = format!("\n  {:<19}  {}", check.name(), check.describe());
        assert!(help.contains(&line), "{check}");
    }
}

#[test]
fn no_command_at_all_shows_the_help() {
    let said = Desk::bare().run("");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("Commands:"));
}
