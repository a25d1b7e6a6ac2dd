//! Reference models: the score of a shortcut alone.

use crate::heuristic::rules;
use crate::{FunctionModel, ModelEntry};
use acidtest_lingua::reach::is_within_reach;
use acidtest_nli::{Label, Pair, Prediction};

pub(crate) const MAJORITY: ModelEntry = ModelEntry {
    name: "majority",
    summary: "always predicts the most frequent label",
    source: "Williams et al. 2018, table 4 (most frequent class)",
    build: |labels| {
        let label = labels.most_frequent();
        Box::new(FunctionModel::new(move |_: &Pair<'_>| Prediction::of(label)))
    },
};

pub(crate) const OVERLAP: ModelEntry = ModelEntry {
    name: "overlap",
    summary: "entailment if every word of the hypothesis is in the premise, else neutral",
    source: "McCoy et al. 2019, section 2 (lexical overlap heuristic)",
    build: |_| Box::new(FunctionModel::new(|pair: &Pair<'_>| of_words(pair, overlap(pair)))),
};

pub(crate) const NEGATION_WORD: ModelEntry = ModelEntry {
    name: "negation-word",
    summary: "contradiction if the hypothesis has a negation word, else entailment",
    source: "Naik et al. 2018, section 2 (negation)",
    build: |_| Box::new(FunctionModel::new(|pair: &Pair<'_>| of_words(pair, negation_word(pair)))),
};

/// A prediction from the words of a pair; very long texts are truncated.
fn of_words(pair: &Pair<'_>, label: Label) -> Prediction {
    let whole = [&pair.premise, &pair.hypothesis].into_iter().all(|sentence| is_within_reach(&sentence.text));
    Prediction { truncated: !whole, ..Prediction::of(label) }
}

fn overlap(pair: &Pair<'_>) -> Label {
    if rules::lexical_overlap(pair).is_some() { Label::Entailment } else { Label::Neutral }
}

fn negation_word(pair: &Pair<'_>) -> Label {
    if rules::negation_word(pair).is_some() { Label::Contradiction } else { Label::Entailment }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CATALOG, TrainingLabels};

    #[track_caller]
    fn check(model: &str, premise: &str, hypothesis: &str, expected: Label) {
        let entry = CATALOG.find(model).unwrap();
        let model = (entry.build)(TrainingLabels([1, 3, 2]));
        assert_eq!(model.predictions(&[Pair::plain(premise, hypothesis)]).unwrap(), [Prediction::of(expected)]);
    }

    #[test]
    fn truncated_inputs_are_marked() {
        let long = "a ".repeat(acidtest_lingua::reach::REACH);
        let model = (CATALOG.find("overlap").unwrap().build)(TrainingLabels::default());
        let found = model.predictions(&[Pair::plain(&long, "A."), Pair::plain("A.", "A.")]).unwrap();
        assert_eq!(found.iter().map(|prediction| prediction.truncated).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn each_model_takes_its_shortcut() {
        check("majority", "A.", "B.", Label::Neutral);
        check("overlap", "The doctor saw the judge.", "The judge saw the doctor.", Label::Entailment);
        check("overlap", "The doctor left.", "The judge left.", Label::Neutral);
        check("negation-word", "It rains.", "It doesn't rain.", Label::Contradiction);
        check("negation-word", "It rains.", "Now it rains.", Label::Entailment);
    }
}
