//! Domain values in short, for tests: a bad literal panics.

use gavel::auction::book::Create;
use gavel::auction::operator::Deed;
use gavel::auction::{
    Action, Amendment, Amount, AuctionId, Bid, Currency, ExtendMode, ExtendTrigger, Micros,
    OwnRaise, PartyId, RequestId, SoftClose, Span, StepTable, Terms, VoidScope,
};

/// 2026-12-01T09:00:00Z: when the auctions of [`terms`] start.
pub(crate) const START: i64 = 1_796_115_600_000_000;
/// One hour later: when they end.
pub(crate) const END: i64 = START + 3_600_000_000;
/// A second.
pub(crate) const SECOND: i64 = 1_000_000;
/// A minute.
pub(crate) const MINUTE: i64 = 60 * SECOND;

pub(crate) fn id(number: i64) -> AuctionId {
    AuctionId::new(number).unwrap()
}

pub(crate) fn amount(minor: i64) -> Amount {
    Amount::new(minor).unwrap()
}

pub(crate) fn at(us: i64) -> Micros {
    Micros::new(us).unwrap()
}

pub(crate) fn span(us: i64) -> Span {
    Span::new(us).unwrap()
}

pub(crate) fn party(text: &str) -> PartyId {
    PartyId::new(text).unwrap()
}

pub(crate) fn request(number: u128) -> RequestId {
    RequestId::from_bytes(number.to_be_bytes())
}

pub(crate) fn currency(code: &str) -> Currency {
    Currency::from_code(code).unwrap()
}

/// Dollars as minor units: `usd("12.50")` is 1250.
pub(crate) fn usd(text: &str) -> Amount {
    currency("USD").parse(text).unwrap()
}

/// An auction in dollars: starts at 10.00, US steps, no reserve, no soft close, one hour.
pub(crate) fn terms() -> Terms {
    Terms {
        seller: party("seller"),
        title: "A lot".to_owned(),
        currency: currency("USD"),
        start_price: usd("10"),
        steps: StepTable::parse("ebay-us", currency("USD")).unwrap(),
        reserve: None,
        own_raise: OwnRaise::Keep,
        soft_close: None,
        start: at(START),
        end: at(END),
    }
}

/// Five minutes of window and extension, reset, the default trigger, no cap.
pub(crate) fn soft_close() -> SoftClose {
    SoftClose {
        window: span(5 * MINUTE),
        extend_by: span(5 * MINUTE),
        mode: ExtendMode::Reset,
        trigger: ExtendTrigger::NotOwnRaise,
        cap: None,
    }
}

pub(crate) fn create(auction_id: AuctionId, request_id: RequestId, terms: Terms) -> Create {
    Create {
        auction_id,
        request_id,
        actor: party("operator"),
        nonce: nonce_of(request_id),
        terms,
    }
}

pub(crate) fn bid_of(
    auction_id: AuctionId,
    request_id: RequestId,
    bidder: &str,
    maximum: i64,
    currency: Currency,
) -> Bid {
    Bid {
        auction_id,
        request_id,
        bidder: party(bidder),
        maximum,
        currency,
        nonce: nonce_of(request_id),
    }
}

pub(crate) fn action(request_id: RequestId, deed: Deed) -> Action {
    Action {
        request_id,
        actor: party("operator"),
        reason: "asked for by phone".to_owned(),
        nonce: nonce_of(request_id),
        deed,
    }
}

pub(crate) fn void(bidder: &str, scope: VoidScope) -> Deed {
    Deed::Void {
        bidder: party(bidder),
        scope,
    }
}

pub(crate) fn amend(amendment: Amendment) -> Deed {
    Deed::Amend(Box::new(amendment))
}

/// A nonce that differs from the request id it comes with.
fn nonce_of(request_id: RequestId) -> [u8; 16] {
    request_id.bytes().map(|byte| byte ^ 0xa5)
}
