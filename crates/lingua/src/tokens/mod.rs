//! Penn Treebank tokenisation, with offsets.
//!
//! Contractions and possessives are split (`do` `n't`, `dog` `'s`), as are punctuation and currency signs; abbreviations, numbers,
//! addresses and hyphenated words are single tokens.

mod chunk;
mod sentences;
mod spacing;

pub use sentences::sentences;
pub use spacing::{detokenize, rejoin};

use std::ops::Range;

/// A word or punctuation mark, as a byte range of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Token {
    /// The token as written.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }

    /// The bytes of the token.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Text without white space is processed in pieces of at most this many bytes, because splitting one takes quadratic time.
const LONGEST_CHUNK: usize = 4096;

/// Tokenises a text. Tokens are in order, do not overlap, and cover everything except white space.
///
/// ```
/// use acidtest_lingua::tokens::tokenize;
/// let text = "Mr. O'Neil's dog can't bark (much).";
/// let tokens: Vec<&str> = tokenize(text).iter().map(|token| token.text(text)).collect();
/// assert_eq!(tokens, ["Mr.", "O'Neil", "'s", "dog", "ca", "n't", "bark", "(", "much", ")", "."]);
/// ```
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut rest = text;
    while let Some(begin) = rest.find(|letter: char| !letter.is_whitespace()) {
        let from = text.len() - rest.len() + begin;
        let most = (from..=text.len().min(from + LONGEST_CHUNK)).rev().find(|&at| text.is_char_boundary(at));
        let within = &text[from..most.unwrap_or(text.len())];
        let length = within.find(char::is_whitespace).unwrap_or(within.len());
        rest = &text[from + length..];
        chunk::split(&text[from..from + length], from, rest.trim_start(), &mut tokens);
    }
    tokens
}

/// The tokens in the form of Penn tree leaves: brackets and slashes escaped, straight and curly quotes by direction.
///
/// ```
/// use acidtest_lingua::tokens::penn_leaves;
/// assert_eq!(penn_leaves("\"Yes\" (no)"), ["``", "Yes", "''", "-LRB-", "no", "-RRB-"]);
/// ```
pub fn penn_leaves(text: &str) -> Vec<String> {
    let mut inside = false;
    let leaf = |token: Token| {
        let written = token.text(text);
        let opens = token.end < text.len() && !text[token.end..].starts_with(char::is_whitespace) && !inside;
        match written {
            "(" => "-LRB-".to_owned(),
            ")" => "-RRB-".to_owned(),
            "[" => "-LSB-".to_owned(),
            "]" => "-RSB-".to_owned(),
            "{" => "-LCB-".to_owned(),
            "}" => "-RCB-".to_owned(),
            "\"" => {
                inside = opens;
                if opens { "``" } else { "''" }.to_owned()
            }
            // An emoticon such as `:(` would otherwise open a bracket.
            face if face.contains(['(', ')']) => face.replace('(', "-LRB-").replace(')', "-RRB-"),
            "“" | "«" => "``".to_owned(),
            "”" | "»" => "''".to_owned(),
            "‘" => "`".to_owned(),
            "…" => "...".to_owned(),
            "–" | "—" => "--".to_owned(),
            // The corpora's parser writes an opening single quote as a backtick.
            "'" if token.end < text.len() && !text[token.end..].starts_with(char::is_whitespace) && begins_word(text, token.start) => {
                "`".to_owned()
            }
            _ => written.replace('’', "'").replace('/', "\\/").replace('*', "\\*"),
        }
    };
    tokenize(text).into_iter().map(leaf).collect()
}

fn begins_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|letter| letter.is_whitespace() || "([{\"“".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let tokens: Vec<&str> = tokenize(text).iter().map(|token| token.text(text)).collect();
        assert_eq!(tokens.join(" "), expected);
    }

    #[test]
    fn contractions_are_split() {
        check("I don't, can't, won't and shouldn't've", "I do n't , ca n't , wo n't and should n't 've");
        check("it's he'd they'll we're I'm you've", "it 's he 'd they 'll we 're I 'm you 've");
        check("I cannot; I'm gonna, gotta, wanna", "I can not ; I 'm gon na , got ta , wan na");
        check("DON'T", "DO N'T");
        check("don’t", "do n’t");
    }

    #[test]
    fn possessives_are_split() {
        check("the dog's and the dogs' bowls", "the dog 's and the dogs ' bowls");
    }

    #[test]
    fn abbreviations_are_not_split() {
        check("Mr. and Mrs. Smith of the U.S. met at 5 p.m. today.", "Mr. and Mrs. Smith of the U.S. met at 5 p.m. today .");
        check("J. K. Rowling lives in St. Ives, e.g. there.", "J. K. Rowling lives in St. Ives , e.g. there .");
    }

    #[test]
    fn a_stop_ends_a_sentence_inside_the_text() {
        check("He ran. She sat.", "He ran . She sat .");
        check("He went to plan B. It failed", "He went to plan B. It failed");
    }

    #[test]
    fn numbers_and_amounts_are_not_split() {
        check("It cost $200,000, or 3.5% more at 10:30.", "It cost $ 200,000 , or 3.5 % more at 10:30 .");
        check("#1 of 1,200 (£5)", "# 1 of 1,200 ( £ 5 )");
    }

    #[test]
    fn quotes_dashes_and_dots_are_separate() {
        check("\"Well...\" he said--then left—twice", "\" Well ... \" he said -- then left — twice");
        check("``so'' 'tis", "`` so '' 't is");
        check("She said 'stop it' to 'em", "She said ' stop it ' to 'em");
    }

    #[test]
    fn hyphenated_words_and_addresses_are_not_split() {
        check("a well-known site, http://a.b/c?d=e. Mail me@x.org!", "a well-known site , http://a.b/c?d=e . Mail me@x.org !");
        check("and/or AT&T", "and/or AT&T");
    }

    #[test]
    fn tokenised_text_is_unchanged() {
        let text = "The dog 's bowl is n't full , is it ?";
        check(text, text);
    }

    #[test]
    fn text_without_white_space_takes_linear_time() {
        for piece in ["a;", "'a", "é(", "a@", "-"] {
            let text = piece.repeat(1 << 20);
            let started = std::time::Instant::now();
            let tokens = tokenize(&text);
            assert_eq!(tokens.iter().map(|token| token.end - token.start).sum::<usize>(), text.len());
            assert!(started.elapsed().as_secs() < 20, "{piece}: {:?}", started.elapsed());
        }
    }

    proptest! {
        #[test]
        fn tokens_cover_everything_except_white_space(text in "\\PC{0,60}|[a-zA-Z'’. ,\"()$0-9-]{0,60}") {
            let mut at = 0;
            for token in tokenize(&text) {
                prop_assert!(token.start < token.end);
                prop_assert!(text[at..token.start].chars().all(char::is_whitespace));
                prop_assert!(!token.text(&text).contains(char::is_whitespace));
                at = token.end;
            }
            prop_assert!(text[at..].chars().all(char::is_whitespace));
        }

        #[test]
        fn leaves_have_no_brackets_or_spaces(text in "\\PC{0,40}") {
            for leaf in penn_leaves(&text) {
                prop_assert!(!leaf.is_empty() && !leaf.contains(|letter: char| letter.is_whitespace() || "()".contains(letter)));
            }
        }
    }
}
