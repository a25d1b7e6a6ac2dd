//! What the outputs of a classifier mean, by the names in its config.json.

use crate::error::{Result, TransformerError};
use crate::folder::CONFIG_FILE;
use acidtest_neural::NeuralError;
use acidtest_nli::{Judgment, Label, Scores};
use serde_json::Value;
use std::path::Path;

/// The meaning of the outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outputs {
    /// One score per label, in this order.
    Three([Label; 3]),
    /// Two scores; the output with this number is entailment.
    Two(usize),
    /// One number, whose logistic function is the probability of entailment, or of its opposite.
    One(OneOutput),
}

/// What a high value of a single output means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OneOutput {
    /// The hypothesis follows.
    Entailed,
    /// It does not.
    NotEntailed,
}

/// The usual orders of three labels.
const USUAL_THREE: &str = "E,N,C (most recent models), C,E,N (textattack, old GLUE scripts, cross-encoders) and C,N,E (roberta-large-mnli, \
                           bart-large-mnli)";
/// The usual orders of two labels.
const USUAL_TWO: &str =
    "`entailment,not_entailment` (zero-shot classifiers, RTE and QNLI) and `not_entailment,entailment` (fact checkers such as MiniCheck)";
/// Words for judgments beyond those that corpora use.
const SYNONYMS: [(&str, Judgment); 37] = [
    ("supports", Judgment::Exact(Label::Entailment)),
    ("supported", Judgment::Exact(Label::Entailment)),
    ("support", Judgment::Exact(Label::Entailment)),
    ("aligned", Judgment::Exact(Label::Entailment)),
    ("consistent", Judgment::Exact(Label::Entailment)),
    ("factual", Judgment::Exact(Label::Entailment)),
    ("grounded", Judgment::Exact(Label::Entailment)),
    ("entail", Judgment::Exact(Label::Entailment)),
    ("faithful", Judgment::Exact(Label::Entailment)),
    ("attributable", Judgment::Exact(Label::Entailment)),
    ("not hallucinated", Judgment::Exact(Label::Entailment)),
    ("refutes", Judgment::Exact(Label::Contradiction)),
    ("refuted", Judgment::Exact(Label::Contradiction)),
    ("refute", Judgment::Exact(Label::Contradiction)),
    ("contradicted", Judgment::Exact(Label::Contradiction)),
    ("contradict", Judgment::Exact(Label::Contradiction)),
    ("contradicting", Judgment::Exact(Label::Contradiction)),
    ("not enough info", Judgment::Exact(Label::Neutral)),
    ("not enough information", Judgment::Exact(Label::Neutral)),
    ("not enough evidence", Judgment::Exact(Label::Neutral)),
    ("unverifiable", Judgment::Exact(Label::Neutral)),
    ("nei", Judgment::Exact(Label::Neutral)),
    ("not supported", Judgment::NotEntailment),
    ("unsupported", Judgment::NotEntailment),
    ("not aligned", Judgment::NotEntailment),
    ("inconsistent", Judgment::NotEntailment),
    ("hallucinated", Judgment::NotEntailment),
    ("hallucination", Judgment::NotEntailment),
    ("not grounded", Judgment::NotEntailment),
    ("ungrounded", Judgment::NotEntailment),
    ("not entailed", Judgment::NotEntailment),
    ("no entailment", Judgment::NotEntailment),
    ("unfaithful", Judgment::NotEntailment),
    ("not attributable", Judgment::NotEntailment),
    ("not consistent", Judgment::NotEntailment),
    ("not factual", Judgment::NotEntailment),
    ("non factual", Judgment::NotEntailment),
];

