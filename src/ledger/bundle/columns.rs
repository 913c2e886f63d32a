//! The files of a folder, their columns, and the words in them.

use crate::auction::{ExtendMode, ExtendTrigger, OwnRaise};

/// A file of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    Auctions,
    Ledger,
    Outbox,
    Watchers,
}

/// How the tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Text, for people and every program.
    #[default]
    Csv,
    /// Typed columns, for analysis and for audits at size.
    Parquet,
}

/// What a column holds. Text writes an amount in the currency's decimals; typed columns hold
/// minor units, and instants in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Whole,
    Amount,
    Instant,
    Text,
    Bytes(u8),
    Truth,
}

/// A column: its name, what it holds, and whether a public folder leaves it out.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// A row may have none.
    pub(super) optional: bool,
    pub(super) hidden: bool,
}

impl Column {
    const fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }

    const fn hidden(self) -> Self {
        Self {
            hidden: true,
            ..self
        }
    }
}

const fn column(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        optional: false,
        hidden: false,
    }
}

/// The name of the manifest.
pub(super) const MANIFEST: &str = "manifest.json";

static AUCTIONS: [Column; 36] = [
    column("auction_id", Kind::Whole),
    column("status", Kind::Text),
    column("seller", Kind::Text),
    column("title", Kind::Text),
    column("currency", Kind::Text),
    column("exponent", Kind::Whole),
    column("start_price", Kind::Amount),
    column("steps_name", Kind::Text),
    column("steps", Kind::Text),
    column("reserve", Kind::Amount).optional().hidden(),
    column("own_raise", Kind::Text),
    column("soft_window_us", Kind::Whole).optional(),
    column("soft_extend_us", Kind::Whole).optional(),
    column("soft_mode", Kind::Text).optional(),
    column("soft_trigger", Kind::Text).optional(),
    column("soft_cap", Kind::Instant).optional(),
    column("start", Kind::Instant),
    column("first_end", Kind::Instant),
    column("end", Kind::Instant),
    column("leader", Kind::Text).optional(),
    column("leader_max", Kind::Amount).optional().hidden(),
    column("runner_up_max", Kind::Amount).optional().hidden(),
    column("price", Kind::Amount).optional(),
    column("reserve_met", Kind::Truth),
    column("bid_count", Kind::Whole),
    column("last_seq", Kind::Whole),
    column("last_at", Kind::Instant),
    column("head", Kind::Bytes(32)),
    column("closer_epoch", Kind::Whole),
    column("closing_at", Kind::Instant).optional(),
    column("closed_at", Kind::Instant).optional(),
    column("winner", Kind::Text).optional(),
    column("final_price", Kind::Amount).optional(),
    column("owner_node", Kind::Text).optional(),
    column("owner_epoch", Kind::Whole),
    column("owner_lease", Kind::Instant).optional(),
];

static LEDGER: [Column; 16] = [
    column("auction_id", Kind::Whole),
    column("seq", Kind::Whole),
    column("kind", Kind::Text),
    column("at", Kind::Instant),
    column("request_id", Kind::Bytes(16)),
    column("actor", Kind::Text),
    column("secret", Kind::Amount).optional().hidden(),
    column("nonce", Kind::Bytes(16)).optional().hidden(),
    column("commit", Kind::Bytes(32)),
    column("detail", Kind::Text),
    column("price", Kind::Amount).optional(),
    column("leader", Kind::Text).optional(),
    column("end", Kind::Instant),
    column("reserve_met", Kind::Truth),
    column("extended", Kind::Truth),
    column("hash", Kind::Bytes(32)),
];

static OUTBOX: [Column; 9] = [
    column("auction_id", Kind::Whole),
    column("event_id", Kind::Text),
    column("kind", Kind::Text),
    column("result", Kind::Text).optional(),
    column("winner", Kind::Text).optional(),
    column("price", Kind::Amount).optional(),
    column("end", Kind::Instant),
    column("closed_at", Kind::Instant),
    column("ledger_head", Kind::Bytes(32)),
];

static WATCHERS: [Column; 2] = [
    column("auction_id", Kind::Whole).hidden(),
    column("watcher", Kind::Text).hidden(),
];

impl File {
    /// All files, in the order in which they are written.
    pub(super) const ALL: [Self; 4] = [Self::Auctions, Self::Ledger, Self::Outbox, Self::Watchers];

    /// The name in a folder of text.
    pub(super) fn name(self) -> &'static str {
        self.name_in(Form::Csv)
    }

    /// The name in a folder.
    pub(super) fn name_in(self, form: Form) -> &'static str {
        match (self, form) {
            (Self::Auctions, Form::Csv) => "auctions.csv",
            (Self::Ledger, Form::Csv) => "ledger.csv",
            (Self::Outbox, Form::Csv) => "outbox.csv",
            (Self::Watchers, Form::Csv) => "watchers.csv",
            (Self::Auctions, Form::Parquet) => "auctions.parquet",
            (Self::Ledger, Form::Parquet) => "ledger.parquet",
            (Self::Outbox, Form::Parquet) => "outbox.parquet",
            (Self::Watchers, Form::Parquet) => "watchers.parquet",
        }
    }

    /// Every column, in the order in which they are written.
    pub(super) fn columns(self) -> &'static [Column] {
        match self {
            Self::Auctions => &AUCTIONS,
            Self::Ledger => &LEDGER,
            Self::Outbox => &OUTBOX,
            Self::Watchers => &WATCHERS,
        }
    }

    /// The columns that a folder has.
    pub(super) fn columns_of(self, public: bool) -> impl Iterator<Item = &'static Column> {
        let columns = self.columns().iter();
        columns.filter(move |column| !(public && column.hidden))
    }

    /// The files that a folder has: those that keep a column.
    pub(super) fn of(public: bool) -> impl Iterator<Item = Self> {
        let files = Self::ALL.into_iter();
        files.filter(move |file| file.columns_of(public).next().is_some())
    }
}

/// Words of the terms.
pub(super) const OWN_RAISES: [(&str, OwnRaise); 2] =
    [("keep", OwnRaise::Keep), ("reprice", OwnRaise::Reprice)];
pub(super) const MODES: [(&str, ExtendMode); 2] =
    [("reset", ExtendMode::Reset), ("add", ExtendMode::Add)];
pub(super) const TRIGGERS: [(&str, ExtendTrigger); 3] = [
    ("not-own-raise", ExtendTrigger::NotOwnRaise),
    ("any", ExtendTrigger::Any),
    ("leader-change", ExtendTrigger::LeaderChange),
];

/// The word of a value.
pub(super) fn word<T: PartialEq + Copy>(words: &[(&'static str, T)], value: T) -> &'static str {
    let entry = words.iter().find(|(_, known)| *known == value);
    entry.map_or("", |(word, _)| word)
}

/// The value of a word.
pub(super) fn value<T: Copy>(words: &[(&'static str, T)], text: &str) -> Option<T> {
    let entry = words.iter().find(|(word, _)| *word == text);
    entry.map(|(_, value)| *value)
}
