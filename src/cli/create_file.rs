//! `gavel create --file`: all rows are checked, then written in one transaction, or with
//! `--skip-bad` the good ones in batches.

use std::path::Path;

use tokio::sync::mpsc;

use super::context::{Context, mode};
use super::create::{Named, first_starts, plan};
use super::error::stopped;
use super::exit::Exit;
use super::fields::{FieldError, Fields};
use super::tally::{Tally, Words};
use super::terms::{self, Tables};
use super::upload::{CHUNK, Layout, NAMED_MAX, Plan, Row, Upload, check, next};
use crate::auction::book::Create;
use crate::auction::{Entry, Micros, Refusal};
use crate::output::views::create::CreateView;
use crate::output::{Progress, Ui, units};
use crate::store::{Contract as _, LoadItem, Reply, Store};

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
    name: Some("id"),
    masked: false,
};

/// How many chunks are under way between reading, writing and recording.
const AHEAD: usize = 2;

const WORDS: Words = Words {
    noun: "auction",
    done: "created",
};

const INTERRUPTED: &str = "all auctions of the file are there or none: the same file again is safe";

/// Creates those of a file.
pub(super) async fn run(
    file: &Path,
    skip_bad: bool,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let store = ctx.store().await?;
    let mut upload = Upload::open(file, LAYOUT, store.upload_key().await?).await?;
    // One instant for the whole file: what is checked is what is written.
    let now = store.now().await?;
    let mut planner = Planner {
        store: &store,
        now,
        tables: Tables::default(),
    };
    if skip_bad {
        return by_batches(&mut upload, &mut planner, dry_run, ctx).await;
    }
    check(&mut upload, &mut planner, &ctx.ui).await?;
    load(&mut upload, &mut planner, dry_run, ctx).await
}

/// A row, ready to be created.
struct Planned {
    create: Create,
    fields: Fields,
}

struct Planner<'s> {
    store: &'s Store,
    now: Micros,
    tables: Tables,
}

impl Plan for Planner<'_> {
    type Planned = Planned;

    async fn plan(&mut self, rows: Vec<Row>) -> anyhow::Result<Vec<Result<Planned, FieldError>>> {
        let read = rows.into_iter().map(|row| {
            let fields = row?;
            Ok((Named::read(&fields)?, fields))
        });
        let read: Vec<Result<(Named, Fields), FieldError>> = read.collect();
        let named: Vec<Named> = read.iter().flatten().map(|(named, _)| *named).collect();
        let mut firsts = first_starts(self.store, &named).await?.into_iter();
        let planned = read.into_iter().map(|row| {
            let (named, fields) = row?;
            let first = firsts.next().flatten();
            let create = plan(&fields, named, self.now, first, &mut self.tables)?;
            Ok(Planned { create, fields })
        });
        Ok(planned.collect())
    }
}

/// All in one transaction: reading, writing and recording go on beside each other, and only if no
/// row was refused the whole is kept.
async fn load(
    upload: &mut Upload,
    planner: &mut Planner<'_>,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let store = planner.store;
    ctx.if_interrupted = Some(INTERRUPTED).filter(|_| !dry_run);
    let (to_store, incoming) = mpsc::channel(AHEAD);
    let (replies, answered) = mpsc::channel(AHEAD);
    let (to_record, planned) = mpsc::channel(AHEAD);
    let mut tally = Tally::held(&mut ctx.ui);
    let bar = Progress::file(&ctx.ui, "creating", upload.length());
    let driving = async {
        let feeding = feed(upload, planner, &to_store, to_record, &bar);
        let recording = record(planned, answered, &mut tally, dry_run, &mut ctx.ui);
        let (fed, refused) = tokio::join!(feeding, recording);
        fed?;
        if refused.is_empty() {
            upload.unchanged()?;
            // A store that has failed tells it itself.
            drop(to_store.send(LoadItem::End).await);
        }
        drop(to_store);
        anyhow::Ok(refused)
    };
    let loading = store.auctions_load(incoming, replies, mode(dry_run));
    let (loaded, driven) = tokio::join!(loading, driving);
    bar.finish();
    let refused = driven?;
    if !refused.is_empty() {
        return Ok(tell_refused(&refused, &mut ctx.ui));
    }
    loaded.map_err(|failure| stopped(failure, "the file is written whole or not at all"))?;
    tell(tally, upload, false, dry_run, ctx)
}

