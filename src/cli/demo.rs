//! `gavel demo`.

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::Context as _;
use clap::Args;

use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use super::replay;
use crate::auction::Micros;
use crate::clock::Clock;
use crate::demo::{self, DemoOptions, Scene};
use crate::ledger::{ReplayOptions, replay_store};
use crate::output::views::demo::{DemoView, lines};
use crate::output::views::replay::verdict;
use crate::output::{Format, OutputError, Progress, Tone, Ui};
use crate::store::{Contract as _, Scope, Store, StoreUrl};

/// See it all happen: a story of five auctions, a crowd, the sweep, the replay
///
/// Runs on a database of its own with a clock that can be set; your own database is not touched.
/// Start here.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel demo
  gavel demo --auctions 1000 --bids 50000 --keep demo.db")]
pub(crate) struct DemoArgs {
    /// Auctions of the crowd
    #[arg(long, value_name = "N", default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    auctions: u32,
    /// Bids of the crowd
    #[arg(long, value_name = "N", default_value_t = 3_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    bids: u32,
    /// Bidders that bid at the same time
    #[arg(long, value_name = "N", default_value_t = 16,
        value_parser = clap::value_parser!(u32).range(1..=1_000))]
    bidders: u32,
    /// Another seed, another crowd
    #[arg(long, value_name = "N", default_value_t = 7_731)]
    seed: u64,
    /// Keep the database in this new file, to look around in it
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

/// Tells it.
pub(crate) async fn run(args: DemoArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = match &args.keep {
        Some(path) if path.exists() => {
            let what = format!("--keep {}: the file exists already", path.display());
            return Err(InputError::new(what).hint("name a new file").into());
        }
        Some(path) => path.clone(),
        None => scratch.path().join("demo.db"),
    };
    let clock = Clock::settable(Micros::MAX);
    let url = StoreUrl::Sqlite(path.clone());
    let store = Store::connect(&url, clock.clone(), true)?;
    store.migrate().await?;
    let outcome = tell(&args, &store, &clock, ctx).await;
    store.close().await;
    let exit = outcome?;
    if args.keep.is_some() {
        ctx.ui
            .note(&format!("kept: gavel --database-url {url} list"));
    }
    Ok(exit)
}

async fn tell(
    args: &DemoArgs,
    store: &Store,
    clock: &Clock,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let options = DemoOptions {
        auctions: args.auctions,
        bids: args.bids,
        bidders: args.bidders,
        seed: args.seed,
    };
    let bar = Progress::bar(&ctx.ui, "bidding", u64::from(args.bids));
    let teller = Mutex::new(Teller {
        ui: &mut ctx.ui,
        failure: None,
    });
    let report = demo::run(store, clock, &options, &|scene| {
        if let Scene::Crowd { done, .. } = scene {
            bar.set(done);
        } else if let Ok(mut teller) = teller.lock() {
            teller.tell(&scene, &bar);
        }
    })
    .await?;
    bar.finish();
    if let Ok(Teller {
        failure: Some(failure),
        ..
    }) = teller.into_inner()
    {
        return Err(failure.into());
    }
    ctx.ui.card(&DemoView::new(&report))?;
    audit(store, ctx).await
}

/// Replays everything that happened; the demonstration ends with the verdict.
async fn audit(store: &Store, ctx: &mut Context) -> anyhow::Result<Exit> {
    let bar = Progress::bar(&ctx.ui, "replaying", 0);
    let options = ReplayOptions::default();
    let report = replay_store(store, &Scope::All, &options, |done| {
        bar.set_total(done.entries_total);
        bar.set(done.entries);
    })
    .await?;
    bar.finish();
    if ctx.ui.format() != Format::Table {
        ctx.ui.note(&verdict(&report).1);
        return Ok(if report.is_clean() {
            Exit::DONE
        } else {
            Exit::FINDINGS
        });
    }
    ctx.ui.line(Tone::Plain, "")?;
    ctx.ui.line(
        Tone::Good,
        "The replay: every winner and price derived again from the ledger",
    )?;
    replay::tell(&report, false, ctx)
}

/// Prints scenes as they come; for programs only the sums are printed, at the end.
struct Teller<'a> {
    ui: &'a mut Ui,
    failure: Option<OutputError>,
}

impl Teller<'_> {
    fn tell(&mut self, scene: &Scene, bar: &Progress) {
        if self.ui.format() != Format::Table || self.failure.is_some() {
            return;
        }
        let told = bar.aside(|| {
            lines(scene)
                .into_iter()
                .try_for_each(|line| self.ui.line(line.tone, &line.text))
        });
        self.failure = told.err();
    }
}
