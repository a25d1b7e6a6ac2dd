//! Heuristics, and what reports say of models that follow them.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "lexical-overlap-heuristic",
        name: "lexical overlap heuristic",
        aliases: &["lexical-overlap"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a premise entails every hypothesis made only of its words. \"The doctors visited the lawyer\" does \
                  not entail \"The lawyer visited the doctors\".",
        source: "McCoy et al. 2019, section 2",
    },
    Term {
        slug: "subsequence-heuristic",
        name: "subsequence heuristic",
        aliases: &["subsequence"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a premise entails every contiguous run of its words. \"The judges heard the actors resigned\" does \
                  not entail \"The judges heard the actors\".",
        source: "McCoy et al. 2019, section 2",
    },
    Term {
        slug: "constituent-heuristic",
        name: "constituent heuristic",
        aliases: &["constituent"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a premise entails every complete constituent of its parse tree. \"If the actor slept, the judge saw \
                  the artist\" does not entail \"The actor slept\".",
        source: "McCoy et al. 2019, section 2",
    },
    Term {
        slug: "negation-heuristic",
        name: "negation heuristic",
        aliases: &["negation-word", "negation"],
        group: TermGroup::Shortcuts,
        meaning: "The assumption that a hypothesis with a word such as \"not\" or \"never\" contradicts its premise. It often holds in \
                  corpora whose annotators wrote contradictions by adding a negation.",
        source: "Naik et al. 2018, section 2; Gururangan et al. 2018",
    },
    Term {
        slug: "hypothesis-only",
        name: "hypothesis-only baseline",
        aliases: &["hypothesis-only-baseline"],
        group: TermGroup::Shortcuts,
        meaning: "A classifier that sees only the hypothesis and never the premise. If it is better than the majority class, that is \
                  due to artefacts of how the hypotheses were written.",
        source: "Gururangan et al. 2018; Poliak et al. 2018",
    },
    Term {
        slug: "excess",
        name: "excess",
        aliases: &[],
        group: TermGroup::Shortcuts,
        meaning: "How much more often a model gives a shortcut's wrong label where the shortcut applies than where it does not. A \
                  model that guesses at random has an excess of 0, and so does one that is always right.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "relies-on",
        name: "relies on",
        aliases: &["reliance", "shortcut"],
        group: TermGroup::Shortcuts,
        meaning: "The verdict about a model and a shortcut if the 95 % interval of the excess lies above 10 points or, on sets such \
                  as HANS that contradict the shortcut, if the interval of the accuracy lies below 45 %. At least 30 examples are needed on \
                  either side.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "does-not-rely-on",
        name: "does not rely on",
        aliases: &["leans-slightly-on", "slight"],
        group: TermGroup::Shortcuts,
        meaning: "The verdict about a model above the majority baseline and a shortcut if the 95 % interval of the excess lies below 10 \
                  points or, on sets that contradict the shortcut, if the interval of the accuracy lies above 45 %. The model still leans slightly on the shortcut if the whole interval of the excess lies above 0.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "inconclusive",
        name: "inconclusive",
        aliases: &["cannot-tell", "too-few-examples"],
        group: TermGroup::Shortcuts,
        meaning: "The verdict about a model and a shortcut if the interval includes the threshold, there are fewer than 30 examples (too \
                  few), all examples are in one cluster, or the model is not above the majority baseline. It means that these examples cannot answer the question, not that there is no shortcut.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "same-templates",
        name: "same templates",
        aliases: &["within-templates"],
        group: TermGroup::Shortcuts,
        meaning: "Results on generated pairs generalise to new sentences from the same templates, because each pair is its own cluster. \
                  They do not say how a model would perform on other templates of the same construction.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "new-templates",
        name: "new templates",
        aliases: &["across-templates"],
        group: TermGroup::Shortcuts,
        meaning: "Results on generated pairs with templates as clusters, which say how a model would perform on other templates. Only these \
                  support a claim about a construction in general, and with few templates their intervals are wide.",
        source: "docs/statistics.md",
    },
];
