//! Looks at a database, one after the other, on both: each closing is counted once, whenever it
//! ended and however late it came.

use std::sync::Arc;

use gavel::auction::{Shards, Terms};
use gavel::closer::{SweepOptions, sweep};
use gavel::store::Contract;
use gavel::top::{Lag, Reading, Sampler};

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{COMMIT, accepted, clock, closed, opened};
use crate::support::make::{END, MINUTE, SECOND, at, create, id, request, soft_close, terms, usd};

on_every_backend!(
    a_closing_is_measured_once_and_forgotten_after_a_minute,
    the_first_look_reads_a_minute_back,
    an_old_backlog_is_counted_as_it_falls,
    old_and_new_closings_add_up,
    an_end_that_moved_is_awaited_at_its_new_place,
    thousands_that_wait_are_all_found,
    what_ends_next_is_told_without_what_is_hidden,
    a_selection_of_shards_is_all_that_is_looked_at,
);

/// How far before and after END ends may lie.
const HOUR: i64 = 60 * MINUTE;

fn ending(us: i64) -> Terms {
    Terms {
        end: at(us),
        ..terms()
    }
}

async fn many<B: Backend>(backend: &B, numbers: std::ops::RangeInclusive<i64>, end: i64) {
    let creates: Vec<_> = numbers
        .map(|number| create(id(number), request(1), ending(end)))
        .collect();
    let store = backend.store();
    let replies = store.auction_create(&creates, COMMIT).await.unwrap();
    assert_eq!(replies.len(), creates.len());
}

async fn looked<B: Backend>(backend: &B, sampler: &mut Sampler, us: i64) -> Reading {
    clock(backend, us).await;
    let reading = sampler.look(backend.store(), 5).await.unwrap();
    assert_eq!(reading.at, at(us));
    let seconds = reading.pace.seconds.iter();
    let sum: u64 = seconds.map(|second| second.closed).sum();
    assert_eq!((reading.pace.seconds.len(), sum), (60, reading.pace.closed));
    reading
}

async fn a_closing_is_measured_once_and_forgotten_after_a_minute<B: Backend>(backend: Arc<B>) {
    many(&*backend, 1..=3, END).await;
    let mut sampler = Sampler::new(Shards::ALL);
    let before = looked(&*backend, &mut sampler, END - 1).await;
    assert_eq!((before.due.due, before.pace.closed), (0, 0));
    let due = looked(&*backend, &mut sampler, END + 5).await;
    assert_eq!((due.due.due, due.due.oldest_end), (3, Some(at(END))));
    assert_eq!(due.pace.lag, None);
    closed(&*backend, 1).await;
    clock(&*backend, END + 20).await;
    closed(&*backend, 2).await;
    for us in [END + 30, END + SECOND / 2] {
        let reading = looked(&*backend, &mut sampler, us).await;
        assert_eq!((reading.due.due, reading.pace.closed), (1, 2));
        let (p50_us, p99_us, max_us) = (5, 20, 20);
        let lag = Lag {
            p50_us,
            p99_us,
            max_us,
        };
        assert_eq!(reading.pace.lag, Some(lag));
        assert_eq!(reading.pace.seconds[59].lag_max_us, Some(20));
        // How long the last count took may let the next one wait: a first look always counts.
        let mut fresh = Sampler::new(Shards::ALL);
        let first = looked(&*backend, &mut fresh, us).await;
        assert_eq!(first.outbox.pending, 2);
    }
    let later = looked(&*backend, &mut sampler, END + MINUTE + SECOND).await;
    assert_eq!((later.pace.closed, later.due.due), (0, 1));
    closed(&*backend, 3).await;
    let last = looked(&*backend, &mut sampler, END + MINUTE + 2 * SECOND).await;
    assert_eq!((last.pace.closed, last.due.due), (1, 0));
    let lag = last.pace.lag.unwrap();
    assert_eq!(lag.max_us, u64::try_from(MINUTE + SECOND).unwrap());
}

async fn the_first_look_reads_a_minute_back<B: Backend>(backend: Arc<B>) {
    many(&*backend, 1..=2, END).await;
    many(&*backend, 3..=5, END + MINUTE).await;
    clock(&*backend, END + MINUTE + 7).await;
    for number in 1..=5 {
        closed(&*backend, number).await;
    }
    let mut sampler = Sampler::new(Shards::ALL);
    let reading = looked(&*backend, &mut sampler, END + MINUTE + 9).await;
    assert_eq!(reading.pace.closed, 3);
    assert_eq!(reading.pace.lag.unwrap().max_us, 7);
}

async fn an_old_backlog_is_counted_as_it_falls<B: Backend>(backend: Arc<B>) {
    many(&*backend, 1..=10, END).await;
    let mut sampler = Sampler::new(Shards::ALL);
    let now = END + HOUR;
    let first = looked(&*backend, &mut sampler, now).await;
    assert_eq!((first.due.due, first.pace.closed), (10, 0));
    for number in 1..=6 {
        closed(&*backend, number).await;
    }
    let second = looked(&*backend, &mut sampler, now + 2 * SECOND).await;
    assert_eq!((second.due.due, second.pace.closed), (4, 6));
    assert_eq!(second.pace.lag, None);
    let closes = second.pace.seconds[57..].iter().map(|one| one.closed);
    assert_eq!(closes.collect::<Vec<_>>(), [2, 2, 2]);
    let third = looked(&*backend, &mut sampler, now + 3 * SECOND).await;
    assert_eq!(third.pace.closed, 6);
}

