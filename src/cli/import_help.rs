//! The long help of `gavel import`: how a mapping is written, key by key.

/// After the options, in `gavel import --help` and the manual.
pub(super) const HELP: &str = "\
Examples:
  gavel import audit-2026
  gavel import --map ebay.toml bids.csv --skip-bad --to checked
  gavel import --map m.toml --auctions lots.csv --bids bids.csv --dry-run

A foreign history:
  A mapping says which column of a CSV file (with a header) or of JSON lines
  is what. Every bid is placed by gavel's rules, in its order; every auction
  is closed with the end and the final price on record. Where the rules give
  something else, the difference is printed, with the reason as far as the
  record shows it (exit 4). Such a history is written into the database with
  --accept-findings alone: gavel replay will name each difference again.

  Rows that cannot be used, and bids that the rules refuse, stop the import:
  all are named by file, line, column and value. With --skip-bad they are
  left out (exit 4). The digits of maxima and reserves are not repeated.

  The same files with the same mapping give the same auctions: importing them
  again changes nothing. All rows are held in memory, about 1 KB a bid. An
  auction that has not ended is refused: create it, with its bids, instead.

A mapping, with every key:
  # \"one-file\": each line is a bid and repeats its auction's columns;
  # \"two-files\": the files of --auctions and --bids.
  layout = \"two-files\"
  delimiter = \",\"               # or \";\" \"|\" \"\\t\"; default \",\"
  decimal_mark = \".\"            # or \",\"; default \".\"
  thousands_separator = \",\"     # default: none is taken
  secret = \"...\"                # see below

  [auctions]
  id = { column = \"lot\" }       # a number from 1 to 2^53-1
  seller = { value = \"estate\" } # a fixed value, the same for all
  title = { template = \"Lot {lot}, {name}\" }
  currency = { value = \"USD\" }
  start_price = { column = \"open\", unit = \"minor\" }   # cents
  steps = { value = \"ebay-us\" } # as in gavel create --steps
  reserve = { column = \"reserve\" }           # optional; 0: none
  own_raise = { value = \"keep\" }             # or reprice; default keep
  soft_close.window = { value = \"2m\" }       # optional, with all below
  soft_close.extend_by = { value = \"2m\" }    # default: the window
  soft_close.mode = { value = \"reset\" }      # or add
  soft_close.trigger = { value = \"any\" }     # or not-own-raise (the
                                #   default), leader-change
  soft_close.cap = { column = \"latest_end\" }
  start = { value = \"2025-11-01T00:00:00Z\" }
  end = { column = \"scheduled_end\" }         # before any extension
  recorded_price = { column = \"sold_for\" }   # optional; 0: unsold
  recorded_end = { column = \"ended\" }        # optional

  [bids]
  amounts = \"prices\"            # or \"maxima\", see below
  auction = { column = \"lot\" }  # in two files; in one, auctions.id says it
  amount = { column = \"bid\" }
  at = { column = \"time\" }
  bidder = { column = \"who\", unnamed = \"Private\" }   # optional
  automatic = { column = \"proxy\" }           # optional, with prices alone
  order = { column = \"seq\" }    # or { value = \"time\" }; default: the
                                #   file's, { value = \"file\" }
  skew = \"2s\"                   # default 0s

  Every target has a column or a value, texts a template as well. An empty
  cell is an absent value. A pattern finds the part of a cell that counts:
    end = { column = \"kind\", pattern = \"{} day auction\", ... }

  Amounts are decimals of the currency, or whole minor units (unit =
  \"minor\").

  Times are RFC 3339 with an offset or a zone, or as format says:
    { column = \"t\", format = \"%d.%m.%Y %H:%M:%S\", zone = \"Europe/Berlin\" }
    { column = \"t\", format = \"%Y-%m-%d %H:%M:%S %z\" }
    { column = \"t\", format = \"unix\", unit = \"milliseconds\" }
    { column = \"t\", format = \"since-start\", unit = \"days\", round = \"second\" }
  The unit is days, hours, minutes, seconds, milliseconds or microseconds.
  Numbers are rounded (half to even) to the second, millisecond or
  microsecond if round says so; else they must be whole microseconds. A
  local time that its zone skips or repeats is refused.

  amounts = \"maxima\": what each bidder was ready to pay. The reason for a
  final price that differs is looked for: a hidden reserve that was met or not
  met, bids that are missing, or bidders who all bear the name that unnamed
  states.
  amounts = \"prices\": the price shown after each bid. The least maxima that
  the record allows are derived; the price after each bid is compared too.
  automatic marks the rows that are answers by the leader's proxy (true or
  false; or state yes = \"...\"): the rules give them. Without bidder each bid
  is somebody else's.

  skew: times of one auction may run backwards by so much (a bid then counts
  at the time of the one before), and an automatic answer may be stamped so
  much before the bid that it answers.

  secret: state a long random text where maxima or reserves must stay hidden.
  Commitments are bound to it: without it, whoever knows all of an auction
  but one amount can find that amount from a public export.";
