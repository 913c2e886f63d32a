//! `gavel man`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};

use super::args::Cli;
use super::context::Context;
use super::error::InputError;
use super::exit::{self, Exit};

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
    collect(Cli::command(), "gavel", &mut pages);
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
    if is_top {
        end.push_str(&as_written("EXIT STATUS", exit::HELP));
    } else {
        for section in sections(&more.unwrap_or_default()) {
            let (title, _) = section.split_once('\n').unwrap_or((&section, ""));
            let title = title.trim_end_matches(':').to_uppercase();
            end.push_str(&as_written(&title, &section));
        }
        end.push_str(".SH \"SEE ALSO\"\n");
        end.push_str("\\fBgavel\\fR(1) has the global options and the exit codes.\n");
    }
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

/// A section that is printed line by line, its first line (a heading on a terminal) left out.
fn as_written(title: &str, text: &str) -> String {
    let mut section = format!(".SH \"{title}\"\n.nf\n");
    for line in text.lines().skip(1) {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // A line that begins with a dot or a quote would be a request.
        section.push_str("\\&");
        section.push_str(&line);
        section.push('\n');
    }
    section + ".fi\n"
}
