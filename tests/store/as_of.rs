//! An auction as it stood, on both databases: what it was while it was so.

use std::sync::Arc;

use gavel::auction::{SoftClose, Terms, VoidScope};
use gavel::ledger::{AsOf, AsOfError, Then, as_of};
use gavel::store::AuctionRow;

use crate::support::backend::{Backend, on_every_backend};
use crate::support::drive::{accepted, clock, closed, done, opened, row};
use crate::support::make::{self, END, MINUTE, START, amend, at, terms, usd, void};

on_every_backend!(
    every_entry_gives_the_row_that_was,
    a_time_counts_the_very_instant_and_knows_the_close,
    what_never_was_is_refused,
);

async fn at_then<B: Backend>(backend: &B, up_to: AsOf) -> Result<Then, AsOfError> {
    let today = row(backend, 1).await;
    let now = gavel::store::Contract::now(backend.store()).await.unwrap();
    as_of(backend.store(), &today, up_to, now).await
}

async fn every_entry_gives_the_row_that_was<B: Backend>(backend: Arc<B>) {
    let soft_close = SoftClose {
        window: make::span(MINUTE),
        extend_by: make::span(MINUTE),
        mode: gavel::auction::ExtendMode::Reset,
        trigger: gavel::auction::ExtendTrigger::Any,
        cap: None,
    };
    let offered = Terms {
        reserve: Some(usd("70")),
        soft_close: Some(soft_close),
        ..terms()
    };
    let mut was: Vec<AuctionRow> = Vec::new();
    opened(&*backend, 1, offered).await;
    was.push(row(&*backend, 1).await);
    let title = gavel::auction::Amendment {
        title: Some("Another".to_owned()),
        ..gavel::auction::Amendment::default()
    };
    done(&*backend, 1, 2, amend(title)).await;
    was.push(row(&*backend, 1).await);
    clock(&*backend, END - 1).await;
    for (request, bidder, maximum) in [(3, "ann", 5_000), (4, "ben", 9_000), (5, "ann", 9_500)] {
        accepted(&*backend, 1, request, bidder, maximum).await;
        was.push(row(&*backend, 1).await);
    }
    done(&*backend, 1, 6, void("ann", VoidScope::All)).await;
    was.push(row(&*backend, 1).await);
    clock(&*backend, END + MINUTE).await;
    closed(&*backend, 1).await;
    for (seq, row) in (1..).zip(&was) {
        let then = at_then(&*backend, AsOf::Seq(seq)).await.unwrap();
        assert_eq!(&then.row, row, "seq {seq}");
        assert_eq!((then.at, then.entries), (row.last_at, 6));
    }
}

async fn a_time_counts_the_very_instant_and_knows_the_close<B: Backend>(backend: Arc<B>) {
    opened(&*backend, 1, terms()).await;
    clock(&*backend, START + 5).await;
    accepted(&*backend, 1, 2, "ann", 5_000).await;
    clock(&*backend, END + 9).await;
    closed(&*backend, 1).await;
    let seq = async |us: i64| {
        let then = at_then(&*backend, AsOf::At(at(us))).await.unwrap();
        (then.row.last_seq, then.row.winner.is_some())
    };
    assert_eq!(seq(START + 4).await, (1, false));
    assert_eq!(seq(START + 5).await, (2, false));
    assert_eq!(seq(END + 8).await, (2, false));
    assert_eq!(seq(END + 9).await, (2, true));
    let whole = at_then(&*backend, AsOf::At(at(END + 9))).await.unwrap();
    assert_eq!(whole.row, row(&*backend, 1).await);
}

async fn what_never_was_is_refused<B: Backend>(backend: Arc<B>) {
    clock(&*backend, START + 5).await;
    opened(&*backend, 1, terms()).await;
    let code = async |up_to| at_then(&*backend, up_to).await.unwrap_err().code();
    assert_eq!(code(AsOf::Seq(0)).await, Some("no-such-entry"));
    assert_eq!(code(AsOf::Seq(2)).await, Some("no-such-entry"));
    assert_eq!(code(AsOf::At(at(START + 4))).await, Some("not-yet-created"));
    assert_eq!(code(AsOf::At(at(START + 6))).await, Some("ahead"));
}
