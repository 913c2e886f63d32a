//! What a history gave: sums, differences between rules and record, rows left out.

use std::fmt;

use serde::{Serialize, Serializer};

/// A row that cannot be used, or a bid that the rules refuse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadRow {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The auction, where the row says which.
    pub auction_id: Option<i64>,
    /// The column, or the key of the mapping where the value is fixed there.
    pub column: String,
    /// What stands there; the digits of a maximum or a reserve are masked.
    pub value: Option<String>,
    /// The code of the rules' refusal, where it is one.
    pub refusal: Option<&'static str>,
    /// Why it cannot be used.
    pub why: String,
}

/// How many of the recorded values are what the rules give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Agreement {
    /// Recorded values.
    pub recorded: u64,
    /// Those that the rules give.
    pub agree: u64,
}

impl Agreement {
    /// Counts one more.
    pub(super) fn count(&mut self, agrees: bool) {
        self.recorded += 1;
        self.agree += u64::from(agrees);
    }
}

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The price in the end.
    FinalPrice,
    /// The end after all extensions.
    End,
    /// The price shown after a bid.
    Price,
}

impl What {
    /// The kept word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FinalPrice => "final-price",
            Self::End => "end",
            Self::Price => "price",
        }
    }
}

/// Why the rules give another final price than the recorded one. Each reason is checked: under it,
/// the rules do give the recorded price, or cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The price stands at the leader's own bid: as a hidden reserve of just that amount gives it.
    ReserveMet,
    /// Unsold in spite of bids: as a hidden reserve above them gives it.
    ReserveNotMet,
    /// No recorded bid reaches the recorded price.
    BidsMissing,
    /// All bidders bear one name; were they different people, the rules would give the price.
    UnnamedBidders,
    /// None of these.
    Unexplained,
}

impl Why {
    /// The kept word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReserveMet => "reserve-met",
            Self::ReserveNotMet => "reserve-not-met",
            Self::BidsMissing => "bids-missing",
            Self::UnnamedBidders => "unnamed-bidders",
            Self::Unexplained => "unexplained",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ReserveMet => "hidden reserve met: the price is the leader's own bid",
            Self::ReserveNotMet => "hidden reserve not met: unsold in spite of bids",
            Self::BidsMissing => "bids missing: none recorded reaches the price",
            Self::UnnamedBidders => "private auction: all bidders bear one name",
            Self::Unexplained => "unexplained",
        })
    }
}

impl Serialize for What {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for Why {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Something that the rules give otherwise than the site recorded it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The auction.
    pub auction_id: i64,
    /// What differs.
    pub what: What,
    /// The line of the bid after which a price differs, or of the auction.
    pub line: u64,
    /// What the rules give: a decimal, or an instant; none for unsold.
    pub derived: Option<String>,
    /// What the site recorded; none for unsold.
    pub recorded: Option<String>,
    /// Why, as far as the record shows it.
    pub why: Option<Why>,
}

/// What a history gave.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct HistoryReport {
    /// Auctions.
    pub auctions: u64,
    /// Those with at least one bid.
    pub with_bids: u64,
    /// Those whose end was moved by a bid.
    pub extended: u64,
    /// Bids that the rules took, those of the record alone.
    pub bids: u64,
    /// Automatic answers in the record: the rules give them, they are no bids.
    pub automatic: u64,
    /// Raises by a leader that no row shows, but a later one needs.
    pub raises: u64,
    /// Recorded final prices.
    pub final_prices: Agreement,
    /// Recorded ends.
    pub ends: Agreement,
    /// Recorded prices after a bid.
    pub prices: Agreement,
    /// All differences, by auction.
    pub differing: Vec<Difference>,
    /// Rows that are not in it.
    pub left_out: Vec<BadRow>,
}

impl HistoryReport {
    /// Adds what one auction gave.
    pub(super) fn add(&mut self, one: Self) {
        self.auctions += one.auctions;
        self.with_bids += one.with_bids;
        self.extended += one.extended;
        self.bids += one.bids;
        self.automatic += one.automatic;
        self.raises += one.raises;
        for (sum, more) in [
            (&mut self.final_prices, one.final_prices),
            (&mut self.ends, one.ends),
            (&mut self.prices, one.prices),
        ] {
            sum.recorded += more.recorded;
            sum.agree += more.agree;
        }
        self.differing.extend(one.differing);
        self.left_out.extend(one.left_out);
    }
}