impl Outputs {
    /// The meaning of `outputs` outputs: as the user says, or as the names in config.json do.
    pub fn of(config: &Value, outputs: usize, given: Option<&[Judgment]>, folder: &Path) -> Result<Self> {
        let path = folder.join(CONFIG_FILE);
        if let Some(given) = given {
            return given_order(given, outputs);
        }
        let names = label_names(config).map_err(|problem| TransformerError::Config { path: path.clone(), problem })?;
        let count = names.len();
        if !names.is_empty() && count != outputs {
            return Err(TransformerError::LabelCount { path, labels: count, outputs });
        }
        let found = if names.is_empty() { "missing".to_owned() } else { names.join(", ") };
        let judgments: Vec<Option<Judgment>> = names.iter().map(|name| judgment(name)).collect();
        let nameless = names.iter().all(|name| is_number(name));
        match (outputs, judgments.as_slice()) {
            // A single output is named after what a high value means, or not at all.
            (1, [Some(judgment)]) if !judgment.is_entailment() => Ok(Outputs::One(OneOutput::NotEntailed)),
            (1, _) => Ok(Outputs::One(OneOutput::Entailed)),
            (2, _) if nameless => Err(TransformerError::NamelessLabels { path, found, usual: USUAL_TWO }),
            (3, _) if nameless => Err(TransformerError::NamelessLabels { path, found, usual: USUAL_THREE }),
            (2, [Some(first), Some(second)]) if first.is_entailment() != second.is_entailment() => {
                Ok(Outputs::Two(if first.is_entailment() { 0 } else { 1 }))
            }
            (3, [Some(Judgment::Exact(first)), Some(Judgment::Exact(second)), Some(Judgment::Exact(third))])
                if first != second && second != third && first != third =>
            {
                Ok(Outputs::Three([*first, *second, *third]))
            }
            _ => Err(TransformerError::OtherLabels { path, found }),
        }
    }

    /// The number of outputs.
    pub fn count(&self) -> usize {
        match self {
            Outputs::Three(_) => 3,
            Outputs::Two(_) => 2,
            Outputs::One(_) => 1,
        }
    }

    /// The meaning of the outputs of a model that is trained here: labels in our order.
    pub(crate) fn own_order(classes: usize) -> Result<Self> {
        match classes {
            2 => Ok(Outputs::Two(0)),
            3 => Ok(Outputs::Three(Label::ALL)),
            _ => {
                let found = format!("{classes} labels");
                Err(NeuralError::Setting { setting: "labels", found, expected: "two or three" }.into())
            }
        }
    }

    /// The number of the output of each label, in our order; that of entailment and of its opposite if there are two.
    pub(crate) fn places(&self) -> Vec<usize> {
        match self {
            Outputs::Three(labels) => Label::ALL.iter().filter_map(|label| labels.iter().position(|own| own == label)).collect(),
            Outputs::Two(entailment) => vec![*entailment, 1 - entailment],
            Outputs::One(_) => vec![0],
        }
    }

