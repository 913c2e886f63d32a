//! The top of the command line: global options and the list of commands.

use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{
    amend, bid, burst, cancel, checkpoint, close, close_sweep, completions, create, demo, doctor,
    exit, export, history, import, keygen, list, man, migrate, mine, prove, replay, report, show,
    top, verify, verify_proof, void, watch, watchlist,
};
use crate::output::{Format, Settings};

/// Administers auctions and audits them.
///
/// gavel creates auctions, takes proxy bids, closes what has ended, and replays the ledger to
/// re-derive every winner and price. New here? Run `gavel demo`; then `gavel migrate` makes a
/// database of your own.
#[derive(Debug, Parser)]
#[command(
    name = "gavel",
    version,
    after_long_help = exit::HELP,
    after_help = "gavel help COMMAND says more about a command.",
    arg_required_else_help = true,
    max_term_width = 100,
    disable_help_subcommand = false
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// The database: sqlite:PATH or postgres://USER@HOST/DATABASE [default: gavel.db in your
    /// data folder]
    #[arg(
        long,
        global = true,
        env = "DATABASE_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(crate) database_url: Option<String>,
    /// The form of the results
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORM",
        hide_possible_values = true,
        help = "The form of the results: table, json (one object a line) or csv"
    )]
    format: Format,
    /// With --format csv: put an apostrophe before each text that a spreadsheet would run as a
    /// formula
    #[arg(long, global = true)]
    csv_safe: bool,
    /// Print results, warnings and errors, and nothing else
    #[arg(long, short, global = true)]
    quiet: bool,
    /// When to colour: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true
    )]
    color: Color,
    /// Draw no progress bars
    #[arg(long, global = true)]
    no_progress: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl GlobalArgs {
    /// An option that was given and says nothing about these results.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        let idle = self.csv_safe && self.format != Format::Csv;
        idle.then_some("--csv-safe is about the cells of --format csv: state that too")
    }

    /// What they decide about output.
    pub(crate) fn settings(&self) -> Settings {
        let width = std::env::var("COLUMNS").ok();
        Settings {
            format: self.format,
            csv_safe: self.csv_safe,
            quiet: self.quiet,
            color: match self.color {
                Color::Auto => ColorChoice::Auto,
                Color::Always => ColorChoice::Always,
                Color::Never => ColorChoice::Never,
            },
            no_progress: self.no_progress,
            width: width.and_then(|width| width.parse().ok()),
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(demo::DemoArgs),
    Migrate(migrate::MigrateArgs),
    Create(Box<create::CreateArgs>),
    Bid(bid::BidArgs),
    Show(show::ShowArgs),
    List(list::ListArgs),
    History(history::HistoryArgs),
    Watch(watch::WatchArgs),
    Mine(mine::MineArgs),
    Watchlist(watchlist::WatchlistArgs),
    Close(close::CloseArgs),
    CloseSweep(close_sweep::CloseSweepArgs),
    Top(top::TopArgs),
    Amend(Box<amend::AmendArgs>),
    Void(void::VoidArgs),
    Cancel(cancel::CancelArgs),
    #[command(visible_alias = "audit")]
    Replay(Box<replay::ReplayArgs>),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Keygen(keygen::KeygenArgs),
    Checkpoint(checkpoint::CheckpointArgs),
    Verify(verify::VerifyArgs),
    Prove(prove::ProveArgs),
    VerifyProof(verify_proof::VerifyProofArgs),
    Burst(Box<burst::BurstArgs>),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}
