//! `gavel import --map`: a foreign history by a mapping, into a folder or the database.
//!
//! Everything is read, played and judged before anything is written; the database then takes the
//! history as the folder that it would be, through the same import.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::context::{Context, mode};
use super::error::{InputError, Untold};
use super::exit::Exit;
use super::fields::{mask, shown};
use super::import::from_folder;
use crate::clock::Clock;
use crate::history::{self, BadRow, Histories, HistoryError, Mapping, MappingError, Source};
use crate::ledger::bundle::ImportOptions;
use crate::output::views::foreign::{DifferenceLine, HistoryView, Kept, sums};
use crate::output::{Format, units};
use crate::store::Dossier;

/// What is asked for.
pub(super) struct MapPlan {
    pub(super) map: PathBuf,
    pub(super) files: Files,
    pub(super) to: Option<PathBuf>,
    pub(super) overwrite: bool,
    pub(super) skip_bad: bool,
    pub(super) accept_findings: bool,
    pub(super) dry_run: bool,
}

/// The files of a history, in the order in which a mapping takes them.
pub(super) struct Files(Vec<PathBuf>);

impl Files {
    /// One file, or the auctions' and the bids'.
    pub(super) fn of(
        one: Option<PathBuf>,
        two: Option<(PathBuf, PathBuf)>,
    ) -> Result<Self, InputError> {
        match (one, two) {
            (Some(file), _) => Ok(Self(vec![file])),
            (None, Some((auctions, bids))) if auctions == bids => {
                let why = format!("{} cannot be both", auctions.display());
                let hint = "auctions and bids in one file: layout = \"one-file\" in the mapping";
                Err(InputError::option("--auctions and --bids", why).hint(hint))
            }
            (None, Some((auctions, bids))) => Ok(Self(vec![auctions, bids])),
            (None, None) => Err(InputError::new("--map needs the files of the history")
                .hint("state FILE, or --auctions FILE --bids FILE, as the mapping's layout says")),
        }
    }
}

/// Reads by the mapping, and writes.
pub(super) async fn run(plan: MapPlan, ctx: &mut Context) -> anyhow::Result<Exit> {
    let map_name = plan.map.display().to_string();
    let mapping = mapping(&plan.map, &map_name).await?;
    let mut sources = Vec::new();
    for path in &plan.files.0 {
        sources.push(source(path.clone()).await?);
    }
    let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
    let now = Clock::System.now();
    let reading = move || history::read(&mapping, &sources, now);
    let read = tokio::task::spawn_blocking(reading).await;
    let read = read.context("the reader stopped")?;
    let histories = read.map_err(|error| unreadable(error, &map_name))?;
    if !plan.skip_bad {
        stop_at_bad(&histories.report.left_out)?;
    }
    for bad in &histories.report.left_out {
        ctx.ui.warn(&format!("left out: {}", told(bad)));
    }
    if histories.dossiers.is_empty() {
        let what = format!("no auction of {} can be used", names.join(" and "));
        return Err(InputError::new(what).into());
    }
    let Histories { dossiers, report } = histories;
    let differing = !report.differing.is_empty() && !plan.accept_findings;
    let kept = if let Some(folder) = &plan.to {
        let (to, overwrite) = (folder.clone(), plan.overwrite);
        write(to, dossiers, overwrite).await?;
        Kept::folder(folder)
    } else if differing {
        Kept::nothing(plan.dry_run)
    } else {
        into_database(dossiers, &plan, ctx).await?
    };
    let view = HistoryView::new(map_name, names, report, kept);
    tell(&view, plan.dry_run, ctx)?;
    if differing && plan.to.is_none() {
        let number = i128::try_from(view.report.differing.len()).unwrap_or(0);
        let values = units::count(number, "recorded value");
        ctx.ui.error(&format!(
            "{values} {} not what the rules give; nothing was written",
            if number == 1 { "is" } else { "are" }
        ));
        ctx.ui
            .hint("--accept-findings imports them as recorded; --to FOLDER writes a folder");
    }
    Ok(if differing || !view.report.left_out.is_empty() {
        Exit::FINDINGS
    } else {
        Exit::DONE
    })
}

async fn mapping(path: &Path, name: &str) -> anyhow::Result<Mapping> {
    let source = source(path.to_owned()).await?;
    let text = std::str::from_utf8(&source.bytes)
        .map_err(|_| InputError::new(format!("{name}: not UTF-8")))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Mapping::parse(name, text).map_err(|error| {
        let MappingError { line, text, .. } = &error;
        let shown = Some(text).filter(|text| !text.is_empty());
        let shown = shown.map(|text| format!("{line} | {}", units::one_line(text)));
        InputError::new(error.to_string())
            .details(shown.into_iter().collect())
            .hint("gavel import --help describes a mapping, key by key")
            .into()
    })
}

