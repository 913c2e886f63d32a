//! `gavel create --file`: all rows are checked, then written in batches.

use std::collections::HashMap;
use std::path::Path;

use super::context::{Context, mode};
use super::create::{PlanError, plan};
use super::exit::Exit;
use super::fields::{FieldError, Fields};
use super::rows::{self, Layout};
use super::tally::{Tally, Words, unanswered};
use crate::auction::Entry;
use crate::auction::book::Create;
use crate::output::Progress;
use crate::output::views::create::CreateView;
use crate::store::{Contract as _, Reply, Store};

const LAYOUT: Layout = Layout {
    columns: &[
        "id",
        "seller",
        "title",
        "currency",
        "start_price",
        "steps",
        "reserve",
        "own_raise",
        "soft_close_window",
        "soft_close_extend",
        "soft_close_mode",
        "soft_close_trigger",
        "soft_close_cap",
        "starts_at",
        "ends_at",
        "ends_in",
        "actor",
        "request_id",
    ],
    required: &["seller", "title", "start_price"],
    masked: false,
};

/// How many are written in one transaction.
const BATCH: usize = 500;

const WORDS: Words = Words {
    noun: "auction",
    done: "created",
};

/// Creates those of a file.
pub(super) async fn run(
    file: &Path,
    skip_bad: bool,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let rows = rows::read(file, LAYOUT).await?;
    let store = ctx.store().await?;
    let planned = plan_all(rows, &store).await?;
    let (creates, bad) = rows::sort_out(planned, skip_bad)?;
    let bar = Progress::bar(
        &ctx.ui,
        "creating",
        u64::try_from(creates.len()).unwrap_or(0),
    );
    let mut tally = Tally::begin(&mut ctx.ui);
    let mut outcome = Ok(());
    for batch in creates.chunks(BATCH) {
        match store.auction_create(batch, mode(dry_run)).await {
            Ok(replies) => {
                for view in batch.iter().zip(&replies).map(|one| view(one, dry_run)) {
                    tally.add(&mut ctx.ui, &view, view.outcome);
                    bar.add(1);
                }
            }
            Err(failure) => {
                outcome = Err(unanswered(
                    failure,
                    tally.answered(),
                    batch.first().map(|create| create.request_id),
                ));
                break;
            }
        }
    }
    bar.finish();
    if tally.answered() == 0 && bad.is_empty() && outcome.is_ok() {
        ctx.ui.note(&format!("{}: no rows", file.display()));
    }
    let told = tally.tell(WORDS, &bad, dry_run, ctx);
    // What was done before a failure has been told by now.
    outcome?;
    told
}

fn view((create, reply): (&Create, &Reply<Entry>), dry_run: bool) -> CreateView {
    let (id, request_id) = (create.auction_id, create.request_id);
    CreateView::new(id, request_id, &create.terms, reply, dry_run).0
}

async fn plan_all(
    rows: Vec<Result<Fields, FieldError>>,
    store: &Store,
) -> anyhow::Result<Vec<Result<Create, FieldError>>> {
    let mut seen = HashMap::new();
    let mut planned = Vec::with_capacity(rows.len());
    for row in rows {
        let fields = match row {
            Ok(fields) => fields,
            Err(error) => {
                planned.push(Err(error));
                continue;
            }
        };
        planned.push(match plan(&fields, store).await {
            Err(PlanError::Store(error)) => return Err(error.into()),
            Err(PlanError::Field(error)) => Err(error),
            Ok(create) => match seen.insert(create.auction_id, create.request_id) {
                Some(other) if other != create.request_id => {
                    Err(fields.wrong("id", "another row has this id already"))
                }
                _ => Ok(create),
            },
        });
    }
    Ok(planned)
}
