//! Reading by pages: auctions by filter, one ledger, one bidder's own bids.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{CloseResult, Status, Terms, VoidScope};
use gavel::store::{AuctionFilter, AuctionOrder, AuctionRow, Contract, Cursor, DueFirst};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, accepted, clock, closed, done, ledger, opened, row};
use crate::support::make::{END, MINUTE, START, at, id, party, terms, usd, void};

on_every_backend!(
    the_currency_is_read_alone,
    several_are_read_at_once,
    lists_are_ordered_by_end_then_id_or_by_id,
    pages_follow_one_another_without_gap_or_overlap,
    statuses_filter_and_results_are_disjoint,
    due_is_open_past_its_end_and_nobodys,
    ends_sellers_and_watchers_filter,
    conditions_hold_together,
    a_ledger_is_read_by_pages,
    a_bidder_sees_the_own_bids_only,
    own_bids_come_by_pages,
    own_lists_have_what_is_due_soon_first,
);

/// The ids in a list; both orders must list the same.
async fn listed<B: Backend>(backend: &B, filter: &AuctionFilter) -> Vec<i64> {
    let store = backend.store();
    let by_id = store.auction_list(filter, AuctionOrder::Id, None, 1_000);
    let by_id = numbers(&by_id.await.unwrap());
    let by_end = store.auction_list(filter, AuctionOrder::End, None, 1_000);
    let mut by_end = numbers(&by_end.await.unwrap());
    by_end.sort_unstable();
    assert_eq!(by_end, by_id, "{filter:?}");
    by_id
}

fn numbers(rows: &[AuctionRow]) -> Vec<i64> {
    rows.iter().map(|row| row.auction_id.get()).collect()
}

fn cursor(row: &AuctionRow) -> Cursor {
    Cursor {
        end: row.end,
        auction_id: row.auction_id,
    }
}

fn ending(us: i64) -> Terms {
    Terms {
        end: at(us),
        ..terms()
    }
}

async fn lists_are_ordered_by_end_then_id_or_by_id<B: Backend>(backend: Arc<B>) {
    for (number, end) in [
        (1, END + 9),
        (2, END),
        (3, END + 5),
        (4, END),
        (10, END + 5),
    ] {
        opened(&*backend, number, ending(end)).await;
    }
    let all = AuctionFilter::default();
    let store = backend.store();
    let by_end = store.auction_list(&all, AuctionOrder::End, None, 100).await;
    let by_end = by_end.unwrap();
    assert_eq!(numbers(&by_end), [2, 4, 3, 10, 1]);
    assert_eq!(by_end[0], row(&*backend, 2).await);
    assert_eq!(listed(&*backend, &all).await, [1, 2, 3, 4, 10]);
}

async fn pages_follow_one_another_without_gap_or_overlap<B: Backend>(backend: Arc<B>) {
    for number in 1..=23 {
        opened(&*backend, number, ending(END + number % 4)).await;
    }
    let all = AuctionFilter::default();
    let store = backend.store();
    for order in [AuctionOrder::End, AuctionOrder::Id] {
        let whole = store.auction_list(&all, order, None, 1_000).await.unwrap();
        assert_eq!(whole.len(), 23);
        for limit in [1, 4, 23] {
            let mut read: Vec<AuctionRow> = Vec::new();
            loop {
                let after = read.last().map(cursor);
                let page = store.auction_list(&all, order, after, limit).await.unwrap();
                if page.is_empty() {
                    break;
                }
                read.extend(page);
            }
            assert_eq!(read, whole, "{order:?} by {limit}");
        }
    }
}

async fn statuses_filter_and_results_are_disjoint<B: Backend>(backend: Arc<B>) {
    let reserve = Terms {
        reserve: Some(usd("700")),
        ..terms()
    };
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    opened(&*backend, 3, reserve).await;
    opened(&*backend, 4, terms()).await;
    opened(&*backend, 5, ending(END + MINUTE)).await;
    accepted(&*backend, 2, 2, "ann", 5_000).await;
    accepted(&*backend, 3, 2, "ann", 5_000).await;
    done(&*backend, 4, 2, Deed::Cancel).await;
    clock(&*backend, END).await;
    for number in 1..=3 {
        closed(&*backend, number).await;
    }
    let with = |statuses: &[Status]| AuctionFilter {
        statuses: statuses.to_vec(),
        ..AuctionFilter::default()
    };
    let result = |result| AuctionFilter {
        result: Some(result),
        ..AuctionFilter::default()
    };
    let rows: [(AuctionFilter, &[i64]); 8] = [
        (with(&[]), &[1, 2, 3, 4, 5]),
        (with(&[Status::Open]), &[5]),
        (with(&[Status::Closed]), &[1, 2]),
        (
            with(&[Status::Closed, Status::ClosedReserveNotMet]),
            &[1, 2, 3],
        ),
        (with(&[Status::Cancelled, Status::Open]), &[4, 5]),
        (result(CloseResult::NoBids), &[1]),
        (result(CloseResult::Sold), &[2]),
        (result(CloseResult::ReserveNotMet), &[3]),
    ];
    for (filter, expected) in rows {
        assert_eq!(listed(&*backend, &filter).await, expected, "{filter:?}");
    }
}

