//! Rows as the databases hold them, and the one place that turns them into values of the domain.
//!
//! Both backends select these columns with these types, so that the checks after reading are
//! written once. Absent values are null in the databases.

use std::collections::BTreeMap;

use super::rows::{AuctionRow, Damage, Dossier};
use crate::auction::entry::ZERO;
use crate::auction::steps::Rung;
use crate::auction::{
    Amount, AuctionId, CloseResult, Currency, Digest, Entry, EntryRef, Event, EventKind,
    ExtendMode, ExtendTrigger, Kind, Micros, OwnRaise, PartyId, RequestId, Secret, SoftClose, Span,
    Status, StepTable, Terms,
};

/// An `auctions` row.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct StoredAuction {
    pub(crate) auction_id: i64,
    pub(crate) status: String,
    pub(crate) seller: String,
    pub(crate) title: String,
    pub(crate) currency: String,
    pub(crate) exponent: i64,
    pub(crate) start_price: i64,
    pub(crate) steps_name: String,
    /// JSON: `[[from, step], …]`.
    pub(crate) steps: String,
    pub(crate) reserve: Option<i64>,
    pub(crate) own_raise: String,
    pub(crate) soft_window_us: Option<i64>,
    pub(crate) soft_extend_us: Option<i64>,
    pub(crate) soft_mode: Option<String>,
    pub(crate) soft_trigger: Option<String>,
    pub(crate) soft_cap_us: Option<i64>,
    pub(crate) start_us: i64,
    pub(crate) first_end_us: i64,
    pub(crate) end_us: i64,
    pub(crate) leader: Option<String>,
    pub(crate) leader_max: Option<i64>,
    pub(crate) runner_up_max: Option<i64>,
    pub(crate) price: Option<i64>,
    pub(crate) reserve_met: bool,
    pub(crate) bid_count: i64,
    pub(crate) last_seq: i64,
    pub(crate) last_us: i64,
    pub(crate) head: Vec<u8>,
    pub(crate) closer_epoch: i64,
    pub(crate) closing_us: Option<i64>,
    pub(crate) closed_us: Option<i64>,
    pub(crate) winner: Option<String>,
    pub(crate) final_price: Option<i64>,
    pub(crate) owner_node: Option<String>,
    pub(crate) owner_epoch: i64,
    pub(crate) owner_lease_us: Option<i64>,
}

impl StoredAuction {
    /// Checks every column.
    pub(super) fn into_row(self) -> Result<AuctionRow, Damage> {
        self.into_row_with(&mut StepsRead::default())
    }

    /// The same, where many rows come with the same steps.
    fn into_row_with(self, steps: &mut StepsRead) -> Result<AuctionRow, Damage> {
        let id = self.auction_id;
        let bad = |column, found: &dyn ToString| Damage::row(id, column, found.to_string());
        let amount = |column, minor: Option<i64>| {
            minor
                .map(|minor| Amount::new(minor).map_err(|_| bad(column, &minor)))
                .transpose()
        };
        let instant = |column, us: i64| Micros::new(us).map_err(|_| bad(column, &us));
        let later = |column, us: Option<i64>| us.map(|us| instant(column, us)).transpose();
        let party = |column, text: Option<String>| {
            text.map(|text| PartyId::new(text.clone()).map_err(|_| bad(column, &text)))
                .transpose()
        };
        let soft_close = self.soft_close()?;
        let exponent = u32::try_from(self.exponent).map_err(|_| bad("exponent", &self.exponent))?;
        let terms = Terms {
            seller: PartyId::new(self.seller.clone()).map_err(|_| bad("seller", &self.seller))?,
            title: self.title,
            currency: Currency::from_stored(&self.currency, exponent)
                .map_err(|_| bad("currency", &self.currency))?,
            start_price: Amount::new(self.start_price)
                .map_err(|_| bad("start_price", &self.start_price))?,
            steps: steps
                .read(&self.steps_name, &self.steps)
                .ok_or_else(|| bad("steps", &self.steps))?,
            reserve: amount("reserve", self.reserve)?,
            own_raise: match self.own_raise.as_str() {
                "keep" => OwnRaise::Keep,
                "reprice" => OwnRaise::Reprice,
                _ => return Err(bad("own_raise", &self.own_raise)),
            },
            soft_close,
            start: instant("start_us", self.start_us)?,
            end: instant("first_end_us", self.first_end_us)?,
        };
        Ok(AuctionRow {
            auction_id: AuctionId::new(id).map_err(|_| bad("auction_id", &id))?,
            status: Status::from_stored(&self.status).ok_or_else(|| bad("status", &self.status))?,
            terms,
            end: instant("end_us", self.end_us)?,
            leader: party("leader", self.leader)?,
            leader_max: amount("leader_max", self.leader_max)?,
            runner_up_max: amount("runner_up_max", self.runner_up_max)?,
            price: amount("price", self.price)?,
            reserve_met: self.reserve_met,
            bid_count: self.bid_count,
            last_seq: self.last_seq,
            last_at: instant("last_us", self.last_us)?,
            head: digest(&self.head).ok_or_else(|| bad("head", &"not 32 bytes"))?,
            closer_epoch: self.closer_epoch,
            closing_at: later("closing_us", self.closing_us)?,
            closed_at: later("closed_us", self.closed_us)?,
            winner: party("winner", self.winner)?,
            final_price: amount("final_price", self.final_price)?,
            owner_node: self.owner_node,
            owner_epoch: self.owner_epoch,
            owner_lease: later("owner_lease_us", self.owner_lease_us)?,
        })
    }

