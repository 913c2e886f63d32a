//! One auction with everything in it, as a dossier that tests then spoil.

use gavel::auction::operator::Deed;
use gavel::auction::{Amendment, Entry, Micros, VoidScope};
use gavel::ledger::{Check, Finding, Moment, audit};
use gavel::store::Dossier;

use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, SECOND, START};

/// Long after everything has ended.
pub(crate) fn later() -> Moment {
    moment(make::at(END + 600 * MINUTE))
}

pub(crate) fn moment(now: Micros) -> Moment {
    Moment {
        now,
        due_grace: None,
        claim_timeout: Some(make::span(MINUTE)),
        ledger_only: false,
    }
}

pub(crate) fn dossier(lot: &Lot) -> Dossier {
    let kept = lot.kept();
    Dossier {
        auction_id: lot.id.get(),
        row: Some(kept.row()),
        entries: kept.ledger.clone(),
        events: kept.events.clone(),
        watchers: vec![make::party("watcher")],
        damage: Vec::new(),
        secrets_visible: true,
    }
}

/// Ten entries: a tie, a reserve reached, a moved end, a void, an extension, an own raise. Not
/// ended yet.
pub(crate) fn running() -> Lot {
    let mut terms = make::terms();
    terms.reserve = Some(make::usd("100"));
    terms.soft_close = Some(make::soft_close());
    let mut lot = Lot::open(terms);
    let mut minute = 0;
    let mut next = |lot: &mut Lot| {
        minute += 1;
        lot.set_clock(START + minute * MINUTE);
    };
    next(&mut lot);
    lot.accept("ann", "50");
    next(&mut lot);
    lot.accept("ben", "30");
    next(&mut lot);
    lot.accept("cyd", "50");
    next(&mut lot);
    lot.accept("ben", "120");
    next(&mut lot);
    lot.done(make::amend(Amendment {
        end: Some(make::at(END + 10 * MINUTE)),
        ..Amendment::default()
    }));
    next(&mut lot);
    lot.accept("dot", "200");
    next(&mut lot);
    lot.done(make::void("dot", VoidScope::All));
    lot.set_clock(END + 9 * MINUTE);
    lot.accept("ann", "150");
    lot.set_clock(END + 9 * MINUTE + SECOND);
    lot.accept("ann", "180");
    assert_eq!(lot.standing(), "ann 122.50");
    assert_eq!(lot.kept().ledger.len(), 10);
    lot
}

/// The same, ended and closed.
pub(crate) fn closed() -> Dossier {
    let mut lot = running();
    lot.set_clock(END + 60 * MINUTE);
    lot.close();
    dossier(&lot)
}

/// A third bid that somebody wrote past the rules, hash and all, followed by an honest one; the
/// row is as the entries give it.
pub(crate) fn forged(spoil: impl FnOnce(&mut Entry)) -> Dossier {
    let mut lot = Lot::open(make::terms());
    lot.set_clock(START + MINUTE);
    lot.accept("ann", "50");
    lot.set_clock(START + 2 * MINUTE);
    lot.accept("ben", "20");
    let kept = lot.model.auctions.get_mut(&lot.id).unwrap();
    let mut entry = kept.ledger.pop().unwrap();
    spoil(&mut entry);
    rehash(&mut entry, &kept.ledger[1]);
    kept.book = gavel::auction::Book::open(&kept.ledger[0]).unwrap();
    kept.book.fold(&kept.ledger[1]).unwrap();
    if entry.kind != gavel::auction::Kind::Create {
        kept.book.fold(&entry).unwrap();
    }
    kept.ledger.push(entry);
    let mut dossier = dossier(&lot);
    let last = dossier.entries.last().unwrap().clone();
    let row = dossier.row.as_mut().unwrap();
    row.head = last.hash;
    row.last_seq = last.seq;
    row.last_at = last.at;
    dossier
}

pub(crate) fn rehash(entry: &mut Entry, before: &Entry) {
    entry.hash = entry.hash_after(&before.hash);
}

pub(crate) fn cancelled() -> Dossier {
    let mut lot = running();
    lot.done(Deed::Cancel);
    dossier(&lot)
}

/// As a public export has it.
pub(crate) fn hide(mut dossier: Dossier) -> Dossier {
    dossier.secrets_visible = false;
    dossier.watchers.clear();
    for entry in &mut dossier.entries {
        entry.secret = None;
    }
    if let Some(row) = &mut dossier.row {
        row.terms.reserve = None;
        row.leader_max = None;
        row.runner_up_max = None;
    }
    dossier
}

/// Exactly one finding, of this check, at this seq.
pub(crate) fn assert_one(
    name: &str,
    dossier: &Dossier,
    moment: &Moment,
    want: (Check, Option<i64>),
) {
    let findings = audit(dossier, moment);
    let got: Vec<_> = findings
        .iter()
        .map(|finding| (finding.check, finding.seq))
        .collect();
    assert_eq!(got, [want], "{name}: {findings:#?}");
    assert!(
        findings
            .iter()
            .all(|finding| finding.auction_id == Some(dossier.auction_id))
    );
    assert_tells_no_secret(name, &findings);
}

/// The maxima and the reserve of [`running`] that are no price at any time.
pub(crate) fn assert_tells_no_secret(name: &str, findings: &[Finding]) {
    let text = format!("{findings:?}");
    for secret in ["180.00", "150.00", "200.00", "18000", "15000", "20000"] {
        assert!(!text.contains(secret), "{name} tells {secret}: {text}");
    }
}
