//! The terms of an auction: what the seller promised before the first bid.
//!
//! Written into the ledger as JSON without the reserve, once, by [`Terms::to_detail`]; the text
//! is hashed as stored, so its field order is part of the format.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ids::PartyId;
use super::money::{Amount, Currency};
use super::refusal::Refusal;
use super::steps::StepTable;
use super::time::{Micros, Span};

/// The longest title or reason, in bytes of UTF-8.
pub const TEXT_BYTES_MAX: usize = 16_384;

/// What the leader's own raise does to the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnRaise {
    /// The price stays (the default).
    #[default]
    Keep,
    /// The price formula is applied again, as eBay once did.
    Reprice,
}

impl OwnRaise {
    /// All of them; the default first.
    pub const ALL: [Self; 2] = [Self::Keep, Self::Reprice];

    /// The word in files and options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Reprice => "reprice",
        }
    }
}

/// Where an extension is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExtendMode {
    /// New end = the bid's instant + `extend_by`.
    #[default]
    Reset,
    /// New end = the end in force + `extend_by`.
    Add,
}

impl ExtendMode {
    /// All of them; the default first.
    pub const ALL: [Self; 2] = [Self::Reset, Self::Add];

    /// The word in files and options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Add => "add",
        }
    }
}

/// Which accepted bids extend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExtendTrigger {
    /// Every bid except the leader's own raise (the default).
    #[default]
    NotOwnRaise,
    /// Every bid.
    Any,
    /// A bid that changes the leader; the first bid does.
    LeaderChange,
}

impl ExtendTrigger {
    /// All of them; the default first.
    pub const ALL: [Self; 3] = [Self::NotOwnRaise, Self::Any, Self::LeaderChange];

    /// The word in files and options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotOwnRaise => "not-own-raise",
            Self::Any => "any",
            Self::LeaderChange => "leader-change",
        }
    }
}

/// Soft close: a bid in the last `window` moves the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoftClose {
    /// A bid extends iff less than this is left.
    pub window: Span,
    /// By how much.
    pub extend_by: Span,
    /// Counted from where.
    pub mode: ExtendMode,
    /// Which bids.
    pub trigger: ExtendTrigger,
    /// No extension goes past this instant.
    pub cap: Option<Micros>,
}

/// Everything fixed before the first bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Who sells.
    pub seller: PartyId,
    /// One line for people.
    pub title: String,
    /// The currency of every amount.
    pub currency: Currency,
    /// The lowest first bid.
    pub start_price: Amount,
    /// The steps.
    pub steps: StepTable,
    /// Hidden: below it the item is not sold.
    pub reserve: Option<Amount>,
    /// What the leader's own raise does.
    pub own_raise: OwnRaise,
    /// Soft close, if any.
    pub soft_close: Option<SoftClose>,
    /// Bids are taken from this instant on.
    pub start: Micros,
    /// Bids are taken before this instant; the end before any extension.
    pub end: Micros,
}

/// Why stored terms could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the terms are not readable: {0}")]
pub struct DetailError(String);

impl Terms {
    /// Judges terms at create, or at amend while no bid exists: `invalid-end`, then
    /// `invalid-terms` with the field named.
    pub fn check(&self, t: Micros) -> Result<(), Refusal> {
        if self.end <= t {
            return Err(Refusal::InvalidEnd {
                why: "the end must lie in the future",
            });
        }
        if self.end <= self.start {
            return Err(Refusal::InvalidEnd {
                why: "the end must lie after the start",
            });
        }
        check_text("title", &self.title)?;
        if let Err(error) = self.steps.check_start(self.start_price) {
            return Err(Refusal::invalid_terms("steps", error.to_string()));
        }
        let Some(soft) = self.soft_close else {
            return Ok(());
        };
        if soft.window.get() > self.end.since(self.start) {
            let why = "the soft-close window must not be longer than the auction";
            return Err(Refusal::invalid_terms("soft_close.window", why));
        }
        if soft.cap.is_some_and(|cap| cap < self.end) {
            let why = "the cap must not lie before the end";
            return Err(Refusal::invalid_terms("soft_close.cap", why));
        }
        Ok(())
    }

    /// The lowest next bid of a challenger, in minor units, at a price (none: nobody leads).
    pub fn minimum(&self, price: Option<Amount>) -> i64 {
        price.map_or(self.start_price.minor(), |price| self.steps.next(price))
    }

    /// The canonical JSON, without the reserve.
    pub fn to_detail(&self) -> String {
        json(&Stated::from(self))
    }

    /// Appends what [`Self::to_detail`] gives.
    pub fn put_detail(&self, out: &mut Vec<u8>) {
        // Writing to memory cannot fail, and texts and numbers are always JSON.
        serde_json::to_writer(out, &Stated::from(self)).ok();
    }

