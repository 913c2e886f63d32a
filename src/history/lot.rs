//! An auction as a site recorded it: terms, bids, and what came of it.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::cells;
use super::fields::{Field, MoneyField, TimeField};
use super::form::Layout;
use super::mapping::{Mapping, Order, SoftCloseMap, mode_of, own_raise_of, trigger_of};
use super::report::BadRow;
use super::sheet::Row;
use crate::auction::{
    Amount, AuctionId, Currency, Digest, Micros, PartyId, Refusal, SoftClose, Span, StepTable,
    Terms,
};

/// An auction.
#[derive(Debug, Clone)]
pub(super) struct Lot {
    pub(super) auction_id: AuctionId,
    /// Where it stands: the first row, if several repeat it.
    pub(super) row: Row,
    pub(super) terms: Terms,
    pub(super) price: RecordedPrice,
    pub(super) end: Option<Micros>,
    /// In the order in which they came.
    pub(super) bids: Vec<LotBid>,
    /// Over all its cells.
    pub(super) digest: Digest,
    sha: Sha256,
}

/// A bid.
#[derive(Debug, Clone)]
pub(super) struct LotBid {
    pub(super) row: Row,
    /// 1, 2, 3, … in the order of the auction, or what the file's order column says.
    pub(super) place: i64,
    pub(super) at: Micros,
    pub(super) bidder: PartyId,
    /// The site did not name the bidder.
    pub(super) unnamed: bool,
    pub(super) amount: Amount,
    pub(super) automatic: bool,
}

/// The final price on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordedPrice {
    Absent,
    Unsold,
    Sold(Amount),
}

/// The auctions of the files, by id, and the rows that cannot be used.
pub(super) struct Gathered {
    pub(super) lots: BTreeMap<i64, Lot>,
    pub(super) bad: Vec<BadRow>,
}

/// Brings the rows together. In one file every row is a bid and its auction as well.
pub(super) fn gather(mapping: &Mapping, auctions: &[Row], bids: Option<&[Row]>) -> Gathered {
    let mut gathering = Gathering {
        mapping,
        lots: BTreeMap::new(),
        failed: BTreeMap::new(),
        bad: Vec::new(),
    };
    for row in auctions {
        if let Err(bad) = gathering.auction_row(row) {
            gathering.bad.push(*bad);
        }
    }
    for row in bids.unwrap_or_default() {
        if let Err(bad) = gathering.bid_row(row) {
            gathering.bad.push(*bad);
        }
    }
    let mut lots = gathering.lots;
    for lot in lots.values_mut() {
        lot.digest = lot.sha.clone().finalize().into();
        gathering.bad.extend(lot.put_in_order(mapping));
    }
    Gathered {
        lots,
        bad: gathering.bad,
    }
}

struct Gathering<'a> {
    mapping: &'a Mapping,
    lots: BTreeMap<i64, Lot>,
    /// Auctions that cannot be used, with the line that says so.
    failed: BTreeMap<i64, u64>,
    bad: Vec<BadRow>,
}

impl Gathering<'_> {
    fn auction_row(&mut self, row: &Row) -> Result<(), Box<BadRow>> {
        let map = &self.mapping.auctions;
        let auction_id = map.id.required(row, str::parse::<AuctionId>)?;
        let id = auction_id.get();
        let of_this = |mut bad: Box<BadRow>| {
            bad.auction_id = Some(id);
            bad
        };
        if let Some(line) = self.failed.get(&id) {
            let why = format!("the auction's line {line} cannot be used");
            return Err(of_this(map.id.bad(row, why)));
        }
        let one_file = self.mapping.layout() == Layout::OneFile;
        match self.lots.get(&id) {
            Some(lot) if one_file => self.same_auction(lot, row).map_err(of_this)?,
            Some(lot) => {
                let why = format!("line {} is of this auction already", lot.row.line());
                return Err(of_this(map.id.bad(row, why)));
            }
            None => match Lot::read(self.mapping, auction_id, row) {
                Ok(lot) => {
                    self.lots.insert(id, lot);
                }
                Err(bad) => {
                    self.failed.insert(id, row.line());
                    return Err(of_this(bad));
                }
            },
        }
        if let (true, Some(lot)) = (one_file, self.lots.get_mut(&id)) {
            lot.add_bid(self.mapping, row).map_err(of_this)?;
        }
        Ok(())
    }

    /// Every row of an auction says the same of it.
    fn same_auction(&self, lot: &Lot, row: &Row) -> Result<(), Box<BadRow>> {
        for field in self.mapping.auction_fields() {
            for column in field.columns() {
                let (has, first) = (row.cell(column), lot.row.cell(column));
                if has != first {
                    let line = lot.row.line();
                    let why = format!("line {line} of the same auction has another value");
                    return Err(field.bad(row, why));
                }
            }
        }
        Ok(())
    }

    fn bid_row(&mut self, row: &Row) -> Result<(), Box<BadRow>> {
        let Some(field) = &self.mapping.bids.auction else {
            return Ok(());
        };
        let id = field.required(row, str::parse::<AuctionId>)?.get();
        let of_this = |mut bad: Box<BadRow>| {
            bad.auction_id = Some(id);
            bad
        };
        if let Some(lot) = self.lots.get_mut(&id) {
            return lot.add_bid(self.mapping, row).map_err(of_this);
        }
        let why = match self.failed.get(&id) {
            Some(line) => format!("the auction's line {line} cannot be used"),
            None => "there is no such auction among the auctions".to_owned(),
        };
        Err(of_this(field.bad(row, why)))
    }
}

