//! `gavel replay`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use super::replay_kept::KeptArgs;
use super::selection::SelectionArgs;
use super::{explain, what_if};
use crate::auction::{AuctionId, PartyId, Span};
use crate::clock::Clock;
use crate::ledger::{
    AsOf, Check, CheckSet, LedgerSource, ReplayOptions, ReplayReport, WhatIfError, replay_folder,
    replay_ledger, replay_store,
};
use crate::output::views::replay::{CheckCountLine, CheckLine, FindingLine, remarks, verdict};
use crate::output::{Format, Progress, Tone};

const EXAMPLES: &str = "\
Examples:
  gavel replay
  gavel replay 7731 7732
  gavel replay --explain 7731
  gavel replay --explain 7731 --for carol
  gavel replay --what-if steps=ebay-uk --what-if soft_close=none
  gavel replay 7731 --what-if without-bidder=bob
  gavel replay --from export/
  gavel replay --seller dot --closed-between 2026-12-01T00:00:00Z..
  gavel replay --no-check hash-chain,commitment
  gavel replay --against may.note --leaves may.csv --key site.key.pub
  gavel replay --since may.note --key auctions.key.pub
  gavel replay --kept events.jsonl";

/// Audit: replay the ledger by the rules and compare with what is recorded
///
/// Derives every price, winner and end again, checks the hash chain, the commitments, the rows
/// and the closing events, and names each difference by auction and seq (exit 4). Works on the
/// database, or on an exported folder without any database. Reading rights suffice.
///
/// With --format json the report is one object; csv lists the findings.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Read an exported folder instead of the database; or a ledger by itself, without rows and
    /// events to compare it with: a CSV or Parquet file, or - for CSV on standard input
    #[arg(long, value_name = "FOLDER|FILE")]
    from: Option<PathBuf>,
    /// Tell one auction bid by bid: what happened, which rule applied, why a bid lost. The
    /// auditor's view: it names the maxima
    #[arg(long, value_name = "ID", conflicts_with_all = ["auction_ids", "ids", "shards", "seller",
        "closed_between", "check", "no_check", "threads", "findings", "due_grace",
        "claim_timeout", "against", "since", "kept"])]
    explain: Option<AuctionId>,
    /// Make these checks only, such as price,winner
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    check: Vec<Check>,
    /// Make all checks but these. Without hash-chain, commitment and manifest-sha256 nothing is
    /// hashed
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        conflicts_with = "check"
    )]
    no_check: Vec<Check>,
    /// List the checks and what each one holds to, and do nothing else
    #[arg(long)]
    list_checks: bool,
    /// With --explain: only what this bidder may know, to be read out or sent. The others stand
    /// under aliases; each own bid is told with its maximum, what opens its commitment, and why it
    /// lost
    #[arg(long = "for", value_name = "BIDDER", requires = "explain")]
    bidder: Option<PartyId>,
    /// With --explain: up to the entry with this seq, or up to this time
    #[arg(long, value_name = "SEQ|TIME", requires = "explain")]
    as_of: Option<AsOf>,
    /// Derive the auctions again with something changed, and show what would have been beside what
    /// was; repeatable. See below
    #[arg(long, value_name = "KEY=VALUE", conflicts_with_all = ["explain", "threads", "findings",
        "due_grace", "claim_timeout", "against", "since", "kept", "check", "no_check"])]
    what_if: Vec<String>,
    /// With --what-if: list the auctions that would not differ too
    #[arg(long, requires = "what_if")]
    all: bool,
    /// How long past its end an auction may be open without a finding [default: not at all]
    #[arg(long, value_name = "SPAN")]
    due_grace: Option<Span>,
    /// How long a closer's claim may last [default: 1m]
    #[arg(long, value_name = "SPAN")]
    claim_timeout: Option<Span>,
    /// List at most so many findings; all are counted
    #[arg(long, value_name = "N")]
    findings: Option<usize>,
    /// With --format json: a line for each finding instead of one object for the report
    #[arg(long)]
    lines: bool,
    /// Auctions are judged by so many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    kept: KeptArgs,
}

/// The examples, and every check by its name.
fn long_help() -> String {
    format!("{EXAMPLES}\n\n{}\n\n{}", changes(), checks())
}

/// The changes that --what-if takes, as a section.
pub(super) fn changes() -> String {
    let lines: Vec<String> = WhatIfError::keys()
        .iter()
        .map(|line| format!("  {line}"))
        .collect();
    format!(
        "Changes that --what-if takes:\n{}\n\n\
         Assumed is that everybody would have acted the same: each recorded bid is judged again at\n\
         its time and with its maximum, and left out where the other terms refuse it. Nobody bids\n\
         instead, nobody bids in a prolonged end, and bids that were refused in fact are unknown.\n\
         Voids, amendments and cancellations follow in their order; after the derived end they are\n\
         left out too. What was is what the rules give for the record as it is.",
        lines.join("\n")
    )
}

