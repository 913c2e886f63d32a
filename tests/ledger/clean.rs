//! Honest histories give no finding, however wild; the second computation of the price agrees.

use gavel::auction::{AuctionId, Book};
use gavel::ledger::{audit, cross_check, cross_check_differs};
use gavel::store::Dossier;
use proptest::test_runner::TestRunner;

use super::story::{cancelled, closed, dossier, hide, later, moment, running};
use crate::support::commands::{Command, Player, Script, cases, scripts};
use crate::support::make::{self, END, MINUTE};
use crate::support::model::{Kept, Model};

#[test]
fn a_legal_history_has_no_finding() {
    for dossier in [closed(), cancelled()] {
        assert_eq!(audit(&dossier, &later()), []);
        assert_eq!(audit(&hide(dossier), &later()), []);
    }
    let open = dossier(&running());
    let now = moment(make::at(END + 10 * MINUTE));
    assert_eq!(audit(&open, &now), []);
    assert_eq!(audit(&hide(open), &now), []);
}

#[test]
fn random_histories_have_no_finding() {
    TestRunner::new(cases(3_000))
        .run(&scripts(), |script| {
            let dossier = play(&script);
            let due_is_fine = make::at(1);
            assert_eq!(audit(&dossier, &moment(due_is_fine)), []);
            assert_eq!(audit(&hide(dossier), &moment(due_is_fine)), []);
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_second_computation_agrees_after_every_entry() {
    TestRunner::new(cases(3_000))
        .run(&scripts(), |script| {
            let dossier = play(&script);
            let mut book = Book::open(&dossier.entries[0]).unwrap();
            for entry in &dossier.entries[1..] {
                book.fold(entry).unwrap();
                let second = cross_check(&book.terms, book.bids());
                assert_eq!(second.as_ref().map(|s| s.leader), book.state.leader_id());
                assert_eq!(second.map(|s| s.price), book.state.price());
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_wrong_fold_would_be_seen() {
    let lot = running();
    let book = &lot.kept().book;
    let standing = &book.state.standing;
    assert!(!cross_check_differs(&book.terms, book.bids(), standing));
    let mut dearer = standing.clone();
    dearer.price = Some(make::usd("123"));
    assert!(cross_check_differs(&book.terms, book.bids(), &dearer));
    let mut other = standing.clone();
    other.leader.as_mut().unwrap().bidder = make::party("ben");
    assert!(cross_check_differs(&book.terms, book.bids(), &other));
    assert!(cross_check_differs(&book.terms, &[], standing));
}

pub(crate) fn play(script: &Script) -> Dossier {
    let (model, id) = played(script);
    dossier_of(model.get(id).unwrap())
}

/// The model after the last step.
pub(crate) fn played(script: &Script) -> (Model, AuctionId) {
    let id = AuctionId::new(7731).unwrap();
    let mut model = Model::new(script.terms.start);
    let mut player = Player::new(id);
    let create = player.create(script.terms.clone());
    run(&mut model, id, create);
    for step in &script.steps {
        let command = player.resolve(*step, &model);
        run(&mut model, id, command);
    }
    (model, id)
}

pub(crate) fn dossier_of(kept: &Kept) -> Dossier {
    Dossier {
        auction_id: kept.book.auction_id.get(),
        row: Some(kept.row()),
        entries: kept.ledger.clone(),
        events: kept.events.clone(),
        watchers: Vec::new(),
        damage: Vec::new(),
        secrets_visible: true,
    }
}

fn run(model: &mut Model, id: AuctionId, command: Command) {
    match command {
        Command::Clock(now) => model.now = now,
        Command::Create(create) => drop(model.create(&create)),
        Command::Bid(bid) => drop(model.bid(&bid)),
        Command::Act(action) => drop(model.act(id, &action)),
        Command::Close => drop(model.close(id)),
    }
}
