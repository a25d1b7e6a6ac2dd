//! The examples that a network is trained on, as features.

use acidtest_neural::PairFeatures;
use acidtest_nli::{Judgment, Label};

/// The features of a pair, with its class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrainingExample {
    pub features: PairFeatures,
    /// The class, from 0.
    pub class: usize,
}

/// The number of classes of a trained network.
pub(crate) const CLASSES: usize = Label::ALL.len();

/// The default training label of pairs labelled only "non-entailment": most of them are neutral.
pub(crate) const NOT_ENTAILED: Label = Label::Neutral;

/// The class for a gold label; `not_entailed` is the label for two-way non-entailment.
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
    fn non_entailment_gets_its_training_label() {
        assert_eq!(class(Judgment::NotEntailment, Label::Contradiction), class(Label::Contradiction.into(), NOT_ENTAILED));
        assert_eq!(class(Judgment::NotEntailment, NOT_ENTAILED), Label::Neutral.index());
    }
}
