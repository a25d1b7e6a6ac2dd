//! Reference heuristics: what a shortcut alone would say of a pair, or nothing where it has nothing to say.
//!
//! A model that takes a shortcut follows its heuristic even where that is wrong. [`HEURISTICS`] lists the rules; the one that is learned
//! from labelled rows is [`HypothesisOnly`]. To add a rule, write its function and its entry here.

mod hypothesis_only;
pub(crate) mod rules;

pub use hypothesis_only::{HypothesisOnly, NothingToLearn};

use acidtest_nli::{Catalog, Judgment, Label, Named, Pair};
use rayon::prelude::*;

/// A heuristic as the list has it.
#[derive(Debug, Clone, Copy)]
pub struct Heuristic {
    /// The name that users type.
    pub name: &'static str,
    /// What it takes for granted, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// The only label that it ever gives.
    pub label: Label,
    /// The pairs on which it is wrong, in the plural, as a report names them.
    pub wrong_where: &'static str,
    /// What it must be shown.
    pub needs: Needs,
    /// What it says of a pair; `None` where it does not apply.
    pub answer: fn(&Pair<'_>) -> Option<Judgment>,
}

/// What a heuristic must be shown of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The two texts.
    Text,
    /// The phrases of the premise: from its parse, or by our own parser from its text.
    PremisePhrases,
}

impl Needs {
    /// Whether the pair has what is needed.
    pub fn are_met_by(self, pair: &Pair<'_>) -> bool {
        match self {
            Needs::Text => true,
            Needs::PremisePhrases => !pair.premise.text.is_empty() || rules::premise_view(pair).tree().is_some(),
        }
    }
}

/// What a heuristic says of many pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// What it says of each; `None` where it does not apply.
    pub answers: Vec<Option<Judgment>>,
    /// The pairs whose phrases are those of our own parser, because they have no usable parse.
    pub parsed_here: usize,
}

impl Heuristic {
    /// What it says of many pairs, the same as one by one, and faster where premises must be parsed; inside a pool of threads, on its threads.
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

/// The answers to parts of the pairs; they depend neither on the number of threads nor on each other.
fn in_parts(pairs: &[&Pair<'_>], answer: fn(&[&Pair<'_>]) -> Vec<Option<Judgment>>) -> Vec<Option<Judgment>> {
    // Outside a pool, parallel iterators would start threads that nobody asked for.
    if rayon::current_thread_index().is_none() {
        return answer(pairs);
    }
    let part = pairs.len().div_ceil(rayon::current_num_threads()).max(LEAST_PART);
    pairs.par_chunks(part).flat_map_iter(answer).collect()
}

/// Fewer pairs are not worth a thread.
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
