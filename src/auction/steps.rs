//! Bid steps: how much a challenger must add, by price.
//!
//! A table is a list of rungs `(from, step)`, lower bound inclusive, snapshotted into the terms
//! in minor units, so that editing a shipped table never changes an auction. The shipped tables
//! (`step_tables.csv`, in major units) are the increments that eBay published for its US and UK
//! sites.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::money::{Amount, Currency};

const SHIPPED: &str = include_str!("step_tables.csv");

/// Why a step table was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StepError {
    /// No rung at all.
    #[error("a step table needs at least one rung")]
    Empty,
    /// Neither an amount, nor a shipped name, nor a list of rungs.
    #[error("steps are an amount (10), a table ({names}) or rungs (0.01:0.05,1:0.25)")]
    Syntax {
        /// The shipped names.
        names: String,
    },
    /// A threshold or step is not an amount of this currency.
    #[error("step table {table} does not fit {currency}: {text} is not an amount of it")]
    Misfit {
        /// The table.
        table: String,
        /// The currency's code.
        currency: String,
        /// The amount that does not fit.
        text: String,
    },
    /// Thresholds are not strictly ascending.
    #[error("thresholds must ascend: {0} does not")]
    NotAscending(String),
    /// The first threshold exceeds the start price.
    #[error("the first threshold must not exceed the start price")]
    StartsTooHigh,
    /// `m + step(m)` falls at this threshold, so a void could raise a price.
    #[error("amount plus step must never fall as the amount grows: it falls at threshold {0}")]
    Falls(String),
}

/// One rung: from this amount on, this step (both minor units).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung(pub Amount, pub Amount);

/// A named list of rungs in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepTable {
    name: String,
    rungs: Vec<Rung>,
}

impl StepTable {
    /// One step for every amount.
    pub fn flat(step: Amount) -> Self {
        let lowest = Amount::new(1).unwrap_or(step);
        Self {
            name: "flat".to_owned(),
            rungs: vec![Rung(lowest, step)],
        }
    }

    /// From stored rungs. The order and the growth of the rungs are checked.
    pub fn new(name: impl Into<String>, rungs: Vec<Rung>) -> Result<Self, StepError> {
        let table = Self {
            name: name.into(),
            rungs,
        };
        table.check_shape(in_minor)?;
        Ok(table)
    }

    /// The names of the shipped tables.
    pub fn shipped_names() -> Vec<&'static str> {
        let mut names: Vec<_> = shipped().map(|[table, ..]| table).collect();
        names.dedup();
        names
    }

    /// Reads `10`, `ebay-us` or `0.01:0.05,1:0.25` in major units of `currency`.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, StepError> {
        let rungs: Vec<(&str, &str)> = shipped()
            .filter(|[table, ..]| *table == text)
            .map(|[_, from, step]| (from, step))
            .collect();
        if !rungs.is_empty() {
            return Self::from_major(text, &rungs, currency);
        }
        if text.contains(':') {
            let rungs = text
                .split(',')
                .map(|rung| rung.split_once(':').ok_or_else(Self::syntax))
                .collect::<Result<Vec<_>, _>>()?;
            return Self::from_major("custom", &rungs, currency);
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Self::syntax());
        }
        let step = amount(text, "flat", currency)?;
        Ok(Self::flat(step))
    }

    fn from_major(
        name: &str,
        rungs: &[(&str, &str)],
        currency: Currency,
    ) -> Result<Self, StepError> {
        let rungs = rungs
            .iter()
            .map(|(from, step)| {
                Ok(Rung(
                    amount(from, name, currency)?,
                    amount(step, name, currency)?,
                ))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let table = Self {
            name: name.to_owned(),
            rungs,
        };
        table.check_shape(|threshold| currency.format(threshold))?;
        Ok(table)
    }

    fn syntax() -> StepError {
        StepError::Syntax {
            names: Self::shipped_names().join(", "),
        }
    }

    /// `told` writes the threshold at fault.
    fn check_shape(&self, told: impl Fn(Amount) -> String) -> Result<(), StepError> {
        if self.rungs.is_empty() {
            return Err(StepError::Empty);
        }
        for pair in self.rungs.windows(2) {
            let [Rung(low, low_step), Rung(high, high_step)] = pair else {
                continue;
            };
            if high <= low {
                return Err(StepError::NotAscending(told(*high)));
            }
            // The last amount of the lower rung against the first of the higher one.
            if high.minor() - 1 + low_step.minor() > high.minor() + high_step.minor() {
                return Err(StepError::Falls(told(*high)));
            }
        }
        Ok(())
    }

    /// Checks the table against the price at which bidding starts.
    pub fn check_start(&self, start_price: Amount) -> Result<(), StepError> {
        self.check_shape(in_minor)?;
        match self.rungs.first() {
            Some(Rung(from, _)) if *from <= start_price => Ok(()),
            _ => Err(StepError::StartsTooHigh),
        }
    }

    /// The table's name: a shipped one, `flat` or `custom`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rungs, ascending.
    pub fn rungs(&self) -> &[Rung] {
        &self.rungs
    }

    /// The step at an amount, in minor units.
    pub fn step_at(&self, amount: Amount) -> i64 {
        let above = self.rungs.partition_point(|Rung(from, _)| *from <= amount);
        self.rungs
            .get(above.saturating_sub(1))
            .map_or(1, |Rung(_, step)| step.minor())
    }

    /// `amount + step(amount)` in minor units: at most `2 * 10^15`, so it cannot overflow.
    pub fn next(&self, amount: Amount) -> i64 {
        amount.minor() + self.step_at(amount)
    }
}

/// For stored tables, whose currency stands elsewhere.
fn in_minor(threshold: Amount) -> String {
    format!("{} minor units", threshold.minor())
}

fn amount(text: &str, table: &str, currency: Currency) -> Result<Amount, StepError> {
    currency.parse(text).map_err(|_| StepError::Misfit {
        table: table.to_owned(),
        currency: currency.code().to_owned(),
        text: text.to_owned(),
    })
}

fn shipped() -> impl Iterator<Item = [&'static str; 3]> {
    SHIPPED.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        Some([fields.next()?, fields.next()?, fields.next()?])
    })
}
