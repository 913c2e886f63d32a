//! `gavel checkpoint`.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::checkpoint_files as files;
use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::auction::Micros;
use crate::checkpoint::{
    Checkpoint, LEAVES_HEADER, Request, SignedNote, SignerKey, leaves_line, take,
};
use crate::output::Format;
use crate::output::views::checkpoint::{CheckpointView, sentence};

/// Sign what all ended auctions are, so that a later change can be proved
///
/// The checkpoint is a short note: whoever keeps it can have the record held against it later
/// (gavel replay --against), and prove single auctions offline (gavel prove). It covers every
/// auction that ended before its cut, by default all that is settled now. Reading rights suffice.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel checkpoint --key site.key > may.note
  gavel checkpoint --key site.key --out june.note --previous may.note
  gavel checkpoint --key site.key --from export/ --leaves may.csv")]
pub(crate) struct CheckpointArgs {
    /// The private key, from gavel keygen
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Read an exported folder instead of the database; by default what ended until a minute
    /// before the export is covered
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Write the note into this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the tree's leaves into this file: with them a change is told auction by auction
    #[arg(long, value_name = "FILE")]
    leaves: Option<PathBuf>,
    /// An earlier checkpoint by the same key, which this one must continue (exit 4)
    #[arg(long, value_name = "NOTE")]
    previous: Option<PathBuf>,
    /// Cover what ended before this time [default: all that is settled]
    #[arg(long, value_name = "TIME")]
    until: Option<Micros>,
    /// Whose record it is; the key must be of that name [default: gavel/ and the installation]
    #[arg(long, value_name = "NAME")]
    origin: Option<String>,
    /// Read and check everything, and sign and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Takes one.
pub(crate) async fn run(args: CheckpointArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let key = files::signer(&args.key)?;
    let previous = args.previous.as_deref();
    let previous = previous.map(|path| earlier(path, &key)).transpose()?;
    let out = args.out.as_deref().map(files::new_file).transpose()?;
    let leaves = args.leaves.as_deref().map(files::new_file).transpose()?;
    let mut leaves = leaves.map(BufWriter::new);
    let mut store = None;
    let record = files::record(args.from.as_deref(), &mut store, ctx).await?;
    let origin = match args.origin {
        Some(origin) => origin,
        None => format!("gavel/{}", record.installation().await?),
    };
    check_name(&key, &origin)?;
    let request = Request {
        origin,
        until: args.until,
        previous: previous.as_ref(),
    };
    if let Some(leaves) = &mut leaves {
        leaves.write_all(LEAVES_HEADER.as_bytes())?;
    }
    let taken = take(&record, request, |index, leaf| match &mut leaves {
        Some(leaves) => leaves.write_all(leaves_line(index, leaf).as_bytes()),
        None => Ok(()),
    })
    .await?;
    let verifier = key.verifier().to_string();
    let note = (!args.dry_run).then(|| SignedNote::sign(taken.to_text(), &key).to_text());
    if let Some(note) = &note {
        // The leaves first: a note that is there has its leaves.
        if let Some(leaves) = leaves {
            let whole = leaves.into_inner().context("cannot write the leaves")?;
            whole.finish()?;
        }
        if let Some(out) = out {
            out.keep(note.as_bytes())?;
        }
    }
    let view = CheckpointView {
        key: verifier,
        file: args.out.map(|path| path.display().to_string()),
        leaves: args.leaves.map(|path| path.display().to_string()),
        previous_size: previous.map(|previous| previous.size),
        note,
        dry_run: args.dry_run,
        ..CheckpointView::new(&taken)
    };
    match &view.note {
        // The note itself is the result, for a pipe or a file of the shell's.
        Some(note) if ctx.ui.format() == Format::Table && view.file.is_none() => {
            ctx.ui.raw(note.as_bytes())?;
            ctx.ui.note(&sentence(&taken));
        }
        _ => ctx.done(&view)?,
    }
    Ok(Exit::DONE)
}

fn earlier(path: &Path, key: &SignerKey) -> anyhow::Result<Checkpoint> {
    let note = files::note(path)?;
    let name = || format!("{} is no previous checkpoint of this key", path.display());
    Checkpoint::verified(&note, &key.verifier()).with_context(name)
}

/// A key of another name is one of another record, or the name was not meant.
fn check_name(key: &SignerKey, origin: &str) -> anyhow::Result<()> {
    if key.name() == origin {
        return Ok(());
    }
    let why = format!("the key is of {}, the record is {origin}", key.name());
    Err(InputError::option("--key", why)
        .hint(format!(
            "if this record goes by the key's name: --origin {}",
            key.name()
        ))
        .into())
}
