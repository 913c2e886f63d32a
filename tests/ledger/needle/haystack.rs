//! Ten thousand honest auctions of every kind, always the same, and a few with known entries among
//! them to be changed.

use std::sync::LazyLock;

use gavel::auction::{Kind, Micros, Status, Terms};
use gavel::store::Dossier;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

use super::cases::cases;
use crate::ledger::bundle::renumbered;
use crate::ledger::clean::{dossier_of, played};
use crate::ledger::story::{self, later};
use crate::support::commands::{Script, Step, scripts};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, START};

pub(super) const AUCTIONS: i64 = 10_000;
/// So many are played; the others are the same histories under other ids.
const PLAYED: usize = 500;
const STEPS_MAX: usize = 18;

/// What can be changed: auctions whose entries are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needle {
    /// Ten entries with an operator's actions among them, sold: the careful audit judges it.
    Eventful,
    /// Ten entries, bids all but the first, sold: the quick look judges it.
    Plain,
    /// The same as eventful, withdrawn by an eleventh entry.
    Cancelled,
    /// Five entries, open until 2099.
    Open,
    NoBids,
    ReserveNotMet,
}

impl Needle {
    fn dossier(self) -> Dossier {
        match self {
            Self::Eventful => story::closed(),
            Self::Plain => plain(),
            Self::Cancelled => story::cancelled(),
            Self::Open => open(),
            Self::NoBids => unsold(None),
            Self::ReserveNotMet => unsold(Some("20")),
        }
    }
}

/// When everything is replayed.
pub(in crate::ledger) fn now() -> Micros {
    later().now
}

/// All of them by id.
pub(super) fn haystack() -> &'static [Dossier] {
    &HAYSTACK
}

pub(super) fn of(number: i64) -> &'static Dossier {
    &HAYSTACK[usize::try_from(number).unwrap() - 1]
}

static HAYSTACK: LazyLock<Vec<Dossier>> = LazyLock::new(|| {
    let histories = histories();
    let mut made: Vec<Dossier> = (1..=AUCTIONS)
        .zip(histories.iter().cycle())
        .map(|(number, history)| renumbered(history, number))
        .collect();
    for (number, needle) in cases().into_iter().flat_map(|case| case.needles) {
        let place = usize::try_from(number).unwrap() - 1;
        made[place] = renumbered(&needle.dossier(), number);
    }
    made
});

/// How many have operator's actions among their entries.
pub(super) fn with_actions() -> u64 {
    let all = haystack().iter();
    let count = all.filter(|one| !is_plain(one)).count();
    assert!(count > 1_000 && count < 5_000, "{count}");
    u64::try_from(count).unwrap()
}

fn histories() -> Vec<Dossier> {
    let mut runner = TestRunner::deterministic();
    let scripts = scripts();
    let script = |_| scripts.new_tree(&mut runner).unwrap().current();
    let numbered = (0..PLAYED).map(script).enumerate();
    numbered
        .map(|(number, script)| played_out(number, script))
        .collect()
}

/// Every other one has bids alone, every fifth is open until 2099, every seventh has no bids.
pub(in crate::ledger) fn played_out(number: usize, mut script: Script) -> Dossier {
    script.steps.truncate(STEPS_MAX);
    if number.is_multiple_of(2) {
        script.steps.retain(|step| !is_action(*step));
    }
    if number.is_multiple_of(5) {
        script.terms = lasting(script.terms);
        script
            .steps
            .retain(|step| !matches!(step, Step::Clock { .. }));
    }
    if number.is_multiple_of(7) {
        script
            .steps
            .retain(|step| !matches!(step, Step::Bid { .. }));
    }
    let mut dossier = settled(&script);
    if number.is_multiple_of(3) {
        dossier.watchers = vec![make::party("eve"), make::party("watcher")];
    }
    dossier
}

/// Nothing but bids after the create entry, and no closer's claim: what the quick look can pass.
pub(in crate::ledger) fn is_plain(dossier: &Dossier) -> bool {
    let row = dossier.row.as_ref().unwrap();
    let mut later = dossier.entries.iter().skip(1);
    row.status != Status::Closing && later.all(|entry| entry.kind == Kind::Bid)
}

fn is_action(step: Step) -> bool {
    matches!(step, Step::Void { .. } | Step::Amend(_) | Step::Cancel)
}

fn lasting(mut terms: Terms) -> Terms {
    terms.end = "2099-12-06T03:00:00Z".parse().unwrap();
    if let Some(soft) = &mut terms.soft_close {
        soft.cap = None;
    }
    terms
}

/// Played, and closed if it has ended by [`now`].
fn settled(script: &Script) -> Dossier {
    let (mut model, id) = played(script);
    let end = model.get(id).unwrap().book.state.end;
    if end < now() {
        model.now = end.max(model.now);
        model.close(id);
    }
    dossier_of(model.get(id).unwrap())
}

/// The bids of [`story::running`] at their places, others in the place of the actions.
fn plain() -> Dossier {
    let mut terms = make::terms();
    terms.reserve = Some(make::usd("100"));
    terms.soft_close = Some(make::soft_close());
    let mut lot = Lot::open(terms);
    let early = [
        ("ann", "50"),
        ("ben", "30"),
        ("cyd", "50"),
        ("ben", "120"),
        ("ann", "125"),
        ("dot", "140"),
        ("ann", "150"),
    ];
    for (minute, (bidder, maximum)) in (1..).zip(early) {
        lot.set_clock(START + minute * MINUTE);
        lot.accept(bidder, maximum);
    }
    lot.set_clock(END - MINUTE);
    assert!(lot.accept("ben", "200").extended);
    lot.accept("ben", "210");
    lot.set_clock(END + 60 * MINUTE);
    lot.close();
    story::dossier(&lot)
}

fn open() -> Dossier {
    let mut lot = Lot::open(lasting(make::terms()));
    for (bidder, maximum) in [("ann", "50"), ("ben", "30"), ("cyd", "50"), ("ben", "120")] {
        lot.accept(bidder, maximum);
    }
    story::dossier(&lot)
}

fn unsold(bid: Option<&str>) -> Dossier {
    let mut terms = make::terms();
    terms.reserve = Some(make::usd("500"));
    let mut lot = Lot::open(terms);
    if let Some(bid) = bid {
        lot.accept("ann", bid);
    }
    lot.set_clock(END);
    lot.close();
    story::dossier(&lot)
}

/// There is hay of every kind.
#[test]
fn the_haystack_is_mixed() {
    let all = haystack();
    let holding = |what: &dyn Fn(&Dossier) -> bool| all.iter().filter(|one| what(one)).count();
    for status in [
        Status::Open,
        Status::Closed,
        Status::ClosedReserveNotMet,
        Status::Cancelled,
    ] {
        let found = holding(&|one| one.row.as_ref().unwrap().status == status);
        assert!(found > 50, "{found} {status:?}");
    }
    for kind in Kind::ALL {
        let found = holding(&|one| one.entries.iter().any(|entry| entry.kind == kind));
        assert!(found > 50, "{found} with {kind:?}");
    }
    let extended = holding(&|one| one.entries.iter().any(|entry| entry.extended));
    let reserved = holding(&|one| one.row.as_ref().unwrap().terms.reserve.is_some());
    let without = holding(&|one| one.row.as_ref().unwrap().bid_count == 0);
    let watched = holding(&|one| !one.watchers.is_empty());
    for found in [extended, reserved, without, watched] {
        assert!(found > 200, "{found}");
    }
    let entries: usize = all.iter().map(|one| one.entries.len()).sum();
    assert!(entries > 40_000, "{entries} entries");
}
