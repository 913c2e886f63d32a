//! What a closer attends to: a selection of shards, `0-7,12`, and of ids.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::ids::{AuctionId, IdRange};

/// Why a text selects no shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("shards are numbers and ranges from 0 to 31, such as 0-7,12")]
pub struct ShardsError;

/// At least one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shards(u32);

impl Shards {
    /// Every shard.
    pub const ALL: Self = Self(u32::MAX);

    /// The shards, ascending.
    pub fn iter(self) -> impl Iterator<Item = i64> + Send {
        (0..AuctionId::SHARDS).filter(move |shard| self.0 >> shard & 1 == 1)
    }

    /// Whether an auction lies in them.
    pub fn hold(self, auction_id: AuctionId) -> bool {
        self.0 >> auction_id.shard() & 1 == 1
    }
}

/// What a closer attends to: auctions in these shards with these ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remit {
    /// The shards.
    pub shards: Shards,
    /// The ids.
    pub ids: IdRange,
}

impl Remit {
    /// Every auction.
    pub const ALL: Self = Self {
        shards: Shards::ALL,
        ids: IdRange::ALL,
    };
}

impl From<Shards> for Remit {
    fn from(shards: Shards) -> Self {
        let ids = IdRange::ALL;
        Self { shards, ids }
    }
}

impl Default for Shards {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromStr for Shards {
    type Err = ShardsError;
    fn from_str(text: &str) -> Result<Self, ShardsError> {
        let number = |text: &str| match text.parse::<u32>() {
            Ok(shard) if i64::from(shard) < AuctionId::SHARDS && !text.starts_with('+') => {
                Ok(shard)
            }
            _ => Err(ShardsError),
        };
        let mut chosen = 0;
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(ShardsError);
            }
            chosen = (first..=last).fold(chosen, |chosen, shard| chosen | 1 << shard);
        }
        Ok(Self(chosen))
    }
}

/// In the shortest form that reads back.
impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chosen: Vec<i64> = self.iter().collect();
        let mut lead = "";
        for run in chosen.chunk_by(|before, after| before + 1 == *after) {
            match run {
                [only] => write!(f, "{lead}{only}")?,
                [first, .., last] => write!(f, "{lead}{first}-{last}")?,
                [] => {}
            }
            lead = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_select_shards() {
        for (text, shown, shards) in [
            ("0", "0", vec![0]),
            ("31", "31", vec![31]),
            ("12,0-2", "0-2,12", vec![0, 1, 2, 12]),
            ("5-5,6,7-8", "5-8", vec![5, 6, 7, 8]),
        ] {
            let read: Shards = text.parse().unwrap();
            assert_eq!(read.iter().collect::<Vec<_>>(), shards, "{text}");
            assert_eq!(read.to_string(), shown);
        }
        let all: Shards = "0-31".parse().unwrap();
        assert_eq!((all, all.to_string().as_str()), (Shards::ALL, "0-31"));
        let id = AuctionId::new(7731).unwrap();
        let own: Shards = id.shard().to_string().parse().unwrap();
        assert!(own.hold(id) && Shards::ALL.hold(id));
    }

    #[test]
    fn what_selects_nothing_is_refused() {
        for text in [
            "", ",", "32", "7-0", "-1", "1-", "0-32", " 1", "+1", "a", "1;2", "1,,2",
        ] {
            assert_eq!(text.parse::<Shards>(), Err(ShardsError), "{text:?}");
        }
    }
}