    fn soft_close(&self) -> Result<Option<SoftClose>, Damage> {
        let bad = |column| Damage::row(self.auction_id, column, "out of range or absent");
        let (Some(window), Some(extend_by)) = (self.soft_window_us, self.soft_extend_us) else {
            return Ok(None);
        };
        Ok(Some(SoftClose {
            window: Span::new(window).map_err(|_| bad("soft_window_us"))?,
            extend_by: Span::new(extend_by).map_err(|_| bad("soft_extend_us"))?,
            mode: match self.soft_mode.as_deref() {
                Some("reset") => ExtendMode::Reset,
                Some("add") => ExtendMode::Add,
                _ => return Err(bad("soft_mode")),
            },
            trigger: match self.soft_trigger.as_deref() {
                Some("not-own-raise") => ExtendTrigger::NotOwnRaise,
                Some("any") => ExtendTrigger::Any,
                Some("leader-change") => ExtendTrigger::LeaderChange,
                _ => return Err(bad("soft_trigger")),
            },
            cap: self
                .soft_cap_us
                .map(|us| Micros::new(us).map_err(|_| bad("soft_cap_us")))
                .transpose()?,
        }))
    }
}

/// An auction's currency.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct StoredCurrency {
    pub(super) auction_id: i64,
    pub(super) currency: String,
    pub(super) exponent: i64,
}

impl StoredCurrency {
    /// Checks it.
    pub(super) fn read(self) -> Result<(AuctionId, Currency), Damage> {
        let id = self.auction_id;
        let exponent = u32::try_from(self.exponent).ok();
        let currency = exponent.and_then(|it| Currency::from_stored(&self.currency, it).ok());
        match (AuctionId::new(id), currency) {
            (Ok(auction_id), Some(currency)) => Ok((auction_id, currency)),
            _ => Err(Damage::row(id, "currency", self.currency)),
        }
    }
}

/// The stored text of the rungs.
pub(super) fn steps_text(steps: &StepTable) -> String {
    serde_json::to_string(steps.rungs()).unwrap_or_default()
}

/// The step table that was read last: most auctions have the same one.
#[derive(Debug, Default)]
struct StepsRead(Option<(String, StepTable)>);

impl StepsRead {
    fn read(&mut self, name: &str, text: &str) -> Option<StepTable> {
        if let Some((read, table)) = &self.0
            && read == text
            && table.name() == name
        {
            return Some(table.clone());
        }
        let rungs: Vec<Rung> = serde_json::from_str(text).ok()?;
        let table = StepTable::new(name, rungs).ok()?;
        self.0 = Some((text.to_owned(), table.clone()));
        Some(table)
    }
}

/// The stored word of the own-raise rule.
pub(super) fn own_raise_text(own_raise: OwnRaise) -> &'static str {
    match own_raise {
        OwnRaise::Keep => "keep",
        OwnRaise::Reprice => "reprice",
    }
}

/// The stored word of the extension mode.
pub(super) fn mode_text(mode: ExtendMode) -> &'static str {
    match mode {
        ExtendMode::Reset => "reset",
        ExtendMode::Add => "add",
    }
}

/// The stored word of the extension trigger.
pub(super) fn trigger_text(trigger: ExtendTrigger) -> &'static str {
    match trigger {
        ExtendTrigger::NotOwnRaise => "not-own-raise",
        ExtendTrigger::Any => "any",
        ExtendTrigger::LeaderChange => "leader-change",
    }
}

fn digest(bytes: &[u8]) -> Option<Digest> {
    bytes.try_into().ok()
}

