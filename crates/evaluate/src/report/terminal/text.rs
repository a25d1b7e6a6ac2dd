//! Text for terminals: in lines of a given width, and in the terminal's character set.

use super::Letters;
use crate::report::layout::one_line;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The indent of every line below a headline.
pub(super) const INDENT: &str = "  ";

/// The maximum width of prose, however wide the terminal is.
const PROSE: usize = 80;

impl Letters {
    /// Text without control characters, in the terminal's character set.
    pub(super) fn shown(self, text: &str) -> String {
        let text = one_line(text);
        match self {
            Letters::Unicode => text,
            Letters::Ascii if text.is_ascii() => text,
            Letters::Ascii => text.chars().map(ascii).collect::<Vec<_>>().concat(),
        }
    }

    /// The characters for the middle of an interval, the interval, and the scale.
    pub(super) fn bar(self) -> [char; 3] {
        match self {
            Letters::Unicode => ['●', '━', '·'],
            Letters::Ascii => ['o', '=', '.'],
        }
    }
}

/// The ASCII spelling of a character.
fn ascii(letter: char) -> String {
    let known = match letter {
        '–' | '—' | '−' | '‐' | '‑' => "-",
        '→' => "->",
        '↓' => "v",
        '…' => "...",
        '≥' => ">=",
        '≤' => "<=",
        '×' => "x",
        'λ' => "lambda",
        'κ' => "kappa",
        '‘' | '’' => "'",
        '“' | '”' => "\"",
        'é' | 'è' => "e",
        letter if letter.is_ascii() => return letter.to_string(),
        _ => "?",
    };
    known.to_string()
}

/// Prose, wrapped to the width and indented.
pub(super) fn wrapped(text: &str, width: usize, letters: Letters) -> Vec<String> {
    let width = width.min(PROSE).saturating_sub(INDENT.len());
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in kept_together(&letters.shown(text)).split_whitespace() {
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word.replace(TIED, " "));
    }
    lines.push(line);
    lines.iter().map(|line| format!("{INDENT}{line}")).collect()
}

/// A space at which no line is broken; no text contains it, because control characters are removed.
const TIED: char = '\u{1}';

/// Keeps p values and percentages on one line.
fn kept_together(text: &str) -> String {
    let spaces = [("p = ", "p\u{1}=\u{1}"), ("p < ", "p\u{1}<\u{1}"), ("n = ", "n\u{1}=\u{1}"), (" %", "\u{1}%"), (" -> ", "\u{1}->\u{1}")];
    spaces.into_iter().fold(text.to_string(), |text, (loose, tied)| text.replace(loose, tied))
}

/// Text wrapped to the width; longer words are broken, after a hyphen or another sign if possible. Every line is indented as the text is.
pub(super) fn folded(text: &str, width: usize) -> Vec<String> {
    let indent = &text[..text.len() - text.trim_start_matches(' ').len()];
    let mut lines = unindented(text, width.saturating_sub(indent.len()).max(1));
    if !indent.is_empty() {
        lines.iter_mut().for_each(|line| line.insert_str(0, indent));
    }
    lines
}

fn unindented(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        while line.width() > width {
            let rest = line.split_off(break_within(&line, width));
            lines.push(std::mem::replace(&mut line, rest));
        }
    }
    lines.push(line);
    lines
}

/// Where a text that is too long is broken, in bytes.
fn break_within(text: &str, width: usize) -> usize {
    let (mut used, mut end, mut sign) = (0, 0, 0);
    for (at, letter) in text.char_indices() {
        used += letter.width().unwrap_or(0);
        if used > width && at > 0 {
            break;
        }
        end = at + letter.len_utf8();
        if matches!(letter, '-' | '_' | '/' | '.' | ',' | ':') && at > 0 {
            sign = end;
        }
    }
    // A sign near the start would leave the line nearly empty.
    if sign * 2 > end { sign } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_words() {
        let wrapped = |text: &str, width| wrapped(text, width, Letters::Unicode);
        assert_eq!(wrapped("one two three", 11), ["  one two", "  three"]);
        assert_eq!(wrapped("incomprehensibilities", 5), ["  incomprehensibilities"]);
    }

    #[test]
    fn p_values_and_percentages_stay_on_one_line() {
        assert_eq!(wrapped("ab 5 % (p < 0.001)", 11, Letters::Unicode), ["  ab 5 %", "  (p < 0.001)"]);
    }

    #[test]
    fn prose_is_never_wider_than_eighty_columns() {
        assert!(wrapped(&"word ".repeat(100), 200, Letters::Unicode).iter().all(|line| line.len() <= 80));
    }

    #[test]
    fn long_names_are_broken_after_a_sign() {
        assert_eq!(folded("roberta-large-mnli", 14), ["roberta-large-", "mnli"]);
        assert_eq!(folded("  roberta-large-mnli", 16), ["  roberta-large-", "  mnli"]);
        assert_eq!(folded("incomprehensible", 6), ["incomp", "rehens", "ible"]);
        assert_eq!(folded("日本語", 4), ["日本", "語"]);
        assert_eq!(folded("", 4), [""]);
    }

    #[test]
    fn text_from_files_contains_no_control_characters() {
        assert_eq!(wrapped("a\u{1b}[31mb", 40, Letters::Unicode), ["  a [31mb"]);
    }

    #[test]
    fn ascii_has_a_spelling_for_every_sign_of_a_report() {
        assert_eq!(Letters::Ascii.shown("65.8 % → 44.3 %, – and 日"), "65.8 % -> 44.3 %, - and ?");
    }
}