/// Off the main task, so that Ctrl-C is heard while standard input is silent.
async fn source(path: PathBuf) -> anyhow::Result<Source> {
    let stdin = path == Path::new("-");
    let name = if stdin {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    };
    let reading = move || {
        if !stdin {
            return std::fs::read(path);
        }
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let read = tokio::task::spawn_blocking(reading).await;
    let bytes = read
        .context("the reader stopped")?
        .map_err(|error| InputError::new(format!("cannot read {name}: {error}")))?;
    Ok(Source { name, bytes })
}

/// Nothing is written while a row cannot be used; all are named, up to a bound.
fn stop_at_bad(bad: &[BadRow]) -> Result<(), InputError> {
    const NAMED_MAX: usize = 20;
    if bad.is_empty() {
        return Ok(());
    }
    let mut named: Vec<String> = bad.iter().take(NAMED_MAX).map(told).collect();
    if bad.len() > NAMED_MAX {
        named.push(format!("and {} more", bad.len() - NAMED_MAX));
    }
    let number = i128::try_from(bad.len()).unwrap_or(0);
    let rows = units::count(number, "row");
    Err(
        InputError::new(format!("{rows} cannot be used; nothing was written"))
            .details(named)
            .hint("correct the rows or the mapping, or leave them out with --skip-bad"),
    )
}

fn told(bad: &BadRow) -> String {
    let (file, line) = (&bad.file, bad.line);
    let auction = bad
        .auction_id
        .map_or(String::new(), |id| format!(" auction {id},"));
    let value = bad.value.as_deref();
    let value = value.map_or(String::new(), |value| format!(", value {}", shown(value)));
    let column = units::one_line(&bad.column);
    format!(
        "{file}:{line}:{auction} column {column}{value}: {}",
        bad.why
    )
}

fn unreadable(error: HistoryError, map: &str) -> anyhow::Error {
    let told = InputError::new(error.to_string());
    match error {
        HistoryError::Fold { .. } => anyhow::Error::new(error),
        HistoryError::NoColumn {
            columns, header, ..
        } => {
            let mut details: Vec<String> = columns
                .iter()
                .map(|(column, key, line)| format!("{map}:{line}: {key} names {}", shown(column)))
                .collect();
            let header: Vec<String> = header.iter().map(|title| as_title(title)).collect();
            details.push(format!("the file's columns are {}", header.join(", ")));
            told.details(details)
                .hint("correct the mapping, or give the file that it is for")
                .into()
        }
        HistoryError::Utf16(_) => told
            .hint("save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8")
            .into(),
        HistoryError::NotUtf8 { .. } => told.hint("save the file as UTF-8").into(),
        HistoryError::JsonArray(_) => told
            .hint("write JSON lines: one object a line, without the brackets")
            .into(),
        HistoryError::Files(_) => told
            .hint("one file: gavel import --map MAPPING FILE; two: --auctions FILE --bids FILE")
            .into(),
        HistoryError::Empty(_) | HistoryError::Csv { .. } | HistoryError::DoubledColumn { .. } => {
            told.into()
        }
    }
}

/// A title without any letter is no title: the file has no header, and that is a value.
fn as_title(title: &str) -> String {
    if title.chars().any(char::is_alphabetic) {
        units::one_line(title)
    } else {
        mask(title)
    }
}

async fn write(folder: PathBuf, dossiers: Vec<Dossier>, overwrite: bool) -> anyhow::Result<()> {
    let writing = move || history::write(&folder, &dossiers, overwrite);
    let written = tokio::task::spawn_blocking(writing).await;
    written.context("the writer stopped")??;
    Ok(())
}

/// Through a folder of its own, which goes again: so the import verifies what it takes.
async fn into_database(
    dossiers: Vec<Dossier>,
    plan: &MapPlan,
    ctx: &mut Context,
) -> anyhow::Result<Kept> {
    let store = ctx.store().await?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    write(folder.path().to_owned(), dossiers, false).await?;
    let options = ImportOptions {
        mode: mode(plan.dry_run),
        accept_findings: plan.accept_findings,
    };
    let report = from_folder(&store, folder.path(), options, ctx).await?;
    Ok(Kept::database(report, plan.dry_run))
}

/// The differences, and the sums.
fn tell(view: &HistoryView, dry_run: bool, ctx: &mut Context) -> anyhow::Result<()> {
    let lines: Vec<DifferenceLine> = view
        .report
        .differing
        .iter()
        .map(DifferenceLine::from)
        .collect();
    let sums = sums(view);
    let printed = (|| {
        match ctx.ui.format() {
            Format::Json => ctx.ui.object(view)?,
            Format::Csv => ctx.ui.csv(&lines)?,
            Format::Table => {
                if !lines.is_empty() {
                    ctx.ui.list(&lines)?;
                }
                for (tone, text) in &sums {
                    ctx.ui.line(*tone, text)?;
                }
            }
        }
        Ok::<(), crate::output::OutputError>(())
    })();
    let kept = sums.last().map_or(String::new(), |(_, text)| text.clone());
    printed.with_context(|| Untold::sums(kept, dry_run))?;
    if ctx.ui.format() != Format::Table {
        for (_, text) in &sums {
            ctx.ui.note(text);
        }
    }
    Ok(())
}
