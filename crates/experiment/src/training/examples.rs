//! The examples that a network is trained on, as it reads them.

use acidtest_neural::PairFeatures;
use acidtest_nli::{Judgment, Label};

/// A labelled pair as a network reads it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrainingExample {
    pub features: PairFeatures,
    /// The class, counted from 0.
    pub class: usize,
}

/// How many classes a network is trained to tell apart.
pub(crate) const CLASSES: usize = Label::ALL.len();

/// What a pair that is only "not entailment" is learnt as where nothing else is said: mostly it leaves the hypothesis open.
pub(crate) const NOT_ENTAILED: Label = Label::Neutral;

/// The class that a judgment is learnt as; two-way sets do not say which label a pair has that is not entailed.
pub(crate) fn class(gold: Judgment, not_entailed: Label) -> usize {
    match gold {
        Judgment::Exact(label) => label.index(),
        Judgment::NotEntailment => not_entailed.index(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_entailment_is_learnt_as_the_label_that_stands_for_it() {
        assert_eq!(class(Judgment::NotEntailment, Label::Contradiction), class(Label::Contradiction.into(), NOT_ENTAILED));
        assert_eq!(class(Judgment::NotEntailment, NOT_ENTAILED), Label::Neutral.index());
    }
}
