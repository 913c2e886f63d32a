//! What must hold in every history, tried on thousands of random ones.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gavel::auction::entry::ZERO;
use gavel::auction::{Amount, AuctionId, Bid, Book, Entry, Kind, Refusal};
use gavel::store::{CloseReply, Reply};
use proptest::test_runner::TestRunner;

use crate::support::commands::{Command, Player, Script, cases, scripts};
use crate::support::crosscheck::verdict;
use crate::support::make;
use crate::support::model::{Kept, Model};

/// How often each kind of outcome came up, so that a generator that stops reaching one is seen.
type Tally = BTreeMap<String, u64>;

#[test]
fn every_history_keeps_the_promises() {
    let tally = RefCell::new(Tally::new());
    let config = cases(10_000);
    let enough = config.cases >= 1_000;
    TestRunner::new(config)
        .run(&scripts(), |script| {
            play(&script, &mut tally.borrow_mut());
            Ok(())
        })
        .unwrap();
    if enough {
        assert_reached(&tally.into_inner());
    }
}

fn assert_reached(tally: &Tally) {
    for outcome in [
        "bid done",
        "bid extended",
        "bid by leader",
        "bid tied",
        "bid lifted to the reserve",
        "void done",
        "amend done",
        "cancel done",
        "bid repeated",
        "bid repeated, voided",
        "create repeated",
        "act repeated",
        "closed sold",
        "closed no-bids",
        "closed reserve-not-met",
        "already closed",
        "not due",
        "auction-exists",
        "request-id-reused",
        "wrong-currency",
        "cancelled",
        "not-started",
        "ended",
        "seller-cannot-bid",
        "too-high",
        "below-start",
        "too-low",
        "not-above-own-maximum",
        "no-such-bid",
        "already-voided",
        "not-latest",
        "terms-frozen",
        "invalid-end",
        "no-change",
    ] {
        let times = tally.get(outcome).copied().unwrap_or(0);
        assert!(times >= 3, "{outcome} came up {times} times: {tally:#?}");
    }
}

fn play(script: &Script, tally: &mut Tally) {
    let auction_id = make::id(7731);
    let mut model = Model::new(make::at(make::START));
    let mut player = Player::new(auction_id);
    let create = player.create(script.terms.clone());
    apply(&mut model, auction_id, &create, tally);
    for step in &script.steps {
        let command = player.resolve(*step, &model);
        let before = model.clone();
        apply(&mut model, auction_id, &command, tally);
        check(
            before.get(auction_id).unwrap(),
            model.get(auction_id).unwrap(),
        );
    }
    check_whole(model.get(auction_id).unwrap());
}

/// Applies a command and checks what its reply says against what it did.
fn apply(model: &mut Model, auction_id: AuctionId, command: &Command, tally: &mut Tally) {
    let before = model.clone();
    let mut count = |outcome: &str| *tally.entry(outcome.to_owned()).or_default() += 1;
    let changed = match command {
        Command::Clock(now) => {
            model.now = *now;
            return;
        }
        Command::Create(create) => settle(&model.create(create), "create", &mut count),
        Command::Act(action) => {
            let reply = model.act(auction_id, action);
            if let Reply::Done(entry) = &reply {
                count(&format!("{} done", entry.kind.as_str()));
            }
            settle(&reply, "act", &mut count)
        }
        Command::Bid(bid) => {
            let reply = model.bid(bid);
            match &reply {
                Reply::Done(answer) => tally_bid(&before, bid, answer.extended, &mut count),
                Reply::Repeated(answer) if answer.voided => count("bid repeated, voided"),
                Reply::Refused { refusal, .. } => {
                    the_minimum_told_is_taken(&before, bid, refusal);
                }
                Reply::Repeated(_) => {}
            }
            settle(&reply, "bid", &mut count)
        }
        Command::Close => match model.close(auction_id) {
            CloseReply::Closed(closed) => {
                count(&format!("closed {}", closed.event.result.unwrap().as_str()));
                true
            }
            CloseReply::AlreadyClosed(_) => {
                count("already closed");
                false
            }
            _ => {
                count("not due");
                false
            }
        },
    };
    assert_eq!(changed, *model != before, "only what is done changes state");
}

fn settle<T>(reply: &Reply<T>, what: &str, count: &mut impl FnMut(&str)) -> bool {
    match reply {
        Reply::Done(_) => true,
        Reply::Repeated(_) => {
            count(&format!("{what} repeated"));
            false
        }
        Reply::Refused { refusal, .. } => {
            count(refusal.code());
            false
        }
    }
}

