//! The question of a what-if: which terms are others, which bids are left out.
//!
//! Amounts and steps are read for each auction, because they need its currency.

use std::collections::BTreeSet;
use std::str::FromStr;

use thiserror::Error;

use crate::auction::{
    Amendment, Currency, Entry, ExtendMode, ExtendTrigger, Kind, Micros, OwnRaise, PartyId,
    SoftClosePatch, StepTable, Terms,
};

/// Every key, and what it takes.
const KEYS: [(&str, &str); 12] = [
    ("start_price", "an amount"),
    ("reserve", "an amount or none"),
    (
        "steps",
        "an amount, ebay-us, ebay-uk, or rungs such as 0.01:0.05,1:0.25",
    ),
    ("own_raise", "keep or reprice"),
    ("soft_close", "none"),
    ("soft_close.window", "a span such as 2m"),
    ("soft_close.extend_by", "a span such as 2m"),
    ("soft_close.mode", "reset or add"),
    ("soft_close.trigger", "not-own-raise, any or leader-change"),
    ("soft_close.cap", "a time or none"),
    ("without-bidder", "a bidder's name; repeatable"),
    ("without-bid", "a bid's seq, with one auction; repeatable"),
];
/// Currencies of every number of decimals: an amount that none of them takes is no amount.
const PROBES: [&str; 4] = ["USD", "JPY", "KWD", "CLF"];

/// Why a question cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WhatIfError {
    /// No `=`, or a key that is not known.
    #[error("{0:?} is no change")]
    Key(String),
    /// A value that its key does not take.
    #[error("{key}={value}: {why}")]
    Value {
        /// The key.
        key: String,
        /// What was stated.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// Stated twice, or beside what it excludes.
    #[error("{0} is stated twice, or beside what excludes it")]
    Twice(String),
}

