//! Taking a checkpoint: the cut, the tree, and whether an earlier tree is its beginning.

use std::io;

use super::error::CheckpointError;
use super::leaf::Leaf;
use super::record::Record;
use super::statement::Checkpoint;
use super::tree::Tree;
use crate::auction::Micros;
use crate::store::Contract;

/// What is asked for.
#[derive(Debug)]
pub struct Request<'a> {
    /// Whose record it is.
    pub origin: String,
    /// Cover what ended before this instant; none: all that is settled.
    pub until: Option<Micros>,
    /// A checkpoint that this one must continue.
    pub previous: Option<&'a Checkpoint>,
}

/// Takes it; each leaf is handed on with its index. Signing is for the caller.
pub async fn take<S: Contract>(
    record: &Record<'_, S>,
    request: Request<'_>,
    mut leaf: impl FnMut(u64, &Leaf) -> io::Result<()>,
) -> Result<Checkpoint, CheckpointError> {
    if let Record::Folder(folder) = record
        && !folder.as_manifest
    {
        let why = "the auctions of the folder are not those that its manifest was made for";
        return Err(CheckpointError::Input(why.to_owned()));
    }
    let cut = cut(record, &request).await?;
    let mut tree = Tree::default();
    let mut previous = request.previous.map(Prefix::new);
    let mut check = |tree: &Tree| {
        if let Some(previous) = &mut previous {
            previous.look(tree);
        }
    };
    check(&tree);
    record
        .walk(cut, |read| {
            let one = Leaf::from(&read.map_err(CheckpointError::Damaged)?);
            leaf(tree.size(), &one).map_err(CheckpointError::Write)?;
            tree.push(one.hash());
            check(&tree);
            Ok(())
        })
        .await?;
    let taken = Checkpoint {
        origin: request.origin,
        size: tree.size(),
        root: tree.root(),
        cut,
    };
    match previous {
        Some(previous) => previous.judge(&taken).map(|()| taken),
        None => Ok(taken),
    }
}

async fn cut<S: Contract>(
    record: &Record<'_, S>,
    request: &Request<'_>,
) -> Result<Micros, CheckpointError> {
    let cuts = record.cuts().await?;
    let cut = request.until.unwrap_or(cuts.usual);
    if cut > cuts.latest {
        let why = format!(
            "the record is settled until {}, not until {cut}",
            cuts.latest
        );
        return Err(CheckpointError::Input(why));
    }
    match request.previous {
        Some(previous) if previous.cut > cut => {
            let why = format!(
                "the previous checkpoint covers what ended before {}, this one would end at {cut}",
                previous.cut
            );
            Err(CheckpointError::Input(why))
        }
        Some(previous) if previous.origin != request.origin => {
            let why = format!(
                "the previous checkpoint is of {}, this record is {}",
                previous.origin, request.origin
            );
            Err(CheckpointError::Input(why))
        }
        _ => Ok(cut),
    }
}

/// Whether the tree had the earlier root when it had the earlier size.
struct Prefix<'a> {
    earlier: &'a Checkpoint,
    held: bool,
}

impl<'a> Prefix<'a> {
    fn new(earlier: &'a Checkpoint) -> Self {
        Self {
            earlier,
            held: false,
        }
    }

    fn look(&mut self, tree: &Tree) {
        if tree.size() == self.earlier.size {
            self.held = tree.root() == self.earlier.root;
        }
    }

    fn judge(&self, taken: &Checkpoint) -> Result<(), CheckpointError> {
        if self.held {
            return Ok(());
        }
        let Checkpoint { size, cut, .. } = self.earlier;
        let why = if taken.size < *size {
            format!(
                "the record has {} ended auctions, the previous checkpoint has {size}",
                taken.size
            )
        } else {
            format!(
                "the first {size} ended auctions are not those of the previous checkpoint, cut at \
                 {cut}"
            )
        };
        Err(CheckpointError::Differs(why))
    }
}
