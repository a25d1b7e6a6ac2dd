//! The lexical models by name.

use super::features::Variant;
use acidtest_nli::{Catalog, Named};

/// A lexical model as the list has it.
#[derive(Debug, Clone, Copy)]
pub struct LexicalEntry {
    /// The name that users type.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// What it sees.
    pub variant: Variant,
}

impl Named for LexicalEntry {
    fn name(&self) -> &str {
        self.name
    }
}

const NIE: &str = "Nie et al. 2018, Analyzing Compositionality-Sensitivity of NLI Models, section 5.2";

/// All lexical models.
pub static CATALOG: Catalog<LexicalEntry> = Catalog::new(
    "lexical model",
    &[
        LexicalEntry {
            name: Variant::Lexical.name(),
            summary: "softmax regression over the words of premise and hypothesis, and over pairs of them",
            source: NIE,
            variant: Variant::Lexical,
        },
        LexicalEntry {
            name: Variant::HypothesisOnly.name(),
            summary: "softmax regression over the words of the hypothesis; the premise is ignored",
            source: "Gururangan et al. 2018 and Poliak et al. 2018, with the words of Nie et al. 2018",
            variant: Variant::HypothesisOnly,
        },
        LexicalEntry {
            name: Variant::PremiseOnly.name(),
            summary: "softmax regression over the words of the premise; the hypothesis is ignored",
            source: NIE,
            variant: Variant::PremiseOnly,
        },
    ],
);
