//! Agreement of annotators, and artefacts of corpora.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "label-indicative-words",
        name: "label-indicative words (PMI)",
        aliases: &["pmi", "pointwise-mutual-information", "telling-words", "cues"],
        group: TermGroup::Corpora,
        meaning: "Words of the hypothesis that occur much more often with one label than with the others, ranked by smoothed pointwise \
                  mutual information. They show what a hypothesis-only classifier can exploit.",
        source: "Gururangan et al. 2018",
    },
    Term {
        slug: "word-overlap",
        name: "word overlap (Jaccard)",
        aliases: &["jaccard", "overlap"],
        group: TermGroup::Corpora,
        meaning: "The number of words shared by premise and hypothesis, divided by the number of words that occur in either. MultiNLI \
                  treats an overlap above 37 % as high; the challenge of the same name appends \"and true is true\" to the hypothesis instead.",
        source: "Williams et al. 2018, section 2.2",
    },
    Term {
        slug: "individual-gold",
        name: "individual label = gold label",
        aliases: &["individual", "human-agreement", "consensus"],
        group: TermGroup::Corpora,
        meaning: "How often a single annotator's label matches the gold label that the five annotators agreed on, the usual estimate of \
                  human accuracy. It is somewhat optimistic, because each annotator's own vote counts towards the gold label.",
        source: "Williams et al. 2018, table 2",
    },
    Term {
        slug: "individual-author",
        name: "individual label = author's label",
        aliases: &["gold-author"],
        group: TermGroup::Corpora,
        meaning: "How often a single annotator's label matches the label that the author of the hypothesis intended. A low share points to \
                  hypotheses that do not express what their authors meant.",
        source: "Williams et al. 2018, table 2",
    },
    Term {
        slug: "unanimous",
        name: "unanimous gold label",
        aliases: &[],
        group: TermGroup::Corpora,
        meaning: "The share of validated examples to which all annotators gave the same label. On the other examples people disagree, \
                  and a model's error may be a matter of opinion.",
        source: "Williams et al. 2018, table 2",
    },
    Term {
        slug: "fleiss-kappa",
        name: "Fleiss' kappa",
        aliases: &["fleiss"],
        group: TermGroup::Corpora,
        meaning: "Chance-corrected agreement among several annotators: 1 is perfect, 0 is chance. It is computed over examples \
                  with five labels each.",
        source: "Fleiss 1971",
    },
    Term {
        slug: "cohen-kappa",
        name: "Cohen's kappa",
        aliases: &["cohen", "kappa", "cohens-kappa"],
        group: TermGroup::Corpora,
        meaning: "Chance-corrected agreement between two raters, such as a model and a heuristic: 1 is perfect, 0 is chance. A \
                  model can agree with a heuristic simply because both are often right, so the findings rest on cases where the \
                  heuristic is wrong.",
        source: "Cohen 1960",
    },
    Term {
        slug: "leakage",
        name: "duplicates and leakage",
        aliases: &["duplicates", "duplicate"],
        group: TermGroup::Corpora,
        meaning: "Pairs that occur more than once in a corpus, and premises or pairs of one file that also occur in another. A model \
                  trained on one file has an unfair advantage on examples that leak into the test file.",
        source: "docs/formats.md",
    },
    Term {
        slug: "krippendorff-alpha",
        name: "Krippendorff's alpha",
        aliases: &["alpha", "krippendorff"],
        group: TermGroup::Corpora,
        meaning: "Chance-corrected agreement among two or more judges, even if some answers are missing: 1 is perfect, 0 is chance. \
                  If nearly all answers are the same, it can be near 0 even though the judges nearly always agree.",
        source: "Krippendorff 2011",
    },
    Term {
        slug: "validity",
        name: "validity of a set",
        aliases: &["valid", "review"],
        group: TermGroup::Corpora,
        meaning: "The share of a sample of examples for which the label chosen by a majority of judges, who do not see the gold label, \
                  is the gold label. It is reported together with the shares that are grammatical and that are trivial for people.",
        source: "Naik et al. 2018, section 3",
    },
];
