//! `gavel bid`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::bid_file;
use super::context::{Context, mode, nonce, request_id};
use super::error::{InputError, unanswered};
use super::exit::Exit;
use super::fields::{FieldError, Fields, Source};
use super::jump::{GUARDED, MaxJump};
use super::operate::{answer, currency_of};
use crate::auction::{AuctionId, Bid, Currency, PartyId, RequestId};
use crate::output::views::bid::BidView;
use crate::output::views::refusal::RefusalView;
use crate::store::{Contract as _, Store};

/// Place a bid, or many from a file
///
/// The maximum stays hidden: gavel bids for the bidder up to it, one step above the second
/// highest. The answer never repeats it.
///
/// A file is CSV with a header, or JSON lines, with the columns auction_id, bidder, maximum and,
/// if wanted, currency and request_id. All rows are checked before any bid is placed.
///
/// With --max-jump 5x a maximum of more than five times the lowest bid that would be taken now is
/// refused before it is sent (code jump); --max-jump none, or a larger factor, confirms it. The
/// price is looked at just before: one that moves in between does no harm. In a file such a row is
/// a bad one; rows are judged by the prices before the file and, as it is placed, by those of then.
///
/// With --dry-run a bid is told as accepted or refused, and nothing of what it would do to the
/// price: that would give hidden maxima away. Rows of a file are judged each for itself.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel bid 7731 --bidder marcus --max 12000
  gavel bid 7731 --bidder marcus --max 12000 \\
      --request-id 018f3c5e-7b1a-7c2d-9e4f-0123456789ab   # done once
  gavel bid 7731 --bidder marcus --max 12000 --max-jump 20x
  gavel bid --file bids.csv")]
pub(crate) struct BidArgs {
    /// The auction
    #[arg(value_name = "ID", required_unless_present = "file")]
    auction_id: Option<AuctionId>,
    /// Who bids
    #[arg(long, value_name = "WHO", required_unless_present = "file")]
    bidder: Option<PartyId>,
    /// The most the bidder is ready to pay; hidden
    #[arg(
        long,
        value_name = "AMOUNT",
        required_unless_present = "file",
        allow_negative_numbers = true
    )]
    max: Option<String>,
    /// The currency the bidder means; another than the auction's is refused
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// Makes a repeat harmless: the same id is done once [default: a fresh one]
    #[arg(long, value_name = "UUID")]
    request_id: Option<RequestId>,
    /// Refuse a maximum that is more than so many times the lowest bid taken now; none: take any
    #[arg(long, value_name = "FACTOR", env = "GAVEL_MAX_JUMP")]
    max_jump: Option<MaxJump>,
    /// Many bids from CSV or JSON lines; - reads standard input
    #[arg(long, short, value_name = "FILE",
        conflicts_with_all = ["auction_id", "bidder", "max", "currency", "request_id"])]
    file: Option<PathBuf>,
    /// Place the good rows of a file and name the bad ones (exit 4)
    #[arg(long)]
    skip_bad: bool,
    /// Do everything except keep it
    #[arg(long)]
    dry_run: bool,
}

/// Places one, or those of a file.
pub(crate) async fn run(args: BidArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let guard = args.max_jump.filter(|jump| !jump.is_none());
    if let Some(file) = &args.file {
        return bid_file::run(file, guard, args.skip_bad, args.dry_run, ctx).await;
    }
    if args.skip_bad {
        return Err(InputError::option("--skip-bad", "only a --file has rows").into());
    }
    let dry_run = args.dry_run;
    let fields = args.fields();
    let asked = Asked::read(&fields).map_err(InputError::from)?;
    let store = ctx.store().await?;
    let subject = format!("auction {}", asked.auction_id);
    let Some(currency) = currency_of(&store, asked.auction_id).await? else {
        let (view, refused) = asked.not_found(store.now().await?, dry_run);
        return answer(ctx, &view, Some(refused), &subject);
    };
    let bid = asked.bid(&fields, currency).map_err(InputError::from)?;
    if let Some(refused) = held_back(guard, &bid, &store).await? {
        let view = BidView::held_back(&bid, &refused, dry_run);
        return answer(ctx, &view, Some(refused), &subject);
    }
    let reply = store
        .bid_place(&bid, mode(dry_run))
        .await
        .map_err(|error| unanswered(error, bid.request_id))?;
    let (view, refused) = BidView::new(&bid, currency, &reply, dry_run);
    answer(ctx, &view, refused, &subject)
}

/// The refusal of a bid that jumps too far.
async fn held_back(
    guard: Option<MaxJump>,
    bid: &Bid,
    store: &Store,
) -> anyhow::Result<Option<RefusalView>> {
    let Some(guard) = guard else {
        return Ok(None);
    };
    let now = store.now().await?;
    let row = store.auction_get(bid.auction_id).await;
    let row = row.context(GUARDED)?;
    let refused = row.and_then(|row| guard.judge(bid, &row, now));
    if refused.is_none() {
        return Ok(None);
    }
    // What was done before is answered, whatever the price is now.
    let done = store.ledger_find(&[(bid.auction_id, bid.request_id)]).await;
    let done = done.context(GUARDED)?.into_iter().flatten().next();
    Ok(refused.filter(|_| done.is_none()))
}

impl BidArgs {
    fn fields(self) -> Fields {
        let mut fields = Fields::masked(Source::Options);
        fields.set("auction_id", self.auction_id.map(|id| id.to_string()));
        fields.set("bidder", self.bidder);
        fields.set("maximum", self.max);
        fields.set("currency", self.currency);
        fields.set("request_id", self.request_id.map(|id| id.to_string()));
        fields
    }
}

/// A bid as far as it can be read without the auction.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// The auction.
    pub(super) auction_id: AuctionId,
    bidder: PartyId,
    request_id: RequestId,
    currency: Option<Currency>,
}

impl Asked {
    /// Reads everything but the amount.
    pub(super) fn read(fields: &Fields) -> Result<Self, FieldError> {
        Ok(Self {
            auction_id: fields.required("auction_id", str::parse)?,
            bidder: fields.required("bidder", str::parse)?,
            request_id: request_id(fields.optional("request_id", str::parse)?),
            currency: fields.optional("currency", Currency::from_code)?,
        })
    }

    /// The bid, its amount read in the currency the bidder means.
    pub(super) fn bid(&self, fields: &Fields, auctions: Currency) -> Result<Bid, FieldError> {
        let currency = self.currency.unwrap_or(auctions);
        let maximum = fields.required("maximum", |text| currency.parse(text))?;
        Ok(Bid {
            auction_id: self.auction_id,
            request_id: self.request_id,
            bidder: self.bidder.clone(),
            maximum: maximum.minor(),
            currency,
            nonce: nonce(),
        })
    }

    /// The answer where there is no such auction.
    pub(super) fn not_found(
        &self,
        now: crate::auction::Micros,
        dry_run: bool,
    ) -> (BidView, RefusalView) {
        BidView::not_found(
            self.auction_id,
            self.bidder.to_string(),
            self.request_id.to_string(),
            now,
            dry_run,
        )
    }
}
