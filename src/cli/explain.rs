//! `gavel replay --explain`.

use std::path::PathBuf;

use anyhow::Context as _;
use tokio::sync::mpsc;

use super::context::Context;
use super::exit::Exit;
use super::show::{not_found, refused};
use crate::auction::{AuctionId, Micros, PartyId, Span};
use crate::clock::Clock;
use crate::ledger::bundle::{Manifest, dossier_of};
use crate::ledger::{AsOf, Explanation, Moment, audit, cut, explain, own_story};
use crate::output::views::explain::{ToldLine, story};
use crate::output::views::own_story::OwnStoryView;
use crate::output::{Format, Tone};
use crate::store::{Contract as _, Dossier, Scope, Store};

/// Which auction is told, to whom, and up to when.
#[derive(Debug)]
pub(super) struct Explain {
    pub(super) auction_id: AuctionId,
    pub(super) from: Option<PathBuf>,
    pub(super) bidder: Option<PartyId>,
    pub(super) as_of: Option<AsOf>,
}

/// Tells one auction bid by bid.
pub(super) async fn run(asked: Explain, ctx: &mut Context) -> anyhow::Result<Exit> {
    let auction_id = asked.auction_id;
    let (dossier, now) = match asked.from {
        Some(folder) => {
            let read = move || {
                let now = Manifest::read(&folder)?.exported_at;
                dossier_of(&folder, auction_id).map(|dossier| (dossier, now))
            };
            let read = tokio::task::spawn_blocking(read).await;
            read.context("the reader stopped")??
        }
        None => {
            let store = ctx.store().await?;
            (stored(&store, auction_id).await?, store.now().await?)
        }
    };
    let Some(dossier) = dossier else {
        not_found(ctx, auction_id, Clock::System.now());
        return Ok(Exit::REFUSED);
    };
    // What is told follows from the entries: whoever reads it must know if they were changed.
    let findings = audit(&dossier, &open_ended());
    // A finding names bidders, so it is not for one of them.
    for finding in findings.iter().filter(|_| asked.bidder.is_none()) {
        ctx.ui.warn(&finding.to_string());
    }
    let total = dossier.entries.last().map_or(0, |last| last.seq);
    let dossier = match asked.as_of {
        None => dossier,
        Some(up_to) => match cut(dossier, up_to, now) {
            Ok(cut) => cut,
            Err(error) => {
                refused(ctx, auction_id, error, now)?;
                return Ok(Exit::REFUSED);
            }
        },
    };
    let at = asked.as_of.and_then(|up_to| match up_to {
        AsOf::At(at) => Some(at),
        AsOf::Seq(_) => dossier.entries.last().map(|last| last.at),
    });
    match &asked.bidder {
        Some(bidder) => tell_bidder(&dossier, bidder, (at, total), ctx)?,
        None => tell_auditor(&dossier, (at, total), ctx)?,
    }
    if findings.is_empty() {
        return Ok(Exit::DONE);
    }
    ctx.ui
        .warn("this auction's record has findings: what is told here may not be what happened");
    if asked.bidder.is_some() {
        ctx.ui
            .hint(&format!("gavel replay {auction_id} names them"));
    }
    Ok(Exit::FINDINGS)
}

fn tell_auditor(
    dossier: &Dossier,
    (at, total): (Option<Micros>, i64),
    ctx: &mut Context,
) -> anyhow::Result<()> {
    let told = explain(dossier).with_context(|| cannot(dossier))?;
    let told = Explanation {
        as_of: at.map(|at| at.to_string()),
        entries_total: total,
        ..told
    };
    match ctx.ui.format() {
        Format::Json => ctx.ui.object(&told)?,
        Format::Csv => {
            let lines: Vec<ToldLine> = told
                .entries
                .iter()
                .map(|entry| ToldLine::new(told.auction_id, entry))
                .collect();
            ctx.ui.csv(&lines)?;
        }
        Format::Table => print(story(&told, ctx.ui.width()), ctx)?,
    }
    Ok(())
}

fn tell_bidder(
    dossier: &Dossier,
    bidder: &PartyId,
    (at, total): (Option<Micros>, i64),
    ctx: &mut Context,
) -> anyhow::Result<()> {
    let told = own_story(dossier, bidder).with_context(|| cannot(dossier))?;
    let view = OwnStoryView::new(&told, at, total);
    match ctx.ui.format() {
        Format::Json => ctx.ui.object(&view)?,
        Format::Csv => ctx.ui.csv(&view.entries)?,
        Format::Table => print(view.lines(ctx.ui.width()), ctx)?,
    }
    if told.own.is_empty() {
        ctx.ui.warn(&format!(
            "{bidder} has no bid in auction {}",
            told.auction_id
        ));
    }
    Ok(())
}

fn cannot(dossier: &Dossier) -> String {
    let auction_id = dossier.auction_id;
    format!("auction {auction_id} cannot be explained from this ledger")
}

fn print(lines: Vec<(Tone, String)>, ctx: &mut Context) -> anyhow::Result<()> {
    for (tone, line) in lines {
        ctx.ui.line(tone, &line)?;
    }
    Ok(())
}

/// An auction is explained at any time; that it is not closed yet is no finding here.
fn open_ended() -> Moment {
    Moment {
        now: Clock::System.now(),
        due_grace: Span::new(Span::MAX).ok(),
        claim_timeout: None,
        ledger_only: false,
    }
}

async fn stored(store: &Store, auction_id: AuctionId) -> anyhow::Result<Option<Dossier>> {
    let scope = Scope::Ids(vec![auction_id]);
    let (out, mut chunks) = mpsc::channel::<Vec<Dossier>>(1);
    let first = async {
        let mut found = None;
        while let Some(chunk) = chunks.recv().await {
            found = found.or_else(|| chunk.into_iter().next());
        }
        found
    };
    let (read, found) = tokio::join!(store.dossiers_read(&scope, out), first);
    read?;
    Ok(found)
}
