//! Turns a table of old eBay bid histories into a folder that gavel can audit.
//!
//!     cargo run --example ebay_history -- bids.csv FOLDER
//!     gavel replay --from FOLDER
//!
//! The table has one bid a line: `auctionid,bid,bidtime,bidder,bidderrate,openbid,price,item,
//! auction_type`; `bid` is the bidder's maximum, `bidtime` counts days since the start, `price` is
//! what eBay recorded in the end. Bids that the rules refuse are told and left out. The recorded
//! price stands in the folder as the final price, so the audit names the auctions in which the
//! rules give another; this program says why, as far as the record shows it.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use gavel::auction::{
    Amount, AuctionId, Currency, Micros, OwnRaise, PartyId, Refusal, Span, StepTable, Terms,
};
use gavel::store::Dossier;
use rust_decimal::Decimal;
use serde::Deserialize;

#[path = "history/record.rs"]
mod record;
use record::Record;

/// The source has no dates, only days since the start: every auction starts here.
const START: &str = "2003-01-01T00:00:00Z";

/// What the source writes where eBay did not name the bidders.
const UNNAMED: &str = "Private";

/// A line of the table.
#[derive(Deserialize)]
struct Line {
    auctionid: i64,
    bid: String,
    bidtime: String,
    bidder: String,
    openbid: String,
    price: String,
    item: String,
    auction_type: String,
}

/// A bid as recorded.
struct RecordedBid {
    line: i64,
    at: Micros,
    bidder: PartyId,
    maximum: Amount,
}

/// An auction as recorded.
struct Listing {
    auction_id: AuctionId,
    terms: Terms,
    price: Amount,
    bids: Vec<RecordedBid>,
}

/// A bid that the rules refuse.
pub(crate) struct LeftOut {
    pub(crate) auction_id: i64,
    pub(crate) line: i64,
    pub(crate) refusal: Refusal,
}

/// Why the rules give another price than the recorded one. Each reason is checked: under it, the
/// rules do give the recorded price, or cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// The price stands at the leader's own bid, more than a step above the second: as a hidden
    /// reserve of just that amount gives it. The source does not tell reserves.
    ReserveMet,
    /// No recorded bid reaches the recorded price.
    BidsMissing,
    /// All bidders bear one name; were they different people, the rules would give the price.
    UnnamedBidders,
    /// None of these.
    Unexplained,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ReserveMet => "hidden reserve met: the price is the leader's own bid",
            Self::BidsMissing => "bids missing: none recorded reaches the price",
            Self::UnnamedBidders => "private auction: all bidders bear one name",
            Self::Unexplained => "unexplained",
        })
    }
}

/// An auction whose recorded price is not what the rules give.
pub(crate) struct Differing {
    pub(crate) auction_id: i64,
    pub(crate) derived: Option<Amount>,
    pub(crate) recorded: Amount,
    pub(crate) why: Why,
}

/// The whole table, converted.
pub(crate) struct Histories {
    pub(crate) dossiers: Vec<Dossier>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) differing: Vec<Differing>,
}

/// Reads the table and makes every auction of it by the rules.
pub(crate) fn convert(table: impl Read) -> anyhow::Result<Histories> {
    let mut histories = Histories {
        dossiers: Vec::new(),
        left_out: Vec::new(),
        differing: Vec::new(),
    };
    for listing in read(table)?.values() {
        let auction_id = listing.auction_id.get();
        let (record, refused) = listing.play(Reading::AsRecorded)?;
        for (line, refusal) in refused {
            histories.left_out.push(LeftOut {
                auction_id,
                line,
                refusal,
            });
        }
        let derived = record.book().state.price();
        if derived != Some(listing.price) {
            histories.differing.push(Differing {
                auction_id,
                derived,
                recorded: listing.price,
                why: listing.why()?,
            });
        }
        let end = record.book().state.end;
        let dossier = record.closed(end, Some(listing.price));
        histories.dossiers.push(dossier);
    }
    Ok(histories)
}

fn read(table: impl Read) -> anyhow::Result<BTreeMap<i64, Listing>> {
    let mut listings = BTreeMap::new();
    for (number, line) in (2_i64..).zip(csv::Reader::from_reader(table).deserialize()) {
        let line: Line = line?;
        add(&mut listings, number, &line).with_context(|| format!("line {number}"))?;
    }
    Ok(listings)
}

fn add(listings: &mut BTreeMap<i64, Listing>, number: i64, line: &Line) -> anyhow::Result<()> {
    let listing = match listings.entry(line.auctionid) {
        std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
        std::collections::btree_map::Entry::Vacant(new) => new.insert(Listing::new(line)?),
    };
    listing.bids.push(RecordedBid {
        line: number,
        at: listing.terms.start.plus(since_start(&line.bidtime)?),
        bidder: PartyId::new(line.bidder.as_str())?,
        maximum: listing.terms.currency.parse(&line.bid)?,
    });
    Ok(())
}

