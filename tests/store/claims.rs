//! The claim protocol: OPEN → CLOSING under an epoch, closed by whoever has the latest, reaped
//! when its closer is gone; and what each step must leave alone.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{
    Amendment, AuctionId, CloseResult, Refusal, Remit, Shards, Status, Terms, VoidScope,
};
use gavel::closer::{Strategy, SweepOptions, sweep};
use gavel::store::{Claim, CloseReply, Contract, Ending, Reply, Scope, SweepBatch};
use tokio::task::JoinSet;

use crate::support::audit::findings;
use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{
    REHEARSE, accepted, acted, bid, clock, closed, done, dossier, dossiers, ids_in_shard, opened,
    placed, refusal, row,
};
use crate::support::make::{END, MINUTE, SECOND, amend, at, id, span, terms, usd, void};

on_every_backend!(
    a_claim_is_closed_with_its_event,
    only_what_is_due_and_open_is_claimed,
    of_two_claimers_one_wins,
    a_fenced_out_closer_changes_nothing,
    the_reaper_gives_back_what_is_old,
    a_claim_is_released_by_its_own_alone,
    nothing_is_bid_or_changed_while_it_is_closing,
    a_claimed_auction_can_be_closed_by_hand,
    a_clock_that_steps_back_closes_no_earlier_than_the_claim,
    these_auctions_are_closed_if_they_are_due,
    endings_come_by_instant_and_shard,
    a_sweep_by_claims_does_what_a_batch_does,
    a_bad_auction_stops_no_other_by_either_strategy,
    a_sweep_reaps_and_closes,
    a_sweep_of_some_shards_leaves_the_others,
    eight_claiming_sweeps_close_everything_once,
);

async fn claimed<B: Backend>(backend: &B, ids: &[AuctionId]) -> Vec<Claim> {
    backend.store().auctions_claim(ids).await.unwrap()
}

async fn closing<B: Backend>(backend: &B, claims: &[Claim]) -> Vec<AuctionId> {
    let batch: SweepBatch = backend.store().claims_close(claims).await.unwrap();
    batch
        .closed
        .iter()
        .map(|closed| closed.auction_id)
        .collect()
}

async fn reaped<B: Backend>(backend: &B, seconds: i64) -> u64 {
    let timeout = span(seconds * SECOND);
    let store = backend.store();
    store.claims_reap(Remit::ALL, timeout, 100).await.unwrap()
}

fn by_claims() -> SweepOptions {
    SweepOptions {
        strategy: Strategy::Claim,
        ..SweepOptions::default()
    }
}

async fn a_claim_is_closed_with_its_event<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 1_500).await;
    clock(&*backend, END).await;
    let before = row(&*backend, 1).await;
    let claims = claimed(&*backend, &[id(1)]).await;
    assert_eq!(
        claims,
        [Claim {
            auction_id: id(1),
            epoch: 1
        }]
    );
    let held = row(&*backend, 1).await;
    assert_eq!((held.status, held.closer_epoch), (Status::Closing, 1));
    assert_eq!((held.closing_at, held.closed_at), (Some(at(END)), None));
    assert_eq!(dossier(&*backend, 1).await.events, []);
    clock(&*backend, END + 7).await;
    let batch = backend.store().claims_close(&claims).await.unwrap();
    let event = &batch.closed[0].event;
    assert_eq!(
        (event.result, event.price),
        (Some(CloseResult::Sold), Some(usd("10")))
    );
    assert_eq!((event.closed_at, event.end), (at(END + 7), at(END)));
    assert_eq!(event.ledger_head, before.head);
    let after = dossier(&*backend, 1).await;
    assert_eq!(after.events, std::slice::from_ref(event));
    let after = after.row.unwrap();
    assert_eq!((after.status, after.closer_epoch), (Status::Closed, 1));
    assert_eq!(
        (after.closing_at, after.closed_at),
        (Some(at(END)), Some(at(END + 7)))
    );
    assert_eq!(closing(&*backend, &claims).await, [], "closed once");
    assert_eq!(findings(backend.store()).await, []);
}