/// Reads and plans chunk after chunk, until nobody takes them.
async fn feed(
    upload: &mut Upload,
    planner: &mut Planner<'_>,
    to_store: &mpsc::Sender<LoadItem>,
    to_record: mpsc::Sender<Vec<Planned>>,
    bar: &Progress,
) -> anyhow::Result<()> {
    let mut rows = upload.rows()?;
    loop {
        let chunk = rows.chunk(CHUNK)?;
        if chunk.is_empty() {
            return Ok(());
        }
        let planned: Result<Vec<Planned>, FieldError> =
            planner.plan(chunk).await?.into_iter().collect();
        // All rows were good a moment ago.
        let planned = planned.map_err(super::error::InputError::from)?;
        let creates = planned.iter().map(|row| row.create.clone()).collect();
        bar.set_file(rows.bytes(), rows.rows());
        let taken = to_store.send(LoadItem::Chunk(creates)).await.is_ok();
        if !taken || to_record.send(planned).await.is_err() {
            return Ok(());
        }
    }
}

/// Puts every reply to its row; stops when enough are refused to be named.
async fn record(
    mut planned: mpsc::Receiver<Vec<Planned>>,
    mut answered: mpsc::Receiver<Vec<Reply<Entry>>>,
    tally: &mut Tally<CreateView>,
    dry_run: bool,
    ui: &mut Ui,
) -> Vec<FieldError> {
    let mut refused = Vec::new();
    while refused.len() < NAMED_MAX
        && let Some(rows) = planned.recv().await
        && let Some(replies) = answered.recv().await
    {
        for (row, reply) in rows.iter().zip(&replies) {
            if let Reply::Refused { refusal, now } = reply {
                refused.push(told(&row.fields, refusal, *now));
            }
            let view = view(&row.create, reply, dry_run);
            tally.add(ui, &view, view.outcome);
        }
    }
    refused
}

/// A refusal, at the column that caused it.
fn told(fields: &Fields, refusal: &Refusal, now: Micros) -> FieldError {
    match refusal {
        Refusal::AuctionExists => fields.wrong(
            "id",
            "auction-exists: there is such an auction already, or an earlier row makes it",
        ),
        Refusal::RequestIdReused { .. } => fields.wrong("request_id", refusal),
        other => terms::told(fields, other, now),
    }
}

fn tell_refused(refused: &[FieldError], ui: &mut Ui) -> Exit {
    let count = u64::try_from(refused.len()).unwrap_or(u64::MAX);
    let more = if refused.len() < NAMED_MAX {
        ""
    } else {
        " or more"
    };
    let rows = units::count(count, "row");
    let text = format!("the rules refuse {rows}{more}; nothing was written");
    ui.refusal(&text, &[]);
    for error in refused.iter().take(NAMED_MAX) {
        ui.detail(&error.to_string());
    }
    ui.hint("correct the rows, or pass them over with --skip-bad");
    Exit::REFUSED
}

/// The good rows, a batch a transaction.
async fn by_batches(
    upload: &mut Upload,
    planner: &mut Planner<'_>,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    let store = planner.store;
    let bar = Progress::file(&ctx.ui, "creating", upload.length());
    let mut tally = Tally::live(&mut ctx.ui);
    let mut rows = upload.rows()?;
    let outcome = loop {
        let planned = match next(&mut rows, planner, CHUNK).await {
            Ok(planned) if planned.is_empty() => break Ok(()),
            Ok(planned) => planned,
            Err(failure) => break Err(failure),
        };
        let mut creates = Vec::with_capacity(planned.len());
        for row in planned {
            match row {
                Ok(row) => creates.push(row.create),
                Err(error) => bar.aside(|| tally.pass_over(&mut ctx.ui, &error)),
            }
        }
        match store.auction_create(&creates, mode(dry_run)).await {
            Ok(replies) => {
                bar.aside(|| {
                    for (create, reply) in creates.iter().zip(&replies) {
                        let view = view(create, reply, dry_run);
                        tally.add(&mut ctx.ui, &view, view.outcome);
                    }
                });
            }
            Err(failure) => break Err(failure.into()),
        }
        bar.set_file(rows.bytes(), rows.rows());
    };
    bar.finish();
    let answered = units::count(tally.answered(), "row");
    let told = tell(tally, upload, true, dry_run, ctx);
    // What was done before a failure has been told by now.
    outcome.map_err(|failure| stopped(failure, &format!("stopped after {answered}")))?;
    Ok(upload.carried_out(told?, &mut ctx.ui))
}

fn tell(
    tally: Tally<CreateView>,
    upload: &Upload,
    skip_bad: bool,
    dry_run: bool,
    ctx: &mut Context,
) -> anyhow::Result<Exit> {
    if tally.is_empty() {
        ctx.ui.note(&format!("{}: no rows", upload.name()));
    }
    tally.tell(WORDS, skip_bad, dry_run, ctx)
}

fn view(create: &Create, reply: &Reply<Entry>, dry_run: bool) -> CreateView {
    let (id, request_id) = (create.auction_id, create.request_id);
    CreateView::new(id, request_id, &create.terms, reply, dry_run).0
}
