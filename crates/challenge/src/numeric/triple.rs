//! The three pairs of a sentence: entailment, contradiction and, as the entailment reversed, neutral.

use super::candidate::Candidate;
use super::draw::{Direction, has_other, other};
use super::place::{Phrase, write};
use super::settings::Reading;
use crate::{NotApplicable, SentencePair, SentenceVersion};
use acidtest_lingua::edit::Edited;
use acidtest_lingua::view::View;
use acidtest_nli::{Label, Rng, Tags, tag};

/// The two changed copies of a sentence.
pub(super) struct Triple {
    /// The one that follows from the sentence.
    pub(super) entailed: Edited,
    pub(super) entailment: Phrase,
    /// The one that contradicts it.
    pub(super) contradicted: Edited,
    pub(super) contradiction: Phrase,
}

impl Triple {
    /// The pairs of a sentence whose number was written this way.
    pub(super) fn pairs(self, number: &str) -> Vec<SentencePair> {
        use SentenceVersion::{Changed, Original};
        let neutral = pair(Changed(self.entailed.clone()), Original, Label::Neutral, self.entailment, number);
        vec![
            pair(Original, Changed(self.entailed), Label::Entailment, self.entailment, number),
            pair(Original, Changed(self.contradicted), Label::Contradiction, self.contradiction, number),
            neutral,
        ]
    }
}

fn pair(premise: SentenceVersion, hypothesis: SentenceVersion, gold: Label, phrase: Phrase, number: &str) -> SentencePair {
    let mut tags = Tags::default();
    tags.set(tag::NUMBER, number.to_string());
    tags.set(tag::NUMBER_PHRASE, phrase.tag());
    SentencePair { premise, hypothesis, gold: gold.into(), tags, control: None }
}

/// Whether a number has the other numbers that its pairs need.
pub(super) fn can_be_made(candidate: &Candidate<'_>, reading: Reading) -> bool {
    let has = |direction| has_other(candidate.number, direction);
    match reading {
        Reading::Exact => has(Direction::Below) || has(Direction::Above),
        Reading::Strict => has(Direction::Below),
    }
}

/// The pairs of a sentence with one of its numbers changed.
pub(super) fn make(
    view: &View<'_>,
    candidate: &Candidate<'_>,
    reading: Reading,
    rng: &mut Rng,
) -> Result<Vec<SentencePair>, NotApplicable> {
    const NO_OTHER: NotApplicable = NotApplicable("no other number that is written the same way");
    let value = candidate.number.value;
    let (direction, entailed) = match reading {
        Reading::Exact => draw(candidate, rng).ok_or(NO_OTHER)?,
        Reading::Strict => (Direction::Below, other(candidate.number, Direction::Below, rng).ok_or(NO_OTHER)?),
    };
    let entailment = match direction {
        Direction::Below => Phrase::MoreThan,
        Direction::Above => Phrase::LessThan,
    };
    let (contradiction, contradicted) = match (reading, rng.below(2), rng.below(2)) {
        (Reading::Strict, ..) => (Phrase::LessThan, value),
        (Reading::Exact, 0, _) => (Phrase::None, draw(candidate, rng).ok_or(NO_OTHER)?.1),
        (Reading::Exact, _, 0) => (Phrase::MoreThan, value),
        (Reading::Exact, ..) => (Phrase::LessThan, value),
    };
    let triple = Triple {
        entailed: write(view, candidate, entailment, entailed)?,
        entailment,
        contradicted: write(view, candidate, contradiction, contradicted)?,
        contradiction,
    };
    Ok(triple.pairs(&view.text()[candidate.number.start..candidate.number.end]))
}

/// Another number on either side, or on the one that has any.
fn draw(candidate: &Candidate<'_>, rng: &mut Rng) -> Option<(Direction, f64)> {
    let sides = if rng.below(2) == 0 { [Direction::Below, Direction::Above] } else { [Direction::Above, Direction::Below] };
    sides.into_iter().find_map(|direction| Some((direction, other(candidate.number, direction, rng)?)))
}
