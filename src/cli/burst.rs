//! `gavel burst`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::burst_remove;
use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::auction::Span;
use crate::burst::{
    self, BurstError, BurstOptions, BurstReport, CloserChoice, Hall, Load, RunId, Scenario, Scene,
    Size,
};
use crate::closer::Strategy;
use crate::output::file::OutputFile;
use crate::output::views::burst::{BurstView, second_lines};
use crate::output::views::{burst_page, burst_words};
use crate::output::{Format, Progress, units};
use crate::store::{Store, WriteMode};

/// The most seconds of one run.
const SECONDS_MAX: u32 = 3_600;

/// Generate load on a live database, and check every answer
///
/// A run makes auctions of its own, with ids from 1000000000000000 up, and touches no other. It
/// sends each bid at an instant decided beforehand, whether earlier ones have been answered or
/// not, and counts its latency from that instant. Auctions are closed by the run itself (its own
/// alone), or with --external-closer by daemons that run already. At the end every answer is held
/// against the ledger, and the ledger is replayed: a lost bid, a wrong winner or a finding of the
/// replay is exit 4.
///
/// seven-pm: 1,600 auctions end every second, all with bids; one in twenty is bid upon half a
/// second before its end, and again too late. hot-item: one auction with soft close, bids come
/// faster and faster, from a tenth of the rate to all of it. bidding-war: everybody bids at once
/// on one auction, once a second. steady: bids at one rate over many auctions, which then all end
/// at once.
///
/// The auctions stay in the database unless --cleanup is given; --remove takes them away later.
/// Both need the owner's rights. Everything is decided by --seed, except the auctions' ids and
/// what the database makes of it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel burst --cleanup                 # seven-pm: 96,000 closes in a minute
  gavel burst seven-pm --rate 100 --for 10s --cleanup
  gavel burst seven-pm --strategy claim --html seven-pm.html --require-rate
  gavel burst steady --rate 5000 --auctions 10000 --connections 32
  gavel burst hot-item --plain --rate max --for 10s
  gavel burst bidding-war --bidders 50 --rounds 8 --format json
  gavel burst --external-closer         # daemons run elsewhere
  gavel burst --dry-run                 # what would be made
  gavel burst --remove all              # what earlier runs have left")]
pub(crate) struct BurstArgs {
    /// What to play
    #[arg(value_enum, default_value_t, value_name = "SCENARIO")]
    scenario: Play,
    /// Closes (seven-pm) or bids a second, or max for as many bids as go (hot-item, steady)
    /// [default: 1600; steady 5000, hot-item 1000]
    #[arg(long, value_name = "N")]
    rate: Option<Rate>,
    /// How long the load is measured, whole seconds [default: 60s]
    #[arg(long = "for", value_name = "SPAN")]
    length: Option<String>,
    /// How long the load goes on before it is measured, whole seconds [default: seven-pm 2s, steady
    /// 5s, otherwise none]
    #[arg(long, value_name = "SPAN")]
    warm_up: Option<String>,
    /// Auctions of steady [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    auctions: Option<u32>,
    /// Bidders of bidding-war [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    bidders: Option<u32>,
    /// Rounds of bidding-war [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3_600))]
    rounds: Option<u32>,
    /// hot-item without soft close
    #[arg(long)]
    plain: bool,
    /// Connections that bid [default: 16; bidding-war: one for each bidder, at most 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    connections: Option<u32>,
    /// Another seed, other bids
    #[arg(long, value_name = "N", default_value_t = 7_731)]
    seed: u64,
    /// How the run closes its auctions
    #[arg(long, value_enum, default_value_t, value_name = "WAY")]
    strategy: Way,
    /// Close what is due every second, not at the ends themselves
    #[arg(long)]
    no_look_ahead: bool,
    /// Close nothing: daemons that run elsewhere do
    #[arg(long, conflicts_with_all = ["strategy", "no_look_ahead"])]
    external_closer: bool,
    /// Give up waiting for closes after nothing was closed for so long
    #[arg(long, value_name = "SPAN", default_value = "60s")]
    close_patience: Span,
    /// Fail (exit 4) if less than 99 of 100 bids or closes were done by a twentieth of the measured
    /// time after it, at most a second
    #[arg(long)]
    require_rate: bool,
    /// Remove the run's auctions at the end, unless something was not right, and when it is stopped
    #[arg(long)]
    cleanup: bool,
    /// Write the report with plots to this file, for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Remove what a run has left, by its number, or all runs, those that are being played included
    #[arg(long, value_name = "RUN", exclusive = false, conflicts_with_all = [
        "scenario", "rate", "length", "warm_up", "auctions", "bidders", "rounds", "plain", "connections",
        "external_closer", "require_rate", "cleanup", "html"])]
    remove: Option<burst_remove::Which>,
    /// Say what would be made or removed, and do nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Play {
    /// Auctions that end at 1,600 a second
    #[default]
    SevenPm,
    /// One auction that everybody wants, with soft close
    HotItem,
    /// Everybody at once, again and again
    BiddingWar,
    /// Bids at one rate over many auctions
    Steady,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Way {
    /// A batch a transaction
    #[default]
    Batch,
    /// Claimed, then closed by whoever still has the claim
    Claim,
}

