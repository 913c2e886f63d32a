//! `gavel man`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::context::Context;
use super::error::InputError;
use super::exit::{self, Exit};
use super::{grammar, replay};

/// Print the manual page of a command, or write all of them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel man bid | man -l -
  gavel man --output ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The command [default: gavel itself]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    page: Option<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Prints or writes.
pub(crate) fn run(args: ManArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let mut pages = Vec::new();
    collect(grammar::command(), "gavel", &mut pages);
    if let Some(folder) = args.output {
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for (name, command) in pages {
            let path = folder.join(format!("{name}.1"));
            std::fs::write(&path, render(command)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        return Ok(Exit::DONE);
    }
    let wanted = match args.page {
        None => "gavel".to_owned(),
        Some(page) => format!("gavel-{}", page.trim_start_matches("gavel-")),
    };
    let found = pages.into_iter().find(|(name, _)| *name == wanted);
    let (_, command) = found.ok_or_else(|| {
        InputError::new(format!("there is no page {wanted}")).hint("gavel help lists the commands")
    })?;
    ctx.ui.raw(&render(command)?)?;
    Ok(Exit::DONE)
}

/// A page for the command and for each below it.
fn collect(command: clap::Command, name: &str, pages: &mut Vec<(String, clap::Command)>) {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        collect(sub.clone(), &format!("{name}-{}", sub.get_name()), pages);
    }
    let spoken = name.replacen('-', " ", 1);
    let page = command
        .display_name(name)
        .bin_name(spoken)
        .disable_help_subcommand(true)
        .disable_help_flag(true);
    pages.push((name.to_owned(), page));
}

fn render(mut command: clap::Command) -> anyhow::Result<Vec<u8>> {
    let name = command.get_display_name().unwrap_or("gavel").to_owned();
    let is_top = name == "gavel";
    let long = command.get_after_long_help();
    let more = long.or(command.get_after_help()).map(ToString::to_string);
    command = command.after_help(None).after_long_help(None);
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .title(name.to_uppercase())
        .source(concat!("gavel ", env!("CARGO_PKG_VERSION")))
        .manual("gavel manual")
        .render(&mut page)?;
    let mut end = String::new();
    if !is_top {
        for section in sections(&more.unwrap_or_default()) {
            let (title, _) = section.split_once('\n').unwrap_or((&section, ""));
            let title = title.trim_end_matches(':').to_uppercase();
            end.push_str(&as_written(&title, &section));
        }
    }
    if name == "gavel-replay" {
        let changes = format!("\n{}", replay::changes());
        end.push_str(&as_written("WHAT IF", &changes));
        end.push_str(&as_written("CHECKS", &format!("\n{}", replay::checks())));
    }
    end.push_str(&as_written("EXIT STATUS", exit::HELP));
    end.push_str(&environment());
    end.push_str(&see_also(&name));
    page.extend_from_slice(end.as_bytes());
    Ok(page)
}

/// What stands after the options, split at its headings: lines that are not indented and end in a
/// colon.
fn sections(text: &str) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines() {
        let heading = line.ends_with(':') && !line.starts_with(char::is_whitespace);
        match sections.last_mut() {
            Some(section) if !heading => {
                section.push('\n');
                section.push_str(line);
            }
            _ => sections.push(line.to_owned()),
        }
    }
    sections
}

/// What is read from the environment, by gavel or by what it is made of.
const ENVIRONMENT: [(&str, &str); 8] = [
    (
        "DATABASE_URL",
        "The database, where --database-url states none. Empty is not stated.",
    ),
    (
        "GAVEL_ACTOR",
        "Who acts in amend, void and cancel, where --actor states nobody.",
    ),
    (
        "GAVEL_MAX_JUMP",
        "The factor of bid, where --max-jump states none: how far above the next bid a maximum \
         may be.",
    ),
    (
        "XDG_DATA_HOME, HOME",
        "Where the default database is: gavel/gavel.db in the first, or else in .local/share in \
         the second.",
    ),
    (
        "COLUMNS",
        "How many columns tables and cards have; otherwise the terminal says it, and off a \
         terminal nothing is cut.",
    ),
    (
        "NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM",
        "What --color auto goes by: no colour with NO_COLOR, with CLICOLOR=0, on a dumb terminal, \
         and off a terminal unless CLICOLOR_FORCE is set.",
    ),
    (
        "PGHOST, PGHOSTADDR, PGPORT, PGUSER, PGPASSWORD, PGPASSFILE, PGDATABASE, PGSSLMODE, \
         PGSSLROOTCERT, PGSSLCERT, PGSSLKEY, PGAPPNAME, PGOPTIONS",
        "What a postgres:// URL leaves out, as in libpq.",
    ),
    (
        "TMPDIR",
        "Where temporary files are made: answers that wait until all is kept, the demonstration's \
         database.",
    ),
];

fn environment() -> String {
    let mut section = ".SH \"ENVIRONMENT\"\n".to_owned();
    for (names, text) in ENVIRONMENT {
        section.push_str(&format!(
            ".TP\n\\fB{}\\fR\n{}\n",
            escaped(names),
            escaped(text)
        ));
    }
    section
}

/// Where to read on: what is done before or after, or undoes it.
fn see_also(name: &str) -> String {
    let others: &[&str] = match name {
        "gavel" => &[
            "demo",
            "migrate",
            "create",
            "bid",
            "close-sweep",
            "replay",
            "doctor",
        ],
        "gavel-amend" => &["show", "void", "cancel"],
        "gavel-bid" => &["show", "history", "mine"],
        "gavel-cancel" | "gavel-void" => &["show", "amend"],
        "gavel-close" => &["close-sweep", "show"],
        "gavel-close-sweep" => &["close", "list", "replay"],
        "gavel-create" => &["bid", "amend", "list", "show"],
        "gavel-doctor" => &["migrate", "replay"],
        "gavel-export" => &["import", "replay"],
        "gavel-history" => &["show", "replay"],
        "gavel-import" => &["export", "replay"],
        "gavel-list" => &["show", "mine", "watchlist"],
        "gavel-migrate" => &["doctor", "create"],
        "gavel-mine" => &["bid", "list", "watchlist"],
        "gavel-replay" => &["export", "import", "doctor"],
        "gavel-show" => &["list", "history", "amend"],
        "gavel-watchlist" => &[
            "watchlist-add",
            "watchlist-remove",
            "watchlist-list",
            "mine",
        ],
        "gavel-watchlist-add" | "gavel-watchlist-remove" | "gavel-watchlist-list" => &["watchlist"],
        _ => &[],
    };
    let page = |name: &str| format!("\\fB{}\\fR(1)", escaped(name));
    let mut pages: Vec<String> = others
        .iter()
        .map(|other| page(&format!("gavel-{other}")))
        .collect();
    let mut section = ".SH \"SEE ALSO\"\n".to_owned();
    if name != "gavel" {
        pages.insert(
            0,
            format!("{}, which has the global options", page("gavel")),
        );
    }
    section.push_str(&pages.join(",\n"));
    section.push('\n');
    section
}

/// A section that is printed line by line, its first line (a heading on a terminal) left out.
fn as_written(title: &str, text: &str) -> String {
    let mut section = format!(".SH \"{title}\"\n.nf\n");
    for line in text.lines().skip(1) {
        // A line that begins with a dot or a quote would be a request.
        section.push_str("\\&");
        section.push_str(&escaped(line));
        section.push('\n');
    }
    section + ".fi\n"
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}
