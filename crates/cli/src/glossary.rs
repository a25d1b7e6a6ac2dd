//! `acidtest glossary`: what the terms of reports mean.

use acidtest_evaluate::glossary::{self, Term, TermGroup};
use acidtest_nli::UnknownName;
use anyhow::{Result, anyhow};
use clap::Args;
use std::fmt::Write;

/// Explain a metric or test
///
/// You get a metric, test, interval or finding of a report explained in two sentences, with its source; without a term, the list of all.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Glossary {
    /// The term, by its short or full name [default: list all terms]
    #[arg(num_args = 0..)]
    term: Vec<String>,
    /// Print the whole glossary as the page docs/glossary.md
    #[arg(long, hide = true, conflicts_with = "term")]
    markdown: bool,
}

const EXAMPLES: &str = "Examples:
  acidtest glossary
  acidtest glossary clustered-wilson
  acidtest glossary minimum detectable difference";

/// The width of a terminal that everybody has.
const WIDTH: usize = 80;

impl Glossary {
    /// Prints the term, or the list.
    pub(crate) fn run(self) -> Result<()> {
        let text = if self.markdown {
            glossary::markdown()
        } else if self.term.is_empty() {
            list()
        } else {
            explained(glossary::find(&self.term.join(" ")).map_err(unknown)?)
        };
        crate::show::print_all(&text)
    }
}

/// A term that is not in the glossary; the list of all is too long for one line.
fn unknown(error: UnknownName) -> anyhow::Error {
    let meant = error.nearest.map_or(String::new(), |slug| format!("; did you mean `{slug}`?"));
    anyhow!("unknown glossary term `{}`{meant} (`acidtest glossary` lists all terms)", error.name)
}

fn explained(term: &Term) -> String {
    let source = format!("Source: {}", term.source);
    format!("{}\n\n{}\n\n{}\n", term.name, indented(term.meaning), indented(&source))
}

fn list() -> String {
    let mut text = String::new();
    let longest = glossary::GLOSSARY.iter().map(|term| term.slug.len()).max().unwrap_or(0);
    for group in TermGroup::ALL {
        let _ = writeln!(text, "{}\n", group.title());
        for term in group.terms() {
            let _ = writeln!(text, "  {:<longest$}  {}", term.slug, term.name);
        }
        text.push('\n');
    }
    text.push_str("Explain one with: acidtest glossary TERM\n");
    text
}

/// The text in lines of the terminal's width, indented by two blanks.
fn indented(text: &str) -> String {
    let mut lines = vec![String::from(" ")];
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut()
            && line.chars().count() + 1 + word.chars().count() <= WIDTH
        {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glossary_fits_a_terminal_of_80_columns() {
        let terms = glossary::GLOSSARY.iter().map(explained);
        for text in terms.chain([list()]) {
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }
}