/// A number a second, or as many as go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rate(Option<NonZeroU32>);

impl FromStr for Rate {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WHY: &str = "a whole number from 1 to 1000000, or max";
        if text == "max" {
            return Ok(Self(None));
        }
        let rate = text.parse::<NonZeroU32>().map_err(|_| WHY)?;
        if text.starts_with('+') || rate.get() > 1_000_000 {
            return Err(WHY);
        }
        Ok(Self(Some(rate)))
    }
}

impl Play {
    fn scenario(self) -> Scenario {
        match self {
            Self::SevenPm => Scenario::SevenPm,
            Self::HotItem => Scenario::HotItem,
            Self::BiddingWar => Scenario::BiddingWar,
            Self::Steady => Scenario::Steady,
        }
    }
}

impl BurstArgs {
    fn options(&self) -> Result<BurstOptions, InputError> {
        let scenario = self.scenario.scenario();
        self.only_what_applies(scenario)?;
        let closer = if self.external_closer {
            CloserChoice::External
        } else {
            CloserChoice::Own {
                strategy: match self.strategy {
                    Way::Batch => Strategy::Batch,
                    Way::Claim => Strategy::Claim,
                },
                look_ahead: !self.no_look_ahead,
            }
        };
        let patience_us = u64::try_from(self.close_patience.get()).unwrap_or_default();
        Ok(BurstOptions {
            scenario,
            size: self.size(scenario)?,
            seed: self.seed,
            closer,
            patience: Duration::from_micros(patience_us),
        })
    }

    /// What an option of another scenario would change goes by unseen: it is refused.
    fn only_what_applies(&self, scenario: Scenario) -> Result<(), InputError> {
        let war = scenario == Scenario::BiddingWar;
        let name = scenario.as_str();
        for (stated, option, applies) in [
            (self.rate.is_some(), "--rate", !war),
            (self.length.is_some(), "--for", !war),
            (self.warm_up.is_some(), "--warm-up", !war),
            (self.bidders.is_some(), "--bidders", war),
            (self.rounds.is_some(), "--rounds", war),
            (self.plain, "--plain", scenario == Scenario::HotItem),
            (
                self.auctions.is_some(),
                "--auctions",
                scenario == Scenario::Steady,
            ),
        ] {
            if stated && !applies {
                let hint = if war {
                    "bidding-war has --bidders and --rounds"
                } else {
                    "--bidders and --rounds are bidding-war's, --auctions is steady's, --plain hot-item's"
                };
                return Err(InputError::option(option, format!("not for {name}")).hint(hint));
            }
        }
        let unpaced = self.rate == Some(Rate(None));
        if unpaced && scenario == Scenario::SevenPm {
            let why = "auctions end at a rate; max is for bids (hot-item, steady)";
            return Err(InputError::option("--rate", why));
        }
        if unpaced && self.require_rate {
            let why = "there is no rate to hold with --rate max";
            return Err(InputError::option("--require-rate", why));
        }
        Ok(())
    }

    fn size(&self, scenario: Scenario) -> Result<Size, InputError> {
        let mut size = scenario.size();
        if let Some(Rate(rate)) = self.rate {
            size.rate = rate;
        }
        if let Some(bidders) = self.bidders {
            size.rate = NonZeroU32::new(bidders);
            size.connections = bidders.min(size.connections);
        }
        if let Some(text) = &self.length {
            size.seconds = seconds("--for", text, 1)?;
        }
        if let Some(rounds) = self.rounds {
            size.seconds = rounds;
        }
        if let Some(text) = &self.warm_up {
            size.warm_up = seconds("--warm-up", text, 0)?;
        }
        if let Some(auctions) = self.auctions {
            size.lots = auctions;
        }
        size.plain = self.plain;
        if let Some(connections) = self.connections {
            size.connections = connections;
        }
        Ok(size)
    }
}

