//! `gavel keygen`.

use std::path::PathBuf;

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use crate::checkpoint::SignerKey;
use crate::output::file::OutputFile;
use crate::output::views::checkpoint::KeyView;
use crate::store::Contract as _;

/// Make a key that signs checkpoints
///
/// The private key goes into the file, which only its owner may read; the verifier key, which
/// others need and everybody may have, into FILE.pub. Without --origin the key is for the
/// database's installation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel keygen site.key
  gavel keygen site.key --origin example.org/auctions")]
pub(crate) struct KeygenArgs {
    /// The private key's file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The key's name, and the origin of what it signs [default: gavel/ and the installation]
    #[arg(long, value_name = "NAME")]
    origin: Option<String>,
    /// Replace the files that are there: what the old key signed is verified by the old FILE.pub only
    #[arg(long)]
    overwrite: bool,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Makes it.
pub(crate) async fn run(args: KeygenArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let mut public = args.file.clone().into_os_string();
    public.push(".pub");
    let public = PathBuf::from(public);
    let private_file = OutputFile::create_private(&args.file, args.overwrite)?;
    if !args.overwrite {
        drop(OutputFile::create_private(&public, false)?);
    }
    let public_file = OutputFile::create(&public)?;
    let origin = match args.origin {
        Some(origin) => origin,
        None => {
            let store = ctx.store().await?;
            format!("gavel/{}", store.installation().await?)
        }
    };
    let key = SignerKey::new(&origin, rand::random())
        .map_err(|error| super::error::InputError::option("--origin", error))?;
    let verifier = key.verifier().to_string();
    if !args.dry_run {
        let secret = format!("{}\n", key.to_secret_text());
        private_file.keep(secret.as_bytes())?;
        public_file.keep(format!("{verifier}\n").as_bytes())?;
    }
    ctx.done(&KeyView {
        origin,
        verifier,
        private_key_file: args.file.display().to_string(),
        verifier_file: public.display().to_string(),
        dry_run: args.dry_run,
    })?;
    Ok(Exit::DONE)
}
