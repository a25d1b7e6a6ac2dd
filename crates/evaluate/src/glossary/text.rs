//! The glossary as text for a terminal.

use super::{GLOSSARY, Term, TermGroup};
use std::fmt::Write;

/// The width that every terminal has.
const WIDTH: usize = 80;

/// A term explained, in lines of 80 columns.
pub fn explained(term: &Term) -> String {
    let source = format!("Source: {}", term.source);
    format!("{}\n\n{}\n\n{}\n", term.name, indented(term.meaning), indented(&source))
}

/// The list of all terms.
pub fn list() -> String {
    let mut text = String::new();
    let longest = GLOSSARY.iter().map(|term| term.slug.len()).max().unwrap_or(0);
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
        let terms = GLOSSARY.iter().map(explained);
        for text in terms.chain([list()]) {
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }
}
