//! Tokenises text between two white spaces.

use super::Token;
use crate::abbreviations::has_a_stop;

/// Abbreviations that are recognised only before a number.
const BEFORE_NUMBERS: &[&str] = &["no", "nos", "art", "sec", "fig", "p"];

/// Words that are split in two, with the length of the first part.
const JOINED: &[(&str, usize)] =
    &[("cannot", 3), ("gonna", 3), ("gotta", 3), ("wanna", 3), ("gimme", 3), ("lemme", 3), ("'tis", 2), ("'twas", 2)];

/// Words that begin with an apostrophe.
const APOSTROPHE_FIRST: &[&str] = &["em", "til", "till", "cause", "bout", "round", "n", "cuz", "tis", "twas", "ol", "nother"];

/// Clitics that are split off, without the apostrophe.
const CLITICS: &[&str] = &["s", "m", "d", "ll", "re", "ve"];

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '`' | '´')
}

/// Marks that are always separate tokens.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '(' | ')' | '[' | ']' | '{' | '}' | '"' | '“' | '”' | '«' | '»' | ';' | '?' | '!' | '…' | '—' | '–' | '%')
}

/// Marks that are separate tokens at the edge of a word.
fn stands_alone_at_the_edge(letter: char) -> bool {
    stands_alone(letter)
        || matches!(letter, ',' | ':' | '$' | '£' | '€' | '¥' | '#' | '&' | '<' | '>' | '=' | '‘' | '`' | '/' | '*' | '~' | '|' | '@')
}

/// Splits a chunk without white space that begins at byte `base`; `after` is the text that follows it.
pub(super) fn split(chunk: &str, base: usize, after: &str, tokens: &mut Vec<Token>) {
    if chunk.bytes().all(|byte| byte.is_ascii_lowercase()) && !JOINED.iter().any(|&(word, _)| word == chunk) {
        tokens.push(Token { start: base, end: base + chunk.len() });
        return;
    }
    let mut rest = chunk;
    while !rest.is_empty() {
        let start = base + chunk.len() - rest.len();
        let length = mark(rest).unwrap_or(0);
        if length > 0 {
            tokens.push(Token { start, end: start + length });
            rest = &rest[length..];
            continue;
        }
        let length = match address(rest) {
            Some(length) => {
                tokens.push(Token { start, end: start + length });
                length
            }
            None => {
                let length = word_length(rest);
                let follows = if length < rest.len() { &rest[length..] } else { after };
                split_word(&rest[..length], start, follows, tokens);
                length
            }
        };
        rest = &rest[length..];
    }
}

/// The length of the mark at the beginning of the text, if there is one.
fn mark(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let run = |letter: char| text.chars().take_while(|&next| next == letter).count();
    let rest = &text[first.len_utf8()..];
    match first {
        '.' if run('.') >= 3 => Some(run('.')),
        '.' if rest.starts_with(|next: char| next.is_ascii_digit()) => None,
        '-' if run('-') >= 2 => Some(run('-')),
        '-' if rest.starts_with(char::is_alphanumeric) => None,
        '`' | '\'' if run(first) == 2 => Some(2),
        '*' | '=' | '~' | '_' if run(first) >= 2 => Some(run(first)),
        '\'' | '’' if keeps_apostrophe(rest) => None,
        '#' if rest.starts_with(|next: char| next.is_alphabetic()) => None,
        '@' if rest.starts_with(char::is_alphanumeric) => None,
        '!' | '?' if run(first) >= 2 => Some(run(first)),
        '<' | ':' | ';' => Some(emoticon(text).unwrap_or(first.len_utf8())),
        '.' | '\'' | '’' | '-' | '_' => Some(first.len_utf8()),
        _ if stands_alone_at_the_edge(first) => Some(first.len_utf8()),
        _ => None,
    }
}

fn emoticon(text: &str) -> Option<usize> {
    [":)", ":(", ";)", ":-)", ":-(", ";-)", ":D", ":P", "<3"].into_iter().find(|face| text == *face).map(str::len)
}

/// Whether an apostrophe belongs to the following letters: `'em`, `'90s`, or a clitic that is already split off.
fn keeps_apostrophe(rest: &str) -> bool {
    let word = rest.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let lower = word.to_lowercase();
    let decade = word.len() >= 2
        && word.starts_with(|first: char| first.is_ascii_digit())
        && word[1..].starts_with(|next: char| next.is_ascii_digit());
    APOSTROPHE_FIRST.contains(&lower.as_str()) || CLITICS.contains(&lower.as_str()) || decade
}

/// The length of a web or email address, without the punctuation after it.
fn address(text: &str) -> Option<usize> {
    let is_web = text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www.") || text.starts_with("ftp://");
    let end = text.find(['"', '”', '<', '>', ')', ']']).unwrap_or(text.len());
    let body = &text[..end];
    let at = body.find('@').filter(|&at| at > 0 && body[at..].contains('.'));
    if !is_web && at.is_none() {
        return None;
    }
    let length = body.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']).len();
    (length > 0).then_some(length)
}