/// Whole seconds of a span; 0 is no span, and may be meant.
fn seconds(option: &str, text: &str, least: u32) -> Result<u32, InputError> {
    let us = match text {
        "0" | "0s" => Some(0),
        text => text.parse::<Span>().ok().map(Span::get),
    };
    let whole = us.filter(|us| us % 1_000_000 == 0);
    let seconds = whole.and_then(|us| u32::try_from(us / 1_000_000).ok());
    let within = seconds.filter(|seconds| (least..=SECONDS_MAX).contains(seconds));
    within.ok_or_else(|| {
        let why = format!("whole seconds, {least} to {SECONDS_MAX}, such as 30s or 2m");
        InputError::option(option, why)
    })
}

/// Plays, or removes.
pub(crate) async fn run(args: BurstArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if let Some(which) = args.remove {
        return burst_remove::run(which, args.dry_run, ctx).await;
    }
    let options = args.options()?;
    if args.dry_run {
        return preview(&options, ctx).await;
    }
    let html = args.html.as_deref().map(page_file).transpose()?;
    let url = ctx.url()?;
    let store = ctx.store().await?;
    let bidders = store.widened(&url, options.size.connections)?;
    let run = RunId::fresh();
    if args.cleanup {
        // Before anything is made that only the owner can take away.
        burst::remove(&store, run, WriteMode::Rehearse, |_| {}).await?;
    }
    let stop = ctx.shutdown.clone();
    stop.heed();
    ctx.if_interrupted = Some("gavel burst --remove all takes away what runs have left");
    let outcome = {
        let hall = Hall {
            bidders: &bidders,
            closer: &store,
        };
        let bar = Bar::new(ctx);
        let told = |scene| bar.tell(scene);
        let playing = burst::play(hall, run, &options, &stop, &told);
        let outcome = Box::pin(playing).await;
        bar.0.finish();
        outcome
    };
    if !matches!(url, crate::store::StoreUrl::Sqlite(_)) {
        bidders.close().await;
    }
    finish(&args, run, outcome, html, &store, ctx).await
}

/// Opens the page's file, before a run that would be for nothing.
fn page_file(path: &Path) -> Result<OutputFile, InputError> {
    let told = |error| InputError::option("--html", format!("{:#}", anyhow::Error::new(error)));
    OutputFile::create(path).map_err(told)
}

/// Tells what happened, then cleans up. What a run that was not right has made is the evidence, and
/// stays.
async fn finish(
    args: &BurstArgs,
    run: RunId,
    outcome: Result<BurstReport, BurstError>,
    html: Option<OutputFile>,
    store: &Store,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let made = !matches!(
        outcome,
        Err(BurstError::SetUp(_) | BurstError::TooLarge(_) | BurstError::Script(_))
    );
    let evidence = outcome.as_ref().is_ok_and(|report| !report.is_right());
    let told = match outcome {
        Ok(report) => tell(args, &report, html, ctx),
        Err(BurstError::Interrupted) => {
            ctx.ui.note("interrupted");
            Ok(Exit::INTERRUPTED)
        }
        Err(error) => Err(error.into()),
    };
    if evidence && args.cleanup {
        ctx.ui
            .note("the run was not right: its auctions stay, to be looked into");
    }
    let removed = if args.cleanup && !evidence {
        burst_remove::remove(store, run, ctx).await.map(|_| true)
    } else {
        Ok(false)
    };
    if made && !matches!(removed, Ok(true)) {
        leftover(run, ctx);
    }
    match (told, removed) {
        (Ok(_), Err(error)) => Err(error),
        (told, _) => told,
    }
}

fn leftover(run: RunId, ctx: &mut Context) {
    let text = format!("gavel burst --remove {} takes away what it made", run.get());
    ctx.ui.hint(&text);
}

