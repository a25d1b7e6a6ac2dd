//! What the words alone rule out, before anything is parsed.

use super::candidate::Forms;
use super::filter::{Filter, SwitchedOff, reason};
use super::lists::Lists;
use super::scope::{MOST_WORDS, is_conditional_word};
use crate::NotApplicable;

/// No word of the text has an antonym.
pub(super) const NO_WORD: NotApplicable = NotApplicable("no word with a listed antonym");

/// Whether the words alone rule a text out: none has an antonym, or the text is one sentence in which a filter leaves all words alone.
pub(super) fn screen(text: &str, forms: &Forms, off: &SwitchedOff) -> Result<(), NotApplicable> {
    let mut words = Words::of(text);
    if !words.any(|word| forms.has(word)) {
        return Err(NO_WORD);
    }
    if !is_one_sentence(text) {
        return Ok(());
    }
    let rules: [(Filter, &dyn Fn() -> bool); 5] = [
        (Filter::Questions, &|| text.trim_end_matches(is_closing).ends_with('?')),
        (Filter::Length, &|| text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count() > MOST_WORDS),
        (Filter::Spoken, &|| Words::of(text).any(|word| Lists::get().is_cue("spoken", word))),
        (Filter::Conditionals, &|| Words::of(text).any(is_conditional_word)),
        (Filter::Disjunction, &|| Words::of(text).any(|word| Lists::get().is_cue("disjunction", word))),
    ];
    match rules.iter().find(|(filter, stops)| off.uses(*filter) && stops()) {
        Some((filter, _)) => Err(reason(*filter)),
        None => Ok(()),
    }
}

/// The words of a text in lower case, without a string for each.
struct Words<'t> {
    text: &'t str,
    buffer: String,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        Words { text, buffer: String::new() }
    }

    fn any(&mut self, mut is_wanted: impl FnMut(&str) -> bool) -> bool {
        let words = self.text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').filter(|word| !word.is_empty());
        words.into_iter().any(|word| {
            self.buffer.clear();
            self.buffer.extend(word.chars().flat_map(char::to_lowercase));
            is_wanted(&self.buffer)
        })
    }
}

/// Whether no mark inside the text can end a sentence.
fn is_one_sentence(text: &str) -> bool {
    let text = text.trim_end_matches(|mark: char| is_closing(mark) || matches!(mark, '.' | '!' | '?'));
    !text.contains(['.', '!', '?', '\n', '\u{2026}'])
}

fn is_closing(mark: char) -> bool {
    mark.is_whitespace() || matches!(mark, '"' | '\'' | '\u{201d}' | ')')
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::wordnet::PartOfSpeech;

    fn check(text: &str, expected: Result<(), NotApplicable>) {
        let forms = Forms::listed(&[PartOfSpeech::Adjective]);
        assert_eq!(screen(text, &forms, &SwitchedOff::default()), expected, "{text}");
    }

    #[test]
    fn words_rule_sentences_out_without_a_parse() {
        check("The soup was HOT.", Ok(()));
        check("The soup was spilt.", Err(NO_WORD));
        check("Was the soup hot?", Err(reason(Filter::Questions)));
        check("He ate. Was the soup hot?", Ok(()));
        check("The soup was hot if he was late.", Err(reason(Filter::Conditionals)));
        check("The soup was hot or sour.", Err(reason(Filter::Disjunction)));
        check("uh the soup was hot", Err(reason(Filter::Spoken)));
        check(&format!("The soup was hot{}.", " and good".repeat(20)), Err(reason(Filter::Length)));
    }

    #[test]
    fn what_is_switched_off_rules_nothing_out() {
        let forms = Forms::listed(&[PartOfSpeech::Adjective]);
        assert_eq!(screen("Was the soup hot?", &forms, &SwitchedOff(vec![Filter::Questions])), Ok(()));
    }
}