/// The length of the word at the beginning of the text, up to a mark that ends it.
fn word_length(text: &str) -> usize {
    let mut before: Option<char> = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|&(_, next)| next);
        let between_digits = before.is_some_and(|before| before.is_ascii_digit()) && next.is_some_and(|next| next.is_ascii_digit());
        let between_words = before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric);
        let breaks = match letter {
            ',' | ':' => !between_digits,
            '.' => next == Some('.') || (next.is_some() && !next.is_some_and(char::is_alphanumeric) && !ends_abbreviation(text, at, next)),
            '-' => !next.is_some_and(char::is_alphanumeric),
            '`' => true,
            '\'' => next == Some('\''),
            '&' | '/' | '*' | '=' | '@' | '#' | '$' | '£' | '€' | '~' | '|' => !between_words,
            '<' | '>' => true,
            _ => stands_alone(letter),
        };
        if breaks && at > 0 {
            return if letter == '.' && next != Some('.') { at + 1 } else { at };
        }
        before = Some(letter);
    }
    text.len()
}

/// Whether the stop at a byte belongs to an abbreviation that is followed by an apostrophe, a comma or a hyphen: `U.S.'s`, `Inc.,`.
fn ends_abbreviation(text: &str, at: usize, next: Option<char>) -> bool {
    next.is_some_and(|next| is_apostrophe(next) || next == '-') && is_abbreviation(&text[..at], "")
}

/// Whether a word whose stop was split off is an abbreviation.
fn is_abbreviation(word: &str, after: &str) -> bool {
    let lower = word.to_lowercase();
    if has_a_stop(&lower) {
        // "I sat." and "in the sun." end sentences; "Sat." and "St." are abbreviations.
        return !matches!(
            lower.as_str(),
            "sat" | "mon" | "wed" | "mar" | "dec" | "gen" | "rep" | "art" | "est" | "fig" | "ed" | "op" | "hon" | "pl"
        ) || word.starts_with(char::is_uppercase);
    }
    if BEFORE_NUMBERS.contains(&lower.as_str()) {
        return after.starts_with(|next: char| next.is_ascii_digit());
    }
    // Letters separated by stops: U.S, e.g, p.m; and initials, unless nothing follows them.
    let dotted = word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I" && !after.is_empty();
    dotted || initial || lower == "ph.d" || lower == "m.sc"
}

/// Splits clitics and the final stop off a word.
fn split_word(word: &str, start: usize, after: &str, tokens: &mut Vec<Token>) {
    let mut body = word;
    let mut cut = Vec::new();
    if let Some(without) = body.strip_suffix('.')
        && !without.is_empty()
        && !is_abbreviation(without, after)
    {
        cut.push(1);
        body = without;
    }
    let last = body.chars().next_back();
    if let Some(quote) = last.filter(|&last| is_apostrophe(last))
        && body.len() > quote.len_utf8()
        && !is_dropped_g(body)
    {
        cut.push(quote.len_utf8());
        body = &body[..body.len() - quote.len_utf8()];
    }
    while let Some(length) = clitic(body) {
        cut.push(length);
        body = &body[..body.len() - length];
    }
    let mut at = start;
    let mut push = |length: usize| {
        tokens.push(Token { start: at, end: at + length });
        at += length;
    };
    let lower = body.to_lowercase();
    match JOINED.iter().find(|(joined, _)| *joined == lower.replace('’', "'")) {
        Some(&(_, first)) if body.is_ascii() => {
            push(first);
            push(body.len() - first);
        }
        _ => push(body.len()),
    }
    cut.into_iter().rev().for_each(push);
}

/// Whether the word is like `goin'` and `nothin'`, which keep their apostrophe.
fn is_dropped_g(word: &str) -> bool {
    let body = word.trim_end_matches(is_apostrophe);
    body.len() > 4 && (body.ends_with("in") || body.ends_with("IN")) || matches!(body, "ol" | "o" | "an" | "th")
}

/// The length of the clitic at the end of a word: `n't`, `'s` and so on.
fn clitic(word: &str) -> Option<usize> {
    let at = word.rfind(is_apostrophe)?;
    let quote = word[at..].chars().next()?;
    let ending = word[at + quote.len_utf8()..].to_ascii_lowercase();
    if ending == "t" {
        let begin = at.checked_sub(1)?;
        let is_not = begin > 0 && word.is_char_boundary(begin) && word[begin..].starts_with(['n', 'N']);
        return is_not.then(|| word.len() - begin);
    }
    (at > 0 && CLITICS.contains(&ending.as_str())).then(|| word.len() - at)
}
