//! What a checkpoint states (C2SP `tlog-checkpoint`), and the line that gavel adds.
//!
//! Origin, size and root on a line each, then `cut` and an instant: the tree is of the auctions
//! that ended before it. Further lines are left aside.

use std::fmt::Write as _;

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::error::{CheckpointError, FormatError};
use super::key::{VerifierKey, check_name};
use super::note::SignedNote;
use crate::auction::{Digest, Micros};

const WHAT: &str = "checkpoint of gavel";
const CUT: &str = "cut ";
/// As many auctions as there are ids.
pub(super) const SIZE_MAX: u64 = 1 << 53;

/// A tree's size and root, whose it is, and which auctions are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose record: by default `gavel/` and the installation.
    pub origin: String,
    /// How many auctions.
    pub size: u64,
    /// The root of their tree.
    pub root: Digest,
    /// They ended before this instant.
    pub cut: Micros,
}

impl Checkpoint {
    /// Reads a note's text; its signatures are for [`Self::verified`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let refused = |why: &str| FormatError::new(WHAT, why);
        let text = text.strip_suffix('\n').unwrap_or(text);
        let mut lines = text.split('\n');
        let origin = lines.next().unwrap_or_default();
        check_name(WHAT, origin)?;
        let size = lines.next().and_then(decimal);
        let size = size.ok_or_else(|| refused("its second line is not the size of a tree"))?;
        let root = lines.next().and_then(digest);
        let root = root.ok_or_else(|| refused("its third line is not a root in base64"))?;
        let mut cuts = Vec::new();
        for line in lines {
            if line.is_empty() {
                return Err(refused("it has an empty line"));
            }
            cuts.extend(line.strip_prefix(CUT));
        }
        let [cut] = cuts.as_slice() else {
            return Err(refused(
                "it does not say once which auctions it covers (cut)",
            ));
        };
        let instant = cut.parse::<Micros>().ok();
        // In the one form that is written, so that a text has one meaning and a meaning one text.
        let instant = instant.filter(|instant| instant.to_string() == **cut);
        Ok(Self {
            origin: origin.to_owned(),
            size,
            root,
            cut: instant.ok_or_else(|| refused("its cut is not an instant"))?,
        })
    }

    /// Reads a note that this key must have signed.
    pub fn verified(note: &SignedNote, key: &VerifierKey) -> Result<Self, CheckpointError> {
        note.verify(key)?;
        let checkpoint = Self::parse(note.text())?;
        if checkpoint.origin != key.name() {
            let why = format!(
                "the note is of {}, and signed by the key of {}",
                checkpoint.origin,
                key.name()
            );
            return Err(CheckpointError::NotVerified(why));
        }
        Ok(checkpoint)
    }

    /// The text that is signed.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let root = BASE64_STANDARD.encode(self.root);
        let written = write!(
            text,
            "{}\n{}\n{root}\n{CUT}{}\n",
            self.origin, self.size, self.cut
        );
        debug_assert!(written.is_ok());
        text
    }

    /// The root as it stands in the note.
    pub fn root_text(&self) -> String {
        BASE64_STANDARD.encode(self.root)
    }
}

/// A count without leading zeroes.
pub(super) fn decimal(text: &str) -> Option<u64> {
    let digits = text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (text == "0" || !text.starts_with('0'));
    let number = text.parse().ok().filter(|_| plain);
    number.filter(|number| *number <= SIZE_MAX)
}

/// A hash in base64.
pub(super) fn digest(text: &str) -> Option<Digest> {
    if text.len() > 44 {
        return None;
    }
    Digest::try_from(BASE64_STANDARD.decode(text).ok()?).ok()
}
