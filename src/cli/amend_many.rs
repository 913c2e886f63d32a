//! `gavel amend` on a selection: one operation that extends every auction it names.
//!
//! The selection is made once, and of it only ids and ends are kept. No lock is held over the
//! whole: an interruption leaves what was extended extended. Each auction's request id follows
//! from the operation's, so the same line with the same id goes on where it stopped and moves
//! nothing twice.

use clap::Args;
use sha2::{Digest as _, Sha256};

use super::context::{Context, actor, mode, nonce, request_id};
use super::error::{InputError, Unfinished};
use super::exit::Exit;
use super::fields::Fields;
use super::operate::OperateArgs;
use super::tally::{Tally, Words};
use crate::auction::operator::Deed;
use crate::auction::{
    Action, Amendment, AuctionId, Entry, Micros, PartyId, RequestId, Span, Status,
};
use crate::output::views::extension::{ExtensionView, Operation};
use crate::output::{Progress, units};
use crate::store::{
    AuctionFilter, AuctionOrder, Contract as _, Cursor, Reply, Store, StoreError, StoreErrorKind,
};

/// How many auctions are read at once.
const PAGE: u32 = 1_000;
/// How many are handed to the database at once; an embedded one holds its write lock as long.
const BATCH: usize = 100;
/// How many that were not extended are named under the sums.
const NAMED_MAX: usize = 20;

const WORDS: Words = Words {
    noun: "auction",
    done: "amended",
};

/// Which auctions, in the place of an id.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Selection")]
#[group(conflicts_with = "auction_id")]
pub(crate) struct SelectionArgs {
    /// Every auction that is open
    #[arg(long)]
    all_open: bool,
    /// Open auctions of this seller
    #[arg(long, value_name = "WHO")]
    seller: Option<PartyId>,
    /// Open auctions whose end is before this instant
    #[arg(long, value_name = "TIME")]
    ending_before: Option<Micros>,
    /// Open auctions whose end is after this instant
    #[arg(long, value_name = "TIME")]
    ending_after: Option<Micros>,
}

impl SelectionArgs {
    /// What is selected; something must be.
    pub(super) fn filter(self) -> Result<AuctionFilter, InputError> {
        let filter = AuctionFilter {
            seller: self.seller,
            ending_before: self.ending_before,
            ending_after: self.ending_after,
            ..AuctionFilter::default()
        };
        if !self.all_open && filter == AuctionFilter::default() {
            return Err(InputError::new("no auction was stated")
                .hint("state an ID, or a selection, such as --all-open"));
        }
        Ok(AuctionFilter {
            statuses: vec![Status::Open],
            ..filter
        })
    }
}

/// By how much the selected ones are extended; `alone` tells that no other term was stated.
pub(super) fn span(fields: &Fields, alone: bool) -> Result<Span, InputError> {
    if !alone {
        return Err(
            InputError::new("of many auctions only the end can be moved, by --extend-by")
                .hint("amend one auction, by its ID, to change its terms"),
        );
    }
    let by = fields.optional("extend_by", str::parse::<Span>)?;
    by.ok_or_else(|| {
        InputError::new("--extend-by is required with a selection")
            .hint("such as --extend-by 30m: each end moves by it")
    })
}

/// Extends them.
pub(super) async fn run(
    filter: AuctionFilter,
    by: Span,
    operate: OperateArgs,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let operation = Operation {
        id: request_id(operate.request_id),
        by,
        dry_run: operate.dry_run,
    };
    let template = Action {
        request_id: operation.id,
        actor: actor(operate.actor)?,
        reason: operate.reason,
        nonce: [0; 16],
        deed: Deed::Amend(Box::new(Amendment {
            extend_by: Some(by),
            ..Amendment::default()
        })),
    };
    let store = ctx.store().await?;
    let selected = select(&store, filter).await?;
    let total = u64::try_from(selected.len()).unwrap_or(u64::MAX);
    // Before anything is written: who is interrupted needs the id.
    ctx.ui.note(&format!(
        "operation {}: {} to extend by {by}",
        operation.id,
        units::count(total, "open auction"),
    ));
    let bar = Progress::bar(&ctx.ui, "extending", total);
    let mut told = Told {
        tally: Tally::live(&mut ctx.ui),
        left_out: Vec::new(),
        unnamed: 0,
        locked: 0,
        stopped: None,
    };
    for batch in selected.chunks(BATCH) {
        let actions: Vec<_> = batch
            .iter()
            .map(|(id, _)| (*id, action_on(*id, &template)))
            .collect();
        let outcomes = store.auctions_act(&actions, mode(operate.dry_run)).await;
        let all = outcomes.len() == actions.len();
        for ((selected, (_, action)), outcome) in batch.iter().zip(&actions).zip(outcomes) {
            match outcome {
                // Its own failure, or that of all.
                Err(error) if !is_alone(&error, all) => {
                    told.stopped.get_or_insert((selected.0, error));
                }
                outcome => told.add(*selected, action.request_id, &outcome, operation, ctx),
            }
            bar.add(1);
        }
        if told.stopped.is_some() {
            break;
        }
    }
    bar.finish();
    told.tell(operation, ctx)
}

