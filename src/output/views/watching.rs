//! What happens in a watched auction, as the public may see it: a line an event, and the region of
//! a terminal that is redrawn. Bidders have the aliases that `history` gives them.

use crate::auction::terms::AmendDetail;
use crate::auction::{Amount, CloseOutcome, Entry, Kind, Micros, Terms};
use crate::output::record::record;
use crate::output::views::history::{self, HistoryLine, Narrator};
use crate::output::views::status;
use crate::output::{Tone, units};
use crate::store::AuctionRow;
use crate::watch::{Lot, News, Stage};

/// Where an auction stands when its watch begins.
const WATCHING: &str = "watching";
/// A bid has moved the end.
const EXTENSION: &str = "extension";
/// The end has come.
const ENDED: &str = "ended";
/// The result is recorded.
const CLOSE: &str = "close";

record! {
    /// An event of a watched auction.
    pub(crate) struct WatchLine {
        auction_id: i64,
        /// `watching`, `create`, `bid`, `extension`, `void`, `amend`, `cancel`, `ended` or `close`.
        event: &'static str,
        /// One of the words of `list --status`, after the event.
        status: &'static str,
        seq: Option<i64>,
        /// When it happened; of `watching` and `ended` the server's time.
        at: String,
        /// `Bidder 1`, `seller`, `closer`, or the operator who acted.
        who: Option<String>,
        currency: String,
        price: Option<String>,
        /// What a challenger must bid at least, while bids are taken.
        minimum: Option<String>,
        leader: Option<String>,
        bids: i64,
        reserve_met: bool,
        ends_at: String,
        /// By how much the end moved, in microseconds.
        end_moved_us: i64,
        /// The seqs of the bids that a void took out of the reckoning.
        voids: Option<String>,
        /// Why an operator acted, bidders by their aliases.
        reason: Option<String>,
        /// `sold`, `no-bids` or `reserve-not-met`; of `ended` as it stands.
        result: Option<&'static str>,
        winner: Option<String>,
        final_price: Option<String>,
        title: Option<String>,
    }
}

/// Tells one auction's news.
#[derive(Debug)]
pub(crate) struct Chronicle {
    narrator: Narrator,
    terms: Terms,
    title: String,
    bids: i64,
    from_start: bool,
}

impl Chronicle {
    /// Of a watched auction; with what happened before, if asked.
    pub(crate) fn new(lot: &Lot, from_start: bool) -> Self {
        let terms = lot.row.terms.clone();
        Self {
            narrator: Narrator::new(terms.currency),
            title: terms.title.clone(),
            terms,
            bids: 0,
            from_start,
        }
    }

    /// The lines that tell it.
    pub(crate) fn lines(&mut self, news: &News) -> Vec<WatchLine> {
        match news {
            News::Past(entry) => {
                let lines = self.entry(entry);
                if self.from_start { lines } else { Vec::new() }
            }
            News::Entry(entry) => self.entry(entry),
            News::Begun { row, now } => {
                let title = Some(row.terms.title.clone());
                vec![WatchLine {
                    seq: Some(row.last_seq),
                    title,
                    ..self.standing(row, *now, WATCHING)
                }]
            }
            News::Ended { row, now } => {
                let outcome = CloseOutcome::of(row.leader.as_ref(), row.price, row.reserve_met);
                let currency = self.terms.currency;
                let winner = outcome.winner.map(|winner| self.narrator.alias(&winner));
                let price = outcome.final_price;
                vec![WatchLine {
                    result: Some(outcome.result.as_str()),
                    winner,
                    final_price: price.map(|price| units::decimal(currency, price)),
                    ..self.standing(row, *now, ENDED)
                }]
            }
            News::Closed(row) => {
                let Some(told) = self.narrator.close(row) else {
                    return Vec::new();
                };
                let status = status::word(row, row.end);
                vec![self.line(&told, CLOSE, status, row.price)]
            }
        }
    }

