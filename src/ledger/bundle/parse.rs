//! Rows of text as dossiers. A value that cannot be is damage, with file, line and column; an
//! importer makes an error of the first. Amounts that are secret are not repeated.

use std::collections::BTreeSet;

use super::columns::{File, MODES, OWN_RAISES, TRIGGERS, value};
use super::instant::instant;
use super::reader::RawDossier;
use super::table::{Places, Row, field, whole};
use crate::auction::entry::ZERO;
use crate::auction::steps::Rung;
use crate::auction::{
    Amount, AuctionId, CloseResult, Currency, Digest, Entry, Event, EventKind, Kind, Nonce,
    PartyId, Secret, SoftClose, Span, Status, StepTable, Terms,
};
use crate::ledger::AuditError;
use crate::store::{AuctionRow, Damage, Dossier};

/// Where the columns of a folder's files stand.
#[derive(Debug, Clone)]
pub(in crate::ledger) struct Layout {
    pub(super) public: bool,
    pub(super) auctions: Places,
    pub(in crate::ledger) ledger: Places,
    pub(super) outbox: Places,
    pub(super) watchers: Places,
}

/// A value that cannot be, and where it stands.
struct Bad {
    file: File,
    line: u64,
    seq: Option<i64>,
    column: &'static str,
    found: String,
}

impl Layout {
    /// Of no file.
    pub(super) fn empty(public: bool) -> Self {
        Self {
            public,
            auctions: Places::new(),
            ledger: Places::new(),
            outbox: Places::new(),
            watchers: Places::new(),
        }
    }

    /// Maxima and reserves are left out.
    pub(in crate::ledger) fn is_public(&self) -> bool {
        self.public
    }

    /// The dossier; what could not be read is its damage.
    pub(in crate::ledger) fn lenient(&self, raw: &RawDossier) -> Dossier {
        let (mut dossier, bad) = self.dossier(raw);
        dossier.damage = bad
            .into_iter()
            .map(|bad| Damage {
                auction_id: raw.auction_id,
                seq: bad.seq,
                column: bad.column,
                found: format!("{} ({} line {})", bad.found, bad.file.name(), bad.line),
            })
            .collect();
        dossier
    }

    /// The dossier, or the first value that cannot be.
    pub(in crate::ledger) fn strict(&self, raw: &RawDossier) -> Result<Dossier, AuditError> {
        let (dossier, bad) = self.dossier(raw);
        match bad.into_iter().next() {
            None => Ok(dossier),
            Some(bad) => Err(AuditError::Value {
                file: bad.file.name(),
                line: bad.line,
                column: bad.column,
                found: bad.found,
            }),
        }
    }

    /// The dossier of rows whose ledger stands elsewhere; none unless there is at most one row of
    /// the auction and every value can be read.
    pub(in crate::ledger) fn without_ledger(&self, raw: &RawDossier) -> Option<Dossier> {
        let (dossier, bad) = self.dossier(raw);
        (bad.is_empty() && raw.auctions.len() <= 1).then_some(dossier)
    }

    fn dossier(&self, raw: &RawDossier) -> (Dossier, Vec<Bad>) {
        let mut bad = Vec::new();
        let mut dossier = Dossier {
            auction_id: raw.auction_id,
            row: None,
            entries: Vec::new(),
            events: Vec::new(),
            watchers: Vec::new(),
            damage: Vec::new(),
            secrets_visible: !self.public,
        };
        let create = self.create(raw);
        if raw.auctions.is_empty() && create.is_none() {
            // Of no auction of this folder: without a currency there are no amounts to read.
            return (dossier, bad);
        }
        let chosen = self.chosen_row(raw);
        let currency = self.currency(create, raw.auctions.get(chosen));
        if let (Some(create), None) = (create, currency) {
            let mut cells = Cells::new(File::Ledger, &self.ledger, create, &mut bad);
            cells.complain("detail", "no terms, so no amount can be read".to_owned());
        }
        for (at, line) in raw.auctions.iter().enumerate() {
            let mut cells = Cells::new(File::Auctions, &self.auctions, line, &mut bad);
            if at != chosen {
                cells.complain("auction_id", "a second row for this auction".to_owned());
                continue;
            }
            dossier.row = auction(&mut cells, currency);
        }
        let mut entries = Vec::with_capacity(raw.ledger.len());
        let mut absent = absent_seqs(raw);
        for line in &raw.ledger {
            let mut cells = Cells::new(File::Ledger, &self.ledger, line, &mut bad);
            if line.seq == 0 {
                cells.seq = absent.next();
            }
            entries.extend(entry(&mut cells, currency));
        }
        let mut events = Vec::with_capacity(raw.outbox.len());
        for line in &raw.outbox {
            let mut cells = Cells::new(File::Outbox, &self.outbox, line, &mut bad);
            events.extend(event(&mut cells, currency));
        }
        let mut watchers = Vec::with_capacity(raw.watchers.len());
        for line in &raw.watchers {
            let mut cells = Cells::new(File::Watchers, &self.watchers, line, &mut bad);
            cells.skip();
            watchers.extend(cells.take(parse::<PartyId>));
        }
        // As the databases give them, whatever the order of the lines.
        events.sort_by(|a: &Event, b| a.event_id.cmp(&b.event_id));
        watchers.sort();
        (dossier.entries, dossier.events, dossier.watchers) = (entries, events, watchers);
        (dossier, bad)
    }

