//! What amend, void and cancel have in common: an action on one auction, and its answer.

use clap::Args;

use super::context::{Context, actor, mode, nonce, request_id};
use super::error::unanswered;
use super::exit::Exit;
use super::terms;
use crate::auction::operator::Deed;
use crate::auction::{Action, AuctionId, Currency, Entry, Kind, Micros, PartyId, RequestId};
use crate::output::Card;
use crate::output::Format;
use crate::output::views::action::ActionView;
use crate::output::views::refusal::RefusalView;
use crate::store::{Contract as _, Reply, Store};

/// Options of every operator's action.
#[derive(Debug, Clone, Args)]
pub(crate) struct OperateArgs {
    /// Why, for the ledger
    #[arg(long, value_name = "TEXT", value_parser = terms::reason)]
    pub(crate) reason: String,
    /// Who acts, for the ledger
    #[arg(
        long,
        value_name = "WHO",
        env = "GAVEL_ACTOR",
        default_value = "operator"
    )]
    pub(crate) actor: Option<PartyId>,
    /// Makes a repeat harmless: the same id is done once [default: a fresh one]
    #[arg(long, value_name = "UUID")]
    pub(crate) request_id: Option<RequestId>,
    /// Do everything except keep it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl OperateArgs {
    /// Does it and tells the answer.
    pub(crate) async fn act(
        self,
        auction_id: AuctionId,
        deed: Deed,
        currency: Option<Currency>,
        store: &Store,
        ctx: &mut Context,
    ) -> anyhow::Result<Exit> {
        let action = Action {
            request_id: request_id(self.request_id),
            actor: actor(self.actor)?,
            reason: self.reason,
            nonce: nonce(),
            deed,
        };
        let reply = store
            .auction_act(auction_id, &action, mode(self.dry_run))
            .await
            .map_err(|error| unanswered(error, action.request_id))?;
        let asked = (
            auction_id,
            action.deed.kind(),
            action.request_id,
            action.actor.to_string(),
        );
        let before = end_before(store, &reply).await;
        let (view, refused) = ActionView::new(asked, currency, &reply, before, self.dry_run);
        answer(ctx, &view, refused, &format!("auction {auction_id}"))
    }
}

/// The end in force before an amendment, as the entry before it has it: exact, whoever else acts.
/// The amendment is done, so that what cannot be read is only left out.
async fn end_before(store: &Store, reply: &Reply<Entry>) -> Option<Micros> {
    let (Reply::Done(entry) | Reply::Repeated(entry)) = reply else {
        return None;
    };
    if entry.kind != Kind::Amend {
        return None;
    }
    let before = store.ledger_get(entry.auction_id, entry.seq - 2, 1).await;
    before.ok()?.first().map(|before| before.end)
}

/// Prints an answer: done on standard output; refused on standard error, and for programs on
/// standard output too.
pub(crate) fn answer<C: Card>(
    ctx: &mut Context,
    view: &C,
    refused: Option<RefusalView>,
    subject: &str,
) -> anyhow::Result<Exit> {
    let Some(refused) = refused else {
        ctx.done(view)?;
        return Ok(Exit::DONE);
    };
    let printed = match ctx.ui.format() {
        Format::Table => Ok(()),
        Format::Json | Format::Csv => ctx.ui.card(view),
    };
    refused.tell(&mut ctx.ui, subject);
    printed?;
    Ok(Exit::REFUSED)
}

/// The currency of an auction, if it is there.
pub(crate) async fn currency_of(
    store: &Store,
    auction_id: AuctionId,
) -> anyhow::Result<Option<Currency>> {
    Ok(store.auction_currency(auction_id).await?)
}
