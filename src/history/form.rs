//! A mapping as TOML holds it: what may be written, unchecked. [`super::mapping`] checks it.

use serde::Deserialize;
use toml::Spanned;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    pub(super) layout: Layout,
    pub(super) delimiter: Option<Spanned<String>>,
    pub(super) decimal_mark: Option<Spanned<String>>,
    pub(super) thousands_separator: Option<Spanned<String>>,
    pub(super) secret: Option<String>,
    pub(super) auctions: AuctionsForm,
    pub(super) bids: BidsForm,
}

/// How the two tables lie in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Every line is a bid and repeats what its auction is.
    OneFile,
    /// A file of auctions and a file of bids.
    TwoFiles,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuctionsForm {
    pub(super) id: Spanned<TextForm>,
    pub(super) seller: Spanned<TextForm>,
    pub(super) title: Spanned<TextForm>,
    pub(super) currency: Spanned<TextForm>,
    pub(super) start_price: Spanned<MoneyForm>,
    pub(super) steps: Spanned<TextForm>,
    pub(super) reserve: Option<Spanned<MoneyForm>>,
    pub(super) own_raise: Option<Spanned<TextForm>>,
    pub(super) soft_close: Option<SoftCloseForm>,
    pub(super) start: Spanned<TimeForm>,
    pub(super) end: Spanned<TimeForm>,
    pub(super) recorded_price: Option<Spanned<MoneyForm>>,
    pub(super) recorded_end: Option<Spanned<TimeForm>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoftCloseForm {
    pub(super) window: Spanned<TextForm>,
    pub(super) extend_by: Option<Spanned<TextForm>>,
    pub(super) mode: Option<Spanned<TextForm>>,
    pub(super) trigger: Option<Spanned<TextForm>>,
    pub(super) cap: Option<Spanned<TimeForm>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BidsForm {
    pub(super) amounts: Amounts,
    pub(super) auction: Option<Spanned<TextForm>>,
    pub(super) amount: Spanned<MoneyForm>,
    pub(super) at: Spanned<TimeForm>,
    pub(super) bidder: Option<Spanned<BidderForm>>,
    pub(super) automatic: Option<Spanned<FlagForm>>,
    pub(super) order: Option<Spanned<OrderForm>>,
    pub(super) skew: Option<Spanned<String>>,
}

/// What the amount of a bid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Amounts {
    /// What the bidder was ready to pay.
    Maxima,
    /// The price shown after it.
    Prices,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextForm {
    pub(super) column: Option<String>,
    pub(super) value: Option<String>,
    pub(super) template: Option<String>,
    pub(super) pattern: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoneyForm {
    pub(super) column: Option<String>,
    pub(super) value: Option<String>,
    pub(super) pattern: Option<String>,
    #[serde(default)]
    pub(super) unit: MoneyUnit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MoneyUnit {
    /// Decimals of the currency: dollars.
    #[default]
    Major,
    /// Whole minor units: cents.
    Minor,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeForm {
    pub(super) column: Option<String>,
    pub(super) value: Option<String>,
    pub(super) pattern: Option<String>,
    pub(super) format: Option<String>,
    pub(super) zone: Option<String>,
    pub(super) unit: Option<TimeUnit>,
    pub(super) round: Option<Round>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TimeUnit {
    Days,
    Hours,
    Minutes,
    Seconds,
    Milliseconds,
    Microseconds,
}

impl TimeUnit {
    pub(super) fn us(self) -> i64 {
        match self {
            Self::Days => 86_400_000_000,
            Self::Hours => 3_600_000_000,
            Self::Minutes => 60_000_000,
            Self::Seconds => 1_000_000,
            Self::Milliseconds => 1_000,
            Self::Microseconds => 1,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Round {
    Second,
    Millisecond,
    Microsecond,
}

impl Round {
    pub(super) fn us(self) -> i64 {
        match self {
            Self::Second => 1_000_000,
            Self::Millisecond => 1_000,
            Self::Microsecond => 1,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BidderForm {
    pub(super) column: Option<String>,
    pub(super) value: Option<String>,
    pub(super) pattern: Option<String>,
    pub(super) unnamed: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlagForm {
    pub(super) column: Option<String>,
    pub(super) value: Option<String>,
    pub(super) yes: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderForm {
    pub(super) column: Option<String>,
    pub(super) value: Option<String>,
}
