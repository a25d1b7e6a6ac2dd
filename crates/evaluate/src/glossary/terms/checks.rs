//! Gates, and the diagnosis of label orders.

use crate::glossary::{Term, TermGroup};

pub(super) const TERMS: &[Term] = &[
    Term {
        slug: "gate",
        name: "gate outcomes",
        aliases: &["passed", "failed"],
        group: TermGroup::Checks,
        meaning: "A check of `acidtest gate` passes, fails, or is inconclusive if the examples support neither outcome. The exit code is 0 if \
                  all checks pass, 3 if any fails and 4 if none fails but one is inconclusive.",
        source: "docs/gate.md",
    },
    Term {
        slug: "baseline",
        name: "baseline",
        aliases: &["regression", "max-regression"],
        group: TermGroup::Checks,
        meaning: "The predictions of an earlier run, saved by `acidtest gate --write-baseline`, that a new model is compared with \
                  example by example. A baseline for other examples, texts or gold labels is refused.",
        source: "docs/gate.md",
    },
    Term {
        slug: "margin",
        name: "margin",
        aliases: &["non-inferiority", "max-drop"],
        group: TermGroup::Checks,
        meaning: "The drop that a gate tolerates, in percentage points. A check with a margin passes only if a larger drop is ruled out \
                  at one-sided 95 % confidence; without a margin it fails if the drop is significant.",
        source: "docs/gate.md",
    },
    Term {
        slug: "label-order",
        name: "label order",
        aliases: &["doctor", "label-order-doctor", "labels"],
        group: TermGroup::Checks,
        meaning: "Which class each numbered output of a model stands for. The doctor tries all six orders of three labels and reports \
                  another one only if it is significantly better than every other and agrees with gold beyond chance.",
        source: "docs/label-order.md",
    },
];