/// The open auctions that fit, with their ends, by id: an end that moves meanwhile neither hides
/// an auction nor shows it twice.
async fn select(
    store: &Store,
    filter: AuctionFilter,
) -> Result<Vec<(AuctionId, Micros)>, StoreError> {
    // Open means before the end, whether or not a closer has noticed.
    let now = store.now().await?;
    let filter = AuctionFilter {
        ending_after: filter.ending_after.max(Some(now)),
        ..filter
    };
    let mut selected = Vec::new();
    let mut after = None;
    loop {
        let page = store
            .auction_list(&filter, AuctionOrder::Id, after, PAGE)
            .await?;
        selected.extend(page.iter().map(|row| (row.auction_id, row.end)));
        let Some(last) = page.last() else {
            return Ok(selected);
        };
        after = Some(Cursor {
            end: last.end,
            auction_id: last.auction_id,
        });
    }
}

fn action_on(auction_id: AuctionId, template: &Action) -> Action {
    Action {
        request_id: request_of(template.request_id, auction_id),
        nonce: nonce(),
        ..template.clone()
    }
}

/// The request id of an operation's part.
fn request_of(operation: RequestId, auction_id: AuctionId) -> RequestId {
    let part: [u8; 32] = Sha256::new()
        .chain_update(operation.bytes())
        .chain_update(auction_id.get().to_be_bytes())
        .finalize()
        .into();
    let mut id = [0; 16];
    id.copy_from_slice(&part[..16]);
    RequestId::new(uuid::Builder::from_custom_bytes(id).into_uuid())
}

/// Whether a failure is this auction's alone, so that the others go on. Where the whole database
/// is locked, none has an outcome.
fn is_alone(error: &StoreError, all_have_outcomes: bool) -> bool {
    match error.kind() {
        StoreErrorKind::Damaged => true,
        StoreErrorKind::Contended => all_have_outcomes,
        _ => false,
    }
}

/// What became of them so far.
struct Told {
    tally: Tally<ExtensionView>,
    /// Those not extended: who and why; and how many more there are.
    left_out: Vec<String>,
    unnamed: usize,
    /// Those that others kept locked.
    locked: usize,
    stopped: Option<(AuctionId, StoreError)>,
}

impl Told {
    fn add(
        &mut self,
        (auction_id, end): (AuctionId, Micros),
        request_id: RequestId,
        outcome: &Result<Reply<Entry>, StoreError>,
        operation: Operation,
        ctx: &mut Context,
    ) {
        if let Err(error) = outcome {
            self.locked += usize::from(error.is_temporary());
        }
        let view = ExtensionView::new((auction_id, end), request_id, outcome, operation);
        match &view.message {
            None => {}
            Some(why) if self.left_out.len() < NAMED_MAX => {
                self.left_out.push(format!("auction {auction_id}: {why}"));
            }
            Some(_) => self.unnamed += 1,
        }
        self.tally.add(&mut ctx.ui, &view, view.outcome);
    }

    fn tell(self, operation: Operation, ctx: &mut Context) -> anyhow::Result<Exit> {
        let answered = self.tally.answered();
        let told = self.tally.tell(WORDS, false, operation.dry_run, ctx);
        for text in &self.left_out {
            ctx.ui.warn(&format!("not extended: {text}"));
        }
        if self.unnamed > 0 {
            ctx.ui.warn(&format!("not extended: {} more", self.unnamed));
        }
        // What was done before a failure has been told by now.
        if let Some((auction_id, error)) = self.stopped {
            let after = units::count(answered, "auction");
            return Err(anyhow::Error::new(error).context(Unfinished {
                operation: operation.id,
                text: format!("stopped after {after}, at auction {auction_id}"),
            }));
        }
        let exit = told?;
        if self.locked > 0 {
            let id = operation.id;
            ctx.ui.hint(&format!(
                "the same line with --request-id {id} tries again what others kept locked"
            ));
            return Ok(Exit::TEMPORARY);
        }
        Ok(exit)
    }
}