/// A `ledger` row.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct StoredEntry {
    pub(super) auction_id: i64,
    pub(super) seq: i64,
    pub(super) kind: i64,
    pub(super) at_us: i64,
    pub(super) request_id: uuid::Uuid,
    pub(super) actor: String,
    pub(super) secret: Option<i64>,
    pub(super) nonce: Option<Vec<u8>>,
    pub(super) detail: String,
    pub(super) price: Option<i64>,
    pub(super) leader: Option<String>,
    pub(super) end_us: i64,
    pub(super) flags: i64,
    pub(super) hash: Vec<u8>,
}

impl StoredEntry {
    /// Checks every column.
    pub(super) fn into_entry(self) -> Result<Entry, Damage> {
        let columns = EntryColumns {
            auction_id: self.auction_id,
            seq: self.seq,
            kind: self.kind,
            at_us: self.at_us,
            request_id: self.request_id,
            actor: &self.actor,
            secret: self.secret,
            nonce: self.nonce.as_deref(),
            detail: &self.detail,
            price: self.price,
            leader: self.leader.as_deref(),
            end_us: self.end_us,
            flags: self.flags,
            hash: &self.hash,
        };
        columns.to_entry()
    }
}

/// A `ledger` row where it was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryColumns<'r> {
    pub(crate) auction_id: i64,
    pub(crate) seq: i64,
    pub(crate) kind: i64,
    pub(crate) at_us: i64,
    pub(crate) request_id: uuid::Uuid,
    pub(crate) actor: &'r str,
    pub(crate) secret: Option<i64>,
    pub(crate) nonce: Option<&'r [u8]>,
    pub(crate) detail: &'r str,
    pub(crate) price: Option<i64>,
    pub(crate) leader: Option<&'r str>,
    pub(crate) end_us: i64,
    pub(crate) flags: i64,
    pub(crate) hash: &'r [u8],
}

impl<'r> EntryColumns<'r> {
    /// The entry where it was read; none if a column is no value of it, the names aside.
    pub(crate) fn borrowed(self) -> Option<EntryRef<'r>> {
        let secret = match (self.secret, self.nonce) {
            (None, None) => None,
            (Some(minor), Some(nonce)) => Some(Secret {
                amount: Amount::new(minor).ok()?,
                nonce: nonce.try_into().ok()?,
            }),
            _ => return None,
        };
        let price = match self.price {
            None => None,
            Some(minor) => Some(Amount::new(minor).ok()?),
        };
        Some(EntryRef {
            auction_id: AuctionId::new(self.auction_id).ok()?,
            seq: self.seq,
            kind: Kind::from_code(self.kind)?,
            at: Micros::new(self.at_us).ok()?,
            request_id: RequestId::new(self.request_id),
            actor: self.actor,
            secret,
            commit: None,
            detail: self.detail,
            price,
            leader: self.leader,
            end: Micros::new(self.end_us).ok()?,
            reserve_met: self.flags & 1 == 1,
            extended: self.flags & 2 == 2,
            hash: digest(self.hash)?,
        })
        .filter(|_| (0..=3).contains(&self.flags))
    }

    /// Checks every column; the commitment is computed here, it is not stored.
    pub(crate) fn to_entry(self) -> Result<Entry, Damage> {
        let bad = |column, found: &dyn ToString| {
            Damage::entry(self.auction_id, self.seq, column, found.to_string())
        };
        let secret = match (self.secret, self.nonce) {
            (None, None) => None,
            (Some(minor), Some(nonce)) => Some(Secret {
                amount: Amount::new(minor).map_err(|_| bad("secret", &"out of range"))?,
                nonce: nonce
                    .try_into()
                    .map_err(|_| bad("nonce", &"not 16 bytes"))?,
            }),
            _ => return Err(bad("nonce", &"secret and nonce belong together")),
        };
        if !(0..=3).contains(&self.flags) {
            return Err(bad("flags", &self.flags));
        }
        let party = |column, text: &str| PartyId::new(text).map_err(|_| bad(column, &text));
        let actor = party("actor", self.actor)?;
        let leader = match self.leader {
            // Of most bids: the name is shared.
            Some(text) if text == self.actor => Some(actor.clone()),
            Some(text) => Some(party("leader", text)?),
            None => None,
        };
        Ok(Entry {
            auction_id: AuctionId::new(self.auction_id)
                .map_err(|_| bad("auction_id", &self.auction_id))?,
            seq: self.seq,
            kind: Kind::from_code(self.kind).ok_or_else(|| bad("kind", &self.kind))?,
            at: Micros::new(self.at_us).map_err(|_| bad("at_us", &self.at_us))?,
            request_id: RequestId::new(self.request_id),
            secret,
            commit: secret.map_or(ZERO, |secret| secret.commit()),
            price: self
                .price
                .map(|minor| Amount::new(minor).map_err(|_| bad("price", &minor)))
                .transpose()?,
            leader,
            end: Micros::new(self.end_us).map_err(|_| bad("end_us", &self.end_us))?,
            reserve_met: self.flags & 1 == 1,
            extended: self.flags & 2 == 2,
            hash: digest(self.hash).ok_or_else(|| bad("hash", &"not 32 bytes"))?,
            actor,
            detail: self.detail.to_owned(),
        })
    }
}

