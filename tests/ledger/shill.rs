//! The shill report: who meets too often and never wins stands first, whatever the order of the
//! auctions, and a public export says the same.

use gavel::auction::VoidScope;
use gavel::ledger::{Pattern, ShillOptions, ShillReport, ShillTally};
use gavel::store::Dossier;

use super::story::{closed, dossier, hide, running};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, START, party};

const OPTIONS: ShillOptions = ShillOptions {
    min_auctions: 3,
    top: 20,
    seller: None,
};

/// A lot of a seller; each bid a minute after the one before.
fn lot(seller: &str, bids: &[(&str, &str)]) -> Lot {
    let mut terms = make::terms();
    terms.seller = party(seller);
    let mut lot = Lot::open(terms);
    for (minute, (bidder, maximum)) in (1..).zip(bids) {
        lot.set_clock(START + minute * MINUTE);
        lot.accept(bidder, maximum);
    }
    lot
}

fn sold(mut lot: Lot) -> Dossier {
    lot.set_clock(END);
    lot.close();
    dossier(&lot)
}

/// Five auctions of sly's, each pushed by sam; ten of others, where sam never is.
fn market() -> Vec<Dossier> {
    let mut all = Vec::new();
    for buyer in ["b1", "b2", "b3", "b4", "b5"] {
        let bids = [
            ("sam", "10"),
            (buyer, "60"),
            ("sam", "20"),
            ("sam", "30"),
            ("sam", "40"),
        ];
        all.push(sold(lot("sly", &bids)));
    }
    for seller in ["h1", "h2"] {
        for (one, two) in [
            ("b1", "b2"),
            ("b3", "b4"),
            ("b5", "b1"),
            ("b2", "b3"),
            ("b4", "b5"),
        ] {
            all.push(sold(lot(seller, &[(one, "20"), (two, "25"), (one, "30")])));
        }
    }
    all
}

fn report(dossiers: &[Dossier], options: &ShillOptions) -> ShillReport {
    let mut tally = ShillTally::default();
    for dossier in dossiers {
        tally.add(dossier);
    }
    tally.into_report(options)
}

fn named(pattern: &Pattern) -> (Option<&str>, &str) {
    let seller = pattern.seller.as_ref().map(|seller| seller.as_str());
    (seller, pattern.bidder.as_str())
}

#[test]
fn who_meets_a_seller_too_often_and_never_wins_stands_first() {
    let found = report(&market(), &OPTIONS);
    assert_eq!((found.auctions, found.left_out, found.sellers), (15, 0, 3));
    let first = &found.pairs[0];
    assert_eq!(named(first), (Some("sly"), "sam"));
    assert_eq!((first.auctions, first.of_auctions), (5, 5));
    assert_eq!((first.share(), first.expected_share()), (1_000, 333));
    assert_eq!((first.sums.bids, first.sums.wins), (20, 0));
    assert_eq!(first.runner_up, Some(5));
    let [alpha, beta, gamma, _, _, zeta] = first.ratings;
    assert_eq!(
        (alpha, beta, gamma, zeta),
        (Some(1_000), Some(800), Some(1_000), Some(1_000))
    );
    let bidder = &found.of_bidders[0];
    assert_eq!(named(bidder), (None, "sam"));
    assert_eq!(bidder.ratings[0], None);
    // Nobody else meets one seller three times.
    assert_eq!(found.pairs.len(), 1, "{:#?}", found.pairs);
    let others = found.of_bidders.iter().skip(1);
    assert!(others.clone().count() == 5 && others.clone().all(|other| other.sums.wins > 0));
}

#[test]
fn thresholds_and_a_seller_narrow_it() {
    let market = market();
    let few = report(
        &market,
        &ShillOptions {
            min_auctions: 6,
            ..OPTIONS
        },
    );
    assert_eq!(few.pairs, []);
    let top = report(&market, &ShillOptions { top: 2, ..OPTIONS });
    assert_eq!(top.of_bidders.len(), 2);
    let seller = Some(party("h1"));
    let of_seller = report(
        &market,
        &ShillOptions {
            min_auctions: 1,
            seller,
            ..OPTIONS
        },
    );
    assert_eq!(of_seller.pairs.len(), 5);
    assert!(
        of_seller
            .pairs
            .iter()
            .all(|pair| named(pair).0 == Some("h1"))
    );
}

#[test]
fn the_order_and_the_secrets_do_not_matter() {
    let mut market = market();
    let found = report(&market, &OPTIONS);
    market.reverse();
    assert_eq!(report(&market, &OPTIONS), found);
    let public: Vec<Dossier> = market.into_iter().map(hide).collect();
    let hidden = report(&public, &OPTIONS);
    assert!(!hidden.secrets_visible);
    let scores = |report: &ShillReport| {
        let all = report.pairs.iter().chain(&report.of_bidders);
        all.map(|p| (p.bidder.clone(), p.score)).collect::<Vec<_>>()
    };
    assert_eq!(scores(&hidden), scores(&found));
    assert!(
        hidden
            .of_bidders
            .iter()
            .all(|pattern| pattern.runner_up.is_none())
    );
}

#[test]
fn retractions_raises_and_late_bids_are_counted() {
    let mut pushed = lot("sly", &[("b1", "60"), ("sam", "50"), ("b1", "70")]);
    pushed.done(make::void("sam", VoidScope::All));
    pushed.set_clock(END - MINUTE);
    pushed.accept("b2", "30");
    let one = ShillOptions {
        min_auctions: 1,
        ..OPTIONS
    };
    let found = report(&[sold(pushed)], &one);
    let of = |name: &str| {
        let mut all = found.of_bidders.iter();
        all.find(|pattern| pattern.bidder.as_str() == name).unwrap()
    };
    assert_eq!(
        (of("sam").sums.voided, of("sam").sums.voided_pushed),
        (1, 1)
    );
    assert_eq!((of("b1").sums.own_raises, of("b1").sums.wins), (1, 1));
    assert_eq!((of("b2").sums.late, of("sam").sums.late), (1, 0));
    assert_eq!(
        (of("sam").runner_up, of("b2").runner_up),
        (Some(0), Some(1))
    );
}

#[test]
fn what_is_not_closed_or_has_no_bid_is_left_out() {
    let nobody = sold(lot("sly", &[]));
    let found = report(&[closed(), dossier(&running()), nobody], &OPTIONS);
    assert_eq!((found.auctions, found.left_out), (1, 2));
    assert_eq!(report(&[], &OPTIONS).of_bidders, []);
}