    fn entry(&mut self, entry: &Entry) -> Vec<WatchLine> {
        let told = self.narrator.line(entry);
        self.count(entry, &told);
        if entry.kind == Kind::Cancel {
            return vec![self.line(&told, told.kind, status::CANCELLED, entry.price)];
        }
        let happened = self.line(&told, told.kind, status::OPEN, entry.price);
        if !told.extended {
            return vec![happened];
        }
        let moved = WatchLine {
            event: EXTENSION,
            ..happened.clone()
        };
        vec![happened, moved]
    }

    /// What an entry does to the number of bids and to the terms.
    fn count(&mut self, entry: &Entry, told: &HistoryLine) {
        match entry.kind {
            Kind::Bid => self.bids += 1,
            Kind::Void => {
                let voided = told.voids.as_deref().unwrap_or_default();
                let voided = i64::try_from(voided.split_whitespace().count());
                self.bids -= voided.unwrap_or(0);
            }
            Kind::Amend => {
                let reserve = entry.secret.map(|secret| secret.amount);
                if let Ok(detail) = AmendDetail::from_detail(&entry.detail, reserve) {
                    self.title.clone_from(&detail.terms.title);
                    self.terms = detail.terms;
                }
            }
            Kind::Create | Kind::Cancel => {}
        }
    }

    fn line(
        &self,
        told: &HistoryLine,
        event: &'static str,
        status: &'static str,
        price: Option<Amount>,
    ) -> WatchLine {
        let minimum = (status == status::OPEN)
            .then(|| units::next_bid(self.terms.currency, self.terms.minimum(price)))
            .flatten();
        WatchLine {
            auction_id: told.auction_id,
            event,
            status,
            seq: told.seq,
            at: told.at.clone(),
            who: Some(told.who.clone()),
            currency: told.currency.clone(),
            price: told.price.clone(),
            minimum,
            leader: told.leader.clone(),
            bids: self.bids,
            reserve_met: told.reserve_met,
            ends_at: told.ends_at.clone(),
            end_moved_us: told.end_moved_us,
            voids: told.voids.clone(),
            reason: told.reason.clone(),
            result: told.result,
            winner: told.winner.clone(),
            final_price: told.final_price.clone(),
            title: None,
        }
    }

    /// Where a row stands, at the store's clock.
    fn standing(&mut self, row: &AuctionRow, now: Micros, event: &'static str) -> WatchLine {
        let currency = row.terms.currency;
        let status = status::word(row, now);
        let minimum = (status == status::OPEN)
            .then(|| units::next_bid(currency, row.minimum()))
            .flatten();
        WatchLine {
            auction_id: row.auction_id.get(),
            event,
            status,
            seq: None,
            at: units::utc(now),
            who: None,
            currency: currency.code().to_owned(),
            price: row.price.map(|price| units::decimal(currency, price)),
            minimum,
            leader: row
                .leader
                .as_ref()
                .map(|leader| self.narrator.alias(leader)),
            bids: row.bid_count,
            reserve_met: row.reserve_met,
            ends_at: units::utc(row.end),
            end_moved_us: 0,
            voids: None,
            reason: None,
            result: None,
            winner: None,
            final_price: None,
            title: None,
        }
    }

    /// The cells of the auction's line in the live region.
    pub(crate) fn live(&mut self, lot: &Lot, now: Micros) -> [String; 5] {
        let row = &lot.row;
        let currency = row.terms.currency;
        let price = row.price.map_or("-".to_owned(), |price| {
            format!("{} {currency}", units::decimal(currency, price))
        });
        let leader = row.leader.as_ref();
        let leader = leader.map_or("-".to_owned(), |leader| self.narrator.alias(leader));
        let left = match lot.stage {
            Stage::Past => "reading".to_owned(),
            Stage::Running if row.end <= now => "any moment".to_owned(),
            Stage::Running => units::relative(row.end, now),
            Stage::Ended => "ended, not closed yet".to_owned(),
            Stage::Over => status::word(row, now).to_owned(),
        };
        let id = row.auction_id.to_string();
        [id, price, leader, left, units::one_line(&self.title)]
    }
}