async fn only_what_is_due_and_open_is_claimed<B: Backend>(backend: Arc<B>) {
    let later = Terms {
        end: at(END + 1),
        ..terms()
    };
    for number in 1..=4 {
        opened(&*backend, number, terms()).await;
    }
    opened(&*backend, 5, later).await;
    done(&*backend, 1, 2, Deed::Cancel).await;
    backend.set_owner(id(2), Some("node-1")).await;
    clock(&*backend, END).await;
    closed(&*backend, 3).await;
    let all: Vec<AuctionId> = (1..=6).map(id).collect();
    let claims = claimed(&*backend, &all).await;
    assert_eq!(
        claims,
        [Claim {
            auction_id: id(4),
            epoch: 1
        }]
    );
    assert_eq!(claimed(&*backend, &all).await, [], "claimed once");
    assert_eq!(row(&*backend, 5).await.status, Status::Open);
    backend.set_owner(id(2), None).await;
}

async fn of_two_claimers_one_wins<B: Backend>(backend: Arc<B>) {
    let ids: Vec<AuctionId> = (1..=200).map(id).collect();
    for id in &ids {
        opened(&*backend, id.get(), terms()).await;
    }
    clock(&*backend, END).await;
    let mut tasks = JoinSet::new();
    for _ in 0..4 {
        let (store, ids) = (backend.other().await, ids.clone());
        tasks.spawn(async move {
            let mut won = Vec::new();
            for few in ids.chunks(3) {
                let claims = store.auctions_claim(few).await.unwrap();
                let batch = store.claims_close(&claims).await.unwrap();
                assert_eq!(
                    batch.closed.len(),
                    claims.len(),
                    "nobody fences another out"
                );
                won.extend(claims);
            }
            won
        });
    }
    let mut won: Vec<AuctionId> = Vec::new();
    for claim in tasks.join_all().await.into_iter().flatten() {
        assert_eq!(claim.epoch, 1);
        won.push(claim.auction_id);
    }
    won.sort_unstable();
    assert_eq!(won, ids);
    assert_eq!(findings(backend.store()).await, []);
}

async fn a_fenced_out_closer_changes_nothing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, END).await;
    let first = claimed(&*backend, &[id(1)]).await;
    clock(&*backend, END + MINUTE).await;
    assert_eq!(reaped(&*backend, 60).await, 1);
    // The first wakes when its claim was reaped, when another has it, and when that has closed.
    assert_eq!(closing(&*backend, &first).await, []);
    assert_eq!(row(&*backend, 1).await.status, Status::Open);
    let second = claimed(&*backend, &[id(1)]).await;
    assert_eq!(
        second,
        [Claim {
            auction_id: id(1),
            epoch: 2
        }]
    );
    let before = dossier(&*backend, 1).await;
    assert_eq!(closing(&*backend, &first).await, []);
    assert_eq!(backend.store().claims_release(&first).await.unwrap(), 0);
    assert_eq!(dossier(&*backend, 1).await, before);
    assert_eq!(closing(&*backend, &second).await, [id(1)]);
    let after = dossier(&*backend, 1).await;
    assert_eq!(closing(&*backend, &first).await, []);
    assert_eq!(backend.store().claims_release(&first).await.unwrap(), 0);
    assert_eq!(dossier(&*backend, 1).await, after);
    assert_eq!(after.events.len(), 1);
    assert_eq!(findings(backend.store()).await, []);
}

async fn the_reaper_gives_back_what_is_old<B: Backend>(backend: Arc<B>) {
    let ids: Vec<AuctionId> = ids_in_shard(3)
        .take(2)
        .chain(ids_in_shard(9).take(1))
        .collect();
    for id in &ids {
        opened(&*backend, id.get(), terms()).await;
    }
    clock(&*backend, END).await;
    claimed(&*backend, &ids[..1]).await;
    clock(&*backend, END + 1).await;
    claimed(&*backend, &ids[1..]).await;
    clock(&*backend, END + 10 * SECOND - 1).await;
    assert_eq!(reaped(&*backend, 10).await, 0);
    clock(&*backend, END + 10 * SECOND).await;
    assert_eq!(reaped(&*backend, 10).await, 1);
    let given_back = row(&*backend, ids[0].get()).await;
    assert_eq!(
        (given_back.status, given_back.closing_at),
        (Status::Open, None)
    );
    assert_eq!(given_back.closer_epoch, 1, "the epoch never falls");
    clock(&*backend, END + MINUTE).await;
    let store = backend.store();
    let ninth: Shards = "9".parse().unwrap();
    assert_eq!(
        store
            .claims_reap(ninth.into(), span(SECOND), 10)
            .await
            .unwrap(),
        1
    );
    assert_eq!(row(&*backend, ids[1].get()).await.status, Status::Closing);
    assert_eq!(
        store
            .claims_reap(Remit::ALL, span(SECOND), 10)
            .await
            .unwrap(),
        1
    );
    assert_eq!(store.backlog(Remit::ALL).await.unwrap().due, 3);
}

