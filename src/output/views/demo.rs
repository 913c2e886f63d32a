//! The demonstration as it is told, and its sums.
//!
//! Here alone a maximum is told: the story's people have agreed to it.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

use crate::auction::{Micros, Refusal};
use crate::demo::{BidScene, CrowdReport, Scene};
use crate::output::record::record;
use crate::output::views::status;
use crate::output::{Card, Tone, units};
use crate::store::{AuctionRow, Reply};

/// Where the story plays: eight hours behind UTC.
const STORY_OFFSET_H: i8 = -8;

/// A line of the story.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// How it is meant.
    pub(crate) tone: Tone,
    /// The text.
    pub(crate) text: String,
}

impl Line {
    fn new(tone: Tone, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { tone, text }
    }
}

/// The lines of a scene; the crowd's progress has none.
pub(crate) fn lines(scene: &Scene) -> Vec<Line> {
    match scene {
        Scene::Chapter(title) => vec![Line::new(Tone::Plain, ""), Line::new(Tone::Good, *title)],
        Scene::Created(row) => vec![Line::new(Tone::Plain, created(row))],
        Scene::Bid(bid) => bid_lines(bid),
        Scene::Looked { row, .. } => vec![Line::new(
            Tone::Faint,
            indented(&format!(
                "(the row reads {} until a closer comes by)",
                row.status.as_str()
            )),
        )],
        Scene::Swept { at, report, rows } => {
            let closed = units::count(report.closed, "auction");
            let heading = format!("  {:<20} the closer sweeps: {closed} closed", clock(*at));
            let mut lines = vec![Line::new(Tone::Plain, heading)];
            lines.extend(rows.iter().map(|row| result(row, *at)));
            lines
        }
        Scene::Crowd { .. } => Vec::new(),
    }
}

fn created(row: &AuctionRow) -> String {
    let terms = &row.terms;
    let mut extras = Vec::new();
    if terms.reserve.is_some() {
        extras.push("a hidden reserve".to_owned());
    }
    if let Some(soft) = terms.soft_close {
        extras.push(format!("soft close {}", soft.window));
    }
    let extras = match extras.as_slice() {
        [] => String::new(),
        extras => format!(", {}", extras.join(", ")),
    };
    format!(
        "  {:<6} {:<30} from {} {}{extras}",
        row.auction_id,
        terms.title,
        terms.currency.format(terms.start_price),
        terms.currency
    )
}

fn bid_lines(bid: &BidScene) -> Vec<Line> {
    let first = format!(
        "  {:<20} {}, up to {} for \"{}\"",
        clock(bid.at),
        bid.bidder,
        bid.maximum,
        bid.title
    );
    let (tone, outcome) = match &bid.reply {
        Reply::Refused { refusal, .. } => (Tone::Bad, refused(refusal, bid)),
        Reply::Done(answer) | Reply::Repeated(answer) => {
            let price = format!("{} {}", bid.currency.format(answer.price), bid.currency);
            let leads = match (&bid.led, answer.leading) {
                (_, true) => format!("leads at {price}"),
                (Some(led), false) => format!("accepted, but {led} still leads, now at {price}"),
                (None, false) => format!("accepted at {price}"),
            };
            let moved = if answer.extended {
                format!("; the end moves to {}", clock(answer.end))
            } else {
                String::new()
            };
            (Tone::Plain, format!("{leads}{moved}"))
        }
    };
    vec![
        Line::new(Tone::Plain, first),
        Line::new(tone, indented(&format!("-> {outcome}"))),
    ]
}

fn refused(refusal: &Refusal, bid: &BidScene) -> String {
    match refusal {
        Refusal::Ended { end } => format!(
            "refused: ended {} before, though the status reads {}",
            units::span(bid.at.since(*end)),
            bid.status.as_str()
        ),
        other => format!("refused: {other}"),
    }
}

fn result(row: &AuctionRow, now: Micros) -> Line {
    let currency = row.terms.currency;
    let outcome = match (&row.winner, row.final_price) {
        (Some(winner), Some(price)) => {
            format!("sold to {winner} for {} {currency}", currency.format(price))
        }
        _ if row.leader.is_none() => "nobody bid: unsold".to_owned(),
        _ => "reserve not met: unsold".to_owned(),
    };
    let tone = match status::word(row, now) {
        status::SOLD => Tone::Good,
        _ => Tone::Faint,
    };
    let text = format!("{:<6} {:<30} {outcome}", row.auction_id, row.terms.title);
    Line::new(tone, format!("  {text}"))
}

fn indented(text: &str) -> String {
    format!("  {:<20} {text}", "")
}

/// Weekday and time of day where the story plays, the fraction only where there is one.
fn clock(at: Micros) -> String {
    let zone = Offset::from_hours(STORY_OFFSET_H).map_or(TimeZone::UTC, TimeZone::fixed);
    Timestamp::from_microsecond(at.get()).map_or_else(
        |_| units::instant(at),
        |instant| {
            let local = instant.to_zoned_datetime(zone);
            local.strftime("%a %H:%M:%S%.f").to_string()
        },
    )
}

record! {
    /// The demonstration's sums.
    pub(crate) struct DemoView {
        auctions: u64,
        bids_accepted: u64,
        bids_refused: u64,
        closed: u64,
        sold: u64,
        no_bids: u64,
        reserve_not_met: u64,
    }
}

impl DemoView {
    /// Of the crowd.
    pub(crate) fn new(report: &CrowdReport) -> Self {
        Self {
            auctions: report.auctions,
            bids_accepted: report.accepted,
            bids_refused: report.refused,
            closed: report.sweep.closed,
            sold: report.sweep.sold,
            no_bids: report.sweep.no_bids,
            reserve_not_met: report.sweep.reserve_not_met,
        }
    }
}

impl Card for DemoView {
    fn heading(&self) -> String {
        format!(
            "  {} bids on {}: {} accepted, {} refused by the rules",
            self.bids_accepted + self.bids_refused,
            units::count(self.auctions, "auction"),
            self.bids_accepted,
            self.bids_refused
        )
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("closed", self.closed.to_string()),
            ("sold", self.sold.to_string()),
            ("no bids", self.no_bids.to_string()),
            ("reserve not met", self.reserve_not_met.to_string()),
        ]
    }
}
