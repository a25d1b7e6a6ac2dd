//! Intervals, and what they rest on.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "cluster",
        name: "cluster",
        aliases: &["clusters", "clustered"],
        group: TermGroup::Intervals,
        meaning: "A group of examples that are not independent, such as the three pairs written for one premise. Intervals and tests \
                  treat clusters, not examples, as the sampled units; with examples as units they would be too optimistic.",
        source: "Miller 2024 (arXiv 2411.00640); docs/statistics.md",
    },
    Term {
        slug: "confidence-interval",
        name: "95 % interval",
        aliases: &["interval", "confidence-interval-95"],
        group: TermGroup::Intervals,
        meaning: "A range computed so that in 95 % of repeated samples it contains the true value. Intervals in reports are not adjusted \
                  for the number of comparisons; significance marks are.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "clustered-wilson",
        name: "clustered Wilson interval",
        aliases: &["wilson", "wilson-interval"],
        group: TermGroup::Intervals,
        meaning: "The 95 % interval of an accuracy or another share: Wilson's score interval, widened according to how similar the \
                  examples of a cluster are. With one example per cluster it is Wilson's interval itself.",
        source: "Wilson 1927; clustering: docs/statistics.md",
    },
    Term {
        slug: "clustered-tango",
        name: "clustered Tango interval",
        aliases: &["tango", "tango-interval"],
        group: TermGroup::Intervals,
        meaning: "The 95 % interval of the difference of two accuracies on the same examples: Tango's score interval for paired \
                  proportions, widened for clusters. It excludes 0 exactly where the unadjusted p value is below 0.05.",
        source: "Tango 1998; clustering: Durkalski et al. 2003 and docs/statistics.md",
    },
    Term {
        slug: "mover-r",
        name: "valid labels correction (MOVER-R)",
        aliases: &["valid-labels", "valid-labels-correction", "mover"],
        group: TermGroup::Intervals,
        meaning: "Accuracy on correctly labelled examples, estimated from the accuracy on all examples and a judged sample of labels. \
                  The interval, MOVER-R, accounts for both samples and is given for a model that never agrees with a wrong label and for \
                  one that always does.",
        source: "Donner and Zou 2012; docs/statistics.md",
    },
    Term {
        slug: "rough-interval",
        name: "rough interval (~)",
        aliases: &["rough", "tilde"],
        group: TermGroup::Intervals,
        meaning: "An interval marked `~`: the share is near 0 or 100 %, and fewer than five clusters differ from the rest. It may be \
                  too narrow, because a rare kind of error may not have been sampled yet.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "not-estimable",
        name: "not estimable",
        aliases: &["from-n-clusters"],
        group: TermGroup::Intervals,
        meaning: "With a single cluster, nothing can be said about others, so no interval or p value is given. Intervals that rest on \
                  fewer than about four clusters of equal size are marked `from N clusters`.",
        source: "docs/statistics.md",
    },
    Term {
        slug: "minimum-detectable-difference",
        name: "minimum detectable difference (80 % power)",
        aliases: &["mdd", "mde", "power", "minimum-detectable-effect"],
        group: TermGroup::Intervals,
        meaning: "The smallest true difference that the test would find significant in 80 % of samples of this size. A result that is \
                  not significant says little about differences smaller than this.",
        source: "Connor 1987 (paired proportions); docs/statistics.md",
    },
    Term {
        slug: "corrected-accuracy",
        name: "corrected accuracy",
        aliases: &["corrected", "difference-estimator"],
        group: TermGroup::Intervals,
        meaning: "Accuracy against the true labels, estimated from a random sample that judges labelled: accuracy against the set's labels, \
                  plus the mean difference on the judged examples. The interval accounts for both samples.",
        source: "Zou and Donner 2008 (interval); docs/statistics.md",
    },
];
