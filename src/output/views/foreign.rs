//! What a foreign history gave: the differences between rules and record, and the sums.

use std::path::Path;

use serde::Serialize;

use crate::history::{Agreement, Difference, HistoryReport, Why};
use crate::output::record::record;
use crate::output::views::create::rehearsed;
use crate::output::{Column, TableRow, Tone, units};
use crate::store::ImportReport;

record! {
    /// Something that the rules give otherwise than it is recorded.
    pub(crate) struct DifferenceLine {
        auction_id: i64,
        what: &'static str,
        /// The line of the bid after which a price differs, or of the auction.
        line: u64,
        derived: Option<String>,
        recorded: Option<String>,
        why: Option<Why>,
    }
}

impl From<&Difference> for DifferenceLine {
    fn from(difference: &Difference) -> Self {
        Self {
            auction_id: difference.auction_id,
            what: difference.what.as_str(),
            line: difference.line,
            derived: difference.derived.clone(),
            recorded: difference.recorded.clone(),
            why: difference.why,
        }
    }
}

impl TableRow for DifferenceLine {
    const COLUMNS: &'static [Column] = &[
        Column::right("AUCTION"),
        Column::left("WHAT"),
        Column::right("LINE"),
        Column::right("DERIVED"),
        Column::right("RECORDED"),
        Column::elastic("WHY"),
    ];

    fn cells(&self) -> Vec<String> {
        let unsold = |value: &Option<String>| value.clone().unwrap_or_else(|| "unsold".to_owned());
        vec![
            self.auction_id.to_string(),
            self.what.to_owned(),
            self.line.to_string(),
            unsold(&self.derived),
            unsold(&self.recorded),
            self.why.map_or(String::new(), |why| why.to_string()),
        ]
    }

    fn tone(&self) -> Tone {
        Tone::Caution
    }
}

/// Where the history is now.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Kept {
    folder: Option<String>,
    imported: Option<u64>,
    unchanged: Option<u64>,
    dry_run: bool,
}

impl Kept {
    /// Nowhere: it was refused.
    pub(crate) fn nothing(dry_run: bool) -> Self {
        Self {
            folder: None,
            imported: None,
            unchanged: None,
            dry_run,
        }
    }

    /// In a folder.
    pub(crate) fn folder(folder: &Path) -> Self {
        Self {
            folder: Some(folder.display().to_string()),
            ..Self::nothing(false)
        }
    }

    /// In the database.
    pub(crate) fn database(report: ImportReport, dry_run: bool) -> Self {
        Self {
            imported: Some(report.imported),
            unchanged: Some(report.unchanged),
            ..Self::nothing(dry_run)
        }
    }
}

/// The whole report, as one JSON object.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct HistoryView {
    mapping: String,
    files: Vec<String>,
    #[serde(flatten)]
    pub(crate) report: HistoryReport,
    #[serde(flatten)]
    kept: Kept,
}

impl HistoryView {
    /// Of a report.
    pub(crate) fn new(
        mapping: String,
        files: Vec<String>,
        report: HistoryReport,
        kept: Kept,
    ) -> Self {
        Self {
            mapping,
            files,
            report,
            kept,
        }
    }
}

/// The sums in sentences, and how they are meant.
pub(crate) fn sums(view: &HistoryView) -> Vec<(Tone, String)> {
    let report = &view.report;
    let mut sums = vec![(Tone::Plain, read(report))];
    let mut agreement = |of: Agreement, what: &str, more: String| {
        if of.recorded > 0 {
            let Agreement { recorded, agree } = of;
            let tone = if agree == recorded {
                Tone::Good
            } else {
                Tone::Caution
            };
            let text = format!("{agree} of {recorded} {what} are what the rules give{more}");
            sums.push((tone, text));
        }
    };
    agreement(report.final_prices, "final prices", String::new());
    let moved = match report.extended {
        0 => String::new(),
        1 => " (1 was moved)".to_owned(),
        more => format!(" ({more} were moved)"),
    };
    agreement(report.ends, "ends", moved);
    let answers = match report.automatic {
        0 => String::new(),
        answers => format!(
            ", and with them {}",
            units::count(answers, "automatic answer")
        ),
    };
    agreement(report.prices, "prices after a bid", answers);
    sums.extend(kept(&view.kept, report.auctions));
    sums
}

fn read(report: &HistoryReport) -> String {
    let mut text = format!(
        "{} ({} with bids), {}",
        units::count(report.auctions, "auction"),
        report.with_bids,
        units::count(report.bids, "bid")
    );
    if report.raises > 0 {
        let raises = units::count(report.raises, "raise");
        text.push_str(&format!(" and {raises} that no row shows"));
    }
    let left_out = i128::try_from(report.left_out.len()).unwrap_or(0);
    if left_out > 0 {
        text.push_str(&format!("; {} left out", units::count(left_out, "row")));
    }
    text
}

/// None where it was refused: the error says it.
fn kept(kept: &Kept, auctions: u64) -> Option<(Tone, String)> {
    let auctions = units::count(auctions, "auction");
    if let Some(folder) = &kept.folder {
        return Some((Tone::Good, format!("wrote {auctions} to {folder}")));
    }
    let new = units::count(kept.imported?, "new auction");
    let unchanged = kept.unchanged.unwrap_or(0);
    let text = format!("imported {new}, {unchanged} there already");
    Some((Tone::Good, rehearsed(text, kept.dry_run)))
}