async fn due_is_open_past_its_end_and_nobodys<B: Backend>(backend: Arc<B>) {
    for number in 1..=4 {
        opened(&*backend, number, ending(END + number)).await;
    }
    done(&*backend, 1, 2, Deed::Cancel).await;
    backend.set_owner(id(2), Some("node-1")).await;
    let due = AuctionFilter {
        due: true,
        ..AuctionFilter::default()
    };
    assert_eq!(listed(&*backend, &due).await, [] as [i64; 0]);
    clock(&*backend, END + 3).await;
    assert_eq!(listed(&*backend, &due).await, [3]);
    closed(&*backend, 3).await;
    clock(&*backend, END + 4).await;
    assert_eq!(listed(&*backend, &due).await, [4]);
}

async fn ends_sellers_and_watchers_filter<B: Backend>(backend: Arc<B>) {
    let of = |seller: &str, end| Terms {
        seller: party(seller),
        ..ending(end)
    };
    opened(&*backend, 1, of("sam", END)).await;
    opened(&*backend, 2, of("Sam", END + 1)).await;
    opened(&*backend, 3, of("sam", END + 2)).await;
    let store = backend.store();
    for number in [1, 2] {
        let eve = party("eve");
        store.watch_add(id(number), &eve, COMMIT).await.unwrap();
    }
    let before = |us: i64| AuctionFilter {
        ending_before: Some(at(us)),
        ..AuctionFilter::default()
    };
    let none: [i64; 0] = [];
    assert_eq!(listed(&*backend, &before(END)).await, none);
    assert_eq!(listed(&*backend, &before(END + 1)).await, [1]);
    assert_eq!(listed(&*backend, &before(END + 3)).await, [1, 2, 3]);
    let sold_by = |seller: &str| AuctionFilter {
        seller: Some(party(seller)),
        ..AuctionFilter::default()
    };
    assert_eq!(listed(&*backend, &sold_by("sam")).await, [1, 3]);
    assert_eq!(listed(&*backend, &sold_by("Sam")).await, [2]);
    assert_eq!(listed(&*backend, &sold_by("nobody")).await, none);
    let watched_by = |watcher: &str| AuctionFilter {
        watcher: Some(party(watcher)),
        ..AuctionFilter::default()
    };
    assert_eq!(listed(&*backend, &watched_by("eve")).await, [1, 2]);
    assert_eq!(listed(&*backend, &watched_by("sam")).await, none);
    // An amended end is the end in force.
    let later = gavel::auction::Amendment {
        end: Some(at(END + MINUTE)),
        ..gavel::auction::Amendment::default()
    };
    done(&*backend, 1, 2, crate::support::make::amend(later)).await;
    assert_eq!(listed(&*backend, &before(END + 3)).await, [2, 3]);
}

async fn conditions_hold_together<B: Backend>(backend: Arc<B>) {
    let of = |seller: &str, end| Terms {
        seller: party(seller),
        ..ending(end)
    };
    opened(&*backend, 1, of("sam", END)).await;
    opened(&*backend, 2, of("sam", END + 5)).await;
    opened(&*backend, 3, of("tim", END)).await;
    opened(&*backend, 4, of("sam", END)).await;
    clock(&*backend, END).await;
    closed(&*backend, 4).await;
    let filter = AuctionFilter {
        statuses: vec![Status::Open],
        due: true,
        seller: Some(party("sam")),
        ending_before: Some(at(END + 9)),
        ..AuctionFilter::default()
    };
    assert_eq!(listed(&*backend, &filter).await, [1]);
}

async fn a_ledger_is_read_by_pages<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    for n in 2..=8_u128 {
        let maximum = 1_000 * i64::try_from(n).unwrap();
        accepted(&*backend, 1, n, "ann", maximum).await;
    }
    let whole = ledger(&*backend, 1).await;
    let seqs: Vec<i64> = whole.iter().map(|entry| entry.seq).collect();
    assert_eq!(seqs, (1..=8).collect::<Vec<_>>());
    let store = backend.store();
    let page = |after, limit| store.ledger_get(id(1), after, limit);
    assert_eq!(page(0, 3).await.unwrap(), whole[..3]);
    assert_eq!(page(3, 3).await.unwrap(), whole[3..6]);
    assert_eq!(page(6, 3).await.unwrap(), whole[6..]);
    assert_eq!(page(8, 3).await.unwrap(), []);
    assert_eq!(store.ledger_get(id(3), 0, 3).await.unwrap(), []);
}

fn first() -> DueFirst {
    DueFirst::at(at(START))
}