/// An `outbox` row's content.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct StoredEvent {
    pub(crate) auction_id: i64,
    pub(crate) event_id: String,
    pub(crate) kind: String,
    pub(crate) result: Option<String>,
    pub(crate) winner: Option<String>,
    pub(crate) price: Option<i64>,
    pub(crate) end_us: i64,
    pub(crate) closed_us: i64,
    pub(crate) ledger_head: Vec<u8>,
}

impl StoredEvent {
    /// Checks every column.
    pub(super) fn into_event(self) -> Result<Event, Damage> {
        let bad =
            |column, found: &dyn ToString| Damage::row(self.auction_id, column, found.to_string());
        Ok(Event {
            kind: EventKind::from_stored(&self.kind)
                .ok_or_else(|| bad("outbox.kind", &self.kind))?,
            result: match &self.result {
                None => None,
                Some(word) => {
                    Some(CloseResult::from_word(word).ok_or_else(|| bad("outbox.result", word))?)
                }
            },
            winner: match &self.winner {
                None => None,
                Some(text) => {
                    Some(PartyId::new(text.clone()).map_err(|_| bad("outbox.winner", text))?)
                }
            },
            price: self
                .price
                .map(|minor| Amount::new(minor).map_err(|_| bad("outbox.price", &minor)))
                .transpose()?,
            end: Micros::new(self.end_us).map_err(|_| bad("outbox.end_us", &self.end_us))?,
            closed_at: Micros::new(self.closed_us)
                .map_err(|_| bad("outbox.closed_us", &self.closed_us))?,
            ledger_head: digest(&self.ledger_head)
                .ok_or_else(|| bad("outbox.ledger_head", &"not 32 bytes"))?,
            event_id: self.event_id,
        })
    }
}

/// Puts what was read of some auctions together, by auction; what cannot be a value of the domain
/// becomes damage of that auction.
pub(crate) struct DossierPage {
    dossiers: BTreeMap<i64, Dossier>,
    secrets_visible: bool,
    steps: StepsRead,
}

impl DossierPage {
    pub(crate) fn new(secrets_visible: bool) -> Self {
        Self {
            dossiers: BTreeMap::new(),
            secrets_visible,
            steps: StepsRead::default(),
        }
    }

    fn of(&mut self, auction_id: i64) -> &mut Dossier {
        let secrets_visible = self.secrets_visible;
        self.dossiers.entry(auction_id).or_insert_with(|| Dossier {
            auction_id,
            row: None,
            entries: Vec::new(),
            events: Vec::new(),
            watchers: Vec::new(),
            damage: Vec::new(),
            secrets_visible,
        })
    }

    pub(crate) fn add_auction(&mut self, stored: StoredAuction) {
        let id = stored.auction_id;
        let row = stored.into_row_with(&mut self.steps);
        let dossier = self.of(id);
        match row {
            Ok(row) => dossier.row = Some(row),
            Err(damage) => dossier.damage.push(damage),
        }
    }

    pub(super) fn add_entry(&mut self, stored: StoredEntry) {
        let dossier = self.of(stored.auction_id);
        match stored.into_entry() {
            Ok(entry) => dossier.entries.push(entry),
            Err(damage) => dossier.damage.push(damage),
        }
    }

    /// An auction that there is something of.
    pub(crate) fn add(&mut self, auction_id: i64) {
        self.of(auction_id);
    }

    pub(crate) fn add_event(&mut self, stored: StoredEvent) {
        let dossier = self.of(stored.auction_id);
        match stored.into_event() {
            Ok(event) => dossier.events.push(event),
            Err(damage) => dossier.damage.push(damage),
        }
    }

    pub(crate) fn add_watcher(&mut self, auction_id: i64, watcher: String) {
        let dossier = self.of(auction_id);
        match PartyId::new(watcher.clone()) {
            Ok(watcher) => dossier.watchers.push(watcher),
            Err(_) => dossier
                .damage
                .push(Damage::row(auction_id, "watchers.watcher", watcher)),
        }
    }

    pub(crate) fn add_damage(&mut self, damage: Damage) {
        self.of(damage.auction_id).damage.push(damage);
    }

    pub(crate) fn into_dossiers(self) -> Vec<Dossier> {
        self.dossiers.into_values().collect()
    }
}
