//! One auction told to one bidder: what is public, bidders by aliases, and the own bids with their
//! maxima, each with what opens its commitment.
//!
//! What it is made of has no secret of anybody else in it.

use std::fmt::Write as _;

use serde::Serialize;

use crate::auction::operator::VoidDetail;
use crate::auction::{Amount, CloseResult, Entry, Kind, Micros, PartyId};
use crate::ledger::{Fate, OwnBid, OwnRule, OwnStory};
use crate::output::record::record;
use crate::output::views::aliases::Aliases;
use crate::output::views::explain::{as_of, tone};
use crate::output::views::history::reason;
use crate::output::views::story::{self, StoryRow};
use crate::output::{Tone, units};

record! {
    /// An entry as the bidder may know it: the rows of the CSV file.
    pub(crate) struct OwnLine {
        auction_id: i64,
        seq: i64,
        kind: &'static str,
        at: String,
        /// An alias, `seller`, or the operator who acted.
        who: String,
        own: bool,
        /// Of an own bid.
        maximum: Option<String>,
        maximum_minor: Option<i64>,
        nonce: Option<String>,
        commit: Option<String>,
        opens: Option<bool>,
        price_before: Option<String>,
        price_after: Option<String>,
        leader_before: Option<String>,
        leader_after: Option<String>,
        end_after: String,
        extended: bool,
        rule: Option<&'static str>,
        fate: Option<&'static str>,
        fate_seq: Option<i64>,
        text: String,
    }
}

/// The whole story.
#[derive(Debug, Serialize)]
pub(crate) struct OwnStoryView {
    auction_id: i64,
    bidder: String,
    /// None if the bidder has no bid.
    alias: Option<String>,
    title: String,
    currency: String,
    start_price: String,
    steps: String,
    own_raise: &'static str,
    soft_close: Option<String>,
    start: String,
    first_end: String,
    as_of: Option<String>,
    entries_total: i64,
    pub(crate) entries: Vec<OwnLine>,
    status: &'static str,
    winner: Option<String>,
    final_price: Option<String>,
    result: String,
}

impl OwnStoryView {
    /// Tells it; `as_of` is up to when, where not to the end.
    pub(crate) fn new(story: &OwnStory, as_of: Option<Micros>, entries_total: i64) -> Self {
        let mut teller = Teller {
            story,
            aliases: Aliases::default(),
        };
        let before = std::iter::once(None).chain(story.entries.iter().map(Some));
        let entries = story.entries.iter().zip(before);
        let entries: Vec<OwnLine> = entries
            .map(|(entry, before)| teller.line(entry, before))
            .collect();
        let terms = &story.terms;
        let closed = story.status.is_closed();
        let winner = story.outcome.winner.as_ref().filter(|_| closed);
        let price = story.outcome.final_price.filter(|_| closed);
        let bids = !story.own.is_empty();
        Self {
            auction_id: story.auction_id,
            bidder: story.bidder.to_string(),
            alias: bids.then(|| teller.aliases.of(&story.bidder)),
            title: terms.title.clone(),
            currency: terms.currency.code().to_owned(),
            start_price: terms.currency.format(terms.start_price),
            steps: story.steps.clone(),
            own_raise: terms.own_raise.as_str(),
            soft_close: story.soft_close.clone(),
            start: units::utc(terms.start),
            first_end: units::utc(terms.end),
            as_of: as_of.map(units::utc),
            entries_total,
            status: story.status.as_str(),
            winner: winner.map(|winner| teller.aliases.of(winner)),
            final_price: price.map(|price| terms.currency.format(price)),
            result: teller.result(),
            entries,
        }
    }

    /// As lines of at most `width` characters; hashes are never broken.
    pub(crate) fn lines(&self, width: usize) -> Vec<(Tone, String)> {
        let title = units::one_line(&self.title);
        let alias = self.alias.as_deref();
        let known = alias.map_or("who has no bid in it".to_owned(), |alias| {
            format!("who is {alias}")
        });
        let heading = format!("auction {}: {title}", self.auction_id);
        let mut lines = vec![(Tone::Good, heading)];
        let mut parts = vec![
            format!("told to {}, {known}", self.bidder),
            format!("start price {} {}", self.start_price, self.currency),
            format!("own raise {}", self.own_raise),
        ];
        if let Some(soft_close) = &self.soft_close {
            parts.push(format!("soft close {soft_close}"));
        }
        parts.push(format!("steps {}", self.steps));
        lines.extend(story::terms(&parts, width));
        lines.extend(as_of(
            self.as_of.as_deref(),
            self.entries.len(),
            self.entries_total,
        ));
        lines.push((Tone::Plain, String::new()));
        let rows: Vec<StoryRow> = self.entries.iter().map(row).collect();
        lines.extend(story::table(&rows, width));
        lines.extend(story::result(&self.result, width));
        lines.extend(self.openings(width));
        lines
    }

