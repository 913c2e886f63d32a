//! The command line as its users meet it: transcripts, kept schemas, bad input, secrecy.

mod answers;
mod as_of;
mod audit;
mod bad_input;
mod dry_runs;
mod errors;
mod extending;
mod extending_faults;
mod files;
mod generated;
mod guides;
mod help;
mod histories;
mod inputs;
mod interrupts;
mod jump;
mod lists;
mod no_leak;
mod operators;
mod postgres;
mod processes;
mod schemas;
mod spreadsheets;
mod sweeping;
mod watching;
