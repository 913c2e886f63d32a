//! `gavel replay --what-if`.

use std::path::PathBuf;

use super::context::Context;
use super::error::InputError;
use super::exit::Exit;
use crate::ledger::{AuditError, Derived, WhatIf, WhatIfError, each, what_if};
use crate::output::views::what_if::{WhatIfEnd, WhatIfLine, WhatIfTotals};
use crate::output::{Format, Listing, OutputError, Tone, units};
use crate::store::{Dossier, Scope};

/// What is asked, and of which auctions.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) changes: Vec<String>,
    pub(super) scope: Scope,
    pub(super) from: Option<PathBuf>,
    /// Those that would not differ too.
    pub(super) all: bool,
}

/// What stops it.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("auction {0}: its maxima are hidden from this reader, and a what-if needs them")]
    Hidden(i64),
}

/// Derives and tells.
pub(super) async fn run(asked: Asked, ctx: &mut Context) -> anyhow::Result<Exit> {
    let question = question(&asked)?;
    let mut listing = Listing::begin(&mut ctx.ui)?;
    let mut teller = Teller {
        question,
        all: asked.all,
        inapplicable: None,
        totals: WhatIfTotals::new(asked.changes.clone()),
    };
    let mut store = None;
    let origin = ctx.origin(asked.from.as_deref(), &mut store).await?;
    let take = |dossier: &Dossier| teller.take(dossier, &mut listing, ctx);
    let missing = each(origin, &asked.scope, take).await.map_err(told)?;
    listing.finish(&mut ctx.ui)?;
    let inapplicable = teller.inapplicable.take();
    let totals = teller.totals.finished();
    if let Some(why) = inapplicable.filter(|_| totals.auctions == 0) {
        return Err(InputError::option("--what-if", why).into());
    }
    tell(&totals, ctx)?;
    for auction_id in &missing {
        ctx.ui
            .warn(&format!("auction {auction_id}: there is no such auction"));
    }
    Ok(match (totals.unreadable, missing.is_empty()) {
        (0, true) => Exit::DONE,
        (0, false) => Exit::REFUSED,
        _ => Exit::FINDINGS,
    })
}

fn question(asked: &Asked) -> anyhow::Result<WhatIf> {
    let question = WhatIf::parse(&asked.changes).map_err(|error| {
        let names_no_key = matches!(error, WhatIfError::Key(_));
        let input = InputError::option("--what-if", error);
        match names_no_key {
            true => input.details(WhatIfError::keys()).hint("write KEY=VALUE"),
            false => input.hint("gavel replay --help lists what each key takes"),
        }
    })?;
    let one = matches!(&asked.scope, Scope::Ids(ids) if ids.len() == 1);
    if question.names_bids() && !one {
        let why = "without-bid: a seq belongs to one auction";
        return Err(InputError::option("--what-if", why)
            .hint("state its id: gavel replay ID --what-if without-bid=SEQ")
            .into());
    }
    Ok(question)
}

struct Teller {
    question: WhatIf,
    all: bool,
    /// Why the first auction that cannot have the change cannot.
    inapplicable: Option<String>,
    totals: WhatIfTotals,
}

impl Teller {
    fn take(
        &mut self,
        dossier: &Dossier,
        listing: &mut Listing<WhatIfLine>,
        ctx: &mut Context,
    ) -> Result<(), Stopped> {
        let auction_id = dossier.auction_id;
        match what_if(&self.question, dossier) {
            Derived::Hidden => return Err(Stopped::Hidden(auction_id)),
            Derived::Compared(compared) => {
                self.totals.add(&compared);
                if self.all || !compared.changes().is_empty() {
                    listing.push(&mut ctx.ui, &WhatIfLine::new(&compared))?;
                }
            }
            Derived::NotApplicable(why) => {
                self.totals.not_applicable += 1;
                let why = format!("auction {auction_id}: {why}");
                self.inapplicable.get_or_insert(why);
            }
            Derived::Unreadable(why) => {
                self.totals.unreadable += 1;
                ctx.ui
                    .warn(&format!("auction {auction_id} cannot be derived: {why}"));
            }
        }
        Ok(())
    }
}

fn told(stopped: Stopped) -> anyhow::Error {
    match stopped {
        Stopped::Audit(error) => error.into(),
        Stopped::Output(error) => error.into(),
        Stopped::Hidden(_) => InputError::new(stopped.to_string())
            .hint("ask for a full export, or for an account with gavel_auditor")
            .into(),
    }
}

fn tell(totals: &WhatIfTotals, ctx: &mut Context) -> anyhow::Result<()> {
    if ctx.ui.format() == Format::Json {
        ctx.ui.object(&WhatIfEnd { totals })?;
    }
    for line in totals.lines() {
        match ctx.ui.format() {
            Format::Table => {
                for part in units::wrapped(&line, ctx.ui.width()) {
                    ctx.ui.line(Tone::Good, &part)?;
                }
            }
            Format::Json | Format::Csv => ctx.ui.note(&line),
        }
    }
    if totals.not_applicable > 0 {
        ctx.ui.warn(&format!(
            "{} left out: their terms cannot be changed like that",
            units::count(totals.not_applicable, "auction")
        ));
    }
    if totals.record_differs > 0 {
        ctx.ui.warn(&format!(
            "{}: what is recorded is not what the rules give; was is what they give",
            units::count(totals.record_differs, "auction")
        ));
        ctx.ui.hint("gavel replay names what differs");
    }
    ctx.ui.note(
        "assumed: everybody would have bid the same, at the same times; refused bids are unknown",
    );
    Ok(())
}