async fn a_claim_is_released_by_its_own_alone<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    opened(&*backend, 2, terms()).await;
    clock(&*backend, END).await;
    let claims = claimed(&*backend, &[id(1), id(2)]).await;
    let forged = [Claim {
        epoch: 2,
        ..claims[0]
    }];
    let store = backend.store();
    assert_eq!(store.claims_release(&forged).await.unwrap(), 0);
    assert_eq!(closing(&*backend, &forged).await, []);
    assert_eq!(closing(&*backend, &claims[..1]).await, [id(1)]);
    assert_eq!(store.claims_release(&claims).await.unwrap(), 1);
    let (first, second) = (row(&*backend, 1).await, row(&*backend, 2).await);
    assert_eq!(
        (first.status, second.status),
        (Status::Closed, Status::Open)
    );
    assert_eq!(second.closing_at, None);
}

async fn nothing_is_bid_or_changed_while_it_is_closing<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    accepted(&*backend, 1, 2, "ann", 1_500).await;
    clock(&*backend, END).await;
    let claims = claimed(&*backend, &[id(1)]).await;
    let before = dossier(&*backend, 1).await;
    // Even if the clock steps back: the status decides.
    for now in [END, END - MINUTE] {
        clock(&*backend, now).await;
        let ended = Refusal::Ended { end: at(END) };
        let reply = placed(&*backend, &bid(1, 3, "ben", 9_000)).await;
        assert_eq!(refusal(reply), ended);
        let longer = Amendment {
            end: Some(at(END + MINUTE)),
            ..Amendment::default()
        };
        for deed in [void("ann", VoidScope::All), amend(longer), Deed::Cancel] {
            let reply = acted(&*backend, 1, 4, deed).await;
            assert_eq!(refusal(reply), ended);
        }
        // A repeat gets its first answer, whatever the state.
        let reply = placed(&*backend, &bid(1, 2, "ann", 1_500)).await;
        assert!(matches!(reply, Reply::Repeated(_)), "{reply:?}");
    }
    assert_eq!(dossier(&*backend, 1).await, before);
    clock(&*backend, END + 1).await;
    assert_eq!(closing(&*backend, &claims).await, [id(1)]);
    assert_eq!(findings(backend.store()).await, []);
}

async fn a_claimed_auction_can_be_closed_by_hand<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, END).await;
    let claims = claimed(&*backend, &[id(1)]).await;
    assert!(matches!(closed(&*backend, 1).await, CloseReply::Closed(_)));
    assert_eq!(closing(&*backend, &claims).await, []);
    assert_eq!(dossier(&*backend, 1).await.events.len(), 1);
    assert_eq!(findings(backend.store()).await, []);
}

async fn a_clock_that_steps_back_closes_no_earlier_than_the_claim<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, END + SECOND).await;
    let claims = claimed(&*backend, &[id(1)]).await;
    clock(&*backend, END - MINUTE).await;
    assert_eq!(closing(&*backend, &claims).await, [id(1)]);
    assert_eq!(row(&*backend, 1).await.closed_at, Some(at(END + SECOND)));
    clock(&*backend, END + MINUTE).await;
    assert_eq!(findings(backend.store()).await, []);
}

async fn these_auctions_are_closed_if_they_are_due<B: Backend>(backend: Arc<B>) {
    for number in 1..=5 {
        let terms = Terms {
            end: at(END + number),
            ..terms()
        };
        opened(&*backend, number, terms).await;
    }
    done(&*backend, 1, 2, Deed::Cancel).await;
    clock(&*backend, END + 4).await;
    backend.set_owner(id(2), Some("node-1")).await;
    let claims = claimed(&*backend, &[id(3)]).await;
    let all: Vec<AuctionId> = (1..=6).map(id).collect();
    let batch = backend.store().auctions_close(&all).await.unwrap();
    assert_eq!(batch.closed.len(), 1);
    assert_eq!(batch.closed[0].auction_id, id(4));
    assert_eq!(batch.closed[0].event.closed_at, at(END + 4));
    let again = backend.store().auctions_close(&all).await.unwrap();
    assert_eq!(again, SweepBatch::default());
    let waiting = backend.store().auctions_waiting(&all).await.unwrap();
    assert_eq!(
        waiting,
        [Ending {
            end: at(END + 5),
            auction_id: id(5)
        }]
    );
    assert_eq!(closing(&*backend, &claims).await, [id(3)]);
}

