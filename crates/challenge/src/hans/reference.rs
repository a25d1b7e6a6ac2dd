//! Published accuracies on HANS, for comparison.

/// Human accuracy on HANS.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct HumanAccuracy {
    /// The participants.
    pub who: &'static str,
    /// On all pairs.
    pub all: f64,
    /// On entailed pairs, if the paper reports it.
    pub entailment: Option<f64>,
    /// On non-entailed pairs, if the paper reports it.
    pub non_entailment: Option<f64>,
}

/// Human accuracy: McCoy et al. 2019, section 6 and appendix E.
pub const HUMAN_ACCURACY: [HumanAccuracy; 2] = [
    HumanAccuracy { who: "95 Mechanical Turk workers", all: 0.76, entailment: Some(0.75), non_entailment: Some(0.77) },
    HumanAccuracy { who: "3 expert annotators", all: 0.97, entailment: None, non_entailment: None },
];

/// The accuracy on HANS of a model trained on MNLI.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ModelAccuracy {
    /// The model.
    pub model: &'static str,
    /// On the MNLI test set.
    pub mnli: f64,
    /// On entailed pairs: lexical overlap, subsequence, constituent.
    pub entailment: [f64; 3],
    /// On non-entailed pairs, in the same order.
    pub non_entailment: [f64; 3],
}

/// The models of McCoy et al. 2019, table 3.
pub const MODEL_ACCURACY: [ModelAccuracy; 4] = [
    ModelAccuracy { model: "DA", mnli: 0.72, entailment: [0.99, 1.00, 0.97], non_entailment: [0.01, 0.02, 0.03] },
    ModelAccuracy { model: "ESIM", mnli: 0.77, entailment: [0.98, 1.00, 0.99], non_entailment: [0.01, 0.02, 0.01] },
    ModelAccuracy { model: "SPINN", mnli: 0.67, entailment: [0.96, 0.96, 0.93], non_entailment: [0.02, 0.06, 0.11] },
    ModelAccuracy { model: "BERT", mnli: 0.84, entailment: [0.95, 0.99, 0.98], non_entailment: [0.16, 0.04, 0.16] },
];
