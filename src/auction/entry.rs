//! The ledger entry: its fields, its canonical bytes, its commitment and its hash.
//!
//! `hash = sha256(bytes)` with, big-endian, `S` = `i32` byte length + UTF-8:
//!
//! `"GAVEL1" ‖ prev[32] ‖ u8 kind ‖ i64 auction_id ‖ i64 seq ‖ i64 at_us ‖ request_id[16] ‖
//! S(actor) ‖ commit[32] ‖ S(detail) ‖ i64 price ‖ S(leader) ‖ i64 end_us ‖ u8 flags`
//!
//! `commit = sha256(nonce[16] ‖ i64 secret)` hides the maximum or the reserve while binding it;
//! zeros where there is no secret. So the chain verifies without revealing an amount.

use sha2::{Digest as _, Sha256};

use super::ids::{AuctionId, PartyId, RequestId};
use super::money::Amount;
use super::time::Micros;

/// A sha256 value.
pub type Digest = [u8; 32];

/// The random value that hides a secret in its commitment.
pub type Nonce = [u8; 16];

/// No hash, no commitment.
pub const ZERO: Digest = [0; 32];

/// What an entry records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The auction's terms; always seq 1.
    Create,
    /// An accepted bid.
    Bid,
    /// Bids of one bidder that no longer count.
    Void,
    /// New terms.
    Amend,
    /// The auction is withdrawn.
    Cancel,
}

impl Kind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 5] = [
        Self::Create,
        Self::Bid,
        Self::Void,
        Self::Amend,
        Self::Cancel,
    ];

    /// The code in the ledger and in the hash.
    pub fn code(self) -> u8 {
        match self {
            Self::Create => 1,
            Self::Bid => 2,
            Self::Void => 3,
            Self::Amend => 4,
            Self::Cancel => 5,
        }
    }

    /// The kind of a stored code.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| i64::from(kind.code()) == code)
    }

    /// The word for people and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Bid => "bid",
            Self::Void => "void",
            Self::Amend => "amend",
            Self::Cancel => "cancel",
        }
    }

    /// Reads the word.
    pub fn from_word(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A maximum (bid) or a reserve (create, amend) with the nonce that hides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// The amount.
    pub amount: Amount,
    /// Random, chosen by the caller.
    pub nonce: Nonce,
}

impl Secret {
    /// `sha256(nonce ‖ i64 amount)`.
    pub fn commit(&self) -> Digest {
        let mut sha = Sha256::new();
        sha.update(self.nonce);
        sha.update(self.amount.minor().to_be_bytes());
        sha.finalize().into()
    }
}

/// One entry of an auction's ledger, with the outcome that a replay must reproduce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The auction.
    pub auction_id: AuctionId,
    /// 1, 2, 3, … without gaps.
    pub seq: i64,
    /// What happened.
    pub kind: Kind,
    /// The effective time.
    pub at: Micros,
    /// The command's idempotency key.
    pub request_id: RequestId,
    /// Who: the bidder of a bid.
    pub actor: PartyId,
    /// The secret, where there is one and the reader may see it.
    pub secret: Option<Secret>,
    /// The secret's commitment; zeros where there is none.
    pub commit: Digest,
    /// Canonical JSON; empty for a bid.
    pub detail: String,
    /// The price after this entry.
    pub price: Option<Amount>,
    /// The leader after this entry.
    pub leader: Option<PartyId>,
    /// The end in force after this entry.
    pub end: Micros,
    /// Somebody leads and the reserve, if any, is met.
    pub reserve_met: bool,
    /// This bid moved the end.
    pub extended: bool,
    /// The hash over all of this and the previous entry's hash.
    pub hash: Digest,
}

impl Entry {
    /// Flags as stored: bit 0 reserve met, bit 1 extended.
    pub fn flags(&self) -> u8 {
        self.borrowed().flags()
    }

    /// The entry as one that is still where it was read.
    pub fn borrowed(&self) -> EntryRef<'_> {
        EntryRef {
            auction_id: self.auction_id,
            seq: self.seq,
            kind: self.kind,
            at: self.at,
            request_id: self.request_id,
            actor: self.actor.as_str(),
            secret: self.secret,
            commit: Some(self.commit),
            detail: &self.detail,
            price: self.price,
            leader: self.leader.as_ref().map(PartyId::as_str),
            end: self.end,
            reserve_met: self.reserve_met,
            extended: self.extended,
            hash: self.hash,
        }
    }

    /// The canonical bytes, given the hash of the entry before (zeros before seq 1).
    pub fn bytes(&self, prev: &Digest) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(192 + self.actor.as_str().len() + self.detail.len());
        self.borrowed().put_bytes(prev, &self.commit, &mut bytes);
        bytes
    }

    /// The hash that belongs to these fields after `prev`.
    pub fn hash_after(&self, prev: &Digest) -> Digest {
        Sha256::digest(self.bytes(prev)).into()
    }

    /// Stamps the hash.
    pub(super) fn sealed(mut self, prev: &Digest) -> Self {
        self.hash = self.hash_after(prev);
        self
    }
}

/// An entry where it was read: its texts are borrowed. The names are not checked; see
/// [`PartyId::check`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of an entry")]
pub struct EntryRef<'r> {
    pub auction_id: AuctionId,
    pub seq: i64,
    pub kind: Kind,
    pub at: Micros,
    pub request_id: RequestId,
    pub actor: &'r str,
    pub secret: Option<Secret>,
    /// None where it is not stored: it is computed from the secret then.
    pub commit: Option<Digest>,
    pub detail: &'r str,
    pub price: Option<Amount>,
    pub leader: Option<&'r str>,
    pub end: Micros,
    pub reserve_met: bool,
    pub extended: bool,
    pub hash: Digest,
}

impl EntryRef<'_> {
    /// The hash that belongs to these fields and this commitment after `prev`; `bytes` is room to
    /// work in.
    pub fn hash_after(&self, prev: &Digest, commit: &Digest, bytes: &mut Vec<u8>) -> Digest {
        bytes.clear();
        self.put_bytes(prev, commit, bytes);
        Sha256::digest(bytes).into()
    }

    fn put_bytes(&self, prev: &Digest, commit: &Digest, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(b"GAVEL1");
        bytes.extend_from_slice(prev);
        bytes.push(self.kind.code());
        bytes.extend_from_slice(&self.auction_id.get().to_be_bytes());
        bytes.extend_from_slice(&self.seq.to_be_bytes());
        bytes.extend_from_slice(&self.at.get().to_be_bytes());
        bytes.extend_from_slice(&self.request_id.bytes());
        put_text(bytes, self.actor);
        bytes.extend_from_slice(commit);
        put_text(bytes, self.detail);
        bytes.extend_from_slice(&self.price.map_or(0, Amount::minor).to_be_bytes());
        put_text(bytes, self.leader.unwrap_or_default());
        bytes.extend_from_slice(&self.end.get().to_be_bytes());
        bytes.push(self.flags());
    }

    fn flags(&self) -> u8 {
        u8::from(self.reserve_met) | u8::from(self.extended) << 1
    }
}

/// Details are bounded far below 2 GiB by the text limits, so the length always fits.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(text.as_bytes());
}
