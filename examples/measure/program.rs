//! Where the `gavel` program itself is.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};

/// The release build of the program, beside the examples.
pub(crate) fn gavel() -> anyhow::Result<PathBuf> {
    let examples = std::env::current_exe()?;
    let folder = examples.parent().and_then(|folder| folder.parent());
    let program = folder.context("no folder")?.join("gavel");
    ensure!(
        program.is_file(),
        "{} is missing: cargo build --release",
        program.display()
    );
    Ok(program)
}
