//! Hidden verbs: pages that are made from the definitions of the commands.

use crate::Arguments;
use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use std::path::PathBuf;

/// Write shell completions and man pages
#[derive(Args)]
pub(crate) struct Packaging {
    /// Folder to write to
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Print the reference of all commands as Markdown
#[derive(Args)]
pub(crate) struct Reference {}

impl Packaging {
    pub(crate) fn run(self) -> Result<()> {
        let written = acidtest_help::write_packaging(&Arguments::command(), &self.folder);
        written.with_context(|| format!("{}: cannot be written", self.folder.display()))
    }
}

impl Reference {
    pub(crate) fn run(self) -> Result<()> {
        let mut program = Arguments::command();
        program.build();
        crate::show::print_all(&acidtest_help::page(&program))
    }
}
