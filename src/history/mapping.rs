//! A checked mapping: which column is what. [`super::check`] makes it.

use super::check;
pub(super) use super::check_field::{mode_of, own_raise_of, trigger_of};
use super::error::MappingError;
use super::fields::{Field, MoneyField, TimeField};
use super::form::Amounts;
use super::marks::Marks;

pub use super::form::Layout;

/// Which column is what.
#[derive(Debug, Clone)]
pub struct Mapping {
    pub(super) layout: Layout,
    pub(super) delimiter: u8,
    pub(super) marks: Marks,
    pub(super) secret: String,
    pub(super) auctions: AuctionsMap,
    pub(super) bids: BidsMap,
}

#[derive(Debug, Clone)]
pub(super) struct AuctionsMap {
    pub(super) id: Field,
    pub(super) seller: Field,
    pub(super) title: Field,
    pub(super) currency: Field,
    pub(super) start_price: MoneyField,
    pub(super) steps: Field,
    pub(super) reserve: Option<MoneyField>,
    pub(super) own_raise: Option<Field>,
    pub(super) soft_close: Option<SoftCloseMap>,
    pub(super) start: TimeField,
    pub(super) end: TimeField,
    pub(super) recorded_price: Option<MoneyField>,
    pub(super) recorded_end: Option<TimeField>,
}

#[derive(Debug, Clone)]
pub(super) struct SoftCloseMap {
    pub(super) window: Field,
    pub(super) extend_by: Option<Field>,
    pub(super) mode: Option<Field>,
    pub(super) trigger: Option<Field>,
    pub(super) cap: Option<TimeField>,
}

#[derive(Debug, Clone)]
pub(super) struct BidsMap {
    pub(super) amounts: Amounts,
    /// None in one file: there the row says it as `auctions.id`.
    pub(super) auction: Option<Field>,
    pub(super) amount: MoneyField,
    pub(super) at: TimeField,
    pub(super) bidder: Option<Field>,
    /// What stands where the site did not name a bidder.
    pub(super) unnamed: Option<String>,
    pub(super) automatic: Option<Field>,
    pub(super) yes: Option<String>,
    pub(super) order: Order,
    /// So far may times run backwards, in microseconds.
    pub(super) skew_us: i64,
}

/// In which order an auction's bids came.
#[derive(Debug, Clone)]
pub(super) enum Order {
    File,
    Time,
    Column(Field),
}

impl Mapping {
    /// Reads a mapping; `file` is its name, for errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, MappingError> {
        check::mapping(file, text)
    }

    /// How many files it is for.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The targets of an auction.
    pub(super) fn auction_fields(&self) -> Vec<&Field> {
        let map = &self.auctions;
        let mut fields = vec![
            &map.id,
            &map.seller,
            &map.title,
            &map.currency,
            &map.start_price.field,
            &map.steps,
            &map.start.field,
            &map.end.field,
        ];
        fields.extend(map.reserve.as_ref().map(|money| &money.field));
        fields.extend(&map.own_raise);
        fields.extend(map.recorded_price.as_ref().map(|money| &money.field));
        fields.extend(map.recorded_end.as_ref().map(|time| &time.field));
        if let Some(soft) = &map.soft_close {
            fields.push(&soft.window);
            fields.extend(&soft.extend_by);
            fields.extend(&soft.mode);
            fields.extend(&soft.trigger);
            fields.extend(soft.cap.as_ref().map(|time| &time.field));
        }
        fields
    }

    /// The targets of a bid.
    pub(super) fn bid_fields(&self) -> Vec<&Field> {
        let map = &self.bids;
        let mut fields = vec![&map.amount.field, &map.at.field];
        fields.extend(&map.auction);
        fields.extend(&map.bidder);
        fields.extend(&map.automatic);
        if let Order::Column(field) = &map.order {
            fields.push(field);
        }
        fields
    }
}
