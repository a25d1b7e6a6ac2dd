//! `acidtest packaging`: what a release installs beside the program, written from the definitions of the commands.

use crate::Arguments;
use anyhow::{Context, Result};
use clap::{Args, Command, CommandFactory};
use clap_complete::{Shell, generate_to};
use std::fs::create_dir_all;
use std::path::{Path, PathBuf};

/// Write shell completions and man pages
///
/// You get FOLDER/completions with a file for bash, zsh and fish, and FOLDER/man with a page for every verb.
#[derive(Args)]
pub(crate) struct Packaging {
    /// Folder to write to
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Packaging {
    /// Writes them.
    pub(crate) fn run(self) -> Result<()> {
        let failed = |folder: &Path| format!("{}: cannot be written", folder.display());
        let (completions, man) = (self.folder.join("completions"), self.folder.join("man"));
        create_dir_all(&completions).with_context(|| failed(&completions))?;
        create_dir_all(&man).with_context(|| failed(&man))?;
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            generate_to(shell, &mut visible_verbs(), "acidtest", &completions).with_context(|| failed(&completions))?;
        }
        clap_mangen::generate_to(visible_verbs(), &man).with_context(|| failed(&man))?;
        Ok(())
    }
}

/// The program as users know it, without verbs that are hidden.
fn visible_verbs() -> Command {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    command
}
