//! What the rules give against what the site recorded, and why they differ, as far as the record
//! shows it.

use super::error::HistoryError;
use super::form::Amounts;
use super::lot::{Lot, RecordedPrice};
use super::mapping::Mapping;
use super::play::price_under;
use super::record::Record;
use super::report::{Difference, HistoryReport, What, Why};
use crate::auction::{Amount, Terms};

/// Compares the final price and the end.
pub(super) fn compare(
    mapping: &Mapping,
    lot: &Lot,
    record: &Record<'_>,
    report: &mut HistoryReport,
) -> Result<(), HistoryError> {
    let difference = |what, derived, recorded, why| Difference {
        auction_id: lot.auction_id.get(),
        what,
        line: lot.row.line(),
        derived,
        recorded,
        why,
    };
    let derived = record.book().state.end;
    if let Some(recorded) = lot.end {
        report.ends.count(derived == recorded);
        if derived != recorded {
            let (derived, recorded) = (derived.to_string(), recorded.to_string());
            let both = (Some(derived), Some(recorded));
            report
                .differing
                .push(difference(What::End, both.0, both.1, None));
        }
    }
    let derived = record.outcome().final_price;
    let recorded = match lot.price {
        RecordedPrice::Absent => return Ok(()),
        RecordedPrice::Unsold => None,
        RecordedPrice::Sold(price) => Some(price),
    };
    report.final_prices.count(derived == recorded);
    if derived != recorded {
        let told = |price: Option<Amount>| price.map(|price| lot.terms.currency.format(price));
        let why = match recorded {
            Some(price) => Some(why(mapping, lot, price)?),
            None if lot.terms.reserve.is_none() => Some(Why::ReserveNotMet),
            None => Some(Why::Unexplained),
        };
        let (derived, recorded) = (told(derived), told(recorded));
        report
            .differing
            .push(difference(What::FinalPrice, derived, recorded, why));
    }
    Ok(())
}

/// Why the rules do not give the recorded price.
fn why(mapping: &Mapping, lot: &Lot, recorded: Amount) -> Result<Why, HistoryError> {
    let highest = lot.bids.iter().map(|bid| bid.amount).max();
    if highest < Some(recorded) {
        return Ok(Why::BidsMissing);
    }
    // Only maxima can be played under another reading.
    if mapping.bids.amounts == Amounts::Prices {
        return Ok(Why::Unexplained);
    }
    let gives = |terms: Terms, all_different| -> Result<bool, HistoryError> {
        Ok(price_under(mapping, lot, terms, all_different)? == Some(recorded))
    };
    if lot.bids.iter().all(|bid| bid.unnamed) && gives(lot.terms.clone(), true)? {
        return Ok(Why::UnnamedBidders);
    }
    let reserved = Terms {
        reserve: Some(recorded),
        ..lot.terms.clone()
    };
    let may_be_hidden = lot.terms.reserve.is_none() && highest == Some(recorded);
    if may_be_hidden && gives(reserved, false)? {
        return Ok(Why::ReserveMet);
    }
    Ok(Why::Unexplained)
}
