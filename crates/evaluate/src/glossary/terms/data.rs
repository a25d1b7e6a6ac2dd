//! Labels, examples and test sets.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "gold-label",
        name: "gold label",
        aliases: &["gold"],
        group: TermGroup::Data,
        meaning: "The label that counts as correct for an example: entailment if the premise makes the hypothesis true, contradiction if \
                  it makes it false, neutral otherwise. In SNLI and MultiNLI it is the label that at least three of five annotators \
                  gave, and examples without such a majority have none and are not scored.",
        source: "Williams et al. 2018, section 2.1",
    },
    Term {
        slug: "non-entailment",
        name: "non-entailment",
        aliases: &["not-entailment", "non-entailed"],
        group: TermGroup::Data,
        meaning: "The label of a pair that is either neutral or a contradiction, in corpora that do not distinguish the two, such as \
                  HANS, RTE and QNLI. Predictions for such corpora are scored with two classes: entailment and non-entailment.",
        source: "McCoy et al. 2019, sections 2 and 4",
    },
    Term {
        slug: "original",
        name: "original examples",
        aliases: &["original-accuracy"],
        group: TermGroup::Data,
        meaning: "The examples of the corpus as they are, before a challenge changes them. Drops are measured from the accuracy on those \
                  original examples that a challenge could be applied to, so both accuracies refer to the same examples.",
        source: "docs/challenges.md",
    },
    Term {
        slug: "perturbed",
        name: "perturbed examples",
        aliases: &["stressed", "parent"],
        group: TermGroup::Data,
        meaning: "Examples that a challenge made by changing one sentence of an original example, its parent, without changing the \
                  gold label. A model that understands the pair gives parent and perturbed example the same label.",
        source: "Naik et al. 2018, section 3",
    },
    Term {
        slug: "easy-pairs",
        name: "easy pairs",
        aliases: &[],
        group: TermGroup::Data,
        meaning: "150 short pairs that ship with the program, without unusual words or constructions. A model that fails them cannot do \
                  the task at all, or its labels were read in the wrong order.",
        source: "docs/challenges.md",
    },
    Term {
        slug: "genre",
        name: "genre",
        aliases: &["matched", "mismatched"],
        group: TermGroup::Data,
        meaning: "The kind of text that a premise comes from, such as fiction or telephone conversation. MultiNLI has ten genres, five \
                  of which (the mismatched ones) do not occur in its training set.",
        source: "Williams et al. 2018, section 2.1",
    },
    Term {
        slug: "template",
        name: "template and subcase",
        aliases: &["templates", "subcase"],
        group: TermGroup::Data,
        meaning: "A template is a sentence pattern with slots for words, from which many pairs are generated; a subcase is the \
                  construction that one or more templates illustrate. HANS has 30 subcases, ten for each of its three heuristics.",
        source: "McCoy et al. 2019, section 3 and appendix A",
    },
    Term {
        slug: "truncated",
        name: "truncated inputs",
        aliases: &["truncation"],
        group: TermGroup::Data,
        meaning: "Inputs longer than the model's maximum length, of which it reads only the beginning. A report counts them, \
                  because an error on such an example may be due to the part that was cut off.",
        source: "docs/process-models.md",
    },
    Term {
        slug: "excluded",
        name: "excluded examples",
        aliases: &["left-out"],
        group: TermGroup::Data,
        meaning: "Examples that are not scored, counted by reason: no gold label, or a challenge that does not apply to them. They \
                  do not count towards accuracies or tests.",
        source: "docs/challenges.md",
    },
];