/// Prints the report, and writes the page; gives the exit code.
fn tell(
    args: &BurstArgs,
    report: &BurstReport,
    html: Option<OutputFile>,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    // The page first: standard output may be closed or full.
    if let Some(file) = html {
        file.keep(burst_page::page(report).as_bytes())?;
    }
    let (tone, _) = burst_words::verdict(report);
    let heading = burst_words::heading(report);
    match ctx.ui.format() {
        Format::Table => ctx.ui.summary(tone, &heading, burst_words::lines(report))?,
        Format::Json => ctx.ui.object(&BurstView::from(report))?,
        Format::Csv => ctx.ui.csv(&second_lines(report))?,
    }
    if ctx.ui.format() != Format::Table {
        ctx.ui.note(&heading);
    }
    remarks(report, ctx);
    Ok(
        if !report.is_right() || (args.require_rate && !report.shortfalls.is_empty()) {
            Exit::FINDINGS
        } else {
            Exit::DONE
        },
    )
}

/// What the reader should know beside the figures.
fn remarks(report: &BurstReport, ctx: &mut Context) {
    let late = report
        .bids
        .refused
        .iter()
        .find(|(code, _)| *code == "ended");
    if let (Scenario::Steady | Scenario::BiddingWar, Some((_, late))) = (report.scenario, late) {
        let bids = units::count(*late, "bid");
        ctx.ui.hint(&format!(
            "{bids} came after the end, so long was the queue: try a lower rate, or --rate max for what \
             goes"
        ));
    }
    let (closed, own) = (report.closes.closed, report.closes.durable.count);
    if report.look_ahead.is_some() && own < closed {
        let others = units::count(closed - own, "auction");
        ctx.ui.note(&format!(
            "{others} were closed by another closer than the run's"
        ));
    }
    let open = report
        .checks
        .listed
        .iter()
        .any(|fault| fault.kind == "not-closed");
    if open && report.look_ahead.is_none() {
        ctx.ui.hint(
            "does a daemon run on this database, for all shards? --close-patience waits longer",
        );
    }
}

async fn preview(options: &BurstOptions, ctx: &mut Context) -> anyhow::Result<Exit> {
    ctx.store().await?;
    let preview = burst::preview(options)?;
    let bids = match preview.bids {
        Some(bids) => units::count(bids, "bid"),
        None => "as many bids as go".to_owned(),
    };
    let auctions = units::count(preview.auctions, "auction");
    let opening = units::count(preview.opening_bids, "bid");
    ctx.ui.note(&format!(
        "dry run: {auctions} would be made, with {opening}, and {bids} placed; nothing was written"
    ));
    Ok(Exit::DONE)
}

/// How the run goes.
struct Bar(Progress);

impl Bar {
    fn new(ctx: &Context) -> Self {
        Self(Progress::told(&ctx.ui, "making"))
    }

    fn tell(&self, scene: Scene) {
        match scene {
            Scene::Making { done, total } => {
                self.0.label("making");
                self.0.set_total(total);
                self.0.set(done);
                self.0.tell(units::count(done, "auction"));
            }
            Scene::Load(load) => self.load(&load),
            Scene::Checking { done, total } => {
                self.0.label("checking");
                self.0.set_total(total);
                self.0.set(done);
                self.0.tell(units::count(done, "auction"));
            }
        }
    }

    fn load(&self, load: &Load) {
        let seconds = |us: i64| u64::try_from(us / 1_000_000).unwrap_or(0);
        if !load.begun {
            self.0.label("waiting");
            self.0.tell("the load begins in a moment".to_owned());
            return;
        }
        self.0.label("load");
        self.0.set_total(seconds(load.length_us).max(1));
        self.0.set(seconds(load.at_us.min(load.length_us)));
        let over = load.bids > 0 && load.answered == load.bids && load.due == 0;
        if over && load.at_us >= load.length_us {
            self.0
                .tell("all bids are answered; waiting for the last ends".to_owned());
            return;
        }
        let rate = |done: u64| done * 1_000_000 / u64::try_from(load.at_us).unwrap_or(0).max(1);
        let mut parts = vec![format!("{} s", seconds(load.at_us))];
        if load.bids > 0 {
            parts.push(format!("{} bids/s", rate(load.answered)));
            if load.worst_us > 0 {
                let worst = i64::try_from(load.worst_us).unwrap_or(i64::MAX);
                parts.push(format!("slowest {}", units::span(worst)));
            }
        }
        if load.auctions > 1 {
            parts.push(format!("{} closes/s", rate(load.closed)));
        }
        parts.push(match load.due {
            0 => "none due".to_owned(),
            due => format!("{due} due, lag {}", units::span(load.oldest_us.max(1))),
        });
        self.0.tell(parts.join(", "));
    }
}
