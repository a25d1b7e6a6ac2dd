//! Families of challenges.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "competence",
        name: "competence tests",
        aliases: &["competence-test"],
        group: TermGroup::Challenges,
        meaning: "Challenges that need a particular skill: knowing antonyms or reasoning about numbers. A drop means that the model \
                  lacks the skill.",
        source: "Naik et al. 2018, section 3.1",
    },
    Term {
        slug: "distraction",
        name: "distraction tests",
        aliases: &["distraction-test", "tautology"],
        group: TermGroup::Challenges,
        meaning: "Challenges that append a statement which is always true, such as \"and false is not true\", so that the gold label \
                  cannot change. A drop means that the model reacts to added words, negation or length rather than to meaning.",
        source: "Naik et al. 2018, section 3.2",
    },
    Term {
        slug: "noise",
        name: "noise tests",
        aliases: &["noise-test", "spelling"],
        group: TermGroup::Challenges,
        meaning: "Challenges that misspell one word, by swapping two adjacent letters or by hitting a neighbouring key. A drop means \
                  that the model depends on exact spelling.",
        source: "Naik et al. 2018, section 3.3",
    },
    Term {
        slug: "structure",
        name: "structure tests",
        aliases: &["structure-test"],
        group: TermGroup::Challenges,
        meaning: "Challenges such as HANS, in which all words of the hypothesis come from the premise and only syntax decides the label. \
                  Low accuracy on the non-entailed pairs means that the model ignores syntax.",
        source: "McCoy et al. 2019, section 3",
    },
    Term {
        slug: "composition",
        name: "composition tests",
        aliases: &["composition-test", "compositionality"],
        group: TermGroup::Challenges,
        meaning: "Challenges in which the words alone point to the wrong label, so that only the way they are combined gives the right \
                  one. A drop means that the model treats sentences as bags of words.",
        source: "Nie et al. 2018, sections 3 and 5",
    },
    Term {
        slug: "hans",
        name: "HANS",
        aliases: &["heuristic-analysis-for-nli-systems"],
        group: TermGroup::Challenges,
        meaning: "Heuristic Analysis for NLI Systems: 30,000 pairs generated from templates, half of which contradict a syntactic \
                  heuristic that works well on ordinary corpora. A model that has adopted the heuristics predicts entailment for nearly \
                  all of them: it gets the entailed pairs right and the non-entailed pairs wrong.",
        source: "McCoy et al. 2019, sections 2 to 5",
    },
    Term {
        slug: "lms",
        name: "lexically-misleading score (LMS)",
        aliases: &["lexically-misleading-score"],
        group: TermGroup::Challenges,
        meaning: "The largest probability that a lexical model, a softmax regression over words and word pairs, gives to a wrong label \
                  of an example. A high score means that the words alone point away from the gold label.",
        source: "Nie et al. 2018, section 5.3",
    },
    Term {
        slug: "cs-lambda",
        name: "CS_lambda",
        aliases: &["cs", "compositionality-sensitivity"],
        group: TermGroup::Challenges,
        meaning: "The examples of a corpus whose lexically-misleading score is at least lambda, for instance CS_0.7. A model that does \
                  much worse on them than on the whole corpus relies on words more than on how they are combined.",
        source: "Nie et al. 2018, section 5.4",
    },
];