async fn old_and_new_closings_add_up<B: Backend>(backend: Arc<B>) {
    let now = END + HOUR;
    many(&*backend, 1..=4, END).await;
    many(&*backend, 11..=14, now + SECOND).await;
    let mut sampler = Sampler::new(Shards::ALL);
    looked(&*backend, &mut sampler, now).await;
    // Two of the old are closed while four new ones come to be due.
    closed(&*backend, 1).await;
    closed(&*backend, 2).await;
    let more = looked(&*backend, &mut sampler, now + 2 * SECOND).await;
    assert_eq!((more.due.due, more.pace.closed), (6, 2));
    for number in [3, 11, 12] {
        closed(&*backend, number).await;
    }
    let all = looked(&*backend, &mut sampler, now + 3 * SECOND).await;
    assert_eq!((all.due.due, all.pace.closed), (3, 5));
    let lag = all.pace.lag.unwrap();
    assert_eq!(lag.max_us, u64::try_from(SECOND).unwrap());
}

async fn an_end_that_moved_is_awaited_at_its_new_place<B: Backend>(backend: Arc<B>) {
    let extending = Terms {
        soft_close: Some(soft_close()),
        ..terms()
    };
    opened(&*backend, 1, extending).await;
    let mut sampler = Sampler::new(Shards::ALL);
    assert_eq!(looked(&*backend, &mut sampler, END).await.due.due, 1);
    // A bid that was placed in time, and is seen late.
    clock(&*backend, END - 1).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    let moved = looked(&*backend, &mut sampler, END + 1).await;
    assert_eq!((moved.due.due, moved.pace.closed), (0, 0));
    let end = END - 1 + 5 * MINUTE;
    clock(&*backend, end + 3).await;
    closed(&*backend, 1).await;
    let over = looked(&*backend, &mut sampler, end + 4).await;
    assert_eq!(over.pace.lag.unwrap().max_us, 3);
    assert_eq!(over.pace.closed, 1);
}

async fn thousands_that_wait_are_all_found<B: Backend>(backend: Arc<B>) {
    many(&*backend, 1..=2_500, END).await;
    let mut sampler = Sampler::new(Shards::ALL);
    let first = looked(&*backend, &mut sampler, END).await;
    assert_eq!((first.due.due, first.pace.closed), (2_500, 0));
    clock(&*backend, END + 9).await;
    let options = SweepOptions::default();
    let (report, outcome) = sweep(backend.store(), &options, |_| ()).await;
    outcome.unwrap();
    assert_eq!(report.closed, 2_500);
    let second = looked(&*backend, &mut sampler, END + 10).await;
    assert_eq!((second.due.due, second.pace.closed), (0, 2_500));
    assert_eq!(second.pace.lag.unwrap().p50_us, 9);
    assert_eq!(second.pace.seconds[59].closed, 2_500);
}

async fn what_ends_next_is_told_without_what_is_hidden<B: Backend>(backend: Arc<B>) {
    for (number, end) in [
        (1, 30),
        (2, 10),
        (3, 20),
        (4, 10),
        (5, -1),
        (6, 40),
        (7, 50),
    ] {
        let terms = Terms {
            reserve: Some(usd("77")),
            ..ending(END + end)
        };
        opened(&*backend, number, terms).await;
    }
    clock(&*backend, END - 9).await;
    accepted(&*backend, 4, 2, "ann", 6_600).await;
    let mut sampler = Sampler::new(Shards::ALL);
    let reading = looked(&*backend, &mut sampler, END).await;
    let next: Vec<i64> = reading
        .ending
        .iter()
        .map(|next| next.auction_id.get())
        .collect();
    assert_eq!(next, [2, 4, 3, 1, 6]);
    let four = &reading.ending[1];
    assert_eq!((four.price, four.bids), (Some(usd("10")), 1));
    assert_eq!((four.title.as_str(), four.end), ("A lot", at(END + 10)));
    let told = format!("{reading:?}");
    assert!(!told.contains("6600") && !told.contains("7700"), "{told}");
}

async fn a_selection_of_shards_is_all_that_is_looked_at<B: Backend>(backend: Arc<B>) {
    many(&*backend, 1..=40, END).await;
    many(&*backend, 41..=80, END + HOUR).await;
    clock(&*backend, END + 1).await;
    for number in 1..=20 {
        closed(&*backend, number).await;
    }
    let shards: Shards = "0-9".parse().unwrap();
    let within = |from: i64, to: i64| {
        (from..=to)
            .filter(|number| shards.hold(id(*number)))
            .count()
    };
    let mut sampler = Sampler::new(shards);
    let reading = looked(&*backend, &mut sampler, END + 2).await;
    let closed = usize::try_from(reading.pace.closed).unwrap();
    let due = usize::try_from(reading.due.due).unwrap();
    assert_eq!((closed, due), (within(1, 20), within(21, 40)));
    assert!(
        reading
            .ending
            .iter()
            .all(|next| shards.hold(next.auction_id))
    );
}
