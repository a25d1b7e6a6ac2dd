//! `acidtest glossary`: what the terms of reports mean.

use acidtest_evaluate::glossary;
use acidtest_nli::UnknownName;
use anyhow::{Result, anyhow};
use clap::Args;

/// Explain a metric or test
#[derive(Args)]
#[command(long_about = include_str!("help/glossary.txt"), after_long_help = include_str!("examples/glossary.txt"))]
pub(crate) struct Glossary {
    /// The term, by its short or full name [default: list all terms]
    #[arg(num_args = 0..)]
    term: Vec<String>,
    /// Print the whole glossary as the page docs/glossary.md
    #[arg(long, hide = true, conflicts_with = "term")]
    markdown: bool,
}

impl Glossary {
    pub(crate) fn run(self) -> Result<()> {
        let text = if self.markdown {
            glossary::markdown()
        } else if self.term.is_empty() {
            glossary::list()
        } else {
            glossary::explained(glossary::find(&self.term.join(" ")).map_err(unknown)?)
        };
        crate::show::print_all(&text)
    }
}

/// A term that is not in the glossary; the list of all is too long for one line.
fn unknown(error: UnknownName) -> anyhow::Error {
    let meant = error.nearest.map_or(String::new(), |slug| format!("; did you mean `{slug}`?"));
    anyhow!("unknown glossary term `{}`{meant} (`acidtest glossary` lists all terms)", error.name)
}
