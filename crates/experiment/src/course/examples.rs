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

/// The class that a judgment is learnt as.
pub(crate) fn class(gold: Judgment) -> usize {
    match gold {
        Judgment::Exact(label) => label.index(),
        // Two-way sets do not say which; a pair that is only "not entailment" is mostly one that leaves the hypothesis open.
        Judgment::NotEntailment => Label::Neutral.index(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_entailment_is_learnt_as_neutral() {
        assert_eq!(class(Judgment::NotEntailment), class(Label::Neutral.into()));
    }
}
