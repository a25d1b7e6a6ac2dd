//! `acidtest lexical`: examples that words alone get wrong.

mod explain;
mod score;

use anyhow::Result;
use clap::Subcommand;

/// Examples of the verb.
pub(crate) const EXAMPLES: &str = "Examples:
  acidtest lexical score dev.jsonl --model words
  acidtest lexical explain --model words --premise 'It rains.' --hypothesis 'It is wet.'";

/// What there is to do with a lexical model.
#[derive(Subcommand)]
pub(crate) enum Lexical {
    Score(score::Score),
    Explain(explain::Explain),
}

impl Lexical {
    /// Does it.
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Lexical::Score(verb) => verb.run(),
            Lexical::Explain(verb) => verb.run(),
        }
    }
}
