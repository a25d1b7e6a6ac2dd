//! Where a sentence ends: the place for words that are added to it.

/// Words that were added to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub text: String,
    /// First and last byte (exclusive) of what was added.
    pub start: usize,
    pub end: usize,
}

/// Whether a full stop that ends an abbreviation also ends the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharedStop {
    /// `in the U.S.` is a whole sentence: its dot stands for two.
    Yes,
    /// The text just ends in an abbreviation.
    No,
}

/// Puts the words before the final stop of the text, or at its end; `None` for a text without words.
///
/// Quotes, spacing and trailing blanks stay as they are; the dots of `3.5`, `Mr.` and `U.S.` are no stops.
pub(crate) fn before_final_stop(text: &str, words: &str, shared: SharedStop) -> Option<Placed> {
    let body = text.trim_end();
    let before_run = body.trim_end_matches(|c: char| is_stop(c) || is_closing(c) || c.is_whitespace());
    if !before_run.contains(char::is_alphanumeric) {
        return None;
    }
    let run = &body[before_run.len()..];
    let Some(stop) = run.find(is_stop).map(|at| before_run.len() + at) else {
        return Some(insert(text, body.len(), words, ""));
    };
    if let Some(after) = abbreviation_end(body, stop) {
        let second_stop = body[after..].contains(is_stop);
        let stop = if second_stop || shared == SharedStop::No { "" } else { "." };
        return Some(insert(text, after, words, stop));
    }
    Some(insert(text, stop, words, ""))
}

/// The first stop of the text cuts it, wherever it stands, and the words go before it.
pub(crate) fn before_first_stop(text: &str, words: &str) -> Placed {
    // The released script also cuts at the dot of "3.5" and drops what follows; the paper does not say so.
    let Some(stop) = text.find(['.', '!', '?']) else {
        return Placed { text: format!("{text} {words}"), start: text.len(), end: text.len() + 1 + words.len() };
    };
    let blanks = text[stop + 1..].len() - text[stop + 1..].trim_start().len();
    let kept = &text[stop..stop + 1 + blanks];
    Placed { text: format!("{} {words}{kept}", &text[..stop]), start: stop, end: stop + 1 + words.len() }
}

fn insert(text: &str, at: usize, words: &str, stop: &str) -> Placed {
    let mut new = String::with_capacity(text.len() + words.len() + stop.len() + 1);
    new.push_str(&text[..at]);
    // In text with a blank before its stop (`left .`) the blank goes behind the words.
    let spaced = text[..at].ends_with(char::is_whitespace);
    if !spaced {
        new.push(' ');
    }
    new.push_str(words);
    if spaced {
        new.push(' ');
    }
    new.push_str(stop);
    let end = new.len();
    new.push_str(&text[at..]);
    Placed { text: new, start: at, end }
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…')
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '}')
}

/// The byte after an abbreviation whose dot stands at `stop`.
fn abbreviation_end(text: &str, stop: usize) -> Option<usize> {
    if !text[stop..].starts_with('.') || text[stop + 1..].starts_with('.') {
        return None;
    }
    let start = text[..stop]
        .rfind(|c: char| !(c.is_alphanumeric() || c == '.'))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let word = &text[start..stop];
    let initials = word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    (initials || ABBREVIATIONS.contains(&word)).then_some(stop + 1)
}

/// Abbreviations that keep their dot.
const ABBREVIATIONS: &[&str] = &[
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Jr", "Sr", "Gen", "Col", "Capt", "Lt", "Sgt", "Sen", "Rep", "Gov", "Rev", "Hon", "Inc", "Ltd",
    "Co", "Corp", "Bros", "Ave", "Blvd", "Rd", "Mt", "Ft", "etc", "vs", "approx", "dept", "Dept", "est", "Jan", "Feb", "Mar", "Apr", "Aug",
    "Sept", "Sep", "Oct", "Nov", "Dec", "Ph.D", "al",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let placed = before_final_stop(text, "and true is true", SharedStop::Yes).unwrap();
        assert_eq!(placed.text, expected);
        assert!(placed.text[placed.start..placed.end].contains("and true is true"));
    }

    #[test]
    fn the_words_stand_before_the_final_stop() {
        check("He left.", "He left and true is true.");
        check("It cost 3.5 dollars.", "It cost 3.5 dollars and true is true.");
        check("It cost 3.5", "It cost 3.5 and true is true");
        check("Mr. Smith left. He was tired!", "Mr. Smith left. He was tired and true is true!");
        check("Really?!", "Really and true is true?!");
        check("Well...", "Well and true is true...");
    }

    #[test]
    fn the_dot_of_an_abbreviation_stays_with_it() {
        check("They live in the U.S.", "They live in the U.S. and true is true.");
        check("Was it in the U.S.?", "Was it in the U.S. and true is true?");
        check("He saw \"the U.S.\"", "He saw \"the U.S. and true is true.\"");
        check("We met at 9 a.m.", "We met at 9 a.m. and true is true.");
    }

    #[test]
    fn quotes_and_spacing_stay() {
        check("\"He left.\"", "\"He left and true is true.\"");
        check("He said \"yes\".", "He said \"yes\" and true is true.");
        check("He said \"yes\"", "He said \"yes\" and true is true");
        check("The doctor left .", "The doctor left and true is true .");
        check("Everyone likes it ", "Everyone likes it and true is true ");
        check("He left (see above).", "He left (see above) and true is true.");
    }

    #[test]
    fn a_text_of_stops_has_no_place() {
        assert_eq!(before_final_stop(" ... ", "x", SharedStop::Yes), None);
        assert_eq!(before_final_stop("", "x", SharedStop::Yes), None);
    }

    #[test]
    fn as_published_cuts_at_the_first_mark() {
        assert_eq!(before_first_stop("It cost 3.5 dollars.", "and true is true").text, "It cost 3 and true is true.");
        assert_eq!(before_first_stop("Yes", "and true is true").text, "Yes and true is true");
    }

    proptest! {
        #[test]
        fn taking_the_words_out_again_gives_the_text(text in "[a-cA-C .!?\"'é3)U]{0,24}") {
            if let Some(placed) = before_final_stop(&text, "and true is true", SharedStop::Yes) {
                let mut back = placed.text.clone();
                back.replace_range(placed.start..placed.end, "");
                prop_assert_eq!(back, text);
            }
        }
    }
}
