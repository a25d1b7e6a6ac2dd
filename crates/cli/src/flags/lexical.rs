//! The lexical model beside a report.

use clap::Args;
use std::path::PathBuf;

/// The lexical model that a report is scored against.
#[derive(Args)]
pub(crate) struct LexicalFlag {
    /// Folder of a trained lexical model: shows accuracy where words alone mislead (CS_0.5, CS_0.6, CS_0.7) and how far a model
    /// follows words where they are wrong
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    lexical: Option<PathBuf>,
}

impl LexicalFlag {
    /// The folder, where one is given.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        self.lexical.clone()
    }
}
