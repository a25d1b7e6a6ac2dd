//! A pair as challenges see it: a view of each sentence, made once and shared by all challenges of a run.

use crate::Need;
use acidtest_lingua::View;
use acidtest_lingua::view::ViewNeed;
use acidtest_nli::{Example, Judgment, Side};

/// An example with a view of each of its sentences.
#[derive(Debug)]
pub struct PairView<'e> {
    example: &'e Example<'e>,
    premise: View<'e>,
    hypothesis: View<'e>,
}

impl<'e> PairView<'e> {
    /// Views of the sentences of an example; nothing is worked out yet.
    pub fn new(example: &'e Example<'_>) -> Self {
        let view = |side| {
            let sentence = example.pair.side(side);
            View::new(&sentence.text, sentence.parse.as_deref(), sentence.binary_parse.as_deref())
        };
        PairView { example, premise: view(Side::Premise), hypothesis: view(Side::Hypothesis) }
    }

    /// Works out what challenges need of many pairs at once, which is faster than one by one and gives the same.
    pub fn prepare<'n>(pairs: &[PairView<'e>], needs: impl IntoIterator<Item = &'n Need>) {
        if needs.into_iter().any(|need| *need == Need::Analysis) {
            View::prepare(pairs.iter().flat_map(|pair| [&pair.premise, &pair.hypothesis]), ViewNeed::Analysis);
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
}
