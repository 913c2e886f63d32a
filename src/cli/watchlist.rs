//! `gavel watchlist`.

use clap::{Args, Subcommand};

use super::context::{Context, mode};
use super::due_first::DueFirstArgs;
use super::exit::Exit;
use super::show::not_found;
use crate::auction::{AuctionId, PartyId};
use crate::output::views::auction::AuctionLine;
use crate::output::views::watchlist::WatchlistView;
use crate::store::{Contract as _, Watch};

/// Keep a person's list of watched auctions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel watchlist add 7731 --watcher wanda
  gavel watchlist remove 7731 --watcher wanda
  gavel watchlist list --watcher wanda --open")]
pub(crate) struct WatchlistArgs {
    #[command(subcommand)]
    command: WatchlistCommand,
}

#[derive(Debug, Subcommand)]
enum WatchlistCommand {
    /// Put an auction on the list
    #[command(after_help = "\
Examples:
  gavel watchlist add 7731 --watcher wanda")]
    Add(ChangeArgs),
    /// Take an auction off the list
    #[command(after_help = "\
Examples:
  gavel watchlist remove 7731 --watcher wanda")]
    Remove(ChangeArgs),
    /// List the watched auctions: those that end soonest first, then those that are over
    #[command(after_help = "\
Examples:
  gavel watchlist list --watcher wanda --format csv")]
    List {
        /// Whose list
        #[arg(long, value_name = "WHO")]
        watcher: PartyId,
        #[command(flatten)]
        list: DueFirstArgs,
    },
}

#[derive(Debug, Args)]
struct ChangeArgs {
    /// The auction
    #[arg(value_name = "ID")]
    auction_id: AuctionId,
    /// Whose list
    #[arg(long, value_name = "WHO")]
    watcher: PartyId,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Changes or lists.
pub(crate) async fn run(args: WatchlistArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let (change, watch) = match args.command {
        WatchlistCommand::List { watcher, list } => {
            let read = async |page, limit| store.watched_by(&watcher, page, limit).await;
            return list
                .stream(&store, ctx, read, |row| row, AuctionLine::new)
                .await;
        }
        WatchlistCommand::Add(change) => {
            let mode = mode(change.dry_run);
            let watch = store
                .watch_add(change.auction_id, &change.watcher, mode)
                .await?;
            (change, watch)
        }
        WatchlistCommand::Remove(change) => {
            let mode = mode(change.dry_run);
            let watch = store
                .watch_remove(change.auction_id, &change.watcher, mode)
                .await?;
            (change, watch)
        }
    };
    let outcome = match watch {
        Watch::Added => "added",
        Watch::Removed => "removed",
        Watch::Unchanged => "unchanged",
        Watch::NotFound => {
            let now = store.now().await?;
            not_found(ctx, change.auction_id, now);
            return Ok(Exit::REFUSED);
        }
    };
    ctx.done(&WatchlistView {
        auction_id: change.auction_id.get(),
        watcher: change.watcher.to_string(),
        outcome,
        dry_run: change.dry_run,
    })?;
    Ok(Exit::DONE)
}
