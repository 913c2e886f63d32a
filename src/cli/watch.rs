//! `gavel watch`.

use std::collections::HashMap;
use std::time::Duration;

use clap::Args;

use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use super::show::not_found;
use crate::auction::{AuctionId, Span};
use crate::clock::Clock;
use crate::output::views::watching::{Chronicle, WatchLine, region};
use crate::output::{Feed, Live};
use crate::store::{Contract as _, Store, StoreError, StoreErrorKind};
use crate::watch::{Patience, Polled, WatchError, Watcher};

/// What happens within this time comes together.
const POLL: Duration = Duration::from_millis(200);
/// After so long without an answer the database counts as lost.
const ANSWER: Duration = Duration::from_secs(20);
/// Between two tries of a database that does not answer.
const RETRY: Duration = Duration::from_millis(1_000);
/// How many auctions can be watched at once.
const IDS_MAX: usize = 1_000;

/// Watch auctions as the bids come in, until they are closed
///
/// One line for every bid, extension, void, amendment and cancellation, and at last the result.
/// On a terminal a line for each auction stands below them, with its price and the time left.
/// Bidders have the aliases of `gavel history`; no maximum is shown.
///
/// The time left is for display. Whether a bid counts is decided by the database's clock when the
/// bid is placed, and an auction that has ended waits for a closer to record its result; what is
/// told at the end as it stands can only be changed by a bid that was being placed just then.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel watch 7731
  gavel watch 7731 7732 --until-end
  gavel watch 7731 --from-start --format json | jq -r .event")]
pub(crate) struct WatchArgs {
    /// The auctions
    #[arg(value_name = "ID", required = true)]
    auction_ids: Vec<AuctionId>,
    /// Tell what happened before as well
    #[arg(long)]
    from_start: bool,
    /// Stop when all have ended, without waiting for a closer
    #[arg(long)]
    until_end: bool,
    /// How long to try again when the database cannot be reached
    #[arg(long, value_name = "SPAN", default_value = "1m")]
    patience: Span,
}

/// Watches until all are over.
pub(crate) async fn run(args: WatchArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if args.auction_ids.len() > IDS_MAX {
        let what = format!("at most {IDS_MAX} auctions can be watched at once");
        return Err(InputError::new(what).into());
    }
    let store = ctx.store().await?;
    let mut watcher = match Watcher::open(&store, &args.auction_ids, Clock::System).await? {
        Ok(watcher) => watcher,
        Err(absent) => {
            let now = store.now().await?;
            for id in absent {
                not_found(ctx, id, now);
            }
            return Ok(Exit::REFUSED);
        }
    };
    let mut patience = Patience::new(args.patience);
    let mut screen = Screen::new(&watcher, args.from_start, ctx);
    while !watcher.is_done(args.until_end) {
        match answer(&mut watcher).await {
            Ok(polled) => {
                if patience.answered() {
                    screen.note(ctx, "the database answers again");
                }
                screen.tell(&polled, ctx)?;
                screen.draw(&watcher);
                if !polled.behind && !watcher.is_done(args.until_end) {
                    tokio::time::sleep(POLL).await;
                }
            }
            Err(WatchError::Store(error)) => {
                lost(error, &mut patience, &screen, ctx)?;
                screen.draw(&watcher);
                tokio::time::sleep(RETRY).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Exit::DONE)
}

/// A poll, but for no longer than an answer may take: a connection can be lost without a word.
async fn answer(watcher: &mut Watcher<'_, Store>) -> Result<Polled, WatchError> {
    match tokio::time::timeout(ANSWER, watcher.poll()).await {
        Ok(polled) => polled,
        Err(_) => Err(WatchError::Store(StoreError::new(
            StoreErrorKind::Unreachable,
            "the database has not answered for 20 seconds",
        ))),
    }
}

/// Says that the database does not answer, once; gives its error back when patience has run out,
/// or when trying again cannot help.
fn lost(
    error: StoreError,
    patience: &mut Patience,
    screen: &Screen,
    ctx: &mut Context,
) -> Result<(), StoreError> {
    let first = !patience.is_tried();
    if !error.is_temporary() || !patience.allows(Clock::System.now()) {
        return Err(error);
    }
    if first {
        screen.note(ctx, &format!("{error}; trying again"));
    }
    Ok(())
}

/// Where it is told: lines that stay, and under them the region that is redrawn.
struct Screen {
    chronicles: HashMap<AuctionId, Chronicle>,
    feed: Feed<WatchLine>,
    live: Live,
}

impl Screen {
    fn new(watcher: &Watcher<'_, Store>, from_start: bool, ctx: &Context) -> Self {
        let lots = watcher.lots().iter();
        let chronicles = lots.map(|lot| (lot.row.auction_id, Chronicle::new(lot, from_start)));
        Self {
            chronicles: chronicles.collect(),
            feed: Feed::new(),
            live: Live::new(&ctx.ui),
        }
    }

    fn tell(&mut self, polled: &Polled, ctx: &mut Context) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        for news in &polled.news {
            if let Some(chronicle) = self.chronicles.get_mut(&news.auction_id()) {
                lines.extend(chronicle.lines(news));
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        let feed = &mut self.feed;
        let mut print = || {
            lines
                .iter()
                .try_for_each(|line| feed.push(&mut ctx.ui, line, &line.told()))
        };
        self.live.aside(&mut print)?;
        Ok(())
    }

    fn draw(&mut self, watcher: &Watcher<'_, Store>) {
        if self.live.is_hidden() {
            return;
        }
        let now = watcher.now();
        let mut rows = Vec::new();
        for lot in watcher.lots() {
            if let Some(chronicle) = self.chronicles.get_mut(&lot.row.auction_id) {
                rows.push(chronicle.live(lot, now));
            }
        }
        self.live.show(&region(&rows));
    }

    fn note(&self, ctx: &mut Context, text: &str) {
        self.live.aside(|| ctx.ui.note(text));
    }
}