impl WhatIfError {
    /// The keys there are, a line each.
    pub fn keys() -> Vec<String> {
        let lines = KEYS.iter();
        lines.map(|(key, takes)| format!("{key}={takes}")).collect()
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WhatIf {
    start_price: Option<String>,
    steps: Option<String>,
    /// The inner none: no reserve.
    reserve: Option<Option<String>>,
    own_raise: Option<OwnRaise>,
    no_soft_close: bool,
    soft_close: SoftClosePatch,
    without_bidders: BTreeSet<PartyId>,
    without_bids: BTreeSet<i64>,
}

impl WhatIf {
    /// Reads `KEY=VALUE` texts.
    pub fn parse(texts: &[String]) -> Result<Self, WhatIfError> {
        let mut question = Self::default();
        let mut seen = BTreeSet::new();
        for text in texts {
            let Some((key, value)) = text.split_once('=') else {
                return Err(WhatIfError::Key(text.clone()));
            };
            let again = !seen.insert(key);
            if again && !key.starts_with("without-") {
                return Err(WhatIfError::Twice(key.to_owned()));
            }
            question.put(key, value)?;
        }
        if question.no_soft_close && question.soft_close != SoftClosePatch::default() {
            return Err(WhatIfError::Twice("soft_close=none".to_owned()));
        }
        Ok(question)
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), WhatIfError> {
        let wrong = |why: String| WhatIfError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            why,
        };
        match key {
            "start_price" => {
                let read = |currency: Currency| currency.parse(value).map_err(|e| e.to_string());
                probe(read).map_err(wrong)?;
                self.start_price = Some(value.to_owned());
            }
            "reserve" if value == "none" => self.reserve = Some(None),
            "reserve" => self.reserve = Some(Some(amount(value).map_err(wrong)?)),
            "steps" => self.steps = Some(steps(value).map_err(wrong)?),
            "own_raise" => {
                let word = word(&OwnRaise::ALL, OwnRaise::as_str, value);
                self.own_raise = Some(word.map_err(wrong)?);
            }
            "soft_close" if value == "none" => self.no_soft_close = true,
            "soft_close" => return Err(wrong("write none, or soft_close.window=SPAN".to_owned())),
            "soft_close.window" => self.soft_close.window = Some(read(value).map_err(wrong)?),
            "soft_close.extend_by" => self.soft_close.extend_by = Some(read(value).map_err(wrong)?),
            "soft_close.mode" => {
                let word = word(&ExtendMode::ALL, ExtendMode::as_str, value);
                self.soft_close.mode = Some(word.map_err(wrong)?);
            }
            "soft_close.trigger" => {
                let word = word(&ExtendTrigger::ALL, ExtendTrigger::as_str, value);
                self.soft_close.trigger = Some(word.map_err(wrong)?);
            }
            "soft_close.cap" if value == "none" => self.soft_close.cap = Some(None),
            "soft_close.cap" => {
                self.soft_close.cap = Some(Some(read::<Micros>(value).map_err(wrong)?));
            }
            "without-bidder" => {
                self.without_bidders.insert(read(value).map_err(wrong)?);
            }
            "without-bid" => {
                let seq = value.parse::<i64>().ok().filter(|seq| *seq > 1);
                let why = "write a bid's seq, which is 2 or more".to_owned();
                self.without_bids.insert(seq.ok_or_else(|| wrong(why))?);
            }
            _ => return Err(WhatIfError::Key(key.to_owned())),
        }
        Ok(())
    }

    /// A seq belongs to one auction.
    pub fn names_bids(&self) -> bool {
        !self.without_bids.is_empty()
    }

    /// Whether an entry is to be left out.
    pub(super) fn leaves_out(&self, entry: &Entry) -> bool {
        entry.kind == Kind::Bid
            && (self.without_bids.contains(&entry.seq)
                || self.without_bidders.contains(&entry.actor))
    }

    /// The terms with the changes, or why they cannot have them.
    pub(super) fn applied(&self, terms: &Terms) -> Result<Terms, String> {
        let currency = terms.currency;
        let amount = |text: &String| currency.parse(text).map_err(|error| error.to_string());
        let reserve = match &self.reserve {
            None => None,
            Some(None) => Some(None),
            Some(Some(text)) => Some(currency.parse_optional(text).map_err(|e| e.to_string())?),
        };
        let steps = self.steps.as_ref();
        let steps = steps.map(|text| StepTable::parse(text, currency));
        let patched = self.soft_close != SoftClosePatch::default();
        let amendment = Amendment {
            start_price: self.start_price.as_ref().map(amount).transpose()?,
            steps: steps.transpose().map_err(|error| error.to_string())?,
            reserve,
            own_raise: self.own_raise,
            soft_close: match (self.no_soft_close, patched) {
                (true, _) => Some(None),
                (false, true) => Some(Some(self.soft_close)),
                (false, false) => None,
            },
            ..Amendment::default()
        };
        amendment
            .apply(terms)
            .map_err(|refusal| refusal.to_string())
    }
}

fn read<T: FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn word<T: Copy>(all: &[T], as_str: impl Fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let mut words = all.iter().copied();
    words.find(|word| as_str(*word) == text).ok_or_else(|| {
        let words: Vec<_> = all.iter().copied().map(&as_str).collect();
        format!("write {}", words.join(", "))
    })
}

/// An amount of some currency; which one shows with the auction.
fn amount(text: &str) -> Result<String, String> {
    probe(|currency| {
        currency
            .parse_optional(text)
            .map_err(|error| error.to_string())
    })?;
    Ok(text.to_owned())
}

fn steps(text: &str) -> Result<String, String> {
    probe(|currency| StepTable::parse(text, currency).map_err(|error| error.to_string()))?;
    Ok(text.to_owned())
}

/// The first currency's error, if no currency takes it.
fn probe<T>(read: impl Fn(Currency) -> Result<T, String>) -> Result<(), String> {
    let mut first = None;
    for code in PROBES {
        let Ok(currency) = Currency::from_code(code) else {
            continue;
        };
        match read(currency) {
            Ok(_) => return Ok(()),
            Err(why) => first = first.or(Some(why)),
        }
    }
    first.map_or(Ok(()), Err)
}
