//! What one bidder is told of an auction: the own bids and why they lost, and nothing that the
//! bidder may not know.

use std::cell::RefCell;
use std::process::Output;

use gavel::ledger::bundle::BundleWriter;
use gavel::ledger::{AsOf, AsOfError, Fate, OwnRule, audit, cut, explain, own_story};
use gavel::store::Dossier;
use proptest::test_runner::TestRunner;

use super::bundle::options;
use super::clean::play;
use super::story::{closed, hide, later, moment};
use super::twin::twin;
use crate::support::cli::Desk;
use crate::support::commands::{cases, scripts};
use crate::support::make::{self, MINUTE, START, party};

#[test]
fn each_own_bid_is_told_with_why_it_lost() {
    let story = own_story(&closed(), &party("ben")).unwrap();
    let told: Vec<_> = story
        .own
        .iter()
        .map(|(seq, bid)| (*seq, bid.rule, bid.fate, bid.opens))
        .collect();
    assert_eq!(
        told,
        [
            (3, OwnRule::OwnPlusStep, Fate::OutbidAtOnce, Some(true)),
            // Led, was outbid by dot, led again when dot's bid was voided, lost to ann.
            (5, OwnRule::SecondPlusStep, Fate::Outbid(9), Some(true)),
        ]
    );
    let ann = own_story(&closed(), &party("ann")).unwrap();
    let fates: Vec<_> = ann.own.values().map(|bid| bid.fate).collect();
    assert_eq!(fates, [Fate::Outbid(5), Fate::Raised(10), Fate::Wins]);
    let cyd = own_story(&closed(), &party("cyd")).unwrap();
    assert_eq!(cyd.own[&4].rule, OwnRule::Tie);
    let dot = own_story(&closed(), &party("dot")).unwrap();
    assert_eq!(dot.own[&7].fate, Fate::Voided(8));
    assert!(own_story(&closed(), &party("eve")).unwrap().own.is_empty());
}

#[test]
fn a_maximum_that_was_changed_does_not_open() {
    let dossier = closed();
    let told = |spoil: &dyn Fn(&mut gavel::auction::Entry)| {
        let mut spoilt = dossier.clone();
        spoil(&mut spoilt.entries[2]);
        let story = own_story(&spoilt, &party("ben")).unwrap();
        (story.own[&3].opens, story.own[&5].opens)
    };
    let other = make::usd("31");
    // The commitment of a folder stays; that of a database is computed, and the hash tells.
    let changed = told(&|entry| entry.secret.as_mut().unwrap().amount = other);
    assert_eq!(changed, (Some(false), Some(true)));
    let computed = told(&|entry| {
        entry.secret.as_mut().unwrap().amount = other;
        entry.commit = entry.secret.unwrap().commit();
    });
    assert_eq!(computed, (Some(false), Some(true)));
    let hidden = own_story(&hide(dossier.clone()), &party("ben")).unwrap();
    assert_eq!(hidden.own[&3].opens, None);
    assert_eq!(hidden.own[&3].fate, Fate::OutbidAtOnce);
}

#[test]
fn a_story_is_told_up_to_an_entry_or_a_time() {
    let now = later().now;
    let at = |minute: i64| AsOf::At(make::at(START + minute * MINUTE));
    for up_to in [AsOf::Seq(3), at(2)] {
        let then = cut(closed(), up_to, now).unwrap();
        assert_eq!(then.entries.len(), 3);
        let told = explain(&then).unwrap();
        assert!(told.result.starts_with("not closed yet"), "{}", told.result);
        assert_eq!(told.entries[1].fate, Some("leads"));
    }
    let whole = cut(closed(), AsOf::At(now), now).unwrap();
    assert_eq!(whole, closed());
    let refused = |up_to, now| cut(closed(), up_to, now).unwrap_err().code();
    assert_eq!(refused(AsOf::Seq(11), now), Some("no-such-entry"));
    assert_eq!(refused(AsOf::Seq(0), now), Some("no-such-entry"));
    assert_eq!(refused(at(-1), now), Some("not-yet-created"));
    assert_eq!(refused(at(2), make::at(START)), Some("ahead"));
    let mut empty = closed();
    empty.entries.clear();
    let unfoldable = cut(empty, at(2), now);
    assert!(matches!(unfoldable, Err(AsOfError::Unfoldable(_))));
}

#[test]
fn no_bidder_can_tell_a_history_from_its_twin() {
    let moved = RefCell::new(0);
    let config = cases(2_000);
    let enough = config.cases >= 1_000;
    TestRunner::new(config)
        .run(&scripts(), |script| {
            let dossier = play(&script);
            for bidder in ["ann", "ben", "nobody"].map(party) {
                let (twin, amounts) = twin(&dossier, &bidder);
                *moved.borrow_mut() += amounts;
                assert_eq!(
                    audit(&twin, &moment(make::at(1))),
                    [],
                    "a twin is a history"
                );
                let [mine, other] = [&dossier, &twin].map(|dossier| own_story(dossier, &bidder));
                assert_eq!(mine, other);
            }
            Ok(())
        })
        .unwrap();
    let moved = moved.into_inner();
    assert!(
        !enough || moved > 2_000,
        "only {moved} amounts could differ"
    );
}

#[test]
fn no_format_tells_a_history_from_its_twin() {
    let desk = Desk::bare();
    let moved = RefCell::new(0);
    let run = RefCell::new(0);
    let config = cases(12);
    TestRunner::new(config)
        .run(&scripts(), |script| {
            let dossier = play(&script);
            let bidder = party("ann");
            let (twin, amounts) = twin(&dossier, &bidder);
            *moved.borrow_mut() += amounts;
            *run.borrow_mut() += 1;
            let number = *run.borrow();
            for format in ["table", "json", "csv"] {
                let [mine, other] = [("a", &dossier), ("b", &twin)].map(|(name, dossier)| {
                    let folder = format!("{name}{number}");
                    told(&desk, &folder, dossier, format)
                });
                assert_eq!(mine.status.code(), Some(0), "{mine:?}");
                assert_eq!(mine, other);
            }
            Ok(())
        })
        .unwrap();
    assert!(moved.into_inner() > 5);
}

fn told(desk: &Desk, folder: &str, dossier: &Dossier, format: &str) -> Output {
    let path = desk.path(folder);
    if !path.exists() {
        let mut writer = BundleWriter::create(&path, options(false)).unwrap();
        writer.append(dossier).unwrap();
        writer.finish().unwrap();
    }
    let line = ["replay", "--explain", "7731", "--for", "ann", "--from"];
    let mut args = line.to_vec();
    args.extend([folder, "--format", format]);
    desk.command(&args).output().unwrap()
}
