//! `gavel burst --remove`: takes away what runs have left.

use std::str::FromStr;

use super::context::{Context, mode};
use super::exit::Exit;
use crate::burst::{self, Leftover, RunId};
use crate::output::{Progress, units};
use crate::store::{Store, WriteMode};

/// Which runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    One(RunId),
}

impl FromStr for Which {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WHY: &str = "the number of a run, as its report tells it, or all";
        if text == "all" {
            return Ok(Self::All);
        }
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits).ok_or(WHY)?;
        RunId::new(number).map(Self::One).ok_or(WHY)
    }
}

/// Removes runs, or tells what would be removed.
pub(super) async fn run(which: Which, dry_run: bool, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let left: Vec<Leftover> = burst::leftovers(&store)
        .await?
        .into_iter()
        .filter(|left| which == Which::All || which == Which::One(left.run))
        .collect();
    if left.is_empty() {
        let none = match which {
            Which::All => "no run has left anything".to_owned(),
            Which::One(run) => format!("run {} has left nothing", run.get()),
        };
        ctx.ui.note(&none);
        return Ok(Exit::DONE);
    }
    for Leftover { run, auctions } in left {
        let what = format!("run {}, {}", run.get(), units::count(auctions, "auction"));
        if mode(dry_run) == WriteMode::Rehearse {
            burst::remove(&store, run, WriteMode::Rehearse, |_| {}).await?;
            ctx.ui.note(&format!(
                "dry run: {what}, would be removed; nothing was written"
            ));
        } else {
            remove(&store, run, ctx).await?;
        }
    }
    Ok(Exit::DONE)
}

/// Removes one run.
pub(super) async fn remove(store: &Store, run: RunId, ctx: &mut Context) -> anyhow::Result<u64> {
    let bar = Progress::bar(&ctx.ui, "removing", 0);
    let removed = burst::remove(store, run, WriteMode::Commit, |done| bar.set(done)).await;
    bar.finish();
    let removed = removed?;
    let what = units::count(removed, "auction");
    ctx.ui.note(&format!(
        "removed run {}: {what} with all that was theirs",
        run.get()
    ));
    Ok(removed)
}