/// The live region: a line an auction, and what the countdown is.
pub(crate) fn region(rows: &[[String; 5]]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let (ids, prices, leaders, lefts) = (width(0), width(1), width(2), width(3));
    // First, because a region taller than the terminal is cut at its end.
    let note = "(time left is for display: the database's clock decides; Ctrl-C stops)";
    let mut lines = vec![note.to_owned()];
    lines.extend(rows.iter().map(|[id, price, leader, left, title]| {
        format!("{id:>ids$}  {price:>prices$}  {leader:leaders$}  {left:lefts$}  {title}")
    }));
    lines
}

impl WatchLine {
    /// The line for people; times to the second, `history` has all of them.
    pub(crate) fn told(&self) -> (Tone, String) {
        let at = units::second(&self.at);
        let text = format!("{at}  {}  {}", self.auction_id, self.what());
        let tone = match self.event {
            "void" | "cancel" | ENDED => Tone::Caution,
            WATCHING | "create" | "amend" => Tone::Faint,
            CLOSE if self.winner.is_some() => Tone::Good,
            _ => Tone::Plain,
        };
        (tone, text)
    }

    fn what(&self) -> String {
        let who = self.who.as_deref().unwrap_or_default();
        let because = self.reason.as_deref().map_or(String::new(), |reason| {
            format!(" ({})", units::one_line(reason))
        });
        match self.event {
            WATCHING => self.watching(),
            "create" => format!("created, ends {}", units::second(&self.ends_at)),
            "bid" if self.leader == self.who => format!("{who} bids and {}", self.leads()),
            "bid" => format!("{who} bids: {}", self.stands()),
            EXTENSION => format!("extended {}", self.end_moved()),
            "void" => {
                let voids = self.voids.as_deref().unwrap_or_default();
                format!("{who} voids seq {voids}{because}: {}", self.stands())
            }
            "amend" if self.end_moved_us == 0 => format!("{who} amends{because}"),
            "amend" => format!("{who} amends{because}: {}", self.end_moved()),
            "cancel" => format!("{who} cancels{because}"),
            ENDED => format!(
                "ended, waiting for the closer; as it stands: {}",
                self.result()
            ),
            _ => format!("closed: {}", self.result()),
        }
    }

    fn watching(&self) -> String {
        let title = units::one_line(self.title.as_deref().unwrap_or_default());
        let instants = self.ends_at.parse().ok().zip(self.at.parse().ok());
        let left = instants.map_or(String::new(), |(end, now)| units::relative(end, now));
        let ends = format!("ends {} ({left})", units::second(&self.ends_at));
        let bids = units::count(self.bids, "bid");
        match self.status {
            status::OPEN => format!("{}, {bids}, {ends}: {title}", self.stands()),
            status::DUE | status::CLOSING => {
                format!("{}, {}, {bids}: {title}", self.status, self.stands())
            }
            over => format!("{over}, {bids}: {title}"),
        }
    }

    fn stands(&self) -> String {
        match &self.leader {
            Some(leader) => format!("{leader} {}", self.leads()),
            None => "nobody leads".to_owned(),
        }
    }

    fn leads(&self) -> String {
        let price = self.price.as_deref().unwrap_or_default();
        format!("leads at {price} {}", self.currency)
    }

    fn end_moved(&self) -> String {
        let span = units::span(self.end_moved_us.abs());
        let sign = if self.end_moved_us < 0 { '-' } else { '+' };
        format!("{sign}{span}, ends {}", units::second(&self.ends_at))
    }

    fn result(&self) -> String {
        history::result(
            self.result.unwrap_or_default(),
            self.winner.as_deref(),
            self.final_price.as_deref(),
            &self.currency,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_stands_in_columns() {
        let row = |cells: [&str; 5]| cells.map(str::to_owned);
        let lines = region(&[
            row(["7731", "1100.00 USD", "Bidder 12", "in 2m 5s", "A desk"]),
            row(["5", "-", "-", "ended, not closed yet", "A lamp"]),
        ]);
        assert_eq!(
            lines[1..],
            [
                "7731  1100.00 USD  Bidder 12  in 2m 5s               A desk",
                "   5            -  -          ended, not closed yet  A lamp",
            ]
        );
    }
}