    /// Reads [`Self::to_detail`] back; the reserve comes from the entry's secret.
    pub fn from_detail(text: &str, reserve: Option<Amount>) -> Result<Self, DetailError> {
        let detail: Detail = read(text)?;
        detail.into_terms(reserve)
    }
}

/// Whether a character steers what it is shown on: control characters, line and paragraph
/// separators, and the marks that turn the order of other text around.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// White space, and the characters without width that look like nothing alone.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2065}'
                | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Checks a title or reason: something to see, nothing that steers, at most [`TEXT_BYTES_MAX`]
/// bytes.
pub fn check_text(field: &'static str, text: &str) -> Result<(), Refusal> {
    if text.chars().all(is_invisible) {
        return Err(Refusal::invalid_terms(field, "must not be empty"));
    }
    if text.len() > TEXT_BYTES_MAX {
        return Err(Refusal::invalid_terms(
            field,
            "must not be longer than 16384 bytes",
        ));
    }
    if text.chars().any(steers) {
        return Err(Refusal::invalid_terms(
            field,
            "must not contain control characters, of lines or of direction",
        ));
    }
    Ok(())
}

/// An `amend` entry's detail: the full new terms, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendDetail {
    /// The reason given.
    pub reason: String,
    /// The terms from now on; `end` is the end in force.
    pub terms: Terms,
}

impl AmendDetail {
    /// The canonical JSON.
    pub fn to_detail(&self) -> String {
        json(&AmendStated {
            reason: &self.reason,
            terms: Stated::from(&self.terms),
        })
    }

    /// Reads [`Self::to_detail`] back.
    pub fn from_detail(text: &str, reserve: Option<Amount>) -> Result<Self, DetailError> {
        let AmendJson { reason, terms } = read(text)?;
        Ok(Self {
            reason,
            terms: terms.into_terms(reserve)?,
        })
    }
}

/// Writes a detail; the structs used here cannot fail to serialise.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Reads a detail, refusing unknown fields.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, DetailError> {
    serde_json::from_str(text).map_err(|error| DetailError(error.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AmendJson {
    reason: String,
    terms: Detail,
}

#[derive(Serialize)]
struct AmendStated<'t> {
    reason: &'t str,
    terms: Stated<'t>,
}

/// [`Detail`] as it is written: the same fields in the same order.
#[derive(Serialize)]
struct Stated<'t> {
    seller: &'t PartyId,
    title: &'t str,
    currency: &'t str,
    exponent: u32,
    start_price: Amount,
    steps: &'t StepTable,
    own_raise: OwnRaise,
    soft_close: Option<SoftCloseDetail>,
    start_us: Micros,
    end_us: Micros,
}

/// The wire form. Amounts are minor units, instants and spans microseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Detail {
    seller: PartyId,
    title: String,
    currency: String,
    exponent: u32,
    start_price: Amount,
    steps: StepTable,
    own_raise: OwnRaise,
    soft_close: Option<SoftCloseDetail>,
    start_us: Micros,
    end_us: Micros,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SoftCloseDetail {
    window_us: Span,
    extend_by_us: Span,
    mode: ExtendMode,
    trigger: ExtendTrigger,
    cap_us: Option<Micros>,
}

impl<'t> From<&'t Terms> for Stated<'t> {
    fn from(terms: &'t Terms) -> Self {
        Self {
            seller: &terms.seller,
            title: &terms.title,
            currency: terms.currency.code(),
            exponent: terms.currency.exponent(),
            start_price: terms.start_price,
            steps: &terms.steps,
            own_raise: terms.own_raise,
            soft_close: terms.soft_close.map(|soft| SoftCloseDetail {
                window_us: soft.window,
                extend_by_us: soft.extend_by,
                mode: soft.mode,
                trigger: soft.trigger,
                cap_us: soft.cap,
            }),
            start_us: terms.start,
            end_us: terms.end,
        }
    }
}

impl Detail {
    fn into_terms(self, reserve: Option<Amount>) -> Result<Terms, DetailError> {
        let currency = Currency::from_stored(&self.currency, self.exponent)
            .map_err(|error| DetailError(error.to_string()))?;
        Ok(Terms {
            seller: self.seller,
            title: self.title,
            currency,
            start_price: self.start_price,
            steps: self.steps,
            reserve,
            own_raise: self.own_raise,
            soft_close: self.soft_close.map(|soft| SoftClose {
                window: soft.window_us,
                extend_by: soft.extend_by_us,
                mode: soft.mode,
                trigger: soft.trigger,
                cap: soft.cap_us,
            }),
            start: self.start_us,
            end: self.end_us,
        })
    }
}
