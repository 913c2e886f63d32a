//! One auction told bid by bid: the auditor's view, which names the maxima.

use crate::ledger::{Explanation, Told};
use crate::output::record::record;
use crate::output::views::create::people;
use crate::output::{Tone, units};

record! {
    /// An entry of the story: the rows of the CSV file.
    pub(crate) struct ToldLine {
        auction_id: i64,
        seq: i64,
        kind: String,
        at: String,
        actor: String,
        maximum: Option<String>,
        price_before: Option<String>,
        price_after: Option<String>,
        leader_before: Option<String>,
        leader_after: Option<String>,
        end_after: String,
        extended: bool,
        rule: &'static str,
        text: String,
    }
}

impl ToldLine {
    /// Of an auction's entry.
    pub(crate) fn new(auction_id: i64, told: &Told) -> Self {
        Self {
            auction_id,
            seq: told.seq,
            kind: told.kind.clone(),
            at: told.at.clone(),
            actor: told.actor.clone(),
            maximum: told.maximum.clone(),
            price_before: told.price_before.clone(),
            price_after: told.price_after.clone(),
            leader_before: told.leader_before.clone(),
            leader_after: told.leader_after.clone(),
            end_after: told.end_after.clone(),
            extended: told.extended,
            rule: told.rule,
            text: told.text.clone(),
        }
    }
}

/// The story as lines of at most `width` characters.
pub(crate) fn story(told: &Explanation, width: usize) -> Vec<(Tone, String)> {
    let title = units::one_line(&told.title);
    let mut lines = vec![(Tone::Good, format!("auction {}: {title}", told.auction_id))];
    let mut terms = vec![
        format!("seller {}", told.seller),
        format!("start price {} {}", told.start_price, told.currency),
        format!("own raise {}", told.own_raise),
    ];
    if let Some(reserve) = &told.reserve {
        terms.push(format!("reserve {reserve} {}", told.currency));
    }
    if let Some(soft_close) = &told.soft_close {
        terms.push(format!("soft close {soft_close}"));
    }
    terms.push(format!("steps {}", told.steps));
    for line in units::wrapped(&terms.join("; "), width.saturating_sub(2)) {
        lines.push((Tone::Faint, format!("  {line}")));
    }
    for entry in &told.entries {
        lines.push((Tone::Plain, String::new()));
        let heading = format!("  {:>3}  {}  {}", entry.seq, people(&entry.at), entry.kind);
        lines.push((Tone::Faint, heading));
        let tone = match entry.kind.as_str() {
            "void" | "cancel" => Tone::Caution,
            _ => Tone::Plain,
        };
        for line in units::wrapped(&entry.text, width.saturating_sub(7)) {
            lines.push((tone, format!("       {line}")));
        }
    }
    lines.push((Tone::Plain, String::new()));
    for line in units::wrapped(&told.result, width.saturating_sub(2)) {
        lines.push((Tone::Good, format!("  {line}")));
    }
    lines
}
