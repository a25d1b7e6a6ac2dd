//! Accuracy and other scores.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "accuracy",
        name: "accuracy",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "The share of labelled examples for which the predicted label is the gold label. A missing prediction is an error that \
                  stops the evaluation unless you choose to count it as wrong.",
        source: "Williams et al. 2018, section 3",
    },
    Term {
        slug: "drop",
        name: "drop",
        aliases: &["accuracy-drop"],
        group: TermGroup::Scores,
        meaning: "Accuracy on the original examples minus accuracy on the examples that a challenge made from them, in percentage \
                  points. It is paired: each perturbed example is compared with its own parent.",
        source: "Naik et al. 2018, table 3",
    },
    Term {
        slug: "prediction-change",
        name: "prediction change",
        aliases: &["flip", "flips", "prediction-changes"],
        group: TermGroup::Scores,
        meaning: "An example whose predicted label differs between the original and the perturbed version. Changes are split into \
                  correct to wrong, wrong to correct and wrong to another wrong label; only the first two affect accuracy.",
        source: "docs/reports.md",
    },
    Term {
        slug: "majority-class",
        name: "majority class",
        aliases: &["majority", "majority-baseline", "most-frequent-class"],
        group: TermGroup::Scores,
        meaning: "The accuracy of always predicting the most frequent gold label of the set. A model that is not significantly better \
                  than this has learned nothing that the set measures, so no drop is interpreted for it.",
        source: "Williams et al. 2018, table 4",
    },
    Term {
        slug: "two-way-scoring",
        name: "two-way scoring",
        aliases: &["two-way"],
        group: TermGroup::Scores,
        meaning: "Scoring with two classes, entailment and non-entailment, for corpora whose gold labels make no other distinction. \
                  Predictions with three labels are reduced to two, either by merging predicted labels or by summing scores.",
        source: "McCoy et al. 2019, section 4",
    },
    Term {
        slug: "merged-predictions",
        name: "merged predictions",
        aliases: &["merged-answers"],
        group: TermGroup::Scores,
        meaning: "Two-way scoring in which neutral and contradiction are both read as non-entailment after the model has chosen among \
                  three labels. This is the default, and what the published HANS results use.",
        source: "McCoy et al. 2019, section 4",
    },
    Term {
        slug: "summed-scores",
        name: "summed scores",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "Two-way scoring in which the probabilities of neutral and contradiction are added before entailment and non-entailment \
                  are compared. A model whose most probable label is entailment can then still predict non-entailment.",
        source: "McCoy et al. 2019, section 4",
    },
    Term {
        slug: "confusion-matrix",
        name: "confusion matrix",
        aliases: &["confusion"],
        group: TermGroup::Scores,
        meaning: "A table that counts examples by gold label (rows) and predicted label (columns). Correct predictions are on the \
                  diagonal.",
        source: "Manning, Raghavan and Schütze 2008",
    },
    Term {
        slug: "precision",
        name: "precision",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "Of the examples for which a model predicts a label, the share that have this gold label. A model that predicts \
                  entailment too often has low precision for entailment.",
        source: "Manning, Raghavan and Schütze 2008",
    },
    Term {
        slug: "recall",
        name: "recall",
        aliases: &[],
        group: TermGroup::Scores,
        meaning: "Of the examples with a gold label, the share for which the model predicts it. Recall is the accuracy on the examples \
                  of one gold label.",
        source: "Manning, Raghavan and Schütze 2008",
    },
    Term {
        slug: "f1",
        name: "F1",
        aliases: &["f1-score", "f-score", "macro-f1"],
        group: TermGroup::Scores,
        meaning: "The harmonic mean of precision and recall of one label, 2PR / (P + R). It has no interval in reports.",
        source: "Manning, Raghavan and Schütze 2008",
    },
];