    /// Of several rows the one that was written for this ledger.
    fn chosen_row(&self, raw: &RawDossier) -> usize {
        let (head, hash) = (column(File::Auctions, "head"), column(File::Ledger, "hash"));
        let last = raw.ledger.last().filter(|_| raw.auctions.len() > 1);
        let Some(last) = last else { return 0 };
        let last = field(&last.record, &self.ledger, hash);
        let mut rows = raw.auctions.iter();
        rows.position(|row| field(&row.record, &self.auctions, head) == last)
            .unwrap_or(0)
    }

    fn create<'r>(&self, raw: &'r RawDossier) -> Option<&'r Row> {
        let kind = column(File::Ledger, "kind");
        let mut rows = raw.ledger.iter();
        rows.find(|row| field(&row.record, &self.ledger, kind) == Kind::Create.as_str())
    }

    /// The currency of an auction's amounts: that of its hashed terms, whatever the row says.
    fn currency(&self, create: Option<&Row>, row: Option<&Row>) -> Option<Currency> {
        let of_row = row.and_then(|row| {
            let cell = |name| field(&row.record, &self.auctions, column(File::Auctions, name));
            let exponent = u32::try_from(whole(cell("exponent"))?).ok()?;
            Currency::from_stored(cell("currency"), exponent).ok()
        });
        let Some(create) = create else {
            return of_row;
        };
        let detail = field(&create.record, &self.ledger, column(File::Ledger, "detail"));
        if let Some(currency) = of_row {
            // Unescaped quotes stand in no text of the terms, so this is the currency itself.
            let (code, exponent) = (currency.code(), currency.exponent());
            let snippet = format!(r#""currency":"{code}","exponent":{exponent},"#);
            if detail.contains(&snippet) {
                return of_row;
            }
        }
        let terms = Terms::from_detail(detail, None).ok();
        terms.map(|terms| terms.currency).or(of_row)
    }
}

/// Which of a file's columns has this name.
pub(super) fn column(file: File, name: &str) -> usize {
    let mut columns = file.columns().iter();
    columns.position(|column| column.name == name).unwrap_or(0)
}

/// Why a value cannot be read that cannot be because of another one, which is named.
const NAMED_ALREADY: &str = "";

/// The seqs that no row has, from the lowest: where rows belong whose seq cannot be read.
fn absent_seqs(raw: &RawDossier) -> impl Iterator<Item = i64> {
    let unknown = raw.ledger.iter().filter(|row| row.seq == 0).count();
    let known: BTreeSet<i64> = match unknown {
        0 => BTreeSet::new(),
        _ => raw.ledger.iter().map(|row| row.seq).collect(),
    };
    (1..).filter(move |seq| !known.contains(seq)).take(unknown)
}

/// The cells of one row, taken in the order of the file's columns.
struct Cells<'r> {
    file: File,
    places: &'r Places,
    row: &'r Row,
    /// Of a ledger row: its seq, or where it belongs.
    seq: Option<i64>,
    bad: &'r mut Vec<Bad>,
    next: usize,
}

impl<'r> Cells<'r> {
    fn new(file: File, places: &'r Places, row: &'r Row, bad: &'r mut Vec<Bad>) -> Self {
        Self {
            file,
            places,
            row,
            seq: (row.seq > 0).then_some(row.seq),
            bad,
            next: 0,
        }
    }

    fn complain(&mut self, column: &'static str, found: String) {
        self.bad.push(Bad {
            file: self.file,
            line: self.row.line,
            seq: self.seq,
            column,
            found,
        });
    }

    fn skip(&mut self) {
        self.next += 1;
    }

