//! `gavel create`.

use std::path::PathBuf;

use clap::Args;

use super::context::{Context, mode, nonce, request_id};
use super::create_file;
use super::error::{InputError, unanswered};
use super::exit::Exit;
use super::fields::{FieldError, Fields, Source};
use super::terms::{self, Tables, TermsArgs};
use crate::auction::book::Create;
use crate::auction::{AuctionId, Entry, Kind, Micros, PartyId, RequestId, Terms};
use crate::output::views::create::CreateView;
use crate::store::{Contract as _, Reply, Store};

/// Create an auction, or many from a file
///
/// Amounts are decimals of the currency (12000 or 41.50). Times carry an offset or a zone
/// (2026-12-06T19:00:00-08:00, 2026-12-06T19:00[America/Los_Angeles]).
///
/// The price follows the second highest bidder: one step above that maximum, and never above the
/// leader's. --steps ebay-us and ebay-uk are eBay's tables (0.05 from 0.01, 0.25 from 1, up to 100
/// from 5000; gavel replay --explain prints them). A leader who raises the own maximum leaves the
/// price (--own-raise keep) or has it reckoned anew (reprice). A bid in the soft close's window
/// moves the end: every bid (--soft-close-trigger any), every one but the leader's own raise
/// (not-own-raise), or only one that takes the lead (leader-change).
///
/// A file is CSV with a header, or JSON lines; its columns are named like the options, with
/// underscores: id, seller, title, currency, start_price, steps, reserve, own_raise,
/// soft_close_window, soft_close_extend, soft_close_mode, soft_close_trigger, soft_close_cap,
/// starts_at, ends_at, ends_in, actor, request_id. A row must have seller, title, start_price and
/// an end.
///
/// A file is all or nothing: its rows are checked before the first is written, and all of them
/// are written in one transaction, during which nobody else writes to an SQLite database. With
/// --skip-bad the good ones are written in batches. The same file again changes nothing, and
/// neither do the rows of a corrected one that are as they were: a row without a request_id has
/// one that follows from what stands in it, or where it has no id, from the file and its line.
/// Memory does not grow with the file.
///
/// Cells are read as they stand: an apostrophe that --csv-safe has put before a text is a part of
/// it here, so what is to be read back is written without that option.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel create --seller alice --title 'Desk' --start-price 40 --ends-in 7d
  gavel create --id 7731 --seller alice --title 'Guitar' --start-price 1000 \\
      --steps 100 --reserve 5000 --soft-close-window 2m \\
      --ends-at '2026-12-06T19:00[America/Los_Angeles]'
  gavel create --file lots.csv --dry-run")]
pub(crate) struct CreateArgs {
    /// Many auctions from CSV or JSON lines; - reads standard input
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["id", "seller", "currency",
        "title", "start_price", "steps", "reserve", "own_raise", "soft_close_window",
        "soft_close_extend", "soft_close_mode", "soft_close_trigger", "soft_close_cap",
        "starts_at", "ends_at", "ends_in", "actor", "request_id"])]
    file: Option<PathBuf>,
    /// Write the good rows of a file and name the bad ones (exit 4)
    #[arg(long)]
    skip_bad: bool,
    /// The auction's number [default: a free one]
    #[arg(long, value_name = "ID")]
    id: Option<AuctionId>,
    /// Who sells
    #[arg(long, value_name = "WHO", required_unless_present = "file")]
    seller: Option<PartyId>,
    /// The currency of every amount, by ISO 4217 [default: USD]
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// Who creates it, for the ledger [default: the seller]
    #[arg(long, value_name = "WHO")]
    actor: Option<PartyId>,
    /// Makes a repeat harmless: the same id is done once [default: a fresh one]
    #[arg(long, value_name = "UUID")]
    request_id: Option<RequestId>,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    terms: TermsArgs,
}

