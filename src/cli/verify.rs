//! `gavel verify`.

use std::path::PathBuf;

use clap::Args;

use super::checkpoint_files as files;
use super::context::Context;
use super::exit::Exit;
use crate::checkpoint::Checkpoint;
use crate::output::views::checkpoint::VerifiedView;

/// Verify who signed a checkpoint, and say what it covers
///
/// Needs no database. Whether the record still is what the checkpoint says: gavel replay --against.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel verify may.note --key site.key.pub
  gavel verify may.note --key 'example.org/auctions+a1b2c3d4+AbCd'")]
pub(crate) struct VerifyArgs {
    /// The checkpoint (- reads standard input)
    #[arg(value_name = "NOTE")]
    note: PathBuf,
    /// The verifier key, or a file that holds it
    #[arg(long, value_name = "VERIFIER")]
    key: String,
}

/// Verifies it.
pub(crate) fn run(args: &VerifyArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let key = files::verifier(&args.key)?;
    let checkpoint = Checkpoint::verified(&files::note(&args.note)?, &key)?;
    ctx.done(&VerifiedView::new(&checkpoint, &key))?;
    Ok(Exit::DONE)
}
