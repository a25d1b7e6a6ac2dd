//! Significance tests and corrections.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "p-value",
        name: "p value",
        aliases: &["p", "p-values"],
        group: TermGroup::Tests,
        meaning: "The probability of a difference at least as large as the observed one if there were no true difference. Small values \
                  are evidence against \"no difference\"; large values are not evidence for it.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "significance-marks",
        name: "significance marks (*, **, ***)",
        aliases: &["stars", "significant", "significance", "asterisk"],
        group: TermGroup::Tests,
        meaning: "One, two or three asterisks mark an adjusted p value below 0.05, 0.01 or 0.001. The adjustment covers all tests of the \
                  table; the intervals beside them are not adjusted.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "sign-flip",
        name: "exact cluster sign-flip test",
        aliases: &["sign-flip-test", "exact-cluster-sign-flip", "permutation-test"],
        group: TermGroup::Tests,
        meaning: "Tests whether two models differ on the same examples: if they did not, their predictions could be swapped in any \
                  cluster, and the p value is the exact share of all such swaps that lead to a difference at least as large. With one \
                  example per cluster it is the exact McNemar test.",
        source: "Durkalski et al. 2003 (its normal approximation); docs/statistics.md",
    },
    Term {
        slug: "mcnemar",
        name: "McNemar test",
        aliases: &["mcnemars-test", "exact-mcnemar"],
        group: TermGroup::Tests,
        meaning: "Tests whether two models differ on the same examples, using only those that exactly one of them gets right. The exact \
                  form is a binomial test of whether these fall to either side with equal probability.",
        source: "McNemar 1947",
    },
    Term {
        slug: "holm",
        name: "Holm correction",
        aliases: &["holm-bonferroni", "adjusted-p", "adjusted"],
        group: TermGroup::Tests,
        meaning: "Adjusts the p values of several tests so that the probability of any false positive among them stays below the level. \
                  It is uniformly more powerful than the Bonferroni correction and makes no assumption about dependence.",
        source: "Holm 1979",
    },
    Term {
        slug: "tarone",
        name: "Tarone correction",
        aliases: &["tarones-method"],
        group: TermGroup::Tests,
        meaning: "Excludes from the Holm correction those tests that could never reach significance, such as differences in fewer than \
                  six clusters. They are reported as such and do not reduce the power of the other tests.",
        source: "Tarone 1990",
    },
    Term {
        slug: "benjamini-hochberg",
        name: "Benjamini-Hochberg correction",
        aliases: &["bh", "fdr", "false-discovery-rate"],
        group: TermGroup::Tests,
        meaning: "Adjusts the p values of several tests so that the expected share of false positives among the significant ones stays \
                  below the level. It is used for exploratory tables, and the table says so.",
        source: "Benjamini and Hochberg 1995",
    },
    Term {
        slug: "not-different-from-the-best",
        name: "not significantly different from the best",
        aliases: &["tied", "leaderboard", "tie", "tied-with-the-best"],
        group: TermGroup::Tests,
        meaning: "A model for which the test against the most accurate one is not significant, after Holm correction for all pairs of \
                  models. It means that these examples cannot separate the two models, not that they are equally good.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "welch",
        name: "Welch's t test",
        aliases: &["welch-test", "t-test", "new-seeds"],
        group: TermGroup::Tests,
        meaning: "Tests whether two training methods differ in mean accuracy over their seeds, without assuming equal variances. A claim \
                  about the method needs both this test and the one on new examples, and at least three seeds each.",
        source: "Welch 1947; docs/statistics.md",
    },
];
