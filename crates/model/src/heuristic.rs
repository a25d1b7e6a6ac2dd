//! Reference heuristics: the label that a shortcut alone gives a pair, if it applies.
//!
//! A model that uses a shortcut follows its heuristic even where that is wrong. [`HEURISTICS`] lists the rules; [`HypothesisOnly`] is learned
//! from labelled examples. To add a rule, write its function and its entry here.

mod hypothesis_only;
pub(crate) mod rules;

pub use hypothesis_only::{HypothesisOnly, NothingToLearn};

use acidtest_nli::{Catalog, Judgment, Label, Named, Pair};
use acidtest_threads::{Grain, count_here, map};

/// An entry of [`HEURISTICS`].
#[derive(Debug, Clone, Copy)]
pub struct Heuristic {
    /// The name that users type.
    pub name: &'static str,
    /// What it assumes, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// The only label that it predicts.
    pub label: Label,
    /// The pairs on which it is wrong, in the plural, as reports name them.
    pub wrong_where: &'static str,
    /// What it needs to see of a pair.
    pub needs: Needs,
    /// Its label for a pair; `None` where it does not apply.
    pub answer: fn(&Pair<'_>) -> Option<Judgment>,
}

/// What a heuristic needs to see of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The two texts.
    Text,
    /// The constituents of the premise: from its parse, or from our own parser.
    PremisePhrases,
}

impl Needs {
    /// Whether the pair has what the heuristic needs.
    pub fn are_met_by(self, pair: &Pair<'_>) -> bool {
        match self {
            Needs::Text => true,
            Needs::PremisePhrases => !pair.premise.text.is_empty() || rules::premise_view(pair).tree().is_some(),
        }
    }
}

/// A heuristic's labels for many pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// The label of each pair; `None` where it does not apply.
    pub answers: Vec<Option<Judgment>>,
    /// The number of pairs whose constituents come from our own parser, because they have no usable parse.
    pub parsed_here: usize,
}

impl Heuristic {
    /// The labels of many pairs: the same as one by one, but faster where premises must be parsed. Inside a thread pool, it uses the pool's threads.
    pub fn answers(&self, pairs: &[&Pair<'_>]) -> Answers {
        match self.needs {
            Needs::Text => Answers { answers: pairs.iter().map(|pair| (self.answer)(pair)).collect(), parsed_here: 0 },
            Needs::PremisePhrases => {
                let parsed_here = pairs.iter().filter(|pair| rules::premise_view(pair).tree().is_none()).count();
                Answers { answers: in_parts(pairs, rules::constituents), parsed_here }
            }
        }
    }
}

/// The labels of the pairs, computed in parts; the result does not depend on the number of threads.
fn in_parts(pairs: &[&Pair<'_>], answer: fn(&[&Pair<'_>]) -> Vec<Option<Judgment>>) -> Vec<Option<Judgment>> {
    let part = pairs.len().div_ceil(count_here()).max(LEAST_PART);
    map(pairs.chunks(part).collect::<Vec<_>>(), Grain::Single, answer).into_iter().flatten().collect()
}

/// The smallest number of pairs that is worth a thread.
const LEAST_PART: usize = 256;

impl Named for Heuristic {
    fn name(&self) -> &str {
        self.name
    }
}

/// All heuristics that need no training.
pub static HEURISTICS: Catalog<Heuristic> = Catalog::new("heuristic", ALL);

const ALL: &[Heuristic] = &[
    Heuristic {
        name: "lexical-overlap",
        summary: "a hypothesis whose words all occur in the premise is entailed",
        source: "McCoy et al. 2019, table 1",
        label: Label::Entailment,
        wrong_where: "non-entailed pairs with full lexical overlap",
        needs: Needs::Text,
        answer: rules::lexical_overlap,
    },
    Heuristic {
        name: "subsequence",
        summary: "a hypothesis that is a contiguous subsequence of the premise is entailed",
        source: "McCoy et al. 2019, table 1",
        label: Label::Entailment,
        wrong_where: "non-entailed pairs whose hypothesis is a contiguous subsequence of the premise",
        needs: Needs::Text,
        answer: rules::subsequence,
    },
    Heuristic {
        name: "constituent",
        summary: "a hypothesis that is a constituent of the premise is entailed",
        source: "McCoy et al. 2019, table 1",
        label: Label::Entailment,
        wrong_where: "non-entailed pairs whose hypothesis is a constituent of the premise",
        needs: Needs::PremisePhrases,
        answer: rules::constituent,
    },
    Heuristic {
        name: "negation-word",
        summary: "a hypothesis with a negation word is contradicted",
        source: "Naik et al. 2018, section 2 (negation)",
        label: Label::Contradiction,
        wrong_where: "pairs with a negation word in the hypothesis that are not contradictions",
        needs: Needs::Text,
        answer: rules::negation_word,
    },
    Heuristic {
        name: "length",
        summary: "a hypothesis with more words than the premise is neutral",
        source: "Gururangan et al. 2018, section 3 (sentence length)",
        label: Label::Neutral,
        wrong_where: "non-neutral pairs whose hypothesis is longer than the premise",
        needs: Needs::Text,
        answer: rules::length,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Sentence;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = HEURISTICS.names().into_iter().collect();
        assert_eq!(names.len(), HEURISTICS.entries().len());
    }

    #[test]
    fn answers_are_the_same_on_any_number_of_threads() {
        let texts = [("The man sits on a chair.", "A chair."), ("It rains.", "Rains it"), ("Dogs bark.", "Dogs bark")];
        let pairs: Vec<Pair<'_>> = texts.iter().cycle().take(700).map(|(premise, hypothesis)| Pair::plain(premise, hypothesis)).collect();
        let pairs: Vec<&Pair<'_>> = pairs.iter().collect();
        let threads = acidtest_threads::Threads::new(std::num::NonZeroUsize::new(3).unwrap()).unwrap();
        for heuristic in &HEURISTICS {
            assert_eq!(heuristic.answers(&pairs), threads.run(|| heuristic.answers(&pairs)), "{}", heuristic.name);
        }
    }

    proptest! {
        #[test]
        fn each_gives_its_label_or_nothing(premise in "[a-c' .n’t]{0,30}", hypothesis in "[a-c' .n’t]{0,12}", parse in "[()a-c. ]{0,20}") {
            let mut pair = Pair::plain(&premise, &hypothesis);
            pair.premise = Sentence { binary_parse: Some(parse.into()), ..pair.premise };
            for heuristic in &HEURISTICS {
                let answer = (heuristic.answer)(&pair);
                prop_assert!(answer.is_none() || answer == Some(heuristic.label.into()));
            }
        }

        #[test]
        fn a_subsequence_overlaps(premise in "[a-b ]{0,20}", hypothesis in "[a-b ]{0,6}") {
            let pair = Pair::plain(&premise, &hypothesis);
            prop_assert!(rules::subsequence(&pair).is_none() || rules::lexical_overlap(&pair).is_some());
        }
    }
}