    fn text(&mut self) -> (&'r str, &'static str, bool) {
        let column = self.file.columns().get(self.next);
        let (name, hidden) = column.map_or(("", false), |column| (column.name, column.hidden));
        let text = field(&self.row.record, self.places, self.next);
        self.next += 1;
        (text, name, hidden)
    }

    /// The next cell's value; none if it cannot be, which is noted.
    fn take<T>(&mut self, read: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let (text, name, hidden) = self.text();
        match read(text) {
            Ok(value) => Some(value),
            Err(why) if why == NAMED_ALREADY => None,
            Err(why) => {
                let found = if hidden {
                    format!("not a value of it: {why}")
                } else {
                    format!("{text:?} is not a value of it: {why}")
                };
                self.complain(name, found);
                None
            }
        }
    }

    /// Like [`Self::take`]; an empty cell is a value: none.
    fn optional<T>(&mut self, read: impl FnOnce(&str) -> Result<T, String>) -> Option<Option<T>> {
        self.take(|text| {
            if text.is_empty() {
                Ok(None)
            } else {
                read(text).map(Some)
            }
        })
    }
}

/// The row; its amounts are read in the ledger's currency, so that a changed one is found as such.
fn auction(cells: &mut Cells<'_>, ledgers: Option<Currency>) -> Option<AuctionRow> {
    let auction_id = cells.take(parse::<AuctionId>);
    let status = cells.take(|text| known(Status::from_stored(text)));
    let seller = cells.take(parse::<PartyId>);
    let title = cells.take(|text| Ok(text.to_owned()));
    let code = cells.take(|text| {
        let known = Currency::from_stored(text, 0).map_err(|error| error.to_string());
        known.map(|_| text.to_owned())
    });
    let currency = cells.take(|text| {
        let exponent = whole(text).and_then(|exponent| u32::try_from(exponent).ok());
        let exponent = exponent.ok_or_else(|| "not a number of decimals".to_owned())?;
        let code = code.as_deref().ok_or_else(|| NAMED_ALREADY.to_owned())?;
        Currency::from_stored(code, exponent).map_err(|error| error.to_string())
    });
    let money = |text: &str| money(ledgers.or(currency), text);
    let start_price = cells.take(money);
    let steps_name = cells.take(|text| Ok(text.to_owned()));
    let steps = cells.take(|text| steps(steps_name.as_deref().unwrap_or_default(), text, money));
    let reserve = cells.optional(money);
    let own_raise = cells.take(|text| known(value(&OWN_RAISES, text)));
    let soft_close = soft_close(cells);
    let start = cells.take(instant);
    let first_end = cells.take(instant);
    let end = cells.take(instant);
    let leader = cells.optional(parse::<PartyId>);
    let leader_max = cells.optional(money);
    let runner_up_max = cells.optional(money);
    let price = cells.optional(money);
    let reserve_met = cells.take(parse::<bool>);
    let bid_count = cells.take(number);
    let last_seq = cells.take(number);
    let last_at = cells.take(instant);
    let head = cells.take(bytes::<32>);
    let closer_epoch = cells.take(number);
    let closing_at = cells.optional(instant);
    let closed_at = cells.optional(instant);
    let winner = cells.optional(parse::<PartyId>);
    let final_price = cells.optional(money);
    let owner_node = cells.optional(|text| Ok(text.to_owned()));
    let owner_epoch = cells.take(number);
    let owner_lease = cells.optional(instant);
    Some(AuctionRow {
        auction_id: auction_id?,
        status: status?,
        terms: Terms {
            seller: seller?,
            title: title?,
            currency: currency?,
            start_price: start_price?,
            steps: steps?,
            reserve: reserve?,
            own_raise: own_raise?,
            soft_close: soft_close?,
            start: start?,
            end: first_end?,
        },
        end: end?,
        leader: leader?,
        leader_max: leader_max?,
        runner_up_max: runner_up_max?,
        price: price?,
        reserve_met: reserve_met?,
        bid_count: bid_count?,
        last_seq: last_seq?,
        last_at: last_at?,
        head: head?,
        closer_epoch: closer_epoch?,
        closing_at: closing_at?,
        closed_at: closed_at?,
        winner: winner?,
        final_price: final_price?,
        owner_node: owner_node?,
        owner_epoch: owner_epoch?,
        owner_lease: owner_lease?,
    })
}

