//! Detokenisation.

use super::Token;

/// Joins tokens with normal spacing: no space before a comma or a clitic, none after an opening bracket.
///
/// Penn escapes are undone: ``` `` ``` and `''` become `"`, `-LRB-` becomes `(`.
///
/// ```
/// use acidtest_lingua::tokens::detokenize;
/// assert_eq!(detokenize(["He", "did", "n't", "pay", "$", "5", ",", "``", "ever", "''", "."]), "He didn't pay $5, \"ever\".");
/// ```
pub fn detokenize<'a>(tokens: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut glue = true;
    let mut inside_quotes = false;
    for token in tokens {
        let written = unescaped(token);
        let (no_space_before, no_space_after) = match token {
            "\"" if inside_quotes => (true, false),
            "\"" => (false, true),
            _ => (clings_to_left(token), clings_to_right(token)),
        };
        inside_quotes ^= token == "\"";
        if !glue && !no_space_before && !is_second_half(&text, token) {
            text.push(' ');
        }
        text.push_str(&written);
        glue = no_space_after;
    }
    text
}

/// Replaces each token in the text and keeps everything between the tokens.
///
/// ```
/// use acidtest_lingua::tokens::{rejoin, tokenize};
/// let text = "A dog  isn't a cat.";
/// let forms: Vec<&str> = tokenize(text).iter().map(|token| token.text(text)).map(|form| if form == "dog" { "fox" } else { form }).collect();
/// assert_eq!(rejoin(text, &tokenize(text), &forms), "A fox  isn't a cat.");
/// ```
pub fn rejoin<S: AsRef<str>>(text: &str, tokens: &[Token], forms: &[S]) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut at = 0;
    for (token, form) in tokens.iter().zip(forms) {
        joined.push_str(&text[at..token.start]);
        joined.push_str(form.as_ref());
        at = token.end;
    }
    joined.push_str(&text[at..]);
    joined
}

fn unescaped(token: &str) -> String {
    match token {
        "``" | "''" => "\"".to_owned(),
        "`" => "'".to_owned(),
        "-LRB-" => "(".to_owned(),
        "-RRB-" => ")".to_owned(),
        "-LSB-" => "[".to_owned(),
        "-RSB-" => "]".to_owned(),
        "-LCB-" => "{".to_owned(),
        "-RCB-" => "}".to_owned(),
        _ => token.replace("\\/", "/").replace("\\*", "*"),
    }
}

fn clings_to_left(token: &str) -> bool {
    let is_ending = |apostrophe: char| {
        token
            .strip_prefix(apostrophe)
            .is_some_and(|rest| matches!(rest.to_ascii_lowercase().as_str(), "" | "s" | "m" | "d" | "ll" | "re" | "ve"))
    };
    let lower = token.to_ascii_lowercase();
    matches!(token, "," | "." | ";" | ":" | "?" | "!" | ")" | "]" | "}" | "-RRB-" | "-RSB-" | "-RCB-" | "''" | "”" | "%" | "..." | "…")
        || is_ending('\'')
        || is_ending('’')
        || lower == "n't"
        || lower == "n’t"
}

fn clings_to_right(token: &str) -> bool {
    matches!(token, "(" | "[" | "{" | "-LRB-" | "-LSB-" | "-LCB-" | "``" | "“" | "`" | "‘" | "$" | "£" | "€" | "¥" | "#")
}

/// Whether the token is the second half of a word that the tokenizer splits: `can` `not`, `gon` `na`.
fn is_second_half(text: &str, token: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or_default().to_ascii_lowercase();
    matches!(
        (last.as_str(), token),
        ("can", "not") | ("gon", "na") | ("wan", "na") | ("got", "ta") | ("gim", "me") | ("lem", "me") | ("'t", "is" | "was")
    )
}

#[cfg(test)]
mod tests {
    use super::super::tokenize;
    use super::*;
    use proptest::prelude::*;

    fn round(text: &str) -> String {
        detokenize(tokenize(text).iter().map(|token| token.text(text)))
    }

    #[test]
    fn spacing_is_restored() {
        for text in [
            "The dogs' bowl isn't full, is it?",
            "He said \"stop\" (twice) for $5, i.e. 3.5% more.",
            "I cannot go; I'm gonna stay...",
            "Mr. Smith's U.S. visa: 1,200 of them!",
        ] {
            assert_eq!(round(text), text);
        }
    }

    proptest! {
        #[test]
        fn sentences_survive_a_round_trip(words in prop::collection::vec("[a-z]{2,8}(n't|'s|'ll)?,?", 1..9)) {
            let text = format!("{}.", words.join(" "));
            prop_assert_eq!(round(&text), text);
        }

        #[test]
        fn unchanged_tokens_give_the_same_text(text in "\\PC{0,60}") {
            let tokens = tokenize(&text);
            let forms: Vec<&str> = tokens.iter().map(|token| token.text(&text)).collect();
            prop_assert_eq!(rejoin(&text, &tokens, &forms), text);
        }
    }
}
