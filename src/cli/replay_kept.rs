//! `gavel replay --against` and `--kept`: the record, held against what somebody kept.

use std::path::{Path, PathBuf};

use clap::Args;

use super::checkpoint_files as files;
use super::context::Context;
use super::error::InputError;
use crate::auction::Micros;
use crate::checkpoint::{Checkpoint, Differences, Kept, Leaves, Mismatch, compare, compare_kept};
use crate::ledger::{Check, ReplayReport};
use crate::output::units;
use crate::output::views::checkpoint::sentence;

/// What was kept.
#[derive(Debug, Args)]
pub(super) struct KeptArgs {
    /// Hold the record against a checkpoint (gavel checkpoint) too
    #[arg(
        long,
        value_name = "NOTE",
        requires = "key",
        conflicts_with_all = ["auction_ids", "ids"]
    )]
    against: Option<PathBuf>,
    /// Replay what has ended since a checkpoint, and what is open. What it covers is held against
    /// it by the heads; if they differ, nothing is replayed
    #[arg(
        long,
        value_name = "NOTE",
        requires = "key",
        conflicts_with_all = ["auction_ids", "ids", "against"]
    )]
    since: Option<PathBuf>,
    /// The checkpoint's leaves: each auction that differs is named
    #[arg(long, value_name = "FILE", requires = "key")]
    leaves: Option<PathBuf>,
    /// The checkpoint's verifier key, or a file that holds it
    #[arg(long, value_name = "VERIFIER")]
    key: Option<String>,
    /// Hold the record against closing events that somebody kept too: CSV with auction_id and
    /// ledger_head, or JSON
    #[arg(long, value_name = "FILE")]
    kept: Option<PathBuf>,
}

/// The same, read and verified.
pub(super) struct KeptFiles {
    checkpoint: Option<Checkpoint>,
    leaves: Option<Leaves>,
    /// What the checkpoint covers is not replayed.
    since: bool,
    kept: Option<Kept>,
}

impl KeptArgs {
    /// Reads the files, before any database.
    pub(super) fn read(&self) -> anyhow::Result<KeptFiles> {
        let note = self.against.as_ref().or(self.since.as_ref());
        if let (None, Some(_)) = (note, &self.key) {
            let why = "it is the key of a checkpoint: name one by --against or --since";
            return Err(InputError::option("--key", why).into());
        }
        let checkpoint = match (note, &self.key) {
            (Some(note), Some(key)) => {
                let key = files::verifier(key)?;
                Some(Checkpoint::verified(&files::note(note)?, &key)?)
            }
            _ => None,
        };
        let leaves = self.leaves.as_deref().map(files::leaves).transpose()?;
        if let (Some(checkpoint), Some(leaves)) = (&checkpoint, &leaves) {
            leaves.belong_to(checkpoint)?;
        }
        Ok(KeptFiles {
            checkpoint,
            leaves,
            since: self.since.is_some(),
            kept: self.kept.as_deref().map(files::kept).transpose()?,
        })
    }
}

impl KeptFiles {
    /// What ended before this instant is not replayed.
    pub(super) fn cut(&self) -> Option<Micros> {
        let checkpoint = self.checkpoint.as_ref().filter(|_| self.since);
        checkpoint.map(|checkpoint| checkpoint.cut)
    }

    /// Compares what the checkpoint of --since covers, and adds what differs to the report.
    pub(super) async fn compare_covered(
        &self,
        from: Option<&Path>,
        report: &mut ReplayReport,
        listed_max: usize,
        ctx: &mut Context,
    ) -> anyhow::Result<()> {
        let checkpoint = self.checkpoint.as_ref().filter(|_| self.since);
        self.compare_with(checkpoint, None, (from, report, listed_max), ctx)
            .await
    }

    /// Compares everything else, and adds what differs to the report.
    pub(super) async fn compare(
        &self,
        from: Option<&Path>,
        report: &mut ReplayReport,
        listed_max: usize,
        ctx: &mut Context,
    ) -> anyhow::Result<()> {
        if self.since {
            report.add(Check::Checkpoint, 0, Vec::new(), listed_max);
        }
        let checkpoint = self.checkpoint.as_ref().filter(|_| !self.since);
        let kept = self.kept.as_ref();
        self.compare_with(checkpoint, kept, (from, report, listed_max), ctx)
            .await
    }

    async fn compare_with(
        &self,
        checkpoint: Option<&Checkpoint>,
        kept: Option<&Kept>,
        (from, report, listed_max): (Option<&Path>, &mut ReplayReport, usize),
        ctx: &mut Context,
    ) -> anyhow::Result<()> {
        if checkpoint.is_none() && kept.is_none() {
            return Ok(());
        }
        let mut store = None;
        let record = files::record(from, &mut store, ctx).await?;
        let mut add = |check, differences: Differences| {
            let findings = differences.listed.iter().map(Mismatch::finding).collect();
            report.add(check, differences.total, findings, listed_max);
        };
        if let Some(checkpoint) = checkpoint {
            let leaves = self.leaves.as_ref();
            let found = compare(&record, checkpoint, leaves, listed_max).await?;
            add(Check::Checkpoint, found);
            ctx.ui
                .note(&format!("held against a {}", sentence(checkpoint)));
        }
        if let Some(kept) = kept {
            let found = compare_kept(&record, &kept.heads, listed_max).await?;
            add(Check::KeptHead, found);
            let heads = u64::try_from(kept.heads.len()).unwrap_or(u64::MAX);
            let mut note = format!("held against {}", units::count(heads, "kept head"));
            if kept.passed_over > 0 {
                let events = units::count(kept.passed_over, "event");
                note.push_str(&format!("; {events} without a head"));
            }
            ctx.ui.note(&note);
        }
        Ok(())
    }
}
