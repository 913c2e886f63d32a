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

/// A column: its name, and whether a public folder leaves it out.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) hidden: bool,
}

const fn open(name: &'static str) -> Column {
    Column {
        name,
        hidden: false,
    }
}

const fn hidden(name: &'static str) -> Column {
    Column { name, hidden: true }
}

/// The name of the manifest.
pub(super) const MANIFEST: &str = "manifest.json";

static AUCTIONS: [Column; 36] = [
    open("auction_id"),
    open("status"),
    open("seller"),
    open("title"),
    open("currency"),
    open("exponent"),
    open("start_price"),
    open("steps_name"),
    open("steps"),
    hidden("reserve"),
    open("own_raise"),
    open("soft_window_us"),
    open("soft_extend_us"),
    open("soft_mode"),
    open("soft_trigger"),
    open("soft_cap"),
    open("start"),
    open("first_end"),
    open("end"),
    open("leader"),
    hidden("leader_max"),
    hidden("runner_up_max"),
    open("price"),
    open("reserve_met"),
    open("bid_count"),
    open("last_seq"),
    open("last_at"),
    open("head"),
    open("closer_epoch"),
    open("closing_at"),
    open("closed_at"),
    open("winner"),
    open("final_price"),
    open("owner_node"),
    open("owner_epoch"),
    open("owner_lease"),
];

static LEDGER: [Column; 16] = [
    open("auction_id"),
    open("seq"),
    open("kind"),
    open("at"),
    open("request_id"),
    open("actor"),
    hidden("secret"),
    hidden("nonce"),
    open("commit"),
    open("detail"),
    open("price"),
    open("leader"),
    open("end"),
    open("reserve_met"),
    open("extended"),
    open("hash"),
];

static OUTBOX: [Column; 9] = [
    open("auction_id"),
    open("event_id"),
    open("kind"),
    open("result"),
    open("winner"),
    open("price"),
    open("end"),
    open("closed_at"),
    open("ledger_head"),
];

static WATCHERS: [Column; 2] = [hidden("auction_id"), hidden("watcher")];

impl File {
    /// All files, in the order in which they are written.
    pub(super) const ALL: [Self; 4] = [Self::Auctions, Self::Ledger, Self::Outbox, Self::Watchers];

    /// The name in the folder.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Auctions => "auctions.csv",
            Self::Ledger => "ledger.csv",
            Self::Outbox => "outbox.csv",
            Self::Watchers => "watchers.csv",
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
