//! `gavel top`.

use std::pin::pin;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;

use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::auction::{Micros, Shards, Span};
use crate::output::top::{Press, Scene, Screen};
use crate::output::views::top;
use crate::output::{Format, units};
use crate::store::{Store, StoreError, StoreErrorKind};
use crate::top::{Reading, Sampler};

/// The shortest and the longest interval, microseconds.
const INTERVALS_US: std::ops::RangeInclusive<i64> = 100_000..=3_600_000_000;
/// What changes by the clock alone is drawn so often.
const TICK: Duration = Duration::from_secs(1);
/// Between two tries of a database that does not answer, at least.
const RETRY: Duration = Duration::from_secs(1);
/// After so long without an answer the database counts as lost.
const ANSWER: Duration = Duration::from_secs(20);
/// How much of what ends next a single reading tells.
const ENDING: u32 = 20;

/// Watch a database live: what is due, closed and ending next
///
/// A screen that is drawn anew every --interval: how many auctions are due and since when, how
/// many were closed each second and how late, which end next, and how many events wait in the
/// outbox. Times are the database's. A database that goes away is told and tried again. q, Esc or
/// Ctrl-C leave.
///
/// It only reads: on PostgreSQL gavel_auditor and gavel_operator may use it. No maximum and no
/// reserve is shown.
///
/// For scripts --once prints one reading. What it tells as closed, and how late, is of the
/// auctions that ended in the last minute.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel top
  gavel top --shards 0-15 --interval 5s
  gavel top --once --format json | jq .due")]
pub(crate) struct TopArgs {
    /// How often to look, from 100ms to 1h
    #[arg(
        long,
        value_name = "SPAN",
        default_value = "1s",
        conflicts_with = "once"
    )]
    interval: Span,
    /// Look at auctions of these shards only, of 0 to 31: numbers and ranges, such as 0-7,12
    /// [default: all]
    #[arg(long, value_name = "LIST")]
    shards: Option<Shards>,
    /// Look once, print it and exit
    #[arg(long)]
    once: bool,
}

impl TopArgs {
    /// How long to rest between two looks.
    fn rest(&self, format: Format) -> Result<Duration, InputError> {
        if !INTERVALS_US.contains(&self.interval.get()) {
            return Err(InputError::option("--interval", "from 100ms to 1h"));
        }
        if format != Format::Table {
            let what = "--format: the screen of gavel top has no other form";
            return Err(InputError::new(what).hint("--once prints one reading in any form"));
        }
        if !Screen::is_there() {
            return Err(InputError::new("gavel top needs a terminal")
                .hint("--once prints one reading, in any --format"));
        }
        Ok(Duration::from_micros(
            u64::try_from(self.interval.get()).unwrap_or_default(),
        ))
    }
}

/// Looks until it is left, or once.
pub(crate) async fn run(args: TopArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let shards = args.shards.unwrap_or_default();
    let rest = match args.once {
        true => None,
        false => Some(args.rest(ctx.ui.format())?),
    };
    let database = ctx.url()?.to_string();
    let store = ctx.store().await?;
    let mut sampler = Sampler::new(shards);
    // Whoever may not look learns it on the terminal as it is.
    let reading = sampler.look(&store, ENDING).await?;
    match rest {
        None => top::print(&mut ctx.ui, &reading, &database, shards)?,
        Some(rest) => {
            let view = View {
                database,
                shards,
                coloured: ctx.ui.colours_results(),
                reading,
                read: Instant::now(),
                trouble: None,
            };
            live(view, sampler, &store, rest, ctx).await?;
        }
    }
    Ok(Exit::DONE)
}

/// Draws and looks, until somebody leaves.
async fn live(
    mut view: View,
    mut sampler: Sampler,
    store: &Store,
    rest: Duration,
    ctx: &Context,
) -> anyhow::Result<()> {
    const CANNOT: &str = "cannot use the terminal";
    let stop = ctx.shutdown.clone();
    stop.heed();
    let mut screen = Screen::open(view.coloured).context(CANNOT)?;
    loop {
        let rows = u32::from(screen.height().context(CANNOT)?);
        let pause = view.trouble.as_ref().map_or(rest, |_| rest.max(RETRY));
        let mut looking = pin!(async {
            tokio::time::sleep(pause).await;
            answer(&mut sampler, store, rows).await
        });
        let outcome = loop {
            view.draw(&mut screen).context(CANNOT)?;
            tokio::select! {
                biased;
                () = stop.asked() => return Ok(()),
                press = screen.pressed() => if press == Press::Leave {
                    return Ok(());
                },
                outcome = &mut looking => break outcome,
                () = tokio::time::sleep(TICK) => {}
            }
        };
        view.take(outcome);
    }
}

/// A look, but for no longer than an answer may take: a connection can be lost without a word.
async fn answer(sampler: &mut Sampler, store: &Store, rows: u32) -> Result<Reading, StoreError> {
    match tokio::time::timeout(ANSWER, sampler.look(store, rows)).await {
        Ok(reading) => reading,
        Err(_) => Err(StoreError::new(
            StoreErrorKind::Unreachable,
            "the database has not answered for 20 seconds",
        )),
    }
}

/// What is on the screen.
struct View {
    database: String,
    shards: Shards,
    coloured: bool,
    reading: Reading,
    /// When it was read.
    read: Instant,
    trouble: Option<StoreError>,
}

impl View {
    fn take(&mut self, outcome: Result<Reading, StoreError>) {
        match outcome {
            Ok(reading) => {
                self.reading = reading;
                self.read = Instant::now();
                self.trouble = None;
            }
            Err(error) => self.trouble = Some(error),
        }
    }

    fn draw(&self, screen: &mut Screen) -> std::io::Result<()> {
        let elapsed = self.read.elapsed();
        let elapsed_us = i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX);
        let now = Micros::new(self.reading.at.get().saturating_add(elapsed_us));
        let trouble = self.trouble.as_ref().map(|error| {
            let ago = units::span(elapsed_us / 1_000_000 * 1_000_000);
            format!("{error}; trying again (as of {ago} ago)")
        });
        screen.draw(&Scene {
            database: &self.database,
            shards: self.shards,
            reading: &self.reading,
            now: now.unwrap_or(self.reading.at),
            trouble: trouble.as_deref(),
            coloured: self.coloured,
        })
    }
}