/// Days with decimals, to the second. No bid of the source falls into the first second.
fn since_start(days: &str) -> anyhow::Result<Span> {
    let seconds = (Decimal::from_str_exact(days)? * Decimal::from(86_400)).round();
    let micros = i64::try_from(seconds.mantissa() * 1_000_000)?;
    Ok(Span::new(micros)?)
}

/// How a record is read.
#[derive(Clone, Copy)]
enum Reading {
    AsRecorded,
    /// With this hidden reserve.
    Reserve(Amount),
    /// Every bid by somebody else.
    AllDifferent,
}

impl Listing {
    fn new(line: &Line) -> anyhow::Result<Self> {
        let currency = Currency::from_code("USD")?;
        let Some(days) = line.auction_type.strip_suffix(" day auction") else {
            bail!("not a length: {}", line.auction_type);
        };
        let start: Micros = START.parse()?;
        let terms = Terms {
            seller: PartyId::new("ebay-seller")?,
            title: format!("{}, {}", line.item, line.auction_type),
            currency,
            start_price: currency.parse(&line.openbid)?,
            steps: StepTable::parse("ebay-us", currency)?,
            reserve: None,
            own_raise: OwnRaise::Reprice,
            soft_close: None,
            start,
            end: start.plus(format!("{days}d").parse()?),
        };
        Ok(Self {
            auction_id: AuctionId::new(line.auctionid)?,
            terms,
            price: currency.parse(&line.price)?,
            bids: Vec::new(),
        })
    }

    /// Places the bids in their order; also gives those that the rules refuse.
    fn play(&self, reading: Reading) -> anyhow::Result<(Record, Vec<(i64, Refusal)>)> {
        let reserve = match reading {
            Reading::Reserve(reserve) => Some(reserve),
            Reading::AsRecorded | Reading::AllDifferent => None,
        };
        let terms = Terms {
            reserve,
            ..self.terms.clone()
        };
        let mut record = Record::open(self.auction_id, terms)?;
        let mut refused = Vec::new();
        for bid in &self.bids {
            let bidder = match reading {
                Reading::AllDifferent => PartyId::new(format!("{}-{}", bid.bidder, bid.line))?,
                Reading::AsRecorded | Reading::Reserve(_) => bid.bidder.clone(),
            };
            if let Err(refusal) = record.bid(bid.line, bid.at, &bidder, bid.maximum)? {
                refused.push((bid.line, refusal));
            }
        }
        Ok((record, refused))
    }

    /// Why the rules do not give the recorded price.
    fn why(&self) -> anyhow::Result<Why> {
        let gives = |reading| -> anyhow::Result<bool> {
            let (record, _) = self.play(reading)?;
            Ok(record.book().state.price() == Some(self.price))
        };
        let highest = self.bids.iter().map(|bid| bid.maximum).max();
        let unnamed = self.bids.iter().all(|bid| bid.bidder.as_str() == UNNAMED);
        Ok(if highest < Some(self.price) {
            Why::BidsMissing
        } else if unnamed && gives(Reading::AllDifferent)? {
            Why::UnnamedBidders
        } else if highest == Some(self.price) && gives(Reading::Reserve(self.price))? {
            Why::ReserveMet
        } else {
            Why::Unexplained
        })
    }
}

/// Writes the folder.
pub(crate) fn write(folder: &Path, histories: &Histories) -> anyhow::Result<()> {
    record::write(folder, &histories.dossiers)
}

fn report(histories: &Histories) -> anyhow::Result<()> {
    let usd = Currency::from_code("USD")?;
    let mut words = io::stderr().lock();
    for bid in &histories.left_out {
        let (id, line, code) = (bid.auction_id, bid.line, bid.refusal.code());
        writeln!(
            words,
            "left out: auction {id} line {line}: {code}: {}",
            bid.refusal
        )?;
    }
    let mut results = io::stdout().lock();
    for auction in &histories.differing {
        let derived = auction
            .derived
            .map_or("none".into(), |price| usd.format(price));
        let recorded = usd.format(auction.recorded);
        let (id, why) = (auction.auction_id, auction.why);
        writeln!(
            results,
            "auction {id}: derived {derived}, recorded {recorded}: {why}"
        )?;
    }
    let (all, other) = (histories.dossiers.len(), histories.differing.len());
    writeln!(
        results,
        "{} of {all} prices are what the rules give",
        all - other
    )?;
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [table, folder] = arguments.as_slice() else {
        bail!("usage: ebay_history BIDS.csv FOLDER");
    };
    let file = std::fs::File::open(table).with_context(|| table.display().to_string())?;
    let histories = convert(file)?;
    write(folder, &histories)?;
    report(&histories)
}
