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

    /// One line: the median of each figure, the median of the rounds' ratios, and their range.
    pub(crate) fn ratio(&self, what: &str, ours: &str, theirs: &str) -> String {
        let none = Vec::new();
        let pairs = [ours, theirs].map(|name| self.rounds.get(name).unwrap_or(&none));
        let mut ratios: Vec<f64> = pairs[0].iter().zip(pairs[1]).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        let range = match (ratios.first(), ratios.last()) {
            (Some(least), Some(most)) => format!("{least:.2} to {most:.2}"),
            _ => "nothing measured".to_owned(),
        };
        format!(
            "{what}: {} against {} = {:.2} ({range})",
            rounded(self.median(ours)),
            rounded(self.median(theirs)),
            median(ratios),
        )
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