    /// The names of the outputs, in their order; `None` for one output, which has no label.
    pub(crate) fn names(&self) -> Option<Vec<&'static str>> {
        let two = [Judgment::Exact(Label::Entailment), Judgment::NotEntailment].map(Judgment::name);
        match self {
            Outputs::Three(labels) => Some(labels.map(Label::name).to_vec()),
            Outputs::Two(entailment) => Some(vec![two[*entailment], two[1 - entailment]]),
            Outputs::One(_) => None,
        }
    }

    /// The labels in the order of the outputs, for reports.
    pub fn order(&self) -> String {
        match self {
            Outputs::Three(labels) => labels.map(Label::name).join(", "),
            Outputs::Two(0) => "entailment, non-entailment".to_owned(),
            Outputs::Two(_) => "non-entailment, entailment".to_owned(),
            Outputs::One(OneOutput::Entailed) => "the probability of entailment".to_owned(),
            Outputs::One(OneOutput::NotEntailed) => "the probability of non-entailment".to_owned(),
        }
    }

    /// The probabilities of the labels, from the outputs of a pair.
    pub fn scores(&self, logits: &[f32]) -> Scores {
        let powers = |logits: &[f32]| {
            let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let powers: Vec<f64> = logits.iter().map(|&logit| f64::from(logit - highest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(|power| power / sum).collect::<Vec<f64>>()
        };
        match self {
            Outputs::Three(labels) => {
                let mut scores = [0.0; 3];
                labels.iter().zip(powers(logits)).for_each(|(label, power)| scores[label.index()] = power);
                Scores::Three(scores)
            }
            Outputs::Two(entailment) => {
                let powers = powers(logits);
                Scores::Two([powers[*entailment], powers[1 - entailment]])
            }
            Outputs::One(meaning) => {
                let yes = 1.0 / (1.0 + (-f64::from(logits[0])).exp());
                Scores::Two(if *meaning == OneOutput::Entailed { [yes, 1.0 - yes] } else { [1.0 - yes, yes] })
            }
        }
    }
}

/// The order that the user gives.
fn given_order(given: &[Judgment], outputs: usize) -> Result<Outputs> {
    let text = given.iter().map(|judgment| judgment.name()).collect::<Vec<_>>().join(",");
    let refused = |expected: String| Err(TransformerError::GivenLabels { given: text.clone(), expected });
    match (outputs, given) {
        (3, [Judgment::Exact(first), Judgment::Exact(second), Judgment::Exact(third)])
            if first != second && second != third && first != third =>
        {
            Ok(Outputs::Three([*first, *second, *third]))
        }
        (2, [first, second]) if first.is_entailment() != second.is_entailment() => {
            Ok(Outputs::Two(if first.is_entailment() { 0 } else { 1 }))
        }
        (1, _) => refused("the model has one output, so there is no order; leave it out".to_owned()),
        _ => refused(format!("the model has {outputs} outputs; expected as many different labels")),
    }
}

/// The names of `id2label` in the order of their numbers, which must be 0, 1, 2 and so on.
fn label_names(config: &Value) -> std::result::Result<Vec<String>, String> {
    let Some(names) = config.get("id2label").filter(|names| !names.is_null()) else { return Ok(Vec::new()) };
    let names = names.as_object().ok_or("`id2label` is not an object of numbers and names")?;
    let mut numbered = Vec::new();
    for (number, name) in names {
        let place = number.trim().parse::<usize>().map_err(|_| format!("`id2label` has the key `{number}` (expected a number)"))?;
        numbered.push((place, name.as_str().map_or_else(|| name.to_string(), str::to_owned)));
    }
    numbered.sort();
    if let Some((expected, (found, _))) = numbered.iter().enumerate().find(|(expected, (found, _))| expected != found) {
        return Err(format!("`id2label` has the number {found} where {expected} is expected"));
    }
    Ok(numbered.into_iter().map(|(_, name)| name).collect())
}

/// Whether a name says only its number.
fn is_number(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.strip_prefix("label").unwrap_or(&lower).trim_matches(['_', '-', ' ']).parse::<usize>().is_ok()
}

/// The judgment that a name means.
fn judgment(name: &str) -> Option<Judgment> {
    let plain = name.trim().to_lowercase().replace(['_', '-'], " ");
    let synonym = SYNONYMS.iter().find(|(word, _)| *word == plain).map(|(_, judgment)| *judgment);
    let known = || acidtest_nli::LabelNames::default().gold(&plain).ok().flatten().filter(|_| !is_number(&plain));
    synonym.or_else(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn outputs(names: &[&str], count: usize) -> String {
        let names: serde_json::Map<String, Value> =
            names.iter().enumerate().map(|(number, name)| (number.to_string(), json!(name))).collect();
        let config = if names.is_empty() { json!({}) } else { json!({ "id2label": names }) };
        match Outputs::of(&config, count, None, Path::new("m")) {
            Ok(outputs) => outputs.order(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn names_decide_in_any_spelling() {
        assert_eq!(outputs(&["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], 3), "contradiction, neutral, entailment");
        assert_eq!(outputs(&["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], 3), "entailment, contradiction, neutral");
        assert_eq!(outputs(&["not_entailment", "entailment"], 2), "non-entailment, entailment");
        assert_eq!(outputs(&["consistent", "hallucinated"], 2), "entailment, non-entailment");
        assert_eq!(outputs(&["LABEL_0"], 1), "the probability of entailment");
        assert_eq!(outputs(&["hallucinated"], 1), "the probability of non-entailment");
        assert_eq!(outputs(&["entailment", "contradiction"], 2), "entailment, non-entailment");
    }

    #[test]
    fn names_that_say_nothing_are_refused_with_the_usual_orders() {
        for names in [&["LABEL_0", "LABEL_1", "LABEL_2"][..], &["0", "1", "2"], &[]] {
            let message = outputs(names, 3);
            assert!(message.contains("C,E,N") && message.contains("does not say"), "{message}");
        }
        assert!(outputs(&["positive", "negative"], 2).contains("not those of natural language inference"));
        assert!(outputs(&["entailment", "entailment", "neutral"], 3).contains("not those of"));
        assert!(outputs(&["a", "b"], 3).starts_with("m/config.json: id2label has 2 labels, but the weights have 3 outputs"));
    }

    #[test]
    fn the_labels_of_released_models_are_understood() {
        let three = [
            (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], "contradiction, neutral, entailment"), // roberta-large-mnli, microsoft/deberta-*-mnli
            (["contradiction", "neutral", "entailment"], "contradiction, neutral, entailment"), // bart-large-mnli, xlm-roberta-large-xnli
            (["contradiction", "entailment", "neutral"], "contradiction, entailment, neutral"), // cross-encoder/nli-*
            (["entailment", "neutral", "contradiction"], "entailment, neutral, contradiction"), // MoritzLaurer, boychaboy, tasksource
            (["ENTAILMENT", "NEUTRAL", "CONTRADICTION"], "entailment, neutral, contradiction"), // typeform/distilbert-*-mnli
            (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], "entailment, contradiction, neutral"), // tals/albert-*-vitaminc*
            (["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"], "entailment, contradiction, neutral"), // models of FEVER
        ];
        three.iter().for_each(|(names, expected)| assert_eq!(outputs(names, 3), *expected));
        // MoritzLaurer/*zeroshot*, *-binary
        assert_eq!(outputs(&["entailment", "not_entailment"], 2), "entailment, non-entailment");
        // vectara HHEM 1.0
        assert_eq!(outputs(&["LABEL_0"], 1), "the probability of entailment");
        // textattack, ynie
        assert!(outputs(&["LABEL_0", "LABEL_1", "LABEL_2"], 3).contains("C,E,N (textattack"));
        // MiniCheck: 1 is supported
        assert!(outputs(&["LABEL_0", "LABEL_1"], 2).contains("`not_entailment,entailment` (fact checkers"));
    }

    #[test]
    fn id2label_must_number_its_names() {
        let of = |names: Value| Outputs::of(&json!({ "id2label": names }), 3, None, Path::new("m")).unwrap_err().to_string();
        assert!(of(json!(["entailment", "neutral", "contradiction"])).contains("not an object"));
        assert!(of(json!({"a": "entailment"})).contains("the key `a`"));
        assert!(of(json!({"1": "entailment", "2": "neutral", "3": "contradiction"})).contains("the number 1 where 0 is expected"));
    }

    #[test]
    fn a_given_order_wins_if_it_fits() {
        let given = [Label::Contradiction, Label::Entailment, Label::Neutral].map(Judgment::Exact);
        let named = json!({"id2label": {"0": "LABEL_0"}});
        let found = Outputs::of(&named, 3, Some(&given), Path::new("m")).unwrap();
        assert_eq!(found, Outputs::Three([Label::Contradiction, Label::Entailment, Label::Neutral]));
        assert!(Outputs::of(&named, 2, Some(&given), Path::new("m")).unwrap_err().to_string().contains("the model has 2 outputs"));
    }

    #[test]
    fn scores_are_put_in_the_order_of_our_labels() {
        let outputs = Outputs::Three([Label::Contradiction, Label::Neutral, Label::Entailment]);
        let Scores::Three(scores) = outputs.scores(&[0.0, f32::ln(2.0), f32::ln(5.0)]) else { panic!("three scores") };
        assert!((scores[0] - 0.625).abs() < 1e-6 && (scores[1] - 0.25).abs() < 1e-6 && (scores[2] - 0.125).abs() < 1e-6);
        assert_eq!(Outputs::One(OneOutput::Entailed).scores(&[0.0]), Scores::Two([0.5, 0.5]));
    }
}
