//! Heads that somebody kept of single auctions: closing events, or a list.
//!
//! Read are CSV files with the columns `auction_id` and `ledger_head` (an export's `outbox.csv` is
//! one), and JSON objects one after the other, flat or CloudEvents with both under `data`. Events
//! that tell of no head are passed over and counted.

use serde::Deserialize;
use serde_json::Value;

use super::error::FormatError;
use crate::auction::{AuctionId, Digest};

const WHAT: &str = "list of kept heads";

/// A head that somebody kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptHead {
    /// Of this auction.
    pub auction_id: AuctionId,
    /// The last hash of its ledger.
    pub head: Digest,
}

/// The heads of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// By auction.
    pub heads: Vec<KeptHead>,
    /// Events that tell of no head.
    pub passed_over: u64,
}

impl Kept {
    /// Reads either form.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let mut kept = if first == Some(&b'{') {
            Self::parse_json(bytes)?
        } else {
            Self::parse_csv(bytes)?
        };
        kept.heads.sort_unstable();
        kept.heads.dedup();
        Ok(kept)
    }

    fn parse_json(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut kept = Self::default();
        for (at, read) in (1_u64..).zip(serde_json::Deserializer::from_slice(bytes).into_iter()) {
            let refused = |why: &dyn ToString| {
                FormatError::new(WHAT, format!("object {at}: {}", why.to_string()))
            };
            let event: EventText = read.map_err(|error| refused(&error))?;
            let EventText { own, data } = event;
            let fields = data.unwrap_or(own);
            match (fields.auction_id, fields.ledger_head) {
                (Some(_), None) => kept.passed_over += 1,
                (Some(id), Some(head)) => {
                    let id = match id {
                        Value::String(id) => id,
                        id => id.to_string(),
                    };
                    kept.heads
                        .push(head_of(&id, &head).map_err(|why| refused(&why))?);
                }
                (None, _) => return Err(refused(&"it names no auction_id")),
            }
        }
        Ok(kept)
    }

    fn parse_csv(bytes: &[u8]) -> Result<Self, FormatError> {
        let refused = |why: String| FormatError::new(WHAT, why);
        let mut rows = csv::Reader::from_reader(bytes);
        let header = rows.headers().map_err(|error| refused(error.to_string()))?;
        let place = |name| header.iter().position(|column| column.trim() == name);
        let (Some(id), Some(head)) = (place("auction_id"), place("ledger_head")) else {
            let why = "it has no columns auction_id and ledger_head".to_owned();
            return Err(refused(why));
        };
        let mut kept = Self::default();
        for (at, record) in (2_u64..).zip(rows.records()) {
            let record = record.map_err(|error| refused(error.to_string()))?;
            let field = |place| record.get(place).unwrap_or_default().trim();
            let read = head_of(field(id), field(head));
            let read = read.map_err(|why| refused(format!("row {at}: {why}")));
            kept.heads.push(read?);
        }
        Ok(kept)
    }
}

fn head_of(id: &str, text: &str) -> Result<KeptHead, String> {
    let auction_id = id
        .parse()
        .map_err(|_| format!("{id:?} is not an auction id"))?;
    let mut head = Digest::default();
    hex::decode_to_slice(text, &mut head)
        .map_err(|_| "its ledger_head is not 64 hexadecimal digits".to_owned())?;
    Ok(KeptHead { auction_id, head })
}

/// What is read of an event.
#[derive(Deserialize)]
struct EventText {
    #[serde(flatten)]
    own: Fields,
    data: Option<Fields>,
}

#[derive(Deserialize)]
struct Fields {
    auction_id: Option<Value>,
    ledger_head: Option<String>,
}
