//! `acidtest lexical`: examples that words alone get wrong.

mod explain;
mod score;

use anyhow::Result;
use clap::Subcommand;

/// The subcommands of `lexical`.
#[derive(Subcommand)]
pub(crate) enum Lexical {
    Score(score::Score),
    Explain(explain::Explain),
}

impl Lexical {
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Lexical::Score(verb) => verb.run(),
            Lexical::Explain(verb) => verb.run(),
        }
    }
}
