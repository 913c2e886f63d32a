//! A leaf: one auction and the last hash of its ledger, as bytes.
//!
//! `"GAVELLEAF1" ‖ i64 auction_id ‖ head[32]`, big-endian: 50 bytes. Its hash in the tree is
//! `sha256(0x00 ‖ leaf)`. Another content would have another number in its name.

use sha2::{Digest as _, Sha256};

use super::error::FormatError;
use crate::auction::{AuctionId, Digest};
use crate::store::EndedHead;

const NAME: &[u8; 10] = b"GAVELLEAF1";
const WHAT: &str = "leaf of a checkpoint";

/// An auction and its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// The auction.
    pub auction_id: AuctionId,
    /// The last hash of its ledger.
    pub head: Digest,
}

impl Leaf {
    /// Reads the bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let rest = bytes
            .strip_prefix(NAME)
            .ok_or_else(|| FormatError::new(WHAT, "it does not begin with GAVELLEAF1"))?;
        let (id, head) = rest
            .split_first_chunk::<8>()
            .and_then(|(id, head)| Some((id, Digest::try_from(head).ok()?)))
            .ok_or_else(|| FormatError::new(WHAT, "it is not 50 bytes long"))?;
        let auction_id = AuctionId::new(i64::from_be_bytes(*id))
            .map_err(|error| FormatError::new(WHAT, error.to_string()))?;
        Ok(Self { auction_id, head })
    }

    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let id = self.auction_id.get().to_be_bytes();
        [NAME.as_slice(), &id, &self.head].concat()
    }

    /// The hash in the tree.
    pub fn hash(&self) -> Digest {
        let mut sha = Sha256::new_with_prefix([0]);
        sha.update(NAME);
        sha.update(self.auction_id.get().to_be_bytes());
        sha.update(self.head);
        sha.finalize().into()
    }
}

impl From<&EndedHead> for Leaf {
    fn from(ended: &EndedHead) -> Self {
        Self {
            auction_id: ended.auction_id,
            head: ended.head,
        }
    }
}