fn soft_close(cells: &mut Cells<'_>) -> Option<Option<SoftClose>> {
    let span = |text: &str| number(text).and_then(|us| Span::new(us).map_err(|e| e.to_string()));
    // All cells are taken before any is judged: the next one's place depends on it.
    let window = cells.optional(span);
    let extend_by = cells.optional(span);
    let mode = cells.optional(|text| known(value(&MODES, text)));
    let trigger = cells.optional(|text| known(value(&TRIGGERS, text)));
    let cap = cells.optional(instant);
    match (window?, extend_by?, mode?, trigger?, cap?) {
        (Some(window), Some(extend_by), Some(mode), Some(trigger), cap) => Some(Some(SoftClose {
            window,
            extend_by,
            mode,
            trigger,
            cap,
        })),
        (None, None, None, None, None) => Some(None),
        _ => {
            let found = "a soft close has window, extension, mode and trigger, or none of them";
            cells.complain("soft_window_us", found.to_owned());
            None
        }
    }
}

fn entry(cells: &mut Cells<'_>, currency: Option<Currency>) -> Option<Entry> {
    let money = |text: &str| money(currency, text);
    let auction_id = cells.take(parse::<AuctionId>);
    let seq = cells.take(|text| match number(text) {
        Ok(seq) if seq >= 1 => Ok(seq),
        _ => Err("a seq is a whole number from 1".to_owned()),
    });
    let kind = cells.take(|text| known(Kind::from_word(text)));
    let at = cells.take(instant);
    let request_id = cells.take(parse::<crate::auction::RequestId>);
    let actor = cells.take(parse::<PartyId>);
    let amount = cells.optional(money);
    let nonce: Option<Option<Nonce>> = cells.optional(bytes::<16>);
    let commit = cells.take(bytes::<32>);
    let detail = cells.take(|text| Ok(text.to_owned()));
    let price = cells.optional(money);
    let leader = cells.optional(parse::<PartyId>);
    let end = cells.take(instant);
    let reserve_met = cells.take(parse::<bool>);
    let extended = cells.take(parse::<bool>);
    let hash: Option<Digest> = cells.take(bytes::<32>);
    let secret = match (amount?, nonce?) {
        (Some(amount), Some(nonce)) => Some(Secret { amount, nonce }),
        (None, None) => None,
        _ => {
            let found = "a secret and its nonce stand together";
            cells.complain("nonce", found.to_owned());
            return None;
        }
    };
    Some(Entry {
        auction_id: auction_id?,
        seq: seq?,
        kind: kind?,
        at: at?,
        request_id: request_id?,
        actor: actor?,
        secret,
        commit: commit.unwrap_or(ZERO),
        detail: detail?,
        price: price?,
        leader: leader?,
        end: end?,
        reserve_met: reserve_met?,
        extended: extended?,
        hash: hash?,
    })
    .filter(|_| commit.is_some())
}

fn event(cells: &mut Cells<'_>, currency: Option<Currency>) -> Option<Event> {
    cells.skip();
    let event_id = cells.take(|text| Ok(text.to_owned()));
    let kind = cells.take(|text| known(EventKind::from_stored(text)));
    let result = cells.optional(|text| known(CloseResult::from_word(text)));
    let winner = cells.optional(parse::<PartyId>);
    let price = cells.optional(|text| money(currency, text));
    let end = cells.take(instant);
    let closed_at = cells.take(instant);
    let ledger_head = cells.take(bytes::<32>);
    Some(Event {
        event_id: event_id?,
        kind: kind?,
        result: result?,
        winner: winner?,
        price: price?,
        end: end?,
        closed_at: closed_at?,
        ledger_head: ledger_head?,
    })
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn known<T>(value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| "not a word of this column".to_owned())
}

fn number(text: &str) -> Result<i64, String> {
    whole(text).ok_or_else(|| "not a whole number".to_owned())
}

fn money(currency: Option<Currency>, text: &str) -> Result<Amount, String> {
    let currency = currency.ok_or_else(|| NAMED_ALREADY.to_owned())?;
    currency.parse(text).map_err(|error| error.to_string())
}

fn bytes<const N: usize>(text: &str) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes)
        .map(|()| bytes)
        .map_err(|_| format!("not {N} bytes in hexadecimal"))
}

fn steps(
    name: &str,
    text: &str,
    money: impl Fn(&str) -> Result<Amount, String>,
) -> Result<StepTable, String> {
    let rung = |rung: &str| {
        let (from, step) = rung
            .split_once(':')
            .ok_or_else(|| "rungs are written from:step, with spaces between".to_owned())?;
        Ok::<_, String>(Rung(money(from)?, money(step)?))
    };
    let rungs = text.split(' ').map(rung).collect::<Result<Vec<_>, _>>()?;
    StepTable::new(name, rungs).map_err(|error| error.to_string())
}
