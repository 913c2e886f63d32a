//! A step table as `--steps` reads it.

use crate::auction::{Currency, StepTable};

/// The shipped name, a flat amount, or the rungs.
pub(crate) fn text(steps: &StepTable, currency: Currency) -> String {
    if StepTable::shipped_names().contains(&steps.name()) {
        return steps.name().to_owned();
    }
    let rungs = steps.rungs();
    if let ("flat", [rung]) = (steps.name(), rungs) {
        return currency.format(rung.1);
    }
    let rung = |rung: &crate::auction::steps::Rung| {
        format!("{}:{}", currency.format(rung.0), currency.format(rung.1))
    };
    rungs.iter().map(rung).collect::<Vec<_>>().join(",")
}
