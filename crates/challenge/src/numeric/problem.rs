//! Which word problems are used: AQuA's are kept where the paper keeps them.

use super::settings::{Answer, NumericSettings};
use crate::NotApplicable;
use acidtest_lingua::numbers::{NumberKind, find_numbers};
use acidtest_nli::{Tags, tag};

/// Refuses the sentences of a word problem whose answer is no number above 1, or whose rationale is long; other sentences pass.
pub(super) fn check(tags: &Tags<'_>, settings: &NumericSettings) -> Result<(), NotApplicable> {
    if settings.answer == Answer::Number && tags.get(tag::ANSWER).is_some_and(|answer| !is_number_above_one(answer)) {
        return Err(NotApplicable("a problem whose answer is not a number above 1"));
    }
    let lines = tags.get(tag::RATIONALE_LINES).and_then(|lines| lines.parse::<usize>().ok());
    match lines {
        // The paper says 3 sentences, the released script 5 lines.
        Some(lines) if settings.rationale_lines > 0 && lines > settings.rationale_lines => {
            Err(NotApplicable("a problem with a long rationale"))
        }
        _ => Ok(()),
    }
}

/// Whether an answer is one number above 1, with or without a unit: `250 m`, `$1,200`, `Rs. 50`.
fn is_number_above_one(answer: &str) -> bool {
    let numbers = find_numbers(answer);
    let [number] = numbers.as_slice() else { return false };
    let outside = |text: &str| {
        text.trim().split_whitespace().count() <= 2 && !text.contains(|letter: char| "=+*/^√:;".contains(letter) || letter.is_ascii_digit())
    };
    let plain = matches!(number.kind, NumberKind::Cardinal | NumberKind::Money(_) | NumberKind::Percent | NumberKind::Year);
    plain && number.value > 1.0 && outside(&answer[..number.start]) && outside(&answer[number.end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_with_or_without_a_unit() {
        for answer in ["250 m", "$1,200", "Rs. 50", "72", "12.5%", "1990", "40 kmph"] {
            assert!(is_number_above_one(answer), "{answer}");
        }
        for answer in ["5(√3 + 1)", "None of these", "1", "0.5", "3/4", "5 : 3", "2 hours 30 minutes", "", "x = 3"] {
            assert!(!is_number_above_one(answer), "{answer}");
        }
    }

    #[test]
    fn long_rationales_and_other_answers_are_refused_where_they_are_known() {
        let settings = NumericSettings::default();
        let tags = |answer: &'static str, lines: &'static str| {
            let mut tags = Tags::default();
            tags.set(tag::ANSWER, answer);
            tags.set(tag::RATIONALE_LINES, lines);
            tags
        };
        assert_eq!(check(&Tags::default(), &settings), Ok(()));
        assert_eq!(check(&tags("250 m", "5"), &settings), Ok(()));
        assert!(check(&tags("250 m", "6"), &settings).is_err() && check(&tags("None", "2"), &settings).is_err());
        let all = NumericSettings { answer: Answer::Any, rationale_lines: 0, ..settings };
        assert_eq!(check(&tags("None", "600"), &all), Ok(()));
    }
}