/// Creates one, or those of a file.
pub(crate) async fn run(args: CreateArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    if let Some(file) = &args.file {
        return create_file::run(file, args.skip_bad, args.dry_run, ctx).await;
    }
    if args.skip_bad {
        return Err(InputError::option("--skip-bad", "only a --file has rows").into());
    }
    let dry_run = args.dry_run;
    let fields = args.fields();
    let named = Named::read(&fields).map_err(InputError::from)?;
    let store = ctx.store().await?;
    let now = store.now().await?;
    let first = match named.stated {
        true => first_starts(&store, &[named]).await?.pop().flatten(),
        false => None,
    };
    let create =
        plan(&fields, named, now, first, &mut Tables::default()).map_err(InputError::from)?;
    let replies = store
        .auction_create(std::slice::from_ref(&create), mode(dry_run))
        .await
        .map_err(|error| unanswered(error, create.request_id))?;
    let Some(reply) = replies.first() else {
        anyhow::bail!("the database gave no answer");
    };
    report(&create, reply, dry_run, ctx)
}

impl CreateArgs {
    fn fields(self) -> Fields {
        let mut fields = Fields::new(Source::Options);
        fields.set("id", self.id.map(|id| id.to_string()));
        fields.set("seller", self.seller);
        fields.set("currency", self.currency);
        fields.set("actor", self.actor);
        fields.set("request_id", self.request_id.map(|id| id.to_string()));
        self.terms.put_into(&mut fields);
        fields
    }
}

/// What is read of a create before the database is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    auction_id: AuctionId,
    request_id: RequestId,
    /// The request id was stated: the same may have been done before.
    stated: bool,
}

impl Named {
    /// Reads the ids; a free auction's number follows from the request.
    pub(super) fn read(fields: &Fields) -> Result<Self, FieldError> {
        let stated = fields.optional("request_id", str::parse::<RequestId>)?;
        let request_id = request_id(stated);
        let auction_id = fields
            .optional("id", str::parse::<AuctionId>)?
            .unwrap_or_else(|| AuctionId::from_request(request_id));
        Ok(Self {
            auction_id,
            request_id,
            stated: stated.is_some(),
        })
    }
}

/// A checked command. What was done by this request before, with this first start, is not judged
/// again: its spans count from the instant they counted from then, so that a repeat is a repeat.
pub(super) fn plan(
    fields: &Fields,
    named: Named,
    now: Micros,
    first: Option<Micros>,
    tables: &mut Tables,
) -> Result<Create, FieldError> {
    let terms = terms::terms(fields, first.unwrap_or(now), tables)?;
    if first.is_none() {
        terms::check(fields, &terms, now)?;
    }
    let actor = fields.optional("actor", str::parse::<PartyId>)?;
    Ok(Create {
        auction_id: named.auction_id,
        request_id: named.request_id,
        actor: actor.unwrap_or_else(|| terms.seller.clone()),
        nonce: nonce(),
        terms,
    })
}

/// The starts that these requests gave the auctions that they created before, in order.
pub(super) async fn first_starts(
    store: &Store,
    named: &[Named],
) -> anyhow::Result<Vec<Option<Micros>>> {
    let asked: Vec<(AuctionId, RequestId)> = named
        .iter()
        .map(|named| (named.auction_id, named.request_id))
        .collect();
    let found = store.ledger_find(&asked).await?;
    let start = |entry: Entry| {
        let terms = Terms::from_detail(&entry.detail, None).ok()?;
        (entry.kind == Kind::Create).then_some(terms.start)
    };
    Ok(found
        .into_iter()
        .map(|entry| entry.and_then(start))
        .collect())
}

fn report(
    create: &Create,
    reply: &Reply<Entry>,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let (view, refused) = CreateView::new(
        create.auction_id,
        create.request_id,
        &create.terms,
        reply,
        dry_run,
    );
    super::operate::answer(
        ctx,
        &view,
        refused,
        &format!("auction {}", create.auction_id),
    )
}