async fn a_bidder_sees_the_own_bids_only<B: Backend>(backend: Arc<B>) {
    for number in 1..=4 {
        opened(&*backend, number, ending(END + 10 - number)).await;
    }
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    accepted(&*backend, 1, 3, "ben", 6_000).await;
    accepted(&*backend, 1, 4, "ann", 7_000).await;
    accepted(&*backend, 2, 2, "ben", 6_000).await;
    accepted(&*backend, 3, 2, "ann", 3_000).await;
    accepted(&*backend, 3, 3, "ann", 4_000).await;
    accepted(&*backend, 4, 2, "ann", 8_000).await;
    done(&*backend, 3, 4, void("ann", VoidScope::Latest)).await;
    done(&*backend, 4, 3, void("ann", VoidScope::All)).await;
    let store = backend.store();
    let own = store.bids_of(&party("ann"), first(), 100).await.unwrap();
    let told: Vec<_> = own
        .iter()
        .map(|own| (own.row.auction_id.get(), own.own_max, own.bids))
        .collect();
    assert_eq!(
        told,
        [
            (4, None, 0),
            (3, Some(usd("30")), 1),
            (1, Some(usd("70")), 2)
        ]
    );
    assert_eq!(own[2].row, row(&*backend, 1).await);
    assert_eq!(
        store.bids_of(&party("Ann"), first(), 100).await.unwrap(),
        []
    );
    assert_eq!(
        store.bids_of(&party("seller"), first(), 9).await.unwrap(),
        []
    );
}

async fn own_bids_come_by_pages<B: Backend>(backend: Arc<B>) {
    for number in 1..=7 {
        opened(&*backend, number, ending(END + number % 3)).await;
        accepted(&*backend, number, 2, "ann", 5_000).await;
    }
    let store = backend.store();
    let whole = store.bids_of(&party("ann"), first(), 100).await.unwrap();
    assert_eq!(whole.len(), 7);
    let mut read = Vec::new();
    let mut place = first();
    loop {
        let page = store.bids_of(&party("ann"), place, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        place = place.after(&last.row);
        read.extend(page);
    }
    assert_eq!(read, whole);
}

async fn the_currency_is_read_alone<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    let store = backend.store();
    let found = store.auction_currency(id(1)).await.unwrap();
    assert_eq!(found, Some(terms().currency));
    assert_eq!(store.auction_currency(id(2)).await.unwrap(), None);
}

async fn several_are_read_at_once<B: Backend>(backend: Arc<B>) {
    for number in 1..=3 {
        opened(&*backend, number, terms()).await;
    }
    accepted(&*backend, 3, 2, "ann", 5_000).await;
    let store = backend.store();
    let rows = store.auctions_get(&[id(3), id(9), id(1), id(3)]).await;
    let rows = rows.unwrap();
    assert_eq!(numbers(&rows), [1, 3]);
    assert_eq!(rows[1], row(&*backend, 3).await);
    assert_eq!(store.auctions_get(&[]).await.unwrap(), []);
}

async fn own_lists_have_what_is_due_soon_first<B: Backend>(backend: Arc<B>) {
    // Ends in minutes after END; what happens to each before the list is read.
    let ends = [
        (1, 4),
        (2, -2),
        (3, 2),
        (4, -1),
        (5, 2),
        (6, -2),
        (7, 9),
        (8, 1),
    ];
    for (number, minutes) in ends {
        opened(&*backend, number, ending(END + minutes * MINUTE)).await;
        accepted(&*backend, number, 2, "ann", 5_000).await;
        let store = backend.store();
        let eve = party("eve");
        store.watch_add(id(number), &eve, COMMIT).await.unwrap();
    }
    opened(&*backend, 9, terms()).await;
    done(&*backend, 7, 3, Deed::Cancel).await;
    clock(&*backend, END).await;
    closed(&*backend, 2).await;
    // Open: 8, 3, 5, 1. Over: 7 (cancelled, a late end), 4 (due), 6 and 2 (equal ends).
    let expected = [8, 3, 5, 1, 7, 4, 2, 6];
    let store = backend.store();
    let start = DueFirst::at(at(END));
    let own = store.bids_of(&party("ann"), start, 100).await.unwrap();
    let rows: Vec<AuctionRow> = own.into_iter().map(|own| own.row).collect();
    assert_eq!(numbers(&rows), expected);
    assert!(rows.iter().take(4).all(|row| start.is_open(row)));
    assert!(!rows.iter().skip(4).any(|row| start.is_open(row)));
    let eve = party("eve");
    for limit in [1, 3, 100] {
        let mut read: Vec<AuctionRow> = Vec::new();
        let mut place = start;
        loop {
            let page = store.watched_by(&eve, place, limit).await.unwrap();
            let Some(last) = page.last() else { break };
            place = place.after(last);
            read.extend(page);
        }
        assert_eq!(read, rows, "by {limit}");
    }
    assert_eq!(store.watched_by(&party("Eve"), start, 9).await.unwrap(), []);
}
