//! Identifiers and the shard an auction belongs to.
//!
//! Ids of people are opaque tokens compared exactly, so no two spellings of one person exist:
//! what could be a second spelling (spaces, non-ASCII letters) is refused instead of folded.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;
use uuid::Uuid;

/// Why a text or number is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdError {
    /// The number is outside `1 ..= 2^53 - 1`.
    #[error("an auction id is a whole number from 1 to 9007199254740991")]
    AuctionId,
    /// The token is empty, too long, or has a character outside `[A-Za-z0-9._:@-]`.
    #[error("an id has 1 to 64 characters, each of A-Z a-z 0-9 . _ : @ -")]
    PartyId,
    /// The text is not a UUID.
    #[error("a request id is a UUID, such as 018f3c5e-7b1a-7c2d-9e4f-0123456789ab")]
    RequestId,
}

/// Identifies an auction: `1 ..= 2^53 - 1`, exact in every JSON reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct AuctionId(i64);

impl AuctionId {
    /// The largest id.
    pub const MAX: i64 = (1 << 53) - 1;
    /// Ids from here up belong to load-generation runs.
    pub const BURST_MIN: i64 = 1_000_000_000_000_000;
    /// Number of shards.
    pub const SHARDS: i64 = 32;

    /// Checks the range.
    pub fn new(id: i64) -> Result<Self, IdError> {
        if (1..=Self::MAX).contains(&id) {
            Ok(Self(id))
        } else {
            Err(IdError::AuctionId)
        }
    }

    /// The id that a `create` without one gets: derived from the request id, so that a repeated
    /// request names the same auction. Lies below [`Self::BURST_MIN`].
    pub fn from_request(request_id: RequestId) -> Self {
        use sha2::{Digest as _, Sha256};
        let hash: [u8; 32] = Sha256::digest(request_id.bytes()).into();
        let mut first = [0_u8; 8];
        first.copy_from_slice(&hash[..8]);
        let positive = i64::from_be_bytes(first) & i64::MAX;
        Self(positive % (Self::BURST_MIN - 1) + 1)
    }

    /// The number.
    pub fn get(self) -> i64 {
        self.0
    }

    /// The shard, `0 ..= 31`: `((id % 1000003) * 40503 % 65536) / 2048`. The two databases
    /// compute the same value in a generated column.
    pub fn shard(self) -> i64 {
        ((self.0 % 1_000_003) * 40_503 % 65_536) / 2_048
    }
}

impl TryFrom<i64> for AuctionId {
    type Error = IdError;
    fn try_from(id: i64) -> Result<Self, IdError> {
        Self::new(id)
    }
}

impl From<AuctionId> for i64 {
    fn from(id: AuctionId) -> Self {
        id.0
    }
}

impl FromStr for AuctionId {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(IdError::AuctionId);
        }
        text.parse::<i64>()
            .map_err(|_| IdError::AuctionId)
            .and_then(Self::new)
    }
}

impl fmt::Display for AuctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Auctions by id, from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdRange {
    /// The lowest.
    pub first: AuctionId,
    /// The highest.
    pub last: AuctionId,
}

impl IdRange {
    /// Every auction.
    pub const ALL: Self = Self {
        first: AuctionId(1),
        last: AuctionId(AuctionId::MAX),
    };

    /// Whether an auction is among them.
    pub fn holds(self, auction_id: AuctionId) -> bool {
        self.first <= auction_id && auction_id <= self.last
    }
}

/// A seller, bidder or actor: 1 to 64 characters of `[A-Za-z0-9._:@-]`, compared exactly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
// Shared: the rules hand the same few names on with every entry.
pub struct PartyId(Arc<str>);

impl PartyId {
    /// Checks length and alphabet.
    pub fn new(text: impl Into<Arc<str>>) -> Result<Self, IdError> {
        let text = text.into();
        Self::check(&text)?;
        Ok(Self(text))
    }

    /// Checks length and alphabet of a name that stays where it is.
    pub fn check(text: &str) -> Result<(), IdError> {
        let legal = |b: u8| b.is_ascii_alphanumeric() || b"._:@-".contains(&b);
        if (1..=64).contains(&text.len()) && text.bytes().all(legal) {
            Ok(())
        } else {
            Err(IdError::PartyId)
        }
    }

    /// The token.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A name that is still where it was read, compared with an owned one.
impl PartialEq<PartyId> for &str {
    fn eq(&self, other: &PartyId) -> bool {
        *self == other.as_str()
    }
}

impl Serialize for PartyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl TryFrom<String> for PartyId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::new(text)
    }
}

impl From<PartyId> for String {
    fn from(id: PartyId) -> Self {
        id.as_str().to_owned()
    }
}

impl FromStr for PartyId {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::new(text)
    }
}

impl fmt::Display for PartyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Makes a command idempotent: the same id with the same content is answered, not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(Uuid);

impl RequestId {
    /// Wraps a UUID of any version.
    pub fn new(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// From the 16 bytes that are stored and hashed.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// The 16 bytes that are stored and hashed.
    pub fn bytes(self) -> [u8; 16] {
        self.0.into_bytes()
    }

    /// The UUID.
    pub fn uuid(self) -> Uuid {
        self.0
    }
}

impl FromStr for RequestId {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        Uuid::try_parse(text)
            .map(Self)
            .map_err(|_| IdError::RequestId)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