/// The checks, as a section.
pub(super) fn checks() -> String {
    let lines = Check::ALL.map(|check| format!("  {:<19}  {}", check.name(), check.describe()));
    format!(
        "Checks, and what holds when one finds nothing:\n{}",
        lines.join("\n")
    )
}

/// Replays, or explains.
pub(crate) async fn run(args: ReplayArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if let Some(auction_id) = args.explain {
        let asked = explain::Explain {
            auction_id,
            from: args.from,
            bidder: args.bidder,
            as_of: args.as_of,
        };
        return explain::run(asked, ctx).await;
    }
    if !args.what_if.is_empty() {
        let asked = what_if::Asked {
            changes: args.what_if,
            scope: args.selection.into_scope(),
            from: args.from,
            all: args.all,
        };
        return what_if::run(asked, ctx).await;
    }
    if args.list_checks {
        return list_checks(ctx);
    }
    let checks = match (args.check.as_slice(), args.no_check.as_slice()) {
        ([], without) => CheckSet::without(without),
        (only, _) => CheckSet::only(only),
    };
    let defaults = ReplayOptions::default();
    let options = ReplayOptions {
        threads: args.threads.unwrap_or(defaults.threads),
        findings_listed_max: args.findings.unwrap_or(defaults.findings_listed_max),
        due_grace: args.due_grace,
        claim_timeout: args.claim_timeout.or(defaults.claim_timeout),
        checks,
    };
    let kept = args.kept.read()?;
    let scope = args.selection.into_scope_since(kept.cut());
    let from = args.from.as_deref();
    if kept.cut().is_some() {
        let mut report = ReplayReport::nothing(Clock::System.now(), &options);
        kept.compare_covered(from, &mut report, options.findings_listed_max, ctx)
            .await?;
        if !report.is_clean() {
            let why = "the record is not what the checkpoint covers: nothing was replayed";
            let exit = tell(&report, args.lines, ctx)?;
            ctx.ui.warn(why);
            return Ok(exit);
        }
    }
    let bar = Progress::rate(&ctx.ui, "replaying", "entries");
    let progress = bar.clone();
    let told = move |done: crate::ledger::ReplayProgress| {
        // How long a stream is, nobody knows.
        if done.entries_total > 0 {
            progress.set_total(done.entries_total);
        }
        progress.set(done.entries);
    };
    let mut report = match &args.from {
        Some(path) => match ledger_source(path) {
            Some(source) => {
                let now = Clock::System.now();
                replay_ledger(source, now, &scope, &options, told).await?
            }
            None => replay_folder(path, &scope, &options, told).await?,
        },
        None => {
            let store = ctx.store().await?;
            replay_store(&store, &scope, &options, told).await?
        }
    };
    kept.compare(from, &mut report, options.findings_listed_max, ctx)
        .await?;
    bar.finish();
    tell(&report, args.lines, ctx)
}

/// Standard input or a file is a ledger by itself; anything else an export.
fn ledger_source(path: &Path) -> Option<LedgerSource> {
    if path == Path::new("-") {
        return Some(LedgerSource::Stream(Box::new(std::io::stdin())));
    }
    path.is_file().then(|| LedgerSource::File(path.to_owned()))
}

/// A line a check.
fn list_checks(ctx: &mut Context) -> anyhow::Result<Exit> {
    ctx.ui.list(&Check::ALL.map(CheckLine::from))?;
    Ok(Exit::DONE)
}

/// Prints a report; gives the exit code.
pub(super) fn tell(report: &ReplayReport, lines: bool, ctx: &mut Context) -> anyhow::Result<Exit> {
    let (tone, verdict) = verdict(report);
    let findings: Vec<FindingLine> = report.listed.iter().map(FindingLine::from).collect();
    match ctx.ui.format() {
        Format::Json if lines => ctx.ui.cards(&findings)?,
        Format::Json => ctx.ui.object(report)?,
        Format::Csv => ctx.ui.csv(&findings)?,
        Format::Table => {
            ctx.ui.cards(&findings)?;
            let failed = CheckCountLine::failed(report);
            if failed.len() > 1 {
                ctx.ui.line(Tone::Plain, "")?;
                ctx.ui.list(&failed)?;
            }
            ctx.ui.line(tone, &verdict)?;
        }
    }
    if ctx.ui.format() != Format::Table {
        ctx.ui.note(&verdict);
    }
    for remark in remarks(report) {
        ctx.ui.note(&remark);
    }
    for auction_id in &report.not_found {
        ctx.ui
            .warn(&format!("auction {auction_id}: there is no such auction"));
    }
    Ok(match (report.is_clean(), report.not_found.is_empty()) {
        (false, _) => {
            ctx.ui
                .hint("gavel replay --explain ID tells an auction bid by bid");
            Exit::FINDINGS
        }
        (true, false) => Exit::REFUSED,
        (true, true) => Exit::DONE,
    })
}
