# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_gavel_global_optspecs
    string join \n database-url= format= csv-safe q/quiet color= no-progress h/help V/version
end

function __fish_gavel_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_gavel_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_gavel_using_subcommand
    set -l cmd (__fish_gavel_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c gavel -n "__fish_gavel_needs_command" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_needs_command" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_needs_command" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_needs_command" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_needs_command" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_needs_command" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_needs_command" -s V -l version -d 'Print version'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "demo" -d 'See it all happen: a story of five auctions, a crowd, the sweep, the replay'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "migrate" -d 'Make the database, or bring it up to this gavel'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "bid" -d 'Place a bid, or many from a file'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "show" -d 'Show an auction: where it stands, and its terms'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "list" -d 'List auctions by their end'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "history" -d 'Show what happened in an auction, as the public may see it'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "watch" -d 'Watch auctions as the bids come in, until they are closed'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "mine" -d 'List the auctions a bidder has bid on, and how the bidder stands'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "watchlist" -d 'Keep a person\'s list of watched auctions'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "close" -d 'Close an auction that has ended'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "close-sweep" -d 'Close every auction that has ended'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "top" -d 'Watch a database live: what is due, closed and ending next'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "amend" -d 'Change the terms of an auction, or extend many at once'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "void" -d 'Take a bidder\'s bids out of the reckoning'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "cancel" -d 'Withdraw an auction'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "replay" -d 'Audit: replay the ledger by the rules and compare with what is recorded'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "audit" -d 'Audit: replay the ledger by the rules and compare with what is recorded'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "report" -d 'Look for patterns over many auctions'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "export" -d 'Write auctions into a folder of CSV or Parquet files with a manifest'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "import" -d 'Read an exported folder into the database, or another site\'s history'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "keygen" -d 'Make a key that signs checkpoints'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "checkpoint" -d 'Sign what all ended auctions are, so that a later change can be proved'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "verify" -d 'Verify who signed a checkpoint, and say what it covers'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "prove" -d 'Prove that an ended auction is in a checkpoint'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "verify-proof" -d 'Verify a proof that an auction is in a checkpoint, without any database'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "burst" -d 'Generate load on a live database, and check every answer'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "doctor" -d 'Look into the database and say what is wrong with it'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "man" -d 'Print the manual page of a command, or write all of them'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "create" -d 'Create an auction, or many from a file'
complete -c gavel -n "__fish_gavel_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l auctions -d 'Auctions of the crowd' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l bids -d 'Bids of the crowd' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l bidders -d 'Bidders that bid at the same time' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l seed -d 'Another seed, another crowd' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l keep -d 'Keep the database in this new file, to look around in it' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand demo" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand demo" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand demo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l roles -d 'Make the roles of people and processes too (PostgreSQL; needs the right to make roles)'
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l dry-run -d 'Say what would be applied, and apply nothing; with --roles make the roles and undo it'
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand migrate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l bidder -d 'Who bids' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l max -d 'The most the bidder is ready to pay; hidden' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l currency -d 'The currency the bidder means; another than the auction\'s is refused' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l request-id -d 'Makes a repeat harmless: the same id is done once [default: a fresh one]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l max-jump -d 'Refuse a maximum that is more than so many times the lowest bid taken now; none: take any' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand bid" -s f -l file -d 'Many bids from CSV or JSON lines; - reads standard input' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l skip-bad -d 'Place the good rows of a file and name the bad ones (exit 4)'
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand bid" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand bid" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand bid" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand show" -l as-of -d 'As it stood after the entry with this seq, or at this time' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand show" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand show" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand show" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand show" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand show" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand show" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand list" -l status -d 'Where they stand' -r -f -a "open\t'Before the end'
due\t'Past the end and not yet closed'
closing\t'Claimed by a closer'
closed\t'Closed, whatever the result'
sold\t'Closed with a buyer'
no-bids\t'Closed without bids'
reserve-not-met\t'Closed below the reserve'
cancelled\t'Withdrawn'"
complete -c gavel -n "__fish_gavel_using_subcommand list" -l ending-before -d 'Their end is before this instant' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand list" -l ending-after -d 'Their end is after this instant' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand list" -l seller -d 'Of this seller' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand list" -l limit -d 'At most so many' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand list" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand list" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand list" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand list" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand list" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand list" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand history" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand history" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand history" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand history" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand history" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand history" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l patience -d 'How long to try again when the database cannot be reached' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l from-start -d 'Tell what happened before as well'
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l until-end -d 'Stop when all have ended, without waiting for a closer'
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand watch" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand watch" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l bidder -d 'The bidder' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l limit -d 'At most so many' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l open -d 'Only those that still take bids'
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand mine" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand mine" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand mine" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -f -a "add" -d 'Put an auction on the list'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -f -a "remove" -d 'Take an auction off the list'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -f -a "list" -d 'List the watched auctions: those that end soonest first, then those that are over'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and not __fish_seen_subcommand_from add remove list help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l watcher -d 'Whose list' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l watcher -d 'Whose list' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l watcher -d 'Whose list' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l limit -d 'At most so many' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l open -d 'Only those that still take bids'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from help" -f -a "add" -d 'Put an auction on the list'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Take an auction off the list'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the watched auctions: those that end soonest first, then those that are over'
complete -c gavel -n "__fish_gavel_using_subcommand watchlist; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gavel -n "__fish_gavel_using_subcommand close" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand close" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand close" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand close" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand close" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand close" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand close" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l batch -d 'The most auctions closed in one transaction' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l jobs -d 'How many batches to close at once, each on a connection of its own; SQLite has one writer' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l shards -d 'Close auctions of these shards only, of 0 to 31: numbers and ranges, such as 0-7,12 [default: all]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l strategy -d 'Close a batch in one transaction, or claim each auction first and close it in a second' -r -f -a "batch\t'A batch a transaction'
claim\t'Claimed, then closed by whoever still has the claim'"
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l claim-timeout -d 'Give back claims that are older: their closers are gone' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l interval -d 'With --daemon: how often to look for what is due and what will be' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l metrics -d 'With --daemon: serve metrics for Prometheus at this address, such as 127.0.0.1:9464' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l log-format -d 'With --daemon: say everything as a log on standard error: text, or json (one object a line)' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l daemon -d 'Stay, and close auctions at their ends until stopped'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l no-look-ahead -d 'With --daemon: close what is due every interval, not at the ends themselves'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand close-sweep" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand top" -l interval -d 'How often to look, from 100ms to 1h' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand top" -l shards -d 'Look at auctions of these shards only, of 0 to 31: numbers and ranges, such as 0-7,12 [default: all]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand top" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand top" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand top" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand top" -l once -d 'Look once, print it and exit'
complete -c gavel -n "__fish_gavel_using_subcommand top" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand top" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand top" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand top" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l reason -d 'Why, for the ledger' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l actor -d 'Who acts, for the ledger' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l request-id -d 'Makes a repeat harmless: the same id is done once [default: a fresh one]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l seller -d 'Open auctions of this seller' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l ending-before -d 'Open auctions whose end is before this instant' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l ending-after -d 'Open auctions whose end is after this instant' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l title -d 'One line for people' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l start-price -d 'The lowest first bid' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l steps -d 'How much a challenger must add: an amount, ebay-us, ebay-uk, or rungs such as 0.01:0.05,1:0.25' -r -f -a "ebay-us\t''
ebay-uk\t''"
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l reserve -d 'Hidden: below it the item is not sold (0: none)' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l own-raise -d 'What the leader\'s own raise does to the price' -r -f -a "keep\t''
reprice\t''"
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l soft-close-window -d 'Soft close: a bid in this last span moves the end' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l soft-close-extend -d 'By how much [default: the window]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l soft-close-mode -d 'Counted from the bid (reset) or from the end (add)' -r -f -a "reset\t''
add\t''"
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l soft-close-trigger -d 'Which bids move the end' -r -f -a "not-own-raise\t''
any\t''
leader-change\t''"
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l soft-close-cap -d 'The end never moves past this instant' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l starts-at -d 'Bids are taken from this instant on' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l ends-at -d 'Bids are taken before this instant, such as 2026-12-06T19:00[America/Los_Angeles]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l ends-in -d 'The end as a span, such as 7d or 2h30m: from the start (amend: from now); on a full second from a minute up' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l extend-by -d 'Move the end in force by this span, wherever a soft close has moved it' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l all-open -d 'Every auction that is open'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l no-reserve -d 'Take the reserve away'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l no-soft-close -d 'Take the soft close away'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand amend" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand void" -l reason -d 'Why, for the ledger' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand void" -l actor -d 'Who acts, for the ledger' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand void" -l request-id -d 'Makes a repeat harmless: the same id is done once [default: a fresh one]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand void" -l bidder -d 'Whose bids' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand void" -l seq -d 'The bid with this seq, if it is the latest that still counts' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand void" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand void" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand void" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand void" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand void" -l all -d 'All of them'
complete -c gavel -n "__fish_gavel_using_subcommand void" -l latest -d 'The latest that still counts'
complete -c gavel -n "__fish_gavel_using_subcommand void" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand void" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand void" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand void" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l reason -d 'Why, for the ledger' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l actor -d 'Who acts, for the ledger' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l request-id -d 'Makes a repeat harmless: the same id is done once [default: a fresh one]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand cancel" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l ids -d 'These auctions too, such as 7731,7732' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l shards -d 'Auctions in these shards only, such as 0-7,12' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l seller -d 'Auctions of this seller only' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l closed-between -d 'Auctions closed from the first time on and before the second only: FROM..TO; one of the two may be left out' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l from -d 'Read an exported folder instead of the database; or a ledger by itself, without rows and events to compare it with: a CSV or Parquet file, or - for CSV on standard input' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l explain -d 'Tell one auction bid by bid: what happened, which rule applied, why a bid lost. The auditor\'s view: it names the maxima' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l check -d 'Make these checks only, such as price,winner' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l no-check -d 'Make all checks but these. Without hash-chain, commitment and manifest-sha256 nothing is hashed' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l for -d 'With --explain: only what this bidder may know, to be read out or sent. The others stand under aliases; each own bid is told with its maximum, what opens its commitment, and why it lost' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l as-of -d 'With --explain: up to the entry with this seq, or up to this time' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l what-if -d 'Derive the auctions again with something changed, and show what would have been beside what was; repeatable. See below' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l due-grace -d 'How long past its end an auction may be open without a finding [default: not at all]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l claim-timeout -d 'How long a closer\'s claim may last [default: 1m]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l findings -d 'List at most so many findings; all are counted' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l threads -d 'Auctions are judged by so many workers [default: one a processor]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l against -d 'Hold the record against a checkpoint (gavel checkpoint) too' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l since -d 'Replay what has ended since a checkpoint, and what is open. What it covers is held against it by the heads; if they differ, nothing is replayed' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l leaves -d 'The checkpoint\'s leaves: each auction that differs is named' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l key -d 'The checkpoint\'s verifier key, or a file that holds it' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l kept -d 'Hold the record against closing events that somebody kept too: CSV with auction_id and ledger_head, or JSON' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l list-checks -d 'List the checks and what each one holds to, and do nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l all -d 'With --what-if: list the auctions that would not differ too'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l lines -d 'With --format json: a line for each finding instead of one object for the report'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l ids -d 'These auctions too, such as 7731,7732' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l shards -d 'Auctions in these shards only, such as 0-7,12' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l seller -d 'Auctions of this seller only' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l closed-between -d 'Auctions closed from the first time on and before the second only: FROM..TO; one of the two may be left out' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l from -d 'Read an exported folder instead of the database; or a ledger by itself, without rows and events to compare it with: a CSV or Parquet file, or - for CSV on standard input' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l explain -d 'Tell one auction bid by bid: what happened, which rule applied, why a bid lost. The auditor\'s view: it names the maxima' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l check -d 'Make these checks only, such as price,winner' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l no-check -d 'Make all checks but these. Without hash-chain, commitment and manifest-sha256 nothing is hashed' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l for -d 'With --explain: only what this bidder may know, to be read out or sent. The others stand under aliases; each own bid is told with its maximum, what opens its commitment, and why it lost' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l as-of -d 'With --explain: up to the entry with this seq, or up to this time' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l what-if -d 'Derive the auctions again with something changed, and show what would have been beside what was; repeatable. See below' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l due-grace -d 'How long past its end an auction may be open without a finding [default: not at all]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l claim-timeout -d 'How long a closer\'s claim may last [default: 1m]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l findings -d 'List at most so many findings; all are counted' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l threads -d 'Auctions are judged by so many workers [default: one a processor]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l against -d 'Hold the record against a checkpoint (gavel checkpoint) too' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l since -d 'Replay what has ended since a checkpoint, and what is open. What it covers is held against it by the heads; if they differ, nothing is replayed' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l leaves -d 'The checkpoint\'s leaves: each auction that differs is named' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l key -d 'The checkpoint\'s verifier key, or a file that holds it' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l kept -d 'Hold the record against closing events that somebody kept too: CSV with auction_id and ledger_head, or JSON' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l list-checks -d 'List the checks and what each one holds to, and do nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l all -d 'With --what-if: list the auctions that would not differ too'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l lines -d 'With --format json: a line for each finding instead of one object for the report'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand audit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -f -a "shill" -d 'Rank sellers\' bidders, and bidders, by the traces that shill bidding leaves'
complete -c gavel -n "__fish_gavel_using_subcommand report; and not __fish_seen_subcommand_from shill help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l from -d 'Read an exported folder, also a public one, instead of the database' -r -f -a "(__fish_complete_directories)"
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l min-auctions -d 'Leave out who was in fewer auctions' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l top -d 'List so many pairs, and so many bidders' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l seller -d 'Pairs with this seller only, however often they meet' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from shill" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from help" -f -a "shill" -d 'Rank sellers\' bidders, and bidders, by the traces that shill bidding leaves'
complete -c gavel -n "__fish_gavel_using_subcommand report; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gavel -n "__fish_gavel_using_subcommand export" -l ids -d 'These auctions too, such as 7731,7732' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand export" -l shards -d 'Auctions in these shards only, such as 0-7,12' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand export" -l seller -d 'Auctions of this seller only' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand export" -l closed-between -d 'Auctions closed from the first time on and before the second only: FROM..TO; one of the two may be left out' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand export" -l as -d 'How the tables are written: text, or typed columns for analysis and fast audits' -r -f -a "csv\t''
parquet\t''"
complete -c gavel -n "__fish_gavel_using_subcommand export" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand export" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand export" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand export" -l public -d 'Leave out maxima, reserves, nonces and watchers'
complete -c gavel -n "__fish_gavel_using_subcommand export" -l overwrite -d 'Replace an export that the folder holds'
complete -c gavel -n "__fish_gavel_using_subcommand export" -l dry-run -d 'Read and check everything, and write nothing'
complete -c gavel -n "__fish_gavel_using_subcommand export" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand export" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand export" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand import" -l map -d 'Read a foreign history by this mapping' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand import" -l auctions -d 'The file of the auctions, where the mapping is for two files' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand import" -l bids -d 'The file of the bids, where the mapping is for two files' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand import" -l to -d 'Write an exported folder, for gavel replay --from, and leave the database alone' -r -f -a "(__fish_complete_directories)"
complete -c gavel -n "__fish_gavel_using_subcommand import" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand import" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand import" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand import" -l overwrite -d 'Replace an export that the folder of --to holds'
complete -c gavel -n "__fish_gavel_using_subcommand import" -l skip-bad -d 'Leave out rows that cannot be used and bids that the rules refuse, and name them (exit 4)'
complete -c gavel -n "__fish_gavel_using_subcommand import" -l accept-findings -d 'Import a history that does not replay clean, or (--map) whose record is not what the rules give, as it is'
complete -c gavel -n "__fish_gavel_using_subcommand import" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand import" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand import" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand import" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l origin -d 'The key\'s name, and the origin of what it signs [default: gavel/ and the installation]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l overwrite -d 'Replace the files that are there: what the old key signed is verified by the old FILE.pub only'
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand keygen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l key -d 'The private key, from gavel keygen' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l from -d 'Read an exported folder instead of the database; by default what ended until a minute before the export is covered' -r -f -a "(__fish_complete_directories)"
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l out -d 'Write the note into this file' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l leaves -d 'Write the tree\'s leaves into this file: with them a change is told auction by auction' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l previous -d 'An earlier checkpoint by the same key, which this one must continue (exit 4)' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l until -d 'Cover what ended before this time [default: all that is settled]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l origin -d 'Whose record it is; the key must be of that name [default: gavel/ and the installation]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l dry-run -d 'Read and check everything, and sign and write nothing'
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand checkpoint" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand verify" -l key -d 'The verifier key, or a file that holds it' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand verify" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand verify" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand verify" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand verify" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand verify" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand verify" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l note -d 'The checkpoint (- reads standard input)' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l from -d 'Read an exported folder instead of the database' -r -f -a "(__fish_complete_directories)"
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l out -d 'Write the proof into this file' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand prove" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand prove" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand prove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l key -d 'The verifier key, or a file that holds it' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l auction -d 'The auction that it must be of' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l event -d 'The closing event, as JSON or as CSV with auction_id and ledger_head, whose head it must have' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l head -d 'The head that it must have, in hexadecimal' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand verify-proof" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l rate -d 'Closes (seven-pm) or bids a second, or max for as many bids as go (hot-item, steady) [default: 1600; steady 5000, hot-item 1000]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l for -d 'How long the load is measured, whole seconds [default: 60s]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l warm-up -d 'How long the load goes on before it is measured, whole seconds [default: seven-pm 2s, steady 5s, otherwise none]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l auctions -d 'Auctions of steady [default: 10000]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l bidders -d 'Bidders of bidding-war [default: 50]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l rounds -d 'Rounds of bidding-war [default: 8]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l connections -d 'Connections that bid [default: 16; bidding-war: one for each bidder, at most 50]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l seed -d 'Another seed, other bids' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l strategy -d 'How the run closes its auctions' -r -f -a "batch\t'A batch a transaction'
claim\t'Claimed, then closed by whoever still has the claim'"
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l close-patience -d 'Give up waiting for closes after nothing was closed for so long' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l html -d 'Write the report with plots to this file, for a browser' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l remove -d 'Remove what a run has left, by its number, or all runs, those that are being played included' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l plain -d 'hot-item without soft close'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l no-look-ahead -d 'Close what is due every second, not at the ends themselves'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l external-closer -d 'Close nothing: daemons that run elsewhere do'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l require-rate -d 'Fail (exit 4) if less than 99 of 100 bids or closes were done by a twentieth of the measured time after it, at most a second'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l cleanup -d 'Remove the run\'s auctions at the end, unless something was not right, and when it is stopped'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l dry-run -d 'Say what would be made or removed, and do nothing'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand burst" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand completions" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand completions" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand completions" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand completions" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand completions" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand completions" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand completions" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand man" -l output -d 'Write every page into this folder' -r -f -a "(__fish_complete_directories)"
complete -c gavel -n "__fish_gavel_using_subcommand man" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand man" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand man" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand man" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand man" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand man" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand man" -s h -l help -d 'Print help'
complete -c gavel -n "__fish_gavel_using_subcommand create" -s f -l file -d 'Many auctions from CSV or JSON lines; - reads standard input' -r -F
complete -c gavel -n "__fish_gavel_using_subcommand create" -l id -d 'The auction\'s number [default: a free one]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l currency -d 'The currency of every amount, by ISO 4217 [default: USD]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l actor -d 'Who creates it, for the ledger [default: the seller]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l request-id -d 'Makes a repeat harmless: the same id is done once [default: a fresh one]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l reserve -d 'Hidden: below it the item is not sold (0: none)' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l soft-close-window -d 'Soft close: a bid in this last span moves the end' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l soft-close-extend -d 'By how much [default: the window]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l soft-close-cap -d 'The end never moves past this instant' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l seller -d 'Who sells [required]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l title -d 'One line for people [required]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l start-price -d 'The lowest first bid [required]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l steps -d 'How much a challenger must add: an amount, ebay-us, ebay-uk, or rungs such as 0.01:0.05,1:0.25 [default: ebay-us]' -r -f -a "ebay-us\t''
ebay-uk\t''"
complete -c gavel -n "__fish_gavel_using_subcommand create" -l own-raise -d 'What the leader\'s own raise does to the price [default: keep]' -r -f -a "keep\t''
reprice\t''"
complete -c gavel -n "__fish_gavel_using_subcommand create" -l soft-close-mode -d 'Counted from the bid (reset) or from the end (add) [default: reset]' -r -f -a "reset\t''
add\t''"
complete -c gavel -n "__fish_gavel_using_subcommand create" -l soft-close-trigger -d 'Which bids move the end [default: not-own-raise]' -r -f -a "not-own-raise\t''
any\t''
leader-change\t''"
complete -c gavel -n "__fish_gavel_using_subcommand create" -l starts-at -d 'Bids are taken from this instant on [default: now]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l ends-at -d 'Bids are taken before this instant, such as 2026-12-06T19:00[America/Los_Angeles] [this or --ends-in is required]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l ends-in -d 'The end as a span, such as 7d or 2h30m: from the start (amend: from now); on a full second from a minute up [this or --ends-at is required]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l database-url -d 'The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your data folder]' -r -f
complete -c gavel -n "__fish_gavel_using_subcommand create" -l format -d 'The form of the results: table, json (one object a line) or csv' -r -f -a "table\t'For people'
json\t'One JSON object a line: amounts are decimal strings, times RFC 3339 in UTC'
csv\t'A header and one row a record'"
complete -c gavel -n "__fish_gavel_using_subcommand create" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c gavel -n "__fish_gavel_using_subcommand create" -l skip-bad -d 'Write the good rows of a file and name the bad ones (exit 4)'
complete -c gavel -n "__fish_gavel_using_subcommand create" -l dry-run -d 'Do everything except keep it'
complete -c gavel -n "__fish_gavel_using_subcommand create" -l csv-safe -d 'With --format csv: put an apostrophe before each text that a spreadsheet would run as a formula'
complete -c gavel -n "__fish_gavel_using_subcommand create" -s q -l quiet -d 'Print results, warnings and errors, and nothing else'
complete -c gavel -n "__fish_gavel_using_subcommand create" -l no-progress -d 'Draw no progress bars'
complete -c gavel -n "__fish_gavel_using_subcommand create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "demo" -d 'See it all happen: a story of five auctions, a crowd, the sweep, the replay'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "migrate" -d 'Make the database, or bring it up to this gavel'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "bid" -d 'Place a bid, or many from a file'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "show" -d 'Show an auction: where it stands, and its terms'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "list" -d 'List auctions by their end'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "history" -d 'Show what happened in an auction, as the public may see it'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "watch" -d 'Watch auctions as the bids come in, until they are closed'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "mine" -d 'List the auctions a bidder has bid on, and how the bidder stands'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "watchlist" -d 'Keep a person\'s list of watched auctions'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "close" -d 'Close an auction that has ended'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "close-sweep" -d 'Close every auction that has ended'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "top" -d 'Watch a database live: what is due, closed and ending next'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "amend" -d 'Change the terms of an auction, or extend many at once'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "void" -d 'Take a bidder\'s bids out of the reckoning'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "cancel" -d 'Withdraw an auction'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "replay" -d 'Audit: replay the ledger by the rules and compare with what is recorded'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "report" -d 'Look for patterns over many auctions'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "export" -d 'Write auctions into a folder of CSV or Parquet files with a manifest'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "import" -d 'Read an exported folder into the database, or another site\'s history'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "keygen" -d 'Make a key that signs checkpoints'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "checkpoint" -d 'Sign what all ended auctions are, so that a later change can be proved'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "verify" -d 'Verify who signed a checkpoint, and say what it covers'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "prove" -d 'Prove that an ended auction is in a checkpoint'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "verify-proof" -d 'Verify a proof that an auction is in a checkpoint, without any database'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "burst" -d 'Generate load on a live database, and check every answer'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "doctor" -d 'Look into the database and say what is wrong with it'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "man" -d 'Print the manual page of a command, or write all of them'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "create" -d 'Create an auction, or many from a file'
complete -c gavel -n "__fish_gavel_using_subcommand help; and not __fish_seen_subcommand_from demo migrate bid show list history watch mine watchlist close close-sweep top amend void cancel replay report export import keygen checkpoint verify prove verify-proof burst doctor completions man create help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gavel -n "__fish_gavel_using_subcommand help; and __fish_seen_subcommand_from watchlist" -f -a "add" -d 'Put an auction on the list'
complete -c gavel -n "__fish_gavel_using_subcommand help; and __fish_seen_subcommand_from watchlist" -f -a "remove" -d 'Take an auction off the list'
complete -c gavel -n "__fish_gavel_using_subcommand help; and __fish_seen_subcommand_from watchlist" -f -a "list" -d 'List the watched auctions: those that end soonest first, then those that are over'
complete -c gavel -n "__fish_gavel_using_subcommand help; and __fish_seen_subcommand_from report" -f -a "shill" -d 'Rank sellers\' bidders, and bidders, by the traces that shill bidding leaves'
