//! The analysis as aligned text.

use super::view::{NumberView, PhraseView, SentenceView, TextView};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Longer words are truncated.
const WIDEST: usize = 40;
const GAP: &str = "  ";

/// Writes the sentences of a text, each under its file's name if there is one.
pub(super) fn write(view: &TextView<'_>, file: Option<&str>, out: &mut String) {
    for (number, sentence) in view.sentences.iter().enumerate() {
        let file = file.map(|file| format!("{file}:")).unwrap_or_default();
        let text = sentence.text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Writing to a string does not fail.
        let _ = writeln!(out, "{file}{}:{}{GAP}{}\n", view.place(), number + 1, shown(&text));
        words(sentence, out);
        let facts = facts(sentence);
        if !facts.is_empty() {
            out.push('\n');
            aligned(&facts, out);
        }
        out.push('\n');
    }
}

fn words(sentence: &SentenceView<'_>, out: &mut String) {
    let head = |number: usize| match number.checked_sub(1) {
        Some(place) => format!("{number} {}", clipped(sentence.words[place].form)),
        None => "-".to_string(),
    };
    let mut rows = vec![["", "word", "place", "tag", "lemma", "head", "relation"].map(str::to_string)];
    for (place, word) in sentence.words.iter().enumerate() {
        rows.push([
            (place + 1).to_string(),
            clipped(word.form),
            format!("{}-{}", word.start, word.end),
            word.tag.to_string(),
            clipped(&word.lemma),
            head(word.head),
            word.relation.to_string(),
        ]);
    }
    aligned(&rows, out);
}

/// Clauses, modifiers, names and numbers, one per line.
fn facts(sentence: &SentenceView<'_>) -> Vec<[String; 2]> {
    let word = |number: usize| clipped(sentence.words[number - 1].form);
    let phrase = |phrase: Option<PhraseView>| phrase.map_or("-".to_string(), |phrase| shown(&sentence.words_of(phrase)));
    let mut facts = Vec::new();
    for clause in &sentence.clauses {
        let line = format!("{} | {} | {} ({})", phrase(clause.subject), word(clause.verb), phrase(clause.object), clause.voice);
        facts.push(["clause".to_string(), line]);
    }
    for modifier in &sentence.modifiers {
        facts.push(["modifier".to_string(), format!("{} → {} ({})", word(modifier.word), word(modifier.head), modifier.kind)]);
    }
    for name in &sentence.names {
        facts.push(["name".to_string(), format!("{} ({})", shown(name.text), name.kind)]);
    }
    for number in &sentence.numbers {
        facts.push(["number".to_string(), number_line(number)]);
    }
    facts
}

fn number_line(number: &NumberView<'_>) -> String {
    let to = number.to.map(|to| format!(" to {to}")).unwrap_or_default();
    let unit = number.unit.as_ref().map(|unit| format!(", {}", shown(unit))).unwrap_or_default();
    format!("{} = {}{to} ({}{unit})", shown(number.text), number.value, number.kind)
}

/// Rows in columns as wide as their widest cell.
fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]], out: &mut String) {
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(GAP);
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.width()));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// The text without control characters.
fn shown(text: &str) -> String {
    text.split_whitespace()
        .map(|word| word.chars().map(|letter| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter }).collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}

fn clipped(word: &str) -> String {
    let word = shown(word);
    if word.width() <= WIDEST {
        return word;
    }
    let mut room = WIDEST - 1;
    let fits = |letter: &char| {
        let width = letter.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    };
    word.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::analyzer::Analyzer;

    fn table(text: &str) -> String {
        let mut out = String::new();
        write(&TextView::new("f", 1, None, &Analyzer::shared().analyze(text)), None, &mut out);
        out
    }

    #[test]
    fn a_sentence_is_shown_with_its_facts() {
        let expected = "\
1:1  The old man saw two dogs.

     word  place  tag  lemma  head   relation
  1  The   0-3    DT   the    3 man  det
  2  old   4-7    JJ   old    3 man  amod
  3  man   8-11   NN   man    4 saw  nsubj
  4  saw   12-15  VBD  see    -      root
  5  two   16-19  CD   two    6 dogs  nummod
";
        let found = table("The old man saw two dogs.");
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&found).starts_with(&squeezed(expected)), "{found}");
        assert!(found.contains("  clause    The old man | saw | two dogs (active)\n"), "{found}");
        assert!(found.contains("  modifier  old → man (adjective)\n"), "{found}");
        assert!(found.contains("  number    two = 2 (cardinal)\n"), "{found}");
    }

    #[test]
    fn columns_are_aligned_by_what_a_terminal_shows() {
        let found = table("He likes 東京 and 🙂 very much.");
        let of = |form: &str| found.lines().find(|line| line.contains(form) && !line.starts_with("1:1")).unwrap().to_string();
        let place = |line: &str, text: &str| line[..line.find(text).unwrap()].width();
        assert_eq!(place(&of("  東京"), "9-11"), place(&of("  likes"), "3-8"), "{found}");
    }

    #[test]
    fn escapes_do_not_reach_the_terminal_and_long_words_are_cut() {
        let found = table(&format!("a\u{1b}[31mb {}", "x".repeat(100)));
        assert!(!found.contains('\u{1b}'));
        assert!(found.contains(&format!("{}…", "x".repeat(39))));
    }
}
