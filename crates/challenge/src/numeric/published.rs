//! The rules of the released script (`--as-published`): the first whole number that stands alone gets another leading digit.

use super::place::Phrase;
use super::triple::Triple;
use crate::{NotApplicable, SentencePair};
use acidtest_lingua::edit::Edited;
use acidtest_lingua::view::View;
use acidtest_nli::Rng;
use std::ops::Range;

/// The three pairs of a sentence.
///
/// Where a sentence has no such number, the script goes on with the hypotheses of the sentence before it. That depends on the order of the
/// corpus and gives pairs that have nothing to do with each other; here there are none.
pub(super) fn pairs(view: &View<'_>, rng: &mut Rng) -> Result<Vec<SentencePair>, NotApplicable> {
    let span = whole_number(view.text()).ok_or(super::NO_NUMBER)?;
    let old = &view.text()[span.clone()];
    let write = |phrase: Phrase, number: &str| write(view, span.clone(), phrase, number);
    let entailed = other(old, rng);
    let entailment = if *entailed > *old { Phrase::LessThan } else { Phrase::MoreThan };
    let changed = other(old, rng);
    let (contradiction, contradicted) = match (rng.below(2), rng.below(2)) {
        (0, _) => (Phrase::None, changed.as_str()),
        (_, 0) => (Phrase::MoreThan, old),
        _ => (Phrase::LessThan, old),
    };
    let triple =
        Triple { entailed: write(entailment, &entailed)?, entailment, contradicted: write(contradiction, contradicted)?, contradiction };
    Ok(triple.pairs(old))
}

/// The first whole number between blanks. `5-year`, `5,` and `$5` are none.
pub(super) fn whole_number(text: &str) -> Option<Range<usize>> {
    let words = text.split_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    let mut whole = words.filter(|(_, word)| word.bytes().all(|byte| byte.is_ascii_digit()));
    whole.next().map(|(start, word)| start..start + word.len())
}

/// The number with another leading digit; the script never draws 9 or 0.
fn other(number: &str, rng: &mut Rng) -> String {
    let digits: Vec<char> = ('1'..='8').filter(|digit| !number.starts_with(*digit)).collect();
    let digit = rng.choose(&digits).copied().unwrap_or('1');
    format!("{digit}{}", &number[1..])
}

fn write(view: &View<'_>, span: Range<usize>, phrase: Phrase, number: &str) -> Result<Edited, NotApplicable> {
    let with = match phrase {
        Phrase::None => number.to_string(),
        phrase => format!("{} {number}", phrase.tag()),
    };
    Ok(View::plain(view.text()).edit().replace_span(span, &with).finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Label, Seed};

    #[test]
    fn the_first_whole_number_between_blanks_is_taken() {
        let number = |text: &'static str| whole_number(text).map(|span| &text[span]);
        assert_eq!(number("Tim has 350 pounds of cement in 100 bags"), Some("350"));
        assert_eq!(number("A 5-year plan for $5, or 7."), None);
    }

    #[test]
    fn the_leading_digit_is_another_and_never_nine() {
        let mut rng = Seed::new(1).rng();
        for _ in 0..200 {
            let new = other("350", &mut rng);
            assert!(new.ends_with("50") && !new.starts_with(['3', '9', '0']), "{new}");
        }
    }

    #[test]
    fn the_released_script_writes_small_letters_and_less_than() {
        let view = View::plain("3 boys have 20 apples .");
        for seed in 0..20 {
            let made = pairs(&view, &mut Seed::new(seed).rng()).unwrap();
            assert_eq!(
                made.iter().map(|pair| pair.gold.label()).collect::<Vec<_>>(),
                [Label::Entailment, Label::Contradiction, Label::Neutral].map(Some)
            );
            let crate::SentenceVersion::Changed(entailed) = &made[0].hypothesis else { panic!() };
            let expected = entailed
                .text
                .strip_prefix("less than ")
                .map(|rest| (rest, true))
                .or(entailed.text.strip_prefix("more than ").map(|rest| (rest, false)));
            let (rest, less) = expected.unwrap();
            assert_eq!(rest.as_bytes()[0] > b'3', less, "{}", entailed.text);
        }
    }
}
