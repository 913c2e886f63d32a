//! `gavel verify-proof`.

use std::path::PathBuf;

use clap::Args;

use super::checkpoint_files as files;
use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::auction::{AuctionId, Digest};
use crate::checkpoint::{CheckpointError, Leaf};
use crate::output::views::checkpoint::ProvenView;

/// Verify a proof that an auction is in a checkpoint, without any database
///
/// What verifies is that the checkpoint's signer had this auction with this head among those that
/// had ended. State what you kept yourself, and it is compared: a closing event, or the head alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel verify-proof 7731.tlog-proof --key site.key.pub --auction 7731
  gavel verify-proof 7731.tlog-proof --key site.key.pub --event event.json")]
pub(crate) struct VerifyProofArgs {
    /// The proof (- reads standard input)
    #[arg(value_name = "PROOF")]
    proof: PathBuf,
    /// The verifier key, or a file that holds it
    #[arg(long, value_name = "VERIFIER")]
    key: String,
    /// The auction that it must be of
    #[arg(long, value_name = "ID")]
    auction: Option<AuctionId>,
    /// The closing event, as JSON or as CSV with auction_id and ledger_head, whose head it must
    /// have
    #[arg(long, value_name = "FILE")]
    event: Option<PathBuf>,
    /// The head that it must have, in hexadecimal
    #[arg(long, value_name = "HEX", value_parser = head)]
    head: Option<Digest>,
}

fn head(text: &str) -> Result<Digest, &'static str> {
    let mut head = Digest::default();
    let read = hex::decode_to_slice(text, &mut head);
    read.map(|()| head)
        .map_err(|_| "a head is 64 hexadecimal digits")
}

/// Verifies it.
pub(crate) fn run(args: &VerifyProofArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let key = files::verifier(&args.key)?;
    let proof = files::proof(&args.proof)?;
    let checkpoint = proof.verify(&key)?;
    check(args, &proof.leaf)?;
    ctx.done(&ProvenView::new(&proof, &checkpoint))?;
    Ok(Exit::DONE)
}

/// Holds the proof against what the caller knows.
fn check(args: &VerifyProofArgs, leaf: &Leaf) -> anyhow::Result<()> {
    let differs = |why: String| Err(CheckpointError::NotVerified(why).into());
    let id = leaf.auction_id;
    if let Some(other) = args.auction.filter(|wanted| *wanted != id) {
        return differs(format!("the proof is of auction {id}, not of {other}"));
    }
    let mut heads: Vec<Digest> = args.head.into_iter().collect();
    if let Some(path) = &args.event {
        let kept = files::kept(path)?.heads;
        if kept.is_empty() {
            return Err(InputError::option("--event", "it tells of no head").into());
        }
        let own = kept.iter().filter(|kept| kept.auction_id == id);
        let before = heads.len();
        heads.extend(own.map(|kept| kept.head));
        if heads.len() == before {
            return differs(format!("the event is not of auction {id}"));
        }
    }
    match heads.into_iter().find(|head| *head != leaf.head) {
        None => Ok(()),
        Some(other) => differs(format!(
            "auction {id}: the head that was kept is {}, the checkpoint has {}",
            hex::encode(other),
            hex::encode(leaf.head)
        )),
    }
}
