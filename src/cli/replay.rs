//! `gavel replay`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use super::explain;
use crate::auction::{AuctionId, Span};
use crate::ledger::{Check, CheckSet, ReplayOptions, ReplayReport, replay_folder, replay_store};
use crate::output::views::replay::{FindingLine, remarks, verdict};
use crate::output::{Format, Progress};
use crate::store::Scope;

const EXAMPLES: &str = "\
Examples:
  gavel replay
  gavel replay 7731 7732
  gavel replay --explain 7731
  gavel replay --from export/";

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
    /// These auctions only
    #[arg(value_name = "ID")]
    auction_ids: Vec<AuctionId>,
    /// Read an exported folder instead of the database
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Tell one auction bid by bid: what happened, which rule applied, why a bid lost. The
    /// auditor's view: it names the maxima
    #[arg(long, value_name = "ID", conflicts_with_all = ["auction_ids", "threads", "findings",
        "due_grace", "claim_timeout"])]
    explain: Option<AuctionId>,
    /// How long past its end an auction may be open without a finding [default: not at all]
    #[arg(long, value_name = "SPAN")]
    due_grace: Option<Span>,
    /// How long a closer's claim may last [default: 1m]
    #[arg(long, value_name = "SPAN")]
    claim_timeout: Option<Span>,
    /// List at most so many findings; all are counted
    #[arg(long, value_name = "N")]
    findings: Option<usize>,
    /// Auctions are judged by so many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// The examples, and every check by its name.
fn long_help() -> String {
    format!("{EXAMPLES}\n\n{}", checks())
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
        return explain::run(auction_id, args.from, ctx).await;
    }
    let defaults = ReplayOptions::default();
    let options = ReplayOptions {
        threads: args.threads.unwrap_or(defaults.threads),
        findings_listed_max: args.findings.unwrap_or(defaults.findings_listed_max),
        due_grace: args.due_grace,
        claim_timeout: args.claim_timeout.or(defaults.claim_timeout),
        checks: CheckSet::default(),
    };
    let scope = scope(args.auction_ids);
    let bar = Progress::bar(&ctx.ui, "replaying", 0);
    let progress = bar.clone();
    let told = move |done: crate::ledger::ReplayProgress| {
        progress.set_total(done.entries_total);
        progress.set(done.entries);
    };
    let report = match &args.from {
        Some(folder) => replay_folder(folder, &scope, &options, told).await?,
        None => {
            let store = ctx.store().await?;
            replay_store(&store, &scope, &options, told).await?
        }
    };
    bar.finish();
    tell(&report, ctx)
}

/// All, or the ids that were named.
pub(super) fn scope(auction_ids: Vec<AuctionId>) -> Scope {
    if auction_ids.is_empty() {
        Scope::All
    } else {
        Scope::Ids(auction_ids)
    }
}

/// Prints a report; gives the exit code.
pub(super) fn tell(report: &ReplayReport, ctx: &mut Context) -> anyhow::Result<Exit> {
    let (tone, verdict) = verdict(report);
    let findings: Vec<FindingLine> = report.listed.iter().map(FindingLine::from).collect();
    match ctx.ui.format() {
        Format::Json => ctx.ui.object(report)?,
        Format::Csv => ctx.ui.csv(&findings)?,
        Format::Table => {
            ctx.ui.cards(&findings)?;
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
