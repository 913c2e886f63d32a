//! `gavel import`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::context::{Context, mode};
use super::exit::Exit;
use super::import_help::HELP;
use super::import_map::{self, Files, MapPlan};
use crate::ledger::ReplayProgress;
use crate::ledger::bundle::{ImportOptions, ImportPhase, import};
use crate::output::Progress;
use crate::output::views::bundle::ImportView;
use crate::store::{ImportReport, Store};

/// Read an exported folder into the database, or another site's history
///
/// The folder is replayed first; then all of it is written in one transaction, or nothing. An
/// auction that is there already with the same content is left as it is.
///
/// With --map the files of another site are read by a mapping, and become such a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel import audit-2026 --dry-run
  gavel import audit-2026 --database-url sqlite:copy.db
  gavel import --map ebay.toml bids.csv --skip-bad --to checked

gavel import --help and the manual describe a mapping, key by key.", after_long_help = HELP)]
pub(crate) struct ImportArgs {
    /// The folder; with --map the one file of a history (- reads standard input)
    #[arg(value_name = "FOLDER|FILE", required_unless_present = "map")]
    from: Option<PathBuf>,
    /// Read a foreign history by this mapping
    #[arg(long, value_name = "MAPPING")]
    map: Option<PathBuf>,
    /// The file of the auctions, where the mapping is for two files
    #[arg(long, value_name = "FILE", requires_all = ["map", "bids"], conflicts_with = "from")]
    auctions: Option<PathBuf>,
    /// The file of the bids, where the mapping is for two files
    #[arg(long, value_name = "FILE", requires_all = ["map", "auctions"], conflicts_with = "from")]
    bids: Option<PathBuf>,
    /// Write an exported folder, for gavel replay --from, and leave the database alone
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "map",
        conflicts_with = "dry_run"
    )]
    to: Option<PathBuf>,
    /// Replace an export that the folder of --to holds
    #[arg(long, requires = "to")]
    overwrite: bool,
    /// Leave out rows that cannot be used and bids that the rules refuse, and name them (exit 4)
    #[arg(long, requires = "map")]
    skip_bad: bool,
    /// Import a history that does not replay clean, or (--map) whose record is not what the rules
    /// give, as it is
    #[arg(long)]
    accept_findings: bool,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Imports.
pub(crate) async fn run(args: ImportArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if let Some(map) = args.map {
        let files = Files::of(args.from, args.auctions.zip(args.bids))?;
        let plan = MapPlan {
            map,
            files,
            to: args.to,
            overwrite: args.overwrite,
            skip_bad: args.skip_bad,
            accept_findings: args.accept_findings,
            dry_run: args.dry_run,
        };
        return import_map::run(plan, ctx).await;
    }
    // Without a mapping clap demands it.
    let folder = args.from.unwrap_or_default();
    let store = ctx.store().await?;
    let options = ImportOptions {
        mode: mode(args.dry_run),
        accept_findings: args.accept_findings,
    };
    let report = from_folder(&store, &folder, options, ctx).await?;
    let folder = folder.display().to_string();
    ctx.done(&ImportView::new(folder, report, args.dry_run))?;
    Ok(Exit::DONE)
}

/// A folder into the database, with a progress bar.
pub(super) async fn from_folder(
    store: &Store,
    folder: &Path,
    options: ImportOptions,
    ctx: &Context,
) -> anyhow::Result<ImportReport> {
    let bar = Progress::bar(&ctx.ui, "importing", 0);
    let told = |phase: ImportPhase, done: ReplayProgress| {
        bar.label(match phase {
            ImportPhase::Verify => "verifying",
            ImportPhase::Write => "importing",
        });
        bar.set_total(done.entries_total);
        bar.set(done.entries);
    };
    let report = import(store, folder, options, told).await?;
    bar.finish();
    Ok(report)
}
