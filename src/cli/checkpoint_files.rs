//! What the commands about checkpoints read: notes, keys, proofs, lists; each up to a bound.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::context::Context;
use super::error::InputError;
use crate::checkpoint::{FormatError, Kept, Leaves, Record, SignedNote, SignerKey, VerifierKey};
use crate::output::file::{FileError, OutputFile};
use crate::store::Store;

/// Of a note, a key or a proof.
const TEXT_BYTES_MAX: u64 = 1 << 20;
/// Of a list of leaves or of kept heads.
const LIST_BYTES_MAX: u64 = 1 << 36;

/// A file that does not exist yet.
pub(super) fn new_file(path: &Path) -> anyhow::Result<OutputFile> {
    OutputFile::create_new(path).map_err(|error| match error {
        FileError::Exists(_) => InputError::new(error.to_string())
            .hint("choose another name, or move it away")
            .into(),
        error => error.into(),
    })
}

/// A file's text, `-` for standard input.
pub(super) fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = bytes(path, TEXT_BYTES_MAX)?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| InputError::new(format!("{} is not text in UTF-8", path.display())).into())
}

fn bytes(path: &Path, bytes_max: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().take(bytes_max + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(bytes_max + 1).read_to_end(&mut bytes))
    };
    let name = path.display();
    let read = read.map_err(|error| InputError::new(format!("cannot read {name}: {error}")))?;
    if u64::try_from(read).is_ok_and(|read| read > bytes_max) {
        return Err(InputError::new(format!("{name} is too long")).into());
    }
    Ok(bytes)
}

/// What a file should be, or the file's name with what it is not.
fn parsed<T>(path: &Path, parsed: Result<T, FormatError>) -> anyhow::Result<T> {
    let name = path.display();
    parsed.map_err(|error| InputError::new(format!("{name}: {error}")).into())
}

pub(super) fn note(path: &Path) -> anyhow::Result<SignedNote> {
    parsed(path, SignedNote::parse(&text(path)?))
}

pub(super) fn proof(path: &Path) -> anyhow::Result<crate::checkpoint::Proof> {
    parsed(path, crate::checkpoint::Proof::parse(&text(path)?))
}

pub(super) fn signer(path: &Path) -> anyhow::Result<SignerKey> {
    parsed(path, SignerKey::parse(&text(path)?))
}

/// A verifier key as it was written, or a file that holds it.
pub(super) fn verifier(stated: &str) -> anyhow::Result<VerifierKey> {
    let path = Path::new(stated);
    match VerifierKey::parse(stated) {
        Ok(key) => Ok(key),
        Err(_) if path.exists() => parsed(path, VerifierKey::parse(&text(path)?)),
        Err(error) => Err(InputError::option("--key", error)
            .hint("it is name+hash+key, as gavel keygen prints it, or a file that holds it")
            .into()),
    }
}

pub(super) fn leaves(path: &Path) -> anyhow::Result<Leaves> {
    parsed(path, Leaves::parse(&bytes(path, LIST_BYTES_MAX)?))
}

pub(super) fn kept(path: &Path) -> anyhow::Result<Kept> {
    parsed(path, Kept::parse(&bytes(path, LIST_BYTES_MAX)?))
}

/// The record of a folder, or of the database that is put into `store`.
pub(super) async fn record<'s>(
    from: Option<&Path>,
    store: &'s mut Option<Store>,
    ctx: &mut Context,
) -> anyhow::Result<Record<'s, Store>> {
    match from {
        Some(folder) => Ok(Record::folder(folder).await?),
        None => Ok(Record::Store(store.insert(ctx.store().await?))),
    }
}