async fn endings_come_by_instant_and_shard<B: Backend>(backend: Arc<B>) {
    let fourth: Vec<AuctionId> = ids_in_shard(4).take(3).collect();
    let seventh = ids_in_shard(7).next().unwrap();
    for (id, us) in [(fourth[0], 3), (fourth[1], 1), (fourth[2], 9), (seventh, 2)] {
        let terms = Terms {
            end: at(END + us),
            ..terms()
        };
        opened(&*backend, id.get(), terms).await;
    }
    clock(&*backend, END).await;
    let ending = async |shards: &str, after, until, limit| {
        let (after, until) = (at(END + after), at(END + until));
        let shards: Shards = shards.parse().unwrap();
        let store = backend.store();
        let found = store
            .auctions_ending(shards.into(), after, until, limit)
            .await;
        found
            .unwrap()
            .iter()
            .map(|ending| ending.auction_id)
            .collect::<Vec<_>>()
    };
    let all = [fourth[1], seventh, fourth[0], fourth[2]];
    assert_eq!(ending("0-31", 0, 9, 10).await, all);
    assert_eq!(ending("0-31", 0, 9, 2).await, all[..2]);
    assert_eq!(ending("0-31", 1, 3, 10).await, all[1..3]);
    assert_eq!(ending("7", 0, 9, 10).await, [seventh]);
    assert_eq!(ending("8-31,0-3", 0, 9, 10).await, []);
    clock(&*backend, END + 3).await;
    closed(&*backend, fourth[1].get()).await;
    claimed(&*backend, &[seventh]).await;
    backend.set_owner(fourth[0], Some("node-1")).await;
    assert_eq!(ending("0-31", 0, 9, 10).await, all[3..]);
}

async fn a_sweep_by_claims_does_what_a_batch_does<B: Backend>(backend: Arc<B>) {
    let reserve = Terms {
        reserve: Some(usd("700")),
        ..terms()
    };
    for number in 1..=60 {
        let terms = if number % 3 == 0 {
            reserve.clone()
        } else {
            terms()
        };
        opened(&*backend, number, terms).await;
        if number % 3 != 1 {
            accepted(&*backend, number, 2, "ann", 1_500).await;
        }
    }
    clock(&*backend, END + 11).await;
    let options = SweepOptions {
        batch: 2,
        ..by_claims()
    };
    let rehearsal = SweepOptions {
        mode: REHEARSE,
        ..options.clone()
    };
    let (rehearsed, outcome) = sweep(backend.store(), &rehearsal, |_| {}).await;
    outcome.unwrap();
    assert_eq!(
        row(&*backend, 1).await.closer_epoch,
        0,
        "a rehearsal claims nothing"
    );
    let mut seen = 0;
    let (report, outcome) = sweep(backend.store(), &options, |closed| seen += closed.len()).await;
    outcome.unwrap();
    assert_eq!((report.closed, seen), (60, 60));
    assert_eq!(
        (report.sold, report.no_bids, report.reserve_not_met),
        (20, 20, 20)
    );
    assert_eq!((report.lag_max_us, report.left, report.reaped), (11, 0, 0));
    assert_eq!(rehearsed, report);
    let found = row(&*backend, 60).await;
    assert_eq!(
        (found.status, found.closer_epoch),
        (Status::ClosedReserveNotMet, 1)
    );
    let (again, outcome) = sweep(backend.store(), &by_claims(), |_| {}).await;
    outcome.unwrap();
    assert_eq!(again.closed, 0);
    assert_eq!(findings(backend.store()).await, []);
}

