//! A recorded auction, played by the rules: its bids in their order, and what they refuse.

use super::differ;
use super::error::HistoryError;
use super::fields::Field;
use super::form::Amounts;
use super::lot::{Lot, LotBid};
use super::mapping::Mapping;
use super::prices::{maxima, pair};
use super::record::{Keys, Record};
use super::report::{BadRow, Difference, HistoryReport, What};
use crate::auction::{Amount, Micros, Refusal, Terms};
use crate::store::Dossier;

/// Makes the auction, and counts what came of it; none where it cannot be used.
pub(super) fn play(
    mapping: &Mapping,
    lot: &Lot,
    now: Micros,
    report: &mut HistoryReport,
) -> Result<Option<Dossier>, HistoryError> {
    let mut record = Record::open(lot.terms.clone(), keys(mapping, lot))?;
    let mut played = HistoryReport::default();
    let mut playing = Playing {
        mapping,
        lot,
        record: &mut record,
        report: &mut played,
    };
    match mapping.bids.amounts {
        Amounts::Maxima => playing.maxima()?,
        Amounts::Prices => playing.prices()?,
    }
    let derived = record.book().state.end;
    if derived.max(lot.end.unwrap_or(derived)) > now {
        let map = &mapping.auctions;
        let recorded = map.recorded_end.as_ref().unwrap_or(&map.end);
        let why = "the auction has not ended: a history is of auctions that have";
        report.left_out.push(of_lot(lot, &recorded.field, why));
        return Ok(None);
    }
    differ::compare(mapping, lot, &record, &mut played)?;
    played.auctions = 1;
    played.with_bids = u64::from(!lot.bids.is_empty());
    played.extended = u64::from(derived > lot.terms.end);
    report.add(played);
    Ok(Some(record.closed(lot)))
}

/// Of a lot's request ids and nonces.
pub(super) fn keys<'a>(mapping: &'a Mapping, lot: &Lot) -> Keys<'a> {
    Keys {
        secret: &mapping.secret,
        auction_id: lot.auction_id,
        digest: lot.digest,
    }
}

/// The price that the bids give under other terms or other names.
pub(super) fn price_under(
    mapping: &Mapping,
    lot: &Lot,
    terms: Terms,
    all_different: bool,
) -> Result<Option<Amount>, HistoryError> {
    let mut record = Record::open(terms, keys(mapping, lot))?;
    for bid in &lot.bids {
        let bidder = if all_different {
            // Too long a name cannot be made another.
            let name = format!("{}-{}", bid.bidder, bid.place);
            name.parse().unwrap_or_else(|_| bid.bidder.clone())
        } else {
            bid.bidder.clone()
        };
        // What is refused was named in the first reading.
        let _refused = record.bid(bid.place, bid.at, &bidder, bid.amount)?.err();
    }
    Ok(record.book().state.price())
}

struct Playing<'a, 'r> {
    mapping: &'a Mapping,
    lot: &'a Lot,
    record: &'r mut Record<'a>,
    report: &'r mut HistoryReport,
}

impl Playing<'_, '_> {
    fn maxima(&mut self) -> Result<(), HistoryError> {
        for bid in &self.lot.bids {
            self.bid(bid, bid.amount)?;
        }
        Ok(())
    }

    fn prices(&mut self) -> Result<(), HistoryError> {
        let (challenges, alone) = pair(&self.lot.bids, self.mapping.bids.skew_us);
        let answers = self.lot.bids.len() - challenges.len() - alone.len();
        self.report.automatic = u64::try_from(answers).unwrap_or(u64::MAX);
        if let Some(field) = &self.mapping.bids.automatic {
            for event in alone {
                let why = "an automatic answer that belongs to no bid: \
                           bids.skew says how much earlier it may be stamped";
                self.leave_out(event, field, why.to_owned(), None);
            }
        }
        let maxima = maxima(&challenges, &self.lot.terms.steps);
        for (challenge, maximum) in challenges.iter().zip(maxima) {
            let bid = challenge.bid();
            if !self.bid(bid, maximum.bid)? {
                continue;
            }
            let shown = challenge.price();
            let derived = self.record.book().state.price();
            self.report.prices.count(derived == Some(shown));
            if derived != Some(shown) {
                let currency = self.lot.terms.currency;
                self.report.differing.push(Difference {
                    auction_id: self.lot.auction_id.get(),
                    what: What::Price,
                    line: bid.row.line(),
                    derived: derived.map(|price| currency.format(price)),
                    recorded: Some(currency.format(shown)),
                    why: None,
                });
            }
            if let Some(raised) = maximum.raised {
                // No row shows it, so it can be anywhere before the next one.
                let place = raise_place(bid.place);
                if self.record.bid(place, bid.at, &bid.bidder, raised)?.is_ok() {
                    self.report.raises += 1;
                }
            }
        }
        Ok(())
    }

    /// Whether the rules take it.
    fn bid(&mut self, bid: &LotBid, maximum: Amount) -> Result<bool, HistoryError> {
        let refusal = match self.record.bid(bid.place, bid.at, &bid.bidder, maximum)? {
            Ok(()) => {
                self.report.bids += 1;
                return Ok(true);
            }
            Err(refusal) => refusal,
        };
        let map = &self.mapping.bids;
        let field = match refusal {
            Refusal::NotStarted { .. } | Refusal::Ended { .. } => &map.at.field,
            Refusal::SellerCannotBid => map.bidder.as_ref().unwrap_or(&map.amount.field),
            _ => &map.amount.field,
        };
        let why = match refusal.minimum().map(Amount::new) {
            Some(Ok(least)) => {
                let least = self.lot.terms.currency.format(least);
                format!("the rules refuse it: {refusal}; at least {least}")
            }
            _ => format!("the rules refuse it: {refusal}"),
        };
        self.leave_out(bid, field, why, Some(refusal.code()));
        Ok(false)
    }

    fn leave_out(
        &mut self,
        bid: &LotBid,
        field: &Field,
        why: String,
        refusal: Option<&'static str>,
    ) {
        let mut bad = field.bad(&bid.row, why);
        bad.auction_id = Some(self.lot.auction_id.get());
        bad.refusal = refusal;
        self.report.left_out.push(*bad);
    }
}

/// Places of rows are never negative.
fn raise_place(place: i64) -> i64 {
    -1 - place
}

fn of_lot(lot: &Lot, field: &Field, why: &str) -> BadRow {
    let mut bad = field.bad(&lot.row, why.to_owned());
    bad.auction_id = Some(lot.auction_id.get());
    *bad
}
