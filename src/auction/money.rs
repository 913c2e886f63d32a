//! Money: whole minor units of an ISO 4217 currency, `1 ..= 10^15`, never a float.
//!
//! Decimals exist at the edges only: [`Currency::parse`] reads one and [`Currency::format`]
//! writes one, exactly, with as many decimals as the currency has.

use std::fmt;

use iso_currency::Currency as IsoCurrency;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why an amount or a currency was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoneyError {
    /// Not digits with at most one decimal point between digits.
    #[error(
        "write an amount as digits with an optional decimal point, such as 12000 or 41.50: \
         no sign, separator, exponent or space"
    )]
    Syntax,
    /// More decimals than the currency's minor unit.
    #[error("{code} has {exponent} decimals, this amount has more")]
    TooManyDecimals {
        /// The currency's code.
        code: String,
        /// Its number of decimals.
        exponent: u32,
    },
    /// Outside `1 ..= 10^15` minor units.
    #[error("an amount is from {min} to {max} {code}")]
    OutOfRange {
        /// The smallest amount, as a decimal.
        min: String,
        /// The largest amount, as a decimal.
        max: String,
        /// The currency's code.
        code: String,
    },
    /// Not a currency of ISO 4217.
    #[error("a currency is a three-letter code of ISO 4217, such as USD, EUR or JPY")]
    UnknownCurrency,
    /// A stored amount outside `1 ..= 10^15`.
    #[error("an amount is from 1 to 1000000000000000 minor units")]
    StoredAmount,
}

/// An amount in minor units, `1 ..= 10^15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Amount(i64);

impl Amount {
    /// The largest amount in minor units; small enough that no sum of two overflows.
    pub const MAX: i64 = 1_000_000_000_000_000;

    /// Checks the range.
    pub fn new(minor: i64) -> Result<Self, MoneyError> {
        if (1..=Self::MAX).contains(&minor) {
            Ok(Self(minor))
        } else {
            Err(MoneyError::StoredAmount)
        }
    }

    /// The stored form of an optional amount: 0 is none.
    pub fn optional(minor: i64) -> Result<Option<Self>, MoneyError> {
        if minor == 0 {
            Ok(None)
        } else {
            Self::new(minor).map(Some)
        }
    }

    /// Minor units.
    pub fn minor(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Amount {
    type Error = MoneyError;
    fn try_from(minor: i64) -> Result<Self, MoneyError> {
        Self::new(minor)
    }
}

impl From<Amount> for i64 {
    fn from(amount: Amount) -> Self {
        amount.0
    }
}

/// A currency's code and its number of decimals, as snapshotted into an auction's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency {
    code: [u8; 3],
    exponent: u32,
}

/// Digits before the point, with at most four more, that are far from overflowing.
const DIGITS_PLAIN_MAX: usize = 13;

impl Currency {
    /// Looks a code up in ISO 4217. Codes without a minor unit (metals, tests) are refused.
    pub fn from_code(code: &str) -> Result<Self, MoneyError> {
        let exponent = IsoCurrency::from_code(code)
            .and_then(IsoCurrency::exponent)
            .ok_or(MoneyError::UnknownCurrency)?;
        Self::from_stored(code, u32::from(exponent))
    }

    /// The code of the currency that took this one's place, if ISO 4217 has withdrawn it.
    pub fn successor(&self) -> Option<&'static str> {
        let successor = IsoCurrency::from_code(self.code())?.is_superseded()?;
        // VES and VED are two codes of one currency, both in force.
        (successor != IsoCurrency::VED).then(|| successor.code())
    }

    /// From a stored snapshot; the exponent is the auction's, whatever ISO 4217 says today.
    pub fn from_stored(code: &str, exponent: u32) -> Result<Self, MoneyError> {
        let code: [u8; 3] = code
            .as_bytes()
            .try_into()
            .map_err(|_| MoneyError::UnknownCurrency)?;
        if exponent <= 4 && code.iter().all(u8::is_ascii_uppercase) {
            Ok(Self { code, exponent })
        } else {
            Err(MoneyError::UnknownCurrency)
        }
    }

    /// The three letters.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or_default()
    }

    /// Number of decimals: USD 2, JPY 0, KWD 3.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// Reads a decimal such as `12000` or `41.50` into minor units.
    pub fn parse(self, text: &str) -> Result<Amount, MoneyError> {
        let minor = self.parse_minor(text)?;
        Amount::new(minor).map_err(|_| self.out_of_range())
    }

    /// Like [`Self::parse`], but zero is legal and means none.
    pub fn parse_optional(self, text: &str) -> Result<Option<Amount>, MoneyError> {
        let minor = self.parse_minor(text)?;
        Amount::optional(minor).map_err(|_| self.out_of_range())
    }

    fn parse_minor(self, text: &str) -> Result<i64, MoneyError> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return Err(MoneyError::Syntax);
        }
        // Far beyond any amount, and beyond what a decimal can hold: answer without reading it.
        if whole.trim_start_matches('0').len() > 16 {
            return Err(self.out_of_range());
        }
        let written = if text.contains('.') {
            fraction.len()
        } else {
            0
        };
        if u32::try_from(written).map_or(true, |decimals| decimals > self.exponent) {
            return Err(MoneyError::TooManyDecimals {
                code: self.code().to_owned(),
                exponent: self.exponent,
            });
        }
        if whole.len() <= DIGITS_PLAIN_MAX {
            // The usual amounts, at once: an audit reads millions.
            let digits = whole.bytes().chain(fraction.bytes().take(written));
            let read = digits.fold(0, |read, digit| read * 10 + i64::from(digit - b'0'));
            let written = u32::try_from(written).unwrap_or(self.exponent);
            return Ok(read * 10_i64.pow(self.exponent - written));
        }
        let mut decimal = Decimal::from_str_exact(text).map_err(|_| self.out_of_range())?;
        decimal.rescale(self.exponent);
        i64::try_from(decimal.mantissa()).map_err(|_| self.out_of_range())
    }

    /// Writes minor units as a decimal with exactly [`Self::exponent`] decimals.
    pub fn format_minor(self, minor: i64) -> String {
        Decimal::from_i128_with_scale(i128::from(minor), self.exponent).to_string()
    }

    /// Writes an amount as a decimal with exactly [`Self::exponent`] decimals.
    pub fn format(self, amount: Amount) -> String {
        self.format_minor(amount.minor())
    }

    fn out_of_range(self) -> MoneyError {
        MoneyError::OutOfRange {
            min: self.format_minor(1),
            max: self.format_minor(Amount::MAX),
            code: self.code().to_owned(),
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}
