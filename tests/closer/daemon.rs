//! What a daemon does while nothing goes wrong but the auctions.

use gavel::auction::{SoftClose, Terms};
use gavel::store::{Contract as _, Reply};

use super::hall::{Hall, on_both};
use crate::support::drive::COMMIT;
use crate::support::make::{SECOND, soft_close, span, terms};

on_both!(
    a_daemon_closes_each_at_its_end,
    claims_are_closed_at_their_ends_too,
    without_look_ahead_ticks_close_what_has_ended,
    an_extended_auction_is_closed_at_its_new_end,
    what_piled_up_while_nobody_closed_is_worked_off,
    a_bad_auction_stops_no_other,
    a_signal_lets_it_finish_and_exit_0,
    three_daemons_on_the_same_shards_close_everything_once,
    daemons_divide_the_shards,
);

/// One tick an hour: whatever it closes after the first moment was looked for ahead.
const HOURLY: &str = "--interval 1h";

async fn in_order(hall: Hall, options: &str) {
    hall.lots(40, |n| 1_000 + 40 * n).await;
    let mut daemon = hall.daemon("closer", options);
    hall.until_closed(40).await;
    assert_eq!(daemon.stop(), Some(0));
    let rows = hall.all_closed_once(40).await;
    assert!(rows.is_sorted_by_key(|row| row.closed_at), "{rows:?}");
    assert_eq!(hall.told(&daemon), 40);
    assert!(
        hall.said(&daemon, "err")
            .ends_with("stopped: 40 auctions closed\n")
    );
}

async fn a_daemon_closes_each_at_its_end(hall: Hall) {
    in_order(hall, HOURLY).await;
}

async fn claims_are_closed_at_their_ends_too(hall: Hall) {
    in_order(hall, "--strategy claim --interval 1h").await;
}

async fn without_look_ahead_ticks_close_what_has_ended(hall: Hall) {
    hall.lots(40, |n| 600 + 40 * n).await;
    let mut daemon = hall.daemon("closer", "--interval 50ms --no-look-ahead");
    hall.until_closed(40).await;
    assert_eq!(daemon.stop(), Some(0));
    hall.all_closed_once(40).await;
    assert_eq!(hall.told(&daemon), 40);
}

async fn an_extended_auction_is_closed_at_its_new_end(hall: Hall) {
    let soft = SoftClose {
        window: span(30 * SECOND),
        extend_by: span(4 * SECOND),
        ..soft_close()
    };
    let terms = Terms {
        soft_close: Some(soft),
        ..terms()
    };
    // When the first is closed, the daemon has read the end of the second.
    hall.lots_with(2, |n| [800, 3_500][usize::from(n > 1)], &terms)
        .await;
    let first_end = hall.row(2).await.end;
    let mut daemon = hall.daemon("closer", HOURLY);
    hall.until_closed(1).await;
    let reply = hall.store.bid_place(&hall.bid(2, 5_000), COMMIT).await;
    let Reply::Done(answer) = reply.unwrap() else {
        panic!("the bid came too late");
    };
    assert!(answer.extended && answer.end > first_end);
    hall.until_closed(2).await;
    assert_eq!(daemon.stop(), Some(0));
    let rows = hall.all_closed_once(2).await;
    assert_eq!(rows[1].end, answer.end);
    assert!(rows[1].winner.is_some());
}

async fn what_piled_up_while_nobody_closed_is_worked_off(hall: Hall) {
    hall.overdue(400).await;
    for (name, options) in [
        ("ahead", "--batch 7 --shards 0-15"),
        ("sweeping", "--batch 7 --shards 16-31 --no-look-ahead"),
    ] {
        let mut daemon = hall.daemon(name, options);
        let (low, all) = (hall.closed().await, 400);
        hall.until(async || {
            let closed = hall.closed().await;
            closed > low && (name == "ahead" || closed == all)
        })
        .await;
        if name == "sweeping" {
            assert_eq!(daemon.stop(), Some(0));
        } else {
            let left: gavel::auction::Shards = "0-15".parse().unwrap();
            hall.until(async || hall.store.backlog(left.into()).await.unwrap().due == 0)
                .await;
        }
    }
    hall.all_closed_once(400).await;
}

