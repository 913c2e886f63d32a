//! `gavel import`.

use std::path::PathBuf;

use clap::Args;

use super::context::{Context, mode};
use super::exit::Exit;
use crate::ledger::ReplayProgress;
use crate::ledger::bundle::{ImportOptions, ImportPhase, import};
use crate::output::Progress;
use crate::output::views::bundle::ImportView;

/// Read an exported folder into the database
///
/// The folder is replayed first; then all of it is written in one transaction, or nothing. An
/// auction that is there already with the same content is left as it is.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Import a history that does not replay clean, as it is
    #[arg(long)]
    accept_findings: bool,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Imports.
pub(crate) async fn run(args: ImportArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let options = ImportOptions {
        mode: mode(args.dry_run),
        accept_findings: args.accept_findings,
    };
    let bar = Progress::bar(&ctx.ui, "importing", 0);
    let told = |phase: ImportPhase, done: ReplayProgress| {
        bar.label(match phase {
            ImportPhase::Verify => "verifying",
            ImportPhase::Write => "importing",
        });
        bar.set_total(done.entries_total);
        bar.set(done.entries);
    };
    let report = import(&store, &args.folder, options, told).await?;
    bar.finish();
    let folder = args.folder.display().to_string();
    ctx.done(&ImportView::new(folder, report, args.dry_run))?;
    Ok(Exit::DONE)
}
