//! Composition: the words of a pair in random order.
//!
//! Nie et al. (2018, section 4.2) shuffle words in training; as a test set this is an addition of ours. What a pair of shuffled sentences means, if anything, nobody
//! can say, so that its label is that of the original pair and is not claimed to be valid: a model that scores as well as before does not read word order.

use crate::{Build, Case, ChallengeEntry, Family, LabelEffect, Made, NotApplicable, PairView, Rewrite, Rewritten};
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_nli::{Rng, Side, Tags};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::Range;

pub(crate) const WORD_SHUFFLE: ChallengeEntry = ChallengeEntry {
    name: "word-shuffle",
    summary: "puts the words of both sentences in random order; the labels are not claimed to be valid",
    source: "our own, based on Nie et al. 2018, section 4.2, which shuffles words in training",
    family: Family::Composition,
    label: LabelEffect::Unclaimed,
    in_run: &[],
    needs: &[],
    split_by: &[],
    examples: &[
        Case {
            outcome: crate::CaseOutcome::Made {
                premise: "Barked dog the.",
                hypothesis: "Knows nobody.",
                gold: acidtest_nli::Judgment::Exact(acidtest_nli::Label::Neutral),
            },
            ..Case::changed(Side::Premise, "The dog barked.", "")
        },
        Case { hypothesis: crate::CaseSentence::plain("No."), ..Case::not_applicable(Side::Premise, "Yes.", ONE_ORDER.0) },
    ],
    defaults: || json!(ShuffleSettings { side: Shuffled::Both }),
    build: Build::Rewrite(|request| Ok(Box::new(request.settings::<ShuffleSettings>()?))),
};

const ONE_ORDER: NotApplicable = NotApplicable("the words cannot be put in another order");

/// How often an order is drawn before a sentence counts as one that has no other.
const MOST_DRAWS: usize = 100;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShuffleSettings {
    side: Shuffled,
}

/// The sentences whose words are shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shuffled {
    Both,
    Premise,
    Hypothesis,
}

impl Shuffled {
    fn includes(self, side: Side) -> bool {
        match self {
            Shuffled::Both => true,
            Shuffled::Premise => side == Side::Premise,
            Shuffled::Hypothesis => side == Side::Hypothesis,
        }
    }
}

impl Rewrite for ShuffleSettings {
    fn rewrite(&self, pair: &PairView<'_>, rng: &mut Rng) -> Result<Vec<Rewritten>, NotApplicable> {
        let mut changed = false;
        let mut made = |side: Side| -> Result<Made, NotApplicable> {
            let shuffled = if self.side.includes(side) { shuffled(pair.side(side), rng)? } else { None };
            changed |= shuffled.is_some();
            Ok(shuffled.map_or(Made::Kept(side), |edited| Made::Edited(side, edited)))
        };
        let (premise, hypothesis) = (made(Side::Premise)?, made(Side::Hypothesis)?);
        if !changed {
            return Err(ONE_ORDER);
        }
        Ok(vec![Rewritten { premise, hypothesis, gold: pair.gold(), tags: Tags::default() }])
    }
}

/// The sentence with its words in another order; punctuation marks keep their places. None where there is no other order.
fn shuffled(view: &View<'_>, rng: &mut Rng) -> Result<Option<Edited>, NotApplicable> {
    let words: Vec<usize> = (0..view.words().len()).filter(|&at| view.words()[at].form.contains(char::is_alphanumeric)).collect();
    let form = |place: usize| view.words()[words[place]].form.to_lowercase();
    if (1..words.len()).all(|place| form(place) == form(0)) {
        return Ok(None);
    }
    let places: Vec<Range<usize>> = words.iter().map(|&at| at..at + 1).collect();
    let mut order: Vec<usize> = (0..words.len()).collect();
    for _ in 0..MOST_DRAWS {
        rng.shuffle(&mut order);
        if order.iter().enumerate().any(|(place, &from)| form(place) != form(from)) {
            return Ok(Some(view.edit().permute(&places, &order).finish()?));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Challenge, Coverage, Mode, Resources};
    use acidtest_nli::{Example, Label, Pair, Settings};

    const PREMISE: &str = "An old farmer is chasing a brown dog across the yard, loudly.";

    fn made(side: &str, seed: u64) -> (String, String) {
        let settings = Settings::parse([format!("side={side}").as_str()]).unwrap();
        let challenge = Challenge::new(&WORD_SHUFFLE, &settings, Mode::Clean, seed, &Resources::default()).unwrap();
        let pair = Pair::plain(PREMISE, "The farmer runs after a dog!");
        let example = Example { pair, gold: Some(Label::Entailment.into()), ..Example::default() };
        let made = challenge.rows(&example, &mut Coverage::default()).unwrap();
        assert_eq!(made[0].gold, example.gold);
        (made[0].pair.premise.text.to_string(), made[0].pair.hypothesis.text.to_string())
    }

    fn sorted(text: &str) -> Vec<String> {
        let mut words: Vec<String> = text
            .to_lowercase()
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_string)
            .collect();
        words.sort();
        words
    }

    #[test]
    fn all_words_are_there_and_the_final_punctuation_stays() {
        let (premise, hypothesis) = made("both", 1);
        assert_ne!(premise, PREMISE);
        assert_eq!(sorted(&premise), sorted(PREMISE));
        assert!(premise.ends_with('.') && hypothesis.ends_with('!'), "{premise} {hypothesis}");
        assert!(premise.starts_with(char::is_uppercase));
    }

    #[test]
    fn two_seeds_differ_and_one_seed_does_not() {
        assert_ne!(made("both", 1), made("both", 2));
        assert_eq!(made("both", 1), made("both", 1));
    }

    #[test]
    fn one_sentence_alone_can_be_shuffled() {
        let (premise, hypothesis) = made("hypothesis", 1);
        assert!(premise == PREMISE && hypothesis != "The farmer runs after a dog!");
        let (premise, hypothesis) = made("premise", 1);
        assert!(premise != PREMISE && hypothesis == "The farmer runs after a dog!");
    }
}
