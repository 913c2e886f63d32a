//! `gavel export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::context::{Context, mode};
use super::error::InputError;
use super::exit::Exit;
use super::selection::SelectionArgs;
use super::show::not_found;
use crate::ledger::ReplayProgress;
use crate::ledger::bundle::{ExportOptions, Form, export};
use crate::output::Progress;
use crate::output::views::bundle::ExportView;
use crate::store::Contract as _;

/// Write auctions into a folder of CSV or Parquet files with a manifest
///
/// The folder can be audited without the database (gavel replay --from) and imported elsewhere.
/// It holds every maximum: with --public it holds none, and its hash chain still verifies.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel export audit-2026
  gavel export public-7731 7731 --public
  gavel export audit-2026 --as parquet
  gavel export audit-2026 --overwrite --dry-run")]
pub(crate) struct ExportArgs {
    /// The folder; made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Leave out maxima, reserves, nonces and watchers
    #[arg(long)]
    public: bool,
    /// How the tables are written: text, or typed columns for analysis and fast audits
    #[arg(long = "as", value_name = "FORM", value_enum, default_value = "csv")]
    form: FormArg,
    /// Replace an export that the folder holds
    #[arg(long)]
    overwrite: bool,
    /// Read and check everything, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The forms by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormArg {
    Csv,
    Parquet,
}

impl From<FormArg> for Form {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Csv => Self::Csv,
            FormArg::Parquet => Self::Parquet,
        }
    }
}

/// Exports.
pub(crate) async fn run(args: ExportArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if ctx.ui.csv_safe() {
        let why = "an export is exact, so that it can be verified and imported";
        return Err(InputError::option("--csv-safe", why)
            .hint("for a spreadsheet: gavel list --format csv --csv-safe")
            .into());
    }
    let store = ctx.store().await?;
    for auction_id in args.selection.ids() {
        if store.auction_get(auction_id).await?.is_none() {
            not_found(ctx, auction_id, store.now().await?);
            return Ok(Exit::REFUSED);
        }
    }
    let options = ExportOptions {
        public: args.public,
        form: args.form.into(),
        overwrite: args.overwrite,
        mode: mode(args.dry_run),
    };
    let bar = Progress::bar(&ctx.ui, "exporting", 0);
    let scope = args.selection.into_scope();
    let report = export(
        &store,
        &scope,
        &args.folder,
        options,
        |done: ReplayProgress| {
            bar.set_total(done.entries_total);
            bar.set(done.entries);
        },
    )
    .await?;
    bar.finish();
    ctx.done(&ExportView::new(&report, args.dry_run))?;
    Ok(Exit::DONE)
}