fn tally_bid(before: &Model, bid: &Bid, extended: bool, count: &mut impl FnMut(&str)) {
    count("bid done");
    if extended {
        count("bid extended");
    }
    let kept = before.get(bid.auction_id).unwrap();
    if let Some(leader) = &kept.book.state.standing.leader {
        if leader.bidder == bid.bidder {
            count("bid by leader");
        } else if leader.maximum.minor() == bid.maximum {
            count("bid tied");
        }
    }
    if kept.book.terms.reserve.map(Amount::minor) == Some(bid.maximum) {
        count("bid lifted to the reserve");
    }
}

/// A refusal that tells a minimum tells the lowest bid that would have been taken.
fn the_minimum_told_is_taken(before: &Model, bid: &Bid, refusal: &Refusal) {
    let Some(minimum) = refusal.minimum().filter(|minimum| *minimum <= Amount::MAX) else {
        return;
    };
    let book = &before.get(bid.auction_id).unwrap().book;
    let retry = |maximum| Bid {
        maximum,
        ..bid.clone()
    };
    assert!(book.decide_bid(&retry(minimum), before.now).is_ok());
    assert_eq!(
        book.decide_bid(&retry(minimum - 1), before.now),
        Err(refusal.clone())
    );
}

/// One step: what an appended entry may and may not do.
fn check(before: &Kept, after: &Kept) {
    let (old, new) = (&before.book.state, &after.book.state);
    if let [entry] = &after.ledger[before.ledger.len()..] {
        assert_eq!(entry.seq, old.last_seq + 1);
        assert!(entry.at >= old.last_at && entry.at < old.end);
        assert_eq!(entry.hash, entry.hash_after(&old.head));
        records_the_outcome(entry, after);
        match entry.kind {
            Kind::Create => unreachable!("an auction is created once"),
            Kind::Bid => {
                assert!(entry.at >= before.book.terms.start);
                assert!(new.price() >= old.price(), "a bid never lowers the price");
                assert!(new.end >= old.end);
                assert_eq!(entry.extended, new.end > old.end);
            }
            Kind::Void => {
                let lowered = new.price() <= old.price();
                assert!(lowered, "a void never raises the price: {entry:?}");
                assert_eq!(new.end, old.end);
            }
            Kind::Amend | Kind::Cancel => assert_eq!(new.standing, old.standing),
        }
    } else {
        assert_eq!(after.ledger, before.ledger);
    }
    agrees_with_the_cross_check(after);
}

fn records_the_outcome(entry: &Entry, after: &Kept) {
    let state = &after.book.state;
    assert_eq!(entry.price, state.price());
    assert_eq!(entry.leader.as_ref(), state.leader_id());
    assert_eq!(entry.end, state.end);
    let met = state.standing.reserve_met(&after.book.terms);
    assert_eq!(entry.reserve_met, met);
}

fn agrees_with_the_cross_check(kept: &Kept) {
    let Book { terms, state, .. } = &kept.book;
    let found = verdict(terms, kept.book.bids());
    match &found {
        None => {
            assert_eq!((state.leader_id(), state.price()), (None, None));
            assert_eq!(state.bid_count, 0);
        }
        Some(verdict) => {
            let leader = state.leader_id().unwrap();
            assert_eq!(leader.as_str(), verdict.leader);
            assert_eq!(state.price().unwrap().minor(), verdict.price, "{found:?}");
            let met = state.standing.reserve_met(terms);
            assert_eq!(met, verdict.reserve_met);
        }
    }
}

/// The whole history: gapless, chained, and folding to the same book from scratch.
fn check_whole(kept: &Kept) {
    let mut prev = ZERO;
    for (seq, entry) in (1..).zip(&kept.ledger) {
        assert_eq!(entry.seq, seq);
        assert_eq!(entry.hash, entry.hash_after(&prev));
        let secret = entry.secret.map_or(ZERO, |secret| secret.commit());
        assert_eq!(entry.commit, secret);
        prev = entry.hash;
    }
    let mut book = Book::open(&kept.ledger[0]).unwrap();
    for entry in &kept.ledger[1..] {
        book.fold(entry).unwrap();
    }
    // Closing is not in the ledger.
    book.state.status = kept.book.state.status;
    assert_eq!(book, kept.book);
}