impl Lot {
    fn read(mapping: &Mapping, auction_id: AuctionId, row: &Row) -> Result<Self, Box<BadRow>> {
        let map = &mapping.auctions;
        let reading = Reading { mapping, row };
        let currency = map.currency.required(row, Currency::from_code)?;
        let start = reading.required_time(&map.start, None)?;
        let soft_close = match &map.soft_close {
            None => None,
            Some(soft) => reading.soft_close(soft, start)?,
        };
        let own_raise = match &map.own_raise {
            None => None,
            Some(field) => field.optional(row, own_raise_of)?,
        };
        let reserve = match &map.reserve {
            None => None,
            Some(money) => reading.money(money, currency)?.flatten(),
        };
        let price = match &map.recorded_price {
            None => None,
            Some(money) => reading.money(money, currency)?,
        };
        let end = match &map.recorded_end {
            None => None,
            Some(time) => reading.time(time, Some(start))?,
        };
        let steps = |text: &str| StepTable::parse(text, currency);
        let terms = Terms {
            seller: map.seller.required(row, str::parse)?,
            title: map
                .title
                .required(row, |text| Ok::<_, String>(text.to_owned()))?,
            currency,
            start_price: reading.amount(&map.start_price, currency)?,
            steps: map.steps.required(row, steps)?,
            reserve,
            own_raise: own_raise.unwrap_or_default(),
            soft_close,
            start,
            end: reading.required_time(&map.end, Some(start))?,
        };
        terms
            .check(start)
            .map_err(|refusal| refused_terms(mapping, row, &refusal))?;
        let mut lot = Self {
            auction_id,
            row: row.clone(),
            terms,
            price: match price {
                None => RecordedPrice::Absent,
                Some(None) => RecordedPrice::Unsold,
                Some(Some(amount)) => RecordedPrice::Sold(amount),
            },
            end,
            bids: Vec::new(),
            digest: [0; 32],
            sha: Sha256::new(),
        };
        lot.digest_row(row);
        Ok(lot)
    }

    fn digest_row(&mut self, row: &Row) {
        for cell in row.cells() {
            let length = u64::try_from(cell.len()).unwrap_or(u64::MAX);
            self.sha.update(length.to_be_bytes());
            self.sha.update(cell.as_bytes());
        }
    }

    fn add_bid(&mut self, mapping: &Mapping, row: &Row) -> Result<(), Box<BadRow>> {
        self.digest_row(row);
        let map = &mapping.bids;
        let reading = Reading { mapping, row };
        let start = self.terms.start;
        let at = reading.required_time(&map.at, Some(start))?;
        if at < start {
            // Within the rules no time lies before the create entry's, so they would not see it.
            let refusal = Refusal::NotStarted { start };
            let mut bad = map
                .at
                .field
                .bad(row, format!("the rules refuse it: {refusal}"));
            bad.refusal = Some(refusal.code());
            return Err(bad);
        }
        let amount = reading.amount(&map.amount, self.terms.currency)?;
        let place = match &map.order {
            Order::Column(field) => field.required(row, whole_number)?,
            Order::File | Order::Time => i64::try_from(self.bids.len()).unwrap_or(0) + 1,
        };
        let named = match &map.bidder {
            None => None,
            Some(field) => Some(field.required(row, str::parse::<PartyId>)?),
        };
        let automatic = match &map.automatic {
            None => false,
            Some(field) => field.required(row, |text| cells::flag(map.yes.as_deref(), text))?,
        };
        let unnamed = map.unnamed.as_deref();
        self.bids.push(LotBid {
            row: row.clone(),
            place,
            at,
            unnamed: named
                .as_ref()
                .is_none_or(|bidder| Some(bidder.as_str()) == unnamed),
            bidder: match named {
                Some(bidder) => bidder,
                None => PartyId::new(format!("bidder-{place}"))
                    .map_err(|why| map.amount.field.bad(row, why.to_string()))?,
            },
            amount,
            automatic,
        });
        Ok(())
    }

