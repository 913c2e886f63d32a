//! `gavel completions`.

use clap::Args;
use clap_complete::Shell;

use super::context::Context;
use super::exit::Exit;
use super::grammar;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gavel completions bash > ~/.local/share/bash-completion/completions/gavel
  gavel completions zsh > ~/.zfunc/_gavel
  gavel completions fish > ~/.config/fish/completions/gavel.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints it.
pub(crate) fn run(args: &CompletionsArgs, ctx: &mut Context) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar::command(), "gavel", &mut script);
    ctx.ui.raw(&script)?;
    Ok(Exit::DONE)
}
