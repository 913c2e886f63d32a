//! One auction told bid by bid: the auditor's view, which names the maxima.

use crate::ledger::{Explanation, Told};
use crate::output::record::record;
use crate::output::views::create::people;
use crate::output::views::story::{self, StoryRow};
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
        fate: Option<&'static str>,
        fate_seq: Option<i64>,
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
            fate: told.fate,
            fate_seq: told.fate_seq,
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
    lines.extend(story::terms(&terms, width));
    lines.extend(as_of(
        told.as_of.as_deref(),
        told.entries.len(),
        told.entries_total,
    ));
    lines.push((Tone::Plain, String::new()));
    let rows: Vec<StoryRow> = told.entries.iter().map(row).collect();
    lines.extend(story::table(&rows, width));
    lines.extend(story::result(&told.result, width));
    lines
}

/// The line that says up to where a story is told.
pub(super) fn as_of(at: Option<&str>, told: usize, total: i64) -> Option<(Tone, String)> {
    let at = people(at?);
    Some((
        Tone::Caution,
        format!("  as of {at}, {told} of {total} entries"),
    ))
}

fn row(told: &Told) -> StoryRow {
    let mut sentences = told.text.clone();
    if let Some(fate) = told.fate {
        sentences.push(' ');
        sentences.push_str(&story::fate(fate, told.fate_seq));
    }
    StoryRow {
        seq: told.seq,
        at: told.at.clone(),
        who: told.actor.clone(),
        what: told.kind.clone(),
        price_before: told.price_before.clone(),
        price_after: told.price_after.clone(),
        leader: told.leader_after.clone(),
        tone: tone(&told.kind),
        sentences,
    }
}

/// How an entry is meant.
pub(super) fn tone(kind: &str) -> Tone {
    match kind {
        "void" | "cancel" => Tone::Caution,
        _ => Tone::Plain,
    }
}
