//! What the rounds gave: medians, and ratios of what was measured in the same round.

use std::collections::BTreeMap;

/// Figures by name, one for each round.
#[derive(Default)]
pub(crate) struct Figures {
    rounds: BTreeMap<String, Vec<f64>>,
}

impl Figures {
    pub(crate) fn add(&mut self, name: impl Into<String>, figure: f64) {
        self.rounds.entry(name.into()).or_default().push(figure);
    }

    /// A figure's median over all rounds.
    pub(crate) fn median(&self, name: &str) -> f64 {
        median(self.rounds.get(name).cloned().unwrap_or_default())
    }

    /// One line: the median of each figure and its range, the median of the rounds' ratios and their
    /// range.
    pub(crate) fn ratio(&self, what: &str, ours: &str, theirs: &str) -> String {
        let figures = |name| self.rounds.get(name).map_or(&[][..], Vec::as_slice);
        let pairs = figures(ours).iter().zip(figures(theirs));
        let ratios: Vec<f64> = pairs.map(|(a, b)| a / b).collect();
        let told = |name| {
            let middle = rounded(self.median(name));
            format!("{middle} ({})", range(figures(name), rounded))
        };
        let ratio_range = range(&ratios, |ratio| format!("{ratio:.2}"));
        format!(
            "{what}: {} against {} = {:.2} ({ratio_range})",
            told(ours),
            told(theirs),
            median(ratios),
        )
    }
}

fn range(figures: &[f64], written: fn(f64) -> String) -> String {
    let least = figures.iter().copied().min_by(f64::total_cmp);
    let most = figures.iter().copied().max_by(f64::total_cmp);
    match (least, most) {
        (Some(least), Some(most)) => format!("{} to {}", written(least), written(most)),
        _ => "nothing measured".to_owned(),
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match (figures.get(middle), figures.len() % 2) {
        (Some(figure), 1) => *figure,
        (Some(upper), _) => (upper + figures[middle - 1]) / 2.0,
        (None, _) => f64::NAN,
    }
}

/// A hundred and more without decimals, less with one.
fn rounded(figure: f64) -> String {
    if figure < 100.0 {
        format!("{figure:.1}")
    } else {
        format!("{figure:.0}")
    }
}
