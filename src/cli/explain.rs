//! `gavel replay --explain`.

use std::path::PathBuf;

use anyhow::Context as _;
use tokio::sync::mpsc;

use super::context::Context;
use super::exit::Exit;
use super::show::not_found;
use crate::auction::{AuctionId, Span};
use crate::clock::Clock;
use crate::ledger::bundle::dossier_of;
use crate::ledger::{Moment, audit, explain};
use crate::output::Format;
use crate::output::views::explain::{ToldLine, story};
use crate::store::{Contract as _, Dossier, Scope, Store};

/// Tells one auction bid by bid.
pub(super) async fn run(
    auction_id: AuctionId,
    from: Option<PathBuf>,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let dossier = match from {
        Some(folder) => tokio::task::spawn_blocking(move || dossier_of(&folder, auction_id))
            .await
            .context("the reader stopped")??,
        None => stored(&ctx.store().await?, auction_id).await?,
    };
    let Some(dossier) = dossier else {
        not_found(ctx, auction_id, Clock::System.now());
        return Ok(Exit::REFUSED);
    };
    // What is told follows from the entries: whoever reads it must know if they were changed.
    let findings = audit(&dossier, &open_ended());
    for finding in &findings {
        ctx.ui.warn(&finding.to_string());
    }
    let told = explain(&dossier)
        .with_context(|| format!("auction {auction_id} cannot be explained from this ledger"))?;
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
        Format::Table => {
            for (tone, line) in story(&told, ctx.ui.width()) {
                ctx.ui.line(tone, &line)?;
            }
        }
    }
    if findings.is_empty() {
        return Ok(Exit::DONE);
    }
    ctx.ui
        .warn("this auction's record has findings: what is told here may not be what happened");
    Ok(Exit::FINDINGS)
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