async fn a_bad_auction_stops_no_other(hall: Hall) {
    hall.lots(30, |n| 900 + 5 * n).await;
    // The event of its closing is there already.
    hall.raw(
        "insert into outbox (auction_id, event_id, kind, end_us, closed_us, ledger_head)
         select auction_id, '3.closed', 'auction.closed', end_us, end_us, head from auctions
         where auction_id = 3",
        "insert into gavel.outbox (auction_id, event_id, kind, end_us, closed_us, ledger_head)
         select a.auction_id, '3.closed', 'auction.closed', a.end_us, a.end_us, a.head
         from gavel.auctions a where a.auction_id = 3",
    )
    .await;
    let mut daemon = hall.daemon("closer", "--interval 200ms");
    hall.until_closed(29).await;
    hall.until_said(&daemon, "auction 3 cannot be closed: ")
        .await;
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(hall.closed().await, 29);
    let said = hall.said(&daemon, "err");
    assert_eq!(said.matches("cannot be closed").count(), 1, "{said}");
}

async fn a_signal_lets_it_finish_and_exit_0(hall: Hall) {
    hall.lots(1, |_| 3_600_000).await;
    for signal in ["-TERM", "-INT"] {
        let mut idle = hall.daemon("idle", HOURLY);
        hall.until_said(&idle, "closing auctions at their ends, shards 0-31")
            .await;
        idle.signal(signal);
        assert_eq!(idle.ended(), Some(0));
        assert!(
            hall.said(&idle, "err")
                .ends_with("stopped: 0 auctions closed\n")
        );
    }
    let hall = match hall.store {
        gavel::store::Store::Sqlite(_) => Hall::sqlite().await,
        gavel::store::Store::Postgres(_) => Hall::postgres().await,
    };
    hall.overdue(500).await;
    let mut busy = hall.daemon("busy", "--batch 3");
    hall.until_closed(1).await;
    assert_eq!(busy.stop(), Some(0));
    let closed = hall.closed().await;
    assert_eq!(hall.told(&busy), u64::try_from(closed).unwrap());
    let mut next = hall.daemon("next", "--batch 100");
    hall.until_closed(500).await;
    assert_eq!(next.stop(), Some(0));
    hall.all_closed_once(500).await;
}

async fn three_daemons_on_the_same_shards_close_everything_once(hall: Hall) {
    hall.lots(300, |n| 1_000 + 5 * n).await;
    let mut daemons = [
        hall.daemon("one", "--interval 100ms"),
        hall.daemon("two", "--interval 150ms --strategy claim"),
        hall.daemon("three", "--interval 70ms --no-look-ahead"),
    ];
    hall.until_closed(300).await;
    let mut told = 0;
    for daemon in &mut daemons {
        assert_eq!(daemon.stop(), Some(0));
        told += hall.told(daemon);
        let said = hall.said(daemon, "err");
        assert!(!said.contains("warning"), "{said}");
    }
    assert_eq!(told, 300);
    hall.all_closed_once(300).await;
}

async fn daemons_divide_the_shards(hall: Hall) {
    hall.lots(100, |n| 800 + 3 * n).await;
    let mut low = hall.daemon("low", "--shards 0-15 --interval 100ms");
    let mut high = hall.daemon("high", "--shards 16-31 --interval 100ms");
    hall.until_closed(100).await;
    assert_eq!((low.stop(), high.stop()), (Some(0), Some(0)));
    let rows = hall.all_closed_once(100).await;
    let lower = rows
        .iter()
        .filter(|row| row.auction_id.shard() < 16)
        .count();
    assert_eq!(hall.told(&low), u64::try_from(lower).unwrap());
    assert_eq!(hall.told(&high), u64::try_from(100 - lower).unwrap());
}
