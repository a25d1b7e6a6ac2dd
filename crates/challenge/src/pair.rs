//! Pairs with a view of each sentence, shared by all challenges of a run.

use crate::{Challenge, ChallengeKind, Need, SourceSentence};
use acidtest_lingua::View;
use acidtest_lingua::tokens::sentences;
use acidtest_lingua::view::ViewNeed;
use acidtest_lingua::{completeness, last_clause};
use acidtest_nli::{Example, Judgment, Side, tag};

/// An example with a view of each of its sentences.
#[derive(Debug)]
pub struct PairView<'e> {
    example: &'e Example<'e>,
    premise: View<'e>,
    hypothesis: View<'e>,
    /// The sentences of a text without a hypothesis.
    passage: Option<Vec<View<'e>>>,
}

impl<'e> PairView<'e> {
    /// Creates the views; their analyses are computed on demand.
    pub fn new(example: &'e Example<'_>) -> Self {
        let view = |side| {
            let sentence = example.pair.side(side);
            View::new(&sentence.text, sentence.parse.as_deref(), sentence.binary_parse.as_deref())
        };
        let text = &example.pair.premise.text;
        let passage = example.tags.get(tag::PASSAGE).map(|_| sentences(text).into_iter().map(|range| View::plain(&text[range])).collect());
        PairView { example, premise: view(Side::Premise), hypothesis: view(Side::Hypothesis), passage }
    }

    /// Computes the analyses that these challenges need for many pairs at once, which is faster than on demand and gives the same
    /// results.
    pub fn prepare<'c>(pairs: &[PairView<'e>], challenges: impl IntoIterator<Item = &'c Challenge>) {
        let challenges: Vec<&Challenge> = challenges.into_iter().collect();
        View::share(pairs.iter().map(|pair| &pair.premise));
        for side in [Side::Premise, Side::Hypothesis] {
            let looks_at =
                |challenge: &&Challenge| matches!(challenge.kind(), ChallengeKind::Rewrite(rewrite) if rewrite.parsed_side() == Some(side));
            if challenges.iter().any(looks_at) {
                View::prepare(
                    pairs
                        .iter()
                        .map(|pair| pair.side(side))
                        .filter(|view| completeness::needs_our_parse(view) || last_clause::needs_our_parse(view)),
                    ViewNeed::Analysis,
                );
            }
        }
        for (need, view_need) in [(Need::Names, ViewNeed::Names), (Need::Analysis, ViewNeed::Analysis)] {
            let mut from_sentences = Vec::new();
            let mut all = false;
            for challenge in &challenges {
                match challenge.kind() {
                    ChallengeKind::FromSentences(from) if from.view_need() == Some(view_need) => from_sentences.push(from.as_ref()),
                    ChallengeKind::FromSentences(_) => {}
                    _ => all |= challenge.entry().needs.contains(&need),
                }
            }
            if all {
                View::prepare(pairs.iter().flat_map(|pair| [&pair.premise, &pair.hypothesis]), view_need);
            }
            if !from_sentences.is_empty() {
                let wanted = |source: &SourceSentence<'_, '_>| {
                    from_sentences.iter().any(|from| from.sides().include(source.side) && from.screen(source).is_ok())
                };
                let views = pairs.iter().flat_map(|pair| pair.sentences()).filter(wanted).map(|source| source.view);
                View::prepare(views, view_need);
            }
        }
    }

    /// The example itself.
    pub fn example(&self) -> &'e Example<'e> {
        self.example
    }

    /// The gold label.
    pub fn gold(&self) -> Option<Judgment> {
        self.example.gold
    }

    /// The sentence on one side.
    pub fn side(&self, side: Side) -> &View<'e> {
        match side {
            Side::Premise => &self.premise,
            Side::Hypothesis => &self.hypothesis,
        }
    }

    /// The individual sentences: both sides of a pair, or the sentences of a text without a hypothesis.
    pub fn sentences(&self) -> Vec<SourceSentence<'_, 'e>> {
        let source = |side, view| SourceSentence { view, side, tags: &self.example.tags };
        match &self.passage {
            Some(views) => views.iter().map(|view| source(Side::Premise, view)).collect(),
            None => [Side::Premise, Side::Hypothesis].into_iter().map(|side| source(side, self.side(side))).collect(),
        }
    }
}
