//! The command line: one file a subcommand, with its options (`XArgs`; the doc comment is the
//! help) and its `run`: plan, call the store or a service, report, render.
//!
//! Arguments become a checked plan before a database is opened, as far as they can: an amount
//! needs the auction's currency. Errors carry an exit code and a hint through `error` alone.

mod amend;
mod amend_many;
mod args;
mod bid;
mod bid_file;
mod burst;
mod burst_remove;
mod cancel;
mod checkpoint;
mod checkpoint_files;
mod close;
mod close_daemon;
mod close_log;
mod close_metrics;
mod close_sweep;
mod completions;
mod context;
mod create;
mod create_file;
mod demo;
mod doctor;
mod due_first;
mod error;
mod exit;
mod explain;
mod export;
mod fields;
mod grammar;
mod history;
mod import;
mod import_help;
mod import_map;
mod jump;
mod keygen;
mod list;
mod man;
mod migrate;
mod mine;
mod offered;
mod operate;
mod parse;
mod prove;
mod replay;
mod replay_kept;
mod report;
mod run;
mod selection;
mod service;
mod show;
mod tally;
mod terms;
mod top;
mod upload;
mod verify;
mod verify_proof;
mod void;
mod watch;
mod watchlist;
mod what_if;

pub use run::main;
