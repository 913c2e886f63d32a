//! `gavel migrate`.

use anyhow::Context as _;
use clap::Args;

use super::context::Context;
use super::exit::Exit;
use crate::clock::Clock;
use crate::output::views::migrate::MigrateView;
use crate::store::{Contract as _, MigrationState, Store, StoreUrl, WriteMode};

/// Make the database, or bring it up to this gavel
///
/// Applies what is missing and nothing else; running it again changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel migrate
  gavel migrate --dry-run
  gavel migrate --roles --database-url postgres://owner@db.example/auctions")]
pub(crate) struct MigrateArgs {
    /// Make the roles of people and processes too (PostgreSQL; needs the right to make roles)
    #[arg(long)]
    roles: bool,
    /// Say what would be applied, and apply nothing; with --roles make the roles and undo it
    #[arg(long)]
    dry_run: bool,
}

/// Migrates.
pub(crate) async fn run(args: MigrateArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let url = ctx.url()?;
    if args.dry_run {
        return rehearse(&url, args.roles, ctx).await;
    }
    let store = ctx.store_made()?;
    let cannot = || format!("cannot migrate {url}");
    let applied = store.migrate().await.with_context(cannot)?;
    if args.roles {
        store
            .roles_make(WriteMode::Commit)
            .await
            .with_context(|| format!("cannot make the roles in {url}"))?;
        ctx.ui.note("the roles are there");
    }
    let state = store.migration_state().await.with_context(cannot)?;
    let outcome = if applied.is_empty() {
        "current"
    } else {
        "migrated"
    };
    ctx.done(&MigrateView {
        database: url.to_string(),
        outcome,
        applied: applied.len(),
        version: state.applied.last().copied(),
        dry_run: false,
    })?;
    Ok(Exit::DONE)
}

/// A database that is not there yet is not made: an empty one elsewhere tells what it would need.
async fn rehearse(url: &StoreUrl, roles: bool, ctx: &mut Context) -> anyhow::Result<Exit> {
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let absent = matches!(url, StoreUrl::Sqlite(path) if !path.exists());
    let store = if absent {
        let empty = StoreUrl::Sqlite(scratch.path().join("empty.db"));
        Store::connect(&empty, Clock::System, true)?
    } else {
        ctx.store_made()?
    };
    let state = store.migration_state().await?;
    if roles {
        rehearse_roles(&store, url, &state, ctx).await?;
    }
    store.close().await;
    ctx.done(&MigrateView {
        database: url.to_string(),
        outcome: if state.pending.is_empty() {
            "current"
        } else {
            "pending"
        },
        applied: state.pending.len(),
        version: state.applied.last().copied(),
        dry_run: true,
    })?;
    Ok(Exit::DONE)
}

/// The roles are granted what the schema has, so that must be there.
async fn rehearse_roles(
    store: &Store,
    url: &StoreUrl,
    state: &MigrationState,
    ctx: &mut Context,
) -> anyhow::Result<()> {
    if matches!(store, Store::Postgres(_)) && !state.is_current() {
        ctx.ui
            .note("the roles are not rehearsed: they come after the migrations");
        return Ok(());
    }
    store
        .roles_make(WriteMode::Rehearse)
        .await
        .with_context(|| format!("cannot make the roles in {url}"))?;
    ctx.ui.note("the roles can be made; none was");
    Ok(())
}