    /// Each own bid with what opens its commitment.
    fn openings(&self, width: usize) -> Vec<(Tone, String)> {
        let own = self.entries.iter().filter(|line| line.commit.is_some());
        let mut lines = Vec::new();
        for line in own {
            lines.push((Tone::Plain, String::new()));
            lines.extend(opening(line, &self.currency));
        }
        let shown = self.entries.iter().find(|line| line.nonce.is_some());
        if let Some((nonce, minor)) =
            shown.and_then(|line| line.nonce.as_ref().zip(line.maximum_minor))
        {
            lines.push((Tone::Plain, String::new()));
            let text = "To check it yourself: the commitment is the SHA-256 of the nonce's 16 bytes \
                        and the maximum in the smallest unit of the currency as 8 bytes, the \
                        highest first. For the first of them:";
            for line in units::wrapped(text, width.saturating_sub(2)) {
                lines.push((Tone::Faint, format!("  {line}")));
            }
            lines.push((Tone::Faint, format!("  printf '{nonce}%016x' {minor} \\")));
            lines.push((Tone::Faint, "    | xxd -r -p | sha256sum".to_owned()));
        }
        lines
    }
}

fn opening(line: &OwnLine, currency: &str) -> Vec<(Tone, String)> {
    let seq = line.seq;
    let (tone, told) = match (&line.maximum, line.opens) {
        (Some(maximum), Some(true)) => {
            let text = format!("your bid seq {seq} of {maximum} {currency} opens its commitment");
            (Tone::Good, text)
        }
        (Some(maximum), _) => {
            let text = format!(
                "your bid seq {seq}, kept as {maximum} {currency}, does NOT open its commitment"
            );
            (Tone::Bad, text)
        }
        (None, _) => {
            let text = format!("your bid seq {seq}: its maximum is hidden here");
            (Tone::Caution, text)
        }
    };
    let mut lines = vec![(tone, format!("  {told}"))];
    if let Some(nonce) = &line.nonce {
        lines.push((Tone::Plain, format!("    nonce   {nonce}")));
    }
    if let Some(commit) = &line.commit {
        lines.push((Tone::Plain, format!("    commit  {commit}")));
    }
    lines
}

fn row(line: &OwnLine) -> StoryRow {
    let you = |name: &str| {
        if line.own {
            "you".to_owned()
        } else {
            name.to_owned()
        }
    };
    StoryRow {
        seq: line.seq,
        at: line.at.clone(),
        who: you(&line.who),
        what: line.kind.to_owned(),
        price_before: line.price_before.clone(),
        price_after: line.price_after.clone(),
        leader: line.leader_after.clone(),
        tone: tone(line.kind),
        sentences: line.text.clone(),
    }
}

/// Tells entries in their order, so that aliases come out as everywhere.
struct Teller<'a> {
    story: &'a OwnStory,
    aliases: Aliases,
}