async fn a_bad_auction_stops_no_other_by_either_strategy<B: Backend>(backend: Arc<B>) {
    let ids: Vec<AuctionId> = ids_in_shard(5).take(12).collect();
    for (n, id) in (1..).zip(&ids) {
        let terms = Terms {
            end: at(END - MINUTE + n),
            ..terms()
        };
        opened(&*backend, id.get(), terms).await;
    }
    // The first would fill every batch.
    for id in &ids[..3] {
        backend.spoil(*id).await;
    }
    clock(&*backend, END).await;
    for (strategy, expected) in [(Strategy::Claim, 9), (Strategy::Batch, 0)] {
        let options = SweepOptions {
            batch: 2,
            strategy,
            ..SweepOptions::default()
        };
        let (report, outcome) = sweep(backend.store(), &options, |_| {}).await;
        outcome.unwrap();
        assert_eq!((report.closed, report.left), (expected, 0), "{strategy:?}");
        let bad: Vec<AuctionId> = report.bad.iter().map(|bad| bad.auction_id).collect();
        assert_eq!(bad, ids[..3], "{strategy:?}");
        for id in &ids[..3] {
            let bad = row(&*backend, id.get()).await;
            assert_eq!(
                (bad.status, bad.closing_at),
                (Status::Open, None),
                "{strategy:?}"
            );
        }
    }
    for id in &ids[3..] {
        assert_eq!(row(&*backend, id.get()).await.status, Status::Closed);
    }
}

async fn a_sweep_reaps_and_closes<B: Backend>(backend: Arc<B>) {
    for number in 1..=3 {
        opened(&*backend, number, terms()).await;
    }
    clock(&*backend, END).await;
    let gone = claimed(&*backend, &[id(1), id(2)]).await;
    clock(&*backend, END + 29 * SECOND).await;
    let (report, outcome) = sweep(backend.store(), &SweepOptions::default(), |_| {}).await;
    outcome.unwrap();
    assert_eq!((report.closed, report.reaped, report.left), (1, 0, 0));
    clock(&*backend, END + 30 * SECOND).await;
    // Whatever its own strategy.
    let (report, outcome) = sweep(backend.store(), &SweepOptions::default(), |_| {}).await;
    outcome.unwrap();
    assert_eq!((report.closed, report.reaped), (2, 2));
    assert_eq!(closing(&*backend, &gone).await, []);
    assert_eq!(findings(backend.store()).await, []);
}

async fn a_sweep_of_some_shards_leaves_the_others<B: Backend>(backend: Arc<B>) {
    for number in 1..=100 {
        opened(&*backend, number, terms()).await;
    }
    clock(&*backend, END).await;
    let shards: Shards = "0-7,12".parse().unwrap();
    let within = (1..=100).filter(|number| shards.hold(id(*number))).count();
    assert!(within > 5 && within < 95);
    let store = backend.store();
    let due = store.backlog(shards.into()).await.unwrap().due;
    assert_eq!(usize::try_from(due).unwrap(), within);
    let options = SweepOptions {
        remit: shards.into(),
        ..SweepOptions::default()
    };
    let (report, outcome) = sweep(store, &options, |_| {}).await;
    outcome.unwrap();
    assert_eq!(
        (report.closed, report.left),
        (u64::try_from(within).unwrap(), 0)
    );
    for dossier in dossiers(&*backend, &Scope::All).await.unwrap() {
        let row = dossier.row.unwrap();
        assert_eq!(row.status.is_closed(), shards.hold(row.auction_id));
    }
}

/// Some of them stop between the two steps, and their claims are reaped.
async fn eight_claiming_sweeps_close_everything_once<B: Backend>(backend: Arc<B>) {
    for number in 1..=300 {
        opened(&*backend, number, terms()).await;
    }
    clock(&*backend, END).await;
    let abandoned = claimed(&*backend, &(1..=40).map(id).collect::<Vec<_>>()).await;
    assert_eq!(abandoned.len(), 40);
    clock(&*backend, END + MINUTE).await;
    let mut tasks = JoinSet::new();
    for n in 0..8 {
        let store = backend.other().await;
        tasks.spawn(async move {
            let options = SweepOptions {
                batch: 3 + n,
                ..by_claims()
            };
            let (report, outcome) = sweep(&store, &options, |_| {}).await;
            outcome.unwrap();
            (report.closed, report.reaped)
        });
    }
    let (mut all, mut reaped) = (0, 0);
    for (closed, given_back) in tasks.join_all().await {
        all += closed;
        reaped += given_back;
    }
    assert_eq!((all, reaped), (300, 40));
    assert_eq!(closing(&*backend, &abandoned).await, []);
    for dossier in dossiers(&*backend, &Scope::All).await.unwrap() {
        assert_eq!(dossier.events.len(), 1);
    }
    assert_eq!(findings(backend.store()).await, []);
}
