//! `gavel doctor`.

use clap::Args;

use super::context::Context;
use super::exit::Exit;
use crate::clock::Clock;
use crate::output::views::doctor::{DoctorLine, worst};
use crate::store::{Contract as _, Diagnosis, Level, Store};

/// Look into the database and say what is wrong with it
///
/// Changes nothing. Exit 1 if a check fails.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel doctor
  gavel doctor --format json")]
pub(crate) struct DoctorArgs {}

/// Looks into it.
pub(crate) async fn run(_: DoctorArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let url = ctx.url()?;
    ctx.ui.note(&format!("database: {url}"));
    let found = match Store::connect(&url, Clock::System, false) {
        Ok(store) => {
            let found = store.doctor().await;
            store.close().await;
            found
        }
        Err(error) => Err(error),
    };
    let found = found.unwrap_or_else(|error| {
        let why = std::error::Error::source(&error).map_or(String::new(), |why| format!(": {why}"));
        vec![Diagnosis::fail(
            "database",
            format!("{error}{why}"),
            error.kind().advice(),
        )]
    });
    let lines: Vec<DoctorLine> = found.iter().map(DoctorLine::from).collect();
    ctx.ui.list(&lines)?;
    for one in &found {
        if let Some(advice) = &one.advice {
            ctx.ui.hint(&format!("{}: {advice}", one.name));
        }
    }
    Ok(match worst(&found) {
        Level::Fail => Exit::FAILED,
        Level::Warn | Level::Ok => Exit::DONE,
    })
}