impl Teller<'_> {
    fn line(&mut self, entry: &Entry, before: Option<&Entry>) -> OwnLine {
        let who = match entry.kind {
            Kind::Bid => self.aliases.of(&entry.actor),
            Kind::Create => "seller".to_owned(),
            Kind::Void | Kind::Amend | Kind::Cancel => self.aliases.actor(&entry.actor),
        };
        let leader_before = before.and_then(|before| before.leader.as_ref());
        let leader_before = leader_before.map(|leader| self.aliases.of(leader));
        let leader_after = entry.leader.as_ref().map(|leader| self.aliases.of(leader));
        let bid = self.story.own.get(&entry.seq);
        let secret = bid.and_then(|bid| bid.secret);
        let price = |amount: Option<Amount>| amount.map(|amount| self.decimal(amount));
        OwnLine {
            auction_id: self.story.auction_id,
            seq: entry.seq,
            kind: entry.kind.as_str(),
            at: units::utc(entry.at),
            own: bid.is_some(),
            maximum: price(secret.map(|secret| secret.amount)),
            maximum_minor: secret.map(|secret| secret.amount.minor()),
            nonce: secret.map(|secret| hex::encode(secret.nonce)),
            commit: bid.map(|bid| hex::encode(bid.commit)),
            opens: bid.and_then(|bid| bid.opens),
            price_before: price(before.and_then(|before| before.price)),
            price_after: price(entry.price),
            leader_before,
            leader_after,
            end_after: units::utc(entry.end),
            extended: entry.extended,
            rule: bid.map(|bid| bid.rule.as_str()),
            fate: bid.map(|bid| bid.fate.as_str()),
            fate_seq: bid.and_then(|bid| bid.fate.seq()),
            text: self.text(entry, before, &who),
            who,
        }
    }

    fn decimal(&self, amount: Amount) -> String {
        self.story.terms.currency.format(amount)
    }

    fn money(&self, amount: Amount) -> String {
        format!("{} {}", self.decimal(amount), self.story.terms.currency)
    }

    /// A bidder's name within a sentence.
    fn name(&mut self, bidder: &PartyId) -> String {
        if *bidder == self.story.bidder {
            return "you".to_owned();
        }
        self.aliases.of(bidder)
    }

    fn text(&mut self, entry: &Entry, before: Option<&Entry>, who: &str) -> String {
        let reason = reason(entry).map(|reason| self.aliases.masked(&reason));
        let reason = reason.unwrap_or_default();
        match entry.kind {
            Kind::Create => self.created(entry),
            Kind::Bid => self.bid(entry, before),
            Kind::Void => self.voided(entry, who, &reason),
            Kind::Amend => {
                let changed = self.story.changed.get(&entry.seq);
                let changed = changed.map(|changed| changed.join(", "));
                match changed.filter(|changed| !changed.is_empty()) {
                    Some(changed) => format!("{who} amends the terms, {changed}: {reason}."),
                    None => format!("{who} amends the terms: {reason}."),
                }
            }
            Kind::Cancel => {
                format!("{who} cancels the auction: {reason}. No further bid is taken.")
            }
        }
    }

    fn created(&self, entry: &Entry) -> String {
        let terms = &self.story.terms;
        let reserve = if self.story.had_reserve {
            " There is a hidden reserve."
        } else {
            ""
        };
        format!(
            "The seller offers the item from {}, until {}.{reserve}",
            self.money(terms.start_price),
            units::instant(entry.end)
        )
    }

    fn voided(&mut self, entry: &Entry, who: &str, reason: &str) -> String {
        let Ok(detail) = VoidDetail::from_detail(&entry.detail) else {
            return format!("{who} voids bids: {reason}.");
        };
        let seqs: Vec<String> = detail.targets.iter().map(ToString::to_string).collect();
        let whose = match self.name(&detail.bidder) {
            you if you == "you" => "your".to_owned(),
            name => format!("{name}'s"),
        };
        let leads = match &entry.leader {
            None => "nobody leads".to_owned(),
            Some(leader) => leads(&self.name(leader)),
        };
        format!(
            "{who} voids {whose} bid {}: {reason}. The auction is reckoned anew without it; {leads}.",
            seqs.join(", ")
        )
    }

    fn bid(&mut self, entry: &Entry, before: Option<&Entry>) -> String {
        let led = before.and_then(|before| before.leader.as_ref());
        let mut text = match self.story.own.get(&entry.seq) {
            Some(bid) => self.own_bid(entry, led, bid),
            None => self.others_bid(entry, led),
        };
        if let Some(before) = before.filter(|_| entry.extended) {
            let (was, end) = (units::instant(before.end), units::instant(entry.end));
            write!(text, " Soft close: the end moves from {was} to {end}.").unwrap_or_default();
        }
        text
    }

    fn own_bid(&mut self, entry: &Entry, led: Option<&PartyId>, bid: &OwnBid) -> String {
        let up_to = bid
            .secret
            .map_or("a maximum hidden here".to_owned(), |secret| {
                self.money(secret.amount)
            });
        let leads = entry.leader.as_ref() == Some(&entry.actor);
        let standing = match led.map(|led| self.name(led)) {
            None => format!("You open the bidding with a maximum of {up_to} and lead."),
            Some(led) if led == "you" => {
                format!("You lead already and raise your maximum to {up_to}.")
            }
            Some(led) if leads => format!("You bid up to {up_to} and take the lead from {led}."),
            Some(led) if bid.rule == OwnRule::Tie => format!(
                "You bid up to {up_to}; {led}'s maximum is as high and was there first, so you \
                 are outbid at once."
            ),
            Some(led) => {
                format!("You bid up to {up_to} and are outbid at once: {led}'s maximum is higher.")
            }
        };
        let price = entry.price.map_or(String::new(), |price| self.money(price));
        let priced = self.priced(bid, &price);
        let fate = self.fate(bid.fate);
        format!("{standing} {priced}{fate}")
    }

    /// What the price after an own bid follows from.
    fn priced(&self, bid: &OwnBid, price: &str) -> String {
        match bid.rule {
            OwnRule::StartPrice => {
                format!("Without a second bidder the price is the start price, {price}.")
            }
            OwnRule::Reserve => {
                format!("You reach the hidden reserve, so the price is that: {price}.")
            }
            OwnRule::SecondPlusStep => {
                format!("The price is what it takes to lead, less than your maximum: {price}.")
            }
            OwnRule::OwnMaximum => format!("The price is all of your maximum: {price}."),
            OwnRule::OwnRaise => format!("The price is {price}."),
            OwnRule::Tie => format!("The price is that maximum: {price}."),
            OwnRule::OwnPlusStep => format!(
                "The price is your maximum plus the step {}: {price}.",
                self.step(bid)
            ),
            OwnRule::TheirMaximum => format!(
                "The price is that maximum, less than the step {} above yours: {price}.",
                self.step(bid)
            ),
            OwnRule::Unknown => format!("The price is {price}."),
        }
    }

    fn step(&self, bid: &OwnBid) -> String {
        let steps = &self.story.terms.steps;
        let step = bid.secret.map(|secret| steps.step_at(secret.amount));
        let step = step.and_then(|step| Amount::new(step).ok());
        step.map_or_else(String::new, |step| self.money(step))
    }

    /// Why an own bid lost, or that it did not.
    fn fate(&mut self, fate: Fate) -> String {
        match fate {
            Fate::Wins => " You win with it.".to_owned(),
            Fate::Leads => " You lead with it so far.".to_owned(),
            Fate::ReserveNotMet => {
                " You led with it at the end, but below the hidden reserve: the item is not sold."
                    .to_owned()
            }
            Fate::Cancelled => " You led with it when the auction was cancelled.".to_owned(),
            Fate::Raised(seq) => format!(" You led with it until you raised it at seq {seq}."),
            Fate::Outbid(seq) => format!(" {}", self.outbid(seq)),
            Fate::OutbidAtOnce => " So it lost.".to_owned(),
            Fate::Voided(seq) => format!(" It was voided at seq {seq}."),
        }
    }

    fn outbid(&mut self, seq: i64) -> String {
        let by = self.story.entries.iter().find(|entry| entry.seq == seq);
        match by {
            Some(by) if by.kind == Kind::Bid => {
                let (name, at) = (self.name(&by.actor), units::instant(by.at));
                format!("It lost to the bid of {name} at {at}, seq {seq}.")
            }
            _ => format!("It led until seq {seq}."),
        }
    }

    fn others_bid(&mut self, entry: &Entry, led: Option<&PartyId>) -> String {
        let who = self.name(&entry.actor);
        let leads = entry.leader.as_ref() == Some(&entry.actor);
        match led.map(|led| self.name(led)) {
            None => format!("{who} opens the bidding and leads."),
            Some(led) if led == who => format!("{who} leads already and raises the own maximum."),
            Some(led) if leads => format!("{who} bids more than {led} and takes the lead."),
            Some(led) if led == "you" => format!("{who} bids and is outbid at once: you lead on."),
            Some(led) => format!("{who} bids and is outbid at once: {led} leads on."),
        }
    }

    /// How it ended or stands.
    fn result(&mut self) -> String {
        let story = self.story;
        if story.status == crate::auction::Status::Cancelled {
            return "cancelled: nobody buys".to_owned();
        }
        let outcome = &story.outcome;
        let told = match (&outcome.winner, outcome.final_price) {
            (Some(winner), Some(price)) => {
                let price = self.money(price);
                match self.name(winner) {
                    you if you == "you" => format!("you buy at {price}"),
                    name => format!("{name} buys at {price}"),
                }
            }
            _ if outcome.result == CloseResult::NoBids => {
                "nobody bid that counts: unsold".to_owned()
            }
            _ => "the reserve is not met: unsold".to_owned(),
        };
        let end = story.entries.last().map(|last| last.end);
        match end.filter(|_| !story.status.is_closed()) {
            Some(end) => format!(
                "not closed yet; as it stands, {told} at {}",
                units::instant(end)
            ),
            None => told,
        }
    }
}

fn leads(name: &str) -> String {
    if name == "you" {
        return "you lead".to_owned();
    }
    format!("{name} leads")
}
