//! `gavel prove`.

use std::path::PathBuf;

use clap::Args;

use super::checkpoint_files as files;
use super::context::Context;
use super::exit::Exit;
use super::show::not_found;
use crate::auction::AuctionId;
use crate::checkpoint::{Checkpoint, Proved, prove};
use crate::output::units;
use crate::output::views::checkpoint::ProofView;
use crate::output::{Format, Ui};
use crate::store::{Contract as _, Store};

/// Prove that an ended auction is in a checkpoint
///
/// The proof is a short text (C2SP tlog-proof) with the checkpoint in it; gavel verify-proof
/// verifies it without any database. Refused where the record is not the checkpoint's (exit 4).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel prove 7731 --note may.note > 7731.tlog-proof
  gavel prove 7731 --note may.note --from export/ --out 7731.tlog-proof")]
pub(crate) struct ProveArgs {
    /// The auction
    #[arg(value_name = "ID")]
    auction_id: AuctionId,
    /// The checkpoint (- reads standard input)
    #[arg(long, value_name = "NOTE")]
    note: PathBuf,
    /// Read an exported folder instead of the database
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Write the proof into this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Proves it.
pub(crate) async fn run(args: ProveArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let note = files::note(&args.note)?;
    let out = args.out.as_deref().map(files::new_file).transpose()?;
    let mut store = None;
    let record = files::record(args.from.as_deref(), &mut store, ctx).await?;
    let proof = match prove(&record, note, args.auction_id).await? {
        Proved::Proof(proof) => proof,
        Proved::NotCovered(checkpoint) => {
            drop(record);
            return refuse(args.auction_id, &checkpoint, store.as_ref(), ctx).await;
        }
    };
    let text = proof.to_text();
    let to_file = out.is_some();
    if let Some(out) = out {
        out.keep(text.as_bytes())?;
    }
    if ctx.ui.format() == Format::Table && !to_file {
        ctx.ui.raw(text.as_bytes())?;
    } else {
        let checkpoint = Checkpoint::parse(proof.note.text())?;
        let file = args.out.map(|path| path.display().to_string());
        ctx.done(&ProofView::new(&proof, &checkpoint, file))?;
    }
    Ok(Exit::DONE)
}

/// Says why there is nothing to prove.
async fn refuse(
    auction_id: AuctionId,
    checkpoint: &Checkpoint,
    store: Option<&Store>,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    if let Some(store) = store
        && store.auction_get(auction_id).await?.is_none()
    {
        not_found(ctx, auction_id, store.now().await?);
        return Ok(Exit::REFUSED);
    }
    not_covered(&mut ctx.ui, auction_id, checkpoint);
    Ok(Exit::REFUSED)
}

fn not_covered(ui: &mut Ui, auction_id: AuctionId, checkpoint: &Checkpoint) {
    let text = format!("auction {auction_id} is not in this checkpoint (not-covered)");
    let facts = [
        ("covers what ended before", units::utc(checkpoint.cut)),
        ("auctions in it", checkpoint.size.to_string()),
    ];
    ui.refusal(&text, &facts);
}