    /// Sorts the bids; those that cannot be in any order are taken out.
    fn put_in_order(&mut self, mapping: &Mapping) -> Vec<BadRow> {
        let map = &mapping.bids;
        let mut bad = Vec::new();
        match &map.order {
            Order::File => {}
            Order::Time => self.bids.sort_by_key(|bid| bid.at),
            Order::Column(_) => self.bids.sort_by_key(|bid| bid.place),
        }
        let mut places = BTreeSet::new();
        let mut latest: Option<Micros> = None;
        for bid in std::mem::take(&mut self.bids) {
            let back = latest.map_or(0, |latest| latest.since(bid.at));
            let found = if !places.insert(bid.place)
                && let Order::Column(field) = &map.order
            {
                Some((
                    field,
                    "another bid of the auction has this number".to_owned(),
                ))
            } else if back > map.skew_us {
                Some((&map.at.field, runs_back(back, map.skew_us)))
            } else {
                None
            };
            if let Some((field, why)) = found {
                let mut row = field.bad(&bid.row, why);
                row.auction_id = Some(self.auction_id.get());
                bad.push(*row);
            } else {
                latest = latest.max(Some(bid.at));
                self.bids.push(bid);
            }
        }
        bad
    }
}

fn runs_back(back_us: i64, skew_us: i64) -> String {
    let span = |us| Span::new(us).map_or_else(|_| "0s".to_owned(), |span| span.to_string());
    format!(
        "it lies {} before a bid that comes earlier (skew is {}): state another order or skew",
        span(back_us),
        span(skew_us)
    )
}

fn whole_number(text: &str) -> Result<i64, &'static str> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = digits.then(|| text.parse::<i64>().ok()).flatten();
    number.ok_or("write a whole number, from 0 up")
}

/// Terms that cannot be, at the target that says them.
fn refused_terms(mapping: &Mapping, row: &Row, refusal: &Refusal) -> Box<BadRow> {
    let map = &mapping.auctions;
    let soft = map.soft_close.as_ref();
    let (field, why): (&Field, String) = match refusal {
        Refusal::InvalidEnd { .. } => {
            let why = "the end must lie after the start";
            (&map.end.field, why.to_owned())
        }
        Refusal::InvalidTerms { field, why } => {
            let at = match *field {
                "title" => &map.title,
                "steps" => &map.steps,
                "soft_close.cap" => soft
                    .and_then(|soft| soft.cap.as_ref())
                    .map_or(&map.end.field, |cap| &cap.field),
                _ => soft.map_or(&map.end.field, |soft| &soft.window),
            };
            (at, why.clone())
        }
        other => (&map.id, other.to_string()),
    };
    let mut bad = field.bad(row, why);
    bad.refusal = Some(refusal.code());
    bad
}

/// A row, read by a mapping.
struct Reading<'a> {
    mapping: &'a Mapping,
    row: &'a Row,
}

impl Reading<'_> {
    fn money(
        &self,
        money: &MoneyField,
        currency: Currency,
    ) -> Result<Option<Option<Amount>>, Box<BadRow>> {
        let marks = self.mapping.marks;
        let parse = |text: &str| cells::money(money, text, currency, marks);
        money.field.optional(self.row, parse)
    }

    fn amount(&self, money: &MoneyField, currency: Currency) -> Result<Amount, Box<BadRow>> {
        let marks = self.mapping.marks;
        let parse = |text: &str| cells::positive(money, text, currency, marks);
        money.field.required(self.row, parse)
    }

    fn time(&self, time: &TimeField, start: Option<Micros>) -> Result<Option<Micros>, Box<BadRow>> {
        let marks = self.mapping.marks;
        let parse = |text: &str| cells::instant(&time.format, text, start, marks);
        time.field.optional(self.row, parse)
    }

    fn required_time(
        &self,
        time: &TimeField,
        start: Option<Micros>,
    ) -> Result<Micros, Box<BadRow>> {
        let at = self.time(time, start)?;
        at.ok_or_else(|| time.field.bad(self.row, "it is empty".to_owned()))
    }

    /// An auction without a window has no soft close.
    fn soft_close(
        &self,
        map: &SoftCloseMap,
        start: Micros,
    ) -> Result<Option<SoftClose>, Box<BadRow>> {
        let row = self.row;
        let Some(window) = map.window.optional(row, str::parse::<Span>)? else {
            return Ok(None);
        };
        let extend_by = match &map.extend_by {
            None => None,
            Some(field) => field.optional(row, str::parse::<Span>)?,
        };
        let mode = match &map.mode {
            None => None,
            Some(field) => field.optional(row, mode_of)?,
        };
        let trigger = match &map.trigger {
            None => None,
            Some(field) => field.optional(row, trigger_of)?,
        };
        let cap = match &map.cap {
            None => None,
            Some(time) => self.time(time, Some(start))?,
        };
        Ok(Some(SoftClose {
            window,
            extend_by: extend_by.unwrap_or(window),
            mode: mode.unwrap_or_default(),
            trigger: trigger.unwrap_or_default(),
            cap,
        }))
    }
}
